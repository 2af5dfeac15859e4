import createFetchClient from 'openapi-fetch';
import { type Ask, attempt, parsed, type Success, type TextPaths } from './attempt.ts';
import { type Page, pagesOf, rowsOf } from './pages.ts';
import { type Clock, type RetryLimits, retried, systemClock } from './retry.ts';
import type {
  Answer,
  AskedPath,
  BarePath,
  Body,
  CsvPath,
  EstimateBody,
  EstimatePath,
  Item,
  Known,
  ListPath,
  Metering,
  PlainQuery,
  Query,
} from './routes.ts';

export {
  type ApiErrorCode,
  type ConnectionErrorCode,
  type ErrorCode,
  type ErrorDetail,
  TidemarkError,
} from './errors.ts';
export type { Clock, RetryLimits } from './retry.ts';
export type { Answer, Body, Item, ListPath, Metering, Path, Query } from './routes.ts';
export type { components, operations, paths } from './schema.ts';

export interface ClientOptions {
  apiKey: string;
  /** Where the server runs, for example `https://tidemark.example`. */
  baseUrl: string;
  /** Instead of the `fetch` of the platform. */
  fetch?: (request: Request) => Promise<Response>;
  /** Defaults: 4 attempts, 90 seconds for the call, 60 for an attempt. */
  retry?: Partial<RetryLimits>;
  clock?: Clock;
}

export interface CallOptions {
  /** Ends the call at once, its waits too; it then throws the signal's reason. */
  signal?: AbortSignal;
  /** Up to 128 printable characters; the server gives the same answer again for 24 hours, for 0 credits. Made anew for each call without one. */
  idempotencyKey?: string;
}

export interface PagesOptions {
  signal?: AbortSignal;
}

export interface ItemsOptions extends PagesOptions {
  /** How many rows at most; pages beyond it are not asked for. */
  max?: number;
}

/** A CSV and what it cost. */
export interface Csv {
  text: string;
  metering: Metering;
}

export interface TidemarkClient {
  /** Asks a route. Throws a TidemarkError. */
  get<P extends BarePath>(
    path: P,
    query?: Record<string, never>,
    options?: CallOptions,
  ): Promise<Answer<Body<P, unknown>>>;
  get<P extends AskedPath, const Q extends Query<P>>(
    path: P,
    query: Q & Known<Q, Query<P>>,
    options?: CallOptions,
  ): Promise<Answer<Body<P, Q>>>;
  /** What `get` would cost now: no source is asked, 0 credits. */
  estimate<P extends EstimatePath, const Q extends PlainQuery<P>>(
    path: P,
    query: Q & Known<Q, PlainQuery<P>>,
    options?: CallOptions,
  ): Promise<Answer<EstimateBody<P>>>;
  /** The same rows as CSV. */
  csv<P extends CsvPath, const Q extends PlainQuery<P>>(
    path: P,
    query: Q & Known<Q, PlainQuery<P>>,
    options?: CallOptions,
  ): Promise<Csv>;
  /** The pages of a list from `query.cursor` or the first on, each asked for when it is wanted. An expired cursor throws CURSOR_EXPIRED and never starts again. */
  pages<P extends ListPath, const Q extends Query<P>>(
    path: P,
    query: Q & Known<Q, Query<P>>,
    options?: PagesOptions,
  ): AsyncGenerator<Answer<Body<P, Q>>, void, undefined>;
  /** The rows of these pages. */
  items<P extends ListPath, const Q extends Query<P>>(
    path: P,
    query: Q & Known<Q, Query<P>>,
    options?: ItemsOptions,
  ): AsyncGenerator<Item<P, Q>, void, undefined>;
}

type Path = `/${string}`;
type Parameters = Record<string, unknown>;

const defaultLimits: RetryLimits = { attempts: 4, totalMs: 90_000, attemptMs: 60_000 };

/** A client of one server with one key. Throws a TypeError when one of them cannot be right. */
export function createClient(options: ClientOptions): TidemarkClient {
  const { clock = systemClock } = options;
  const limits = { ...defaultLimits, ...options.retry };
  const http = createFetchClient<TextPaths>({
    baseUrl: checkedAddress(options.baseUrl),
    headers: { 'x-api-key': checkedKey(options.apiKey) },
    ...(options.fetch && { fetch: options.fetch }),
  });

  function send(path: Path, query: Parameters, accept: Ask['accept'], options: CallOptions): Promise<Success> {
    const { signal, idempotencyKey = newKey() } = options;
    const ask: Ask = { path, query, accept, idempotencyKey, signal };
    const once = (attempts: number, limitMs: number) => attempt(http, ask, { attempts, limitMs, now: clock.now() });
    return retried(once, { limits, clock, signal });
  }

  async function get<T>(path: Path, query: Parameters = {}, options: CallOptions = {}): Promise<T> {
    const answer = await send(path, query, 'application/json', options);
    return { ...parsed<T>(answer), metering: answer.metering };
  }

  const pages = (path: Path, query: Parameters, options: PagesOptions = {}) =>
    pagesOf(query, (asked) => get<Page>(path, asked, options));

  return {
    get: get as TidemarkClient['get'],
    estimate: (path, query, options) => get(path, { ...query, estimate: true }, options),
    csv: (path, query, options = {}) => send(path, { ...query, format: 'csv' }, 'text/csv', options),
    pages: pages as TidemarkClient['pages'],
    items: (path, query, { max = Number.POSITIVE_INFINITY, ...options } = {}) =>
      rowsOf(pages(path, query, options), max),
  };
}

/** Random enough that no two calls share one; made without crypto.randomUUID, which pages without TLS do not have. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function checkedKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new TypeError('apiKey must be a key of the server, as it was shown once.');
}

function checkedAddress(address: string): string {
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address;
  throw new TypeError('baseUrl must be the http(s) address of the server, for example https://tidemark.example.');
}
