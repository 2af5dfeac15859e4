import { join } from 'node:path';
import { parse } from 'acorn';
import { buildSync } from 'esbuild';

/** The parts of an Apps Script that take long to create. A worker thread gets them from the thread that starts it. */
export type ScriptParts = {
  /** The source code of the fake Google services, bundled into one script. */
  services: string;
  /** The names of the functions that cells, pages and menus can call. */
  callable: readonly string[];
};

let last: { source: string; parts: ScriptParts } | undefined;

/**
 * Returns the parts of a script. Caches the parts of the last script, because a test file opens the same add-on many
 * times.
 */
export function scriptParts(source: string): ScriptParts {
  if (last?.source === source) return last.parts;
  const parts = { services: googleServices(), callable: topLevelFunctions(source) };
  last = { source, parts };
  return parts;
}

let bundled: string | undefined;

/** Bundles the fake Google services. Runs once per process, because esbuild starts a separate program. */
function googleServices(): string {
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

/** Returns the names of the top-level functions in the source. Sheets also reads the names from the source. */
function topLevelFunctions(source: string): string[] {
  const program = parse(source, { ecmaVersion: 'latest', sourceType: 'script' });
  return program.body.flatMap((node) => (node.type === 'FunctionDeclaration' ? [node.id.name] : []));
}
