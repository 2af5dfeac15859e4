import { newId } from '../../db/ids.ts';
import type { KeptAnswer } from '../../db/requests/responses.ts';
import type { Collected } from '../../pipeline/collect/collect.ts';
import { type Quality, qualityOfRows } from '../../pipeline/collect/quality.ts';
import { invalidInput, RequestError } from '../http/errors.ts';
import type { CursorSeal, KeptPlace, Place, SourcePlace } from './cursor.ts';
import { dataOf } from './envelope.ts';
import { collectorParams, type DataRequest } from './request.ts';
import type { SourcedRoute } from './route.ts';

export interface LiveDeps {
  now: () => Date;
  cursors: CursorSeal;
  collect(route: SourcedRoute, params: unknown, signal: AbortSignal | null): Promise<Collected<unknown>>;
  keepPage(pageId: string, page: string): Promise<void>;
  readPage(pageId: string): Promise<string | null>;
}

/** Rows of one page of a source that were not given yet, with what belongs to them. */
interface KeptPage {
  rows: unknown[];
  quality: Quality;
  next: SourcePlace | null;
  source: string;
  retrieved_at: string;
  partial: boolean;
  warnings: string[];
  /** Why it is partial, when that is true of its end alone. */
  at_end?: string;
  /** Where the source's page began. */
  from: SourcePlace | null;
  /** Rows of the source's page before `rows`. */
  skipped: number;
}

/** Who is charged for an answer, and until when it is waited for. */
interface Payer {
  workspace_id: string;
  signal: AbortSignal | null;
}

/**
 * Returns the page of rows that a cursor names when this workspace was charged for them with an earlier page, else null. Such a
 * cursor leaves the service only in an answer that was charged, so the cursor is the proof of payment.
 */
export async function boughtAnswer(
  request: DataRequest,
  workspaceId: string,
  deps: LiveDeps,
): Promise<KeptAnswer | null> {
  const { place } = request;
  if (!place || !('page_id' in place) || place.paid_by !== workspaceId) return null;
  const kept = await deps.readPage(place.page_id);
  return kept === null ? null : pageAnswer(request, JSON.parse(kept) as KeptPage, place, workspaceId, deps);
}

/** Asks the sources, or continues in a kept page that another workspace paid for. The answer is not charged yet. */
export async function freshAnswer(request: DataRequest, payer: Payer, deps: LiveDeps): Promise<KeptAnswer> {
  const { place, route } = request;
  if (route.container !== 'items') {
    const { record, ...meta } = await deps.collect(route, collectorParams(request, null), payer.signal);
    return answerOf(dataOf(request, { record, next_cursor: null, limit: 1 }), meta);
  }
  if (place && 'page_id' in place) {
    const kept = await deps.readPage(place.page_id);
    if (kept !== null) return pageAnswer(request, JSON.parse(kept) as KeptPage, place, payer.workspace_id, deps);
    if (place.again === null) throw new RequestError('CURSOR_EXPIRED');
    return freshAnswer({ ...request, place: place.again }, payer, deps);
  }
  if (place && 'source' in place && place.source === 'sandbox') {
    throw invalidInput([{ parameter: 'cursor', message: 'belongs to a development key: start again without cursor' }]);
  }
  const page = await fetchedPage(request, place, payer, deps);
  return pageAnswer(request, page, null, payer.workspace_id, deps);
}

/** One page of a source: from its beginning, or without the rows that were given before it was fetched again. */
async function fetchedPage(
  request: DataRequest,
  place: Exclude<Place, KeptPlace> | null,
  payer: Payer,
  deps: LiveDeps,
): Promise<KeptPage> {
  const { route } = request;
  const from = place && 'from' in place ? place.from : place;
  const collected = await deps.collect(route, collectorParams(request, from), payer.signal);
  const { record, ...about } = collected;
  const rows = record as unknown[];
  const page = { ...about, rows, from, skipped: 0 };
  if (!place || !('from' in place)) return page;
  const last = place.last_id === null ? -1 : rows.findIndex((row) => idOf(row) === place.last_id);
  const given = last === -1 ? place.skip : last + 1;
  if (given < rows.length) return behind(page, given);
  const message = 'names a place that the list no longer has: start again without cursor';
  throw invalidInput([{ parameter: 'cursor', message }]);
}

/** The page without its first rows. */
function behind(page: KeptPage, rows: number): KeptPage {
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

/** Returns `limit` rows of a page. What is left of it is kept once for the workspace that pays, and cursors point into it. */
async function pageAnswer(
  request: DataRequest,
  page: KeptPage,
  place: KeptPlace | null,
  workspaceId: string,
  deps: LiveDeps,
): Promise<KeptAnswer> {
  const { limit } = request;
  const from = place?.offset ?? 0;
  const to = from + limit;
  const record = page.rows.slice(from, to);
  let next: Place | null = page.next;
  if (to < page.rows.length) {
    const kept =
      place?.paid_by === workspaceId ? { ...place, offset: to } : await keepRest(page, to, place, workspaceId, deps);
    next = { ...kept, again: request.route.buffered ? null : againBehind(page, to, record.at(-1)) };
  }
  const nextCursor = next && deps.cursors.seal(next, request.binding);
  const quality = qualityOfRows(page.quality, from, to);
  const isShort = record.length < limit && next !== null;
  const about = gapsOf(page, { is_last: to >= page.rows.length, is_short: isShort });
  return answerOf(dataOf(request, { record, next_cursor: nextCursor, limit }), { ...page, ...about, quality });
}

const pageEnds = 'The page of the source ends here: more rows follow under next_cursor.';

/** Returns what to say of an answer that lacks something. What is true of the end of a page is said where the page ends. */
function gapsOf(page: KeptPage, { is_last, is_short }: { is_last: boolean; is_short: boolean }) {
  const { partial, at_end } = page;
  const warnings = page.warnings.filter((warning) => warning !== at_end);
  if (at_end !== undefined) {
    return is_last ? { partial, warnings: [...warnings, at_end] } : { partial: warnings.length > 0, warnings };
  }
  return is_short && !partial ? { partial: true, warnings: [...warnings, pageEnds] } : { partial, warnings };
}

function againBehind(page: KeptPage, rows: number, last: unknown): KeptPlace['again'] {
  return { from: page.from, skip: page.skipped + rows, last_id: idOf(last) };
}

/** Keeps the rows from `from`. A page that another workspace paid for lives no longer by being paid again. */
async function keepRest(
  page: KeptPage,
  from: number,
  place: KeptPlace | null,
  workspaceId: string,
  deps: LiveDeps,
): Promise<KeptPlace> {
  const keptAt = deps.now();
  const pageId = newId(keptAt);
  await deps.keepPage(pageId, JSON.stringify(behind(page, from)));
  return { page_id: pageId, offset: 0, kept_at: place?.kept_at ?? keptAt.getTime(), paid_by: workspaceId, again: null };
}

type AnswerMeta = Pick<KeptPage, 'source' | 'retrieved_at' | 'partial' | 'quality' | 'warnings'>;

function answerOf(body: string, meta: AnswerMeta): KeptAnswer {
  const { source, retrieved_at, partial, quality, warnings } = meta;
  return {
    body,
    meta: JSON.stringify({ source, retrieved_at, partial, quality, warnings }),
    retrieved_at: new Date(retrieved_at),
  };
}
