/**
 * Returns the cells of one column as trimmed text, in order. An empty cell is "". A single cell counts as a column.
 *
 * @param what names the expected content for the error message, in the plural and with an example.
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
 * Returns the texts in a cell or a range, in order, without repeats and without empty cells.
 *
 * @throws Error when the argument is missing.
 */
export function readList(cells: unknown, what: string): string[] {
  if (cells === undefined) throw new Error(`Enter ${what}.`);
  const texts = [cells].flat(2).map((cell) => cellText(cell, what));
  return [...new Set(texts.filter((text) => text !== ''))];
}

/** Returns a cell as text. @throws Error for a date, because a date cannot identify anything here. */
function cellText(cell: unknown, what: string): string {
  if (cell instanceof Date) throw new Error(`A date cannot be used here. Enter ${what}.`);
  return String(cell ?? '').trim();
}

/** Checks the number of values of a formula. @throws Error when there are more than the formula can request within the rate limit and its 30 seconds. */
export function checkCount(count: number, max: number, what: string): void {
  if (count > max) {
    throw new Error(`One formula takes at most ${max} ${what}, and this range has ${count}. Split the range.`);
  }
}

/**
 * Reads a whole number, given as a number or as text; returns null when the argument is empty.
 *
 * @throws Error with the allowed range.
 */
export function readWhole(argument: unknown, name: string, min: number, max: number): number | null {
  const text = String([argument].flat(2)[0] ?? '').trim();
  if (text === '') return null;
  const whole = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (whole >= min && whole <= max) return whole;
  throw new Error(`${name} must be a whole number from ${min} to ${max}.`);
}

const idForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns true when the text has the form of an ID of the server, such as the ID of a campaign or a tracked item. */
export function isId(text: string): boolean {
  return idForm.test(text);
}
