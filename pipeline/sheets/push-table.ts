import type { sheets_v4 } from 'googleapis/build/src/apis/sheets/index.js';
import type { SheetTarget } from '../../db/deliveries/sheet-targets.ts';
import { PushError, type SheetsCall, type SheetsClient } from './client.ts';
import type { SheetCell, SheetTable } from './tables.ts';

export type SheetPlace = Pick<SheetTarget, 'spreadsheet_id' | 'sheet_name' | 'mode'>;

interface Push {
  place: SheetPlace;
  table: SheetTable;
  ask: <T>(call: SheetsCall<T>) => Promise<T>;
}

interface Tab {
  sheet_id: number;
  rows: number;
  columns: number;
}

type Change = sheets_v4.Schema$Request;

/** Text stays text: nothing that a platform wrote is ever parsed as a formula, a number or a date. */
const valueInputOption = 'RAW';
const newTabRows = 1_000;
const dateFormat = { type: 'DATE_TIME', pattern: 'yyyy-mm-dd hh:mm' };

/**
 * Writes a table into its tab, which is made when it is missing; the number of rows written. In append mode rows go below what
 * is there, and 0 when the sheet holds them already; in replace mode the tab holds the table and nothing else afterwards.
 * Safe to call again after any failure. Throws PushError.
 */
export async function pushTable(
  client: SheetsClient,
  place: SheetPlace,
  table: SheetTable,
  signal: AbortSignal,
): Promise<number> {
  const push: Push = { place, table, ask: (call) => client(call, signal) };
  const tab = (await findTab(push)) ?? (await addTab(push));
  return place.mode === 'append' ? append(push, tab) : replace(push, tab);
}

async function findTab({ place, ask }: Push): Promise<Tab | null> {
  const { spreadsheet_id: spreadsheetId, sheet_name } = place;
  const fields = 'sheets.properties(sheetId,title,gridProperties)';
  const found = await ask((api, options) => api.get({ spreadsheetId, fields }, options));
  const sheet = found.sheets?.find(({ properties }) => properties?.title === sheet_name);
  return sheet ? tabOf(sheet.properties) : null;
}

async function addTab(push: Push): Promise<Tab> {
  const gridProperties = { rowCount: newTabRows, columnCount: push.table.columns.length, frozenRowCount: 1 };
  const [reply] = await change(push, [{ addSheet: { properties: { title: push.place.sheet_name, gridProperties } } }]);
  return tabOf(reply?.addSheet?.properties);
}

function tabOf(properties: sheets_v4.Schema$SheetProperties | undefined): Tab {
  const { sheetId, gridProperties } = properties ?? {};
  if (typeof sheetId !== 'number' || !gridProperties) {
    throw new PushError('REFUSED', 'The tab of that name is a chart and not a grid: name another one.');
  }
  return { sheet_id: sheetId, rows: gridProperties.rowCount ?? 0, columns: gridProperties.columnCount ?? 0 };
}

async function change({ place, ask }: Push, requests: Change[]): Promise<sheets_v4.Schema$Response[]> {
  if (requests.length === 0) return [];
  const request = { spreadsheetId: place.spreadsheet_id, requestBody: { requests } };
  return (await ask((api, options) => api.batchUpdate(request, options))).replies ?? [];
}

/** What makes the grid large enough. */
function growth({ sheet_id: sheetId, ...grid }: Tab, needed: { rows: number; columns: number }): Change[] {
  const missing = [
    { dimension: 'ROWS', length: needed.rows - grid.rows },
    { dimension: 'COLUMNS', length: needed.columns - grid.columns },
  ];
  return missing.filter(({ length }) => length > 0).map((by) => ({ appendDimension: { sheetId, ...by } }));
}

/** What has the columns of moments shown as such. */
function formats({ sheet_id: sheetId }: Tab, { columns, date_columns }: SheetTable): Change[] {
  return date_columns.map((column) => {
    const startColumnIndex = columns.indexOf(column);
    const range = { sheetId, startRowIndex: 1, startColumnIndex, endColumnIndex: startColumnIndex + 1 };
    const cell = { userEnteredFormat: { numberFormat: dateFormat } };
    return { repeatCell: { range, cell, fields: 'userEnteredFormat.numberFormat' } };
  });
}

async function append(push: Push, tab: Tab): Promise<number> {
  const { place, table, ask } = push;
  // A column beyond the grid could not even be read.
  await change(push, growth(tab, { rows: 0, columns: table.columns.length }));
  const { header, keys } = await readOwnership(push);
  const isNew = header.length === 0 && keys.length === 0;
  if (!isNew && !table.columns.every((column, index) => header[index] === column)) {
    throw new PushError('OTHER_TABLE', 'The first row of the tab is not the header of this table: name an empty tab.');
  }
  if (keys.includes(table.key.value) || table.rows.length === 0) return 0;
  if (isNew) await change(push, formats(tab, table));
  const request = {
    spreadsheetId: place.spreadsheet_id,
    range: rangeOf(place, 'A1'),
    valueInputOption,
    insertDataOption: 'INSERT_ROWS',
    requestBody: { values: isNew ? [table.columns, ...table.rows] : table.rows },
  };
  await ask((api, options) => api.values.append(request, options));
  return table.rows.length;
}

/** The first row, and the column that says which tables the sheet holds. */
async function readOwnership({ place, table, ask }: Push): Promise<{ header: unknown[]; keys: unknown[] }> {
  const column = columnName(table.columns.indexOf(table.key.column));
  const ranges = [rangeOf(place, '1:1'), rangeOf(place, `${column}:${column}`)];
  const request = { spreadsheetId: place.spreadsheet_id, ranges, valueRenderOption: 'UNFORMATTED_VALUE' };
  const [first, keys] = (await ask((api, options) => api.values.batchGet(request, options))).valueRanges ?? [];
  return { header: first?.values?.[0] ?? [], keys: (keys?.values ?? []).map((row) => row[0]) };
}

/** First the table is written, then what is left of an older one is cleared: whatever fails between, nobody sees an empty sheet. */
async function replace(push: Push, tab: Tab): Promise<number> {
  const { place, table, ask } = push;
  const { spreadsheet_id: spreadsheetId } = place;
  const values: SheetCell[][] = [table.columns, ...table.rows];
  const used = { rows: values.length, columns: table.columns.length };
  await change(push, [...growth(tab, used), ...formats(tab, table)]);
  const data = [{ range: rangeOf(place, area(1, 1, used.rows, used.columns)), values }];
  const written = { spreadsheetId, requestBody: { valueInputOption, data } };
  await ask((api, options) => api.values.batchUpdate(written, options));
  const rest: string[] = [];
  if (tab.rows > used.rows) rest.push(area(used.rows + 1, 1, tab.rows, tab.columns));
  if (tab.columns > used.columns) rest.push(area(1, used.columns + 1, used.rows, tab.columns));
  if (rest.length > 0) {
    const cleared = { spreadsheetId, requestBody: { ranges: rest.map((part) => rangeOf(place, part)) } };
    await ask((api, options) => api.values.batchClear(cleared, options));
  }
  return table.rows.length;
}

function area(row: number, column: number, lastRow: number, lastColumn: number): string {
  return `${columnName(column - 1)}${row}:${columnName(lastColumn - 1)}${lastRow}`;
}

function rangeOf({ sheet_name }: SheetPlace, cells: string): string {
  return `'${sheet_name.replaceAll("'", "''")}'!${cells}`;
}

/** 0 -> A, 26 -> AA. */
function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}
