import type { Quality } from './quality.ts';

/** Returns the index of a row after other rows were left out or cut off, or null for a row that is gone. */
type NewIndex = (row: number) => number | null;

/** Returns the new indexes when only the rows from index `from` up to, but not including, `to` are kept. */
export function rowsBetween(from: number, to: number): NewIndex {
  return (row) => (row >= from && row < to ? row - from : null);
}

/** Returns the new indexes when the rows with these indexes are left out. */
export function rowsExcept(leftOut: ReadonlySet<number>): NewIndex {
  const before = [...leftOut];
  return (row) => (leftOut.has(row) ? null : row - before.filter((other) => other < row).length);
}

/** Returns the {@link Quality} of a list with the new indexes of the rows, without rows that are gone. */
export function reindexedQuality<Q extends Quality[string]>(
  quality: Record<string, Q>,
  newIndex: NewIndex,
): Record<string, Q> {
  const rows: Record<string, Q> = {};
  for (const [path, state] of Object.entries(quality)) {
    const dot = path.indexOf('.');
    const index = newIndex(Number(path.slice(0, dot)));
    if (index !== null) rows[`${index}${path.slice(dot)}`] = state;
  }
  return rows;
}

const rowWarning = /^(\d+)(?=\.)/;

/** Returns true for a warning about one row of a list. It begins with a path such as `0.likes`. */
export function isAboutRow(warning: string): boolean {
  return rowWarning.test(warning);
}

/**
 * Returns the warnings of a list with the new indexes of the rows, without warnings about rows that are gone. Warnings
 * about the whole list are kept.
 */
export function reindexedWarnings(warnings: readonly string[], newIndex: NewIndex): string[] {
  return warnings.flatMap((warning) => {
    const [row] = rowWarning.exec(warning) ?? [];
    if (row === undefined) return [warning];
    const index = newIndex(Number(row));
    return index === null ? [] : [`${index}${warning.slice(row.length)}`];
  });
}
