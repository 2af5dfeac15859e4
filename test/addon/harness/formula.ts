import { addressTable, readArea } from './a1.ts';
import type { CellState, Grid, World } from './world.ts';

export type FormulaCall = { name: string; args: FormulaArgument[] };
type FormulaArgument = { value: string | number | boolean } | { area: string } | { named: string };

const argument =
  /\s*(?:"(?<text>(?:[^"]|"")*)"|(?<truth>TRUE|FALSE)|(?<number>-?\d+(?:\.\d+)?)|(?<area>[A-Z]{1,3}\d+(?::[A-Z]{1,3}\d+)?)|(?<named>[A-Za-z_]\w*)|)\s*(?<end>[,;]|\)$)/y;

/** Reads a formula that is one call, such as `=NAME(A2:A9, "text", NAMED_RANGE)`. */
export function readFormula(formula: string): FormulaCall {
  const call = /^=\s*([A-Za-z_]\w*)\(/.exec(formula);
  if (call?.[1] === undefined) throw new Error(`${formula} is not one call`);
  const args: FormulaArgument[] = [];
  argument.lastIndex = call[0].length;
  for (let end = ','; end !== ')'; ) {
    const match = argument.exec(formula)?.groups;
    if (match === undefined) throw new Error(`${formula} cannot be parsed`);
    args.push(readArgument(match));
    end = match.end ?? ')';
  }
  return { name: call[1], args };
}

function readArgument(match: Record<string, string | undefined>): FormulaArgument {
  if (match.text !== undefined) return { value: match.text.replaceAll('""', '"') };
  if (match.truth !== undefined) return { value: match.truth === 'TRUE' };
  if (match.number !== undefined) return { value: Number(match.number) };
  if (match.area !== undefined) return { area: match.area };
  return match.named === undefined ? { value: '' } : { named: match.named };
}

/** The argument as a custom function gets it: a cell as a scalar, a range as a table, blank as "". */
export function argumentValue(part: FormulaArgument, world: World): unknown {
  if ('value' in part) return part.value;
  const named = 'named' in part ? world.named_ranges[part.named] : { sheet: world.current.sheet, a1: part.area };
  if (named === undefined) throw new Error(`Unknown range name: ${JSON.stringify(part)}`);
  const grid = world.sheets[named.sheet] ?? {};
  const table = addressTable(readArea(named.a1)).map((row) => row.map((a1) => grid[a1]?.value ?? ''));
  return named.a1.includes(':') ? table : table[0]?.[0];
}

/** Puts a formula's result into the grid: it spills from its cell and never overwrites anything. */
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
  targets.forEach((addresses, index) => {
    addresses.forEach((a1, offset) => {
      const state = table[index]?.[offset] ?? null;
      if (a1 === at) grid[a1] = { ...(state ?? { type: 'text', value: '' }), formula };
      else if (state !== null) grid[a1] = { ...state, spilled_from: at };
    });
  });
}

export function clearSpill(grid: Grid, at: string): void {
  for (const [a1, cell] of Object.entries(grid)) if (cell.spilled_from === at) delete grid[a1];
}

/** @throws Error for what Sheets shows as #ERROR!: a ragged table or a value that no cell can hold. */
export function readResult(result: unknown): (CellState | null)[][] {
  const rows: unknown[] = Array.isArray(result) ? result : [[result]];
  const table = rows.map((row) => (Array.isArray(row) ? row : [row]).map(resultCell));
  if (table.some((row) => row.length !== table[0]?.length)) throw new Error('The result is not rectangular.');
  return table;
}

/** Text that a formula returns is never parsed. */
function resultCell(value: unknown): CellState | null {
  if (value === null || value === '') return null;
  if (typeof value === 'number') return { type: 'number', value };
  if (typeof value === 'boolean') return { type: 'boolean', value };
  if (typeof value !== 'string') throw new Error(`No cell can hold ${JSON.stringify(value)}.`);
  if (value.length > 50_000) throw new Error('The result has a text longer than 50000 characters.');
  return { type: 'text', value };
}
