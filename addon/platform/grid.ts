export type Cell = string | number | boolean;

/**
 * Maximum number of characters in a cell of Google Sheets. If one text of a table is longer, Google Sheets rejects the
 * whole table.
 */
const maxCellCharacters = 50_000;

/**
 * Returns a value from the API in the form that a formula returns to Google Sheets: numbers, booleans and text stay the
 * same, and an unknown value becomes an empty cell. Text needs no apostrophe, because Google Sheets does not interpret
 * the result of a formula.
 */
export function formulaCell(value: unknown): Cell {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return cutText(typeof value === 'string' ? value : JSON.stringify(value));
}

/**
 * Returns a text for `setValue`, with an apostrophe before it. `setValue` treats a text as if a user had typed it.
 * After an apostrophe, Google Sheets does not read the text as a formula, date or number, and the cell does not show
 * the apostrophe.
 */
export function writtenText(text: string): string {
  return `'${cutText(text)}`;
}

function cutText(text: string): string {
  if (text.length <= maxCellCharacters) return text;
  // True when the cut would split a surrogate pair (a character of two code units). The text is then cut one unit
  // earlier, because half of a pair is not a valid character.
  const splitsPair = /[\uD800-\uDBFF]/.test(text.charAt(maxCellCharacters - 1));
  return text.slice(0, splitsPair ? maxCellCharacters - 1 : maxCellCharacters);
}
