import type { sheets_v4 } from 'googleapis/build/src/apis/sheets/index.js';
import type { SheetTarget } from '../../db/deliveries/sheet-targets.ts';
import { PushError, type SheetsCall, type SheetsClient } from './client.ts';
import type { SheetCell, SheetTable } from './tables.ts';

/** The tab of a spreadsheet to which a table is written, and whether rows are appended or replaced. */
export type TabTarget = Pick<SheetTarget, 'spreadsheet_id' | 'sheet_name' | 'mode'>;

interface Push {
  target: TabTarget;
  table: SheetTable;
  request: <T>(call: SheetsCall<T>) => Promise<T>;
}

interface Tab {
  sheet_id: number;
  rows: number;
  columns: number;
}

type Change = sheets_v4.Schema$Request;

/** `RAW` stores text as it is. A spreadsheet therefore never runs a platform's text as a formula or reads it as a number or date. */
const valueInputOption = 'RAW';
const newTabRows = 1_000;
const dateFormat = { type: 'DATE_TIME', pattern: 'yyyy-mm-dd hh:mm' };

/**
 * Writes a table to its tab and returns the number of rows written. Creates the tab when it is missing. In append mode, adds
 * the rows below the last row, or returns 0 when the tab already has this table. In replace mode, the tab then contains only
 * this table. After a failure, it can safely be called again. Throws PushError.
 */
export async function pushTable(
  client: SheetsClient,
  target: TabTarget,
  table: SheetTable,
  signal: AbortSignal,
): Promise<number> {
  const push: Push = { target, table, request: (call) => client(call, signal) };
  const tab = (await findTab(push)) ?? (await addTab(push));
  return target.mode === 'append' ? append(push, tab) : replace(push, tab);
}

async function findTab({ target, request }: Push): Promise<Tab | null> {
  const { spreadsheet_id: spreadsheetId, sheet_name } = target;
  const fields = 'sheets.properties(sheetId,title,gridProperties)';
  const found = await request((api, options) => api.get({ spreadsheetId, fields }, options));
  const sheet = found.sheets?.find(({ properties }) => properties?.title === sheet_name);
  return sheet ? tabOf(sheet.properties) : null;
}

async function addTab(push: Push): Promise<Tab> {
  const gridProperties = { rowCount: newTabRows, columnCount: push.table.columns.length, frozenRowCount: 1 };
  const [reply] = await change(push, [{ addSheet: { properties: { title: push.target.sheet_name, gridProperties } } }]);
  return tabOf(reply?.addSheet?.properties);
}

function tabOf(properties: sheets_v4.Schema$SheetProperties | undefined): Tab {
  const { sheetId, gridProperties } = properties ?? {};
  if (typeof sheetId !== 'number' || !gridProperties) {
    throw new PushError('REFUSED', 'The tab with this name is a chart: choose the name of another tab.');
  }
  return { sheet_id: sheetId, rows: gridProperties.rowCount ?? 0, columns: gridProperties.columnCount ?? 0 };
}

async function change({ target, request }: Push, changes: Change[]): Promise<sheets_v4.Schema$Response[]> {
  if (changes.length === 0) return [];
  const params = { spreadsheetId: target.spreadsheet_id, requestBody: { requests: changes } };
  return (await request((api, options) => api.batchUpdate(params, options))).replies ?? [];
}

/** Returns the changes that add missing rows and columns to the tab. */
function growth({ sheet_id: sheetId, ...grid }: Tab, needed: { rows: number; columns: number }): Change[] {
  const missing = [
    { dimension: 'ROWS', length: needed.rows - grid.rows },
    { dimension: 'COLUMNS', length: needed.columns - grid.columns },
  ];
  return missing.filter(({ length }) => length > 0).map((by) => ({ appendDimension: { sheetId, ...by } }));
}

/** Returns the changes that format the date columns of a table as dates. */
function formats({ sheet_id: sheetId }: Tab, { columns, date_columns }: SheetTable): Change[] {
  return date_columns.map((column) => {
    const startColumnIndex = columns.indexOf(column);
    const range = { sheetId, startRowIndex: 1, startColumnIndex, endColumnIndex: startColumnIndex + 1 };
    const cell = { userEnteredFormat: { numberFormat: dateFormat } };
    return { repeatCell: { range, cell, fields: 'userEnteredFormat.numberFormat' } };
  });
}

async function append(push: Push, tab: Tab): Promise<number> {
  const { target, table, request } = push;
  // Adds missing columns first, because the API does not read a column outside of the tab.
  await change(push, growth(tab, { rows: 0, columns: table.columns.length }));
  const { header, keys } = await readHeaderAndKeys(push);
  const isNew = header.length === 0 && keys.length === 0;
  if (!isNew && !table.columns.every((column, index) => header[index] === column)) {
    throw new PushError(
      'OTHER_TABLE',
      'The first row of the tab is not the header of this table: choose an empty tab or another tab name.',
    );
  }
  if (keys.includes(table.key.value) || table.rows.length === 0) return 0;
  if (isNew) await change(push, formats(tab, table));
  const params = {
    spreadsheetId: target.spreadsheet_id,
    range: rangeOf(target, 'A1'),
    valueInputOption,
    insertDataOption: 'INSERT_ROWS',
    requestBody: { values: isNew ? [table.columns, ...table.rows] : table.rows },
  };
  await request((api, options) => api.values.append(params, options));
  return table.rows.length;
}

/** Reads the first row and the key column of the tab. The values in the key column show which tables the tab already has. */
async function readHeaderAndKeys({ target, table, request }: Push): Promise<{ header: unknown[]; keys: unknown[] }> {
  const column = columnName(table.columns.indexOf(table.key.column));
  const ranges = [rangeOf(target, '1:1'), rangeOf(target, `${column}:${column}`)];
  const params = { spreadsheetId: target.spreadsheet_id, ranges, valueRenderOption: 'UNFORMATTED_VALUE' };
  const [first, keys] = (await request((api, options) => api.values.batchGet(params, options))).valueRanges ?? [];
  return { header: first?.values?.[0] ?? [], keys: (keys?.values ?? []).map((row) => row[0]) };
}

/** Writes the table, then clears all other cells. In this order, a failure between both steps never leaves an empty tab. */
async function replace(push: Push, tab: Tab): Promise<number> {
  const { target, table, request } = push;
  const { spreadsheet_id: spreadsheetId } = target;
  const values: SheetCell[][] = [table.columns, ...table.rows];
  const used = { rows: values.length, columns: table.columns.length };
  await change(push, [...growth(tab, used), ...formats(tab, table)]);
  const data = [{ range: rangeOf(target, area(1, 1, used.rows, used.columns)), values }];
  const written = { spreadsheetId, requestBody: { valueInputOption, data } };
  await request((api, options) => api.values.batchUpdate(written, options));
  const rest: string[] = [];
  if (tab.rows > used.rows) rest.push(area(used.rows + 1, 1, tab.rows, tab.columns));
  if (tab.columns > used.columns) rest.push(area(1, used.columns + 1, used.rows, tab.columns));
  if (rest.length > 0) {
    const cleared = { spreadsheetId, requestBody: { ranges: rest.map((part) => rangeOf(target, part)) } };
    await request((api, options) => api.values.batchClear(cleared, options));
  }
  return table.rows.length;
}

function area(row: number, column: number, lastRow: number, lastColumn: number): string {
  return `${columnName(column - 1)}${row}:${columnName(lastColumn - 1)}${lastRow}`;
}

function rangeOf({ sheet_name }: TabTarget, cells: string): string {
  return `'${sheet_name.replaceAll("'", "''")}'!${cells}`;
}

/** Returns the letters of the column with this index: A for 0, AA for 26. */
function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}
