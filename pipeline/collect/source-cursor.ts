import { SourceError } from '../errors.ts';
import type { SourceCursor } from './collect.ts';

/** Where a list goes on in a source that pages by tokens. */
export type Place = {
  /** The source's token of a page, null for the first. */
  after: string | null;
  /** Rows of that page that were given already. */
  skip: number;
};

const tokenPattern = /^[\w=+/.~-]{1,2000}$/;

/** Whether a text can be a page token, and nothing that would be read as more of the request it stands in. */
export function isPageToken(text: string): boolean {
  return tokenPattern.test(text);
}

/** The place that a cursor names, the beginning when it is empty; throws INVALID_INPUT when it is none. */
export function placeOf(at: SourceCursor): Place {
  const { after = null, skip = 0 } = at;
  const validAfter = after === null || (typeof after === 'string' && isPageToken(after));
  if (validAfter && typeof skip === 'number' && Number.isSafeInteger(skip) && skip >= 0) return { after, skip };
  throw notOfThisList();
}

/** A cursor that was not made by the list it is used with. */
export function notOfThisList(): SourceError {
  const message = 'This cursor is not one of this list: start again without cursor.';
  return new SourceError('INVALID_INPUT', { message });
}

/** The place behind the first `end` rows of a page; a source may send more than were asked for, and `next` is followed only after those. */
export function nextPlace(place: Place, end: number, rows: number, next: string | null): Place | null {
  if (end < rows) return { after: place.after, skip: end };
  return next === null ? null : { after: next, skip: 0 };
}
