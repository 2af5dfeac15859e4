import type { SheetImport } from '../../db/deliveries/sheet-imports.ts';
import { PushError, type SheetsClient } from './client.ts';
import { cellOf, cornerOf, forTab, hasContent, otherTable, rowsOf, type Writing } from './import-writing.ts';
import { isHeaderOf, type SheetTable, tableOf } from './tables.ts';
import { area, findTab, openTab, readBlocks, writeBlocks } from './tabs.ts';

/** A header in a sheet: its position and its headings. */
interface HeaderCells extends Pick<Writing, 'target' | 'access' | 'tab' | 'corner'> {
  table: Pick<SheetTable, 'columns' | 'former_columns'>;
}

/**
 * Throws PushError when a run would be unable to write its table, before any row is fetched and charged. Checks only
 * the permission and the header, because the rows are not known yet.
 */
export async function checkTarget(client: SheetsClient, target: SheetImport, signal: AbortSignal): Promise<void> {
  const access = openTab(client, target, target.target_sheet, signal);
  const corner = cornerOf(target);
  const table = tableOf(target.fields, []);
  const tab = await findTab(access);
  if (!tab || tab.rows < corner.row || tab.columns < corner.column) return;
  await hasOwnHeader({ target: forTab(target, tab), access, tab, corner, table });
}

/**
 * Returns true when the sheet already has the header of this import's table, even if the user renamed headings. Returns
 * false when the header cells are empty. Throws PushError when they have other content, or when the import would write
 * values into rows or columns with a different meaning.
 */
export async function hasOwnHeader(cells: HeaderCells): Promise<boolean> {
  const { target, table, access } = cells;
  const { fields, covered_fields: covered, mode } = target;
  const [[header = []] = []] = await readBlocks(access, [existingRows(cells, 0, 0)]);
  if (isHeaderOf(table, header)) return true;
  const isEmpty = !hasContent([header]);
  if (covered === null) {
    if (isEmpty) return false;
    throw otherTable(cells, 'The cells for the headings');
  }
  if (await isMoved(cells, covered, header)) {
    const advice = 'was moved: move it back, or enter the cell of its first heading in the import.';
    throw new PushError('OTHER_TABLE', `The table at ${cellOf(target)} ${advice}`);
  }
  if (isEmpty) return false;
  // The header may already have the new columns, when Google wrote them but its answer was lost.
  if (!isInOrder(covered, header) && !isInOrder(fields, header)) throw otherColumns(target, 'were moved');
  // Rows of earlier runs stay in the table (except in the mode `replace`), so the columns must still match these rows.
  const isContinued = covered.every((name, index) => index >= fields.length || fields[index] === name);
  if (mode !== 'replace' && !isContinued) throw otherColumns(target, 'are not those of the import');
  return true;
}

/** Returns the range of some rows as {@link rowsOf} does, without the columns that the tab does not have yet. */
function existingRows(cells: HeaderCells, first: number, last: number): string {
  const columns = cells.tab.columns - cells.corner.column + 1;
  return rowsOf(cells, first, last, Math.min(columns, cells.table.columns.length));
}

/** Number of rows below the expected header that are searched for a header that the user has moved down. */
const searchedRows = 20;

/**
 * Returns true when the user has moved the table up, down or to the right and the run could therefore do damage:
 * overwrite its own header or cells of the user, mistake its first row for the header, or be blocked by its own rows.
 * Runs that append or update rows also find their table below a title, and runs that append rows need no header.
 */
async function isMoved(cells: HeaderCells, covered: readonly string[], header: readonly unknown[]): Promise<boolean> {
  const { target, access, corner, tab } = cells;
  if (isWebLink(header[0])) return target.mode !== 'append';
  const isTitle = target.mode !== 'replace' && hasContent([header]);
  if (isTitle || headingsIn(covered, header) > 0) return false;
  const last = Math.min(searchedRows, tab.rows - corner.row);
  const [below = []] = last < 1 ? [] : await readBlocks(access, [existingRows(cells, 1, last)]);
  // A header below a row with a link belongs to a different table.
  const firstLink = below.findIndex(([cell]) => isWebLink(cell));
  // If no known heading is left, links in the second column show that the user has inserted a column before the table.
  if (firstLink === -1 && below.slice(0, target.covered_rows).some(([, cell]) => isWebLink(cell))) return true;
  const above = firstLink === -1 ? below : below.slice(0, firstLink);
  return above.some((row) => headingsIn(covered, row) > 1);
}

const isWebLink = (cell: unknown) => /^https?:/i.test(String(cell ?? ''));

/** Returns the headings that the current and earlier versions of Tidemark give these fields, one list per version. */
function headingsOf(fields: readonly string[]): string[][] {
  const { columns, former_columns } = tableOf(fields, []);
  return [columns, ...former_columns];
}

/** Returns how many cells are the heading of the field at the same position. */
const headingsIn = (fields: readonly string[], cells: readonly unknown[]) =>
  Math.max(...headingsOf(fields).map((names) => names.filter((name, index) => cells[index] === name).length));

/** Returns true unless the heading of one field is at the position of another field. Ignores all other texts. */
const isInOrder = (fields: readonly string[], header: readonly unknown[]) =>
  headingsOf(fields).every((names) =>
    header.every((cell, index) => cell === names[index] || !(names as unknown[]).includes(cell)),
  );

/** Returns the error for a table whose columns are not those that the import has written. */
export function otherColumns(target: SheetImport, problem: string): PushError {
  const advice = 'restore them, or choose empty cells for the import.';
  return new PushError('OTHER_TABLE', `The columns of the table at ${cellOf(target)} ${problem}: ${advice}`);
}

/**
 * Checks the columns that were added to the table since the last run. Throws PushError when their header or first
 * `rows` rows already have other content.
 */
export async function protectNewColumns(writing: Writing, rows: number): Promise<void> {
  const { target, table, access, corner } = writing;
  const before = target.covered_fields?.length ?? table.columns.length;
  if (before >= table.columns.length) return;
  const [left, right] = [corner.column + before, corner.column + table.columns.length - 1];
  // The cells may already contain these headings, when Google wrote them but its answer was lost.
  const own = table.columns.slice(before);
  const [[headings = []] = [], cells = []] = await readBlocks(access, [
    area(corner.row, left, corner.row, right),
    ...(rows > 0 ? [area(corner.row + 1, left, corner.row + rows, right)] : []),
  ]);
  const isOther = headings.some((cell, index) => hasContent([[cell]]) && cell !== own[index]);
  if (isOther || hasContent(cells)) throw otherTable(writing, 'Cells for the table');
}

/**
 * Writes the missing headings: none, those of new columns, or all. Keeps headings that the user renamed, unless the
 * order of the columns changes.
 */
export async function writeHeader(writing: Writing, isOwn: boolean): Promise<void> {
  const { target, table, access, corner } = writing;
  const { fields, covered_fields: covered } = target;
  const isComplete = covered === null || fields.every((name, index) => covered[index] === name);
  if (isOwn && isComplete) return;
  const before = isOwn ? (covered ?? []) : [];
  const kept = before.every((name, index) => fields[index] === name) ? before.length : 0;
  const cells = area(corner.row, corner.column + kept, corner.row, corner.column + table.columns.length - 1);
  await writeBlocks(access, [{ cells, values: [table.columns.slice(kept)] }]);
}

/** Returns the fields of the table in the sheet, which may include columns of earlier runs. */
export function widestFields({ fields, covered_fields: covered }: SheetImport): string[] {
  return covered !== null && covered.length > fields.length ? covered : fields;
}
