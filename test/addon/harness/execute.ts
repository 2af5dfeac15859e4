import { join } from 'node:path';
import vm from 'node:vm';
import { parse } from 'acorn';
import { buildSync } from 'esbuild';
import type { BlockingHttp } from './http.ts';
import type { AuthMode, Caller, Outcome, WireResult, World } from './world.ts';

const formulaLimitMs = 30_000;
const menuLimitMs = 6 * 60_000;

/** One call of a top-level function. `mode`: its permissions. `caller`: where the call comes from. */
export type Call = { mode: AuthMode; caller: Caller; name: string; args: unknown[] };

export type Script = { code: vm.Script; inside: vm.Script; callable: string[] };

let bundled: string | undefined;

/** Bundles the fake Google services once for each process, because esbuild starts a separate program. */
export function googleServices(): string {
  bundled ??= buildSync({
    entryPoints: [join(import.meta.dirname, 'inside', 'main.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'Harness_',
    target: 'es2022',
    tsconfigRaw: {},
  }).outputFiles[0]?.text;
  return bundled ?? '';
}

/** Compiles the bundled add-on and the fake Google services, which run in the script's own context. */
export function loadScript(code: string, services = googleServices()): Script {
  return {
    code: new vm.Script(code, { filename: 'Code.js' }),
    inside: new vm.Script(services, { filename: 'harness.js' }),
    callable: topLevelFunctions(code),
  };
}

/** Returns the functions that cells, pages and menus can call, from the source as Sheets does. */
function topLevelFunctions(code: string): string[] {
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'script' });
  return program.body.flatMap((node) => (node.type === 'FunctionDeclaration' ? [node.id.name] : []));
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
  const context = vm.createContext({
    fetchJson,
    world_json: JSON.stringify(world),
    mode,
    caller,
    name,
    args: toJson(args),
  });
  script.inside.runInContext(context);
  vm.runInContext('Harness_.begin(world_json, mode, caller, fetchJson); delete globalThis.fetchJson;', context);
  script.code.runInContext(context);
  const limitMs = mode === 'CUSTOM_FUNCTION' ? formulaLimitMs : menuLimitMs;
  const said: Outcome = JSON.parse(vm.runInContext('Harness_.call(name, args, caller)', context, { timeout: limitMs }));
  const after: World = JSON.parse(vm.runInContext('Harness_.end()', context));
  const inTime = after.now_ms - world.now_ms <= limitMs;
  return { world: after, outcome: inTime ? said : { error: 'Exceeded maximum execution time' } };
}

function toJson(args: unknown[]): string {
  return JSON.stringify(args, function (this: Record<string, unknown>, key, value) {
    const original = this[key];
    return original instanceof Date ? { $date: original.getTime() } : value;
  });
}
