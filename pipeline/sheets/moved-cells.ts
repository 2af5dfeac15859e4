import type { SheetImport } from '../../db/deliveries/sheet-imports.ts';
import {
  type Anchor,
  columnsName,
  columnsPrefix,
  isMarked,
  keptMarks,
  type Mark,
  type Properties,
  readMarks,
  sourceAnchors,
  tableAnchor,
  tableName,
  tablePrefix,
} from './cell-marks.ts';
import type { SheetsClient } from './client.ts';
import { otherColumns } from './import-header.ts';
import { currentName, type LostLinks, movedSource } from './moved-source.ts';
import { type RangeCorner, readCell, sheetRange } from './ranges.ts';
import { tableRows } from './table-rows.ts';
import { isHeaderOf, tableOf } from './tables.ts';
import { area, listTabs, openTab, readBlocks, type TabAccess } from './tabs.ts';

/** The settings of a sheet import that name cells of the spreadsheet. */
type ImportCells = Pick<SheetImport, 'target_sheet' | 'target_cell' | 'source_range'>;

/** Where a user has moved the cells of an import since its last run. */
interface Followed {
  /**
   * The settings with the current cells. After a user has deleted the row or column of the table's first heading, they
   * say that no cell belongs to the import, because other cells are now in its place.
   */
  settings: SheetImport;
  /** False when `markCells` must mark the cells. */
  is_marked: boolean;
  /** The part of the links that a user has deleted; null when the links are known. New marks would hide this. */
  lost_links: LostLinks | null;
}

/**
 * Finds the cells to which a user has moved the table and the links of an import, by inserting or deleting rows or
 * columns, or by renaming a tab. Throws PushError, for example when a user has changed the columns.
 */
export async function followMoves(client: SheetsClient, target: SheetImport, signal: AbortSignal): Promise<Followed> {
  const unmoved = { settings: target, is_marked: false, lost_links: null };
  if (target.covered_fields === null || target.covered_sheet_id === null) return unmoved;
  const access = openTab(client, target, target.target_sheet, signal);
  const tabs = await listTabs(access);
  const marks = await readMarks(access, target);
  const { source_range, lost } = movedSource(target, tabs, marks);
  const cells = { ...movedTable(target, tabs, marks), source_range };
  const isMoved = Object.entries(cells).some(([name, value]) => target[name as keyof ImportCells] !== value);
  const moved = isMoved ? { ...target, ...cells } : target;
  const isDeleted = isTableDeleted(target, tabs, marks);
  const rows = isDeleted ? 0 : await tableRows(access, target, moved, marks);
  const hasOtherColumns = !isDeleted && areColumnsChanged(target, marks);
  if (hasOtherColumns) await requireHeader(access, moved, tabs);
  const fields = hasOtherColumns ? target.fields : target.covered_fields;
  const covered = isDeleted
    ? { covered_rows: 0, covered_fields: null }
    : { covered_rows: rows, covered_fields: fields };
  const isChanged = isMoved || isDeleted || hasOtherColumns || rows !== target.covered_rows;
  return {
    settings: isChanged ? { ...moved, ...covered } : target,
    is_marked: !isMoved && isMarked(target, tabs, marks),
    lost_links: lost,
  };
}

/**
 * Returns true when a user has deleted the row or the column of the table's first heading. All marks are created
 * together, so a missing mark was deleted with its row or column when another one is there. Marks of another first
 * heading are of earlier settings: then the marks of the current settings could not be created.
 */
function isTableDeleted(target: SheetImport, tabs: readonly Properties[], marks: readonly Mark[]): boolean {
  const { covered_sheet_id: covered } = target;
  const anchor = tableAnchor(target);
  if (!anchor || covered === null || !tabs.some(({ sheetId }) => sheetId === covered)) return false;
  const { row, column } = keptMarks(anchor, covered, marks);
  if (row || column) return !row || !column;
  const links = sourceAnchors(target)?.first.name;
  return marks.some(({ name }) => name === links) && !marks.some(({ name }) => name.startsWith(tablePrefix));
}

/**
 * Returns true when a user has inserted, moved or deleted a column of the table, so that its last column is no longer
 * where the import wrote it.
 */
function areColumnsChanged(target: SheetImport, marks: readonly Mark[]): boolean {
  const { covered_sheet_id: covered, covered_fields: fields } = target;
  const own = marks.filter(({ sheet_id, dimension }) => sheet_id === covered && dimension === 'COLUMNS');
  const first = own.find(({ name }) => name === tableName(target));
  const last = own.find(({ name }) => name === columnsName(target));
  if (!first || !fields) return false;
  if (last) return last.at - first.at !== fields.length - 1;
  return !own.some(({ name }) => name.startsWith(columnsPrefix));
}

/**
 * Throws PushError unless the table has exactly the headings of the import's columns, for example because the user no
 * longer wants the deleted last column. `moved` has the current cells of the table.
 */
async function requireHeader(access: TabAccess, moved: SheetImport, tabs: readonly Properties[]): Promise<void> {
  const { fields, target_sheet: sheetName, target_cell } = moved;
  const corner = readCell(target_cell);
  const columns = tabs.find(({ title }) => title === sheetName)?.gridProperties?.columnCount ?? 0;
  if (!corner || corner.column + fields.length - 1 > columns) throw otherColumns(moved, 'were moved or deleted');
  const cells = area(corner.row, corner.column, corner.row, corner.column + fields.length - 1);
  const [[header = []] = []] = await readBlocks({ ...access, sheet_name: sheetName }, [cells]);
  if (!isHeaderOf(tableOf(fields, []), header)) throw otherColumns(moved, 'were moved or deleted');
}

/** Returns the corner to which the row and the column of an anchor in the tab `sheetId` were moved. */
function movedCorner(anchor: Anchor, sheetId: number, marks: readonly Mark[]): RangeCorner {
  const { row, column } = keptMarks(anchor, sheetId, marks);
  const { corner } = anchor;
  return { row: corner.row === null ? null : (row?.at ?? corner.row), column: column?.at ?? corner.column };
}

function movedTable(target: SheetImport, tabs: readonly Properties[], marks: readonly Mark[]) {
  const { target_sheet, target_cell, covered_sheet_id: covered } = target;
  const sheetName = currentName(target_sheet, covered ?? undefined, tabs);
  const anchor = tableAnchor(target);
  const isOwnTab = tabs.some(({ title, sheetId }) => title === sheetName && sheetId === covered);
  const corner = anchor && isOwnTab && covered !== null ? movedCorner(anchor, covered, marks) : null;
  const cell = corner && sheetRange(sheetName, [corner]).split('!').at(-1);
  return { target_sheet: sheetName, target_cell: cell ?? target_cell };
}
