/**
 * The cells of a column, in order, as trimmed text; blank is "". A single cell is a column of one.
 *
 * @param what what stands there, in the plural and with an example, for the sentence of the error.
 * @throws Error when nothing was named, or a range is wider than a column.
 */
export function readColumn(cells: unknown, what: string): string[] {
  if (cells === undefined) throw new Error(`Name ${what}.`);
  const column: unknown[] = Array.isArray(cells) ? cells.map((row) => onlyCell(row, what)) : [cells];
  return column.map((cell) => cellText(cell, what));
}

function onlyCell(row: unknown, what: string): unknown {
  if (!Array.isArray(row)) return row;
  if (row.length > 1) throw new Error(`This range has more than one column: name ${what}.`);
  return row[0];
}

/**
 * The different texts of a cell or of a range of any shape, in order, without blanks.
 *
 * @throws Error when nothing was named.
 */
export function readList(cells: unknown, what: string): string[] {
  if (cells === undefined) throw new Error(`Name ${what}.`);
  const texts = [cells].flat(2).map((cell) => cellText(cell, what));
  return [...new Set(texts.filter((text) => text !== ''))];
}

/** A date would arrive as some zone's words, which name nothing. */
function cellText(cell: unknown, what: string): string {
  if (cell instanceof Date) throw new Error(`A date is not what belongs here: name ${what}.`);
  return String(cell ?? '').trim();
}

/** @throws Error when there are more than fit the requests of a minute and the seconds of a formula. */
export function checkCount(count: number, max: number, what: string): void {
  if (count > max) throw new Error(`One formula takes at most ${max} ${what}, here are ${count}: split the range.`);
}

/**
 * A whole number as typed or as text; null when nothing was said.
 *
 * @throws Error saying the range it must be in.
 */
export function readWhole(asked: unknown, name: string, min: number, max: number): number | null {
  const text = String([asked].flat(2)[0] ?? '').trim();
  if (text === '') return null;
  const whole = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (whole >= min && whole <= max) return whole;
  throw new Error(`${name} must be a whole number from ${min} to ${max}.`);
}

const idForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the text has the form of an id of the server, of a campaign or a tracked item. */
export function isId(text: string): boolean {
  return idForm.test(text);
}
