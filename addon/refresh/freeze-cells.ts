export type Place = { row: number; column: number };

/** What stood in the used area before and after the frozen formulas gave way to their values; row by row. */
export type Change = {
  before: readonly (readonly unknown[])[];
  after: readonly (readonly unknown[])[];
  formulas: readonly (readonly string[])[];
  /** The cells whose formulas were frozen; places count from 0. */
  frozen: readonly Place[];
};

/**
 * The cells that the frozen formulas had filled beyond their own: they are empty now. Sheets does not say which formula
 * fills a cell, so this goes by what vanished: from a formula to a cell it fills, no other formula and nothing that the
 * user typed can stand. `doubtful` are those which another formula, left alone, may have filled as well; it fills them
 * again by itself once its own cells are back.
 */
export function vanishedCells(change: Change): { sure: Place[]; doubtful: Place[] } {
  const { before, after, formulas, frozen } = change;
  const isFrozen = new Set(frozen.map(({ row, column }) => `${row},${column}`));
  const others: Place[] = [];
  const vanished: Place[] = [];
  const obstacles = before.map((values, row) =>
    values.map((value, column) => {
      const hasFormula = (formulas[row]?.[column] ?? '') !== '';
      if (hasFormula && !isFrozen.has(`${row},${column}`)) others.push({ row, column });
      const gone = !hasFormula && value !== '' && after[row]?.[column] === '';
      if (gone) vanished.push({ row, column });
      return hasFormula || (value !== '' && !gone) ? 1 : 0;
    }),
  );
  const count = counter(obstacles);
  /** The formula's own cell is the one obstacle between the two corners. */
  const reaches = (from: Place, to: Place): boolean =>
    from.row <= to.row && from.column <= to.column && count(from, to) === 1;
  const ours = vanished.filter((cell) => frozen.some((from) => reaches(from, cell)));
  const doubtful = ours.filter((cell) => others.some((from) => reaches(from, cell)));
  return { sure: ours.filter((cell) => !doubtful.includes(cell)), doubtful };
}

/** Counts the obstacles between two corners, from sums that are made once. */
function counter(obstacles: readonly (readonly number[])[]): (from: Place, to: Place) => number {
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
