import { SourceError } from '../errors.ts';

export interface ReadRows<R> {
  rows: R[];
  /** A warning about rows that were left out because they could not be read; null when all rows were read. */
  unread: string | null;
}

/**
 * Reads the rows of one page of a source. Leaves out a row when `read` returns null, because its format is unknown. Throws
 * SOURCE_RESPONSE_CHANGED when no row can be read, so that a new format never looks like an empty list.
 */
export function readRows<T, R>(source: string, sent: readonly T[], read: (row: T) => R | null): ReadRows<R> {
  const rows = sent.map(read).filter((row) => row !== null);
  if (sent.length > 0 && rows.length === 0) {
    const reason = `${source}: none of the ${sent.length} rows could be read`;
    throw new SourceError('SOURCE_RESPONSE_CHANGED', { reason });
  }
  const leftOut = sent.length - rows.length;
  const sentence = `${leftOut} of ${sent.length} rows had an unknown format and were left out.`;
  return { rows, unread: leftOut === 0 ? null : sentence };
}

/** Returns a warning for a page with fewer rows than requested although the list continues; null for every other page. */
export function shortPage(returned: number, limit: number, next: unknown): string | null {
  if (next === null || returned >= limit) return null;
  return `The source returned ${returned} of the ${limit} requested rows: continue with next_cursor.`;
}

/**
 * Returns `partial` and `warnings` for an answer. Each reason that is not null becomes a warning, and one warning makes the
 * answer partial.
 */
export function partialBecause(...reasons: readonly (string | null)[]): { partial: boolean; warnings: string[] } {
  const warnings = reasons.filter((reason) => reason !== null);
  return { partial: warnings.length > 0, warnings };
}

/**
 * Returns the same as {@link partialBecause}, and `atEnd` as a further warning in `at_end`. Only the answer that includes the last row of
 * the source's page shows this warning.
 */
export function partialAtEnd(
  atEnd: string | null,
  ...reasons: readonly (string | null)[]
): { partial: boolean; warnings: string[]; at_end?: string } {
  const { partial, warnings } = partialBecause(...reasons);
  return atEnd === null ? { partial, warnings } : { partial: true, warnings, at_end: atEnd };
}
