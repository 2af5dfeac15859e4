import type { Row } from '../formulas/tables.ts';
import type { Cell } from '../platform/grid.ts';
import type { FillJob } from './job.ts';
import { lineWidth, numberFormats, writtenLine } from './table.ts';
import { findTable, growTo } from './target.ts';

type Sheet = GoogleAppsScript.Spreadsheet.Sheet;
/** A row to write. `row`: its number in the sheet. `cells`: its values, from the first column of the table. */
type Line = { row: number; cells: Cell[] };
/** A URL with the row that the server returned for it. */
type Answered = { url: string; row: Row };

/**
 * Returns the URLs that users deleted from the sheet, so that they are not paid for. Only the mode `replace` reads its URLs
 * from the sheet.
 */
export function removedUrls(job: FillJob, urls: readonly string[]): string[] {
  if (job.mode !== 'replace') return [];
  const rows = rowsByUrl(findTable(job.place, job.columns), job);
  return urls.filter((url) => !rows.has(url));
}

/**
 * Writes each answer into the row in which its URL or its account is now. Rows below each other are written in one call. The
 * caller must hold the lock of the file, because users and other windows write too.
 */
export function writeRows(job: FillJob, answered: readonly Answered[]): void {
  if (answered.length === 0) return;
  const sheet = findTable(job.place, job.columns);
  const lines = linesOf(job, sheet, answered).sort((a, b) => a.row - b.row);
  growTo(sheet, lines[lines.length - 1]?.row ?? 1, job.place.column);
  for (const run of runsOf(lines)) writeRun(sheet, job, run);
  SpreadsheetApp.flush();
}

function linesOf(job: FillJob, sheet: Sheet, answered: readonly Answered[]): Line[] {
  const lineOf = (row: number, { row: values }: Answered): Line => {
    const cells = writtenLine(job.columns, values, job.started_ms);
    return { row, cells: cells.slice(0, lineWidth(job.mode, job.columns, values)) };
  };
  if (job.mode === 'replace') {
    const rows = rowsByUrl(sheet, job);
    return answered.flatMap((answer) => (rows.get(answer.url) ?? []).map((row) => lineOf(row, answer)));
  }
  const nextRow = Math.max(sheet.getLastRow(), job.place.row) + 1;
  if (job.mode === 'append') return answered.map((answer, index) => lineOf(nextRow + index, answer));
  return updatedLines(job, sheet, answered, nextRow);
}

/** Returns the row numbers of each URL below the headings. They are read each time, because users may move rows. */
function rowsByUrl(sheet: Sheet, job: FillJob): Map<string, number[]> {
  const { row, column } = job.place;
  const found = new Map<string, number[]>();
  textsOf(sheet, row + 1, column - 1).forEach((url, index) => {
    if (url !== '') found.set(url, [...(found.get(url) ?? []), row + 1 + index]);
  });
  return found;
}

function textsOf(sheet: Sheet, row: number, column: number): string[] {
  const depth = sheet.getLastRow() - row + 1;
  if (depth < 1) return [];
  return sheet
    .getRange(row, column, depth, 1)
    .getValues()
    .map(([value]) => String(value ?? '').trim());
}

/**
 * Finds the row of each account by its ID, so that a renamed account keeps its row. If another account now has the old name,
 * it gets a row of its own. When the ID is unknown, the row is found by its URL. A failed answer writes only the reason,
 * except into a new row.
 */
function updatedLines(job: FillJob, sheet: Sheet, answered: readonly Answered[], nextRow: number): Line[] {
  const known = knownAccounts(job, sheet);
  let freeRow = nextRow;
  return answered.map(({ url, row: values }) => {
    const id = accountKey(values.platform, values.account_id);
    const existing = id === null ? known.by_url.get(url) : (known.by_id.get(id) ?? known.by_url_without_id.get(url));
    const cells = writtenLine(job.columns, { ...values, url }, job.started_ms);
    const row = existing ?? freeRow++;
    if (existing === undefined) known.by_url.set(url, row);
    if (id !== null) known.by_id.set(id, row);
    return { row, cells: existing === undefined ? cells : cells.slice(0, lineWidth(job.mode, job.columns, values)) };
  });
}

function knownAccounts(job: FillJob, sheet: Sheet) {
  const column = (name: string) => textsOf(sheet, job.place.row + 1, job.place.column + job.columns.indexOf(name));
  const [ids, platforms, urls] = [column('account_id'), column('platform'), column('url')];
  const known = {
    by_id: new Map<string, number>(),
    by_url: new Map<string, number>(),
    by_url_without_id: new Map<string, number>(),
  };
  urls.forEach((url, index) => {
    const row = job.place.row + 1 + index;
    const id = accountKey(platforms[index], ids[index]);
    if (id !== null) known.by_id.set(id, row);
    if (url !== '') known.by_url.set(url, row);
    if (url !== '' && id === null) known.by_url_without_id.set(url, row);
  });
  return known;
}

function accountKey(platform: unknown, accountId: unknown): string | null {
  if (platform === null || platform === undefined || platform === '') return null;
  if (accountId === null || accountId === undefined || accountId === '') return null;
  return `${String(platform)} ${String(accountId)}`;
}

/** Groups rows that are below each other and have the same number of cells, so that each group is written in one call. */
function runsOf(lines: readonly Line[]): Line[][] {
  const runs: Line[][] = [];
  for (const line of lines) {
    const run = runs[runs.length - 1];
    const last = run?.[run.length - 1];
    if (run === undefined || last === undefined) runs.push([line]);
    else if (last.row === line.row) run[run.length - 1] = line;
    else if (last.row + 1 === line.row && last.cells.length === line.cells.length) run.push(line);
    else runs.push([line]);
  }
  return runs;
}

function writeRun(sheet: Sheet, job: FillJob, run: readonly Line[]): void {
  const [first] = run;
  if (first === undefined) return;
  const width = first.cells.length;
  const range = sheet.getRange(first.row, job.place.column, run.length, width);
  const formats = numberFormats(job.columns).slice(0, width);
  range.setNumberFormats(run.map(() => formats));
  range.setValues(run.map(({ cells }) => cells));
}
