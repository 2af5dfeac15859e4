import { writtenText } from '../platform/grid.ts';
import { holdLock } from '../platform/lock.ts';
import { PlainError } from '../platform/page-call.ts';
import { recordRun } from '../platform/runs.ts';
import { type CellPosition, emptiedCells } from './freeze-cells.ts';
import { reasonToKeep } from './freeze-reasons.ts';
import { type Done, noFormulaIn } from './refresh.ts';
import { type FormulaCell, rangeOfRun, runsOf, setRun, socialFormulas } from './sheet-formulas.ts';

type Sheet = GoogleAppsScript.Spreadsheet.Sheet;
type Table = readonly (readonly unknown[])[];

/**
 * Freezes SOCIAL_ formulas: replaces them with the values that they show, in all cells that they fill. Sends no
 * requests. A formula without a finished result does not change, see {@link reasonToKeep}.
 *
 * @throws PlainError when there is no formula to freeze, or another window or trigger is writing into the spreadsheet.
 */
export function freeze(input: unknown): Done {
  const scope = (['selection', 'sheet'] as const).find((known) => known === input);
  if (scope === undefined) throw new PlainError('Choose the selection or the sheet.');
  const { frozen, kept } = holdLock(() => {
    const cells = socialFormulas(scope);
    const [first] = cells;
    if (first === undefined) throw new PlainError(noFormulaIn(scope));
    return freezeCells(first.sheet, cells);
  });
  const message = [frozenSentence(frozen), keptSentence(kept)].join(' ').trim();
  const failed = kept.length;
  recordRun({ what: `Freeze of the ${scope}`, rows: frozen + failed, ok: frozen, failed, credits: 0, message });
  return { ok: true, message };
}

function frozenSentence(frozen: number): string {
  if (frozen === 0) return 'No formula was replaced with values.';
  return `${frozen === 1 ? '1 formula was' : `${frozen} formulas were`} replaced with values, which do not change again.`;
}

/** Returns a sentence with the number of formulas that were not frozen, and the reasons. */
function keptSentence(reasons: readonly string[]): string {
  if (reasons.length === 0) return '';
  const counts = [...new Set(reasons)].map((reason) => `${reasons.filter((one) => one === reason).length} ${reason}`);
  const left = reasons.length === 1 ? '1 left as a formula' : `${reasons.length} left as formulas`;
  return `${left}: ${counts.join(', ')}. Repair or refresh such cells, then freeze again.`;
}

function freezeCells(sheet: Sheet, cells: readonly FormulaCell[]): { frozen: number; kept: string[] } {
  const used = sheet.getDataRange();
  const before: Table = used.getValues();
  const formulas = used.getFormulas();
  const reasons = cells.map(({ row, column }) => reasonToKeep(before, formulas, { row: row - 1, column: column - 1 }));
  const ready = cells.filter((_, index) => reasons[index] === null);
  const positions = ready.map(({ row, column }) => ({ row: row - 1, column: column - 1 }));
  const rows = before.length;
  const columns = before[0]?.length ?? 0;
  let written: CellPosition[] = [];
  try {
    writeBack(sheet, before, positions);
    SpreadsheetApp.flush();
    const now = (): Table => sheet.getRange(1, 1, rows, columns).getValues();
    const { sure, doubtful } = emptiedCells({ before, after: now(), formulas, frozen: positions });
    written = sure;
    writeBack(sheet, before, sure);
    // The cells in `doubtful` are restored column by column, from left to right. When a column has its values again, a
    // formula that reads it may fill the next columns itself.
    for (const column of [...new Set(doubtful.map((cell) => cell.column))].sort((a, b) => a - b)) {
      SpreadsheetApp.flush();
      const after = now();
      const missing = doubtful.filter((cell) => cell.column === column && after[cell.row]?.[column] === '');
      written = [...written, ...missing];
      writeBack(sheet, before, missing);
    }
    SpreadsheetApp.flush();
  } catch (error) {
    for (const { row, column } of written) sheet.getRange(row + 1, column + 1).clearContent();
    for (const run of runsOf(ready)) setRun(run);
    throw error;
  }
  return { frozen: ready.length, kept: reasons.filter((reason) => reason !== null) };
}

/**
 * Writes the values that some cells had before the freeze back into them. Adjacent cells of a column are written in one
 * call.
 */
function writeBack(sheet: Sheet, values: Table, positions: readonly CellPosition[]): void {
  const cells = positions.map(({ row, column }) => ({ sheet, row: row + 1, column: column + 1, formula: '' }));
  for (const run of runsOf(cells)) {
    const area = rangeOfRun(run);
    const formats = area.getNumberFormats();
    // The format "Plain text" is replaced, because with this format, Google Sheets would show the apostrophe before a
    // text and turn numbers into text.
    if (formats.some(([format]) => format === '@')) {
      area.setNumberFormats(formats.map(([format = '']) => [format === '@' ? 'General' : format]));
    }
    area.setValues(run.formulas.map((_, down) => [written(values[run.row - 1 + down]?.[run.column - 1])]));
  }
}

/** Returns a cell value in the form in which `setValues` writes exactly this value. A text gets an apostrophe. */
function written(value: unknown): string | number | boolean | Date {
  if (typeof value === 'number' || typeof value === 'boolean' || value instanceof Date) return value;
  const text = String(value ?? '');
  return text === '' ? '' : writtenText(text);
}
