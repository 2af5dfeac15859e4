import { type CellText, readCell, withHeading } from '../cells/cell-text.ts';

/**
 * Reads an argument of a formula that is one cell or one column. Returns the content of each cell, in order.
 *
 * @param what the expected content, with an example, for the error message.
 * @throws Error when the argument is missing, or the range has more than one column.
 */
export function readColumn(cells: unknown, what: string): CellText[] {
  if (cells === undefined) throw new Error(`Enter ${what}.`);
  const column: unknown[] = Array.isArray(cells) ? cells.map((row) => onlyCell(row, what)) : [cells];
  return withHeading(column.map(readCell));
}

function onlyCell(row: unknown, what: string): unknown {
  if (!Array.isArray(row)) return row;
  if (row.length > 1) throw new Error(`This range has more than one column. Enter ${what}.`);
  return row[0];
}

/**
 * Reads an argument of a formula that is a cell or a range. Returns the content of the cells, in order, without repeats
 * and without empty cells.
 *
 * @throws Error when the argument is missing.
 */
export function readList(cells: unknown, what: string): CellText[] {
  if (cells === undefined) throw new Error(`Enter ${what}.`);
  const read = withHeading([cells].flat(2).map(readCell)).filter(({ text }) => text !== '');
  return [...new Map(read.map((cell) => [cell.text, cell])).values()];
}

const orImport = 'Split the range, or make an import in the sidebar, which takes 10,000 links.';

/**
 * Checks the number of URLs or IDs in a formula. `what`: a plural noun for the error message, such as "profiles".
 * `advice`: the sentence that says what to do instead.
 *
 * @throws Error when there are more than `max`.
 */
export function checkCount(count: number, max: number, what: string, advice = orImport): void {
  if (count > max) {
    const limit = `One formula takes at most ${max.toLocaleString('en-US')} ${what}, and this range has ${count.toLocaleString('en-US')}.`;
    throw new Error(`${limit} ${advice}`);
  }
}

/**
 * Reads an argument of a formula that is a whole number, given as a number or as text. Returns null when the argument
 * is empty.
 *
 * @throws Error that names the allowed range when the argument is not such a number.
 */
export function readWhole(argument: unknown, name: string, min: number, max: number): number | null {
  const text = String([argument].flat(2)[0] ?? '').trim();
  if (text === '') return null;
  const whole = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (whole >= min && whole <= max) return whole;
  const order = /[a-z]/i.test(text) ? ` It is "${text}" now: check the order of the arguments.` : '';
  throw new Error(`${name} must be a whole number from ${min} to ${max}.${order}`);
}

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns true when the value is a UUID, the form of the server's IDs of campaigns and tracked items. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && idPattern.test(value);
}
