/**
 * Reads an argument of a formula that is one cell or one column. Returns the trimmed text of each cell, in order. An
 * empty cell is "".
 *
 * @param what the expected content, with an example, for the error message.
 * @throws Error when the argument is missing, or the range has more than one column.
 */
export function readColumn(cells: unknown, what: string): string[] {
  if (cells === undefined) throw new Error(`Enter ${what}.`);
  const column: unknown[] = Array.isArray(cells) ? cells.map((row) => onlyCell(row, what)) : [cells];
  return column.map((cell) => cellText(cell, what));
}

function onlyCell(row: unknown, what: string): unknown {
  if (!Array.isArray(row)) return row;
  if (row.length > 1) throw new Error(`This range has more than one column. Enter ${what}.`);
  return row[0];
}

/**
 * Reads an argument of a formula that is a cell or a range. Returns the texts of the cells, in order, without repeats
 * and without empty cells.
 *
 * @throws Error when the argument is missing.
 */
export function readList(cells: unknown, what: string): string[] {
  if (cells === undefined) throw new Error(`Enter ${what}.`);
  const texts = [cells].flat(2).map((cell) => cellText(cell, what));
  return [...new Set(texts.filter((text) => text !== ''))];
}

/** Returns the value of a cell as text. @throws Error for a date, because a date is never a URL, handle or ID. */
function cellText(cell: unknown, what: string): string {
  if (cell instanceof Date) throw new Error(`A date cannot be used here. Enter ${what}.`);
  return String(cell ?? '').trim();
}

/**
 * Checks the number of URLs or IDs in a formula. `what`: a plural noun for the error message, such as "profiles".
 *
 * @throws Error when there are more than `max`.
 */
export function checkCount(count: number, max: number, what: string): void {
  if (count > max) {
    throw new Error(`One formula takes at most ${max} ${what}, and this range has ${count}. Split the range.`);
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
  throw new Error(`${name} must be a whole number from ${min} to ${max}.`);
}

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns true when the value is a UUID, the form of the server's IDs of campaigns and tracked items. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && idPattern.test(value);
}
