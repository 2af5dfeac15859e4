import type { sheets_v4 } from 'googleapis/build/src/apis/sheets/index.js';
import { PushError, type SheetsCall, type SheetsClient } from './client.ts';
import { isPermissionTab, requirePermission } from './permission-tab.ts';
import { columnName } from './ranges.ts';
import type { SheetCell, SheetTable } from './tables.ts';

/**
 * Access to one tab of a spreadsheet: the workspace that uses the tab, the names, and a function that calls the Google
 * Sheets API.
 */
export interface TabAccess {
  workspace_id: string;
  spreadsheet_id: string;
  sheet_name: string;
  request: <T>(call: SheetsCall<T>) => Promise<T>;
}

export interface Tab {
  sheet_id: number;
  rows: number;
  columns: number;
}

type Change = sheets_v4.Schema$Request;

/**
 * `RAW` makes the Sheets API store each text unchanged. Text from a platform is therefore never run as a formula or
 * converted to a number or date.
 */
export const valueInputOption = 'RAW';
const newTabRows = 1_000;
const dateFormat = { type: 'DATE_TIME', pattern: 'yyyy-mm-dd hh:mm' };

/**
 * Returns the access to one tab. Sends nothing itself: the functions that receive the access send requests, until
 * `signal` aborts.
 */
export function openTab(
  client: SheetsClient,
  { workspace_id, spreadsheet_id }: Pick<TabAccess, 'workspace_id' | 'spreadsheet_id'>,
  sheetName: string,
  signal: AbortSignal,
): TabAccess {
  return { workspace_id, spreadsheet_id, sheet_name: sheetName, request: (call) => client(call, signal) };
}

/**
 * Returns the ID and the size of a tab; null when the spreadsheet has no tab with this name. Must be called before the
 * tab is read or written, because it throws PushError when no editor of the spreadsheet has allowed the workspace to
 * use the spreadsheet.
 */
export async function findTab(access: TabAccess): Promise<Tab | null> {
  const sheet = (await listTabs(access)).find((properties) => properties.title === access.sheet_name);
  return sheet ? tabOf(sheet) : null;
}

/**
 * Returns the properties of all tabs, charts included. Throws PushError when no editor of the spreadsheet has allowed
 * the workspace to use the spreadsheet.
 */
export async function listTabs({
  workspace_id,
  spreadsheet_id: spreadsheetId,
  request,
}: Omit<TabAccess, 'sheet_name'>): Promise<sheets_v4.Schema$SheetProperties[]> {
  const fields = 'sheets.properties(sheetId,title,gridProperties)';
  const found = await request((api, options) => api.get({ spreadsheetId, fields }, options));
  const sheets = found.sheets?.flatMap(({ properties }) => properties ?? []) ?? [];
  requirePermission(
    workspace_id,
    sheets.map((sheet) => sheet.title),
  );
  return sheets;
}

/**
 * Creates the tab in the spreadsheet, with a frozen first row. Throws PushError when the tab's name would give a
 * workspace permission to use the spreadsheet.
 */
export async function addTab(access: TabAccess, columnCount: number): Promise<Tab> {
  if (isPermissionTab(access.sheet_name)) {
    const message = `Only an editor of the spreadsheet can add the tab ${access.sheet_name}, because it gives a workspace permission: choose another tab name.`;
    throw new PushError('NOT_ALLOWED', message);
  }
  const gridProperties = { rowCount: newTabRows, columnCount, frozenRowCount: 1 };
  const [reply] = await applyChanges(access, [
    { addSheet: { properties: { title: access.sheet_name, gridProperties } } },
  ]);
  return tabOf(reply?.addSheet?.properties);
}

function tabOf(properties: sheets_v4.Schema$SheetProperties | undefined): Tab {
  const { sheetId, gridProperties } = properties ?? {};
  if (typeof sheetId !== 'number' || !gridProperties) {
    throw new PushError('REFUSED', 'The tab with this name is a chart: choose the name of another tab.');
  }
  return { sheet_id: sheetId, rows: gridProperties.rowCount ?? 0, columns: gridProperties.columnCount ?? 0 };
}

/**
 * Sends changes to the spreadsheet in one request, so that either all of them are made or none. Returns one reply per
 * change. Sends nothing when the list is empty.
 */
export async function applyChanges(access: TabAccess, changes: Change[]): Promise<sheets_v4.Schema$Response[]> {
  if (changes.length === 0) return [];
  const params = { spreadsheetId: access.spreadsheet_id, requestBody: { requests: changes } };
  return (await access.request((api, options) => api.batchUpdate(params, options))).replies ?? [];
}

/** Returns the Sheets API requests that add missing rows and columns to a tab. */
export function growth({ sheet_id: sheetId, ...grid }: Tab, needed: { rows: number; columns: number }): Change[] {
  const missing = [
    { dimension: 'ROWS', length: needed.rows - grid.rows },
    { dimension: 'COLUMNS', length: needed.columns - grid.columns },
  ];
  return missing.filter(({ length }) => length > 0).map((by) => ({ appendDimension: { sheetId, ...by } }));
}

/**
 * Returns the Sheets API requests that format the date columns of a table as dates. `top` is the row index of the
 * table's header, `left` is the index of its first column, and `bottom` is the index after its last row (default: the
 * end of the tab).
 */
export function formats(
  { sheet_id: sheetId }: Tab,
  { columns, date_columns }: Pick<SheetTable, 'columns' | 'date_columns'>,
  { top = 0, left = 0, bottom }: { top?: number; left?: number; bottom?: number } = {},
): Change[] {
  return date_columns.map((column) => {
    const startColumnIndex = left + columns.indexOf(column);
    const end = bottom === undefined ? {} : { endRowIndex: bottom };
    const range = { sheetId, startRowIndex: top + 1, ...end, startColumnIndex, endColumnIndex: startColumnIndex + 1 };
    const cell = { userEnteredFormat: { numberFormat: dateFormat } };
    return { repeatCell: { range, cell, fields: 'userEnteredFormat.numberFormat' } };
  });
}

export interface Block {
  /** The range of cells in A1 notation, without the name of the tab. */
  cells: string;
  values: SheetCell[][];
}

/** Writes values into several ranges of cells. An empty string empties a cell. */
export async function writeBlocks(access: TabAccess, blocks: readonly Block[]): Promise<void> {
  const data = blocks.map(({ cells, values }) => ({ range: rangeOf(access, cells), values }));
  const params = { spreadsheetId: access.spreadsheet_id, requestBody: { valueInputOption, data } };
  await access.request((api, options) => api.values.batchUpdate(params, options));
}

/** Reads the values of several ranges of cells. Leaves out empty cells at the end of each row and range. */
export async function readBlocks(access: TabAccess, cells: readonly string[]): Promise<unknown[][][]> {
  const ranges = cells.map((range) => rangeOf(access, range));
  const params = { spreadsheetId: access.spreadsheet_id, ranges, valueRenderOption: 'UNFORMATTED_VALUE' };
  const found = (await access.request((api, options) => api.values.batchGet(params, options))).valueRanges ?? [];
  return cells.map((_, index) => found[index]?.values ?? []);
}

/** Removes the values of several ranges of cells. The formats of the cells stay. */
export async function clearBlocks(access: TabAccess, cells: readonly string[]): Promise<void> {
  if (cells.length === 0) return;
  const requestBody = { ranges: cells.map((part) => rangeOf(access, part)) };
  const params = { spreadsheetId: access.spreadsheet_id, requestBody };
  await access.request((api, options) => api.values.batchClear(params, options));
}

/** Returns a rectangle of cells in A1 notation, such as `A1:C10`. Rows and columns are counted from 1. */
export function area(row: number, column: number, lastRow: number, lastColumn: number): string {
  return `${columnName(column - 1)}${row}:${columnName(lastColumn - 1)}${lastRow}`;
}

/** Returns cells of a tab in A1 notation with the name of the tab, such as `'My tab'!A1:C10`. */
export function rangeOf({ sheet_name }: Pick<TabAccess, 'sheet_name'>, cells: string): string {
  return `'${sheet_name.replaceAll("'", "''")}'!${cells}`;
}
