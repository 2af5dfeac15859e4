import type { SourceCursor } from '../collect/collect.ts';
import { maxLimit } from '../collect/page.ts';
import { partialBecause, type ReadRows, readRows } from '../collect/source-rows.ts';
import { responseChanged } from '../errors.ts';
import { dig, toCount, toList, toText } from '../parse/values.ts';

interface CursorParam {
  source: string;
  at: SourceCursor;
}

/** Fields of a source's answer that report list entries that could not be read. Empty when all entries were read. */
type Gaps = Partial<ReturnType<typeof partialBecause>>;

/** One page of a list that YouTube returned: its rows and the token of the next page. */
export interface ListPage<T> extends ReadRows<T> {
  token: string | null;
  /** Token of this page itself. Set only when even the first page of the list needs a token. */
  own_token?: string;
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
  const gaps = page.unread === null ? {} : partialBecause(page.unread);
  const ownToken = page.own_token ?? token;
  if (page.rows.length > skip + limit) return { rows, next: { token: ownToken, skip: skip + limit }, gaps };
  const ended = page.token === null || page.token === ownToken;
  return { rows, next: ended ? null : { token: page.token, skip: 0 }, gaps };
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
  const page = readRows('youtube-data-api', officialItems(answer), read);
  if (page.rows.length > 0 && !page.rows.some(hasContent)) throw responseChanged('no row has more than its id');
  return { ...page, token: toText(dig(answer, 'nextPageToken')) };
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
