import { z } from 'zod';
import { digestId } from '../../db/ids.ts';
import { wholePage } from '../../pipeline/collect/page.ts';
import { type ErrorDetail, invalidInput, RequestError } from '../http/errors.ts';
import { nearest } from '../http/nearest.ts';
import { addressHint } from './address-hint.ts';
import type { CursorSeal, Place, SourcePlace } from './cursor.ts';
import type { Parameter } from './parameter.ts';
import { type CacheAge, cacheAges } from './parameters.ts';
import { parametersOf, type Route, type SourcedRoute } from './route.ts';
import { fieldProblem, type Selection, selectionOf } from './selection.ts';

/** A request to a data route, read and checked. */
export interface DataRequest {
  route: SourcedRoute;
  /** Identifier and filters as the collector takes them, without limit and cursor. */
  asked: Record<string, unknown>;
  limit: number;
  place: Place | null;
  /** What a cursor of this request is bound to. */
  binding: string;
  max_age_seconds: number | null;
  selection: Selection | null;
  trim: boolean;
  compact: boolean;
  estimate: boolean;
  /** What to say of parameters that were sent and have no effect. */
  warnings: string[];
  /** As it was sent, without parameters that have no effect; share links are followed before. */
  query: Query;
}

/** Query parameters, each with all its values. */
export type Query = Record<string, string[]>;

type Values = Record<string, unknown>;

/** Reads the parameters of a route; throws INVALID_INPUT naming every bad one, or CURSOR_EXPIRED. */
export function readRequest(route: SourcedRoute, query: Query, cursors: CursorSeal): DataRequest {
  const others = parametersOf(route);
  const { values, details: problems } = readParameters(query, { ...route.identifiers, ...others });
  const details = problems.map((problem) => withAddressHint(problem, route, query));
  details.push(...identifierProblems(route, query), ...missingProblems(route, query));
  details.push(...fieldsProblems(route, values), ...conflictProblems(query));
  if (details.length > 0) throw invalidInput(details);

  const ignored = ignoredOf(others, query);
  const asked = askedOf(route, others, values);
  const limit = typeof values.limit === 'number' ? values.limit : 1;
  const binding = JSON.stringify([route.path, asked, limit]);
  return {
    route,
    asked,
    limit,
    binding,
    place: typeof values.cursor === 'string' && values.cursor !== '' ? cursors.open(values.cursor, binding) : null,
    max_age_seconds: values.cache_max_age === undefined ? null : cacheAges[values.cache_max_age as CacheAge],
    selection: selectionAsked(route, values),
    trim: values.trim === true,
    compact: values.format === 'compact',
    estimate: values.estimate === true,
    warnings: ignored.map((name) => `${name} has no effect: ${others[name]?.no_effect}.`),
    query: Object.fromEntries(Object.entries(query).filter(([name]) => !ignored.includes(name))),
  };
}

/** The parameters that were sent and have no effect. */
function ignoredOf(parameters: Record<string, Parameter>, query: Query): string[] {
  return Object.keys(parameters).filter((name) => parameters[name]?.no_effect && Object.hasOwn(query, name));
}

/** The same for the same route and parameters: what an Idempotency-Key may be used for again. */
export function fingerprintOf({ route, query }: DataRequest): string {
  return digestId(JSON.stringify([route.path, Object.entries(query).sort()]));
}

/** Parses each parameter on its own; unknown and repeated ones are problems that name what to send. */
export function readParameters(
  query: Query,
  parameters: Record<string, Parameter>,
): { values: Values; details: ErrorDetail[] } {
  const details: ErrorDetail[] = [];
  const values: Values = {};
  for (const name of Object.keys(query)) {
    if (Object.hasOwn(parameters, name)) continue;
    const near = nearest(name, Object.keys(parameters));
    details.push({
      parameter: name,
      message: `is not a parameter of this route${near ? `: did you mean ${near}?` : ''}`,
    });
  }
  for (const [name, parameter] of Object.entries(parameters)) {
    const given = Object.hasOwn(query, name) ? (query[name] as string[]) : [];
    if (given.length === 0) {
      values[name] = fallbackOf(parameter);
      continue;
    }
    if (parameter.repeated !== undefined) {
      values[name] = readList(name, given, parameter, details);
      continue;
    }
    if (given.length > 1) details.push({ parameter: name, message: 'must be sent once' });
    const parsed = parameter.schema.safeParse(given[0]);
    if (parsed.success) values[name] = parsed.data;
    else details.push(problemOf(name, parsed.error));
  }
  return { values, details };
}

/** The values of a parameter that may be sent several times; the first bad one is a problem. */
function readList(
  name: string,
  given: string[],
  { schema, repeated = 1 }: Parameter,
  details: ErrorDetail[],
): unknown[] {
  if (given.length > repeated) details.push({ parameter: name, message: `must be sent at most ${repeated} times` });
  const parsed = given.slice(0, repeated).map((text) => schema.safeParse(text));
  const wrong = parsed.find((result) => !result.success);
  if (wrong) details.push(problemOf(name, wrong.error));
  return parsed.map((result) => result.data);
}

/** The value of a parameter that was not sent, undefined when it has none. Most are not sent: parsing nothing is slower than asking. */
function fallbackOf({ schema }: Parameter): unknown {
  return schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined;
}

function problemOf(parameter: string, error: z.ZodError): ErrorDetail {
  const issue = error.issues[0];
  const message = issue?.message ?? 'is not valid';
  const restricted = issue?.code === 'custom' && issue.params?.code === 'SOURCE_RESTRICTED';
  if (restricted) throw new RequestError('SOURCE_RESTRICTED', { message });
  return { parameter, message };
}

/** Says where an address belongs that was sent as another identifier. */
function withAddressHint(problem: ErrorDetail, route: Route, query: Query): ErrorDetail {
  const { parameter } = problem;
  if (!Object.hasOwn(route.identifiers, parameter)) return problem;
  const message = addressHint(route, parameter, query[parameter]?.[0] ?? '');
  return message === null ? problem : { parameter, message };
}

function identifierProblems(route: Route, query: Query): ErrorDetail[] {
  const names = Object.keys(route.identifiers);
  const given = names.filter((name) => Object.hasOwn(query, name));
  if (given.length === 1) return [];
  const parameter = given[1] ?? (names[0] as string);
  return [{ parameter, message: names.length === 1 ? 'is required' : `send exactly one of ${names.join(', ')}` }];
}

function missingProblems(route: Route, query: Query): ErrorDetail[] {
  const missing = Object.keys(route.required ?? {}).filter((name) => !Object.hasOwn(query, name));
  return missing.map((parameter) => ({ parameter, message: 'is required' }));
}

/** `fields` is relative to `data`; the container may be written or left out. */
function recordPaths(route: SourcedRoute, paths: string[]): string[] {
  const prefix = `${route.container}.`;
  return paths.map((path) => (path.startsWith(prefix) ? path.slice(prefix.length) : path));
}

function selectionAsked(route: SourcedRoute, values: Values): Selection | null {
  if (values.fields === undefined) return null;
  const paths = recordPaths(route, values.fields as string[]);
  return paths.includes(route.container) ? null : selectionOf(paths);
}

function fieldsProblems(route: SourcedRoute, values: Values): ErrorDetail[] {
  if (values.fields === undefined) return [];
  const problems = recordPaths(route, values.fields as string[]).map((path) =>
    path === route.container || path.split('.')[0] === 'pagination' ? null : fieldProblem(route.collector.record, path),
  );
  return problems.filter((message) => message !== null).map((message) => ({ parameter: 'fields', message }));
}

function conflictProblems(query: Query): ErrorDetail[] {
  if (query.format?.[0] !== 'compact') return [];
  const conflicts = ['fields', 'trim'].filter((name) => Object.hasOwn(query, name));
  return conflicts.map((parameter) => ({ parameter, message: 'must not be combined with format=compact' }));
}

const ours: ReadonlySet<string> = new Set(['cache_max_age', 'fields', 'trim', 'estimate', 'limit', 'cursor', 'format']);

/** What the source is asked: the identifier's own value, and the filters (null where none was sent or it has no effect). */
function askedOf(route: SourcedRoute, others: Record<string, Parameter>, values: Values): Values {
  const asked: Values = {};
  for (const name of Object.keys(route.identifiers)) Object.assign(asked, values[name]);
  for (const [name, { no_effect }] of Object.entries(others)) {
    if (!ours.has(name)) asked[name] = no_effect ? null : (values[name] ?? null);
  }
  return asked;
}

/** Returns the parameters as the collector's own schema takes them. A list begins at `cursor`, and all rows of one page of the source are asked for. */
export function collectorParams(request: DataRequest, cursor: SourcePlace | null): unknown {
  const { collector, container } = request.route;
  const paging = container === 'items' ? { limit: wholePage, cursor } : {};
  const parsed = collector.params.safeParse({ ...request.asked, ...paging });
  if (!parsed.success)
    throw new RequestError('INTERNAL', { message: 'The parameters of this route do not fit its collector.' });
  return parsed.data;
}
