import { afterAll, beforeAll, expect, test } from 'vitest';
import { listItems } from '../../../db/tracking/items.ts';
import { listLists } from '../../../db/tracking/lists.ts';
import { createDashboardSetup, type DashboardSetup, type Member, noticeOf } from '../dashboard-server.ts';
import { observedItem } from './observed.ts';

let setup: DashboardSetup;
let ann: Member;
const page = '/dashboard/tracking';
const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(setup.clock.now.getTime() - days * dayMs);
const bodyOf = async (answer: Promise<Response>) => (await answer).text();
const plain = (body: string) => body.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const namesIn = (body: string) => [...body.matchAll(/class="item"[^>]*>([^<]+)</g)].map(([, name]) => name);
const statuses = async () =>
  Object.fromEntries((await listItems(setup.db.sql, ann.workspace_id)).map((item) => [item.identifier, item.status]));

function observed(identifier: string, platform: string, numbers: readonly [number, number | null][]) {
  const checks = numbers.map(([days, followers]) => ({ at: daysAgo(days), followers }));
  const item = { platform, kind: 'profile', url: `https://example.com/${identifier}`, identifier, since: daysAgo(60) };
  return observedItem(setup.db.sql, ann.workspace_id, item, checks);
}

beforeAll(async () => {
  setup = await createDashboardSetup({ sheets_account: 'sheets@example.iam.gserviceaccount.com' });
  ann = await setup.member({ tier: 'ultra' });
  await observed('kelp', 'photo', [
    [30, 1_000],
    [7, 1_500],
    [0.1, 2_500],
  ]);
  await observed('limpet', 'shortvideo', [
    [7, 90_000],
    [0.1, 89_000],
  ]);
  await observed('urchin', 'photo', [
    [7, null],
    [0.1, 50],
  ]);
});
afterAll(() => setup.close());

test('the tracking table shows changes over 7 and 30 days, and a dash where a number is unknown', async () => {
  const body = plain(await bodyOf(ann.get(`${page}?q=KELP`)));
  expect(body).toContain('↑ +1,000');
  expect(body).toContain('↑ +1,500');
  const unknown = await bodyOf(ann.get(`${page}?q=urchin`));
  expect(unknown).toContain('data-label="7 days">–<');
});

test('the tracking table is searched, filtered by platform and sorted by the address', async () => {
  expect(namesIn(await bodyOf(ann.get(`${page}?platform=photo`)))).toEqual(['kelp', 'urchin']);
  expect(namesIn(await bodyOf(ann.get(`${page}?sort=-newest`)))).toEqual(['limpet', 'kelp', 'urchin']);
  expect(namesIn(await bodyOf(ann.get(`${page}?sort=week`)))).toEqual(['limpet', 'kelp', 'urchin']);
  expect(namesIn(await bodyOf(ann.get(`${page}?sort=-week`)))).toEqual(['kelp', 'limpet', 'urchin']);
  expect(plain(await bodyOf(ann.get(`${page}?q=nothing-like-it`)))).toContain('No items match this filter.');
});

test('a bulk action without selected items is an error, not a success, and keeps the filter', async () => {
  const answer = await ann.post(`${page}/change?platform=photo`, { act: 'paused' });
  const body = await answer.text();
  expect(answer.status).toBe(400);
  expect(body).toMatch(/class="notice bad"[^>]*>Select items first/);
  expect(namesIn(body)).toEqual(['kelp', 'urchin']);
});

test('a bulk action on all filtered items changes only the items that match, and the filter stays', async () => {
  const answer = await ann.post(`${page}/change?platform=photo&q=kelp`, { act: 'paused', scope: 'shown' });
  expect([answer.headers.get('location'), noticeOf(answer)]).toEqual([`${page}?platform=photo&q=kelp`, 'items-paused']);
  expect(await statuses()).toEqual({ kelp: 'paused', limpet: 'active', urchin: 'active' });
});

test('the export of all filtered items has exact numbers, and empty cells for unknown numbers', async () => {
  const csv = await bodyOf(ann.post(`${page}/change?platform=photo&sort=name`, { act: 'csv', scope: 'shown' }));
  const [, kelp, urchin] = csv.trim().split(/\r?\n/);
  expect(kelp).toMatch(/,followers,2500,1000,1500,/);
  expect(urchin).toMatch(/,followers,50,,,/);
});

test('the page of lists leads to the form that writes a list into a spreadsheet, as the guide says', async () => {
  await ann.post(`${page}/lists`, { name: 'Brands' });
  const [list] = await listLists(setup.db.sql, ann.workspace_id);
  const sheets = `${page}/lists/${list?.list_id}/sheets`;
  expect(await bodyOf(ann.get(`${page}/lists`))).toContain(`href="${sheets}"`);
  const body = await bodyOf(ann.get(sheets));
  expect(body).toContain('Spreadsheets of Brands');
  expect(body).toMatch(new RegExp(`<form method="post" action="${sheets}[^>]*>[^]*name="sheet`));
});
