import { stringify } from 'csv-stringify/sync';

/**
 * Returns CSV (RFC 4180) with a header row. A null value becomes an empty cell. Text that a spreadsheet would run as a formula
 * is escaped.
 */
export function csvOf(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return stringify([...rows], {
    header: true,
    columns: [...columns],
    escape_formulas: true,
    record_delimiter: 'windows',
    cast: { boolean: (value) => (value ? 'true' : 'false') },
  });
}
