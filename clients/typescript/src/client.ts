import createFetchClient from 'openapi-fetch';
import { type ApiRequest, attempt, parseAnswer, type Success, type TextPaths } from './attempt.ts';
import { type Page, pagesOf, rowsOf } from './pages.ts';
import { type Clock, type RetryLimits, systemClock, withRetries } from './retry.ts';
import type {
  Answer,
  BarePath,
  Body,
  CsvPath,
  EstimateBody,
  EstimatePath,
  Item,
  Known,
  ListPath,
  Metering,
  ParameterPath,
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
  /** The address of the server, for example `https://tidemark.example`. */
  baseUrl: string;
  /** A function to use instead of the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
  /**
   * Limits of the attempts. Defaults: 4 attempts, 90 seconds for a call with all its attempts, 60 seconds for one
   * attempt.
   */
  retry?: Partial<RetryLimits>;
  clock?: Clock;
}

export interface CallOptions {
  /** Aborts the call, even while it waits for a retry. The call then throws the reason of the signal. */
  signal?: AbortSignal;
  /**
   * Up to 128 printable characters without spaces. Within 24 hours, a second call with the same key gets the same
   * answer for 0 credits. Default: a random key for each call.
   */
  idempotencyKey?: string;
}

export interface PagesOptions {
  signal?: AbortSignal;
}

export interface ItemsOptions extends PagesOptions {
  /** The maximum number of rows. When it is reached, no further page is requested. */
  max?: number;
}

/** The rows as CSV text, and the cost of the answer. */
export interface Csv {
  text: string;
  metering: Metering;
}

export interface TidemarkClient {
  /** Requests a route and returns its answer. Throws a TidemarkError. */
  get<P extends BarePath>(
    path: P,
    query?: Record<string, never>,
    options?: CallOptions,
  ): Promise<Answer<Body<P, unknown>>>;
  get<P extends ParameterPath, const Q extends Query<P>>(
    path: P,
    query: Q & Known<Q, Query<P>>,
    options?: CallOptions,
  ): Promise<Answer<Body<P, Q>>>;
  /** Returns the number of credits that `get` would cost now. An estimate costs nothing. Throws a TidemarkError. */
  estimate<P extends EstimatePath, const Q extends PlainQuery<P>>(
    path: P,
    query: Q & Known<Q, PlainQuery<P>>,
    options?: CallOptions,
  ): Promise<Answer<EstimateBody<P>>>;
  /** Returns the rows of a spreadsheet route as CSV text, with the cost. Throws a TidemarkError. */
  csv<P extends CsvPath, const Q extends PlainQuery<P>>(
    path: P,
    query: Q & Known<Q, PlainQuery<P>>,
    options?: CallOptions,
  ): Promise<Csv>;
  /**
   * Returns the pages of a list one after the other, from `query.cursor` or the first page. A page is requested only
   * when you read it. Throws CURSOR_EXPIRED for an expired cursor, and never starts again from the first page.
   */
  pages<P extends ListPath, const Q extends Query<P>>(
    path: P,
    query: Q & Known<Q, Query<P>>,
    options?: PagesOptions,
  ): AsyncGenerator<Answer<Body<P, Q>>, void, undefined>;
  /** Returns the rows of a list one after the other. A page is requested only when you read its first row. */
  items<P extends ListPath, const Q extends Query<P>>(
    path: P,
    query: Q & Known<Q, Query<P>>,
    options?: ItemsOptions,
  ): AsyncGenerator<Item<P, Q>, void, undefined>;
}

type Path = `/${string}`;
type Parameters = Record<string, unknown>;

const defaultLimits: RetryLimits = { attempts: 4, totalMs: 90_000, attemptMs: 60_000 };

/**
 * Creates a client for one server and one key. Throws a TypeError when the URL of the server or the key is malformed.
 */
export function createClient(options: ClientOptions): TidemarkClient {
  const { clock = systemClock } = options;
  const limits = { ...defaultLimits, ...options.retry };
  const http = createFetchClient<TextPaths>({
    baseUrl: checkAddress(options.baseUrl),
    headers: { 'x-api-key': checkKey(options.apiKey) },
    ...(options.fetch && { fetch: options.fetch }),
  });

  function send(path: Path, query: Parameters, accept: ApiRequest['accept'], options: CallOptions): Promise<Success> {
    const { signal, idempotencyKey = newKey() } = options;
    const request: ApiRequest = { path, query, accept, idempotencyKey, signal };
    const once = (attempts: number, limitMs: number) => attempt(http, request, { attempts, limitMs, now: clock.now() });
    return withRetries(once, { limits, clock, signal });
  }

  async function get<T>(path: Path, query: Parameters = {}, options: CallOptions = {}): Promise<T> {
    const answer = await send(path, query, 'application/json', options);
    return { ...parseAnswer<T>(answer), metering: answer.metering };
  }

  const pages = (path: Path, query: Parameters, options: PagesOptions = {}) =>
    pagesOf(query, (pageQuery) => get<Page>(path, pageQuery, options));

  return {
    get: get as TidemarkClient['get'],
    estimate: (path, query, options) => get(path, { ...query, estimate: true }, options),
    csv: (path, query, options = {}) => send(path, { ...query, format: 'csv' }, 'text/csv', options),
    pages: pages as TidemarkClient['pages'],
    items: (path, query, { max = Number.POSITIVE_INFINITY, ...options } = {}) =>
      rowsOf(pages(path, query, options), max),
  };
}

/** Returns a random key. `crypto.randomUUID` is not used, because it does not exist on pages without TLS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function checkKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new TypeError('apiKey must be an API key, without spaces or line breaks: copy it from the dashboard.');
}

function checkAddress(address: string): string {
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address;
  throw new TypeError('baseUrl must be the http(s) address of the server, for example https://tidemark.example.');
}
