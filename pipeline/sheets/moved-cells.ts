import type { sheets_v4 } from 'googleapis/build/src/apis/sheets/index.js';
import type { SheetImport } from '../../db/deliveries/sheet-imports.ts';
import { PushError, type SheetsClient } from './client.ts';
import { isPermissionTab } from './permission-tab.ts';
import { cornersOf, type RangeCorner, readCell, readSheetRange, sheetRange } from './ranges.ts';
import { applyChanges, area, listTabs, openTab, readBlocks, type TabAccess } from './tabs.ts';

/** The settings of a sheet import that name cells of the spreadsheet. */
type ImportCells = Pick<SheetImport, 'target_sheet' | 'target_cell' | 'source_range'>;

type Properties = sheets_v4.Schema$SheetProperties;

/** A corner of the import's table or of its range of links. */
interface Anchor {
  /** Identifies the anchor and the settings that named it, so that a mark of earlier settings is not used. */
  name: string;
  sheet_name: string;
  corner: RangeCorner;
}

/** The last row of the import's table, without a column. */
type EndAnchor = Omit<Anchor, 'corner'> & { corner: { row: number; column: null } };

/**
 * A mark at a row or column. It is stored as developer metadata, which Google Sheets moves together with the row or
 * column when a user inserts or deletes others.
 */
interface Mark {
  name: string;
  sheet_id: number;
  dimension: 'ROWS' | 'COLUMNS';
  /** Number of the row or column, from 1. */
  at: number;
}

const markKey = ({ import_id }: SheetImport) => `tidemark-import-${import_id}`;

/** Where a user has moved the cells of an import since its last run. */
interface Followed {
  /**
   * The settings with the current cells. After a user has deleted the row or column of the table's first heading, they
   * say that no cell belongs to the import, because other cells are now in its place.
   */
  settings: SheetImport;
  /** False when {@link markCells} must mark the cells. */
  is_marked: boolean;
  /** True when a user has deleted the column with the links. New marks would hide this. */
  has_lost_links: boolean;
}

/**
 * Finds the cells to which a user has moved the table and the links of an import, by inserting or deleting rows or
 * columns, or by renaming a tab. Throws PushError.
 */
export async function followMoves(client: SheetsClient, target: SheetImport, signal: AbortSignal): Promise<Followed> {
  const unmoved = { settings: target, is_marked: false, has_lost_links: false };
  if (target.covered_fields === null || target.covered_sheet_id === null) return unmoved;
  const access = openTab(client, target, target.target_sheet, signal);
  const tabs = await listTabs(access);
  const marks = await readMarks(access, target);
  const hasLostLinks = areLinksDeleted(target, tabs, marks);
  const source = hasLostLinks ? {} : { source_range: movedSource(target, tabs, marks) };
  const cells = { ...movedTable(target, tabs, marks), ...source };
  const isMoved = Object.entries(cells).some(([name, value]) => target[name as keyof ImportCells] !== value);
  const moved = isMoved ? { ...target, ...cells } : target;
  const isDeleted = isTableDeleted(target, tabs, marks);
  const rows = isDeleted ? 0 : await rowsLeft(access, target, moved, marks);
  const covered = isDeleted ? { covered_rows: 0, covered_fields: null } : { covered_rows: rows };
  return {
    settings: isMoved || isDeleted || rows !== target.covered_rows ? { ...moved, ...covered } : target,
    is_marked: !isMoved && isMarked(target, tabs, marks),
    has_lost_links: hasLostLinks,
  };
}

/**
 * Returns how many rows of the table are left after a user has deleted some, so that cells below the table, which have
 * moved up, are neither overwritten nor cleared. `moved` has the current cells of the table.
 */
async function rowsLeft(
  { request, ...access }: TabAccess,
  target: SheetImport,
  moved: SheetImport,
  marks: readonly Mark[],
): Promise<number> {
  const { covered_rows: rows, covered_sheet_id: covered } = target;
  const corner = readCell(moved.target_cell);
  const own = marks.filter(({ sheet_id }) => sheet_id === covered);
  const end = own.find(({ name }) => name === endName(target));
  if (!corner || rows === 0) return rows;
  if (end) return Math.max(0, Math.min(rows, end.at - corner.row));
  // Without the mark of the last row, a user has deleted this row.
  const isDeleted = own.some(({ name }) => name === tableName(target)) && !own.some(({ name }) => isEndName(name));
  if (!isDeleted) return rows;
  const cells = area(corner.row + 1, corner.column, corner.row + rows, corner.column);
  const [links = []] = await readBlocks({ ...access, request, sheet_name: moved.target_sheet }, [cells]);
  const firstOther = links.findIndex(([cell]) => !/^https?:/i.test(String(cell ?? '')));
  return firstOther === -1 ? links.length : firstOther;
}

/** The beginning of the names of all marks of tables. */
const tablePrefix = 'table ';
const tableName = ({ target_sheet, target_cell }: SheetImport) => `${tablePrefix}${target_sheet}!${target_cell}`;
const endName = ({ target_sheet, target_cell, covered_rows }: SheetImport) =>
  `end ${target_sheet}!${target_cell} ${covered_rows}`;
const isEndName = (name: string) => name.startsWith('end ');

/**
 * Marks the cells of an import, so that {@link followMoves} finds them later. Does nothing when Google refuses the
 * marks: without them, the import uses the cells of its settings.
 */
export async function markCells(client: SheetsClient, target: SheetImport, signal: AbortSignal): Promise<void> {
  const access = openTab(client, target, target.target_sheet, signal);
  try {
    const wanted = marksOf(target, await listTabs(access));
    const hasMarks = (await readMarks(access, target)).length > 0;
    const old = { dataFilter: { developerMetadataLookup: { metadataKey: markKey(target) } } };
    const created = wanted.map((mark) => ({ createDeveloperMetadata: { developerMetadata: metadata(target, mark) } }));
    await applyChanges(access, hasMarks ? [{ deleteDeveloperMetadata: old }, ...created] : created);
  } catch (error) {
    if (!(error instanceof PushError)) throw error;
  }
}

function metadata(target: SheetImport, { name, sheet_id: sheetId, dimension, at }: Mark) {
  const location = { dimensionRange: { sheetId, dimension, startIndex: at - 1, endIndex: at } };
  return { metadataKey: markKey(target), metadataValue: name, visibility: 'PROJECT', location };
}

async function readMarks({ spreadsheet_id, request }: TabAccess, target: SheetImport): Promise<Mark[]> {
  const dataFilters = [{ developerMetadataLookup: { metadataKey: markKey(target) } }];
  const params = { spreadsheetId: spreadsheet_id, requestBody: { dataFilters } };
  const found = await request((api, options) => api.developerMetadata.search(params, options));
  return (found.matchedDeveloperMetadata ?? []).flatMap(({ developerMetadata }) => {
    const { metadataValue: name, location } = developerMetadata ?? {};
    const { sheetId, dimension, startIndex } = location?.dimensionRange ?? {};
    if (!name || (dimension !== 'ROWS' && dimension !== 'COLUMNS')) return [];
    return [{ name, sheet_id: sheetId ?? 0, dimension, at: (startIndex ?? 0) + 1 }];
  });
}

function tableAnchor(target: SheetImport): Anchor | null {
  const { target_sheet, target_cell } = target;
  const corner = readCell(target_cell);
  return corner && { name: tableName(target), sheet_name: target_sheet, corner };
}

/** Returns the anchor at the last row that an import may replace. Null when the import replaces no rows. */
function endAnchor(target: SheetImport): EndAnchor | null {
  const corner = readCell(target.target_cell);
  if (!corner || target.covered_rows === 0) return null;
  const row = corner.row + target.covered_rows;
  return { name: endName(target), sheet_name: target.target_sheet, corner: { row, column: null } };
}

function sourceAnchors({ source_range }: SheetImport): Anchor[] {
  const range = readSheetRange(source_range ?? '');
  if (!range) return [];
  const { sheet_name, cells } = range;
  const [first, last] = cornersOf(cells);
  const anchor = (end: string, corner: RangeCorner | null) =>
    corner ? [{ name: `${end} ${source_range}`, sheet_name, corner }] : [];
  return [...anchor('first', first), ...anchor('last', last)];
}

/**
 * Returns the marks that an import needs. Leaves out cells that its tabs do not have. For whole columns, it also marks
 * row 1, because this mark stays when the columns are deleted.
 */
function marksOf(target: SheetImport, tabs: readonly Properties[]): Mark[] {
  const anchors = [tableAnchor(target), endAnchor(target), ...sourceAnchors(target)].filter(
    (anchor) => anchor !== null,
  );
  return anchors.flatMap(({ name, sheet_name, corner: { row, column } }) => {
    const { sheetId, gridProperties } = tabs.find(({ title }) => title === sheet_name) ?? {};
    if (typeof sheetId !== 'number' || !gridProperties) return [];
    const { rowCount, columnCount } = gridProperties;
    const mark = (dimension: Mark['dimension'], at: number | null, size: number | null | undefined) =>
      at !== null && at <= (size ?? 0) ? [{ name, sheet_id: sheetId, dimension, at }] : [];
    return [...mark('ROWS', row ?? 1, rowCount), ...mark('COLUMNS', column, columnCount)];
  });
}

const isMarked = (target: SheetImport, tabs: readonly Properties[], marks: readonly Mark[]) =>
  marksOf(target, tabs).every(({ name, sheet_id, dimension }) =>
    marks.some((mark) => mark.name === name && mark.sheet_id === sheet_id && mark.dimension === dimension),
  );

/** Returns the marks of an anchor in the tab `sheetId` that are still there, by dimension. */
function keptMarks({ name }: Anchor, sheetId: number, marks: readonly Mark[]) {
  const own = marks.filter((mark) => mark.name === name && mark.sheet_id === sheetId);
  const markAt = (dimension: Mark['dimension']) => own.find((mark) => mark.dimension === dimension);
  return { row: markAt('ROWS'), column: markAt('COLUMNS') };
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
  const names = sourceAnchors(target).map(({ name }) => name);
  return marks.some(({ name }) => names.includes(name)) && !marks.some(({ name }) => name.startsWith(tablePrefix));
}

/** Returns true when a user has deleted the first column of the links, but not their first row. */
function areLinksDeleted(target: SheetImport, tabs: readonly Properties[], marks: readonly Mark[]): boolean {
  const [first] = sourceAnchors(target);
  const sheetId = tabs.find(({ title }) => title === first?.sheet_name)?.sheetId;
  if (!first || typeof sheetId !== 'number') return false;
  const { row, column } = keptMarks(first, sheetId, marks);
  return row !== undefined && column === undefined;
}

/** Returns the corner to which the row and the column of an anchor in the tab `sheetId` were moved. */
function movedCorner(anchor: Anchor, sheetId: number, marks: readonly Mark[]): RangeCorner {
  const { row, column } = keptMarks(anchor, sheetId, marks);
  const { corner } = anchor;
  return { row: corner.row === null ? null : (row?.at ?? corner.row), column: column?.at ?? corner.column };
}

/** Returns the current name of a tab that a user has renamed. A tab that now has the old name is used instead. */
function currentName(name: string, sheetId: number | undefined, tabs: readonly Properties[]): string {
  if (tabs.some(({ title }) => title === name)) return name;
  const renamed = tabs.find((tab) => tab.sheetId === sheetId)?.title;
  return renamed && !isPermissionTab(renamed) ? renamed : name;
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

function movedSource(target: SheetImport, tabs: readonly Properties[], marks: readonly Mark[]): string | null {
  const anchors = sourceAnchors(target);
  const [first] = anchors;
  if (!first) return target.source_range;
  const marked = marks.find(
    ({ name, sheet_id }) => name === first.name && tabs.some((tab) => tab.sheetId === sheet_id),
  );
  const sheetName = currentName(first.sheet_name, marked?.sheet_id, tabs);
  const sheetId = tabs.find(({ title }) => title === sheetName)?.sheetId;
  if (typeof sheetId !== 'number') return target.source_range;
  const corners = anchors.map((anchor) => movedCorner(anchor, sheetId, marks));
  const [from, to = from] = corners;
  const isOrdered = (to?.row ?? Infinity) >= (from?.row ?? 0) && (to?.column ?? 0) >= (from?.column ?? 0);
  const isSame =
    sheetName === first.sheet_name && anchors.every(({ corner }, index) => isCorner(corner, corners[index]));
  return isSame || !isOrdered ? target.source_range : sheetRange(sheetName, corners);
}

const isCorner = (corner: RangeCorner, other: RangeCorner | undefined) =>
  corner.row === other?.row && corner.column === other.column;
