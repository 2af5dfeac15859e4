import { addressTable, readArea } from './a1.ts';
import { type Expression, readFormula } from './formula-syntax.ts';
import { typedCell } from './typing.ts';
import { type CellState, type Grid, type SheetState, sheetNamed, type World } from './world.ts';

const maxRounds = 5;

/** Runs a function of the script. An error that the function throws becomes the error of the formula. */
export type CustomCall = (name: string, args: unknown[]) => unknown;

/** Returns the input values of a formula. The formula runs again only when these values change. */
export function inputsOf(tree: Expression, world: World, sheet: SheetState): unknown[] {
  if (tree.kind === 'joined') return tree.parts.map((part) => inputsOf(part, world, sheet));
  if (tree.kind === 'call') return [tree.name, ...tree.args.map((part) => inputsOf(part, world, sheet))];
  return [leafValue(tree, world, sheet)];
}

/** Returns the result of a formula that calls a custom function or one of the few modelled built-in functions. */
export function resultOf(tree: Expression, world: World, sheet: SheetState, custom: CustomCall): unknown {
  if (tree.kind === 'joined') return tree.parts.map((part) => String(resultOf(part, world, sheet, custom))).join('');
  if (tree.kind !== 'call') return leafValue(tree, world, sheet);
  const value = (index: number): unknown => {
    const arg = tree.args[index];
    return arg === undefined ? '' : resultOf(arg, world, sheet, custom);
  };
  switch (tree.name.toUpperCase()) {
    case 'SUM':
      return numbers(tree.args.map((_, index) => value(index))).reduce((sum, each) => sum + each, 0);
    case 'SORT':
      return sorted(value(0));
    case 'DIVIDE':
      return Number(value(0)) / Number(value(1));
    case 'EQ':
      return value(0) === value(1);
    case 'NE':
      return value(0) !== value(1);
    case 'ISBLANK':
      return value(0) === '';
    case 'IF':
      return value(value(0) === true ? 1 : 2);
    case 'IFERROR':
      try {
        return value(0);
      } catch {
        return value(1);
      }
    default:
      return custom(
        tree.name,
        tree.args.map((_, index) => value(index)),
      );
  }
}

/** Returns the value of an argument: a single value for a cell, a table for a range, and "" for a blank cell. */
function leafValue(tree: Expression, world: World, sheet: SheetState): unknown {
  if (tree.kind === 'value') return tree.value;
  if (tree.kind !== 'area' && tree.kind !== 'named')
    throw new Error('The fake spreadsheet can only read the value of a cell, an area or a name');
  const named =
    tree.kind === 'named' ? world.named_ranges[tree.name] : { sheet: tree.sheet ?? sheet.name, a1: tree.a1 };
  if (named === undefined) throw new Error(`Unknown range name: ${JSON.stringify(tree)}`);
  const { grid = {} } = sheetNamed(world, named.sheet) ?? {};
  const table = addressTable(readArea(named.a1)).map((row) => row.map((a1) => grid[a1]?.value ?? ''));
  return named.a1.includes(':') ? table : table[0]?.[0];
}

function numbers(values: unknown[]): number[] {
  return values.flat(3).filter((value) => typeof value === 'number');
}

function sorted(table: unknown): unknown {
  const cells = [table].flat(2).filter((cell) => cell !== '');
  const ordered = cells.toSorted((a, b) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : `${a}` < `${b}` ? -1 : 1,
  );
  return ordered.length === 0 ? '' : ordered.map((cell) => [cell]);
}

/** Calculates the formulas that call no custom function. Sheets calculates these itself, without the script. */
export function recalculateBuiltIns(world: World): void {
  for (let round = 0; round < maxRounds; round++) {
    let formulas = 0;
    for (const sheet of world.sheets) {
      for (const { a1, formula, tree } of builtInsOf(sheet.grid)) {
        settleBuiltIn(world, sheet, { a1, formula, tree });
        formulas++;
      }
    }
    if (formulas === 0) return;
  }
}

type BuiltIn = { a1: string; formula: string; tree: Expression };

/**
 * Returns the formulas that call no custom function. Leaves out formulas that cannot be parsed, because the script
 * calculates these and shows their error.
 */
function builtInsOf(grid: Grid): BuiltIn[] {
  const found: BuiltIn[] = [];
  for (const a1 in grid) {
    const formula = grid[a1]?.formula;
    const tree = formula === undefined ? null : builtInTree(formula);
    if (formula !== undefined && tree !== null) found.push({ a1, formula, tree });
  }
  return found;
}

const builtInNames = ['SUM', 'SORT', 'DIVIDE', 'EQ', 'NE', 'ISBLANK', 'IF', 'IFERROR'];

function builtInTree(formula: string): Expression | null {
  try {
    const tree = readFormula(formula);
    return isBuiltIn(tree) ? tree : null;
  } catch {
    return null;
  }
}

function isBuiltIn(tree: Expression): boolean {
  if (tree.kind === 'joined') return tree.parts.every(isBuiltIn);
  return tree.kind !== 'call' || (builtInNames.includes(tree.name.toUpperCase()) && tree.args.every(isBuiltIn));
}

function settleBuiltIn(world: World, sheet: SheetState, { a1, formula, tree }: BuiltIn): void {
  try {
    const value = resultOf(tree, world, sheet, (name) => {
      throw new Error(`${name} is not a built-in function`);
    });
    spill(sheet.grid, a1, formula, value);
  } catch {
    // Keeps the last content of the cell until the script calculates the formula and shows its error.
  }
}

/**
 * Writes the result of a formula into the grid. A table fills the cells to the right and below (a spill) and never
 * overwrites a value.
 */
export function spill(grid: Grid, at: string, formula: string, result: unknown): void {
  clearSpill(grid, at);
  const table = readResult(result);
  const { row, column } = readArea(at).from;
  const width = table[0]?.length ?? 0;
  const targets = addressTable({
    from: { row, column },
    to: { row: row + table.length - 1, column: column + width - 1 },
  });
  const blocked = targets.flat().find((a1) => a1 !== at && grid[a1] !== undefined);
  if (blocked !== undefined) {
    grid[at] = { type: 'error', value: '#REF!', formula, message: `It would overwrite ${blocked}.` };
    return;
  }
  const filled: string[] = [];
  targets.forEach((addresses, index) => {
    addresses.forEach((a1, offset) => {
      const state = table[index]?.[offset] ?? null;
      if (a1 === at) grid[a1] = { ...(state ?? { type: 'text', value: '' }), formula };
      else if (state !== null) {
        grid[a1] = { ...state, spilled_from: at };
        filled.push(a1);
      }
    });
  });
  if (filled.length > 0) filledIn(grid).set(at, filled);
}

/**
 * The cells that each formula of a grid filled, by the formula's address. Some of these cells may have been overwritten
 * since. Without this index, each formula would need a search of the whole grid, which took most of the time in a sheet
 * with 2,000 formulas.
 */
const filledCells = new WeakMap<Grid, Map<string, string[]>>();

function filledIn(grid: Grid): Map<string, string[]> {
  const known = filledCells.get(grid);
  if (known !== undefined) return known;
  const filled = new Map<string, string[]>();
  for (const a1 in grid) {
    const from = grid[a1]?.spilled_from;
    if (from === undefined) continue;
    const cells = filled.get(from) ?? [];
    cells.push(a1);
    filled.set(from, cells);
  }
  filledCells.set(grid, filled);
  return filled;
}

/** Empties the cells that the formula in this cell filled. */
export function clearSpill(grid: Grid, at: string): void {
  const filled = filledIn(grid);
  for (const a1 of filled.get(at) ?? []) if (grid[a1]?.spilled_from === at) delete grid[a1];
  filled.delete(at);
}

/**
 * Writes input into a cell as typing does. Clears the cells that an earlier formula in this cell filled. A formula
 * elsewhere whose result covered this cell becomes an error.
 */
export function putCell(world: World, sheet: SheetState, a1: string, input: string | number | boolean): void {
  const { grid } = sheet;
  const before = grid[a1];
  const state = typedCell(input, world.locale);
  if (before?.spilled_from !== undefined) {
    if (state === null) return;
    const anchor = grid[before.spilled_from];
    clearSpill(grid, before.spilled_from);
    const message = `It would overwrite ${a1}.`;
    if (anchor?.formula !== undefined)
      grid[before.spilled_from] = { type: 'error', value: '#REF!', formula: anchor.formula, message };
  }
  if (before?.formula !== undefined) clearSpill(grid, a1);
  if (state === null) delete grid[a1];
  else grid[a1] = state;
}

/**
 * Returns the cells of a result.
 *
 * @throws Error for a result that Sheets shows as #ERROR!: a table with rows of different lengths, or a value that no
 * cell can hold.
 */
export function readResult(result: unknown): (CellState | null)[][] {
  const rows: unknown[] = Array.isArray(result) ? result : [[result]];
  const table = rows.map((row) => (Array.isArray(row) ? row : [row]).map(resultCell));
  if (table.some((row) => row.length !== table[0]?.length)) throw new Error('The result is not rectangular.');
  return table;
}

/** Returns the cell of one value of a result. Its text is never parsed as a number, date or formula. */
function resultCell(value: unknown): CellState | null {
  if (value === null || value === '') return null;
  if (typeof value === 'number') return { type: 'number', value };
  if (typeof value === 'boolean') return { type: 'boolean', value };
  if (typeof value !== 'string') throw new Error(`No cell can hold ${JSON.stringify(value)}.`);
  if (value.length > 50_000) throw new Error('The result has a text longer than 50000 characters.');
  return { type: 'text', value };
}
