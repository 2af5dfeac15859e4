import { asObject } from '../../platform/client.ts';
import { writtenText } from '../../platform/grid.ts';
import { holdLockOnce, pressMessage } from '../../platform/lock.ts';
import { PlainError } from '../../platform/page-call.ts';
import { fieldLabel } from '../field-labels.ts';
import { refreshName } from '../max-age.ts';
import { type BuilderChoice, buildFormula, findFormula } from './formula-builder.ts';

/**
 * Writes the formula that the user chose in the sidebar into the selected cell, and headings above it when the cells
 * above are empty. Returns a message for the user.
 *
 * @param press the ID of the button press, which the sidebar made. A repeated call with the same ID and input inserts
 * nothing.
 * @throws PlainError when an argument is missing, a cell that the result needs is not empty, or the formula would read
 * its own cell.
 */
export function insertFormula(input: unknown, press: unknown = null): { ok: true; message: string } {
  const cell = SpreadsheetApp.getActiveSpreadsheet().getCurrentCell();
  if (cell === null) throw new PlainError('Select the cell for the formula.');
  const choice = readChoice(input);
  const { reply, again } = holdLockOnce(
    { button: 'formula', id: press, input: [choice, cell.getSheet().getName(), cell.getA1Notation()] },
    () => writeFormula(cell, choice),
  );
  return { ok: true, message: pressMessage(reply, again) };
}

type Range = GoogleAppsScript.Spreadsheet.Range;

/** Writes the formula and its headings. Returns a message for the user. */
function writeFormula(cell: Range, choice: BuilderChoice): string {
  const file = SpreadsheetApp.getActiveSpreadsheet();
  const sheet = cell.getSheet();
  const built = buildFormula(choice, sheet.getName());
  if ('missing' in built) throw new PlainError(built.missing);
  if (choice.max_age === refreshName && file.getRangeByName(refreshName) === null) {
    throw new PlainError(
      'There is no refresh cell yet. To create one, choose “Refresh formulas with the refresh cell” in the menu of the add-on.',
    );
  }
  const a1 = cell.getA1Notation();
  if (choice.area?.sheet === sheet.getName() && covers(sheet.getRange(choice.area.a1), cell)) {
    throw new PlainError(`${a1} is one of the cells that the formula reads. Select an empty cell beside them.`);
  }
  if (cell.getValue() !== '' || cell.getFormula() !== '') {
    throw new PlainError(`${a1} is not empty. Select an empty cell with empty cells to its right and below.`);
  }
  const headings = headingsOf(choice);
  const result = resultArea(cell, choice, headings.length);
  requireEmpty(result, cell);
  const headed = writeHeadings(cell, headings);
  cell.setFormula(built.formula);
  SpreadsheetApp.flush();
  if (cell.getDisplayValue() === '#REF!') {
    cell.clearContent();
    throw new PlainError(
      `There is no space for the result in ${a1}. Select a cell with empty cells to its right and below.`,
    );
  }
  const above = headed || headings.length === 0 ? '' : ' There was no space for headings above it.';
  return `The formula is in ${a1}.${above}`;
}

/**
 * Returns the headings of the columns that the formula fills. Returns an empty list for a formula that writes its own
 * headings or returns one number.
 */
function headingsOf({ name, ticked }: BuilderChoice): string[] {
  const formula = findFormula(name);
  if (formula === undefined || !formula.args.includes('fields')) return [];
  const fields = formula.choices.filter((field) => ticked.includes(field) && field !== 'status');
  return ['Status', ...fields.map(fieldLabel)];
}

/**
 * Returns the cells that the result of the formula will fill. A formula that returns several rows for each URL can fill
 * more rows than these, because its number of rows is known only after it has run.
 */
function resultArea(cell: Range, { name, area }: BuilderChoice, width: number): Range {
  const isRowForRow = findFormula(name)?.estimate?.per_request_max !== 1 && area !== null;
  const rows = isRowForRow ? (areaRows.exec(area.a1)?.slice(1).map(Number) ?? []) : [];
  const [first = 1, last = first] = rows;
  const sheet = cell.getSheet();
  const height = Math.min(last - first + 1, sheet.getMaxRows() - cell.getRow() + 1);
  return cell.offset(0, 0, height, Math.min(Math.max(1, width), sheet.getMaxColumns() - cell.getColumn() + 1));
}

const areaRows = /^[A-Z]+(\d+):[A-Z]+(\d+)$/;

/**
 * Checks that all cells that the result of the formula will fill are empty.
 *
 * @throws PlainError that names the first filled cell.
 */
function requireEmpty(result: Range, cell: Range): void {
  const values = result.getValues();
  const row = values.findIndex((line) => line.some((value) => value !== ''));
  if (row < 0) return;
  const column = values[row]?.findIndex((value) => value !== '') ?? 0;
  const used = cell.offset(row, column).getA1Notation();
  throw new PlainError(
    `The result needs ${result.getA1Notation()}, and ${used} is not empty. Select a cell with empty cells to its right and below.`,
  );
}

/**
 * Writes the headings into the cells above the formula. Returns false when nothing was written, because those cells are
 * not empty or do not exist.
 */
function writeHeadings(cell: Range, headings: readonly string[]): boolean {
  const columnsLeft = cell.getSheet().getMaxColumns() - cell.getColumn() + 1;
  if (headings.length === 0 || cell.getRow() === 1 || headings.length > columnsLeft) return false;
  const above = cell.offset(-1, 0, 1, headings.length);
  if (!above.isBlank()) return false;
  above.setValues([headings.map(writtenText)]);
  return true;
}

function covers(range: Range, cell: Range): boolean {
  const [row, column] = [cell.getRow() - range.getRow(), cell.getColumn() - range.getColumn()];
  return row >= 0 && row < range.getNumRows() && column >= 0 && column < range.getNumColumns();
}

function readChoice(input: unknown): BuilderChoice {
  const values = asObject(input) ?? {};
  const text = (name: string): string => (typeof values[name] === 'string' ? values[name] : '');
  const area = asObject(values.area);
  const ticked = Array.isArray(values.ticked) ? values.ticked.map(String) : [];
  return {
    ...{ name: text('name'), limit: text('limit'), days: text('days'), campaign: text('campaign') },
    ...{ section: text('section'), max_age: text('max_age'), platform: text('platform'), ticked },
    area: area === null ? null : { sheet: String(area.sheet), a1: String(area.a1) },
  };
}
