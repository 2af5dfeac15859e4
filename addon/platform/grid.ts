export type Cell = string | number | boolean;

/** Maximum number of characters of a cell in Google Sheets. If one text of a table is longer, Sheets rejects the whole table. */
const cellCharactersMax = 50_000;

/**
 * Returns a value of the API in the form that a formula returns: numbers, booleans and text stay the same, an unknown value
 * becomes an empty cell. Text needs no apostrophe, because Sheets does not interpret the result of a formula.
 */
export function formulaCell(value: unknown): Cell {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return cutText(typeof value === 'string' ? value : JSON.stringify(value));
}

/**
 * Returns a text for `setValue`, which treats it as if a user had typed it. After an apostrophe, Sheets does not read it as
 * a formula, date or number; the cell does not show the apostrophe.
 */
export function writtenText(text: string): string {
  return `'${cutText(text)}`;
}

function cutText(text: string): string {
  if (text.length <= cellCharactersMax) return text;
  // True when the cut would split a surrogate pair. The text is then cut one character earlier, because half of a pair is not a valid character.
  const splitsPair = /[\uD800-\uDBFF]/.test(text.charAt(cellCharactersMax - 1));
  return text.slice(0, splitsPair ? cellCharactersMax - 1 : cellCharactersMax);
}
