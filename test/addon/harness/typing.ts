import type { CellState } from './world.ts';

const maxCellCharacters = 50_000;
const numeric = /^[+-]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?(e[+-]?\d+)?(%?)$/i;
const dateLike = /^\d{1,4}[/-]\d{1,2}([/-]\d{1,4})?$/;
const dottedDate = /^\d{1,2}\.\d{1,2}\.(\d{2,4})?$/;

/**
 * Returns the content of a cell after this input was typed; null for a blank cell. `setValue` parses its text in the
 * same way.
 *
 * @param locale of the file: decides whether `1.5` or `1,5` is a number, and which character separates arguments.
 * @throws Error for text longer than a cell.
 */
export function typedCell(input: string | number | boolean, locale = 'en_US'): CellState | null {
  if (typeof input === 'number') return { type: 'number', value: input };
  if (typeof input === 'boolean') return { type: 'boolean', value: input };
  if (input.length > maxCellCharacters + 1) throw new Error('Your input contains more than 50000 characters.');
  if (input === '') return null;
  if (input.startsWith("'")) return { type: 'text', value: input.slice(1) };
  if (/^(TRUE|FALSE)$/i.test(input)) return { type: 'boolean', value: input.toUpperCase() === 'TRUE' };
  const comma = hasDecimalComma(locale);
  const plain = comma ? input.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.')) : input;
  if (numeric.test(plain)) return { type: 'number', value: typedNumber(plain) };
  if (/^[=+-]./.test(input)) return typedFormula(input);
  if (dateLike.test(input) || (comma && dottedDate.test(input))) return { type: 'date', value: input };
  return { type: 'text', value: input };
}

function hasDecimalComma(locale: string): boolean {
  return !/^(en|zh|ja|ko|he|th)/.test(locale);
}

/**
 * Returns the cell of a typed formula. The formula is then run, see {@link requireSeparators} for the formulas that
 * cannot be parsed.
 */
function typedFormula(input: string): CellState {
  return { type: 'error', value: '#NAME?', formula: input };
}

/**
 * Checks the separators of a formula. In a locale with decimal commas, a comma does not separate arguments.
 *
 * @throws Error when Sheets could not parse the formula.
 */
export function requireSeparators(formula: string, locale: string): void {
  const outsideText = formula.replace(/"[^"]*"/g, '');
  if (hasDecimalComma(locale) && outsideText.includes(',')) throw new Error('Formula parse error.');
}

/** Parses a typed number. Digits after the fifteenth are lost, as in Sheets. */
function typedNumber(input: string): number {
  const value = Number(input.replaceAll(',', '').replace('%', ''));
  return Number((input.endsWith('%') ? value / 100 : value).toPrecision(15));
}
