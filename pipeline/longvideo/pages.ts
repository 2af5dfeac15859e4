import type { SourceCursor } from '../collect/collect.ts';
import { maxLimit } from '../collect/page.ts';
import { responseChanged, SourceError } from '../errors.ts';
import { dig, toCount, toList, toText } from '../parse/values.ts';

interface CursorParam {
  source: string;
  at: SourceCursor;
}

/** One page of a list that YouTube returned: its rows and the token of the next page. */
export interface ListPage<T> {
  rows: T[];
  token: string | null;
  /** Number of entries in YouTube's page that could not be read and are missing in `rows`. */
  unreadable: number;
  /** Token of this page itself. Set only when even the first page of the list needs a token. */
  own_token?: string;
}

/** Fields of a source's answer that report list entries that could not be read. Empty when all entries were read. */
interface Gaps {
  partial?: true;
  warnings?: string[];
}

/**
 * Returned by a `read` function for a known list entry that is not a row, such as a header, an advertisement or a
 * continuation.
 */
export const notARow = Symbol('not a row');

/**
 * Calls `read` to convert each entry of a YouTube list page to a row. An entry is unreadable when `read` returns
 * undefined or throws SOURCE_RESPONSE_CHANGED. Throws SOURCE_RESPONSE_CHANGED when there are unreadable entries but no
 * rows, because the list would otherwise look empty.
 */
export function readPage<T>(
  entries: readonly unknown[],
  read: (entry: unknown) => T | typeof notARow | undefined,
  token: string | null,
): ListPage<T> {
  const rows: T[] = [];
  let unreadable = 0;
  for (const entry of entries) {
    const row = orUnreadable(read, entry);
    if (row === undefined) unreadable++;
    else if (row !== notARow) rows.push(row);
  }
  if (rows.length === 0 && unreadable > 0) throw responseChanged(`none of ${unreadable} entries has a known shape`);
  return { rows, token, unreadable };
}

function orUnreadable<T>(read: (entry: unknown) => T | undefined, entry: unknown): T | undefined {
  try {
    return read(entry);
  } catch (error) {
    if (error instanceof SourceError && error.code === 'SOURCE_RESPONSE_CHANGED') return undefined;
    throw error;
  }
}

/**
 * Returns at most `limit` rows of a YouTube list, for any page size that YouTube uses. The cursor contains the token of
 * YouTube's page and the number of its rows that were already returned. No state is stored, so the same page is fetched
 * again until all its rows have been returned. A page whose next token is its own token is the last one.
 */
export async function pageRows<T>(
  cursor: CursorParam | null,
  limit: number,
  fetchPage: (token: string | null) => Promise<ListPage<T>>,
): Promise<{ rows: T[]; next: SourceCursor | null; gaps: Gaps }> {
  const token = toText(cursor?.at.token);
  const skip = toCount(cursor?.at.skip) ?? 0;
  const page = await fetchPage(token);
  const rows = page.rows.slice(skip, skip + limit);
  const gaps = gapsOf(page.unreadable);
  const ownToken = page.own_token ?? token;
  if (page.rows.length > skip + limit) return { rows, next: { token: ownToken, skip: skip + limit }, gaps };
  const ended = page.token === null || page.token === ownToken;
  return { rows, next: ended ? null : { token: page.token, skip: 0 }, gaps };
}

/** Returns the fields that warn about list entries that could not be read; an empty object when their number is 0. */
function gapsOf(unreadable: number): Gaps {
  if (unreadable === 0) return {};
  const entries = unreadable === 1 ? '1 entry' : `${unreadable} entries`;
  return { partial: true, warnings: [`${entries} of the source's page had an unknown shape and could not be read.`] };
}

/**
 * Reads one page of a list from an answer of the YouTube Data API. `hasContent` returns true when a row has its main
 * field (a title or a text). Throws SOURCE_RESPONSE_CHANGED when the list is missing, when no entry can be read, or
 * when no row has content.
 */
export function officialPage<T>(
  answer: unknown,
  read: (item: unknown) => T | undefined,
  hasContent: (row: T) => boolean,
): ListPage<T> {
  const page = readPage(officialItems(answer), read, toText(dig(answer, 'nextPageToken')));
  if (page.rows.length > 0 && !page.rows.some(hasContent)) throw responseChanged('no row has more than its id');
  return page;
}

/**
 * Returns the items in an answer of the YouTube Data API. Throws SOURCE_RESPONSE_CHANGED when the list is missing,
 * unless the answer says that the total is 0.
 */
export function officialItems(answer: unknown): unknown[] {
  const items = toList(dig(answer, 'items'));
  if (items !== null) return items;
  if (dig(answer, 'pageInfo', 'totalResults') === 0) return [];
  throw responseChanged('the answer has no items');
}

/** Returns the YouTube Data API parameters for the page with this token; null is the first page. */
export function pageParams(limit: number, token: string | null): { maxResults: number; pageToken?: string } {
  const maxResults = Math.min(limit, maxLimit);
  return token === null ? { maxResults } : { maxResults, pageToken: token };
}
