import { z } from 'zod';
import type { Collector } from '../../pipeline/collect/collect.ts';
import type { Parameter } from './parameter.ts';
import * as p from './parameters.ts';

export type Availability = 'available' | 'preview' | 'unavailable' | 'planned';

/** The key of the record inside `data`. */
export type Container = 'profile' | 'item' | 'items' | 'transcript' | 'playlist' | 'hashtag' | 'sound';

interface RouteFacts {
  path: `/v${1 | 2}/${string}`;
  summary: string;
  /** Credits of a successful fresh result. */
  cost: number;
  /** Exactly one of these must be sent. */
  identifiers: Record<string, Parameter>;
  /** Required beside the identifier. */
  required?: Record<string, Parameter>;
  /** Optional parameters of this route alone; those of all routes are added by {@link parametersOf}. */
  optional?: Record<string, Parameter>;
}

export type AnyCollector = Collector<unknown, unknown>;

/** A route that can be collected. */
export interface SourcedRoute extends RouteFacts {
  availability: 'available' | 'preview' | 'unavailable';
  container: Container;
  collector: AnyCollector;
  /** Cursors into the kept rest of a page end with it after ten minutes: CURSOR_EXPIRED. Those of other lists fetch the page again. */
  buffered?: true;
  /** Live requests answer 503 SOURCE_NOT_CONFIGURED, whatever is configured. */
  operators_only?: true;
  /** `format=compact` is offered. */
  compact?: true;
}

/** A route without a source: 501 SOURCE_NOT_IMPLEMENTED. It cannot name a collector. */
export interface PlannedRoute extends RouteFacts {
  availability: 'planned';
  collector?: never;
}

export type Route = SourcedRoute | PlannedRoute;

/** The parameters of a route beside its identifiers: its own, and those of every route of its kind. */
export function parametersOf(route: Route): Record<string, Parameter> {
  return {
    ...route.required,
    ...route.optional,
    ...(route.path.includes('/shortvideo/') ? { region: p.ignoredRegion } : {}),
    ...(route.availability !== 'planned' && route.container === 'items' ? { limit: p.limit, cursor: p.cursor } : {}),
    cache_max_age: p.cacheMaxAge,
    fields: p.fields,
    trim: p.trim,
    estimate: p.estimate,
  };
}

/** The schema of `data` of a full answer of this route. */
export function dataSchema(route: SourcedRoute): z.ZodObject {
  if (route.container !== 'items') return z.strictObject({ [route.container]: route.collector.record.nullable() });
  return z.strictObject({ items: route.collector.record, pagination });
}

const pagination = z
  .strictObject({ next_cursor: z.string().nullable().describe('null at the end'), limit: z.int() })
  .meta({ id: 'Pagination' });
