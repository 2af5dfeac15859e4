import { isErrorText, isLoadingText } from '../cells/cell-text.ts';
import { isUnanswered } from '../platform/failure-sentence.ts';
import type { CellPosition } from './freeze-cells.ts';

/** The reason of {@link reasonToKeep} for a formula that Google Sheets still computes. */
export const stillLoading = 'still loading';
/** Matches a status in the first column of a result: a code, or `OK` with an addition such as `OK (older)`. */
const statusText = /^(?:[A-Z][A-Z_]+|OK \(.*\))$/;

/**
 * Returns why a formula must stay a formula when the others are frozen, as words after a number of formulas. Returns
 * null when the formula has a finished result.
 *
 * Reads the cells of the formula's column, because the status of each row is there. Google Sheets does not say how many
 * rows a formula fills, so this function stops at the next formula and at a text that is no status.
 *
 * @param values the contents of all used cells of the sheet, row by row.
 */
export function reasonToKeep(
  values: readonly (readonly unknown[])[],
  formulas: readonly (readonly string[])[],
  { row, column }: CellPosition,
): string | null {
  const statuses = new Set<string>();
  for (let at = row; at < values.length; at++) {
    const value = values[at]?.[column];
    const text = String(value ?? '');
    if (at > row && (formulas[at]?.[column] ?? '') !== '') break;
    if (isErrorText(text)) return 'with an error';
    if (at === row && isLoadingText(text)) return stillLoading;
    if (isUnanswered(text)) statuses.add(text);
    else if (at > row && typeof value !== 'number' && text !== '' && !statusText.test(text)) break;
  }
  return statuses.size === 0 ? null : `with rows without an answer (${[...statuses].join(', ')})`;
}
