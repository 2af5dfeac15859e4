import type { components, paths } from './schema.ts';

type Schemas = components['schemas'];
type Compact = Schemas['CompactShortvideoProfile'];

type Get<P extends keyof paths> = paths[P]['get'];
type Answered<P extends keyof paths> = Get<P>['responses'] extends { 200: { content: infer Content } }
  ? Content
  : never;
type Json<P extends keyof paths> = Answered<P> extends { 'application/json': infer Body } ? Body : never;
/** The answer in the form that `format=full` has, in which `fields` and `trim` may leave out any field but the identity. */
type Narrowed<P extends keyof paths> = Exclude<Json<P>, Compact>;
type Sent<P extends keyof paths> =
  Get<P> extends { parameters: { query?: infer Parameters } } ? NonNullable<Parameters> : never;

/** The routes that answer; planned ones (always 501) are left out until they do. */
export type Path = { [P in keyof paths]: [Answered<P>] extends [never] ? never : P }[keyof paths];
/** The routes that take no parameter. */
export type BarePath = { [P in Path]: [Sent<P>] extends [never] ? P : never }[Path];
/** The routes that take parameters. */
export type AskedPath = Exclude<Path, BarePath>;
/** The lists that are paged by cursor. */
export type ListPath = {
  [P in AskedPath]: Narrowed<P> extends { data: { items: unknown[] } }
    ? 'cursor' extends keyof Sent<P>
      ? P
      : never
    : never;
}[AskedPath];
/** The routes that say beforehand what a request costs. */
export type EstimatePath = { [P in AskedPath]: 'estimate' extends keyof Sent<P> ? P : never }[AskedPath];
/** The routes that also answer as CSV. */
export type CsvPath = { [P in AskedPath]: Answered<P> extends { 'text/csv': string } ? P : never }[AskedPath];

type Value<Name, T> = T extends readonly (infer Element)[]
  ? readonly Element[]
  : Name extends 'format'
    ? Exclude<T, 'csv'>
    : T;

/** The parameters of a route. `estimate` and `format=csv` are calls of their own. */
export type Query<P extends AskedPath> = {
  [Name in keyof Sent<P> as Exclude<Name, 'estimate'>]: Value<Name, Sent<P>[Name]>;
};
/** The parameters that an estimate or a CSV takes. */
export type PlainQuery<P extends AskedPath> = Omit<Query<P>, 'format'>;
/** Makes a parameter that the route does not have an error of the compiler. */
export type Known<Q, Parameters> = { [Name in Exclude<keyof Q, keyof Parameters>]: never };

/** The one object of a record in which a list that is missing says something else than an empty one. */
type Sparse = 'region_restriction';
type Complete<T> = T extends readonly (infer Element)[]
  ? Complete<Element>[]
  : T extends object
    ? { [Name in keyof T]-?: Name extends Sparse ? T[Name] : Complete<T[Name]> }
    : T;
type Full<Body> = Body extends { data: infer Data } ? Omit<Body, 'data'> & { data: Complete<Data> } : Body;
type Asked<P extends Path, Q> = [keyof Q & ('fields' | 'trim')] extends [never] ? Full<Narrowed<P>> : Narrowed<P>;
type Format<Q> = 'format' extends keyof Q ? Q['format'] : 'full';

/** What a route answers to these parameters: with `fields` or `trim` every field of the record may be missing. */
export type Body<P extends Path, Q> =
  Format<Q> extends 'compact' ? Compact : 'compact' extends Format<Q> ? Compact | Asked<P, Q> : Asked<P, Q>;
/** A row of a list. */
export type Item<P extends ListPath, Q> = Body<P, Q> extends { data: { items: (infer Row)[] } } ? Row : never;
/** What an estimate of a route says. */
export type EstimateBody<P extends EstimatePath> =
  Answered<P> extends { 'application/json-estimate+json': infer Body } ? Body : never;

/** What an answer cost, and whether anything was asked anew. */
export interface Metering {
  requestId: string;
  creditsCharged: number;
  /** Null where the route needs no key. */
  creditsRemaining: number | null;
  cached: boolean;
  /** The server had answered this Idempotency-Key before: nothing was charged again. */
  replayed: boolean;
  sandbox: boolean;
  /** How often the request was sent. */
  attempts: number;
}

/** An answer as the server wrote it, with its metering beside it. */
export type Answer<Body> = Body & { metering: Metering };
