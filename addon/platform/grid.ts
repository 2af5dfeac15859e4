export type Cell = string | number | boolean;

/** The limit of a cell in Google Sheets; longer text would fail the whole table. */
const cellCharactersMax = 50_000;

/**
 * Converts a value of the API into the result of a formula: numbers, booleans and text keep their type, an unknown value
 * is an empty cell. Text needs no apostrophe, because Sheets does not parse the result of a formula.
 */
export function formulaCell(value: unknown): Cell {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return cutText(typeof value === 'string' ? value : JSON.stringify(value));
}

/**
 * Returns text for `setValue`, which parses it like typed text: after an apostrophe Sheets recognizes no formula, date
 * or number, and it does not keep the apostrophe.
 */
export function writtenText(text: string): string {
  return `'${cutText(text)}`;
}

function cutText(text: string): string {
  if (text.length <= cellCharactersMax) return text;
  // Never cuts a surrogate pair in half.
  const splitsPair = /[\uD800-\uDBFF]/.test(text.charAt(cellCharactersMax - 1));
  return text.slice(0, splitsPair ? cellCharactersMax - 1 : cellCharactersMax);
}
