import { responseChanged, SourceError } from '../errors.ts';

export interface ReadRows<R> {
  rows: R[];
  /** A warning for the customer about rows that could not be read and were left out; null when all rows were read. */
  unread: string | null;
}

/**
 * Returned by a `read` function for a known list entry that is not a row, such as a header, an advertisement or a
 * continuation.
 */
export const notARow = Symbol('not a row');

/**
 * Calls `read` to convert each entry of a platform's page to a row. Leaves out an entry when `read` returns null or
 * undefined (unknown format) or throws SOURCE_RESPONSE_CHANGED (such as for a text that is too long). Throws
 * SOURCE_RESPONSE_CHANGED when only such entries exist, because otherwise a list in a new format would look empty.
 */
export function readRows<T, R>(
  source: string,
  sent: readonly T[],
  read: (entry: T) => R | typeof notARow | null | undefined,
): ReadRows<R> {
  const rows: R[] = [];
  const failures: string[] = [];
  for (const entry of sent) {
    const row = rowOrFailure(read, entry);
    if (row instanceof SourceError) failures.push(row.reason ?? row.message);
    else if (row !== notARow) rows.push(row);
  }
  const total = rows.length + failures.length;
  if (total > 0 && rows.length === 0) {
    throw responseChanged(`${source}: none of the ${total} rows could be read: ${failures[0]}`);
  }
  const unread = leftOutWarning(failures.length, total, `unknown format, or ${longText}`);
  return { rows, unread: failures.length === 0 ? null : unread };
}

export const longText = 'a text that is too long';

/** Returns the warning for the customer that some of `total` rows of a list were left out. */
export function leftOutWarning(leftOut: number, total: number, reason: string): string {
  return `Left out ${leftOut} of ${total} rows: ${reason}.`;
}

function rowOrFailure<T, R>(read: (entry: T) => R | null | undefined, entry: T): NonNullable<R> | SourceError {
  try {
    return read(entry) ?? responseChanged('unknown format');
  } catch (error) {
    if (error instanceof SourceError && error.code === 'SOURCE_RESPONSE_CHANGED') return error;
    throw error;
  }
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
