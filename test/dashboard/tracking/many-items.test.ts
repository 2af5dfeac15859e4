import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';

let setup: DashboardSetup;
let ann: Member;
let browser: TestBrowser;
const [items, days] = [200, 365];

beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
  ann = await setup.member({ tier: 'ultra' });
  const { sql } = setup.db;
  const now = setup.clock.now;
  await sql`
    insert into tracked_items (workspace_id, item_id, platform, kind, url, identifier, check_minute, last_attempt_at, created_at)
    select ${ann.workspace_id}, gen_random_uuid(), 'photo', 'profile', 'https://www.instagram.com/', 'account.' || n, 0,
      ${now}, ${now}::timestamptz - interval '365 days'
    from generate_series(1, ${items}) n`;
  await sql`
    insert into observations (workspace_id, item_id, observed_at, followers, source)
    select i.workspace_id, i.item_id, ${now}::timestamptz - d * interval '1 day', 100000 - d * 10, 'invented'
    from tracked_items i, generate_series(0, ${days - 1}) d where i.workspace_id = ${ann.workspace_id}`;
  await sql`analyze`;
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await setup?.close();
});

const medianMs = async (path: string) => {
  const times: number[] = [];
  for (let round = 0; round < 11; round += 1) {
    const start = performance.now();
    expect((await ann.get(path)).status).toBe(200);
    times.push(performance.now() - start);
  }
  return Math.round(times.toSorted((a, b) => a - b)[5] ?? 0);
};

test('the tracking table shows 50 of 200 items with a year of observations, and the rest on further pages', async () => {
  const body = await (await ann.get('/dashboard/tracking?sort=name')).text();
  expect(body.split('class="item"')).toHaveLength(51);
  expect(body).toContain('1 to 50 of 200');
  const last = await (await ann.get('/dashboard/tracking?sort=name&page=4')).text();
  expect(last).toContain('151 to 200 of 200');
  for (const path of ['/dashboard', '/dashboard/tracking', '/dashboard/tracking?sort=-week&q=account'])
    console.info(`${path}: median ${await medianMs(path)} ms`);
});

test('a person finds, sorts, selects and pauses items among 200 in the browser, and the filter stays', async () => {
  const { page } = await browser.open({ viewport: { width: 1440, height: 900 } });
  await page.context().addCookies(cookiesOf(ann, setup.base_url));
  const start = performance.now();
  await page.goto(`${setup.base_url}/dashboard/tracking`);
  await page.getByRole('searchbox', { name: 'Search items' }).fill('account.19');
  await page.getByText('Showing 11 of 200 items').waitFor();
  await page.getByRole('link', { name: 'Newest' }).click();
  await page.waitForURL(/sort=-newest/);
  await page.getByLabel('Select all on this page').check();
  await page.getByText('11 selected').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Items paused.').first().waitFor();
  console.info(`found, sorted, selected and paused in ${Math.round(performance.now() - start)} ms`);
  expect(page.url()).toContain('q=account.19');
  const [{ paused = 0 } = {}] = await setup.db.sql<{ paused: number }[]>`
    select count(*)::int as paused from tracked_items where workspace_id = ${ann.workspace_id} and status = 'paused'`;
  expect(paused).toBe(11);
});

test('a selection of 200 items is removed and restored with its history', async () => {
  const { page, problems } = await browser.open();
  await page.context().addCookies(cookiesOf(ann, setup.base_url));
  await page.goto(`${setup.base_url}/dashboard/tracking`);
  await page.getByLabel('Select all on this page').check();
  await page.getByLabel('Apply to').selectOption('shown');
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('200 items removed', { exact: true }).waitFor();
  expect(await page.getByText('Nothing is tracked in this workspace yet.').count()).toBe(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Showing 200 of 200 items').waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
});
