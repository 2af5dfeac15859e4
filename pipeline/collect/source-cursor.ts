import { SourceError } from '../errors.ts';
import type { SourceCursor } from './collect.ts';

/** The position in a list of a source that pages by tokens. */
export type Position = {
  /** The source's token of the page, null for the first page. */
  after: string | null;
  /** Number of rows of that page that were already returned. */
  skip: number;
};

const tokenPattern = /^[\w=+/.~-]{1,2000}$/;

/** Returns true when a text can be a page token and cannot inject other parts into the request. */
export function isPageToken(text: string): boolean {
  return tokenPattern.test(text);
}

/** Returns the position in a cursor; an empty cursor is the start of the list. Throws INVALID_INPUT for any other value. */
export function readPosition(at: SourceCursor): Position {
  const { after = null, skip = 0 } = at;
  const validAfter = after === null || (typeof after === 'string' && isPageToken(after));
  if (validAfter && typeof skip === 'number' && Number.isSafeInteger(skip) && skip >= 0) return { after, skip };
  throw foreignCursor();
}

/** Returns the error for a cursor that belongs to another list. */
export function foreignCursor(): SourceError {
  const message = 'This cursor belongs to another list: start again without cursor.';
  return new SourceError('INVALID_INPUT', { message });
}

/** Returns the position after the first `end` rows of a page. Surplus rows of the page come before the page of token `next`. */
export function nextPosition(position: Position, end: number, rows: number, next: string | null): Position | null {
  if (end < rows) return { after: position.after, skip: end };
  return next === null ? null : { after: next, skip: 0 };
}
