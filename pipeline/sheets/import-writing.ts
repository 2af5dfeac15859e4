import type { Covered, SheetImport } from '../../db/deliveries/sheet-imports.ts';
import { PushError } from './client.ts';
import type { CellPosition } from './ranges.ts';
import { isHeaderOf, type SheetCell, type SheetTable } from './tables.ts';
import { applyChanges, area, formats, growth, readBlocks, type Tab, type TabAccess, writeBlocks } from './tabs.ts';

/**
 * Functions that store how far a sheet import has written. If the process is killed, another process can then continue
 * the import.
 */
export interface WriteState {
  /** Stores which cells of the spreadsheet the table of the import covers. */
  cover(covered: Covered): Promise<void>;
  /**
   * Stores the row of the sheet at which this run begins to append. When a row is already stored for the run, keeps it.
   * Returns the stored row.
   */
  reserve(row: number): Promise<number>;
  /** Stores another row at which this run begins to append, and how many of its rows are written. */
  move(row: number, written: number): Promise<void>;
  /** Number of rows that earlier calls for this run have written. */
  written: number;
  /** Stores how many rows of this run are written. */
  advance(written: number): Promise<void>;
}

/** The table of a sheet import. Its rows are read in parts, because all of them can be too large for the memory. */
export interface ImportTable extends Omit<SheetTable, 'key' | 'rows'> {
  /** For each row its URL, or the ID of its account or post in the mode `update`. Empty when the row has none. */
  keys: string[];
  rows(): AsyncIterable<SheetCell[][]>;
}

export interface Writing {
  target: SheetImport;
  table: ImportTable;
  access: TabAccess;
  tab: Tab;
  corner: CellPosition;
  state: WriteState;
}

/** Maximum number of rows that one request to the Sheets API writes. */
export const rowsAtOnce = 1_000;
/**
 * Maximum number of requests with rows in one call of {@link writeImport}. All workspaces together can send 60 writes a
 * minute to the Sheets API, so that one large import must leave some for others.
 */
export const requestsAtOnce = 10;

/**
 * Adds rows and columns to the tab until it is large enough for the table. Stores the new size in `tab`, so that a
 * second call does not add them again.
 */
export async function grow({ access, tab, corner, table }: Writing, lastRow: number): Promise<void> {
  const needed = { rows: lastRow, columns: corner.column + table.columns.length - 1 };
  await applyChanges(access, growth(tab, needed));
  tab.rows = Math.max(tab.rows, needed.rows);
  tab.columns = Math.max(tab.columns, needed.columns);
}

/**
 * Returns the cells of some rows of the table in A1 notation, from row `first` to row `last`. Row 0 is the header.
 * `columns` is the number of columns.
 */
export function rowsOf(
  { corner, table }: Writing,
  first: number,
  last: number,
  columns = table.columns.length,
): string {
  const { row, column } = corner;
  return area(row + first, column, row + last, column + columns - 1);
}

export const hasContent = (rows: unknown[][]) => rows.some((row) => row.some((cell) => cell !== '' && cell !== null));

/**
 * Returns true when the sheet already has the header of this import's table, even if the user renamed headings. Returns
 * false when the cells of the header are empty. Throws PushError when they have other content.
 */
export async function hasOwnHeader(writing: Writing): Promise<boolean> {
  const { target, table, access } = writing;
  const [[header = []] = []] = await readBlocks(access, [rowsOf(writing, 0, 0)]);
  if (!hasContent([header])) return false;
  if (target.covered_fields !== null || isHeaderOf(table, header)) return true;
  throw otherTable(writing, 'The cells for the headings');
}

/** Returns the error for cells that the import did not write and therefore does not overwrite. `what` names them. */
export function otherTable({ target }: Writing, what: string): PushError {
  const cell = `${target.target_sheet}!${target.target_cell}`;
  const message = `${what} at ${cell} have other content, which an import does not overwrite: choose empty cells for the import.`;
  return new PushError('OTHER_TABLE', message);
}

export async function writeHeader(writing: Writing): Promise<void> {
  await writeBlocks(writing.access, [{ cells: rowsOf(writing, 0, 0), values: [writing.table.columns] }]);
}

/** Returns the number of rows that the table in the spreadsheet has now, without the header. */
export async function lengthOf(writing: Writing): Promise<number> {
  const { access, corner, tab } = writing;
  const [urls = []] = await readBlocks(access, [area(corner.row + 1, corner.column, tab.rows, corner.column)]);
  return urls.length;
}

/** Formats the date columns of `count` rows of the table, from row `first` on. */
export async function formatRows({ access, corner, table, tab }: Writing, first: number, count: number): Promise<void> {
  if (count === 0) return;
  const [top, left] = [corner.row + first - 2, corner.column - 1];
  await applyChanges(access, formats(tab, table, { top, left, bottom: top + 1 + count }));
}
