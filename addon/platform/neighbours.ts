import { isLoadingText, readCell } from '../cell-text.ts';

/** Number of rows above and below a formula cell in which the add-on looks for copies of the same formula. */
const rowsAbove = 50;
const rowsBelow = 300;

/** Matches the text of a cell whose formula has not run yet: empty, or `#NAME?` in the language of the file. */
const notRun = /^(?:#\p{Lu}+\?)?$/u;
/**
 * Matches a cell reference in R1C1 notation whose row is relative to the cell of the formula, such as RC[-1] or R[2]C1.
 */
const relativeRow = /\bR(\[-?\d+\])?C/;

/**
 * Returns the texts (URLs or handles) that copies of the same formula read in the rows around the calling cell. Rows
 * below come first, the nearest row first. Leaves out copies that already have a result, because they do not need new
 * data now.
 *
 * @param name the function, such as SOCIAL_PROFILE.
 * @param own the text that the calling cell reads. The result is empty unless the active cell has a formula that reads
 * this text.
 */
export function neighbourTexts(name: string, own: string): string[] {
  const cell = SpreadsheetApp.getActiveRange();
  const argument = readArgument(cell?.getFormulaR1C1() ?? '', name);
  if (cell === null || argument === null) return [];
  const sheet = cell.getSheet();
  const row = cell.getRow();
  const first = Math.max(1, row - rowsAbove, 1 - argument.down);
  const count = Math.min(sheet.getLastRow() - Math.max(0, argument.down), row + rowsBelow) - first + 1;
  if (count < 1) return [];
  const column = argument.column ?? cell.getColumn() + argument.right;
  const cells = sheet.getRange(first, cell.getColumn(), count, 1);
  const formulas = cells.getFormulasR1C1();
  const shown = cells.getDisplayValues();
  const read = sheet.getRange(first + argument.down, column, count, 1).getValues();
  const at = row - first;
  if (textOf(read[at]?.[0]) !== own) return [];
  const isWaiting = (text: string): boolean => notRun.test(text) || isLoadingText(text);
  const same = (index: number): boolean =>
    formulas[index]?.[0] === formulas[at]?.[0] && isWaiting(shown[index]?.[0] ?? '');
  const order = read.map((_, index) => index).filter((index) => index !== at && same(index));
  const nearest = [...order.filter((index) => index > at), ...order.filter((index) => index < at).reverse()];
  return [...new Set(nearest.map((index) => textOf(read[index]?.[0])))].filter((text) => text !== '' && text !== own);
}

/** A reference in a formula to one cell. The row is relative to the formula; the column is relative or absolute. */
type Reference = { down: number; right: number; column: number | null };

/**
 * Returns the first argument of a formula. Returns null when the argument is not a single cell, or when another part of
 * the formula also differs from row to row.
 */
function readArgument(formula: string, name: string): Reference | null {
  const [, down = '', column = '', rest = ''] =
    new RegExp(`^=(?:IFERROR\\()?${name}\\(\\s*R(\\[-?\\d+\\])?C(\\[-?\\d+\\]|\\d+)?\\s*([,;)].*)$`, 'i').exec(
      formula,
    ) ?? [];
  if (rest === '' || relativeRow.test(rest)) return null;
  const absolute = /^\d+$/.test(column) ? Number(column) : null;
  return { down: offset(down), right: absolute === null ? offset(column) : 0, column: absolute };
}

function offset(brackets: string): number {
  return brackets === '' ? 0 : Number(brackets.slice(1, -1));
}

/** Returns the text of a cell; "" for a cell that contains no link or handle, such as a date or a placeholder. */
function textOf(value: unknown): string {
  const { text, fault } = readCell(value);
  return fault === null ? text : '';
}
