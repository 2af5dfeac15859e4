import type { sheets_v4 } from 'googleapis/build/src/apis/sheets/index.js';
import type { SheetImport } from '../../db/deliveries/sheet-imports.ts';
import { PushError, type SheetsClient } from './client.ts';
import { cornersOf, type RangeCorner, readCell, readSheetRange } from './ranges.ts';
import { applyChanges, listTabs, openTab, type TabAccess } from './tabs.ts';

export type Properties = sheets_v4.Schema$SheetProperties;

/** A corner of the import's table or of its range of links. */
export interface Anchor {
  /** Identifies the anchor and the settings that named it, so that a mark of earlier settings is not used. */
  name: string;
  sheet_name: string;
  corner: RangeCorner;
}

/** A row or a column, or both, that is no corner. */
type EdgeAnchor = Omit<Anchor, 'corner'> & { corner: { row: number | null; column: number | null } };

/**
 * A mark at a row or column. It is stored as developer metadata, which Google Sheets moves together with the row or
 * column when a user inserts or deletes others.
 */
export interface Mark {
  name: string;
  sheet_id: number;
  dimension: 'ROWS' | 'COLUMNS';
  /** Number of the row or column, from 1. */
  at: number;
}

const markKey = ({ import_id }: SheetImport) => `tidemark-import-${import_id}`;

/** The beginning of the names of all marks of tables. */
export const tablePrefix = 'table ';
export const tableName = ({ target_sheet, target_cell }: SheetImport) => `${tablePrefix}${target_sheet}!${target_cell}`;
export const endName = ({ target_sheet, target_cell, covered_rows }: SheetImport) =>
  `end ${target_sheet}!${target_cell} ${covered_rows}`;
export const isEndName = (name: string) => name.startsWith('end ');
/** The beginning of the names of all marks of last columns. */
export const columnsPrefix = 'columns ';
export const columnsName = ({ target_sheet, target_cell, covered_fields }: SheetImport) =>
  `${columnsPrefix}${target_sheet}!${target_cell} ${covered_fields?.length ?? 0}`;

/**
 * Marks the cells of an import, so that `followMoves` finds them later. Does nothing when Google refuses the marks:
 * without them, the import uses the cells of its settings.
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

/** Reads the marks of an import in all tabs. Leaves out other metadata. Throws PushError. */
export async function readMarks({ spreadsheet_id, request }: TabAccess, target: SheetImport): Promise<Mark[]> {
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

/** Returns the anchor at the first heading of an import's table. Null when the setting is not a cell. */
export function tableAnchor(target: SheetImport): Anchor | null {
  const { target_sheet, target_cell } = target;
  const corner = readCell(target_cell);
  return corner && { name: tableName(target), sheet_name: target_sheet, corner };
}

/** Returns the anchor at the last row that an import may replace. Null when the import replaces no rows. */
function endAnchor(target: SheetImport): EdgeAnchor | null {
  const corner = readCell(target.target_cell);
  if (!corner || target.covered_rows === 0) return null;
  const row = corner.row + target.covered_rows;
  return { name: endName(target), sheet_name: target.target_sheet, corner: { row, column: null } };
}

/** Returns the anchor at the last column of an import's table. Null when the import has not written a table. */
function lastColumnAnchor(target: SheetImport): EdgeAnchor | null {
  const corner = readCell(target.target_cell);
  const width = target.covered_fields?.length ?? 0;
  if (!corner || width === 0) return null;
  const column = corner.column + width - 1;
  return { name: columnsName(target), sheet_name: target.target_sheet, corner: { row: null, column } };
}

/** The anchors of a range of links: its corners, and the rows and columns directly before and after it. */
interface SourceAnchors {
  first: Anchor;
  /** Null when the range is a single cell. */
  last: Anchor | null;
  before: EdgeAnchor;
  after: EdgeAnchor;
}

/** Returns the anchors of an import's links. Null when the links are a typed list. */
export function sourceAnchors({ source_range }: SheetImport): SourceAnchors | null {
  const range = readSheetRange(source_range ?? '');
  if (!range) return null;
  const { sheet_name, cells } = range;
  const [first, last] = cornersOf(cells);
  const anchor = <Corner>(name: string, corner: Corner) => ({ name: `${name} ${source_range}`, sheet_name, corner });
  const end = last ?? first;
  return {
    first: anchor('first', first),
    last: last && anchor('last', last),
    before: anchor('before', { row: first.row && first.row - 1, column: first.column - 1 }),
    after: anchor('after', { row: end.row && end.row + 1, column: end.column + 1 }),
  };
}

/** Returns the marks that an import needs. Leaves out cells that its tabs do not have. */
function marksOf(target: SheetImport, tabs: readonly Properties[]): Mark[] {
  const { first, last, before, after } = sourceAnchors(target) ?? {};
  // For whole columns, also marks row 1, because this mark stays when the columns are deleted.
  const corners = [tableAnchor(target), first, last].map(
    (anchor) => anchor && { ...anchor, corner: { ...anchor.corner, row: anchor.corner.row ?? 1 } },
  );
  return [...corners, endAnchor(target), lastColumnAnchor(target), before, after].flatMap((anchor) => {
    const { name, sheet_name, corner } = anchor ?? {};
    const { sheetId, gridProperties } = tabs.find(({ title }) => title === sheet_name) ?? {};
    if (!name || !corner || typeof sheetId !== 'number' || !gridProperties) return [];
    const { rowCount, columnCount } = gridProperties;
    const mark = (dimension: Mark['dimension'], at: number | null, size: number | null | undefined) =>
      at !== null && at >= 1 && at <= (size ?? 0) ? [{ name, sheet_id: sheetId, dimension, at }] : [];
    return [...mark('ROWS', corner.row, rowCount), ...mark('COLUMNS', corner.column, columnCount)];
  });
}

export const isMarked = (target: SheetImport, tabs: readonly Properties[], marks: readonly Mark[]) =>
  marksOf(target, tabs).every(({ name, sheet_id, dimension }) =>
    marks.some((mark) => mark.name === name && mark.sheet_id === sheet_id && mark.dimension === dimension),
  );

/** Returns the marks of an anchor in the tab `sheetId` that are still there, by dimension. */
export function keptMarks({ name }: Anchor, sheetId: number, marks: readonly Mark[]) {
  const own = marks.filter((mark) => mark.name === name && mark.sheet_id === sheetId);
  const markAt = (dimension: Mark['dimension']) => own.find((mark) => mark.dimension === dimension);
  return { row: markAt('ROWS'), column: markAt('COLUMNS') };
}
