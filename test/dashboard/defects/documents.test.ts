import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { keepCampaign } from '../campaigns/campaign-workspace.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup } from '../dashboard-server.ts';

// Tests for fixed defects 6, 8 and 11: documents that did not describe the product, and a table that was cut off.
const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

let setup: DashboardSetup;
let browser: TestBrowser;
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await setup?.close();
});

test('a report has the charts that its guide describes, and the code does not use the removed chart library', async () => {
  const guide = read('docs/reports.md');
  expect(guide).toContain('one large chart of its most important number');
  expect(guide).toContain('a line chart by day and one by week');
  const ann = await setup.member({ tier: 'ultra' });
  const { campaign_id } = await keepCampaign(setup, ann);
  const page = await (await ann.get(`/dashboard/campaigns/${campaign_id}/reports/running`)).text();
  for (const wanted of ['Charts', '>Views so far, at the end of each week<', '>Followers, at the end of each day<'])
    expect([wanted, page.includes(wanted)]).toEqual([wanted, true]);
  const used = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.(?:ts|js)$/.test(path),
  );
  for (const path of used) expect([path, /\bvega\b/.test(read(`server/${path}`))]).toEqual([path, false]);
  expect(Object.keys(JSON.parse(read('package.json')).dependencies).filter((name) => name.includes('vega'))).toEqual(
    [],
  );
});

test('the ledger page shows all its columns at 1,440 px without sideways scrolling', async () => {
  const ann = await setup.member({ tier: 'ultra', credits: 1_204_000 });
  const { sql } = setup.db;
  await sql`
    with b as (update credit_balances set balance = balance - 1, entries = entries + 1
      where workspace_id = ${ann.workspace_id} returning *)
    insert into ledger_entries (workspace_id, entry_no, kind, credits, balance_after, charge_id, request_id, route, created_at)
    select workspace_id, entries, 'charge', -1, balance, gen_random_uuid(), ${`req_${'0123456789abcdef'.repeat(2)}`},
      '/v1/longvideo/channel/shortvideos', ${setup.clock.now} from b`;
  const { page } = await browser.open({ viewport: { width: 1_440, height: 900 } });
  await page.context().addCookies(cookiesOf(ann, setup.base_url));
  await page.goto(`${setup.base_url}/dashboard/credits`);
  const hidden = await page
    .getByRole('region', { name: /ledger/i })
    .evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(hidden).toBe(0);
  await page.context().close();
});

describe('the Node version in the documents', () => {
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
  const least = engines.node.replace('>=', '');

  test('every document names the Node version that package.json requires', () => {
    for (const path of ['README.md', 'CONTRIBUTING.md', 'docs/operating.md', 'docs/quickstart.md'])
      expect([path, read(path).includes(`Node ${least} or newer`)]).toEqual([path, true]);
  });

  test('the Node version in the documents is enough for every package, so that npm ci prints no warning', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { engines?: { node?: string } | string[] }>;
    };
    const wanting = Object.entries(packages).flatMap(([name, { engines: own }]) => {
      const range = own && !Array.isArray(own) ? own.node : undefined;
      return range !== undefined && !satisfies(least, range) ? [`${name} needs ${range}`] : [];
    });
    expect(wanting).toEqual([]);
    expect(satisfies('20.19.0', engines.node)).toBe(false);
  });
});

const numbersOf = (version: string) =>
  version
    .replace('v', '')
    .split('.')
    .map((part) => Number(part) || 0);

function compare(left: string, right: string): number {
  const [a, b] = [numbersOf(left), numbersOf(right)];
  return [0, 1, 2].map((index) => (a[index] ?? 0) - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/** Returns true when a version is in an npm range such as `^20.19.0 || >=22.12.0`. */
function satisfies(version: string, range: string): boolean {
  return range.split('||').some((part) =>
    [...part.matchAll(/(>=|<=|>|<|\^|~|=)?\s*v?([\d*x][\w.*]*)/g)].every(([, operator = '', wanted = '']) => {
      if (/^[*x]/.test(wanted)) return true;
      const difference = compare(version, wanted);
      if (operator === '>=') return difference >= 0;
      if (operator === '>') return difference > 0;
      if (operator === '<') return difference < 0;
      if (operator === '<=') return difference <= 0;
      return difference >= 0 && numbersOf(version)[0] === numbersOf(wanted)[0];
    }),
  );
}
