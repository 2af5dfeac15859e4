import { stringify } from 'csv-stringify/sync';

/** RFC 4180 with a header row, null as an empty cell; text that a spreadsheet would take for a formula is escaped. */
export function csvOf(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return stringify([...rows], {
    header: true,
    columns: [...columns],
    escape_formulas: true,
    record_delimiter: 'windows',
    cast: { boolean: (value) => (value ? 'true' : 'false') },
  });
}
