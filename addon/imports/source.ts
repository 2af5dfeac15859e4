import { PlainError } from '../platform/page-call.ts';
import type { Cells, Choice, SavedImport } from './saved-import.ts';

type File = GoogleAppsScript.Spreadsheet.Spreadsheet;
type Sheet = GoogleAppsScript.Spreadsheet.Sheet;

/** Maximum number of entries of one import. */
export const entriesMax = 10_000;
const entryCharactersMax = 1_000;
const skippedShownMax = 3;
const errorCell = /^#(N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|ERROR!)/;

/** Where the source is in its sheet. `row`: of its first URL. `heading_row`: the row above the first URL. */
export type SourcePlace = { sheet: Sheet; row: number; column: number; last_row: number };
/**
 * The entries of an import, without repeats. `hidden`: number of entries left out because their rows are hidden. `skipped`: a
 * sentence about cells that are no URL or handle; "" when all of them are. `place`: null for a typed list.
 */
export type Entries = { entries: string[]; hidden: string[]; skipped: string; place: SourcePlace | null };

/** The name of the range that Sheets keeps at the same cells when rows, columns or sheets move. */
export function rangeName(id: string, what: 'SOURCE' | 'TARGET'): string {
  return `SOCIAL_IMPORT_${id.toUpperCase()}_${what}`;
}

/** Returns the range that the user picked. @throws PlainError when its sheet was deleted or the range is not one column. */
export function pickedRange(file: File, { sheet: name, a1 }: Cells): GoogleAppsScript.Spreadsheet.Range {
  const sheet = file.getSheetByName(name);
  if (sheet === null) throw new PlainError(`There is no sheet “${name}” any more. Pick the cells with the URLs again.`);
  return sheet.getRange(a1);
}

/** Reads the entries of a saved import from its named range, or from its typed list. */
export function readEntries(saved: SavedImport): Entries {
  if ('list' in saved.source) return entriesOfList(saved.source.list);
  const range = SpreadsheetApp.getActiveSpreadsheet().getRangeByName(rangeName(saved.id, 'SOURCE'));
  if (range === null) {
    throw new PlainError('The cells with the URLs were deleted. Edit the import and pick the cells again.');
  }
  return entriesOfRange(range, saved);
}

/** Reads the entries of an import that is not saved yet. */
export function readDraft(choice: Choice): Entries {
  if ('list' in choice.source) return entriesOfList(choice.source.list);
  return entriesOfRange(pickedRange(SpreadsheetApp.getActiveSpreadsheet(), choice.source.cells), choice);
}

function entriesOfList(list: readonly string[]): Entries {
  const entries = list.filter((entry) => entry.length <= entryCharactersMax);
  return { entries: limited(entries), hidden: [], skipped: '', place: null };
}

function entriesOfRange(range: GoogleAppsScript.Spreadsheet.Range, choice: Choice): Entries {
  if (!('cells' in choice.source)) throw new Error('The source is not a range.');
  const { cells, heading } = choice.source;
  const sheet = range.getSheet();
  const row = range.getRow() + (heading ? 1 : 0);
  const column = range.getColumn();
  const lastRow = Math.min(sheet.getLastRow(), cells.open ? sheet.getLastRow() : range.getLastRow());
  const place = { sheet, row, column, last_row: Math.max(lastRow, row) };
  if (lastRow < row) return { entries: [], hidden: [], skipped: '', place };
  const isHidden = choice.with_hidden ? () => false : hiddenRows(sheet);
  const shown = new Set<string>();
  const hidden = new Set<string>();
  const skipped: string[] = [];
  sheet
    .getRange(row, column, lastRow - row + 1, 1)
    .getValues()
    .forEach(([value], index) => {
      const text = String(value ?? '').trim();
      const fault = text === '' ? null : faultOf(value, text, choice);
      if (fault !== null) skipped.push(`${sheet.getRange(row + index, column).getA1Notation()} (${fault})`);
      else if (text !== '' && !shown.has(text)) (isHidden(row + index) ? hidden : shown).add(text);
    });
  const left = [...hidden].filter((entry) => !shown.has(entry));
  return { entries: limited([...shown]), hidden: left, skipped: skippedSentence(skipped), place };
}

/** Returns what a cell holds when it cannot be a URL or handle; null when it can. */
function faultOf(value: unknown, text: string, { platform }: Choice): string | null {
  if (value instanceof Date) return 'a date';
  if (typeof value === 'boolean') return 'a checkbox';
  if (typeof value === 'number' && platform === null) return 'a number';
  if (errorCell.test(text)) return 'an error';
  return text.length > entryCharactersMax ? 'a text that is too long' : null;
}

function skippedSentence(skipped: readonly string[]): string {
  if (skipped.length === 0) return '';
  const more = skipped.length - skippedShownMax;
  const shown = skipped.slice(0, skippedShownMax).join(', ');
  return `Skipped, because they are no URL or handle: ${shown}${more > 0 ? ` and ${more} more` : ''}.`;
}

/** Returns a function that says whether a filter or a user hides a row. Google has no call for many rows at once. */
function hiddenRows(sheet: Sheet): (row: number) => boolean {
  const hasFilter = sheet.getFilter() !== null;
  return (row) => (hasFilter && sheet.isRowHiddenByFilter(row)) || sheet.isRowHiddenByUser(row);
}

function limited(entries: string[]): string[] {
  if (entries.length <= entriesMax) return entries;
  const count = entries.length.toLocaleString('en-US');
  throw new PlainError(`There are ${count} entries; the limit of one import is 10,000. Make two imports.`);
}

/** The cells that the user selected, for the sidebar. `heading`: whether the first cell is a heading; null when it may be a handle. */
export type PickedCells = { ok: true; cells: Cells; entries: number; first: string; heading: boolean | null };

/** Returns the selected cells. A selection to the last row of the sheet also includes rows that are added later. */
export function pickCells(): PickedCells {
  const range = SpreadsheetApp.getActiveSpreadsheet().getActiveRange();
  if (range === null) throw new PlainError('Select cells in the sheet first.');
  if (range.getNumColumns() > 1) throw new PlainError('Select one column, such as A2:A50 or the whole column A.');
  const sheet = range.getSheet();
  const open = range.getNumRows() > 1 && range.getLastRow() >= sheet.getMaxRows();
  const rows = Math.min(range.getNumRows(), Math.max(1, sheet.getLastRow() - range.getRow() + 1));
  const values = sheet.getRange(range.getRow(), range.getColumn(), rows, 1).getValues();
  const texts = values.map(([value]) => String(value ?? '').trim());
  const first = (texts[0] ?? '').slice(0, entryCharactersMax);
  return {
    ok: true,
    cells: { sheet: sheet.getName(), a1: range.getA1Notation(), open },
    entries: new Set(texts.filter((text) => text !== '')).size,
    ...{ first, heading: guessHeading(first) },
  };
}

const headingWords =
  /^(accounts?|channels?|creators?|handles?|influencers?|links?|names?|pages?|posts?|profiles?|urls?|user ?names?|videos?)( (accounts?|handles?|links?|names?|urls?))?$/i;

/** Guesses whether a text is a heading. Returns null when it may be a handle, so that the user decides. */
function guessHeading(text: string): boolean | null {
  if (headingWords.test(text) || text === '') return true;
  if (/[./@:]/.test(text)) return false;
  return /\s/.test(text) ? true : null;
}
