import type { FieldCount } from '../../db/requests/field-counts.ts';
import type { Collected } from './collect.ts';
import type { Quality } from './quality.ts';

/**
 * Field statistics by data source: the number of records, and for each field how many records had a value and how many
 * of these values were rounded.
 */
export type FieldCounts = Record<
  string,
  { records: number; fields: Record<string, [present: number, rounded: number]> }
>;

/**
 * Adds one record to the field statistics of its data source. A field that is null or an empty list counts as missing.
 * `prefix` is the beginning of this record's paths in `quality`, such as `0.` for the first row of a list.
 */
export function countFields(
  counts: FieldCounts,
  source: string,
  record: Readonly<Record<string, unknown>>,
  quality: Quality,
  prefix = '',
): void {
  counts[source] ??= { records: 0, fields: {} };
  const counted = counts[source];
  counted.records += 1;
  for (const [name, value] of Object.entries(record)) {
    counted.fields[name] ??= [0, 0];
    const field = counted.fields[name];
    if (value === null || (Array.isArray(value) && value.length === 0)) continue;
    field[0] += 1;
    if (quality[`${prefix}${name}`] === 'rounded') field[1] += 1;
  }
}

/**
 * Returns the field statistics of one answer: how often each record field had a value, was missing or was rounded. Each
 * row of a list counts as one record.
 */
export function fieldCountsOf(collector: string, { record, source, quality }: Collected<unknown>): FieldCount[] {
  const isList = Array.isArray(record);
  const rows = (isList ? record : [record]) as Record<string, unknown>[];
  const counts: FieldCounts = {};
  for (const [index, row] of rows.entries()) countFields(counts, source, row, quality, isList ? `${index}.` : '');
  const { records = 0, fields = {} } = counts[source] ?? {};
  return Object.entries(fields).map(([field, [given, rounded]]) => {
    return { collector, source, field, given, missing: records - given, rounded };
  });
}
