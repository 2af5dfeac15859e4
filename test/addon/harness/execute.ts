import vm from 'node:vm';
import type { BlockingHttp } from './http.ts';
import type { ScriptParts } from './script-parts.ts';
import type { AuthMode, Caller, Outcome, WireResult, World } from './world.ts';

const formulaLimitMs = 30_000;
const menuLimitMs = 6 * 60_000;

/** One call of a top-level function. `mode`: its permissions. `caller`: where the call comes from. */
export type Call = { mode: AuthMode; caller: Caller; name: string; args: unknown[] };

export type Script = { code: vm.Script; inside: vm.Script; callable: readonly string[] };

let loaded: { source: string; script: Script } | undefined;

/**
 * Compiles the bundled add-on and the fake Google services, which run in the script's own context. Keeps the last script,
 * because the tests of a file open the same add-on many times. A thread without `parts` makes them.
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
 * Runs one function of the script in a fresh global scope, as every execution in Apps Script has one.
 *
 * @returns the world after it and what the function returned, copied out as JSON.
 */
export function execute(
  script: Script,
  http: BlockingHttp,
  world: World,
  { mode, caller, name, args }: Call,
): { world: World; outcome: Outcome } {
  const fetchJson = (json: string): string => JSON.stringify(http.fetchAll(JSON.parse(json)) satisfies WireResult);
  const { sheets, ...rest } = world;
  const context = vm.createContext({
    fetchJson,
    sheetsJson: () => JSON.stringify(sheets),
    world_json: JSON.stringify(rest),
    mode,
    caller,
    name,
    args: toJson(args),
  });
  script.inside.runInContext(context);
  vm.runInContext(
    'Harness_.begin(world_json, mode, caller, { fetchJson, sheetsJson }); delete globalThis.fetchJson; delete globalThis.sheetsJson;',
    context,
  );
  script.code.runInContext(context);
  const limitMs = mode === 'CUSTOM_FUNCTION' ? formulaLimitMs : menuLimitMs;
  const said: Outcome = JSON.parse(vm.runInContext('Harness_.call(name, args, caller)', context, { timeout: limitMs }));
  const { sheets: changed, ...others }: Omit<World, 'sheets'> & { sheets: World['sheets'] | null } = JSON.parse(
    vm.runInContext('Harness_.end()', context),
  );
  const after: World = { ...others, sheets: changed ?? sheets };
  const inTime = after.now_ms - world.now_ms <= limitMs;
  return { world: after, outcome: inTime ? said : { error: 'Exceeded maximum execution time' } };
}

function toJson(args: unknown[]): string {
  return JSON.stringify(args, function (this: Record<string, unknown>, key, value) {
    const original = this[key];
    return original instanceof Date ? { $date: original.getTime() } : value;
  });
}
