import vm from 'node:vm';
import type { BlockingHttp } from './http.ts';
import type { ScriptParts } from './script-parts.ts';
import type { SharedServices } from './shared.ts';
import type { AuthMode, Caller, Outcome, WireResult, World } from './world.ts';

const formulaLimitMs = 30_000;
const menuLimitMs = 6 * 60_000;

/**
 * One call of a top-level function of the script. `mode`: its permissions. `caller`: what calls it: a cell, page, menu
 * or trigger.
 */
export type Call = { mode: AuthMode; caller: Caller; name: string; args: unknown[] };

export type Script = { code: vm.Script; inside: vm.Script; callable: readonly string[] };

let loaded: { source: string; script: Script } | undefined;

/**
 * Compiles the bundled add-on and the fake Google services. Caches the last compiled script, because the tests of a
 * file open the same add-on many times. Creates the script's parts when `parts` is missing.
 */
export async function loadScript(source: string, parts?: ScriptParts): Promise<Script> {
  if (loaded?.source === source) return loaded.script;
  const { services, callable } = parts ?? (await import('./script-parts.ts')).scriptParts(source);
  const script = {
    code: new vm.Script(source, { filename: 'Code.js' }),
    inside: new vm.Script(services, { filename: 'harness.js' }),
    callable,
  };
  loaded = { source, script };
  return script;
}

/**
 * The functions that a running script can call in the process of the test. `http`: sends requests. `shared`: uses the
 * cache and the lock. `sheetsJson`: returns the sheets as JSON. `pauses`: lets other executions run while this one
 * runs; undefined when no other execution can run.
 */
export type Outside = {
  http: Pick<BlockingHttp, 'fetchAll'>;
  shared: SharedServices;
  sheetsJson: () => string;
  pauses?: Pauses;
};

/**
 * Work that runs just before calls of Google services. `at`: the names of these calls. `run`: runs the work for one
 * call and returns the world after it, or null when nothing ran.
 */
export type Pauses = {
  at: readonly string[];
  run: (at: string, before: WorldAfter, hasLock: boolean) => SmallWorld | null;
};

/** The world after a script has run. `sheets`: null when the script did not use the sheets. */
export type WorldAfter = { world: SmallWorld; sheets: World['sheets'] | null };

/**
 * The world without its sheets and caches. A running script gets these only on request, because they contain thousands
 * of cells and values.
 */
export type SmallWorld = Omit<World, 'sheets' | 'caches'>;

/**
 * Runs one function of the script in a new global scope, as Apps Script does for every execution.
 *
 * @returns the world after the run and the value that the function returned, both copied as JSON. `sheets` is null when
 * the function did not use the sheets.
 */
export function execute(
  script: Script,
  { http, shared, sheetsJson, pauses }: Outside,
  world: SmallWorld,
  { mode, caller, name, args }: Call,
): WorldAfter & { outcome: Outcome } {
  const crossing = {
    fetchJson: (json: string) => JSON.stringify(http.fetchAll(JSON.parse(json)) satisfies WireResult),
    sharedJson: (json: string, nowMs: number) => JSON.stringify(shared(JSON.parse(json), nowMs)),
    sheetsJson,
    pauseJson(at: string, json: string, hasLock: boolean) {
      const after = pauses?.run(at, readWorld(json), hasLock) ?? null;
      return after === null ? null : JSON.stringify(after);
    },
  };
  const context = vm.createContext(vm.constants.DONT_CONTEXTIFY);
  Object.assign(context, { crossing, world_json: JSON.stringify(world), mode, caller, name, args: toJson(args) });
  const pausedAt = JSON.stringify(pauses?.at ?? []);
  script.inside.runInContext(context);
  vm.runInContext(
    `Harness_.begin(world_json, mode, caller, crossing, ${pausedAt}); delete globalThis.crossing;`,
    context,
  );
  script.code.runInContext(context);
  const limitMs = mode === 'CUSTOM_FUNCTION' ? formulaLimitMs : menuLimitMs;
  // Formulas have only a virtual time limit. A real limit would need a thread, which takes longer to start than a
  // formula.
  const realLimit = mode === 'CUSTOM_FUNCTION' ? {} : { timeout: limitMs };
  const said: Outcome = JSON.parse(vm.runInContext('Harness_.call(name, args, caller)', context, realLimit));
  const after = readWorld(vm.runInContext('Harness_.end()', context));
  const inTime = after.world.now_ms - world.now_ms <= limitMs;
  return { ...after, outcome: inTime ? said : { error: 'Exceeded maximum execution time' } };
}

function readWorld(json: string): WorldAfter {
  const { sheets, ...world } = JSON.parse(json);
  return { world, sheets };
}

function toJson(args: unknown[]): string {
  return JSON.stringify(args, function (this: Record<string, unknown>, key, value) {
    const original = this[key];
    return original instanceof Date ? { $date: original.getTime() } : value;
  });
}
