/** The position of a cell in a sheet. The first row and the first column are 0. */
export type CellPosition = { row: number; column: number };

/**
 * The contents of all used cells of a sheet, row by row: before and after some formulas were frozen (replaced by the
 * values that they show).
 */
type Change = {
  before: readonly (readonly unknown[])[];
  after: readonly (readonly unknown[])[];
  formulas: readonly (readonly string[])[];
  /** The cells whose formulas were frozen (replaced by the values that they show). */
  frozen: readonly CellPosition[];
};

/**
 * Returns the cells that became empty when formulas were frozen (replaced by their values). One formula can fill
 * several cells. When the formula is replaced, only its own cell keeps a value. Google Sheets does not say which
 * formula fills a cell, so this function compares the cells before and after. It assumes that a formula can fill a cell
 * when the rectangle between the formula and the cell contains no other formula and no typed value.
 *
 * @returns `sure`: cells that only frozen formulas can have filled. `doubtful`: cells that may also have been filled by
 * a formula that was not frozen. Such a formula fills the cells again as soon as the cells that it reads have their
 * values again.
 */
export function emptiedCells(change: Change): { sure: CellPosition[]; doubtful: CellPosition[] } {
  const { before, after, formulas, frozen } = change;
  const isFrozen = new Set(frozen.map(({ row, column }) => `${row},${column}`));
  const otherFormulas: CellPosition[] = [];
  const emptied: CellPosition[] = [];
  const obstacles = before.map((values, row) =>
    values.map((value, column) => {
      const hasFormula = (formulas[row]?.[column] ?? '') !== '';
      if (hasFormula && !isFrozen.has(`${row},${column}`)) otherFormulas.push({ row, column });
      const isEmptied = !hasFormula && value !== '' && after[row]?.[column] === '';
      if (isEmptied) emptied.push({ row, column });
      return hasFormula || (value !== '' && !isEmptied) ? 1 : 0;
    }),
  );
  const count = createCounter(obstacles);
  /**
   * Returns true when the rectangle from the formula to the cell contains no other formula and no typed value. The
   * formula can then have filled the cell.
   */
  const reaches = (from: CellPosition, to: CellPosition): boolean =>
    from.row <= to.row && from.column <= to.column && count(from, to) === 1;
  const filled = emptied.filter((cell) => frozen.some((from) => reaches(from, cell)));
  const isDoubtful = (cell: CellPosition): boolean => otherFormulas.some((from) => reaches(from, cell));
  const doubtful = new Set(filled.filter(isDoubtful));
  return { sure: filled.filter((cell) => !doubtful.has(cell)), doubtful: [...doubtful] };
}

/**
 * Returns a function that counts the formulas and typed values in a rectangle of cells. The function uses a summed-area
 * table, because it is called often.
 */
function createCounter(obstacles: readonly (readonly number[])[]): (from: CellPosition, to: CellPosition) => number {
  const width = obstacles[0]?.length ?? 0;
  const sums: number[][] = [Array.from({ length: width + 1 }, () => 0)];
  const sum = (row: number, column: number): number => sums[row]?.[column] ?? 0;
  obstacles.forEach((cells, row) => {
    const line = [0];
    cells.forEach((cell, column) => {
      line.push(cell + sum(row, column + 1) + (line[column] ?? 0) - sum(row, column));
    });
    sums.push(line);
  });
  return (from, to) =>
    sum(to.row + 1, to.column + 1) -
    sum(from.row, to.column + 1) -
    sum(to.row + 1, from.column) +
    sum(from.row, from.column);
}
