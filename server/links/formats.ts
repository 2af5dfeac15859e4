import type { LinkFormat } from '../../pipeline/links/addresses.ts';
import type { LinkTable } from '../../pipeline/links/tables.ts';
import { csvOf } from '../../pipeline/rows/csv.ts';
import { fieldLabel } from '../../pipeline/rows/field-labels.ts';
import { type TableCell, xlsxOf } from '../../pipeline/rows/xlsx.ts';
import { platformNames } from '../dashboard/ui/platform-names.ts';

/**
 * Returns the table of a data link in a format. CSV and Excel have headings for people, and JSON has one object for
 * each row. `name` is the name of the Excel sheet.
 */
export function formatTable(table: LinkTable, format: LinkFormat, name: string): string | ReadableStream<Uint8Array> {
  const { columns, own = { headings: [], rows: [] } } = table;
  const rows = table.rows.map((row, index) => [
    ...own.headings.map((_, column) => own.rows[index]?.[column] ?? ''),
    ...row.map((cell, column) => shown(columns[column], cell)),
  ]);
  if (format === 'json') return jsonOf(keysOf(own.headings, columns), rows);
  const headings = [...own.headings, ...columns.map(fieldLabel)];
  if (format === 'xlsx') return xlsxOf({ name, headings, rows });
  return csvOf(
    headings,
    rows.map((row) => row.map(csvCell)),
  );
}

/**
 * Returns the keys of the JSON objects of a data link. When a column that the user uploaded has the same name as
 * another column, its key gets a number, so that both values appear.
 */
function keysOf(own: readonly string[], columns: readonly string[]): string[] {
  const used = new Set(columns);
  const keys = own.map((heading) => {
    let key = heading;
    for (let copy = 2; used.has(key); copy += 1) key = `${heading} ${copy}`;
    used.add(key);
    return key;
  });
  return [...keys, ...columns];
}

/**
 * Returns the name that people use for a platform when the cell is in the column `platform`. Returns any other cell
 * unchanged.
 */
function shown(column: string | undefined, cell: TableCell): TableCell {
  return column === 'platform' && typeof cell === 'string' ? (platformNames[cell] ?? cell) : cell;
}

function jsonOf(columns: readonly string[], rows: readonly (readonly TableCell[])[]): string {
  return JSON.stringify(rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]]))));
}

/**
 * Returns a time in UTC in the form that spreadsheets recognize, such as `2026-11-20 10:00:00`. Other cells are
 * returned unchanged.
 */
function csvCell(cell: TableCell): TableCell {
  return cell instanceof Date ? cell.toISOString().slice(0, 19).replace('T', ' ') : cell;
}
