import { type CellText, readCell, withHeading } from '../cells/cell-text.ts';
import { isHeading } from '../cells/not-links.ts';
import { PlainError } from '../platform/page-call.ts';
import { network } from '../platform/platform.ts';
import type { Cells, Choice, SavedImport } from './saved-import.ts';

type File = GoogleAppsScript.Spreadsheet.Spreadsheet;
type Sheet = GoogleAppsScript.Spreadsheet.Sheet;

/** Maximum number of entries (URLs or handles) of one import. */
const maxEntries = 10_000;
const maxEntryCharacters = 1_000;
const maxSkippedShown = 3;
/** Matches a text that may be a heading, and is also the handle of a well-known account. */
const platformName = /^(instagram|tiktok|youtube)$/i;
/** Maximum milliseconds for asking Google which rows of the sheet are hidden. */
const hiddenBudgetMs = 120_000;

/**
 * The position of the cells from which an import reads its URLs. `row`: the row of the first URL. `last_row`: the last
 * row that the import reads.
 */
export type SourceCells = { sheet: Sheet; row: number; column: number; last_row: number };
/**
 * The entries (URLs or handles) of an import, without repeats. `hidden`: entries that are left out because their rows
 * are hidden. `skipped`: a sentence about cells that contain no URL or handle; "" when no cell was skipped.
 */
export type Entries = { entries: string[]; hidden: string[]; skipped: string };

/**
 * Returns the name of the named range that marks the source or target of an import. Google Sheets moves a named range
 * with its cells when users move or insert rows, columns or sheets.
 */
export function rangeName(id: string, what: 'SOURCE' | 'TARGET'): string {
  return `SOCIAL_IMPORT_${id.toUpperCase()}_${what}`;
}

/**
 * Returns the range of cells that the user picked as the source of an import.
 *
 * @throws PlainError when the sheet of the cells was deleted.
 */
export function pickedRange(file: File, { sheet: name, a1 }: Cells): GoogleAppsScript.Spreadsheet.Range {
  const sheet = file.getSheetByName(name);
  if (sheet === null)
    throw new PlainError(`There is no sheet “${name}” any more. Select the cells with the links again.`);
  return sheet.getRange(a1);
}

/**
 * Reads the entries (URLs or handles) of a saved import from its named range, or from the list that the user typed.
 * Asks Google which rows are hidden, which is slow. The steps of a run therefore use {@link readAllEntries} instead.
 */
export function readEntries(saved: SavedImport): Entries {
  return 'list' in saved.source ? entriesOfList(saved.source.list) : entriesOfRange(savedRange(saved), saved);
}

/** Reads the entries (URLs or handles) of an import that is not saved yet. */
export function readDraft(choice: Choice): Entries {
  if ('list' in choice.source) return entriesOfList(choice.source.list);
  return entriesOfRange(pickedRange(SpreadsheetApp.getActiveSpreadsheet(), choice.source.cells), choice);
}

/**
 * Reads all entries (URLs or handles) of a saved import, including those in hidden rows. `cells`: the position of the
 * cells; null for a list that the user typed.
 */
export function readAllEntries(saved: SavedImport): { entries: string[]; cells: SourceCells | null } {
  if ('list' in saved.source) return { entries: entriesOfList(saved.source.list).entries, cells: null };
  const { cells, found } = readCells(savedRange(saved), saved);
  return { entries: [...new Set(found.map(({ text }) => text))], cells };
}

/**
 * Returns the current position of the cells with the URLs of a saved import; null for a list that the user typed.
 *
 * @throws PlainError when the cells were deleted.
 */
export function findSourceCells(saved: SavedImport): SourceCells | null {
  return 'list' in saved.source ? null : cellsIn(savedRange(saved), saved);
}

function savedRange(saved: SavedImport): GoogleAppsScript.Spreadsheet.Range {
  const range = SpreadsheetApp.getActiveSpreadsheet().getRangeByName(rangeName(saved.id, 'SOURCE'));
  if (range !== null) return range;
  throw new PlainError('The cells with the links were deleted. Edit the import and select the cells again.');
}

function entriesOfList(list: readonly string[]): Entries {
  const read = withHeading(list.map(readCell));
  const usable = read.filter(({ text, fault }) => fault === null && text.length <= maxEntryCharacters);
  const skipped = read.flatMap(({ text, fault }) => (fault === null ? [] : [{ where: () => `“${text}”`, fault }]));
  return { entries: limited(usable.map(({ text }) => text)), hidden: [], skipped: skippedSentence(skipped) };
}

function entriesOfRange(range: GoogleAppsScript.Spreadsheet.Range, choice: Choice): Entries {
  const { cells, found, faults } = readCells(range, choice);
  const isHidden = choice.with_hidden ? () => false : hiddenRows(cells.sheet);
  const shown = new Set<string>();
  const hidden = new Set<string>();
  for (const { row, text } of found) if (!shown.has(text)) (isHidden(row) ? hidden : shown).add(text);
  const left = [...hidden].filter((entry) => !shown.has(entry));
  return {
    entries: limited([...shown]),
    hidden: left,
    skipped: skippedSentence(faults.map((fault) => ({ ...fault, where: () => cellName(cells, fault) }))),
  };
}

/**
 * Returns the position of the cells with the URLs of an import that is not saved yet; null for a list that the user
 * typed.
 */
export function findDraftCells(choice: Choice): SourceCells | null {
  if ('list' in choice.source) return null;
  return cellsIn(pickedRange(SpreadsheetApp.getActiveSpreadsheet(), choice.source.cells), choice);
}

function cellsIn(range: GoogleAppsScript.Spreadsheet.Range, { source }: Choice): SourceCells {
  if (!('cells' in source)) throw new Error('The source is not a range.');
  const sheet = range.getSheet();
  const row = range.getRow() + (source.heading ? 1 : 0);
  const lastRow = Math.min(sheet.getLastRow(), source.cells.open ? sheet.getLastRow() : range.getLastRow());
  return { sheet, row, column: range.getColumn(), last_row: Math.max(lastRow, row) };
}

type Fault = { row: number; fault: string };
type Found = { cells: SourceCells; found: { row: number; text: string }[]; faults: Fault[] };

/**
 * Reads the cells of the column with the URLs or handles. `found`: their texts. `faults`: the cells that cannot be a
 * URL or handle.
 */
function readCells(range: GoogleAppsScript.Spreadsheet.Range, choice: Choice): Found {
  const cells = cellsIn(range, choice);
  const { sheet, row: first, column, last_row } = cells;
  const read: Found = { cells, found: [], faults: [] };
  if (first > sheet.getMaxRows()) return read;
  const values = sheet.getRange(first, column, last_row - first + 1, 1).getValues();
  values.forEach(([value], index) => {
    const cell = readCell(value);
    const { text } = cell;
    if (text === '') return;
    const fault = faultOf(value, cell, choice);
    if (fault === null) read.found.push({ row: first + index, text });
    else read.faults.push({ row: first + index, fault });
  });
  return read;
}

/** Returns why a cell cannot be a URL or handle, as a noun such as "a date"; null when the cell can be one. */
function faultOf(value: unknown, { text, fault }: CellText, { platform }: Choice): string | null {
  if (fault !== null) return fault;
  if (typeof value === 'number' && platform === null) return 'a number';
  return text.length > maxEntryCharacters ? 'a text that is too long' : null;
}

function cellName({ sheet, column }: SourceCells, { row }: Fault): string {
  return sheet.getRange(row, column).getA1Notation();
}

/** Returns a sentence about cells or lines that are skipped. `where`: returns the name of the cell, or the line. */
function skippedSentence(faults: readonly { where: () => string; fault: string }[]): string {
  if (faults.length === 0) return '';
  const more = faults.length - maxSkippedShown;
  const shown = faults.slice(0, maxSkippedShown).map(({ where, fault }) => `${where()} (${fault})`);
  return `Skipped, because they are no link or handle: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

/**
 * Returns a function that tells whether a row of the sheet is hidden by a filter or by a user. The function asks Google
 * about each row separately, because Google has no call for many rows.
 *
 * @throws PlainError, from the returned function, when Google needs too long. Without this limit, Google would stop the
 * script without a message.
 */
function hiddenRows(sheet: Sheet): (row: number) => boolean {
  const hasFilter = sheet.getFilter() !== null;
  const untilMs = network.now() + hiddenBudgetMs;
  return (row) => {
    if (network.now() > untilMs) {
      throw new PlainError(
        'Google needs too long to say which of these rows are hidden. Tick “Also read hidden and filtered rows”, or select fewer rows.',
      );
    }
    return (hasFilter && sheet.isRowHiddenByFilter(row)) || sheet.isRowHiddenByUser(row);
  };
}

function limited(entries: string[]): string[] {
  if (entries.length <= maxEntries) return entries;
  const count = entries.length.toLocaleString('en-US');
  throw new PlainError(`There are ${count} entries; the limit of one import is 10,000. Make two imports.`);
}

/**
 * The selected cells, which the sidebar shows in the form of an import. `heading`: true when the first cell is a
 * heading; null when it may also be a handle.
 */
export type PickedCells = { ok: true; cells: Cells; entries: number; first: string; heading: boolean | null };

/**
 * Returns the cells that the user selected for an import. A selection that reaches the last row of the sheet also
 * includes rows that are added later.
 */
export function readPickedCells(): PickedCells {
  const range = SpreadsheetApp.getActiveSpreadsheet().getActiveRange();
  if (range === null) throw new PlainError('Select cells in the sheet first.');
  if (range.getNumColumns() > 1) throw new PlainError('Select one column, such as A2:A50 or the whole column A.');
  const sheet = range.getSheet();
  const open = range.getNumRows() > 1 && range.getLastRow() >= sheet.getMaxRows();
  const rows = Math.min(range.getNumRows(), Math.max(1, sheet.getLastRow() - range.getRow() + 1));
  const values = sheet.getRange(range.getRow(), range.getColumn(), rows, 1).getValues();
  const read = values.map(([value]) => readCell(value));
  const first = (read[0]?.text ?? '').slice(0, maxEntryCharacters);
  const heading = guessHeading(first);
  const requested = read.slice(heading === true ? 1 : 0).filter(({ text, fault }) => text !== '' && fault === null);
  return {
    ok: true,
    cells: { sheet: sheet.getName(), a1: range.getA1Notation(), open },
    entries: new Set(requested.map(({ text }) => text)).size,
    ...{ first, heading },
  };
}

/**
 * Guesses from the text of the first cell if the cell is a heading. Returns null when the text may be a handle, so that
 * the user decides.
 */
function guessHeading(text: string): boolean | null {
  if (platformName.test(text)) return null;
  if (isHeading(text) || text === '') return true;
  if (/[./@:]/.test(text)) return false;
  return /\s/.test(text) ? true : null;
}
