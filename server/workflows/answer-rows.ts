import type { StoredAnswer } from '../../db/requests/responses.ts';
import { type LinkResolver, resolveAll, sandboxLinks } from '../../pipeline/collect/short-links.ts';
import { errorTable, messageForRow } from '../../pipeline/errors.ts';
import type { Platform } from '../../pipeline/rows/profile-address.ts';
import { type Cell, refusedRow } from '../../pipeline/rows/profile-row.ts';
import { repeatedRow, requestsToSend } from '../../pipeline/rows/repeated-rows.ts';
import type { CursorSeal } from '../data/cursor.ts';
import { cacheKeyOf, type Meter, type Metered, type MeteredRequest } from '../data/meter.ts';
import type { DataRequest } from '../data/request.ts';
import { asRequestError, creditsCharged, type RequestError } from '../http/errors.ts';
import type { WriteLog } from '../http/handle-request.ts';
import type { Query } from '../http/query.ts';

export interface WorkflowDeps {
  meter: Meter;
  now: () => Date;
  cursors: CursorSeal;
  cached(cacheKey: string, maxAgeSeconds: number): Promise<StoredAnswer | null>;
  /**
   * Replaces short links with the URLs that they lead to. Development keys use `sandboxLinks` instead, because their
   * requests never use the network.
   */
  links: LinkResolver;
  log: WriteLog;
}

/** One `url` of a request, with the parameters that the request sets for all URLs. */
export interface RequestedAddress {
  /** A URL, or also a handle or an id when `platform` is set. */
  url: string;
  platform: Platform | null;
  /** A value of the parameter cache_max_age, such as `1d`. Null requests fresh data. */
  cache_max_age: string | null;
}

/** The client of a request to a spreadsheet route. `signal` aborts at the deadline, or when the client disconnects. */
export type WorkflowCaller = Pick<MeteredRequest, 'admission' | 'request_id' | 'idempotency_key'> & {
  signal: AbortSignal;
};

/** Describes a table in which each row is the answer of one data route. */
export interface WorkflowRowKind<R extends WorkflowRow> {
  path: string;
  blank(url: string, platform: Platform | null): R;
  /** Returns the platform of a URL. Throws INVALID_INPUT. */
  platformOf(input: RequestedAddress): Platform;
  /** Returns the request to the data route of a platform. Throws the same errors as that route. */
  requestOf(input: RequestedAddress, platform: Platform, cursors: CursorSeal): DataRequest;
  /** Returns the row for an answer. `blank` is the row without any values of the answer. */
  toRow(blank: R, metered: Metered): R;
}

export type WorkflowRow = Record<string, Cell>;

export interface AnsweredRow<R extends WorkflowRow> {
  row: R;
  /** Credits of the workspace after this row. Null when the row failed, because the balance is then not known. */
  credits_remaining: number | null;
}

type ReadRow<R extends WorkflowRow> =
  | { blank: R; request: DataRequest }
  | { blank: R; request: null; refusal: RequestError };

const maxConcurrentRows = 10;

/**
 * Returns one row for each `url`, in the same order. Identical requests are fetched and charged once. The failure of
 * one row does not affect the other rows.
 */
export async function answerRows<R extends WorkflowRow>(
  addresses: readonly RequestedAddress[],
  kind: WorkflowRowKind<R>,
  caller: WorkflowCaller,
  deps: WorkflowDeps,
): Promise<AnsweredRow<R>[]> {
  const read = withBestRequests(await readRows(addresses, kind, caller.admission.kind === 'test', deps));
  const first = firstIndexes(read);
  const answers = new Map<number, AnsweredRow<R>>();
  const waiting = new Set(first).values();
  const worker = async () => {
    for (const index of waiting) answers.set(index, await answer(read[index] as ReadRow<R>, index, kind, caller, deps));
  };
  await Promise.all(Array.from({ length: maxConcurrentRows }, worker));
  return first.map((index, position) => {
    const answered = answers.get(index) as AnsweredRow<R>;
    if (index === position) return answered;
    const { url = null } = (read[position] as ReadRow<R>).blank as WorkflowRow;
    return { ...answered, row: repeatedRow(answered.row, url) };
  });
}

async function readRows<R extends WorkflowRow>(
  addresses: readonly RequestedAddress[],
  kind: WorkflowRowKind<R>,
  sandbox: boolean,
  { links, cursors }: WorkflowDeps,
): Promise<ReadRow<R>[]> {
  const sent = addresses.map(({ url }) => url);
  const { texts, failures } = await resolveAll(sent, sandbox ? sandboxLinks : links);
  return addresses.map((input, index) => {
    const url = texts[index] as string;
    const failure = failures.get(url);
    if (failure) return { blank: kind.blank(url, null), request: null, refusal: asRequestError(failure) };
    return readRow({ ...input, url }, input.url, kind, cursors);
  });
}

/**
 * Returns the data request for one `url`, or the error that refuses it. For a short link, `input` has the URL that the
 * link leads to, and `sent` is the link itself, which the row shows.
 */
function readRow<R extends WorkflowRow>(
  input: RequestedAddress,
  sent: string,
  kind: WorkflowRowKind<R>,
  cursors: CursorSeal,
): ReadRow<R> {
  let blank = kind.blank(sent, null);
  try {
    const platform = kind.platformOf(input);
    blank = kind.blank(sent, platform);
    return { blank, request: kind.requestOf(input, platform, cursors) };
  } catch (thrown) {
    const refusal = asRequestError(thrown);
    if (refusal.code === 'INTERNAL') throw thrown;
    return { blank, request: null, refusal };
  }
}

/**
 * Gives all requests for the same answer the same parameters, including the author of a post when one of the requests
 * names the author. Each row keeps its own query, because a repeated request with the same Idempotency-Key must have
 * the same query.
 */
function withBestRequests<R extends WorkflowRow>(rows: readonly ReadRow<R>[]): ReadRow<R>[] {
  const sent = requestsToSend(
    rows.flatMap(({ request }) => (request ? { key: cacheKeyOf(request), params: request.params } : [])),
  );
  return rows.map((row) => {
    const { params } = (row.request && sent.get(cacheKeyOf(row.request))) ?? {};
    return row.request && params ? { ...row, request: { ...row.request, params } } : row;
  });
}

/**
 * Returns for each row the index of the first row with the identical request. For a row whose `url` was refused,
 * returns the index of the row itself.
 */
function firstIndexes<R extends WorkflowRow>(rows: readonly ReadRow<R>[]): number[] {
  const seen = new Map<string, number>();
  return rows.map(({ request }, index) => {
    if (request === null) return index;
    const key = cacheKeyOf(request);
    seen.set(key, seen.get(key) ?? index);
    return seen.get(key) as number;
  });
}

async function answer<R extends WorkflowRow>(
  read: ReadRow<R>,
  index: number,
  kind: WorkflowRowKind<R>,
  caller: WorkflowCaller,
  deps: WorkflowDeps,
): Promise<AnsweredRow<R>> {
  const { blank, request } = read;
  if (request === null) {
    const { code } = read.refusal;
    return { row: refusedRow(blank, { code, message: rowMessage(read.refusal) }), credits_remaining: null };
  }
  try {
    const metered = await deps.meter({
      ...caller,
      idempotency_key: partIdempotencyKey(caller, String(index)),
      request,
    });
    return { row: kind.toRow(blank, metered), credits_remaining: metered.metering.credits_remaining };
  } catch (thrown) {
    const error = toRowError(thrown, kind.path, caller, deps);
    return { row: errorRow(blank, error, caller.request_id), credits_remaining: null };
  }
}

/**
 * Returns the row of an error. The cost in the row is null when the server does not know whether the request was
 * charged.
 */
function errorRow<R extends WorkflowRow>(blank: R, error: RequestError, requestId: string): R {
  const message = messageForRow(rowMessage(error), requestId);
  return { ...refusedRow(blank, { code: error.code, message }), credits_charged: creditsCharged(error) };
}

/**
 * Returns the message of an error for a row of a table. Leaves out the names of query parameters, because the reader of
 * a table sees a URL or handle and no parameter.
 */
export function rowMessage({ message, details }: RequestError): string {
  return details.length === 0 ? message : details.map((detail) => asSentence(detail.message)).join(' ');
}

function asSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/** Returns the Idempotency-Key for one part of a request, derived from the key of the whole request. */
export function partIdempotencyKey({ idempotency_key }: WorkflowCaller, part: string): string | null {
  return idempotency_key === null ? null : `${idempotency_key}#${part}`;
}

/**
 * Converts a thrown value into the error of one row. Logs internal errors here, because the request as a whole
 * succeeds: other rows may already be charged. Rethrows an error that concerns the whole request.
 */
export function toRowError(thrown: unknown, route: string, caller: WorkflowCaller, deps: WorkflowDeps): RequestError {
  const error = asRequestError(thrown);
  // A request over the rate limit is refused as a whole, with the seconds to wait in its headers. With a development
  // key, RATE_LIMITED is only simulated for one item and reported in the row of that item.
  if (error.code === 'RATE_LIMITED' && caller.admission.kind !== 'test') throw error;
  const { status } = errorTable[error.code];
  if (status === 500) {
    const { request_id, admission } = caller;
    const { workspace_id } = admission;
    const entry = { request_id, workspace_id, method: 'GET', route, status, duration_ms: 0, credits_charged: 0 };
    deps.log({ ...entry, code: error.code, error: thrown });
  }
  return error;
}

export interface RowsEstimate {
  /** Maximum number of rows in the answer. */
  rows: number;
  /** Number of rows that are cached and therefore free. */
  cached_rows: number;
  /** Maximum number of credits that the request can cost. */
  cost: number;
  /** Number of rows whose `url` is not valid. Such rows are free. */
  unreadable_rows: number;
}

/**
 * Returns what {@link answerRows} would cost now, without a request to a source. Throws the error of a short link that
 * cannot be followed now, because the cost of its row is not known.
 */
export async function estimateRows<R extends WorkflowRow>(
  addresses: readonly RequestedAddress[],
  kind: WorkflowRowKind<R>,
  sandbox: boolean,
  deps: WorkflowDeps,
): Promise<RowsEstimate> {
  const read = await readRows(addresses, kind, sandbox, deps);
  for (const row of read) if (row.request === null && row.refusal.retryable) throw row.refusal;
  const first = firstIndexes(read);
  const isCached = await Promise.all(
    read.map(async ({ request }, index) => {
      if (request === null || sandbox) return false;
      return first[index] !== index || (await cachedAnswer(request, deps)) !== null;
    }),
  );
  const paid = read.filter(({ request }, index) => request !== null && !sandbox && !isCached[index]);
  return {
    rows: read.length,
    cached_rows: isCached.filter(Boolean).length,
    cost: paid.reduce((sum, { request }) => sum + (request?.route.cost ?? 0), 0),
    unreadable_rows: read.filter(({ request }) => request === null).length,
  };
}

/** Returns the cached answer to a request. Returns null when it is not cached or fresh data was requested. */
export async function cachedAnswer(request: DataRequest, deps: WorkflowDeps): Promise<StoredAnswer | null> {
  const { max_age_seconds } = request;
  return max_age_seconds === null ? null : deps.cached(cacheKeyOf(request), max_age_seconds);
}

/** Adds the maximum age of a cached answer to the query of a data route. */
export function withMaxAge(query: Query, { cache_max_age }: Pick<RequestedAddress, 'cache_max_age'>): Query {
  return cache_max_age === null ? query : { ...query, cache_max_age: [cache_max_age] };
}
