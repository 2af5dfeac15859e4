export type Position = { row: number; column: number };
export type Area = { from: Position; to: Position };

/**
 * Parses a cell address. `B3` is row 3 and column 2; both count from 1. Avoids regular expressions, because sheets of
 * 10,000 rows parse addresses very often.
 */
export function readAddress(a1: string): Position {
  let letters = 0;
  let column = 0;
  for (; letters < a1.length && letters < 3; letters++) {
    const code = a1.charCodeAt(letters);
    if (code < 65 || code > 90) break;
    column = column * 26 + code - 64;
  }
  const row = Number(a1.slice(letters));
  if (letters === 0 || !Number.isInteger(row) || row < 1) throw new Error(`${a1} is not a cell address`);
  return { row, column };
}

/** Parses an area such as `A2:B9`. A single address is an area of one cell. */
export function readArea(a1: string): Area {
  const [from = '', to = from] = a1.split(':');
  return { from: readAddress(from), to: readAddress(to) };
}

export function address({ row, column }: Position): string {
  let letters = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return `${letters}${row}`;
}

/** Returns the A1 addresses of all cells of an area, row by row. */
export function addressTable({ from, to }: Area): string[][] {
  const rows = Array.from({ length: to.row - from.row + 1 }, (_, index) => from.row + index);
  const columns = Array.from({ length: to.column - from.column + 1 }, (_, index) => from.column + index);
  return rows.map((row) => columns.map((column) => address({ row, column })));
}

/** Returns the A1 notation of an area. For an area of one cell, this is a single address. */
export function areaName({ from, to }: Area): string {
  const single = from.row === to.row && from.column === to.column;
  return single ? address(from) : `${address(from)}:${address(to)}`;
}

/** Returns true when a cell is within an area. */
export function isWithin({ row, column }: Position, { from, to }: Area): boolean {
  return row >= from.row && row <= to.row && column >= from.column && column <= to.column;
}

const textOrCell = /"(?:[^"]|"")*"|(?<![\w.])(\$?)([A-Z]{1,3})(\$?)(\d+)(?![\w(])/g;

/** Converts a formula to R1C1 notation, in which relative references count from the cell that contains the formula. */
export function relativeFormula(formula: string, at: Position): string {
  return formula.replace(textOrCell, (part, fixedColumn?: string, letters = '', fixedRow = '', row = '') => {
    if (part.startsWith('"') || fixedColumn === undefined) return part;
    const { column } = readAddress(`${letters}1`);
    const relative = (distance: number): string => (distance === 0 ? '' : `[${distance}]`);
    const down = fixedRow === '$' ? row : relative(Number(row) - at.row);
    return `R${down}C${fixedColumn === '$' ? column : relative(column - at.column)}`;
  });
}
