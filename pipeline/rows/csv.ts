import { stringify } from 'csv-stringify/sync';

/**
 * Matches the position in a text where a spreadsheet would start a formula. An apostrophe is inserted there, so that
 * the spreadsheet does not run the text as a formula.
 * In countries with a decimal comma, Excel starts a new cell at each semicolon and a new row at each line break.
 * Formulas without `(`, `|` or `!` do not match, because only function calls, links to other programs and references to
 * other files can do harm.
 */
const innerFormula = /(^ +|[;\r\n] *)(?=[=+\-@\uff1d\uff0b\uff0d\uff20][^;\r\n]*[(|!])/g;

/**
 * Returns a table as CSV (RFC 4180), by default with a header row. A null value becomes an empty cell. Escapes texts
 * that a spreadsheet would run as a formula.
 */
export function csvOf(
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  { header = true }: { header?: boolean } = {},
): string {
  return stringify([...rows], {
    header,
    columns: [...columns],
    escape_formulas: true,
    record_delimiter: 'windows',
    // Also quotes texts that contain a single line feed. The library does not do this when record_delimiter is set.
    quote_record_delimiter: true,
    // With one column, an empty cell would be an empty line. Many programs skip empty lines.
    quoted_empty: columns.length === 1,
    cast: {
      boolean: (value) => (value ? 'true' : 'false'),
      string: (value) => value.replace(innerFormula, "$1'"),
    },
  });
}
