import { writtenText } from '../platform/grid.ts';
import { PlainError } from '../platform/page-call.ts';
import { profilesIn, readSelection, urlCharactersMax } from '../platform/selection.ts';
import type { TablePosition } from './job.ts';
import { type FillMode, fillColumns, headings } from './table.ts';

type File = GoogleAppsScript.Spreadsheet.Spreadsheet;
type Sheet = GoogleAppsScript.Spreadsheet.Sheet;

const sheetNames: Record<Exclude<FillMode, 'replace'>, string> = { append: 'Snapshots', update: 'Profiles' };
const namesTriedMax = 50;

/** A prepared fill: its URLs, and the position of its table. The headings of the table are already written. */
export type PreparedFill = { urls: string[]; columns: string[]; position: TablePosition };

/**
 * Reads the URLs in the picked cells and writes the headings of the table.
 *
 * @throws PlainError when the cells for the table contain other data. Nothing is written then.
 */
export function prepareFill(mode: FillMode, fields: readonly string[], area: unknown): PreparedFill {
  const file = SpreadsheetApp.getActiveSpreadsheet();
  const { sheet, row, column, cells } = readSelection(area);
  const withHeading = isHeading(cells[0] ?? '');
  const urls = profilesIn(withHeading ? cells.slice(1) : cells).filter((url) => url.length <= urlCharactersMax);
  if (urls.length === 0) throw new PlainError('There is no profile URL in the selected cells.');
  const columns = fillColumns(mode, fields);
  const position =
    mode === 'replace'
      ? positionBeside(sheet, withHeading ? row : row - 1, column + 1, columns)
      : (positionOfTable(file, columns) ?? newTable(file, sheetNames[mode], columns));
  return { urls, columns, position };
}

/** Returns true when the cell is a heading. A URL or a handle contains `.`, `/` or `@`, and a heading does not. */
function isHeading(cell: string): boolean {
  return !/[./@]/.test(cell);
}

function positionBeside(sheet: Sheet, row: number, column: number, columns: readonly string[]): TablePosition {
  if (row < 1) {
    throw new PlainError('The headings need a row above the URLs. Insert one, then select the URLs again.');
  }
  growTo(sheet, row, column + columns.length - 1);
  const depth = Math.max(1, sheet.getLastRow() - row + 1);
  const block = sheet.getRange(row, column, depth, columns.length);
  const [heading = [], ...body] = block.getValues();
  if (!hasHeadings(heading, columns)) {
    if (![heading, ...body].flat().every((cell) => cell === '')) {
      throw new PlainError(
        `The results need ${block.getA1Notation()}, but these cells are not empty. Clear or move them first, or choose another way to write the results.`,
      );
    }
    writeHeadings(sheet, { row, column }, columns);
  }
  return { sheet_id: sheet.getSheetId(), row, column };
}

function hasHeadings(heading: readonly unknown[], columns: readonly string[]): boolean {
  return headings(columns).every((text, index) => heading[index] === text);
}

/** Finds the table of an earlier fill by its headings in the first row of a sheet. Tries the active sheet first. */
function positionOfTable(file: File, columns: readonly string[]): TablePosition | null {
  const sheets = [file.getActiveSheet(), ...file.getSheets()];
  const table = sheets.find((sheet) => {
    if (sheet.getMaxColumns() < columns.length) return false;
    return hasHeadings(sheet.getRange(1, 1, 1, columns.length).getValues()[0] ?? [], columns);
  });
  return table === undefined ? null : { sheet_id: table.getSheetId(), row: 1, column: 1 };
}

function newTable(file: File, name: string, columns: readonly string[]): TablePosition {
  const activeSheet = file.getActiveSheet();
  const names = Array.from({ length: namesTriedMax }, (_, index) => (index === 0 ? name : `${name} ${index + 1}`));
  const free = names.find((one) => file.getSheetByName(one) === null);
  if (free === undefined) throw new PlainError(`Rename or delete some of the sheets called ${name} first.`);
  const sheet = file.insertSheet(free);
  growTo(sheet, 1, columns.length);
  writeHeadings(sheet, { row: 1, column: 1 }, columns);
  sheet.setFrozenRows(1);
  file.setActiveSheet(activeSheet, true);
  return { sheet_id: sheet.getSheetId(), row: 1, column: 1 };
}

function writeHeadings(sheet: Sheet, at: { row: number; column: number }, columns: readonly string[]): void {
  const range = sheet.getRange(at.row, at.column, 1, columns.length);
  range.setNumberFormats([columns.map(() => 'General')]);
  range.setValues([headings(columns).map(writtenText)]);
  range.setFontWeight('bold');
}

/** Adds rows and columns to a sheet until it has this cell. Sheets refuses values beyond its last row and column. */
export function growTo(sheet: Sheet, row: number, column: number): void {
  const rows = sheet.getMaxRows();
  if (row > rows) sheet.insertRowsAfter(rows, row - rows);
  const columns = sheet.getMaxColumns();
  if (column > columns) sheet.insertColumnsAfter(columns, column - columns);
}

/** Returns the sheet of a table. @throws PlainError when the sheet was deleted, or its headings were changed or moved. */
export function findTable(position: TablePosition, columns: readonly string[]): Sheet {
  const sheet = SpreadsheetApp.getActiveSpreadsheet()
    .getSheets()
    .find((one) => one.getSheetId() === position.sheet_id);
  if (sheet === undefined)
    throw new PlainError('The sheet of this fill was deleted. Discard the fill and start again.');
  const wideEnough =
    position.column + columns.length - 1 <= sheet.getMaxColumns() && position.row <= sheet.getMaxRows();
  const heading = wideEnough ? sheet.getRange(position.row, position.column, 1, columns.length).getValues()[0] : [];
  if (!hasHeadings(heading ?? [], columns)) {
    throw new PlainError(
      'The headings of this fill were changed or moved, so the fill cannot continue. Restore them and resume, or discard the fill and start again.',
    );
  }
  return sheet;
}
