import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDataLink } from '../../db/deliveries/data-links.ts';
import { keepCampaign } from '../dashboard/campaigns/campaign-workspace.ts';
import { createDashboardSetup, type DashboardSetup } from '../dashboard/dashboard-server.ts';
import { blocks } from './blocks.ts';

const execute = promisify(execFile);
const recipes = await readFile(resolve('docs/recipes.md'), 'utf8');
let setup: DashboardSetup;
let folder = '';
let link = '';
beforeAll(async () => {
  [setup, folder] = await Promise.all([createDashboardSetup(), mkdtemp(join(tmpdir(), 'recipes-'))]);
  const member = await setup.member({ tier: 'ultra', credits: 1_000 });
  await keepCampaign(setup, member);
  const content = { kind: 'list', list_id: null } as const;
  const wanted = { label: 'recipes', content, refresh: null, expires_at: null };
  const { token } = await addDataLink(setup.db.sql, member.workspace_id, wanted, setup.clock.now);
  link = `${setup.base_url}/links/${token}`;
});
afterAll(async () => {
  await setup.close();
  await rm(folder, { recursive: true });
});

/** Returns true when this package is installed for Python. */
const hasPackage = (name: string) =>
  execute('python3', ['-c', `import ${name}`]).then(
    () => true,
    () => false,
  );

const rowsOfCsv = async (): Promise<Record<string, string>[]> =>
  parse(await (await fetch(`${link}.csv`)).text(), { columns: true, bom: true });

/**
 * Expects a CSV that the recipes can read: the expected columns, whole numbers or empty cells, days, and IDs as text.
 */
async function expectReadable(): Promise<void> {
  const rows = await rowsOfCsv();
  expect(rows.length).toBeGreaterThan(3);
  for (const row of rows) {
    expect(row.Followers).toMatch(/^\d*$/);
    expect(row['Observed at (UTC)']).toMatch(/^(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*)?$/);
    expect(row['Item ID']).toMatch(/^[\da-f-]{36}$/);
  }
}

const printed: Record<string, RegExp> = {
  pandas: /Name\s+Platform\s+Followers\n[\s\S]*youtube/i,
  duckdb: /Platform[\s\S]*accounts[\s\S]*followers/,
};

for (const [name, output] of Object.entries(printed)) {
  const block = blocks.find(({ lang, code }) => lang === 'python' && code.includes(`import ${name}`));
  if (await hasPackage(name)) {
    test(`the recipe for ${name} runs with the installed package and prints its table`, async () => {
      const env = { ...process.env, LINK: link };
      const { stdout } = await execute('python3', ['-c', block?.code ?? ''], { env, cwd: folder });
      expect(stdout).toMatch(output);
    }, 60_000);
  } else {
    test(`the CSV that the recipe for ${name} reads is readable (not run, because Python has no ${name})`, async () => {
      expect(block?.code).toContain('os.environ["LINK"] + ".csv"');
      await expectReadable();
    });
  }
}

test('every column that a recipe names is in the CSV of a data link', async () => {
  const [row = {}] = await rowsOfCsv();
  const named = ['Name', 'Platform', 'Followers', 'Observed at (UTC)', 'Item ID'];
  for (const column of named) expect(recipes).toContain(column);
  expect(Object.keys(row)).toEqual(expect.arrayContaining(named));
});

test('every field that a recipe names is in the JSON of a data link', async () => {
  const [row] = (await (await fetch(`${link}.json`)).json()) as object[];
  const fields = [...recipes.matchAll(/(?:row|\$json)\.(\w+)/g)].map(([, name = '']) => name);
  expect(new Set(fields)).toEqual(new Set(['item_id', 'followers']));
  expect(Object.keys(row ?? {})).toEqual(expect.arrayContaining(fields));
});
