import { SourceError } from '../errors.ts';
import type { SourceCursor } from './collect.ts';

/** A position in the list of a source that identifies its pages by tokens. */
export type Position = {
  /** The token with which the source returns this page; null for the first page. */
  after: string | null;
  /** Number of rows of this page that were already returned. */
  skip: number;
};

const tokenPattern = /^[\w=+/.~-]{1,2000}$/;

/** Returns true when a text has the form of a page token. Such a text cannot add other parameters to a request URL. */
export function isPageToken(text: string): boolean {
  return tokenPattern.test(text);
}

/**
 * Returns the position that a cursor contains. An empty cursor is the start of the list. Throws INVALID_INPUT when the cursor
 * is invalid.
 */
export function readPosition(at: SourceCursor): Position {
  const { after = null, skip = 0 } = at;
  const validAfter = after === null || (typeof after === 'string' && isPageToken(after));
  if (validAfter && typeof skip === 'number' && Number.isSafeInteger(skip) && skip >= 0) return { after, skip };
  throw foreignCursor();
}

/** Returns the INVALID_INPUT error for a cursor that belongs to another list. */
export function foreignCursor(): SourceError {
  const message = 'This cursor belongs to another list: start again without cursor.';
  return new SourceError('INVALID_INPUT', { message });
}

/**
 * Returns the position after the first `end` of the `rows` rows on a page. If rows of this page are left, the position stays on
 * this page; otherwise it is the start of the page with the token `next`.
 */
export function nextPosition(position: Position, end: number, rows: number, next: string | null): Position | null {
  if (end < rows) return { after: position.after, skip: end };
  return next === null ? null : { after: next, skip: 0 };
}
