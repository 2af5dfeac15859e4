import type { components, paths } from './schema.ts';

type Schemas = components['schemas'];
type Compact = Schemas['CompactShortvideoProfile'];

type Get<P extends keyof paths> = paths[P]['get'];
type Content<P extends keyof paths> = Get<P>['responses'] extends { 200: { content: infer Types } } ? Types : never;
type Json<P extends keyof paths> = Content<P> extends { 'application/json': infer Body } ? Body : never;
/**
 * The answer with `format=full`. `fields` and `trim` may remove any of its fields, except the fields that identify the
 * record.
 */
type Narrowed<P extends keyof paths> = Exclude<Json<P>, Compact>;
type Parameters<P extends keyof paths> =
  Get<P> extends { parameters: { query?: infer Query } } ? NonNullable<Query> : never;

/** The paths of all routes that are implemented. Planned routes, which always answer 501, are left out. */
export type Path = { [P in keyof paths]: [Content<P>] extends [never] ? never : P }[keyof paths];
/** The paths of the routes without parameters. */
export type BarePath = { [P in Path]: [Parameters<P>] extends [never] ? P : never }[Path];
/** The paths of the routes with parameters. */
export type ParameterPath = Exclude<Path, BarePath>;
/** The paths of the routes that return a list in pages. */
export type ListPath = {
  [P in ParameterPath]: Narrowed<P> extends { data: { items: unknown[] } }
    ? 'cursor' extends keyof Parameters<P>
      ? P
      : never
    : never;
}[ParameterPath];
/** The paths of the routes that can estimate their cost. */
export type EstimatePath = { [P in ParameterPath]: 'estimate' extends keyof Parameters<P> ? P : never }[ParameterPath];
/** The paths of the routes that can answer as CSV. */
export type CsvPath = { [P in ParameterPath]: Content<P> extends { 'text/csv': string } ? P : never }[ParameterPath];

type Value<Name, T> = T extends readonly (infer Element)[]
  ? readonly Element[]
  : Name extends 'format'
    ? Exclude<T, 'csv'>
    : T;

/** The parameters of a route, except `estimate` and `format=csv`, for which the client has its own methods. */
export type Query<P extends ParameterPath> = {
  [Name in keyof Parameters<P> as Exclude<Name, 'estimate'>]: Value<Name, Parameters<P>[Name]>;
};
/** The parameters of a request for an estimate or for CSV, which have no `format`. */
export type PlainQuery<P extends ParameterPath> = Omit<Query<P>, 'format'>;
/** Causes a compile error for a parameter that the route does not have. */
export type Known<Q, Allowed> = { [Name in Exclude<keyof Q, keyof Allowed>]: never };

/**
 * The field of a record whose lists can be missing even in a full answer, because a missing list and an empty list have
 * different meanings there.
 */
type Sparse = 'region_restriction';
type Complete<T> = T extends readonly (infer Element)[]
  ? Complete<Element>[]
  : T extends object
    ? { [Name in keyof T]-?: Name extends Sparse ? T[Name] : Complete<T[Name]> }
    : T;
type Full<Body> = Body extends { data: infer Data } ? Omit<Body, 'data'> & { data: Complete<Data> } : Body;
type Selected<P extends Path, Q> = [keyof Q & ('fields' | 'trim')] extends [never] ? Full<Narrowed<P>> : Narrowed<P>;
type Format<Q> = 'format' extends keyof Q ? Q['format'] : 'full';

/** The answer of a route for these parameters. With `fields` or `trim`, every field of the record is optional. */
export type Body<P extends Path, Q> =
  Format<Q> extends 'compact' ? Compact : 'compact' extends Format<Q> ? Compact | Selected<P, Q> : Selected<P, Q>;
/** A row of a list. */
export type Item<P extends ListPath, Q> = Body<P, Q> extends { data: { items: (infer Row)[] } } ? Row : never;
/** The answer of a cost estimate. */
export type EstimateBody<P extends EstimatePath> =
  Content<P> extends { 'application/json-estimate+json': infer Body } ? Body : never;

/** The cost of an answer, and where the answer came from. */
export interface Metering {
  requestId: string;
  /** Null when the server does not know whether it charged a row of a spreadsheet route (error CHARGE_UNCONFIRMED). */
  creditsCharged: number | null;
  /** Credits that remain after the call; null when the route needs no key. */
  creditsRemaining: number | null;
  cached: boolean;
  /**
   * True when the server repeated its answer because the Idempotency-Key was used before. Nothing was charged again.
   */
  replayed: boolean;
  sandbox: boolean;
  /** Number of times that the request was sent. */
  attempts: number;
}

/** The JSON answer of the server, and its cost. */
export type Answer<Body> = Body & { metering: Metering };
