import type { Collected } from './collect.ts';
import type { ListCursor, RefetchCursor } from './list-cursor.ts';
import { reindexedQuality, reindexedWarnings, rowsBetween } from './row-indexes.ts';
import { type CollectedAnswer, collectedAnswer } from './stored-answer.ts';

/** A page of a list that a source returned, without its first `skipped` rows, which were in earlier answers. */
export interface ListPage extends Omit<Collected<unknown>, 'record'> {
  rows: unknown[];
  /** The cursor that fetches this page from the source. Null for the first page. */
  from: ListCursor | null;
  /** Number of rows of the source's page that come before `rows`. */
  skipped: number;
}

/** Which rows of a page an answer contains, and its cursor to the row after them (null at the end of the list). */
interface AnsweredRows {
  offset: number;
  limit: number;
  next_cursor: string | null;
}

/** Returns the page of a list that a source returned. `from` is the cursor of the page, null for the first page. */
export function listPage({ record, ...metadata }: Collected<unknown>, from: ListCursor | null): ListPage {
  return { ...metadata, rows: record as unknown[], from, skipped: 0 };
}

/** Returns a page without its first rows. */
export function withoutFirst(page: ListPage, rows: number): ListPage {
  const newIndex = rowsBetween(rows, page.rows.length);
  return {
    ...page,
    rows: page.rows.slice(rows),
    quality: reindexedQuality(page.quality, newIndex),
    warnings: reindexedWarnings(page.warnings, newIndex),
    skipped: page.skipped + rows,
  };
}

/** Returns the cursor that fetches a page again and continues after its first `rows` rows. */
export function refetchAfter(page: ListPage, rows: number): RefetchCursor {
  return { from: page.from, skip: page.skipped + rows, last_id: idOf(page.rows[rows - 1]) };
}

/** Returns the id of a row; null when the row has none. */
export function idOf(row: unknown): string | null {
  const id = (row as { id?: unknown } | null)?.id;
  return typeof id === 'string' ? id : null;
}

/** Returns `data` of an answer with a list. */
export function listData(items: unknown, { next_cursor, limit }: Omit<AnsweredRows, 'offset'>) {
  return { items, pagination: { next_cursor, limit } };
}

/**
 * Returns the answer with `limit` rows of a page. API requests and batches store this answer under the same cache key,
 * so that each can use the answers of the other.
 */
export function listAnswer(page: ListPage, answered: AnsweredRows): CollectedAnswer {
  const { offset, limit, next_cursor } = answered;
  const end = offset + limit;
  const items = page.rows.slice(offset, end);
  const isShort = items.length < limit && next_cursor !== null;
  const newIndex = rowsBetween(offset, end);
  const warnings = reindexedWarnings(page.warnings, newIndex);
  const about = completeness({ ...page, warnings }, { is_last: end >= page.rows.length, is_short: isShort });
  const quality = reindexedQuality(page.quality, newIndex);
  return collectedAnswer(listData(items, answered), { ...page, ...about, quality });
}

const pageEnds =
  'This answer has fewer rows than limit, because a page of the source ends here. Where it has a next_cursor, the list continues.';

/**
 * Returns the flag `partial` and the warnings of an answer that has some rows of a page. `page` has only the warnings
 * about the page and these rows, so without any, the answer is not partial. Only the answer with the last row of the
 * list has the warning `at_end`. An earlier answer is partial when it has fewer rows than the request's `limit`, which
 * the source does not know.
 */
function completeness(page: ListPage, { is_last, is_short }: { is_last: boolean; is_short: boolean }) {
  const { at_end, next } = page;
  const warnings = page.warnings.filter((warning) => warning !== at_end);
  const partial = page.partial && warnings.length > 0;
  const end = is_short ? pageEnds : is_last && next === null ? at_end : undefined;
  return end === undefined ? { partial, warnings } : { partial: true, warnings: [...warnings, end] };
}
