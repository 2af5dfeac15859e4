import type { Quality } from '../collect/quality.ts';
import { type ReadRows, readRows } from '../collect/source-rows.ts';

/** A record with the quality of its fields, see {@link Quality}. */
export interface Graded<R> {
  record: R;
  quality: Quality;
}

/** Reads the rows of a list of media. A row without IDs has an unknown format and is left out. */
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

/** Combines rows into one list. In `quality`, each path begins with the row index. */
export function gradedList<R>(rows: readonly Graded<R>[]): { record: R[]; quality: Quality } {
  const qualities = rows.flatMap(({ quality }, row) =>
    Object.entries(quality).map(([path, grade]) => [`${row}.${path}`, grade] as const),
  );
  return { record: rows.map((row) => row.record), quality: Object.fromEntries(qualities) };
}

/** Returns `not_exposed` for each listed field that is null in the record. */
export function notExposed<R extends object>(record: R, fields: readonly (keyof R & string)[]): Quality {
  return Object.fromEntries(fields.filter((field) => record[field] === null).map((field) => [field, 'not_exposed']));
}
