import { newId } from '../db/ids.ts';
import type { KeptAnswer } from '../db/responses.ts';
import type { Collected, Quality } from '../pipeline/collect.ts';
import { dataOf } from './answer.ts';
import type { CursorSeal, Place } from './cursor.ts';
import { invalidInput, RequestError } from './errors.ts';
import { collectorParams, type DataRequest } from './request.ts';
import type { SourcedRoute } from './route.ts';
import { qualityOfRows } from './sandbox.ts';

export interface LiveDeps {
  now: () => Date;
  cursors: CursorSeal;
  collect(route: SourcedRoute, params: unknown, signal: AbortSignal | null): Promise<Collected<unknown>>;
  keepPage(page_id: string, page: string): Promise<void>;
  readPage(page_id: string): Promise<string | null>;
}

/** Rows that were not asked for yet, with what belongs to them. */
interface KeptPage {
  rows: unknown[];
  quality: Quality;
  next: Place | null;
  source: string;
  retrieved_at: string;
  partial: boolean;
  warnings: string[];
}

/** Asks the sources, or goes on in a page that is kept; the answer is complete but for its charge. */
export async function freshAnswer(
  request: DataRequest,
  signal: AbortSignal | null,
  deps: LiveDeps,
): Promise<KeptAnswer> {
  const { place } = request;
  if (place && 'page_id' in place) {
    const kept = await deps.readPage(place.page_id);
    if (kept === null) throw new RequestError('CURSOR_EXPIRED');
    return pageAnswer(request, JSON.parse(kept) as KeptPage, place, deps);
  }
  if (place?.source === 'sandbox') {
    throw invalidInput([{ parameter: 'cursor', message: 'belongs to a development key: start again without cursor' }]);
  }
  const { route } = request;
  const collected = await deps.collect(route, collectorParams(route.collector, request), signal);
  const { source, retrieved_at, partial, quality, warnings, next } = collected;
  if (route.container !== 'items') {
    const meta = { source, retrieved_at, partial, quality, warnings };
    return answerOf(dataOf(request, { record: collected.record, next_cursor: null, limit: 1 }), meta);
  }
  const page = { rows: collected.record as unknown[], quality, next, source, retrieved_at, partial, warnings };
  return pageAnswer(request, page, null, deps);
}

type PagePlace = Extract<Place, { page_id: string }>;

/** One page of the rows; what is left of them is kept once, and cursors point into it. */
async function pageAnswer(request: DataRequest, page: KeptPage, place: PagePlace | null, deps: LiveDeps) {
  const from = place?.offset ?? 0;
  const to = from + request.limit;
  let next = page.next;
  if (to < page.rows.length) next = place ? { ...place, offset: to } : await keepRest(page, to, deps);
  const { source, retrieved_at, partial, warnings } = page;
  const quality = qualityOfRows(page.quality, from, to);
  const record = page.rows.slice(from, to);
  const next_cursor = next && deps.cursors.seal(next, request.binding);
  return answerOf(dataOf(request, { record, next_cursor, limit: request.limit }), {
    source,
    retrieved_at,
    partial,
    quality,
    warnings,
  });
}

async function keepRest(page: KeptPage, from: number, deps: LiveDeps): Promise<Place> {
  const kept_at = deps.now();
  const page_id = newId(kept_at);
  const rest = { ...page, rows: page.rows.slice(from), quality: qualityOfRows(page.quality, from, page.rows.length) };
  await deps.keepPage(page_id, JSON.stringify(rest));
  return { page_id, offset: 0, kept_at: kept_at.getTime() };
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
