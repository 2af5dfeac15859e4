import { type CellText, readCell } from '../../cells/cell-text.ts';
import { isHeading } from '../../cells/not-links.ts';
import { asObject } from '../../platform/client.ts';
import { PlainError } from '../../platform/page-call.ts';

/** Maximum number of selected profiles. A larger number would use up the API's rate limit for several minutes. */
const maxRows = 1_000;
/** Maximum characters of the first selected text that the sidebar receives. No profile URL is longer. */
const maxUrlCharacters = 1_000;

/**
 * One column of cells that the user selected, without a heading in the first row and without the unused rows at the end
 * of the sheet.
 */
export type Selection = {
  sheet: GoogleAppsScript.Spreadsheet.Sheet;
  row: number;
  column: number;
  /** The content of the selected cells, from the first row to the last. */
  cells: CellText[];
};

/**
 * The selected cells, as the sidebar shows them. `filtered`: true when the sheet has a filter. A formula also reads the
 * rows that the filter hides.
 */
export type SelectionView = {
  ok: true;
  sheet: string;
  a1: string;
  urls: number;
  blank: number;
  filtered: boolean;
  first: string;
};

/**
 * Reads the given cells, or the cells that the user has selected.
 *
 * @throws PlainError when all cells are empty, or the cells are in more than one column.
 */
export function readSelection(area: unknown = null): Selection {
  const range = area === null ? SpreadsheetApp.getActiveSpreadsheet().getActiveRange() : rangeOf(area);
  if (range === null) throw new PlainError('Select the cells with the links in the sheet.');
  const sheet = range.getSheet();
  const rows = Math.min(range.getNumRows(), sheet.getLastRow() - range.getRow() + 1);
  if (range.getNumColumns() > 1) throw new PlainError('Select one column of links, such as A2:A50.');
  if (rows < 1) throw new PlainError('The selected cells are empty. Select the cells with the links.');
  const values = sheet.getRange(range.getRow(), range.getColumn(), rows, 1).getValues();
  const all = values.map(([value]) => readCell(value));
  const headings = all.length > 1 && isHeading(all[0]?.text ?? '') ? 1 : 0;
  const cells = all.slice(headings);
  if (cells.every(({ text }) => text === '')) {
    throw new PlainError('The selected cells are empty. Select the cells with the links.');
  }
  return { sheet, row: range.getRow() + headings, column: range.getColumn(), cells };
}

function rangeOf(area: unknown): GoogleAppsScript.Spreadsheet.Range {
  const { sheet: name, a1 } = asObject(area) ?? {};
  const sheet = SpreadsheetApp.getActiveSpreadsheet().getSheetByName(String(name));
  if (sheet === null) throw new PlainError('The sheet of the selected cells no longer exists. Select the cells again.');
  return sheet.getRange(String(a1));
}

/** Returns the profile URLs or handles in the cells, without repeats. @throws PlainError when there are too many. */
export function profilesIn(cells: readonly CellText[]): string[] {
  const texts = cells.filter(({ fault }) => fault === null).map(({ text }) => text);
  const profiles = [...new Set(texts.filter((text) => text !== ''))];
  if (profiles.length > maxRows) {
    throw new PlainError(
      `${profiles.length.toLocaleString('en-US')} profiles are selected; the limit is ${maxRows.toLocaleString('en-US')}. Select fewer rows, or make an import, which can have more.`,
    );
  }
  return profiles;
}

/** Returns the selected cells, with the number of URLs in them, for the sidebar. */
export function viewSelection(): SelectionView {
  const { sheet, row, column, cells } = readSelection();
  const urls = profilesIn(cells);
  return {
    ok: true,
    sheet: sheet.getName(),
    a1: sheet.getRange(row, column, cells.length, 1).getA1Notation(),
    urls: urls.length,
    blank: cells.filter(({ text }) => text === '').length,
    filtered: sheet.getFilter() !== null,
    first: (urls[0] ?? '').slice(0, maxUrlCharacters),
  };
}
