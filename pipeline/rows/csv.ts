import { stringify } from 'csv-stringify/sync';

/**
 * Matches the position before a formula inside a text, where an apostrophe is inserted. In countries with a decimal comma, Excel starts a
 * new cell at each semicolon of a text and a new row at each line break. Only formulas with `(`, `|` or `!` match, because only function
 * calls, links to other programs and references to other files can do harm. Other lines that begin with a mention or a dash stay unchanged.
 */
const innerFormula = /(^ +|[;\r\n] *)(?=[=+\-@\uff1d\uff0b\uff0d\uff20][^;\r\n]*[(|!])/g;

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
    // Also quotes a text with a single line feed, which the library does not do when record_delimiter is set.
    quote_record_delimiter: true,
    cast: {
      boolean: (value) => (value ? 'true' : 'false'),
      string: (value) => value.replace(innerFormula, "$1'"),
    },
  });
}
