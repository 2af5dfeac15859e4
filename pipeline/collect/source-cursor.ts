import { SourceError } from '../errors.ts';
import type { SourceCursor } from './collect.ts';

/** A position in a list that a platform sends in pages, with a token for each page. */
export type Position = {
  /** Token with which the platform returns this page; null for the first page. */
  after: string | null;
  /** Number of rows at the beginning of this page that the customer has already received. */
  skip: number;
};

const tokenPattern = /^[\w=+/.~-]{1,2000}$/;

/**
 * Returns true when a text consists only of characters that occur in page tokens. Such a text cannot add other
 * parameters to a request URL.
 */
export function isPageToken(text: string): boolean {
  return tokenPattern.test(text);
}

/**
 * Reads the list position in a decrypted cursor. An empty cursor means the start of the list. Throws INVALID_INPUT when
 * the cursor is invalid.
 */
export function readPosition(at: SourceCursor): Position {
  const { after = null, skip = 0 } = at;
  const validAfter = after === null || (typeof after === 'string' && isPageToken(after));
  if (validAfter && typeof skip === 'number' && Number.isSafeInteger(skip) && skip >= 0) return { after, skip };
  throw foreignCursor();
}

/** Returns the INVALID_INPUT error for a `cursor` parameter that was created for another list. */
export function foreignCursor(): SourceError {
  const message = 'This cursor belongs to another list: start again without cursor.';
  return new SourceError('INVALID_INPUT', { message });
}

/**
 * Returns the list position after the first `end` rows of a page that has `rows` rows. If the page has more rows, the
 * position is on the same page. Otherwise the position is the start of the next page, whose token is `next` (null at
 * the end of the list).
 */
export function nextPosition(position: Position, end: number, rows: number, next: string | null): Position | null {
  if (end < rows) return { after: position.after, skip: end };
  return next === null ? null : { after: next, skip: 0 };
}
