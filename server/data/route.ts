import { z } from 'zod';
import type { AnyCollector } from '../../pipeline/collect/collect.ts';
import type { Parameter } from './parameter.ts';
import * as p from './parameters.ts';

export type Availability = 'available' | 'preview' | 'unavailable' | 'planned';

/** Key of the record inside `data`, such as `profile` in `data.profile`. */
type Container = 'profile' | 'item' | 'items' | 'transcript' | 'playlist' | 'hashtag' | 'sound';

interface RouteFacts {
  path: `/v${1 | 2}/${string}`;
  summary: string;
  /** Price in credits of a successful answer with new data. */
  cost: number;
  /**
   * Parameters that identify the requested resource, such as `handle` and `url`. A client must send exactly one of
   * them.
   */
  identifiers: Record<string, Parameter>;
  /** Required parameters, except the identifiers. */
  required?: Record<string, Parameter>;
  /** Optional parameters of this route only. {@link parametersOf} adds the parameters that all routes have. */
  optional?: Record<string, Parameter>;
}

/** A route with a collector, which is the module that fetches its data. */
export interface SourcedRoute extends RouteFacts {
  availability: 'available' | 'preview' | 'unavailable';
  container: Container;
  collector: AnyCollector;
  /**
   * True when a cursor of this route stops working after ten minutes, because its stored page is deleted then
   * (CURSOR_EXPIRED). On all other routes, the server fetches the page of an older cursor again.
   */
  buffered?: true;
  /**
   * True when requests with a production key always get 503 SOURCE_NOT_CONFIGURED, even when the server has credentials
   * for the sources.
   */
  operators_only?: true;
  /** True when the route supports `format=compact`. */
  compact?: true;
}

/** A route that is announced but not implemented. Its requests get 501 SOURCE_NOT_IMPLEMENTED. */
interface PlannedRoute extends RouteFacts {
  availability: 'planned';
  collector?: never;
}

export type Route = SourcedRoute | PlannedRoute;

/** Returns all parameters of a route except its identifiers. */
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

/** Returns the schema of `data` in an answer with all fields. */
export function dataSchema(route: SourcedRoute): z.ZodObject {
  if (route.container !== 'items') return z.strictObject({ [route.container]: route.collector.record.nullable() });
  return z.strictObject({ items: route.collector.record, pagination });
}

const pagination = z
  .strictObject({ next_cursor: z.string().nullable().describe('null at the end'), limit: z.int() })
  .meta({ id: 'Pagination' });
