import { writtenText } from '../platform/grid.ts';
import { PlainError } from '../platform/page-call.ts';
import { profilesIn, readSelection, urlCharactersMax } from '../platform/selection.ts';
import type { TablePlace } from './job.ts';
import { type FillMode, fillColumns, headings } from './table.ts';

type File = GoogleAppsScript.Spreadsheet.Spreadsheet;
type Sheet = GoogleAppsScript.Spreadsheet.Sheet;

const sheetNames: Record<Exclude<FillMode, 'replace'>, string> = { append: 'Snapshots', update: 'Profiles' };
const namesTriedMax = 50;

/** What a fill begins with: the URLs of the selection and the place of its headings, which are written. */
export type PreparedFill = { urls: string[]; columns: string[]; place: TablePlace };

/**
 * Reads the URLs of an area and makes the place for the results.
 *
 * @throws PlainError when the place holds something else; nothing is written then.
 */
export function prepareFill(mode: FillMode, fields: readonly string[], area: unknown): PreparedFill {
  const file = SpreadsheetApp.getActiveSpreadsheet();
  const { sheet, row, column, cells } = readSelection(area);
  const withHeading = isHeading(cells[0] ?? '');
  const urls = profilesIn(withHeading ? cells.slice(1) : cells).filter((url) => url.length <= urlCharactersMax);
  if (urls.length === 0) throw new PlainError('There is no profile URL in the selected cells.');
  const columns = fillColumns(mode, fields);
  const place =
    mode === 'replace'
      ? placeBeside(sheet, withHeading ? row : row - 1, column + 1, columns)
      : (placeOfTable(file, columns) ?? newTable(file, sheetNames[mode], columns));
  return { urls, columns, place };
}

/** Addresses and handles have one of these; a heading has not. */
function isHeading(cell: string): boolean {
  return !/[./@]/.test(cell);
}

function placeBeside(sheet: Sheet, row: number, column: number, columns: readonly string[]): TablePlace {
  if (row < 1) {
    throw new PlainError('The headings need a row above the URLs. Insert one, then select the URLs again.');
  }
  growTo(sheet, row, column + columns.length - 1);
  const depth = Math.max(1, sheet.getLastRow() - row + 1);
  const block = sheet.getRange(row, column, depth, columns.length);
  const [heading = [], ...body] = block.getValues();
  if (!isOurs(heading, columns)) {
    if (![heading, ...body].flat().every((cell) => cell === '')) {
      throw new PlainError(
        `The results go to ${block.getA1Notation()}, and these cells hold something else. Clear or move them first, or add the results to a table of their own.`,
      );
    }
    writeHeadings(sheet, { row, column }, columns);
  }
  return { sheet_id: sheet.getSheetId(), row, column };
}

function isOurs(heading: readonly unknown[], columns: readonly string[]): boolean {
  return headings(columns).every((text, index) => heading[index] === text);
}

/** A sheet whose first row begins with these headings, the open one first. */
function placeOfTable(file: File, columns: readonly string[]): TablePlace | null {
  const sheets = [file.getActiveSheet(), ...file.getSheets()];
  const table = sheets.find((sheet) => {
    if (sheet.getMaxColumns() < columns.length) return false;
    return isOurs(sheet.getRange(1, 1, 1, columns.length).getValues()[0] ?? [], columns);
  });
  return table === undefined ? null : { sheet_id: table.getSheetId(), row: 1, column: 1 };
}

function newTable(file: File, name: string, columns: readonly string[]): TablePlace {
  const back = file.getActiveSheet();
  const names = Array.from({ length: namesTriedMax }, (_, index) => (index === 0 ? name : `${name} ${index + 1}`));
  const free = names.find((one) => file.getSheetByName(one) === null);
  if (free === undefined) throw new PlainError(`Rename or delete some of the sheets called ${name} first.`);
  const sheet = file.insertSheet(free);
  growTo(sheet, 1, columns.length);
  writeHeadings(sheet, { row: 1, column: 1 }, columns);
  sheet.setFrozenRows(1);
  file.setActiveSheet(back, true);
  return { sheet_id: sheet.getSheetId(), row: 1, column: 1 };
}

function writeHeadings(sheet: Sheet, at: { row: number; column: number }, columns: readonly string[]): void {
  const range = sheet.getRange(at.row, at.column, 1, columns.length);
  range.setNumberFormats([columns.map(() => 'General')]);
  range.setValues([headings(columns).map(writtenText)]);
  range.setFontWeight('bold');
}

/** Adds rows and columns until the sheet reaches there: values beyond its edge are refused. */
export function growTo(sheet: Sheet, row: number, column: number): void {
  const rows = sheet.getMaxRows();
  if (row > rows) sheet.insertRowsAfter(rows, row - rows);
  const columns = sheet.getMaxColumns();
  if (column > columns) sheet.insertColumnsAfter(columns, column - columns);
}

/** The table's sheet. @throws PlainError when it is gone, or its headings are no longer where they were. */
export function findPlace(place: TablePlace, columns: readonly string[]): Sheet {
  const sheet = SpreadsheetApp.getActiveSpreadsheet()
    .getSheets()
    .find((one) => one.getSheetId() === place.sheet_id);
  if (sheet === undefined)
    throw new PlainError('The sheet of this fill was deleted. Discard the fill and start again.');
  const wideEnough = place.column + columns.length - 1 <= sheet.getMaxColumns() && place.row <= sheet.getMaxRows();
  const heading = wideEnough ? sheet.getRange(place.row, place.column, 1, columns.length).getValues()[0] : [];
  if (!isOurs(heading ?? [], columns)) {
    throw new PlainError(
      'The headings of this fill were changed or moved, so nothing more is written. Put them back and resume, or discard the fill and start again.',
    );
  }
  return sheet;
}
