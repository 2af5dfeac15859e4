/** Returns the letters of a spreadsheet column from its index: A for 0, AA for 26. */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

function columnIndex(letters: string): number {
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** The position of a spreadsheet cell. Rows and columns are counted from 1. */
export interface CellPosition {
  row: number;
  column: number;
}

/** Returns the position of a cell from its name, such as `C1`. Returns null for any other text. */
export function readCell(text: string): CellPosition | null {
  const match = /^\$?([A-Z]{1,3})\$?([1-9]\d{0,6})$/i.exec(text.trim());
  return match ? { row: Number(match[2]), column: columnIndex(match[1] ?? 'A') + 1 } : null;
}

interface SheetRange {
  sheet_name: string;
  /** The range of cells in A1 notation without the name of the tab, such as `A2:A`. */
  cells: string;
}

/**
 * Returns the tab and the cells of a range such as `Sheet1!A2:A` or `'My tab'!B2:C100`. Returns null for any other
 * text.
 */
export function readSheetRange(text: string): SheetRange | null {
  const match = /^(?:'((?:[^']|'')+)'|([^'!]+))!(\$?[A-Z]{1,3}\$?[1-9]?\d{0,6}(?::\$?[A-Z]{1,3}\$?\d{0,7})?)$/i.exec(
    text.trim(),
  );
  const name = match?.[1]?.replaceAll("''", "'") ?? match?.[2];
  return name && match?.[3] ? { sheet_name: name, cells: match[3].replaceAll('$', '').toUpperCase() } : null;
}

/** A corner of a range of cells. The row is null in a range of whole columns, such as `A:A` or the end of `A2:A`. */
export interface RangeCorner {
  column: number;
  row: number | null;
}

/** Returns the first and the last corner of a range such as `A2:A`. The last corner of a single cell is null. */
export function cornersOf(cells: string): [first: RangeCorner, last: RangeCorner | null] {
  const [first = '', last] = cells.split(':');
  return [readCorner(first), last === undefined ? null : readCorner(last)];
}

function readCorner(text: string): RangeCorner {
  const letters = text.replace(/\d/g, '');
  return { column: columnIndex(letters) + 1, row: text === letters ? null : Number(text.slice(letters.length)) };
}

/** Returns a range in the form that {@link readSheetRange} reads, such as `Sheet1!A2:A`. */
export function sheetRange(sheetName: string, corners: readonly (RangeCorner | null)[]): string {
  const tab = /^[\p{L}\p{N}_]+$/u.test(sheetName) ? sheetName : `'${sheetName.replaceAll("'", "''")}'`;
  const cells = corners.flatMap((corner) => (corner ? `${columnName(corner.column - 1)}${corner.row ?? ''}` : []));
  return `${tab}!${cells.join(':')}`;
}
