import type { Quality } from '../collect/quality.ts';
import { type ReadRows, readRows } from '../collect/source-rows.ts';

/** A record with its `quality`, which says which fields are rounded, hidden or not exposed (see {@link Quality}). */
export interface Graded<R> {
  record: R;
  quality: Quality;
}

/** Converts a list of Instagram posts to records. Leaves out posts without IDs, because their format is unknown. */
export function identifiedRows<T, R extends { id: string | null; platform_content_id: string | null }>(
  source: string,
  sent: readonly T[],
  read: (row: T) => Graded<R>,
): ReadRows<Graded<R>> {
  return readRows(source, sent, (row) => {
    const graded = read(row);
    const { id, platform_content_id } = graded.record;
    return id === null || platform_content_id === null ? null : graded;
  });
}

/**
 * Combines records into one list with one `quality` map. Each path in `quality` begins with the index of the record,
 * such as `0.likes`.
 */
export function gradedList<R>(rows: readonly Graded<R>[]): { record: R[]; quality: Quality } {
  const qualities: Quality = {};
  for (const [row, { quality }] of rows.entries())
    for (const [path, grade] of Object.entries(quality)) qualities[`${row}.${path}`] = grade;
  return { record: rows.map((row) => row.record), quality: qualities };
}
