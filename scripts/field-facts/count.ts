import type { Quality } from '../../pipeline/collect/quality.ts';

/** How often each source gave each field: the number of records that had it, and how many of these were rounded. */
export type FieldCounts = Record<
  string,
  { records: number; fields: Record<string, [present: number, rounded: number]> }
>;

/** Adds one record to the counts of its source. A field that is null or an empty list is not present. */
export function countFields(
  counts: FieldCounts,
  source: string,
  record: Readonly<Record<string, unknown>>,
  quality: Quality,
): void {
  counts[source] ??= { records: 0, fields: {} };
  const counted = counts[source];
  counted.records += 1;
  for (const [name, value] of Object.entries(record)) {
    counted.fields[name] ??= [0, 0];
    const field = counted.fields[name];
    if (value === null || (Array.isArray(value) && value.length === 0)) continue;
    field[0] += 1;
    if (quality[name] === 'rounded') field[1] += 1;
  }
}
