import { fieldLabel } from '../formulas/field-labels.ts';
import { writtenText } from '../platform/grid.ts';
import { PlainError } from '../platform/page-call.ts';
import { meansField, tableFields } from './cells.ts';
import type { BoundColumn, Choice, PlannedColumn, SavedImport, Target } from './saved-import.ts';
import { rangeName, type SourceCells } from './source.ts';

type File = GoogleAppsScript.Spreadsheet.Spreadsheet;
type Sheet = GoogleAppsScript.Spreadsheet.Sheet;

/**
 * The current position of the table that an import writes. `row`: the row of the headings. `columns`: the column of
 * each field; the first column is 1.
 */
export type Table = { sheet: Sheet; row: number; columns: Map<string, number> };

/**
 * Returns the cell at which the table of an import begins. Adds the sheet, and rows and columns of the sheet, when they
 * are missing.
 */
export function targetCell(file: File, target: Exclude<Target, 'beside'>): GoogleAppsScript.Spreadsheet.Range {
  const sheet = file.getSheetByName(target.sheet) ?? newSheet(file, target.sheet);
  const { row, column } = cellPosition(target.a1);
  growTo(sheet, row, column);
  return sheet.getRange(target.a1);
}

/** Returns the row and column of a cell reference such as C5. The sheet may be too small to have the cell. */
function cellPosition(a1: string): { row: number; column: number } {
  const [, letters = 'A', row = '1'] = /^([A-Z]+)(\d+)$/.exec(a1) ?? [];
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  return { row: Number(row), column };
}

function newSheet(file: File, name: string): Sheet {
  const activeSheet = file.getActiveSheet();
  try {
    return file.insertSheet(name);
  } catch {
    throw new PlainError(`Google Sheets refused the sheet name “${name}”. Choose another name.`);
  } finally {
    file.setActiveSheet(activeSheet, true);
  }
}

/**
 * Finds the headings of an import's table in the sheet and writes the missing ones. An existing heading stays in its
 * column. Other headings do not change. Later runs use the saved columns, unless a user has removed the whole table,
 * for example with undo.
 *
 * @returns the columns with their headings, which are saved for the next runs.
 * @throws PlainError when cells for a new column are not empty. In that case, nothing is written.
 */
export function bindTable(saved: SavedImport, source: SourceCells | null): BoundColumn[] {
  const at = headingCell(saved, source);
  if (saved.columns !== null && !isRemoved(at, saved.columns)) return saved.columns;
  const planned = planColumns(saved, headingTexts(at), at.column);
  const added = planned.filter(({ is_new }) => is_new);
  if (added[0] !== undefined) {
    addHeadings(
      at,
      added[0].column,
      added.map(({ heading }) => heading),
    );
  }
  if (saved.mode === 'replace' && saved.target !== 'beside') requireEmptyBody(saved, at, planned);
  return planned.map(({ field, heading }) => ({ field, heading }));
}

/** Returns true when none of the headings is left, and the cells in which the table was are empty. */
function isRemoved(at: HeadingCell, columns: readonly BoundColumn[]): boolean {
  const texts = headingTexts(at);
  if (columns.some(({ heading }) => texts.includes(heading))) return false;
  const depth = Math.max(1, at.sheet.getLastRow() - at.row + 1);
  const width = Math.min(columns.length, at.sheet.getMaxColumns() - at.column + 1);
  return width < 1 || at.sheet.getRange(at.row, at.column, depth, width).isBlank();
}

/**
 * Returns the column of the sheet for each field of an import: the column whose heading means the field, or a new
 * column to the right of the headings.
 */
function planColumns(choice: Choice, texts: readonly string[], firstColumn: number): PlannedColumn[] {
  const free = texts.indexOf('');
  const used = free === -1 ? texts : texts.slice(0, free);
  let next = firstColumn + used.length;
  return tableFields(choice).map((field) => {
    const index = used.findIndex((text) => meansField(text, field));
    const heading = used[index];
    return heading === undefined
      ? { field, heading: fieldLabel(field), column: next++, is_new: true }
      : { field, heading, column: firstColumn + index, is_new: false };
  });
}

/**
 * Returns the columns that the first run of an import would use, without writing anything. `source`: the position of
 * the cells with the URLs; null for a list that the user typed.
 */
export function previewColumns(choice: Choice, source: SourceCells | null): PlannedColumn[] {
  if (choice.target === 'beside') {
    const at = headingCellBeside(source);
    return planColumns(choice, headingTexts(at), at.column);
  }
  const sheet = SpreadsheetApp.getActiveSpreadsheet().getSheetByName(choice.target.sheet);
  const { row, column } = cellPosition(choice.target.a1);
  return planColumns(choice, sheet === null ? [] : headingTexts({ sheet, row, column }), column);
}

function addHeadings({ sheet, row }: HeadingCell, column: number, headings: readonly string[]): void {
  growTo(sheet, row, column + headings.length - 1);
  const depth = Math.max(1, sheet.getLastRow() - row + 1);
  const block = sheet.getRange(row, column, depth, headings.length);
  if (!block.isBlank()) {
    throw new PlainError(
      `The results need ${block.getA1Notation()}, but these cells are not empty. Clear or move them first, or choose another place.`,
    );
  }
  const range = sheet.getRange(row, column, 1, headings.length);
  tryToWrite(range, () => {
    range.setNumberFormats([headings.map(() => 'General')]);
    range.setValues([headings.map(writtenText)]);
    range.setFontWeight('bold');
  });
  if (row === 1 && sheet.getLastRow() <= 1) sheet.setFrozenRows(1);
}

/**
 * Checks that an import in the mode `replace` does not overwrite cells that the user filled.
 *
 * @throws PlainError when an existing heading has filled cells below it and no run of this import has ended yet.
 */
function requireEmptyBody(saved: SavedImport, at: HeadingCell, planned: readonly PlannedColumn[]): void {
  if (saved.last !== null) return;
  const depth = at.sheet.getLastRow() - at.row;
  if (depth < 1) return;
  for (const { heading, column } of planned.filter(({ is_new }) => !is_new)) {
    if (at.sheet.getRange(at.row + 1, column, depth, 1).isBlank()) continue;
    throw new PlainError(
      `The cells below the heading “${heading}” are not empty. Clear them, or choose to update rows or to add rows below.`,
    );
  }
}

/**
 * Finds the columns of an import's table by their headings.
 *
 * @throws PlainError when a heading was renamed or removed, or the rows would overwrite the cells with the URLs.
 */
export function locateTable(saved: SavedImport, source: SourceCells | null): Table {
  const at = headingCell(saved, source);
  const texts = headingTexts(at);
  const columns = new Map<string, number>();
  for (const { field, heading } of saved.columns ?? []) {
    const index = texts.indexOf(heading);
    if (index === -1) {
      throw new PlainError(
        `The heading “${heading}” is no longer in row ${at.row} of the sheet “${at.sheet.getName()}”. Restore it and resume, or edit the import.`,
      );
    }
    columns.set(field, at.column + index);
  }
  const isOver = source !== null && source.sheet.getSheetId() === at.sheet.getSheetId();
  if (isOver && [...columns.values()].includes(source.column) && source.last_row >= at.row) {
    throw new PlainError(
      'The results would overwrite the cells with the links. Choose to write them beside the links, or choose another place.',
    );
  }
  return { sheet: at.sheet, row: at.row, columns };
}

type HeadingCell = { sheet: Sheet; row: number; column: number };

function headingCellBeside(source: SourceCells | null): HeadingCell {
  if (source === null) throw new PlainError('The cells with the links were deleted. Edit the import.');
  if (source.row < 2) {
    throw new PlainError('The headings need a row above the links. Insert one, then select the links again.');
  }
  return { sheet: source.sheet, row: source.row - 1, column: source.column + 1 };
}

function headingCell(saved: SavedImport, source: SourceCells | null): HeadingCell {
  if (saved.target === 'beside') return headingCellBeside(source);
  const cell = SpreadsheetApp.getActiveSpreadsheet().getRangeByName(rangeName(saved.id, 'TARGET'));
  if (cell === null) {
    throw new PlainError('The sheet of this import was deleted. Edit the import and choose another place.');
  }
  return { sheet: cell.getSheet(), row: cell.getRow(), column: cell.getColumn() };
}

/**
 * Returns the texts of the row with the headings, from the first column of the table to the last used column of the
 * sheet.
 */
function headingTexts({ sheet, row, column }: HeadingCell): string[] {
  const width = sheet.getLastColumn() - column + 1;
  if (width < 1 || row > sheet.getMaxRows()) return [];
  const [texts = []] = sheet.getRange(row, column, 1, width).getValues();
  return texts.map((text) => String(text ?? '').trim());
}

/**
 * Adds rows and columns to a sheet until the sheet has this cell. Google Sheets refuses values beyond the last row or
 * column of a sheet.
 */
export function growTo(sheet: Sheet, row: number, column: number): void {
  const rows = sheet.getMaxRows();
  if (row > rows) sheet.insertRowsAfter(rows, row - rows);
  const columns = sheet.getMaxColumns();
  if (column > columns) sheet.insertColumnsAfter(columns, column - columns);
}

/**
 * Calls the function `write`, which writes into the range.
 *
 * @throws PlainError that says why Google Sheets refused to write, for example because cells are protected.
 */
export function tryToWrite(range: GoogleAppsScript.Spreadsheet.Range, write: () => void): void {
  try {
    write();
  } catch (error) {
    const cells = `${range.getSheet().getName()}!${range.getA1Notation()}`;
    const reason = String(error);
    if (/protect/i.test(reason)) throw new PlainError(protectedSentence(cells));
    if (/validation/i.test(reason)) {
      throw new PlainError(
        `A data validation rule refuses the values for ${cells}. Remove the rule from these cells, then resume.`,
      );
    }
    throw new PlainError(`Google Sheets refused to write into ${cells}. Check these cells, then resume. (${reason})`);
  }
}

function protectedSentence(cells: string): string {
  return `Some of the cells ${cells} are protected, and you may not change them. Ask the owner of the file, then resume.`;
}

/**
 * Checks that the user may write into the columns of an import's table. The check runs before any credits are spent.
 *
 * @throws PlainError when cells are protected or merged.
 */
export function requireWritable(table: Table): void {
  const { sheet, row } = table;
  const depth = Math.max(1, sheet.getLastRow() - row + 1);
  for (const { column, fields } of segmentsOf(table)) {
    const range = sheet.getRange(row, column, depth, fields.length);
    const cells = () => `${sheet.getName()}!${range.getA1Notation()}`;
    if (!range.canEdit()) throw new PlainError(protectedSentence(cells()));
    if (range.isPartOfMerge()) {
      throw new PlainError(
        `Some of the cells ${cells()} are merged, so the rows cannot be written. Unmerge these cells, then run the import again.`,
      );
    }
  }
}

/**
 * Groups adjacent columns of an import's table. Each group is written in one call. The user's own columns between the
 * groups do not change.
 */
export function segmentsOf(
  { columns }: Table,
  fields: readonly string[] = [...columns.keys()],
): { column: number; fields: string[] }[] {
  const sorted = [...fields].sort((a, b) => (columns.get(a) ?? 0) - (columns.get(b) ?? 0));
  const segments: { column: number; fields: string[] }[] = [];
  for (const field of sorted) {
    const column = columns.get(field) ?? 0;
    const last = segments[segments.length - 1];
    if (last !== undefined && last.column + last.fields.length === column) last.fields.push(field);
    else segments.push({ column, fields: [field] });
  }
  return segments;
}
