import { areaOf, type FormulaCell, runsOf, setRun, socialFormulas } from '../formulas/sheet-formulas.ts';
import { writtenText } from '../platform/grid.ts';
import { holdLock } from '../platform/lock.ts';
import { PlainError } from '../platform/page-call.ts';
import { type Place, vanishedCells } from './freeze-cells.ts';
import { type Done, nothingIn } from './refresh.ts';
import { recordRun } from './runs.ts';

type Sheet = GoogleAppsScript.Spreadsheet.Sheet;
type Table = readonly (readonly unknown[])[];

/** What a cell shows whose formula has no value to keep. */
const noValue = /^(#(ERROR!|REF!|N\/A|NAME\?|VALUE!|NUM!|DIV\/0!|NULL!)|Loading)/;

/**
 * Turns formulas of ours into the values that they show, with all they fill; asks nothing of the server. A formula that
 * shows an error or is still loading stays.
 *
 * @throws PlainError when there is nothing to freeze, or somebody else is writing.
 */
export function freeze(asked: unknown): Done {
  const scope = (['selection', 'sheet'] as const).find((known) => known === asked);
  if (scope === undefined) throw new PlainError('Choose the selection or the sheet.');
  const { frozen, left } = holdLock(() => {
    const cells = socialFormulas(scope);
    const [first] = cells;
    if (first === undefined) throw new PlainError(nothingIn(scope));
    return freezeCells(first.sheet, cells);
  });
  const message =
    `${frozen === 1 ? '1 formula is' : `${frozen} formulas are`} values now and will not change again.` +
    (left === 0 ? '' : ` ${left === 1 ? '1 stays' : `${left} stay`}, for an error or a loading cell has no value.`);
  recordRun({ what: `Freeze of the ${scope}`, rows: frozen, ok: frozen, failed: left, credits: 0, message });
  return { ok: true, message };
}

function freezeCells(sheet: Sheet, cells: readonly FormulaCell[]): { frozen: number; left: number } {
  const used = sheet.getDataRange();
  const before: Table = used.getValues();
  const formulas = used.getFormulas();
  const ready = cells.filter(({ row, column }) => !noValue.test(String(before[row - 1]?.[column - 1])));
  const places = ready.map(({ row, column }) => ({ row: row - 1, column: column - 1 }));
  const rows = before.length;
  const columns = before[0]?.length ?? 0;
  let written: Place[] = [];
  try {
    writeBack(sheet, before, places);
    SpreadsheetApp.flush();
    const now = (): Table => sheet.getRange(1, 1, rows, columns).getValues();
    const { sure, doubtful } = vanishedCells({ before, after: now(), formulas, frozen: places });
    written = sure;
    writeBack(sheet, before, sure);
    // Column by column: what another formula fills comes back by itself once the cells that it reads are back.
    for (const column of [...new Set(doubtful.map((place) => place.column))].sort((a, b) => a - b)) {
      SpreadsheetApp.flush();
      const after = now();
      const missing = doubtful.filter((place) => place.column === column && after[place.row]?.[column] === '');
      written = [...written, ...missing];
      writeBack(sheet, before, missing);
    }
    SpreadsheetApp.flush();
  } catch (error) {
    for (const { row, column } of written) sheet.getRange(row + 1, column + 1).clearContent();
    for (const run of runsOf(ready)) setRun(run);
    throw error;
  }
  return { frozen: ready.length, left: cells.length - ready.length };
}

/** Writes the values that stood in some cells into them, a column of neighbours at once. */
function writeBack(sheet: Sheet, values: Table, places: readonly Place[]): void {
  const cells = places.map(({ row, column }) => ({ sheet, row: row + 1, column: column + 1, formula: '' }));
  for (const run of runsOf(cells)) {
    const area = areaOf(run);
    const formats = area.getNumberFormats();
    // What is formatted as plain text would keep the apostrophe and turn numbers into text.
    if (formats.some(([format]) => format === '@')) {
      area.setNumberFormats(formats.map(([format = '']) => [format === '@' ? 'General' : format]));
    }
    area.setValues(run.formulas.map((_, down) => [written(values[run.row - 1 + down]?.[run.column - 1])]));
  }
}

/** A value that a cell gave, as it must be written to be the same again. */
function written(value: unknown): string | number | boolean | Date {
  if (typeof value === 'number' || typeof value === 'boolean' || value instanceof Date) return value;
  const text = String(value ?? '');
  return text === '' ? '' : writtenText(text);
}
