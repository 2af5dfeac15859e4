import { digestId } from '../../db/ids.ts';
import { type CacheAge, cacheAges } from '../../pipeline/collect/cache-ages.ts';
import { type Cursor, cursorBinding, type ListCursor } from '../../pipeline/collect/list-cursor.ts';
import { wholePage } from '../../pipeline/collect/page.ts';
import { type ErrorDetail, invalidInput, RequestError } from '../http/errors.ts';
import type { Query } from '../http/query.ts';
import { addressHint } from './address-hint.ts';
import type { CursorSeal } from './cursor.ts';
import type { Parameter } from './parameter.ts';
import { parameterReader, type ReadParameters } from './read-parameters.ts';
import { dataSchema, parametersOf, type Route, type SourcedRoute } from './route.ts';
import { type FieldSelection, fieldProblem, selectionOf } from './selection.ts';

/** A validated request to a data route. */
export interface DataRequest {
  route: SourcedRoute;
  /**
   * Identifier and filters as the collector of the route takes them, without limit and cursor. The collector is the
   * module that fetches the data.
   */
  params: Record<string, unknown>;
  limit: number;
  cursor: Cursor | null;
  /** Text that identifies route, parameters and limit. A cursor works only for a request with the same binding. */
  binding: string;
  max_age_seconds: number | null;
  selection: FieldSelection | null;
  trim: boolean;
  compact: boolean;
  estimate: boolean;
  /** Warnings about parameters that were sent and have no effect. */
  warnings: string[];
  /** The query as it was sent, with short links resolved and without parameters that have no effect. */
  query: Query;
}

type Values = Record<string, unknown>;

/** Reads and validates one request. Throws the same errors as {@link requestReader}. */
export function readRequest(route: SourcedRoute, query: Query, cursors: CursorSeal): DataRequest {
  return requestReader(route, cursors)(query);
}

/**
 * Returns a function that reads and validates the parameters of a data route. This function throws INVALID_INPUT, which
 * names every bad parameter, or CURSOR_EXPIRED. Values that depend only on the route are computed once, not for each
 * request.
 */
export function requestReader(route: SourcedRoute, cursors: CursorSeal): (query: Query) => DataRequest {
  const others = parametersOf(route);
  const read = parameterReader({ ...route.identifiers, ...others });
  const parts: RequestParts = {
    route,
    others,
    cursors,
    identifiers: Object.keys(route.identifiers),
    required: Object.keys(route.required ?? {}),
    filters: Object.keys(others).filter((name) => !answerParameters.has(name)),
    without_effect: Object.keys(others).filter((name) => others[name]?.no_effect),
  };
  return (query) => validRequest(parts, query, read(query));
}

/** A route, and values that are computed once for all requests to this route. */
interface RequestParts {
  route: SourcedRoute;
  /** All parameters of the route except the identifiers. */
  others: Record<string, Parameter>;
  cursors: CursorSeal;
  /**
   * Names of parameters in four groups: identifiers, other required parameters, filters that the collector of the route
   * gets, and parameters without effect.
   */
  identifiers: readonly string[];
  required: readonly string[];
  filters: readonly string[];
  without_effect: readonly string[];
}

function validRequest(parts: RequestParts, query: Query, read: ReadParameters): DataRequest {
  const { route, others, cursors } = parts;
  const { values } = read;
  const details = read.details.map((problem) => withAddressHint(problem, route, query));
  details.push(...identifierProblems(parts.identifiers, query), ...missingProblems(parts.required, query));
  details.push(...fieldsProblems(route, values), ...conflictProblems(query, values));
  if (details.length > 0) throw invalidInput(details);
  if (read.restricted) throw read.restricted;

  const ignored = parts.without_effect.filter((name) => Object.hasOwn(query, name));
  const params = paramsOf(parts, values);
  const limit = typeof values.limit === 'number' ? values.limit : 1;
  const binding = cursorBinding(route.path, params, limit);
  return {
    route,
    params,
    limit,
    binding,
    cursor: typeof values.cursor === 'string' ? cursors.open(values.cursor, binding) : null,
    max_age_seconds: values.cache_max_age === undefined ? null : cacheAges[values.cache_max_age as CacheAge],
    selection: readSelection(route, values),
    trim: values.trim === true,
    compact: values.format === 'compact',
    estimate: values.estimate === true,
    warnings: ignored.map((name) => `${name} has no effect: ${others[name]?.no_effect}.`),
    query:
      ignored.length === 0
        ? query
        : Object.fromEntries(Object.entries(query).filter(([name]) => !ignored.includes(name))),
  };
}

/**
 * Returns a digest of the route and its parameters. An Idempotency-Key can be used again only for a request with the
 * same digest.
 */
export function fingerprintOf({ route, query }: DataRequest): string {
  return digestId(JSON.stringify([route.path, Object.entries(query).sort()]));
}

/**
 * Returns the problem with a message that says what to send instead, when a URL was sent in a parameter that expects an
 * id or a handle. Returns any other problem unchanged.
 */
function withAddressHint(problem: ErrorDetail, route: Route, query: Query): ErrorDetail {
  const { parameter } = problem;
  if (!Object.hasOwn(route.identifiers, parameter)) return problem;
  const message = addressHint(route, parameter, query[parameter]?.[0] ?? '');
  return message === null ? problem : { parameter, message };
}

function identifierProblems(names: readonly string[], query: Query): ErrorDetail[] {
  const sent = names.filter((name) => Object.hasOwn(query, name));
  if (sent.length === 1) return [];
  const parameter = sent[1] ?? (names[0] as string);
  return [{ parameter, message: names.length === 1 ? 'is required' : `send exactly one of ${names.join(', ')}` }];
}

function missingProblems(names: readonly string[], query: Query): ErrorDetail[] {
  const missing = names.filter((name) => !Object.hasOwn(query, name));
  return missing.map((parameter) => ({ parameter, message: 'is required' }));
}

/**
 * Returns the paths in the parameter `fields` relative to the record. A client sends the paths relative to `data`, and
 * may leave out the key of the record, such as `profile`.
 */
function recordPaths(route: SourcedRoute, paths: string[]): string[] {
  const prefix = `${route.container}.`;
  return paths.map((path) => (path.startsWith(prefix) ? path.slice(prefix.length) : path));
}

function readSelection(route: SourcedRoute, values: Values): FieldSelection | null {
  if (values.fields === undefined) return null;
  const paths = recordPaths(route, values.fields as string[]);
  return paths.includes(route.container) ? null : selectionOf(paths);
}

function fieldsProblems(route: SourcedRoute, values: Values): ErrorDetail[] {
  if (values.fields === undefined) return [];
  const problems = recordPaths(route, values.fields as string[]).map((path) => {
    if (path === route.container) return null;
    const inPagination = route.container === 'items' && path.split('.')[0] === 'pagination';
    return fieldProblem(inPagination ? dataSchema(route) : route.collector.record, path, `/docs/api${route.path}`);
  });
  return problems.filter((message) => message !== null).map((message) => ({ parameter: 'fields', message }));
}

function conflictProblems(query: Query, { start_date: start, end_date: end }: Values): ErrorDetail[] {
  // `start` and `end` are undefined when the sent day is not valid.
  if (typeof start === 'string' && typeof end === 'string' && end < start)
    return [{ parameter: 'end_date', message: 'must not be before start_date' }];
  if (query.format?.[0] !== 'compact') return [];
  const conflicts = ['fields', 'trim'].filter((name) => Object.hasOwn(query, name));
  return conflicts.map((parameter) => ({ parameter, message: 'must not be combined with format=compact' }));
}

/** Parameters that only change which part of an answer is sent, or in which format. The collector does not get them. */
const answerParameters: ReadonlySet<string> = new Set([
  'cache_max_age',
  'fields',
  'trim',
  'estimate',
  'limit',
  'cursor',
  'format',
]);

/**
 * Returns the identifier and the filters for the collector, which fetches the data of the route. A filter is null when
 * it was not sent or has no effect.
 */
function paramsOf({ identifiers, filters, others }: RequestParts, values: Values): Values {
  const params: Values = {};
  for (const name of identifiers) Object.assign(params, values[name]);
  for (const name of filters) params[name] = others[name]?.no_effect ? null : (values[name] ?? null);
  return params;
}

/**
 * Returns the parameters for the collector, which fetches the data of the route. For a list, the collector always
 * fetches a whole page of the source, which begins at `cursor`.
 */
export function collectorParams(request: DataRequest, cursor: ListCursor | null): unknown {
  const { collector, container } = request.route;
  const paging = container === 'items' ? { limit: wholePage, cursor } : {};
  const parsed = collector.params.safeParse({ ...request.params, ...paging });
  if (!parsed.success)
    throw new RequestError('INTERNAL', {
      message:
        'This route sent parameters that its data source does not accept. This is a fault of the service, and nothing was charged: send your Tidemark administrator the request id.',
    });
  return parsed.data;
}
