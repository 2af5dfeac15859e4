import { execFileSync } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { killServices, run } from '../harness/service-process.ts';
import { openFolder } from '../setup/processes.ts';

const root = join(import.meta.dirname, '../..');
let folder: string;

beforeAll(async () => {
  folder = await openFolder();
  const driver = 'node_modules/postgres';
  await cp(join(root, driver), join(folder, driver), { recursive: true });
  execFileSync('git', ['apply', '--reverse', join(root, 'patches/postgres+3.4.9.patch')], { cwd: folder });
});

afterEach(killServices);
afterAll(() => rm(folder, { recursive: true }));

/** Returns options for Node that make `import postgres from 'postgres'` load a copy of the driver without our patch. */
function withUnpatchedDriver(): string[] {
  const url = pathToFileURL(join(folder, 'node_modules/postgres/src/index.js')).href;
  const hook = `import { registerHooks } from 'node:module';
    const driver = { url: ${JSON.stringify(url)}, format: 'module', shortCircuit: true };
    registerHooks({ resolve: (name, context, next) => (name === 'postgres' ? driver : next(name, context)) });`;
  return ['--import', `data:text/javascript,${encodeURIComponent(hook)}`];
}

test.each([
  ['the server', ['server/main.ts']],
  ['the pipeline', ['pipeline/main.ts']],
  ['the operator command', ['scripts/operator.ts', 'workspace', 'list']],
])('%s refuses to start with an unpatched database driver and says how to install it', async (_, words) => {
  const env = { DATA_DIR: join(folder, 'data'), PORT: '0' };
  const ended = await run(process.execPath, [...withUnpatchedDriver(), ...words], env).ended;
  expect(ended.code).not.toBe(0);
  expect(ended.stdout).toBe('');
  expect(ended.stderr).toBe(
    'The database driver (postgres.js) is installed without the patch that it needs to survive lost connections: run npm ci again, without --ignore-scripts.\n',
  );
});
