import { newId } from '../../db/ids.ts';
import type { Collected } from '../../pipeline/collect/collect.ts';
import { qualityOfRows } from '../../pipeline/collect/quality.ts';
import { type CollectedAnswer, collectedAnswer } from '../../pipeline/collect/stored-answer.ts';
import { invalidInput, RequestError } from '../http/errors.ts';
import type { Cursor, CursorSeal, ListCursor, PageCursor } from './cursor.ts';
import { dataOf } from './envelope.ts';
import { collectorParams, type DataRequest } from './request.ts';
import type { SourcedRoute } from './route.ts';

export interface LiveDeps {
  now: () => Date;
  cursors: CursorSeal;
  collect(route: SourcedRoute, params: unknown, signal: AbortSignal | null): Promise<Collected<unknown>>;
  storePage(pageId: string, page: string): Promise<void>;
  readPage(pageId: string): Promise<string | null>;
}

/** A page of a list that a source returned, without its first `skipped` rows, which were in earlier answers. */
interface StoredPage extends Omit<Collected<unknown>, 'record'> {
  rows: unknown[];
  /** The cursor that fetches this page from the source. Null for the first page. */
  from: ListCursor | null;
  /** Number of rows of the source's page that come before `rows`. */
  skipped: number;
}

/** The workspace that will be charged for an answer, and the signal that cancels the request to the source. */
interface Payer {
  workspace_id: string;
  signal: AbortSignal | null;
}

/**
 * Returns the next rows of a stored page without a charge when the workspace already paid for this page. Returns null
 * when the workspace did not pay, or when the page is no longer stored. `paid_by` in the cursor proves the payment,
 * because cursors are encrypted and clients cannot change them.
 */
export async function prepaidAnswer(
  request: DataRequest,
  workspaceId: string,
  deps: LiveDeps,
): Promise<CollectedAnswer | null> {
  const { cursor } = request;
  if (!cursor || !('page_id' in cursor) || cursor.paid_by !== workspaceId) return null;
  const page = await deps.readPage(cursor.page_id);
  return page === null ? null : pageAnswer(request, JSON.parse(page) as StoredPage, cursor, workspaceId, deps);
}

/**
 * Returns an answer that the workspace must still pay for. The answer is fetched from the sources, or its rows are
 * taken from a page of results that was fetched for an earlier request and stored for ten minutes.
 */
export async function freshAnswer(request: DataRequest, payer: Payer, deps: LiveDeps): Promise<CollectedAnswer> {
  const { cursor, route } = request;
  if (route.container !== 'items') {
    const { record, ...meta } = await deps.collect(route, collectorParams(request, null), payer.signal);
    return collectedAnswer(dataOf(request, { record, next_cursor: null, limit: 1 }), meta);
  }
  if (cursor && 'page_id' in cursor) {
    const page = await deps.readPage(cursor.page_id);
    if (page !== null) return pageAnswer(request, JSON.parse(page) as StoredPage, cursor, payer.workspace_id, deps);
    if (cursor.again === null) throw new RequestError('CURSOR_EXPIRED');
    return freshAnswer({ ...request, cursor: cursor.again }, payer, deps);
  }
  const page = await fetchPage(request, cursor, payer, deps);
  return pageAnswer(request, page, null, payer.workspace_id, deps);
}

/**
 * Fetches one page from a source. When a cursor continues inside a page, rows that earlier answers had are left out.
 */
async function fetchPage(
  request: DataRequest,
  cursor: Exclude<Cursor, PageCursor> | null,
  payer: Payer,
  deps: LiveDeps,
): Promise<StoredPage> {
  const { route } = request;
  const from = cursor && 'from' in cursor ? cursor.from : cursor;
  const collected = await deps.collect(route, collectorParams(request, from), payer.signal);
  const { record, ...metadata } = collected;
  const rows = record as unknown[];
  const page = { ...metadata, rows, from, skipped: 0 };
  if (!cursor || !('from' in cursor)) return page;
  const last = cursor.last_id === null ? -1 : rows.findIndex((row) => idOf(row) === cursor.last_id);
  const returned = last === -1 ? cursor.skip : last + 1;
  if (returned < rows.length) return withoutFirst(page, returned);
  const message = 'is too old: the list no longer has the row that it points to. Start again without cursor';
  throw invalidInput([{ parameter: 'cursor', message }]);
}

function withoutFirst(page: StoredPage, rows: number): StoredPage {
  return {
    ...page,
    rows: page.rows.slice(rows),
    quality: qualityOfRows(page.quality, rows, page.rows.length),
    skipped: page.skipped + rows,
  };
}

function idOf(row: unknown): string | null {
  const id = (row as { id?: unknown } | null)?.id;
  return typeof id === 'string' ? id : null;
}

/**
 * Returns the next `limit` rows of a page, and a cursor to the row after them. The first answer that a workspace pays
 * for also stores the remaining rows of the page, so that later requests of this workspace for these rows are free.
 */
async function pageAnswer(
  request: DataRequest,
  page: StoredPage,
  cursor: PageCursor | null,
  workspaceId: string,
  deps: LiveDeps,
): Promise<CollectedAnswer> {
  const { limit } = request;
  const from = cursor?.offset ?? 0;
  const to = from + limit;
  const record = page.rows.slice(from, to);
  let next: Cursor | null = page.next;
  if (to < page.rows.length) {
    const rest =
      cursor?.paid_by === workspaceId
        ? { ...cursor, offset: to }
        : await storeRest(page, to, cursor, workspaceId, deps);
    next = { ...rest, again: request.route.buffered ? null : refetchAfter(page, to, record.at(-1)) };
  }
  const nextCursor = next && deps.cursors.seal(next, request.binding);
  const quality = qualityOfRows(page.quality, from, to);
  const isShort = record.length < limit && next !== null;
  const about = completeness(page, { is_last: to >= page.rows.length, is_short: isShort });
  return collectedAnswer(dataOf(request, { record, next_cursor: nextCursor, limit }), { ...page, ...about, quality });
}

const pageEnds =
  'This answer has fewer rows than limit, because a page of the source ends here. Where it has a next_cursor, the list continues.';

/**
 * Returns the flag `partial` and the warnings of an answer that has some rows of a page. Only the answer with the last
 * row of the list has the warning `at_end`. An earlier answer is partial when it has fewer rows than the request's
 * `limit`, which the source does not know.
 */
function completeness(page: StoredPage, { is_last, is_short }: { is_last: boolean; is_short: boolean }) {
  const { at_end, next } = page;
  const warnings = page.warnings.filter((warning) => warning !== at_end);
  const partial = at_end === undefined ? page.partial : warnings.length > 0;
  const end = is_short ? pageEnds : is_last && next === null ? at_end : undefined;
  return end === undefined ? { partial, warnings } : { partial: true, warnings: [...warnings, end] };
}

function refetchAfter(page: StoredPage, rows: number, last: unknown): PageCursor['again'] {
  return { from: page.from, skip: page.skipped + rows, last_id: idOf(last) };
}

/**
 * Stores the rows of a page from index `from` to its end for the workspace that pays now. When another workspace
 * already paid for the page, the rows expire together with that page.
 */
async function storeRest(
  page: StoredPage,
  from: number,
  cursor: PageCursor | null,
  workspaceId: string,
  deps: LiveDeps,
): Promise<PageCursor> {
  const now = deps.now();
  const pageId = newId(now);
  await deps.storePage(pageId, JSON.stringify(withoutFirst(page, from)));
  return { page_id: pageId, offset: 0, kept_at: cursor?.kept_at ?? now.getTime(), paid_by: workspaceId, again: null };
}
