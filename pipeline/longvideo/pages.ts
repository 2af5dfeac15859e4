import type { SourceCursor } from '../collect/collect.ts';
import { limitMax } from '../collect/page.ts';
import { SourceError } from '../errors.ts';
import { dig, toCount, toList, toText } from '../parse/values.ts';

interface CursorParam {
  source: string;
  at: SourceCursor;
}

/** A page of a list as its source cuts it: its rows, and the token of the page behind it. */
export interface Page<T> {
  rows: T[];
  token: string | null;
  /** How many entries could not be read and are missing from `rows`. */
  unreadable: number;
  /** The token of this page itself, where the first page has one. */
  own_token?: string;
}

/** What an answer says of entries that could not be read; empty when all could. */
export interface Gaps {
  partial?: true;
  warnings?: string[];
}

/** An entry that is known and is not one of the rows asked for, such as a header, an advertisement or a continuation. */
export const notARow = Symbol('not a row');

/**
 * Reads the entries of a page. `read` returns undefined for an entry of an unknown shape. Throws SOURCE_RESPONSE_CHANGED when
 * there are entries of an unknown shape and not a single row: that is no empty list.
 */
export function readPage<T>(
  entries: readonly unknown[],
  read: (entry: unknown) => T | typeof notARow | undefined,
  token: string | null,
): Page<T> {
  const rows: T[] = [];
  let unreadable = 0;
  for (const entry of entries) {
    const row = read(entry);
    if (row === undefined) unreadable++;
    else if (row !== notARow) rows.push(row);
  }
  if (rows.length === 0 && unreadable > 0) throw changed(`none of ${unreadable} entries has a known shape`);
  return { rows, token, unreadable };
}

/**
 * At most `limit` rows of a list whose pages may have a size of their own. The cursor names the page by its token and how many
 * of its rows were given out, so that nothing is kept between requests: a page is asked for again until it is used up.
 */
export async function pageRows<T>(
  cursor: CursorParam | null,
  limit: number,
  ask: (token: string | null) => Promise<Page<T>>,
): Promise<{ rows: T[]; next: SourceCursor | null; gaps: Gaps }> {
  const token = toText(cursor?.at.token);
  const skip = toCount(cursor?.at.skip) ?? 0;
  const page = await ask(token);
  const rows = page.rows.slice(skip, skip + limit);
  const gaps = gapsOf(page.unreadable);
  if (page.rows.length > skip + limit)
    return { rows, next: { token: page.own_token ?? token, skip: skip + limit }, gaps };
  return { rows, next: page.token === null ? null : { token: page.token, skip: 0 }, gaps };
}

/** Returns the warning for entries that could not be read. */
export function gapsOf(unreadable: number): Gaps {
  if (unreadable === 0) return {};
  const entries = unreadable === 1 ? '1 entry' : `${unreadable} entries`;
  return { partial: true, warnings: [`${entries} of the source's page had an unknown shape and could not be read.`] };
}

/**
 * Reads a page of the official source. `says` tells whether a row has what its kind is asked for (a title, a text). Throws
 * SOURCE_RESPONSE_CHANGED when the list is missing, when no entry can be read, and when no row says anything.
 */
export function officialPage<T>(
  answer: unknown,
  read: (item: unknown) => T | undefined,
  says: (row: T) => boolean,
): Page<T> {
  const page = readPage(officialItems(answer), read, toText(dig(answer, 'nextPageToken')));
  if (page.rows.length > 0 && !page.rows.some(says)) throw changed('no row says more than its id');
  return page;
}

/** The items of an official answer. Only an answer that counts none may leave the list out. */
export function officialItems(answer: unknown): unknown[] {
  const items = toList(dig(answer, 'items'));
  if (items !== null) return items;
  if (dig(answer, 'pageInfo', 'totalResults') === 0) return [];
  throw changed('the answer has no items');
}

/** The parameters of the official page with this token; the first page has none. */
export function pageParams(limit: number, token: string | null): { maxResults: number; pageToken?: string } {
  const maxResults = Math.min(limit, limitMax);
  return token === null ? { maxResults } : { maxResults, pageToken: token };
}

function changed(reason: string): SourceError {
  return new SourceError('SOURCE_RESPONSE_CHANGED', { reason });
}
