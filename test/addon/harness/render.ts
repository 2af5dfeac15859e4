import { address, readAddress } from './a1.ts';
import type { CellState, Grid } from './world.ts';

const maxShownCharacters = 28;

/** Returns the grid as text, one line per row, with numbers aligned to the right. */
export function renderText(grid: Grid): string {
  const table = cellTable(grid).map((row) => row.map((cell) => ({ cell, text: shownText(cell) })));
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.text.length ?? 0)));
  const lines = table.map((row) =>
    row.map(({ cell, text }, column) => pad(cell, text, widths[column] ?? 0)).join(' | '),
  );
  return lines.map((line) => line.trimEnd()).join('\n');
}

function pad(cell: CellState | undefined, text: string, width: number): string {
  return cell?.type === 'number' ? text.padStart(width) : text.padEnd(width);
}

/** Returns the grid as an HTML page for people, with a color for each type of cell. */
export function renderHtml(grid: Grid): string {
  const rows = cellTable(grid).map((row) => {
    const cells = row.map((cell) => `<td class="${cell?.type ?? 'blank'}">${escapeHtml(shownText(cell))}</td>`);
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sheet</title><style>
table { border-collapse: collapse; font: 13px sans-serif } td { border: 1px solid #ccc; padding: 2px 6px }
.number, .date { text-align: right; color: #064 } .boolean { text-align: center; color: #048 } .error { color: #c00 }
</style><table>${rows.join('\n')}</table></html>\n`;
}

function cellTable(grid: Grid): (CellState | undefined)[][] {
  const used = Object.keys(grid).map(readAddress);
  const rows = Math.max(0, ...used.map(({ row }) => row));
  const columns = Math.max(0, ...used.map(({ column }) => column));
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => grid[address({ row: row + 1, column: column + 1 })]),
  );
}

function shownText(cell: CellState | undefined): string {
  if (cell === undefined) return '';
  const text = typeof cell.value === 'boolean' ? String(cell.value).toUpperCase() : String(cell.value);
  const line = text.replace(/\s+/g, ' ');
  return line.length > maxShownCharacters ? `${line.slice(0, maxShownCharacters - 1)}…` : line;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
