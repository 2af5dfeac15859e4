/** Row and column count from 0. */
export type CellPosition = { row: number; column: number };

/** The used cells before and after the frozen formulas were replaced by their values, row by row. */
export type Change = {
  before: readonly (readonly unknown[])[];
  after: readonly (readonly unknown[])[];
  formulas: readonly (readonly string[])[];
  /** The cells whose formulas were frozen. */
  frozen: readonly CellPosition[];
};

/**
 * Returns the cells that the frozen formulas had filled beyond their own cell; they are empty now. Sheets does not say
 * which formula fills a cell, so this compares before and after: between a formula and a cell that it fills there is no
 * other formula and no typed value. `doubtful`: cells that another formula, which was not frozen, may have filled; it
 * fills them again by itself once the cells that it reads have their values again.
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
  /** The cell of the formula is the only obstacle between the two corners. */
  const reaches = (from: CellPosition, to: CellPosition): boolean =>
    from.row <= to.row && from.column <= to.column && count(from, to) === 1;
  const filled = emptied.filter((cell) => frozen.some((from) => reaches(from, cell)));
  const doubtful = filled.filter((cell) => otherFormulas.some((from) => reaches(from, cell)));
  return { sure: filled.filter((cell) => !doubtful.includes(cell)), doubtful };
}

/** Returns a function that counts the obstacles between two corners, from a summed-area table. */
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
