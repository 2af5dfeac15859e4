import { SourceError } from '../errors.ts';

export interface ReadRows<R> {
  rows: R[];
  /** Says that rows were left out because they could not be read; null when there are none. */
  unread: string | null;
}

/**
 * Reads the rows of one upstream page. `read` returns null for a row of an unknown form, which is left out.
 * Throws SOURCE_RESPONSE_CHANGED when a page has rows and none can be read: an unknown form must not pass for an empty list.
 */
export function readRows<T, R>(source: string, sent: readonly T[], read: (row: T) => R | null): ReadRows<R> {
  const rows = sent.map(read).filter((row) => row !== null);
  if (sent.length > 0 && rows.length === 0) {
    const reason = `${source}: none of the ${sent.length} rows could be read`;
    throw new SourceError('SOURCE_RESPONSE_CHANGED', { reason });
  }
  const leftOut = sent.length - rows.length;
  const sentence = `${leftOut} of ${sent.length} rows came in an unknown form and are left out.`;
  return { rows, unread: leftOut === 0 ? null : sentence };
}

/** Returns the sentence for a page that is shorter than asked although the list continues; null for every other page. */
export function shortPage(given: number, limit: number, next: unknown): string | null {
  if (next === null || given >= limit) return null;
  return `The source gave ${given} of the ${limit} rows asked for: continue with next_cursor.`;
}

/** Returns `partial` and its reasons as warnings, to be spread into an answer: partial when there is any reason. */
export function partialBecause(...reasons: readonly (string | null)[]): { partial: boolean; warnings: string[] } {
  const warnings = reasons.filter((reason) => reason !== null);
  return { partial: warnings.length > 0, warnings };
}

/** Returns the same as {@link partialBecause}; `at_end` is a reason that holds only where the page of the source ends. */
export function partialAtEnd(
  atEnd: string | null,
  ...reasons: readonly (string | null)[]
): { partial: boolean; warnings: string[]; at_end?: string } {
  const { partial, warnings } = partialBecause(...reasons);
  return atEnd === null ? { partial, warnings } : { partial: true, warnings, at_end: atEnd };
}
