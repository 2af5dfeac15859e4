import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFolder } from '../setup/processes.ts';

const root = join(import.meta.dirname, '../..');
const apis = 'node_modules/googleapis/build/src/apis';
let copy: string;

/** Returns the names of the Google APIs that the code imports. */
function importedApis(): Set<string> {
  const files = globSync('{server,pipeline,db,scripts}/**/*.ts', { cwd: root });
  const texts = files.map((file) => readFileSync(join(root, file), 'utf8'));
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/googleapis\/build\/src\/apis\/(\w+)\//g)].map(([, api]) => String(api))),
  );
}

beforeAll(async () => {
  copy = await openFolder();
  for (const api of [...importedApis(), 'drive']) {
    await cp(join(root, apis, api), join(copy, apis, api), { recursive: true });
  }
  await mkdir(join(copy, apis, 'invented'));
});

afterAll(() => rm(copy, { recursive: true }));

test('npm run slim deletes unused Google APIs and keeps every one that the code imports', () => {
  const output = execFileSync(process.execPath, [join(root, 'scripts/slim.mjs'), copy], { encoding: 'utf8' });
  expect(output).toContain('Deleted 2 unused Google APIs, and ');
  expect(new Set(globSync('*', { cwd: join(copy, apis) }))).toEqual(importedApis());
  expect(importedApis().size).toBeGreaterThan(1);
  expect(globSync('**/*.{map,d.ts}', { cwd: join(copy, apis) })).toEqual([]);
  expect(globSync('**/*.js', { cwd: join(copy, apis) })).not.toEqual([]);
});
