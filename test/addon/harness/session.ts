import { execute, type Script } from './execute.ts';
import { argumentValue, clearSpill, readFormula, readResult, spill } from './formula.ts';
import type { BlockingHttp } from './http.ts';
import { typedCell } from './typing.ts';
import type { AuthMode, Grid, World } from './world.ts';

const recalculation_rounds_max = 5;

/** `seen_arguments`: what each formula was last run with, by its address. */
export type Session = { script: Script; http: BlockingHttp; world: World; seen_arguments: Map<string, string> };

/** Runs one function of the script and keeps what it did to the world; throws what it threw. */
export function run(session: Session, mode: AuthMode, name: string, args: unknown[]): unknown {
  const done = execute(session.script, session.http, session.world, { mode, name, args });
  session.world = done.world;
  if ('error' in done.outcome) throw new Error(done.outcome.error);
  return done.outcome.value;
}

/** Cells and pages reach every top-level function whose name has no final underscore. */
export function isReachable(session: Session, name: string): boolean {
  return session.script.callable.includes(name) && !name.endsWith('_');
}

/** What a formula in a cell gets; throws what the hover of its error would say. */
export function runInCell(session: Session, name: string, args: unknown[]): unknown {
  if (!isReachable(session, name)) throw new Error(`Unknown function: ${name}`);
  const value = run(session, 'CUSTOM_FUNCTION', name, args);
  readResult(value ?? null);
  return value;
}

/** Runs the formulas whose arguments changed since they last ran, until none is left. */
export function recalculate(session: Session): void {
  for (let round = 0; round < recalculation_rounds_max; round++) {
    const formulas = Object.entries(currentGrid(session.world)).flatMap(([a1, { formula }]) =>
      formula === undefined ? [] : [{ a1, formula }],
    );
    const ran = formulas.filter(({ a1, formula }) => evaluate(session, a1, formula));
    if (ran.length === 0) return;
  }
  throw new Error('The formulas do not settle');
}

/** Whether the formula had to run. */
function evaluate(session: Session, a1: string, formula: string): boolean {
  try {
    const { name, args } = readFormula(formula);
    const values = args.map((part) => argumentValue(part, session.world));
    if (session.seen_arguments.get(a1) === JSON.stringify(values)) return false;
    session.seen_arguments.set(a1, JSON.stringify(values));
    const result = runInCell(session, name, values);
    spill(currentGrid(session.world), a1, formula, result);
    return true;
  } catch (error) {
    const grid = currentGrid(session.world);
    const message = error instanceof Error ? error.message : String(error);
    clearSpill(grid, a1);
    grid[a1] = { type: 'error', value: '#ERROR!', formula, message };
    return false;
  }
}

/** Puts input into a cell as typing does; null-like input empties it. */
export function typeInto(session: Session, a1: string, input: string | number | boolean): void {
  const grid = currentGrid(session.world);
  clearSpill(grid, a1);
  session.seen_arguments.delete(a1);
  const state = typedCell(input);
  if (state === null) delete grid[a1];
  else grid[a1] = state;
}

export function currentGrid(world: World): Grid {
  const grid = world.sheets[world.current.sheet];
  if (grid === undefined) throw new Error(`There is no sheet ${world.current.sheet}`);
  return grid;
}
