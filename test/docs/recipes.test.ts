import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDataLink } from '../../db/deliveries/data-links.ts';
import { keepCampaign } from '../dashboard/campaigns/campaign-workspace.ts';
import { createDashboardBench, type DashboardBench } from '../dashboard/dashboard-server.ts';

const recipes = readFileSync(resolve('docs/recipes.md'), 'utf8');
let bench: DashboardBench;
let link = '';
beforeAll(async () => {
  bench = await createDashboardBench();
  const member = await bench.member({ tier: 'ultra', credits: 1_000 });
  await keepCampaign(bench, member);
  const content = { kind: 'list', list_id: null } as const;
  const wanted = { label: 'recipes', content, refresh: null, expires_at: null };
  const { token } = await addDataLink(bench.db.sql, member.workspace_id, wanted, bench.clock.now);
  link = `${bench.base_url}/links/${token}`;
});
afterAll(() => bench.close());

test('every column that a recipe names is in the CSV of a data link', async () => {
  const header = (await (await fetch(`${link}.csv`)).text()).split('\r\n')[0]?.split(',') ?? [];
  const named = ['Name', 'Platform', 'Followers', 'Observed at (UTC)', 'Item ID'];
  for (const column of named) expect(recipes).toContain(column);
  expect(header).toEqual(expect.arrayContaining(named));
});

test('every field that a recipe names is in the JSON of a data link', async () => {
  const [row] = (await (await fetch(`${link}.json`)).json()) as object[];
  const fields = [...recipes.matchAll(/(?:row|\$json)\.(\w+)/g)].map(([, name = '']) => name);
  expect(new Set(fields)).toEqual(new Set(['item_id', 'followers']));
  expect(Object.keys(row ?? {})).toEqual(expect.arrayContaining(fields));
});
