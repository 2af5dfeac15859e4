import { responseChanged } from '../errors.ts';

export interface ReadRows<R> {
  rows: R[];
  /**
   * A warning for the customer about rows that were left out because their format is unknown; null when all rows were
   * read.
   */
  unread: string | null;
}

/**
 * Calls `read` to convert each row of a platform's page. Leaves out a row when `read` returns null (unknown format).
 * Throws SOURCE_RESPONSE_CHANGED when no row can be converted, because otherwise a list in a new format would look
 * empty.
 */
export function readRows<T, R>(source: string, sent: readonly T[], read: (row: T) => R | null): ReadRows<R> {
  const rows = sent.map(read).filter((row) => row !== null);
  if (sent.length > 0 && rows.length === 0) {
    const reason = `${source}: none of the ${sent.length} rows could be read`;
    throw responseChanged(reason);
  }
  const leftOut = sent.length - rows.length;
  const sentence = `${leftOut} of ${sent.length} rows had an unknown format and were left out.`;
  return { rows, unread: leftOut === 0 ? null : sentence };
}

/**
 * Returns a warning when a page has fewer rows than the customer requested although the list continues; otherwise null.
 */
export function shortPage(returned: number, limit: number, next: unknown): string | null {
  if (next === null || returned >= limit) return null;
  return `The platform returned ${returned} of the ${limit} requested rows: continue with next_cursor.`;
}

/**
 * Returns the fields `partial` and `warnings` of a source's answer. Each reason that is not null becomes a warning.
 * `partial` is true when there is at least one warning.
 */
export function partialBecause(...reasons: readonly (string | null)[]): { partial: boolean; warnings: string[] } {
  const warnings = reasons.filter((reason) => reason !== null);
  return { partial: warnings.length > 0, warnings };
}

/**
 * Returns `partial` and `warnings` for the given reasons, as {@link partialBecause} does, and the warning `atEnd` as
 * `at_end`. The server shows customers `at_end` only with the last rows of the list.
 */
export function partialAtEnd(
  atEnd: string | null,
  ...reasons: readonly (string | null)[]
): { partial: boolean; warnings: string[]; at_end?: string } {
  const { partial, warnings } = partialBecause(...reasons);
  return atEnd === null ? { partial, warnings } : { partial: true, warnings, at_end: atEnd };
}
