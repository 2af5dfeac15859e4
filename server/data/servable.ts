import type { AnyCollector } from '../../pipeline/collect/collect.ts';
import type { SourcesConfig } from '../../pipeline/collect/sources.ts';
import { RequestError } from '../http/errors.ts';
import type { SourcedRoute } from './route.ts';

const noPublicSource =
  'No public source exists for this data yet: no parameter, key or setting makes this route work. A development key returns its sample.';
const operatorsOnly =
  'This server gives no live data on this route: no key or setting changes that. A development key returns its sample.';

/**
 * Returns the error for a route for which this server cannot fetch new data: the route is unavailable, has no source,
 * is only for operators, or lacks the credentials of its sources. Returns null for any other route.
 */
export function unservableError(route: SourcedRoute, config: SourcesConfig): RequestError | null {
  if (route.availability === 'unavailable') {
    const message =
      'No source for this data works now, and trying again does not help. Cached answers and samples still work.';
    return new RequestError('SOURCE_UNAVAILABLE', { retryable: false, message });
  }
  if (route.collector.sources.length === 0) {
    return new RequestError('SOURCE_NOT_CONFIGURED', { message: noPublicSource });
  }
  if (route.operators_only) return new RequestError('SOURCE_NOT_CONFIGURED', { message: operatorsOnly });
  return hasCredentials(route.collector, config) ? null : new RequestError('SOURCE_NOT_CONFIGURED');
}

/**
 * Returns true when the server has the credentials of at least one source. Sources that are switched off or paused are
 * reported later, by `collect`.
 */
function hasCredentials(collector: AnyCollector, config: SourcesConfig): boolean {
  return collector.sources.some((source) => source.credentials === null || source.credentials(config));
}
