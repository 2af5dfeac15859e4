import { asObject } from '../platform/client.ts';
import { PlainError } from '../platform/page-call.ts';
import type { KeyStore } from '../platform/settings.ts';
import { endMark, type SheetPlan } from './layout.ts';

type File = GoogleAppsScript.Spreadsheet.Spreadsheet;
type Sheet = GoogleAppsScript.Spreadsheet.Sheet;

const savedPrefix = 'report_sheet_';
/**
 * Maximum length of the campaign's name in a sheet name. Google Sheets allows 100 characters for a sheet name. The
 * other characters are for the word and the number after the name, such as "report (2)".
 */
const maxSheetNameCharacters = 90;

/**
 * A sheet of a report. `columns` and `rows`: the size of the area, beginning at A1, that a refresh of the report
 * replaces.
 */
export type OwnSheet = { sheet_id: number; columns: number; rows: number };

/**
 * The two sheets of a campaign's report, as saved in the properties of the spreadsheet. `report_id`: null when the
 * sheets show the newest report. `details`: missing when the report was saved by an earlier version of the add-on,
 * whose reports had one sheet.
 */
type SavedReport = OwnSheet & {
  report_id: string | null;
  charts: Record<string, number>;
  details?: OwnSheet;
};

/**
 * Returns the saved data about the sheets of a campaign's report; null when this spreadsheet has no report of that
 * campaign.
 */
export function readSaved(store: KeyStore, campaignId: string): SavedReport | null {
  const text = store.getProperty(savedPrefix + campaignId);
  const saved = text === null ? null : asObject(JSON.parse(text));
  if (saved === null || typeof saved.sheet_id !== 'number' || asObject(saved.charts) === null) return null;
  return saved as SavedReport;
}

export function writeSaved(store: KeyStore, campaignId: string, saved: SavedReport): void {
  store.setProperty(savedPrefix + campaignId, JSON.stringify(saved));
}

export function forgetSaved(store: KeyStore, campaignId: string): void {
  store.deleteProperty(savedPrefix + campaignId);
}

/**
 * Returns the IDs of the campaigns that have a report in this spreadsheet. `names`: the names of the spreadsheet's
 * properties, which contain the IDs.
 */
export function savedCampaigns(names: readonly string[]): string[] {
  return names.flatMap((name) => (name.startsWith(savedPrefix) ? [name.slice(savedPrefix.length)] : []));
}

/** Returns the sheet with this ID, even when a user renamed it; null when it was deleted. */
export function sheetById(file: File, id: number): Sheet | null {
  return file.getSheets().find((sheet) => sheet.getSheetId() === id) ?? null;
}

/**
 * Adds a sheet for a campaign report after all other sheets, with the campaign's name, such as "Spring report". When a
 * sheet with this name exists, a number is added.
 */
export function newReportSheet(file: File, campaignName: string, what: 'report' | 'details'): Sheet {
  const baseName = `${plainName(campaignName)} ${what}`.trim();
  const taken = file.getSheets().map((sheet) => sheet.getName().toLowerCase());
  let name = baseName;
  for (let number = 2; taken.includes(name.toLowerCase()); number++) name = `${baseName} (${number})`;
  return file.insertSheet(name, taken.length);
}

/** Returns the text as a valid sheet name: one short line without characters that have a meaning in cell references. */
function plainName(text: string): string {
  const line = text.replace(/[\p{C}\s]+/gu, ' ').replace(/['"!:*?/\\[\]]/g, ' ');
  return [...line.replace(/ +/g, ' ').trim()].slice(0, maxSheetNameCharacters / 2).join('');
}

/**
 * Clears the earlier report in a sheet and inserts the rows and columns that the new report needs. Cells that the user
 * filled below or to the right of the report move, so that they are not overwritten.
 */
export function prepareSheet(sheet: Sheet, saved: OwnSheet | null, { cells }: SheetPlan): void {
  const rows = cells.length;
  const columns = cells[0]?.length ?? 0;
  const earlier = saved === null ? { rows: 0, columns: 0 } : reportArea(sheet, saved);
  if (earlier.rows > 0 && rows > earlier.rows && sheet.getLastRow() > earlier.rows) {
    sheet.insertRowsAfter(earlier.rows, rows - earlier.rows);
  }
  if (earlier.columns > 0 && columns > earlier.columns && sheet.getLastColumn() > earlier.columns) {
    sheet.insertColumnsAfter(earlier.columns, columns - earlier.columns);
  }
  if (sheet.getMaxRows() < rows) sheet.insertRowsAfter(sheet.getMaxRows(), rows - sheet.getMaxRows());
  if (sheet.getMaxColumns() < columns) {
    sheet.insertColumnsAfter(sheet.getMaxColumns(), columns - sheet.getMaxColumns());
  }
  // The user's formats and data validation rules in these cells are cleared too, because they would change or reject
  // the values of the report.
  const height = Math.max(rows, earlier.rows);
  const width = Math.max(columns, earlier.columns);
  sheet.getRange(1, 1, height, width).clear().clearDataValidations();
}

/**
 * Returns the size of the earlier report in a sheet. Finds its last row by its text, because users may have inserted or
 * deleted rows.
 */
function reportArea(sheet: Sheet, saved: OwnSheet): { rows: number; columns: number } {
  const lastRow = sheet.getLastRow();
  const firstCells = lastRow === 0 ? [] : sheet.getRange(1, 1, lastRow, 1).getValues();
  const marked = firstCells.findIndex(([cell]) => String(cell).startsWith(endMark));
  const rows = marked === -1 ? Math.min(saved.rows, sheet.getMaxRows()) : marked + 1;
  return { rows, columns: Math.min(saved.columns, sheet.getMaxColumns()) };
}

/**
 * Checks that the user may edit the part of the sheet that the report needs. The check runs before anything is written.
 *
 * @throws PlainError when the user may not edit it.
 */
export function checkProtection(sheet: Sheet, { cells }: SheetPlan): void {
  const rows = Math.min(cells.length, sheet.getMaxRows());
  const columns = Math.min(cells[0]?.length ?? 0, sheet.getMaxColumns());
  if (sheet.getRange(1, 1, rows, columns).canEdit()) return;
  throw new PlainError(
    `The sheet "${sheet.getName()}" is protected, so the report was not changed. Ask its owner to let you edit it, or delete the sheet to get a new one.`,
  );
}
