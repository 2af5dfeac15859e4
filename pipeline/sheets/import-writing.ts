import type { Covered, SheetImport } from '../../db/deliveries/sheet-imports.ts';
import { PushError } from './client.ts';
import { type CellPosition, readCell } from './ranges.ts';
import type { SheetCell, SheetTable } from './tables.ts';
import { applyChanges, area, formats, growth, readBlocks, type Tab, type TabAccess } from './tabs.ts';

/**
 * Functions that store how far a sheet import has written. If the process is killed, another process can then continue
 * the import.
 */
export interface WriteState {
  /** Stores which cells of the spreadsheet are covered by the import's table. */
  cover(covered: Covered): Promise<void>;
  /**
   * Stores the row of the sheet at which this run begins to append, unless a row is already stored for the run. Returns
   * the stored row.
   */
  reserve(row: number): Promise<number>;
  /** Replaces the row at which this run begins to append, and the number of its rows that are already written. */
  move(row: number, written: number): Promise<void>;
  /** Number of rows that earlier calls for this run have written. */
  written: number;
  /** Stores how many rows of this run are written. */
  advance(written: number): Promise<void>;
}

/** The table of a sheet import. Its rows are read in parts, because all rows may be too large for the memory. */
export interface ImportTable extends Omit<SheetTable, 'key' | 'rows'> {
  /** For each row, its URL; in the mode `update`, the ID of its account or post. Empty when the row has none. */
  keys: string[];
  rows(): AsyncIterable<SheetCell[][]>;
}

/** Limits of the requests that one call of {@link writeImport} sends to the Sheets API. */
export interface WriteLimits {
  /** Maximum number of rows that one request writes. */
  rows: number;
  /** Maximum number of cell ranges that one request writes. */
  ranges: number;
  /** Maximum number of requests with rows. */
  requests: number;
}

/**
 * The limits of all sheet imports. All workspaces together can send 60 write requests per minute to the Sheets API, so
 * one large import must not use all of them.
 */
export const writeLimits: WriteLimits = { rows: 1_000, ranges: 500, requests: 10 };

export interface Writing {
  target: SheetImport;
  /**
   * Number of rows that the import wrote into an earlier tab of this name, which was deleted. 0 when the tab was not
   * replaced.
   */
  deleted_rows: number;
  table: ImportTable;
  access: TabAccess;
  tab: Tab;
  corner: CellPosition;
  state: WriteState;
  limits: WriteLimits;
}

/** Returns the cell where the header of an import begins, such as `Sheet1!A1`, for messages. */
export const cellOf = ({ target_sheet, target_cell }: SheetImport) => `${target_sheet}!${target_cell}`;

/** Returns the position of the cell where the header of an import begins. */
export function cornerOf({ workspace_id, import_id, target_cell }: SheetImport): CellPosition {
  const corner = readCell(target_cell);
  if (corner) return corner;
  throw new Error(`The target of sheet import ${import_id} of workspace ${workspace_id} is not a cell.`);
}

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
 * Returns the range of the rows `first` to `last` of the table in A1 notation. Row 0 is the header. `columns` is the
 * number of columns.
 */
export function rowsOf(
  { corner, table }: { corner: CellPosition; table: Pick<SheetTable, 'columns'> },
  first: number,
  last: number,
  columns = table.columns.length,
): string {
  const { row, column } = corner;
  return area(row + first, column, row + last, column + columns - 1);
}

export const hasContent = (rows: readonly (readonly unknown[])[]) =>
  rows.some((row) => row.some((cell) => cell !== '' && cell !== null));

/**
 * Returns the error for cells with content that the import did not write and therefore does not overwrite. `what` names
 * the cells.
 */
export function otherTable({ target }: Pick<Writing, 'target'>, what: string): PushError {
  const message = `${what} at ${cellOf(target)} have other content, which an import does not overwrite: choose empty cells for the import.`;
  return new PushError('OTHER_TABLE', message);
}

/**
 * Stores that the table of the import covers these rows and columns of its tab. Must be called before and after
 * writing.
 */
export function cover({ state, tab }: Writing, rows: number, fields: string[]): Promise<void> {
  return state.cover({ covered_rows: rows, covered_fields: fields, covered_sheet_id: tab.sheet_id });
}

/**
 * Returns the settings of an import for the tab `sheet_id`. If earlier runs wrote into a different tab (someone deleted
 * that tab and created a new one with its name), the returned settings say that no cell belongs to the import yet.
 */
export function forTab(target: SheetImport, { sheet_id }: Tab): SheetImport {
  const { covered_sheet_id: covered } = target;
  return covered === null || covered === sheet_id ? target : { ...target, covered_rows: 0, covered_fields: null };
}

/** Throws PushError when the rows `first` to `last` of the table are not empty. `what` names the cells. */
export async function refuseContent(writing: Writing, first: number, last: number, what: string): Promise<void> {
  if (first > last) return;
  const [rows = []] = await readBlocks(writing.access, [rowsOf(writing, first, last)]);
  if (hasContent(rows)) throw otherTable(writing, what);
}

/**
 * Returns the cells in the first column of the table, from row `first` to row `last`, without empty cells at the end.
 */
export async function linksOf({ access, corner }: Writing, first: number, last: number): Promise<unknown[]> {
  if (first > last) return [];
  const [links = []] = await readBlocks(access, [
    area(corner.row + first, corner.column, corner.row + last, corner.column),
  ]);
  return links.map(([link]) => link);
}

/** Formats the date columns in `count` rows of the table, starting with row `first`. */
export async function formatRows({ access, corner, table, tab }: Writing, first: number, count: number): Promise<void> {
  if (count === 0) return;
  const [top, left] = [corner.row + first - 2, corner.column - 1];
  await applyChanges(access, formats(tab, table, { top, left, bottom: top + 1 + count }));
}
