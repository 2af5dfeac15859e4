import type { Quality } from '../collect.ts';

/** A record with what is not exact about it. */
export interface Graded<R> {
  record: R;
  quality: Quality;
}

/** Rows as one list, the quality of each under its index. */
export function gradedList<R>(rows: readonly Graded<R>[]): { record: R[]; quality: Quality } {
  const qualities = rows.flatMap(({ quality }, row) =>
    Object.entries(quality).map(([path, grade]) => [`${row}.${path}`, grade] as const),
  );
  return { record: rows.map((row) => row.record), quality: Object.fromEntries(qualities) };
}

/** Marks the fields that are null, and only those, as not exposed by the source. */
export function notExposed<R extends object>(record: R, fields: readonly (keyof R & string)[]): Quality {
  return Object.fromEntries(fields.filter((field) => record[field] === null).map((field) => [field, 'not_exposed']));
}
