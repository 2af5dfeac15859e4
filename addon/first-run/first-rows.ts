import { isLoadingText } from '../cells/cell-text.ts';
import { buildFormula, findFormula } from '../formulas/builder/formula-builder.ts';
import { readSelection, type Selection } from '../formulas/builder/selection.ts';
import { fieldLabel } from '../formulas/field-labels.ts';
import { usualMaxAge } from '../formulas/max-age.ts';
import { asObject } from '../platform/client.ts';
import { holdLockOnce } from '../platform/lock.ts';
import { FailureError, PlainError } from '../platform/page-call.ts';
import { keyStores } from '../platform/platform.ts';
import { findKey } from '../platform/settings.ts';

type Sheet = GoogleAppsScript.Spreadsheet.Sheet;

const formulaName = 'SOCIAL_PROFILE';
const noKeyCodes = ['API_KEY_NOT_SET', 'FORMULAS_NOT_ALLOWED'];

/**
 * The cell with the formula that `insertFirstRows` wrote. `rows`: number of rows that the result of the formula fills.
 */
export type FirstRowsRange = { sheet: string; a1: string; rows: number };
/**
 * The state of the formula that `insertFirstRows` wrote. `loading`: Google Sheets is still computing it. `no_key`: the
 * formula found no API key and was removed. `no_space`: there is no space for the result, so Google Sheets shows #REF!.
 * `good`: number of result rows with the status OK. `failed`: number of the other result rows.
 */
export type FirstRows = { ok: true; state: 'loading' | 'ready' | 'no_key' | 'no_space'; good: number; failed: number };

/**
 * Writes a SOCIAL_PROFILE formula with the default fields into the nearest free columns to the right of the given
 * cells.
 *
 * @param press the ID of the button press, which the sidebar made. A repeated call with the same ID and input inserts
 * nothing and returns the same cell.
 * @throws PlainError when formulas in this spreadsheet have no API key.
 */
export function insertFirstRows(area: unknown, press: unknown = null): { ok: true; range: FirstRowsRange } {
  const selection = readSelection(area);
  if (findKey(keyStores()) === null) {
    throw new FailureError({ code: 'FORMULAS_NOT_ALLOWED', message: '' });
  }
  const work = () => writeFirstRows(selection);
  const { reply } = holdLockOnce({ button: 'first_rows', id: press, input: area }, work);
  return { ok: true, range: reply };
}

function writeFirstRows(selection: Selection): FirstRowsRange {
  const { sheet, row, column, cells } = selection;
  const ticked = usualFields();
  const at = freeColumn(selection, ticked.length + 1);
  const a1 = sheet.getRange(row, column, cells.length, 1).getA1Notation();
  const none = { limit: '', days: '', campaign: '', section: '', platform: '' };
  const built = buildFormula(
    { ...none, name: formulaName, area: { sheet: sheet.getName(), a1 }, ticked, max_age: usualMaxAge },
    sheet.getName(),
  );
  if ('missing' in built) throw new PlainError(built.missing);
  const cell = sheet.getRange(row, at);
  cell.setFormula(built.formula);
  return { sheet: sheet.getName(), a1: cell.getA1Notation(), rows: cells.length };
}

function usualFields(): readonly string[] {
  return findFormula(formulaName)?.usual ?? [];
}

/**
 * Returns the first column of the result table: the column beside the selection when all cells that the table needs are
 * empty, otherwise the first column after all content of the sheet. Adds missing columns to the sheet.
 */
function freeColumn({ sheet, row, column, cells }: Selection, width: number): number {
  const beside = column + 1;
  const inside = beside + width - 1 <= sheet.getMaxColumns();
  const top = Math.max(1, row - 1);
  const free = inside && sheet.getRange(top, beside, row - top + cells.length, width).isBlank();
  const at = free ? beside : Math.max(beside, sheet.getLastColumn() + 1);
  const missing = at + width - 1 - sheet.getMaxColumns();
  if (missing > 0) sheet.insertColumnsAfter(sheet.getMaxColumns(), missing);
  return at;
}

/**
 * Returns the state of the formula that {@link insertFirstRows} wrote. When the formula has results, writes headings
 * above them. Removes the formula when it found no API key. This can happen in another person's spreadsheet, where
 * formulas can use only that person's key or a sheet key.
 */
export function readFirstRows(input: unknown): FirstRows {
  const range = asObject(input) ?? {};
  const sheet = SpreadsheetApp.getActiveSpreadsheet().getSheetByName(String(range.sheet));
  const cell = sheet?.getRange(String(range.a1));
  if (sheet === null || cell === undefined || !cell.getFormula().startsWith(`=${formulaName}(`)) {
    throw new PlainError('The formula is no longer in its cell. Insert it again.');
  }
  const rows = Math.max(1, Math.min(Number(range.rows), sheet.getMaxRows() - cell.getRow() + 1));
  const statuses = cell.offset(0, 0, rows, 1).getDisplayValues().flat();
  const [first = ''] = statuses;
  if (statuses.some((status) => noKeyCodes.includes(status))) {
    cell.clearContent();
    return { ok: true, state: 'no_key', good: 0, failed: 0 };
  }
  if (first === '#REF!') return { ok: true, state: 'no_space', good: 0, failed: 0 };
  if (isLoadingText(first) || statuses.every((status) => status === '')) {
    return { ok: true, state: 'loading', good: 0, failed: 0 };
  }
  writeHeadings(sheet, cell.getRow(), cell.getColumn());
  const good = statuses.filter((status) => status === 'OK').length;
  return { ok: true, state: 'ready', good, failed: statuses.filter((status) => status !== '').length - good };
}

function writeHeadings(sheet: Sheet, row: number, column: number): void {
  if (row === 1) return;
  const labels = ['status', ...usualFields()].map((field) => fieldLabel(field));
  const headings = sheet.getRange(row - 1, column, 1, labels.length);
  if (headings.isBlank()) headings.setValues([labels]);
}
