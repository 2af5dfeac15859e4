import type { CellState } from './world.ts';

const cell_characters_max = 50_000;
const numeric = /^[+-]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?(e[+-]?\d+)?(%?)$/i;
const date_like = /^\d{1,4}[/-]\d{1,2}([/-]\d{1,4})?$/;

/**
 * What a cell holds after this was typed into it or written by `setValue`, which parses the same way. Null is blank.
 *
 * @throws Error for text longer than a cell.
 */
export function typedCell(input: string | number | boolean): CellState | null {
  if (typeof input === 'number') return { type: 'number', value: input };
  if (typeof input === 'boolean') return { type: 'boolean', value: input };
  if (input.length > cell_characters_max + 1) throw new Error('Your input contains more than 50000 characters.');
  if (input === '') return null;
  if (input.startsWith("'")) return { type: 'text', value: input.slice(1) };
  if (/^(TRUE|FALSE)$/i.test(input)) return { type: 'boolean', value: input.toUpperCase() === 'TRUE' };
  if (numeric.test(input)) return { type: 'number', value: typedNumber(input) };
  if (/^[=+-]./.test(input)) return { type: 'error', value: '#NAME?', formula: input };
  if (date_like.test(input)) return { type: 'date', value: input };
  return { type: 'text', value: input };
}

/** Digits beyond the fifteenth are lost, as in Sheets. */
function typedNumber(input: string): number {
  const value = Number(input.replaceAll(',', '').replace('%', ''));
  return Number((input.endsWith('%') ? value / 100 : value).toPrecision(15));
}
