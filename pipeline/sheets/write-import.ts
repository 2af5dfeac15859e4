import type { SheetImport } from '../../db/deliveries/sheet-imports.ts';
import { appendPosition, isLink } from './append-position.ts';
import { PushError, type SheetsClient } from './client.ts';
import { hasOwnHeader, protectNewColumns, widestFields, writeHeader } from './import-header.ts';
import {
  cornerOf,
  cover,
  formatRows,
  forTab,
  grow,
  type ImportTable,
  linksOf,
  refuseContent,
  rowsOf,
  type WriteLimits,
  type WriteState,
  type Writing,
} from './import-writing.ts';
import type { SheetCell } from './tables.ts';
import { addTab, area, clearBlocks, findTab, openTab, type Tab, type TabAccess, writeBlocks } from './tabs.ts';
import { update } from './update-rows.ts';

export interface ImportWrite {
  client: SheetsClient;
  target: SheetImport;
  table: ImportTable;
  state: WriteState;
  limits: WriteLimits;
  signal: AbortSignal;
}

/**
 * Writes the rows of a sheet import, starting at the cell that the user chose. Returns how many rows the run has
 * written, or null when a later call must write the rest. Changes only cells in the columns of its own table. The first
 * column must be `url`, because every row has a URL. Can safely be called again after a failure. Throws PushError.
 */
export async function writeImport({ client, signal, ...write }: ImportWrite): Promise<number | null> {
  const { target, table } = write;
  const corner = cornerOf(target);
  const access = openTab(client, target, target.target_sheet, signal);
  const found = await findTab(access);
  try {
    const tab = found ?? (await addTab(access, corner.column + table.columns.length - 1));
    const own = forTab(target, tab);
    const deletedRows = own === target ? 0 : target.covered_rows;
    return await writeTable({ ...write, target: own, deleted_rows: deletedRows, access, tab, corner });
  } catch (error) {
    if (!(error instanceof PushError) || error.problem !== 'REFUSED' || !(await isChanged(access, found))) throw error;
    const message = `The tab ${target.target_sheet} was changed while the run wrote into it: we try again later.`;
    throw new PushError('TRY_AGAIN', message);
  }
}

/**
 * Returns true when the tab was added, deleted, renamed or made smaller during the run, by a person or another import.
 * Google then refuses to read and write the missing cells. `tab` is the tab with its expected size, or null.
 */
async function isChanged(access: TabAccess, tab: Tab | null): Promise<boolean> {
  const now = await findTab(access);
  if (now === null || tab === null) return now !== tab;
  return now.sheet_id !== tab.sheet_id || now.rows < tab.rows || now.columns < tab.columns;
}

async function writeTable(writing: Writing): Promise<number | null> {
  // Adds missing columns and the row of the header first, because the Sheets API cannot read cells that the tab does
  // not have.
  await grow(writing, writing.corner.row + 1);
  if (writing.target.mode === 'append') return append(writing);
  return writing.target.mode === 'update' ? update(writing) : replace(writing);
}

async function replace(writing: Writing): Promise<number | null> {
  const { target, table, access, corner } = writing;
  const count = table.keys.length;
  const { covered_rows: coveredRows, covered_fields } = target;
  const oldColumns = covered_fields?.length ?? 0;
  await grow(writing, corner.row + Math.max(count, coveredRows));
  const isAdopted = await refuseOtherContent(writing, count);
  const oldRows = isAdopted ? await copiedRows(writing) : coveredRows;
  await cover(writing, Math.max(count, oldRows), widestFields(target));
  if (!(await writeRows(writing, 1, await keptRows(writing, 1)))) return null;
  const stale: string[] = [];
  if (oldRows > count) stale.push(rowsOf(writing, count + 1, oldRows, Math.max(oldColumns, table.columns.length)));
  if (oldColumns > table.columns.length) {
    const { row, column } = corner;
    stale.push(area(row, column + table.columns.length, row + count, column + oldColumns - 1));
  }
  await clearBlocks(access, stale);
  await cover(writing, count, target.fields);
  return count;
}

/**
 * Protects the user's own cells: throws PushError when the table would overwrite content that this import did not
 * write. Otherwise writes the header, unless it is already correct. Returns true when the tab already has a table with
 * the same headings that this import did not write (an adopted table).
 */
async function refuseOtherContent(writing: Writing, count: number): Promise<boolean> {
  const { covered_rows: oldRows, covered_fields } = writing.target;
  const isOwn = await hasOwnHeader(writing);
  await protectNewColumns(writing, count);
  // True when this import has never written into this tab, but the tab has a table with the same headings. That table
  // may be overwritten, because an import that was deleted wrote it, or the tab is a copy.
  const isAdopted = isOwn && covered_fields === null;
  if (count > oldRows && !isAdopted) await refuseContent(writing, oldRows + 1, count, 'Cells for the table');
  await writeHeader(writing, isOwn);
  return isAdopted;
}

/**
 * Returns how many rows of an adopted table are copies of rows that the import wrote into the deleted tab. Counts at
 * most as many rows as the import wrote there, and stops at the first empty link, because every row of an import has a
 * link.
 */
async function copiedRows(writing: Writing): Promise<number> {
  const links = await linksOf(writing, 1, Math.min(writing.deleted_rows, writing.tab.rows - writing.corner.row));
  const end = links.findIndex((link) => String(link ?? '') === '');
  return end === -1 ? links.length : end;
}

/**
 * Writes the rows of the table from index `start` on, in several requests. `first` is the row in the sheet's table for
 * index 0, and row 0 is the header. Returns false when a later call must write the rest.
 */
async function writeRows(writing: Writing, first: number, start: number): Promise<boolean> {
  const { access, table, state, limits } = writing;
  await formatRows(writing, first + start, table.keys.length - start);
  let next = start;
  for await (const values of requestsOf(table.rows(), start, limits.rows)) {
    if (next - start === limits.requests * limits.rows) return false;
    const cells = rowsOf(writing, first + next, first + next + values.length - 1);
    await writeBlocks(access, [{ cells, values }]);
    next += values.length;
    await state.advance(next);
  }
  return true;
}

/**
 * Returns the number of rows that earlier calls have written and that need not be written again. Returns 0 when the
 * sheet no longer has the links of these rows, because the user has changed it in the meantime.
 */
async function keptRows(writing: Writing, first: number): Promise<number> {
  const { table, state } = writing;
  const links = await linksOf(writing, first, first + state.written - 1);
  return table.keys.slice(0, state.written).every((url, index) => isLink(links[index], url)) ? state.written : 0;
}

/** Yields the rows in lists of `size` rows, without the first `skipped` rows. */
async function* requestsOf(
  parts: AsyncIterable<SheetCell[][]>,
  skipped: number,
  size: number,
): AsyncGenerator<SheetCell[][], void> {
  const rows: SheetCell[][] = [];
  let left = skipped;
  for await (const part of parts) {
    rows.push(...part.slice(left));
    left = Math.max(0, left - part.length);
    while (rows.length >= size) yield rows.splice(0, size);
  }
  if (rows.length > 0) yield rows;
}

async function append(writing: Writing): Promise<number | null> {
  const { table, state, corner, target } = writing;
  const isOwn = await hasOwnHeader(writing);
  const links = isOwn || state.written > 0 ? await linksOf(writing, 1, writing.tab.rows - corner.row) : [];
  const end = links.length;
  const reserved = (await state.reserve(corner.row + end + 1)) - corner.row;
  const { first, start } = appendPosition(writing, links, reserved);
  if (first !== reserved || start !== state.written) await state.move(corner.row + first, start);
  const last = first + table.keys.length - 1;
  await grow(writing, corner.row + last);
  // So far, only the first column was read, because Google's answer with all columns could be too large. All other
  // cells below the table must be empty too.
  await refuseContent(writing, Math.max(first + start, end + 1), last, 'The cells below the table');
  if (isOwn) await protectNewColumns(writing, 0);
  await writeHeader(writing, isOwn);
  await cover(writing, 0, isOwn ? widestFields(target) : target.fields);
  return (await writeRows(writing, first, start)) ? table.keys.length : null;
}
