import type { LinkFormat } from '../../pipeline/links/addresses.ts';
import type { LinkTable } from '../../pipeline/links/tables.ts';
import { csvOf } from '../../pipeline/rows/csv.ts';
import { fieldLabel } from '../../pipeline/rows/field-labels.ts';
import { type TableCell, xlsxOf } from '../../pipeline/rows/xlsx.ts';
import { platformNames } from '../dashboard/ui/platform-names.ts';

/** Returns the table in a format: CSV and Excel with headings for people, JSON as one object for each row. `name` is that of the sheet. */
export function formatTable(table: LinkTable, format: LinkFormat, name: string): string | ReadableStream<Uint8Array> {
  const named = {
    ...table,
    rows: table.rows.map((row) => row.map((cell, index) => shown(table.columns[index], cell))),
  };
  if (format === 'json') return jsonOf(named);
  const headings = named.columns.map(fieldLabel);
  if (format === 'xlsx') return xlsxOf({ name, headings, rows: named.rows });
  return csvOf(
    headings,
    named.rows.map((row) => row.map(csvCell)),
  );
}

/** Returns the name that people use for a platform, and any other cell unchanged. */
function shown(column: string | undefined, cell: TableCell): TableCell {
  return column === 'platform' && typeof cell === 'string' ? (platformNames[cell] ?? cell) : cell;
}

function jsonOf({ columns, rows }: LinkTable): string {
  return JSON.stringify(rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]]))));
}

/** Returns a time in the form that spreadsheets recognise, such as `2026-11-20 10:00:00`. It is in UTC. */
function csvCell(cell: TableCell): TableCell {
  return cell instanceof Date ? cell.toISOString().slice(0, 19).replace('T', ' ') : cell;
}
