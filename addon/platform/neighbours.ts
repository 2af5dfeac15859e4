import { isLoadingText, readCell } from '../cells/cell-text.ts';
import { argumentsFrom, callsAround, type OuterCall } from '../cells/formula-calls.ts';

/** Number of rows above and below a formula cell in which the add-on looks for copies of the same formula. */
const rowsAbove = 50;
const rowsBelow = 300;

/** Matches the text of a cell whose formula has not run yet: empty, or `#NAME?` in the language of the file. */
const notRun = /^(?:#\p{Lu}+\?)?$/u;
/**
 * Matches a cell reference in R1C1 notation whose row is relative to the cell of the formula, such as RC[-1] or R[2]C1.
 */
const relativeRow = /\bR(\[-?\d+\])?C/;
/** Functions that may skip some of their arguments. IF, IFERROR and IFNA are handled separately. */
const skipping = ['IFS', 'SWITCH', 'CHOOSE', 'LAMBDA', 'LET'];

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
  if (cell === null) return [];
  const references = readReferences(cell.getFormulaR1C1() ?? '', name);
  const texts = new Set(references.flatMap((reference) => textsRead(cell, reference, own)));
  return [...texts].filter((text) => text !== '' && text !== own);
}

/**
 * Returns the texts that copies of a cell's formula read through a reference. Returns an empty list when the cell does
 * not read `own` through it.
 */
function textsRead(cell: GoogleAppsScript.Spreadsheet.Range, reference: Reference, own: string): string[] {
  const sheet = cell.getSheet();
  const row = cell.getRow();
  const first = Math.max(1, row - rowsAbove, 1 - reference.down);
  const count = Math.min(sheet.getLastRow() - Math.max(0, reference.down), row + rowsBelow) - first + 1;
  if (count < 1) return [];
  const column = reference.column ?? cell.getColumn() + reference.right;
  const read = sheet.getRange(first + reference.down, column, count, 1).getValues();
  const at = row - first;
  if (textOf(read[at]?.[0]) !== own) return [];
  const cells = sheet.getRange(first, cell.getColumn(), count, 1);
  const formulas = cells.getFormulasR1C1();
  const shown = cells.getDisplayValues();
  const isWaiting = (text: string): boolean => notRun.test(text) || isLoadingText(text);
  const same = (index: number): boolean =>
    formulas[index]?.[0] === formulas[at]?.[0] && isWaiting(shown[index]?.[0] ?? '');
  const order = read.map((_, index) => index).filter((index) => index !== at && same(index));
  const nearest = [...order.filter((index) => index > at), ...order.filter((index) => index < at).reverse()];
  return nearest.map((index) => textOf(read[index]?.[0]));
}

/** A reference in a formula to one cell. The row is relative to the formula; the column is relative or absolute. */
type Reference = { down: number; right: number; column: number | null };

/**
 * Returns the cells that the calls of a function in a formula read. Leaves out a call that the same formula in another
 * row may skip, and a call in which another argument also differs from row to row.
 */
function readReferences(formula: string, name: string): Reference[] {
  const calls = formula.matchAll(new RegExp(`(?<![\\w."])${name}\\s*\\(`, 'gi'));
  return [...calls].flatMap(({ 0: opening, index }) => {
    const [first = '', ...others] = argumentsFrom(formula, index + opening.length) ?? [];
    const text = first.trim();
    const found = /^R(\[-?\d+\])?C(\[-?\d+\]|\d+)?$/i.exec(text);
    if (found === null || others.some((other) => relativeRow.test(other))) return [];
    if (callsAround(formula, index).some((call) => maySkip(call, text))) return [];
    const [, down = '', column = ''] = found;
    const absolute = /^\d+$/.test(column) ? Number(column) : null;
    return [{ down: offset(down), right: absolute === null ? offset(column) : 0, column: absolute }];
  });
}

/**
 * Returns true when a function may skip the argument in which a call with this reference is. The condition of an IF
 * that only asks whether the same cell is empty does not count, because empty cells are left out anyway.
 */
function maySkip({ name, argument, first }: OuterCall, reference: string): boolean {
  if (name === 'IFERROR' || name === 'IFNA') return argument > 0;
  if (name !== 'IF') return skipping.includes(name);
  const condition = first.replace(/\s/g, '').toUpperCase();
  const isEmpty = [`${reference}=""`, `ISBLANK(${reference})`, `${reference}<>""`, `LEN(${reference})`];
  return argument > 0 && !isEmpty.includes(condition);
}

function offset(brackets: string): number {
  return brackets === '' ? 0 : Number(brackets.slice(1, -1));
}

/** Returns the text of a cell; "" for a cell that contains no link or handle, such as a date or a placeholder. */
function textOf(value: unknown): string {
  const { text, fault } = readCell(value);
  return fault === null ? text : '';
}
