export type Cell = string | number | boolean;

/** A cell of Google Sheets holds no more; longer text would fail the whole table. */
const cellCharactersMax = 50_000;

/**
 * One value of the API as the result of a formula: numbers, booleans and text keep their type, unknown is an empty
 * cell. Text needs no apostrophe here: what a formula returns is never parsed.
 */
export function formulaCell(value: unknown): Cell {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return cutText(typeof value === 'string' ? value : JSON.stringify(value));
}

/**
 * Text as it must be handed to `setValue`, which parses like typing: behind the apostrophe no formula, date or number
 * is recognised, and the apostrophe itself is not kept.
 */
export function writtenText(text: string): string {
  return `'${cutText(text)}`;
}

function cutText(text: string): string {
  if (text.length <= cellCharactersMax) return text;
  // Half of a surrogate pair is not a character.
  const splitsPair = /[\uD800-\uDBFF]/.test(text.charAt(cellCharactersMax - 1));
  return text.slice(0, splitsPair ? cellCharactersMax - 1 : cellCharactersMax);
}
