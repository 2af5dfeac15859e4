import { type Call, execute, type Pauses, type Script, type WorldAfter } from './execute.ts';
import { clearSpill, inputsOf, putCell, readResult, recalculateBuiltIns, resultOf, spill } from './formula.ts';
import { type Expression, readFormula } from './formula-syntax.ts';
import type { BlockingHttp } from './http.ts';
import { type SharedRequest, servicesOfOne } from './shared.ts';
import { requireSeparators } from './typing.ts';
import { type Grid, type SheetState, sheetNamed, type World } from './world.ts';

const maxRecalculationRounds = 5;

/** The last run of a formula: its text and argument values, and its result or error message. */
type LastRun = { inputs: string; result?: unknown; error?: string };

/**
 * One open spreadsheet with its script and connection. `seen_arguments`: the last run of each formula, by sheet and
 * address. `pauses`: what happens just before a call of a Google service, by the name of the call: work of other
 * executions, or `stop`, when Google ends the script.
 */
export type Session = {
  script: Script;
  http: BlockingHttp;
  world: World;
  seen_arguments: Map<string, LastRun>;
  pauses: Map<string, (() => void) | 'stop'>;
};

/** Runs one function of the script and keeps its changes to the world. Throws the error that the function threw. */
export function run(session: Session, call: Call): unknown {
  let stopped: World | null = null;
  const outside = {
    http: session.http,
    shared: (request: SharedRequest, nowMs: number) => servicesOfOne(session.world)(request, nowMs),
    sheetsJson: () => JSON.stringify(session.world.sheets),
    pauses: pausesOf(session, () => {
      stopped = session.world;
    }),
  };
  const done = execute(session.script, outside, smallWorld(session), call);
  keepWorld(session, done);
  if (stopped !== null) {
    session.world = stopped;
    throw new Error('Exceeded maximum execution time');
  }
  if ('error' in done.outcome) throw new Error(done.outcome.error);
  return done.outcome.value;
}

function smallWorld({ world }: Session): WorldAfter['world'] {
  const { sheets: _, caches: __, ...small } = world;
  return small;
}

function keepWorld(session: Session, { world, sheets }: WorldAfter): void {
  session.world = { ...world, sheets: sheets ?? session.world.sheets, caches: session.world.caches };
}

/**
 * Lets other executions run while a script runs. Other executions do not get the lock while the script holds it. Their
 * changes do not show in a `Sheet` or `Range` that the script already has.
 */
function pausesOf(session: Session, stop: () => void): Pauses {
  return {
    at: [...session.pauses.keys()],
    run(at, before, hasLock) {
      const work = session.pauses.get(at);
      if (work === undefined) return null;
      session.pauses.delete(at);
      keepWorld(session, before);
      if (work === 'stop') {
        stop();
        return null;
      }
      const { user, lock_held_until_ms } = session.world;
      if (hasLock) session.world.lock_held_until_ms = Number.MAX_SAFE_INTEGER;
      work();
      Object.assign(session.world, { user, lock_held_until_ms });
      return smallWorld(session);
    },
  };
}

/**
 * Returns true for a function that cells and pages can call: a top-level function whose name does not end in an
 * underscore.
 */
export function isReachable(session: Session, name: string): boolean {
  return session.script.callable.includes(name) && !name.endsWith('_');
}

/** Runs a formula in a cell and returns its result. Throws the error message of the formula. */
export function runInCell(session: Session, name: string, args: unknown[]): unknown {
  if (!isReachable(session, name)) throw new Error(`Unknown function: ${name}`);
  const value = run(session, { mode: 'CUSTOM_FUNCTION', caller: 'cell', name, args });
  readResult(value ?? null);
  return value;
}

/** Runs each formula of the file whose arguments have changed since its last run. Repeats until no arguments change. */
export function recalculate(session: Session): void {
  for (let round = 0; round < maxRecalculationRounds; round++) {
    recalculateBuiltIns(session.world);
    const ids = session.world.sheets.map(({ id }) => id);
    const ran = ids.filter((id) => runSheet(session, id));
    if (ran.length === 0) return;
  }
  throw new Error('The formulas do not settle');
}

function runSheet(session: Session, sheetId: number): boolean {
  const formulas = Object.entries(sheetOf(session.world, sheetId).grid).flatMap(([a1, { formula }]) =>
    formula === undefined ? [] : [{ a1, formula }],
  );
  return formulas.filter(({ a1, formula }) => evaluate(session, sheetId, a1, formula)).length > 0;
}

/**
 * Runs the formula if its arguments have changed. Returns true if the formula ran without an error. According to
 * Google's documentation, typing the same formula again does not run a custom function: the cell keeps the last result.
 */
function evaluate(session: Session, sheetId: number, a1: string, formula: string): boolean {
  const seenAt = `${sheetId}!${a1}`;
  try {
    requireSeparators(formula, session.world.locale);
    const tree = readFormula(formula);
    const inputs = JSON.stringify([formula, inputsOf(tree, session.world, sheetOf(session.world, sheetId))]);
    const isNew = sheetOf(session.world, sheetId).grid[a1]?.value === '#NAME?';
    const last = session.seen_arguments.get(seenAt);
    if (last?.inputs === inputs) {
      if (isNew) show(session, sheetId, a1, formula, last);
      return false;
    }
    const run: LastRun = { inputs, ...outcomeOf(session, sheetId, a1, tree) };
    session.seen_arguments.set(seenAt, run);
    show(session, sheetId, a1, formula, run);
    return run.error === undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    show(session, sheetId, a1, formula, { inputs: '', error: message });
    return false;
  }
}

function outcomeOf(session: Session, sheetId: number, a1: string, tree: Expression): Omit<LastRun, 'inputs'> {
  const custom = (name: string, args: unknown[]): unknown => {
    session.world.calling = { sheet: sheetOf(session.world, sheetId).name, a1 };
    return runInCell(session, name, args);
  };
  try {
    return { result: resultOf(tree, session.world, sheetOf(session.world, sheetId), custom) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  } finally {
    session.world.calling = null;
  }
}

/** Writes the result of a formula, or the message of its error, into its cell. */
export function show(session: Session, sheetId: number, a1: string, formula: string, run: LastRun): void {
  const { grid } = sheetOf(session.world, sheetId);
  if (run.error === undefined) {
    spill(grid, a1, formula, run.result);
    return;
  }
  clearSpill(grid, a1);
  grid[a1] = { type: 'error', value: '#ERROR!', formula, message: run.error };
}

/** Shows "Loading..." in every cell with a custom function, as Sheets does while formulas wait for their turn. */
export function markLoading({ world }: Session): void {
  for (const { grid } of world.sheets) {
    for (const [a1, cell] of Object.entries(grid)) {
      if (cell.formula === undefined || !cell.formula.includes('SOCIAL_')) continue;
      clearSpill(grid, a1);
      grid[a1] = { type: 'error', value: 'Loading...', formula: cell.formula };
    }
  }
}

/** Writes input into a cell of the current sheet as typing does. An empty text clears the cell. */
export function typeInto(session: Session, a1: string, input: string | number | boolean): void {
  const sheet = currentSheet(session.world);
  session.seen_arguments.delete(`${sheet.id}!${a1}`);
  putCell(session.world, sheet, a1, input);
}

export function currentGrid(world: World): Grid {
  return currentSheet(world).grid;
}

export function currentSheet(world: World): SheetState {
  const sheet = sheetNamed(world, world.current.sheet);
  if (sheet === undefined) throw new Error(`There is no sheet ${world.current.sheet}`);
  return sheet;
}

function sheetOf(world: World, id: number): SheetState {
  const sheet = world.sheets.find((one) => one.id === id);
  if (sheet === undefined) throw new Error(`There is no sheet with the id ${id}`);
  return sheet;
}
