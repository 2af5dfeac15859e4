import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCampaignItems } from '../../../db/campaigns/reports.ts';
import { listItems } from '../../../db/tracking/items.ts';
import { addList, moveItems } from '../../../db/tracking/lists.ts';
import { sortRows } from '../../../server/dashboard/ui/parts/sort-rows.ts';
import { startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';
import { keepCampaign } from './campaign-workspace.ts';

const area = '/dashboard/campaigns';
const names = ['Zebra', 'apple', 'Mango', 'Éclair'];

let setup: DashboardSetup;
let browser: TestBrowser;
let ann: Member;
/** The path of the campaign page. The campaign has items. */
let path: string;
let itemIds: string[];
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
  ann = await setup.member({ tier: 'ultra' });
  const made = await keepCampaign(setup, ann, { items: 4, name: 'Spring', item_name: (n) => names[n] ?? '' });
  path = `${area}/${made.campaign_id}`;
  itemIds = made.item_ids;
  const rows = Array.from({ length: 200 }, (_, n) => ({
    workspace_id: ann.workspace_id,
    campaign_id: crypto.randomUUID(),
    name: `Client ${String(n).padStart(3, '0')}`,
    status: n < 3 ? 'paused' : 'archived',
    starts_on: '2026-10-01',
    ends_on: '2026-10-31',
  }));
  await setup.db.sql`insert into campaigns ${setup.db.sql(rows)}`;
});
afterAll(async () => {
  await browser?.close();
  await setup?.close();
});

const bodyOf = async (address: string) => (await ann.get(address)).text();
/** Returns the rows of the campaign table in a page. */
const campaignsIn = (body: string) =>
  [...body.matchAll(/<td class="title" data-label="Name"><a href="[^"]*"><bdi>([^<]*)</g)].map(([, name]) => name);
const itemsIn = (body: string) =>
  [...body.matchAll(/<a class="item" href="[^"]*"><bdi>([^<]*)</g)].map(([, name]) => name);

describe('the list of campaigns', () => {
  test('the list of 201 campaigns is shown in pages of 50, newest first', async () => {
    const body = await bodyOf(area);
    expect(campaignsIn(body)).toHaveLength(50);
    expect(body).toContain('Showing 201 of 201 campaigns.');
    expect(body).toContain('1 to 50 of 201');
    expect(campaignsIn(await bodyOf(`${area}?page=5`))).toHaveLength(1);
    expect(campaignsIn(await bodyOf(`${area}?page=99`))).toHaveLength(1);
  });

  test('the list of campaigns is searched by name, filtered by status and sorted, and its address keeps all three', async () => {
    const body = await bodyOf(`${area}?q=client 00&state=paused&sort=-name`);
    expect(campaignsIn(body)).toEqual(['Client 002', 'Client 001', 'Client 000']);
    expect(body).toContain('href="/dashboard/campaigns?q=client+00&amp;state=paused&amp;sort=name"');
    expect(campaignsIn(await bodyOf(`${area}?state=ended`))).toEqual([]);
    expect(body).toContain('<option value="ended">Ended</option>');
    expect(campaignsIn(await bodyOf(`${area}?sort=-items&page=1`))[0]).toBe('Spring');
    expect(await bodyOf(`${area}?q=no such name`)).toContain('No campaigns match this filter.');
  });
});

describe('the items of a campaign', () => {
  test('the items of a campaign are listed by name, whatever the case and accents, and can be sorted and searched', async () => {
    expect(itemsIn(await bodyOf(path))).toEqual(['apple', 'Éclair', 'Mango', 'Zebra']);
    expect(itemsIn(await bodyOf(`${path}?sort=-name`))).toEqual(['Zebra', 'Mango', 'Éclair', 'apple']);
    expect(itemsIn(await bodyOf(`${path}?sort=-newest`))[0]).toBe('Mango');
    const row = /<tr id="campaign-items-[^>]*>(?:(?!<\/tr>).)*Mango.*?<\/tr>/s.exec(await bodyOf(path))?.[0] ?? '';
    expect(row.replace(/<[^>]+>/g, ' ')).toMatch(/Mango\s+TikTok profile\s+3,61\d,\d{3}\s+followers\s+↑ \+\d/);
    const found = await bodyOf(`${path}?q=MAN`);
    expect(itemsIn(found)).toEqual(['Mango']);
    expect(found).toContain('Showing 1 of 4 items.');
    expect(await bodyOf(`${path}?q=nothing`)).toContain('No items match this search.');
  });

  test('the items of a campaign have the name of the account, or its handle before the first check, never the address', async () => {
    await ann.post('/dashboard/tracking', { addresses: 'https://www.instagram.com/not.checked/' });
    const unnamed = (await listItems(setup.db.sql, ann.workspace_id)).find(({ name }) => name === null);
    await ann.post(`${path}/attach`, { items: unnamed?.item_id ?? '' });
    const body = await bodyOf(path);
    expect(itemsIn(body)).toContain('not.checked');
    expect(body).toContain(`href="/dashboard/tracking/${unnamed?.item_id}"`);
    await ann.post(`${path}/detach`, { id: unnamed?.item_id ?? '' });
    expect(itemsIn(await bodyOf(path))).not.toContain('not.checked');
  });

  test('a campaign can include a whole list and single items, and a list of another workspace is not found', async () => {
    const { sql } = setup.db;
    const ben = await setup.member({ tier: 'ultra', name: 'Ben' });
    const foreign = (await addList(sql, ben.workspace_id, 'Foreign', 9)) ?? '';
    const list = (await addList(sql, ann.workspace_id, 'Brands', 9)) ?? '';
    await moveItems(sql, ann.workspace_id, itemIds.slice(0, 2), list);
    const made = await ann.post(area, { name: 'Lists', starts_on: '2026-11-16', list, items: itemIds[3] ?? '' });
    const campaignId = made.headers.get('location')?.split('/').pop() ?? '';
    const inside = await readCampaignItems(sql, ann.workspace_id, campaignId);
    expect(inside.map(({ item_id }) => item_id).toSorted()).toEqual([...itemIds.slice(0, 2), itemIds[3]].toSorted());
    await ann.post(`${area}/${campaignId}/detach`, { id: itemIds.slice(0, 2) });
    expect((await ann.post(`${area}/${campaignId}/attach`, { list })).status).toBe(303);
    expect(await readCampaignItems(sql, ann.workspace_id, campaignId)).toHaveLength(3);
    const nothing = await ann.post(`${area}/${campaignId}/attach`, { list: foreign });
    expect([nothing.status, await readCampaignItems(sql, ann.workspace_id, campaignId)]).toEqual([400, inside]);
  });

  test('the items of a campaign are found while the user types, and so are items to add, where Enter sends nothing', async () => {
    const { page, problems } = await browser.open({ viewport: { width: 390, height: 800 } });
    await page.context().addCookies(cookiesOf(ann, setup.base_url));
    await page.goto(setup.base_url + path);
    await page.getByRole('searchbox', { name: 'Search items', exact: true }).fill('mango');
    await page.getByText('Showing 1 of 4 items.').waitFor();
    await page.goto(setup.base_url + area);
    await page.locator('summary', { hasText: 'New campaign' }).click();
    const filter = page.getByRole('searchbox', { name: 'Search the items below' });
    await filter.fill('zeb');
    expect(await page.locator('fieldset.choice label:visible').count()).toBe(1);
    await filter.press('Enter');
    expect(page.url()).toBe(setup.base_url + area);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

test('table rows without a value are last in both orders, and an unknown order changes nothing', () => {
  const rows = [{ n: null }, { n: 2 }, { n: 1 }];
  const keys = { n: (row: { n: number | null }) => row.n };
  expect(sortRows(rows, 'n', keys).map(({ n }) => n)).toEqual([1, 2, null]);
  expect(sortRows(rows, '-n', keys).map(({ n }) => n)).toEqual([2, 1, null]);
  for (const unknown of ['', 'toString', '-__proto__']) expect(sortRows(rows, unknown, keys)).toEqual(rows);
});
