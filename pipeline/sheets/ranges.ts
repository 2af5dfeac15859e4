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
