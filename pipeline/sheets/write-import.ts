import type { Covered, SheetImport } from '../../db/deliveries/sheet-imports.ts';
import { PushError, type SheetsClient } from './client.ts';
import { type CellPosition, readCell } from './ranges.ts';
import { isHeaderOf, type SheetCell, type SheetTable } from './tables.ts';
import {
  addTab,
  applyChanges,
  area,
  type Block,
  clearBlocks,
  findTab,
  formats,
  growth,
  openTab,
  readBlocks,
  type Tab,
  type TabAccess,
  writeBlocks,
} from './tabs.ts';

/**
 * Functions that store how far a sheet import has written. If the process is killed, another process can then continue
 * the import.
 */
interface WriteState {
  /** Stores which cells of the spreadsheet the table of the import covers. */
  cover(covered: Covered): Promise<void>;
  /**
   * Stores the row of the sheet at which this run begins to append. When a row is already stored for the run, keeps it.
   * Returns the stored row.
   */
  reserve(row: number): Promise<number>;
}

type ImportTable = Omit<SheetTable, 'key'>;

interface Writing {
  target: SheetImport;
  table: ImportTable;
  access: TabAccess;
  tab: Tab;
  corner: CellPosition;
  state: WriteState;
}

/** Maximum number of rows that one request to the Sheets API writes. */
const rowsAtOnce = 1_000;
/** Maximum number of cell ranges that one request to the Sheets API writes. */
const rangesAtOnce = 500;

/**
 * Writes the rows of a sheet import, starting at the cell that the user chose, and returns how many were written.
 * Changes only cells in the columns of its own table. The first column must be `url`, because every row has it. Can
 * safely be called again after a failure. Throws PushError.
 */
export async function writeImport(
  client: SheetsClient,
  target: SheetImport,
  table: ImportTable,
  state: WriteState,
  signal: AbortSignal,
): Promise<number> {
  const corner = readCell(target.target_cell);
  if (!corner)
    throw new Error(
      `The target of sheet import ${target.import_id} of workspace ${target.workspace_id} is not a cell.`,
    );
  const access = openTab(client, target, target.target_sheet, signal);
  const width = corner.column + table.columns.length - 1;
  const tab = (await findTab(access)) ?? (await addTab(access, width));
  const writing = { target, table, access, tab, corner, state };
  // Adds missing columns and the row of the header first, because the Sheets API cannot read cells that the tab does
  // not have.
  await grow(writing, corner.row + 1);
  if (target.mode === 'append') return append(writing);
  return target.mode === 'update' ? update(writing) : replace(writing);
}

/**
 * Adds rows and columns to the tab until it is large enough for the table. Stores the new size in `tab`, so that a
 * second call does not add them again.
 */
async function grow({ access, tab, corner, table }: Writing, lastRow: number): Promise<void> {
  const needed = { rows: lastRow, columns: corner.column + table.columns.length - 1 };
  await applyChanges(access, growth(tab, needed));
  tab.rows = Math.max(tab.rows, needed.rows);
  tab.columns = Math.max(tab.columns, needed.columns);
}

/**
 * Returns the cells of some rows of the table in A1 notation, from row `first` to row `last`. Row 0 is the header.
 * `columns` is the number of columns.
 */
function rowsOf({ corner, table }: Writing, first: number, last: number, columns = table.columns.length): string {
  const { row, column } = corner;
  return area(row + first, column, row + last, column + columns - 1);
}

async function replace(writing: Writing): Promise<number> {
  const { target, table, access, corner, state } = writing;
  const count = table.rows.length;
  const { covered_rows: oldRows, covered_fields } = target;
  const oldColumns = covered_fields?.length ?? 0;
  await grow(writing, corner.row + Math.max(count, oldRows));
  await refuseOtherContent(writing, count);
  const covered = { covered_rows: Math.max(count, oldRows), covered_fields: covered_fields ?? target.fields };
  await state.cover(covered);
  await writeRows(writing, 1, table.rows);
  const stale: string[] = [];
  if (oldRows > count) stale.push(rowsOf(writing, count + 1, oldRows, Math.max(oldColumns, table.columns.length)));
  if (oldColumns > table.columns.length) {
    const { row, column } = corner;
    stale.push(area(row, column + table.columns.length, row + count, column + oldColumns - 1));
  }
  await clearBlocks(access, stale);
  await state.cover({ covered_rows: count, covered_fields: target.fields });
  return count;
}

/**
 * Protects the user's own cells: throws PushError when the table would overwrite content that this import did not
 * write. Otherwise writes the header, unless it is already correct.
 */
async function refuseOtherContent(writing: Writing, count: number): Promise<void> {
  const { target, table, access, corner } = writing;
  const { covered_rows: oldRows, covered_fields } = target;
  const isOwn = await hasOwnHeader(writing);
  const unknown: string[] = [];
  // True when this import has never written, but the sheet already has a table with the same headings. An import that
  // was deleted wrote that table, so it may be overwritten.
  const isAdopted = isOwn && covered_fields === null;
  if (count > oldRows && !isAdopted) unknown.push(rowsOf(writing, oldRows + 1, count));
  if (covered_fields && table.columns.length > covered_fields.length) {
    const last = corner.column + table.columns.length - 1;
    unknown.push(area(corner.row, corner.column + covered_fields.length, corner.row + count, last));
  }
  if (unknown.length > 0 && (await readBlocks(access, unknown)).some(hasContent))
    throw otherTable(writing, 'Cells for the table');
  if (!isOwn || !sameFields(target)) await writeHeader(writing);
}

const hasContent = (rows: unknown[][]) => rows.some((row) => row.some((cell) => cell !== '' && cell !== null));

const sameFields = ({ fields, covered_fields }: SheetImport) =>
  covered_fields === null ||
  (covered_fields.length === fields.length && fields.every((name, n) => covered_fields[n] === name));

/**
 * Returns true when the sheet already has the header of this import's table, even if the user renamed headings. Returns
 * false when the cells of the header are empty. Throws PushError when they have other content.
 */
async function hasOwnHeader(writing: Writing): Promise<boolean> {
  const { target, table, access } = writing;
  const [[header = []] = []] = await readBlocks(access, [rowsOf(writing, 0, 0)]);
  if (!hasContent([header])) return false;
  if (target.covered_fields !== null || isHeaderOf(table, header)) return true;
  throw otherTable(writing, 'The cells for the headings');
}

function otherTable({ target }: Writing, what: string): PushError {
  const cell = `${target.target_sheet}!${target.target_cell}`;
  const message = `${what} at ${cell} have other content, which an import does not overwrite: choose empty cells for the import.`;
  return new PushError('OTHER_TABLE', message);
}

async function writeHeader(writing: Writing): Promise<void> {
  await writeBlocks(writing.access, [{ cells: rowsOf(writing, 0, 0), values: [writing.table.columns] }]);
}

/**
 * Writes rows into the table, in several requests. `first` is the row of the table at which it begins. Row 0 is the
 * header.
 */
async function writeRows(writing: Writing, first: number, rows: SheetCell[][]): Promise<void> {
  const { access, corner, table, tab } = writing;
  if (rows.length === 0) return;
  const [top, left] = [corner.row + first - 2, corner.column - 1];
  await applyChanges(access, formats(tab, table, { top, left, bottom: top + 1 + rows.length }));
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    const values = rows.slice(start, start + rowsAtOnce);
    const cells = rowsOf(writing, first + start, first + start + values.length - 1);
    await writeBlocks(access, [{ cells, values }]);
  }
}

/** Returns the number of rows that the table in the spreadsheet has now, without the header. */
async function lengthOf(writing: Writing): Promise<number> {
  const { access, corner, tab } = writing;
  const [urls = []] = await readBlocks(access, [area(corner.row + 1, corner.column, tab.rows, corner.column)]);
  return urls.length;
}

async function append(writing: Writing): Promise<number> {
  const { table, state, access, corner, target } = writing;
  const isOwn = await hasOwnHeader(writing);
  const next = (isOwn ? await lengthOf(writing) : 0) + 1;
  const first = (await state.reserve(corner.row + next)) - corner.row;
  const last = first + table.rows.length - 1;
  await grow(writing, corner.row + last);
  // The cells below the table must be empty. They are not checked when an earlier attempt of this run reserved the row,
  // because they may contain rows of that attempt, which are written again.
  if (first === next && table.rows.length > 0) {
    const [below = []] = await readBlocks(access, [rowsOf(writing, first, last)]);
    if (hasContent(below)) throw otherTable(writing, 'The cells below the table');
  }
  if (!isOwn) await writeHeader(writing);
  await state.cover({ covered_rows: 0, covered_fields: target.fields });
  await writeRows(writing, first, table.rows);
  return table.rows.length;
}

/**
 * Names of the column that contains the ID of the account or post, by kind of import. In the mode `update`, the import
 * uses this ID to find the row that an earlier run wrote.
 */
export const idColumns = { profiles: 'account_id', posts: 'id', latest_posts: 'id' } as const;

async function update(writing: Writing): Promise<number> {
  const { table, access, corner, target, state } = writing;
  const isOwn = await hasOwnHeader(writing);
  const length = isOwn ? await lengthOf(writing) : 0;
  const idIndex = target.fields.indexOf(idColumns[target.kind]);
  const column = corner.column + idIndex;
  const read =
    length === 0 ? [] : await readBlocks(access, [area(corner.row + 1, column, corner.row + length, column)]);
  const known = new Map((read[0] ?? []).map((row, index) => [String(row[0] ?? ''), index + 1] as const));
  known.delete('');
  const byId = new Map(table.rows.map((row) => [String(row[idIndex]), row]));
  // A row without an ID contains an error instead of data. It is not written, so that the values of an earlier run stay
  // in the sheet.
  byId.delete('');
  const fresh = [...byId].filter(([id]) => !known.has(id)).map(([, row]) => row);
  await grow(writing, corner.row + length + fresh.length);
  if (fresh.length > 0) {
    const [below = []] = await readBlocks(access, [rowsOf(writing, length + 1, length + fresh.length)]);
    if (hasContent(below)) throw otherTable(writing, 'The cells below the table');
  }
  if (!isOwn) await writeHeader(writing);
  await state.cover({ covered_rows: 0, covered_fields: target.fields });
  const present = [...byId].flatMap(([id, row]) => {
    const at = known.get(id);
    return at === undefined ? [] : [{ at, row }];
  });
  const blocks = blocksOf(writing, present);
  for (let start = 0; start < blocks.length; start += rangesAtOnce)
    await writeBlocks(access, blocks.slice(start, start + rangesAtOnce));
  await writeRows(writing, length + 1, fresh);
  return byId.size;
}

/** Groups rows that are directly below each other in the sheet, so that each group is written as one range. */
function blocksOf(writing: Writing, rows: { at: number; row: SheetCell[] }[]): Block[] {
  const groups: { at: number; values: SheetCell[][] }[] = [];
  for (const { at, row } of rows.toSorted((a, b) => a.at - b.at)) {
    const last = groups.at(-1);
    if (last && last.at + last.values.length === at && last.values.length < rowsAtOnce) last.values.push(row);
    else groups.push({ at, values: [row] });
  }
  return groups.map(({ at, values }) => ({ cells: rowsOf(writing, at, at + values.length - 1), values }));
}
