import { asObject } from '../platform/client.ts';
import type { KeyStore } from '../platform/settings.ts';
import { endMark, type ReportLayout } from './layout.ts';

type File = GoogleAppsScript.Spreadsheet.Spreadsheet;
type Sheet = GoogleAppsScript.Spreadsheet.Sheet;

const keptPrefix = 'report_sheet_';
/** Sheets takes a hundred; the rest is for a number behind it. */
const sheetNameCharactersMax = 90;

/** What a file keeps of a report's sheet. `report_id` is null where the newest report is shown, whichever it is. */
export type KeptReport = {
  sheet_id: number;
  report_id: string | null;
  columns: number;
  rows: number;
  charts: Record<string, number>;
};

/** What the file keeps of a campaign's report; null when it has none. */
export function readKept(store: KeyStore, campaignId: string): KeptReport | null {
  const text = store.getProperty(keptPrefix + campaignId);
  const kept = text === null ? null : asObject(JSON.parse(text));
  if (kept === null || typeof kept.sheet_id !== 'number' || asObject(kept.charts) === null) return null;
  return kept as KeptReport;
}

export function writeKept(store: KeyStore, campaignId: string, kept: KeptReport): void {
  store.setProperty(keptPrefix + campaignId, JSON.stringify(kept));
}

export function forgetKept(store: KeyStore, campaignId: string): void {
  store.deleteProperty(keptPrefix + campaignId);
}

/** The campaigns that have a report in this file. */
export function keptCampaigns(names: readonly string[]): string[] {
  return names.flatMap((name) => (name.startsWith(keptPrefix) ? [name.slice(keptPrefix.length)] : []));
}

/** The sheet of that id, however it is called by now; null when it was deleted. */
export function sheetById(file: File, id: number): Sheet | null {
  return file.getSheets().find((sheet) => sheet.getSheetId() === id) ?? null;
}

/** A new sheet at the end, by a name that no other sheet has. */
export function newReportSheet(file: File, campaignName: string): Sheet {
  const wanted = `Report ${plainName(campaignName)}`.trim();
  const taken = file.getSheets().map((sheet) => sheet.getName().toLowerCase());
  let name = wanted;
  for (let number = 2; taken.includes(name.toLowerCase()); number++) name = `${wanted} (${number})`;
  return file.insertSheet(name, taken.length);
}

/** A name that a tab can have: one line, short, without what formulas read as a quote or a reference. */
function plainName(text: string): string {
  const line = text.replace(/[\p{C}\s]+/gu, ' ').replace(/['"!:*?/\\[\]]/g, ' ');
  return [...line.replace(/ +/g, ' ').trim()].slice(0, sheetNameCharactersMax / 2).join('');
}

/**
 * Makes room for a report and empties what the one before it wrote. What the user put below or to the right moves away
 * instead of being overwritten.
 */
export function makeRoom(sheet: Sheet, kept: KeptReport | null, { rows, columns }: ReportLayout): void {
  const own = kept === null ? { rows: 0, columns: 0 } : ownArea(sheet, kept);
  if (own.rows > 0 && rows > own.rows && sheet.getLastRow() > own.rows) {
    sheet.insertRowsAfter(own.rows, rows - own.rows);
  }
  if (own.columns > 0 && columns > own.columns && sheet.getLastColumn() > own.columns) {
    sheet.insertColumnsAfter(own.columns, columns - own.columns);
  }
  if (sheet.getMaxRows() < rows) sheet.insertRowsAfter(sheet.getMaxRows(), rows - sheet.getMaxRows());
  if (sheet.getMaxColumns() < columns) {
    sheet.insertColumnsAfter(sheet.getMaxColumns(), columns - sheet.getMaxColumns());
  }
  if (own.rows > 0) sheet.getRange(1, 1, own.rows, own.columns).clear();
}

/** Down to the end mark, which moves along when rows are put in or taken out. */
function ownArea(sheet: Sheet, kept: KeptReport): { rows: number; columns: number } {
  const lastRow = sheet.getLastRow();
  const firstCells = lastRow === 0 ? [] : sheet.getRange(1, 1, lastRow, 1).getValues();
  const marked = firstCells.findIndex(([cell]) => String(cell).startsWith(endMark));
  const rows = marked === -1 ? Math.min(kept.rows, sheet.getMaxRows()) : marked + 1;
  return { rows, columns: Math.min(kept.columns, sheet.getMaxColumns()) };
}
