import { fieldLabel } from '../../formulas/field-labels.ts';
import type { PlannedColumn } from '../../imports/saved-import.ts';
import { byId, createElement, setText, show } from '../elements.ts';

/** Shows in the import form into which column of the sheet each field will be written. */
export function showColumns(columns: readonly PlannedColumn[]): void {
  const old = columns.filter(({ is_new }) => !is_new).length;
  const added = columns.length - old;
  const parts = [...(old > 0 ? [`${old} of yours`] : []), ...(added > 0 ? [`${added} new`] : [])];
  setText('import-columns-summary', `Columns in the sheet: ${parts.join(', ')}`);
  const inOrder = [...columns].sort((a, b) => a.column - b.column);
  byId('import-columns-list', HTMLElement).replaceChildren(...inOrder.map(lineOf));
  show('import-columns', columns.length > 0);
}

function lineOf({ field, heading, column, is_new }: PlannedColumn): HTMLElement {
  const line = document.createElement('li');
  const label = is_new ? heading : fieldLabel(field);
  const other = label.toLowerCase() === heading.toLowerCase() ? '' : ` under “${heading}”`;
  line.append(createElement('span', columnLetters(column), 'column'), createElement('span', label + other));
  line.append(createElement('span', is_new ? 'new' : 'yours', is_new ? 'badge' : 'badge kept'));
  return line;
}

/** Returns the letters of a column of the sheet: 1 is A, 27 is AA. */
function columnLetters(column: number): string {
  let letters = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}
