import type { KeptAnswer } from '../../db/requests/responses.ts';
import { type LinkResolver, resolveAll } from '../../pipeline/collect/share-links.ts';
import { errorTable } from '../../pipeline/errors.ts';
import type { Platform } from '../../pipeline/rows/profile-address.ts';
import { type Cell, refusedRow } from '../../pipeline/rows/profile-row.ts';
import type { CursorSeal } from '../data/cursor.ts';
import { cacheKeyOf, type Meter, type Metered, type MeteredRequest } from '../data/meter.ts';
import type { DataRequest, Query } from '../data/request.ts';
import { asRequestError, type RequestError } from '../http/errors.ts';
import type { RequestLog } from '../http/responses.ts';

/** What workflows need of the service. */
export interface WorkflowDeps {
  meter: Meter;
  cursors: CursorSeal;
  cached(cacheKey: string, maxAgeSeconds: number): Promise<KeptAnswer | null>;
  /** Follows share links; development keys never ask the network. */
  links: LinkResolver;
  log(entry: RequestLog): void;
}

/** An address as it was sent, with what the whole request says of it. */
export interface AskedAddress {
  /** A URL, or with `platform` a handle or an id. */
  url: string;
  platform: Platform | null;
  /** One of the values of cache_max_age; null asks for fresh data. */
  cache_max_age: string | null;
}

/** Who asks, and until when. */
export type Asking = Pick<MeteredRequest, 'admission' | 'request_id' | 'idempotency_key'> & { signal: AbortSignal };

/** A table whose rows are one answer of a data route each. */
export interface RowKind<R extends Row> {
  path: string;
  blank(url: string, platform: Platform | null): R;
  /** The platform that an address belongs to; throws INVALID_INPUT. */
  platformOf(asked: AskedAddress): Platform;
  /** What the data route of the platform is asked; throws as that route does. */
  requestOf(asked: AskedAddress, platform: Platform, cursors: CursorSeal): DataRequest;
  answered(blank: R, metered: Metered): R;
}

export type Row = Record<string, Cell>;

export interface AnsweredRow<R extends Row> {
  row: R;
  /** The balance after this row, null when it never came to that. */
  credits_remaining: number | null;
}

type ReadRow<R extends Row> = { blank: R; request: DataRequest } | { blank: R; request: null; refusal: RequestError };

/** A source is asked for so many rows at once. */
const rowsAtOnce = 10;

/** One row for each address, in order. What names the same is asked and charged once; a bad row never fails the others. */
export async function answerRows<R extends Row>(
  addresses: readonly AskedAddress[],
  kind: RowKind<R>,
  asking: Asking,
  deps: WorkflowDeps,
): Promise<AnsweredRow<R>[]> {
  const read = await readRows(addresses, kind, asking.admission.kind === 'test', deps);
  const first = firsts(read);
  const answers = new Map<number, AnsweredRow<R>>();
  const waiting = new Set(first).values();
  const worker = async () => {
    for (const index of waiting) answers.set(index, await answer(read[index] as ReadRow<R>, index, kind, asking, deps));
  };
  await Promise.all(Array.from({ length: rowsAtOnce }, worker));
  return first.map((index, place) => {
    const known = answers.get(index) as AnsweredRow<R>;
    if (index === place) return known;
    const { url } = (read[place] as ReadRow<R>).blank;
    const cached = known.row.status === 'OK';
    return { ...known, row: { ...known.row, url, cached, credits_charged: 0 } };
  });
}

async function readRows<R extends Row>(
  addresses: readonly AskedAddress[],
  kind: RowKind<R>,
  sandbox: boolean,
  { links, cursors }: WorkflowDeps,
): Promise<ReadRow<R>[]> {
  const sent = addresses.map(({ url }) => url);
  const urls = sandbox ? sent : await resolveAll(sent, links);
  return addresses.map((asked, index) => readRow({ ...asked, url: urls[index] as string }, asked.url, kind, cursors));
}

/** The row shows the address as it was sent; `asked` has the one that a share link leads to. */
function readRow<R extends Row>(asked: AskedAddress, sent: string, kind: RowKind<R>, cursors: CursorSeal): ReadRow<R> {
  let blank = kind.blank(sent, null);
  try {
    const platform = kind.platformOf(asked);
    blank = kind.blank(sent, platform);
    return { blank, request: kind.requestOf(asked, platform, cursors) };
  } catch (thrown) {
    const refusal = asRequestError(thrown);
    if (refusal.code === 'INTERNAL') throw thrown;
    return { blank, request: null, refusal };
  }
}

/** For each row the index of the first that asks the same. */
function firsts<R extends Row>(rows: readonly ReadRow<R>[]): number[] {
  const seen = new Map<string, number>();
  return rows.map(({ request }, index) => {
    if (request === null) return index;
    const key = cacheKeyOf(request);
    seen.set(key, seen.get(key) ?? index);
    return seen.get(key) as number;
  });
}

async function answer<R extends Row>(
  read: ReadRow<R>,
  index: number,
  kind: RowKind<R>,
  asking: Asking,
  deps: WorkflowDeps,
): Promise<AnsweredRow<R>> {
  const { blank, request } = read;
  if (request === null) return { row: refusedRow(blank, read.refusal), credits_remaining: null };
  try {
    const metered = await deps.meter({ ...asking, idempotency_key: keyOfPart(asking, String(index)), request });
    return { row: kind.answered(blank, metered), credits_remaining: metered.credits_remaining };
  } catch (thrown) {
    return { row: refusedRow(blank, tellable(thrown, kind.path, asking, deps)), credits_remaining: null };
  }
}

/** The Idempotency-Key of one part of a request that has several. */
export function keyOfPart({ idempotency_key }: Asking, part: string): string | null {
  return idempotency_key === null ? null : `${idempotency_key}#${part}`;
}

/** Why a part was not answered. What is ours to mend goes to the log, too: other parts may be paid by then, so it cannot fail them. */
export function tellable(thrown: unknown, route: string, asking: Asking, deps: WorkflowDeps): RequestError {
  const error = asRequestError(thrown);
  const { status } = errorTable[error.code];
  if (status === 500) {
    const { request_id, admission } = asking;
    const { workspace_id } = admission;
    const entry = { request_id, workspace_id, method: 'GET', route, status, duration_ms: 0, credits_charged: 0 };
    deps.log({ ...entry, code: error.code, error: thrown });
  }
  return error;
}

export interface Estimate {
  /** Rows of the answer, at most. */
  rows: number;
  /** Rows that are kept, and free. */
  cached_rows: number;
  /** Credits, at most. */
  cost: number;
  /** Rows whose address cannot be read; they are free. */
  unreadable_rows: number;
}

/** What {@link answerRows} would cost now: no source is asked. */
export async function estimateRows<R extends Row>(
  addresses: readonly AskedAddress[],
  kind: RowKind<R>,
  sandbox: boolean,
  deps: WorkflowDeps,
): Promise<Estimate> {
  const read = await readRows(addresses, kind, sandbox, deps);
  const first = firsts(read);
  const kept = await Promise.all(
    read.map(async ({ request }, place) => {
      if (request === null || sandbox) return false;
      return first[place] !== place || (await keptAnswer(request, deps)) !== null;
    }),
  );
  const paid = read.filter(({ request }, place) => request !== null && !sandbox && !kept[place]);
  return {
    rows: read.length,
    cached_rows: kept.filter(Boolean).length,
    cost: paid.reduce((sum, { request }) => sum + (request?.route.cost ?? 0), 0),
    unreadable_rows: read.filter(({ request }) => request === null).length,
  };
}

/** The answer that a request would get for nothing. */
export async function keptAnswer(request: DataRequest, deps: WorkflowDeps): Promise<KeptAnswer | null> {
  const { max_age_seconds } = request;
  return max_age_seconds === null ? null : deps.cached(cacheKeyOf(request), max_age_seconds);
}

/** The query of a data route with the age that the workflow's caller accepts. */
export function agedQuery(query: Query, { cache_max_age }: Pick<AskedAddress, 'cache_max_age'>): Query {
  return cache_max_age === null ? query : { ...query, cache_max_age: [cache_max_age] };
}
