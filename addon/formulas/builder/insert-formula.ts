import { asObject } from '../../platform/client.ts';
import { PlainError } from '../../platform/page-call.ts';
import { refreshName } from '../max-age.ts';
import { type BuilderChoice, buildFormula } from './formula-builder.ts';

/**
 * Writes the chosen formula into the selected cell and returns a message for the user.
 *
 * @throws PlainError when an argument is missing, or the cell is not empty or is one of the cells that the formula reads.
 */
export function insertFormula(input: unknown): { ok: true; message: string } {
  const file = SpreadsheetApp.getActiveSpreadsheet();
  const cell = file.getCurrentCell();
  if (cell === null) throw new PlainError('Select the cell for the formula.');
  const sheet = cell.getSheet();
  const choice = readChoice(input);
  const built = buildFormula(choice, sheet.getName());
  if ('missing' in built) throw new PlainError(built.missing);
  if (choice.max_age === refreshName && file.getRangeByName(refreshName) === null) {
    throw new PlainError('There is no refresh cell yet. To create one, choose Refresh in the menu of the add-on.');
  }
  const a1 = cell.getA1Notation();
  if (choice.area?.sheet === sheet.getName() && covers(sheet.getRange(choice.area.a1), cell)) {
    throw new PlainError(`${a1} is one of the cells that the formula reads. Select an empty cell beside them.`);
  }
  if (cell.getValue() !== '' || cell.getFormula() !== '') {
    throw new PlainError(`${a1} is not empty. Select an empty cell with empty cells to its right and below.`);
  }
  cell.setFormula(built.formula);
  return { ok: true, message: `The formula is in ${a1}.` };
}

type Range = GoogleAppsScript.Spreadsheet.Range;

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
    ...{ section: text('section'), max_age: text('max_age'), ticked },
    area: area === null ? null : { sheet: String(area.sheet), a1: String(area.a1) },
  };
}
