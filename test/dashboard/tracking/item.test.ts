import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';
import { observedItem } from './observed.ts';

const dayMs = 86_400_000;
const page = '/dashboard/tracking';

let setup: DashboardSetup;
let ann: Member;
let itemId: string;
const daysAgo = (days: number) => new Date(setup.clock.now.getTime() - days * dayMs);
const account = (identifier: string) => ({
  platform: 'photo',
  kind: 'profile',
  url: `https://www.instagram.com/${identifier}/`,
  identifier,
});
const bodyOf = async (answer: Promise<Response>) => (await answer).text();
const plain = (body: string) => body.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const pathOf = (body: string, chart: string, name: string) =>
  new RegExp(`id="${chart}-desc".*?<path class="${name}" d="([^"]*)"`, 's').exec(body)?.[1] ?? '';

beforeAll(async () => {
  setup = await createDashboardSetup();
  ann = await setup.member({ tier: 'pro_max' });
  itemId = await observedItem(
    setup.db.sql,
    ann.workspace_id,
    { ...account('tide.pool'), name: '<script>alert("name")</script>', since: daysAgo(60) },
    [
      { at: daysAgo(50), followers: 900 },
      { at: daysAgo(7), followers: 1_000 },
      { at: daysAgo(6), followers: 1_010 },
      { at: daysAgo(5), outcome: 'SOURCE_TIMEOUT' },
      { at: daysAgo(4), outcome: 'SKIPPED_NO_CREDITS' },
      { at: daysAgo(3), followers: null, quality: 2 },
      { at: daysAgo(2), followers: 1_100, quality: 1 },
      { at: daysAgo(1), followers: 1_090 },
    ],
  );
});
afterAll(() => setup.close());

describe('the page of a tracked item', () => {
  test('the item page draws gaps for missing days, and no 0 for an unknown number', async () => {
    const body = await bodyOf(ann.get(`${page}/${itemId}?days=7`));
    const [line, gaps] = [pathOf(body, 'chart-followers', 'line'), pathOf(body, 'chart-followers', 'gap')];
    expect([line.split('M').length - 1, line.split('L').length - 1]).toEqual([2, 1]);
    expect(gaps.split('M').length - 1).toBe(3);
    expect(plain(body)).toMatch(/17 Nov 2026 – hidden by the account/);
    expect(plain(body)).not.toMatch(/Followers 0 /);
  });

  test('the item page shows the cause of each missing day and marks rounded numbers', async () => {
    const text = plain(await bodyOf(ann.get(`${page}/${itemId}?days=7`)));
    expect(text).toContain('16 Nov 2026 1 no credits were left');
    expect(text).toContain('15 Nov 2026 1 the platform did not answer in time');
    expect(text).toContain('18 Nov 2026 ≈1,100 rounded by the platform');
    const chosen = plain(await bodyOf(ann.get(`${page}/${itemId}?from=2026-11-18&to=2026-11-19`)));
    expect(chosen).toContain('Followers 1,090 ↓ ≈−10 since 18 Nov 2026');
  });

  test('the item page shows the requested period, at most as long as the history of the tier', async () => {
    const body = plain(await bodyOf(ann.get(`${page}/${itemId}?days=90`)));
    expect(body).toContain('+190 since 1 Oct 2026');
    const week = plain(await bodyOf(ann.get(`${page}/${itemId}?days=7`)));
    expect(week).toContain('+80 since 14 Nov 2026');
    const air = await setup.member();
    const own = await observedItem(setup.db.sql, air.workspace_id, { ...account('old.one'), since: daysAgo(60) }, [
      { at: daysAgo(20), followers: 77_777 },
      { at: daysAgo(2), followers: 88_888 },
    ]);
    const limited = plain(await bodyOf(air.get(`${page}/${own}?days=365`)));
    expect(limited).toContain('88,888');
    expect(limited).not.toContain('77,777');
    expect(limited).toContain('Air has 7 days of history. Higher tiers: Pro 30, Pro Max 90, Ultra 365.');
  });

  test('the list of items shows no number from before the history of the tier', async () => {
    const air = await setup.member();
    const observed = (handle: string, days: number, followers: number) =>
      observedItem(setup.db.sql, air.workspace_id, { ...account(handle), since: daysAgo(60) }, [
        { at: daysAgo(days), followers },
      ]);
    await observed('older.one', 9, 77_777);
    await observed('newer.one', 6, 88_888);
    const list = plain(await bodyOf(air.get(page)));
    expect(list).toContain('88,888');
    expect(list).not.toContain('77,777');
  });

  test('the item page shows the change from day to day and in percent, and no change where a value is missing', async () => {
    const daily = plain(await bodyOf(ann.get(`${page}/${itemId}?days=7&view=daily`)));
    expect(daily).toContain('19 Nov 2026 ≈-10 rounded by the platform');
    expect(daily).toContain('18 Nov 2026 – no value on the day before');
    const percent = plain(await bodyOf(ann.get(`${page}/${itemId}?days=7&view=percent`)));
    expect(percent).toContain('18 Nov 2026 ≈8.9 rounded by the platform 17 Nov 2026 – hidden by the account');
  });

  test('the links of the item page keep the range, the metric and the view', async () => {
    const body = await bodyOf(ann.get(`${page}/${itemId}?days=7&metric=followers&view=percent`));
    expect(body).toMatch(/href="[^"]*days=90[^"]*view=percent"/);
    expect(body).toMatch(/href="[^"]*days=7[^"]*view=daily"/);
  });

  test('the item page shows the stored picture from this server, or initials without a picture', async () => {
    expect(await bodyOf(ann.get(`${page}/${itemId}`))).not.toContain('src="/media/');
    const own = await observedItem(setup.db.sql, ann.workspace_id, { ...account('pictured'), since: daysAgo(9) }, []);
    await setup.db.sql`
      insert into item_pictures (workspace_id, item_id, type, bytes, kept_at)
      values (${ann.workspace_id}, ${own}, 'image/gif', ${Buffer.from('GIF89a')}, ${setup.clock.now})`;
    const address = /src="(\/media\/[^"]+)"/.exec(await bodyOf(ann.get(`${page}/${own}`)))?.[1];
    const picture = await fetch(`${setup.base_url}${address}`);
    expect(await picture.text()).toBe('GIF89a');
  });

  test('a hostile item name is escaped on every page', async () => {
    for (const path of ['', `/${itemId}`, `/${itemId}/remove`]) {
      const body = await bodyOf(ann.get(`${page}${path}`));
      expect(body).toContain('&lt;script&gt;alert(');
      expect(body).not.toContain('<script>alert(');
    }
  });

  test('the item page explains when the address belongs to another account now', async () => {
    const own = await observedItem(setup.db.sql, ann.workspace_id, { ...account('taken'), since: daysAgo(9) }, [
      { at: daysAgo(8), followers: 5 },
      { at: daysAgo(1), outcome: 'IDENTITY_CHANGED' },
    ]);
    await setup.db.sql`update tracked_items set identity_changed = true where item_id = ${own}`;
    expect(plain(await bodyOf(ann.get(`${page}/${own}`)))).toContain(
      'now belongs to another account, not the one you tracked',
    );
    expect(plain(await bodyOf(ann.get(`${page}?state=changed`)))).toContain('taken');
  });

  test('the log of an item page has pages, newest first', async () => {
    const checks = Array.from({ length: 25 }, (_, index) => ({ at: daysAgo(25 - index), followers: index }));
    const own = await observedItem(setup.db.sql, ann.workspace_id, { ...account('busy'), since: daysAgo(30) }, checks);
    const first = await bodyOf(ann.get(`${page}/${own}`));
    const older = /href="([^"]*before=[^"]*)"/.exec(first)?.[1] ?? expect.fail('no link to older checks');
    const attempts = (body: string) => body.split('>the schedule<').length - 1;
    expect([attempts(first), attempts(await bodyOf(ann.get(older)))]).toEqual([20, 5]);
    for (const before of ['', 'nonsense']) expect((await ann.get(`${page}/${own}?before=${before}`)).status).toBe(404);
  });
});

test('the CSV of a tracked item has the quality of its numbers, and an empty cell for an unknown number', async () => {
  const answer = await ann.get(`${page}/${itemId}/observations.csv`);
  expect(answer.headers.get('content-type')).toContain('text/csv');
  const rows = (await answer.text())
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  const [value, quality] = ['value', 'quality'].map((name) => rows[0]?.indexOf(name) ?? -1) as [number, number];
  const followers = rows.filter((row) => row.includes('followers'));
  expect(followers.map((row) => [row[value], row[quality]])).toEqual([
    ['900', 'exact'],
    ['1000', 'exact'],
    ['1010', 'exact'],
    ['', 'hidden'],
    ['1100', 'rounded'],
    ['1090', 'exact'],
  ]);
});

test('the list of items shows the newest number, its change in 7 days, "–" for unknown, and the result of the last check', async () => {
  const own = await setup.member({ tier: 'pro' });
  const at = (days: number) => daysAgo(days);
  const add = (identifier: string, checks: Parameters<typeof observedItem>[3]) =>
    observedItem(setup.db.sql, own.workspace_id, { ...account(identifier), since: at(40) }, checks);
  await add('grows', [
    { at: at(8), followers: 100 },
    { at: at(1), followers: 1_130 },
  ]);
  await add('hides', [
    { at: at(2), followers: 100 },
    { at: at(1), followers: null, quality: 2 },
  ]);
  await add('fails', [
    { at: at(30), followers: 7 },
    { at: at(20), followers: 5 },
    { at: at(1), outcome: 'SOURCE_RESTRICTED' },
  ]);
  const text = plain(await bodyOf(own.get(page)));
  expect(text).toContain('grows Instagram profile 1,130 followers ↑ +1,030 – ');
  expect(text).toContain('hides Instagram profile – followers, hidden by the account – ');
  expect(text).toContain('fails Instagram profile 5 followers – – ');
  expect(text).toContain('the platform restricts access');
});
