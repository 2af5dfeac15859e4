import { newId } from '../../db/ids.ts';
import type { Collected } from '../../pipeline/collect/collect.ts';
import type { Cursor, PageCursor } from '../../pipeline/collect/list-cursor.ts';
import {
  idOf,
  type ListPage,
  listAnswer,
  listPage,
  refetchAfter,
  withoutFirst,
} from '../../pipeline/collect/list-page.ts';
import { type CollectedAnswer, collectedAnswer } from '../../pipeline/collect/stored-answer.ts';
import { invalidInput, RequestError } from '../http/errors.ts';
import type { CursorSeal } from './cursor.ts';
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
  return page === null ? null : pageAnswer(request, JSON.parse(page) as ListPage, cursor, workspaceId, deps);
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
    if (page !== null) return pageAnswer(request, JSON.parse(page) as ListPage, cursor, payer.workspace_id, deps);
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
): Promise<ListPage> {
  const { route } = request;
  const from = cursor && 'from' in cursor ? cursor.from : cursor;
  const collected = await deps.collect(route, collectorParams(request, from), payer.signal);
  const page = listPage(collected, from);
  const { rows } = page;
  if (!cursor || !('from' in cursor)) return page;
  const last = cursor.last_id === null ? -1 : rows.findIndex((row) => idOf(row) === cursor.last_id);
  const returned = last === -1 ? cursor.skip : last + 1;
  if (returned < rows.length) return withoutFirst(page, returned);
  const message = 'is too old: the list no longer has the row that it points to. Start again without cursor';
  throw invalidInput([{ parameter: 'cursor', message }]);
}

/**
 * Returns the next `limit` rows of a page, and a cursor to the row after them. The first answer that a workspace pays
 * for also stores the remaining rows of the page, so that later requests of this workspace for these rows are free.
 */
async function pageAnswer(
  request: DataRequest,
  page: ListPage,
  cursor: PageCursor | null,
  workspaceId: string,
  deps: LiveDeps,
): Promise<CollectedAnswer> {
  const { limit, route, binding } = request;
  const offset = cursor?.offset ?? 0;
  const end = offset + limit;
  let next: Cursor | null = page.next;
  if (end < page.rows.length) {
    const rest =
      cursor?.paid_by === workspaceId
        ? { ...cursor, offset: end }
        : await storeRest(page, end, cursor, workspaceId, deps);
    next = { ...rest, again: route.buffered ? null : refetchAfter(page, end) };
  }
  return listAnswer(page, { offset, limit, next_cursor: next && deps.cursors.seal(next, binding) });
}

/**
 * Stores the rows of a page from index `from` to its end for the workspace that pays now. When another workspace
 * already paid for the page, the rows expire together with that page.
 */
async function storeRest(
  page: ListPage,
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
