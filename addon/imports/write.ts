import type { Row } from '../formulas/tables.ts';
import { formatFor, serialOf, takenAt, writtenValue } from './cells.ts';
import { kindOf } from './kinds.ts';
import type { RunState } from './run-state.ts';
import type { SavedImport } from './saved-import.ts';
import type { SourceCells } from './source.ts';
import { growTo, segmentsOf, type Table, tryToWrite } from './table.ts';

type Sheet = GoogleAppsScript.Spreadsheet.Sheet;
/** An entry (URL or handle) of an import with the rows that the server returned for it. */
export type Answered = { entry: string; rows: Row[] };
/** The values to write into one row of the sheet. `fields`: the columns of the row that change. */
type Line = { row: number; values: Row; fields: readonly string[] };
/**
 * The input for writing the rows of one step of an import run. `again`: true when an interrupted step may have written
 * some of these rows already.
 */
type WriteJob = { saved: SavedImport; run: RunState; table: Table; source: SourceCells | null; again: boolean };

/**
 * Writes the rows that the server returned into the sheet. Adjacent rows are written in one call. With `again`, does
 * not append rows that are already in the sheet. The caller must hold the lock of the spreadsheet.
 */
export function writeRows(job: WriteJob, answered: readonly Answered[]): void {
  const { table } = job;
  const lines = linesOf(job, answered).sort((a, b) => a.row - b.row);
  const last = lines[lines.length - 1];
  if (last === undefined) return;
  growTo(table.sheet, last.row, 1);
  const unique = new Map(lines.map((line) => [line.row, line]));
  for (const fields of new Set(lines.map((line) => line.fields))) {
    const same = [...unique.values()].filter((line) => line.fields === fields);
    for (const segment of segmentsOf(table, fields)) {
      for (const block of blocksOf(same)) writeBlock(job, segment, block);
    }
  }
  SpreadsheetApp.flush();
}

function linesOf(job: WriteJob, answered: readonly Answered[]): Line[] {
  const { saved, run, table, source } = job;
  const fields = [...table.columns.keys()];
  const all = answered.flatMap(({ entry, rows }) => rows.map((row) => ({ entry, values: { ...row, url: entry } })));
  if (saved.target === 'beside') {
    const rowsOf = source === null ? new Map<string, number[]>() : rowsByText(source.sheet, source.row, source.column);
    return all.flatMap(({ entry, values }) => (rowsOf.get(entry) ?? []).map((row) => ({ row, values, fields })));
  }
  if (saved.mode === 'replace')
    return all.map(({ values }, index) => ({ row: table.row + 1 + run.rows + index, values, fields }));
  const values = all.map((one) => one.values);
  return saved.mode === 'append' ? appendedLines(job, values, fields) : updatedLines(saved, table, values, fields);
}

/**
 * Returns the row numbers at which each URL or handle is in a column of the sheet. Each step of an import run reads the
 * cells again, because users may move rows.
 */
function rowsByText(sheet: Sheet, row: number, column: number): Map<string, number[]> {
  const found = new Map<string, number[]>();
  textsOf(sheet, row, column).forEach((text, index) => {
    const rows = found.get(text);
    if (rows !== undefined) rows.push(row + index);
    else if (text !== '') found.set(text, [row + index]);
  });
  return found;
}

function valuesOf(sheet: Sheet, row: number, column: number | undefined): unknown[] {
  const depth = sheet.getLastRow() - row + 1;
  if (depth < 1 || column === undefined) return [];
  return sheet
    .getRange(row, column, depth, 1)
    .getValues()
    .map(([value]) => value);
}

function textsOf(sheet: Sheet, row: number, column: number | undefined): string[] {
  return valuesOf(sheet, row, column).map((value) => String(value ?? '').trim());
}

/**
 * Returns the lines to append below all other rows of the sheet. Leaves out lines that an interrupted step of this
 * import run has already written.
 */
function appendedLines({ saved, run, table, again }: WriteJob, values: readonly Row[], fields: string[]): Line[] {
  const { sheet, row, columns } = table;
  const idField = kindOf(saved.kind).id;
  const keyOf = (url: unknown, id: unknown): string =>
    `${String(url)} ${saved.kind === 'latest' ? String(id ?? '') : ''}`;
  const written = new Set<string>();
  if (again) {
    const wanted = new Set(values.map((value) => keyOf(value.url, value[idField])));
    const ids = textsOf(sheet, row + 1, columns.get(idField));
    const times = valuesOf(sheet, row + 1, columns.get(takenAt));
    textsOf(sheet, row + 1, columns.get('url')).forEach((url, index) => {
      const key = keyOf(url, ids[index]);
      if (wanted.has(key) && isTime(times[index], run.started_ms)) written.add(key);
    });
  }
  const missing = values.filter((value) => !written.has(keyOf(value.url, value[idField])));
  const next = Math.max(sheet.getLastRow(), row) + 1;
  return missing.map((value, index) => ({ row: next + index, values: value, fields }));
}

/**
 * Returns true when a cell contains this time as the add-on writes it, in UTC. Apps Script returns the cell as a Date
 * in the time zone of the spreadsheet, so the Date is converted first.
 */
function isTime(value: unknown, timeMs: number): boolean {
  if (typeof value === 'number') return Math.abs(value - serialOf(timeMs)) < 1e-5;
  if (!(value instanceof Date)) return false;
  const zone = SpreadsheetApp.getActiveSpreadsheet().getSpreadsheetTimeZone();
  return Math.abs(Date.parse(Utilities.formatDate(value, zone, "yyyy-MM-dd'T'HH:mm:ss'Z'")) - timeMs) < 1_000;
}

/**
 * Returns the lines for an import in the mode `update`. Finds the row of each account or post by its ID, so that a
 * renamed account keeps its row. A different account that now has the old name gets its own row. An account or post
 * without a known ID is found by its URL. A failed answer changes only the status and the time, except in a new row.
 */
function updatedLines(saved: SavedImport, table: Table, values: readonly Row[], fields: readonly string[]): Line[] {
  const known = knownRows(saved, table);
  const failedFields = fields.filter((field) => field === 'status' || field === takenAt);
  const isLatest = saved.kind === 'latest';
  let freeRow = Math.max(table.sheet.getLastRow(), table.row) + 1;
  return values.map((row) => {
    const id = rowKey(row.platform, row[kindOf(saved.kind).id]);
    const url = String(row.url);
    const byUrl = isLatest && id !== null ? undefined : (id === null ? known.by_url : known.by_url_without_id).get(url);
    const existing = (id === null ? undefined : known.by_id.get(id)) ?? byUrl;
    const at = existing ?? freeRow++;
    if (existing === undefined && !isLatest) known.by_url.set(url, at);
    if (id !== null) known.by_id.set(id, at);
    return { row: at, values: row, fields: existing !== undefined && row.status !== 'OK' ? failedFields : fields };
  });
}

function knownRows(saved: SavedImport, { sheet, row, columns }: Table) {
  const column = (field: string) => textsOf(sheet, row + 1, columns.get(field));
  const [ids, platforms, urls] = [column(kindOf(saved.kind).id), column('platform'), column('url')];
  const known = {
    by_id: new Map<string, number>(),
    by_url: new Map<string, number>(),
    by_url_without_id: new Map<string, number>(),
  };
  urls.forEach((url, index) => {
    const at = row + 1 + index;
    const id = rowKey(platforms[index], ids[index]);
    if (id !== null) known.by_id.set(id, at);
    // In an import of latest posts, several rows contain the URL of the same profile. Only a row without a post ID is
    // found by that URL.
    if (url !== '' && (saved.kind !== 'latest' || id === null)) known.by_url.set(url, at);
    if (url !== '' && id === null) known.by_url_without_id.set(url, at);
  });
  return known;
}

function rowKey(platform: unknown, id: unknown): string | null {
  const isEmpty = (value: unknown) => value === null || value === undefined || value === '';
  return isEmpty(platform) || isEmpty(id) ? null : `${String(platform)} ${String(id)}`;
}

/** Groups lines whose rows are adjacent, so that each group is written in one call. */
function blocksOf(lines: readonly Line[]): Line[][] {
  const blocks: Line[][] = [];
  for (const line of lines) {
    const block = blocks[blocks.length - 1];
    const last = block?.[block.length - 1];
    if (block !== undefined && last !== undefined && last.row + 1 === line.row) block.push(line);
    else blocks.push([line]);
  }
  return blocks;
}

function writeBlock(
  { run, table }: WriteJob,
  { column, fields }: { column: number; fields: string[] },
  block: Line[],
): void {
  const [first] = block;
  if (first === undefined) return;
  const range = table.sheet.getRange(first.row, column, block.length, fields.length);
  tryToWrite(range, () => {
    const formats = range.getNumberFormats();
    range.setNumberFormats(formats.map((row) => row.map((format, index) => formatFor(fields[index] ?? '', format))));
    range.setValues(block.map(({ values }) => fields.map((field) => writtenValue(field, values, run.started_ms))));
  });
}

/**
 * Clears the rows that the previous run of an import in the mode `replace` wrote and that this run did not overwrite.
 * The user's own columns do not change.
 */
export function clearLeftovers(saved: SavedImport, table: Table, rows: number): void {
  const { sheet, row } = table;
  const first = row + rows + 1;
  const depth = Math.min(row + (saved.last?.rows ?? 0), sheet.getLastRow()) - first + 1;
  if (depth < 1) return;
  for (const { column, fields } of segmentsOf(table)) {
    sheet.getRange(first, column, depth, fields.length).clearContent();
  }
}
