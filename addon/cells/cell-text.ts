import { isHeading, isPlaceholder } from './not-links.ts';

/**
 * The content of a cell that should contain a link, handle or ID. `text`: the trimmed text; "" for an empty cell.
 * `fault`: what the cell contains instead, as a noun such as "a date"; null when the text can be a link, handle or ID.
 */
export type CellText = { text: string; fault: string | null };

/** Matches the text of a cell that shows an error, in every language of Google Sheets: `#REF!`, `#N/A`, `#BEZUG!`. */
const errorText = /^#(?:[\p{Lu}\d¡¿/_]+[!?]|\p{Lu}{1,2}\/\p{Lu}+|NV|YOK)$/u;

/** Returns true for the text of a cell that shows an error. */
export function isErrorText(text: string): boolean {
  return errorText.test(text);
}

/** Returns true for the text of a cell that Google Sheets still computes: `Loading...`, in the language of the user. */
export function isLoadingText(text: string): boolean {
  return /^[^.…]{1,30}(?:\.\.\.|…)$/.test(text);
}

/** Reads a cell that should contain a link, handle or ID. A cell with a `fault` must not be sent to the server. */
export function readCell(value: unknown): CellText {
  const text = String(value ?? '').trim();
  return { text, fault: faultOf(value, text) };
}

function faultOf(value: unknown, text: string): string | null {
  if (value instanceof Date) return 'a date';
  if (typeof value === 'boolean') return 'a checkbox';
  if (isErrorText(text)) return 'an error';
  return isPlaceholder(text) ? 'a placeholder' : null;
}

/** Marks the first cell of a range as a heading when its text is one, so that no handle of this name is bought. */
export function withHeading(cells: CellText[]): CellText[] {
  const [first, ...others] = cells;
  if (first === undefined || others.length === 0 || !isHeading(first.text)) return cells;
  return [{ ...first, fault: 'a heading' }, ...others];
}

/**
 * Returns the error message for a cell that contains no link, handle or ID. `takes_handles`: true when a formula with
 * this cell also accepts handles.
 */
export function faultSentence({ text, fault }: CellText, takesHandles: boolean): string {
  const below = fault === 'a heading' ? ' Begin the range one row below it.' : '';
  const isWord = fault === 'a heading' || fault === 'a placeholder';
  const handle =
    takesHandles && isWord && /^[\p{L}\p{N}_]+$/u.test(text) ? ` If “${text}” is a handle, write @${text}.` : '';
  return `This cell contains ${fault}, not a link${takesHandles ? ' or handle' : ''}.${below}${handle}`;
}
