import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createKey } from '../../../db/accounts/keys.ts';
import { addRecipient, listRecipients } from '../../../db/alerts/recipients.ts';
import { addRule, listRules } from '../../../db/alerts/rules.ts';
import { endCampaigns, findCampaign } from '../../../db/campaigns/campaigns.ts';
import { addTarget, listTargets } from '../../../db/deliveries/sheet-targets.ts';
import { listItems } from '../../../db/tracking/items.ts';
import { pageFaults, startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { makeLink, readLink } from '../../server/links/data-link-setup.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member, noticeOf } from '../dashboard-server.ts';
import { rowsOf } from '../populated.ts';
import { freezeWeek, keepCampaign } from './campaign-workspace.ts';

const list = '/dashboard/campaigns';
let setup: DashboardSetup;
let browser: TestBrowser;
let ann: Member;
let campaignId: string;
let itemIds: string[];
let path: string;
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
});
afterAll(() => Promise.all([setup.close(), browser.close()]));
beforeEach(async () => {
  ann = await setup.member({ tier: 'ultra' });
  ({ campaign_id: campaignId, item_ids: itemIds } = await keepCampaign(setup, ann, { items: 2 }));
  path = `${list}/${campaignId}`;
});
afterEach(() => expect(setup.errors).toEqual([]));

const textIn = async (answer: Response | Promise<Response>) => (await answer).text();
const open = (address: string) => fetch(`${setup.base_url}${address}`);

async function recipient(address: string, campaigns: string[]): Promise<string> {
  const slack = { channel: 'slack', label: address, topics: ['weekly_report'], campaign_ids: campaigns } as const;
  const added = await addRecipient(setup.db.sql, ann.workspace_id, { ...slack, address }, setup.clock.now);
  return added.outcome === 'added' ? added.recipient_id : expect.fail(added.outcome);
}

async function share(report: string): Promise<string> {
  const page = await textIn(ann.post(`${path}/shares`, { report, days: '7' }));
  return /\/shared\/reports\/[\w-]{43}/.exec(page)?.[0] ?? expect.fail('the page shows no link');
}

test('an active or paused campaign has no button to delete it, and the form is refused with what to do first', async () => {
  for (const status of ['active', 'paused']) {
    if (status === 'paused') await ann.post(`${path}/pause`, {});
    expect(await textIn(ann.get(path))).not.toContain('Delete campaign');
    const refused = await ann.post(`${path}/delete`, {});
    expect(refused.status).toBe(400);
    expect(await textIn(refused)).toContain(`This campaign is ${status}: archive it before you delete it.`);
  }
  expect(await findCampaign(setup.db.sql, ann.workspace_id, campaignId)).toMatchObject({ status: 'paused' });
});

test('a deleted campaign is gone with its reports, share links, rules and spreadsheets, and its items stay', async () => {
  const { sql } = setup.db;
  const reportId = await freezeWeek(setup, ann, campaignId);
  const shares = [await share(reportId), await share('running')];
  const { key } = await createKey(sql, ann.workspace_id, { kind: 'live', name: 'reports' });
  const api = (query = '') =>
    fetch(`${setup.base_url}/v1/workflows/campaign-report?id=${campaignId}${query}`, { headers: { 'x-api-key': key } });
  const content = { kind: 'report', campaign_id: campaignId, section: 'totals' } as const;
  const newest = await makeLink(setup, ann, { content });
  const target = { campaign_id: campaignId, list_id: null, spreadsheet_id: 'a'.repeat(44), sheet_name: 'Weeks' };
  await addTarget(sql, ann.workspace_id, { ...target, mode: 'append' });
  const unused = { metric: null, direction: null, amount: null, days: null, checks: null, recipient_ids: [] };
  const rule = { ...unused, name: 'Gone', scope: 'campaign', scope_id: campaignId, condition: 'not_found' } as const;
  await addRule(sql, ann.workspace_id, { ...rule, cooldown_hours: 0 }, setup.clock.now);
  for (const shared of shares) expect((await open(shared)).status).toBe(200);
  expect((await api()).status).toBe(200);
  expect((await readLink(setup, newest.token)).status).toBe(200);

  await ann.post(`${path}/archive`, {});
  const page = await textIn(ann.get(path));
  expect(page).toContain('<button class="danger">Delete campaign</button>');
  expect(page).toMatch(
    /data-confirm="Delete Autumn\? You cannot undo this\. Its reports, share links and alert rules are/,
  );
  const deleted = await ann.post(`${path}/delete`, {});
  expect([deleted.status, deleted.headers.get('location'), noticeOf(deleted)]).toEqual([303, list, 'campaign-deleted']);
  const campaigns = await textIn(ann.get(list));
  expect(campaigns).toContain('Campaign deleted. Its items are still tracked.');
  expect(campaigns).not.toContain(campaignId);

  const reports = ['running', reportId].flatMap((id) =>
    ['', '/print', '/csv', '/xlsx'].map((of) => `/reports/${id}${of}`),
  );
  for (const of of ['', ...reports]) expect((await ann.get(path + of)).status, of).toBe(404);
  for (const shared of shares) {
    const answer = await open(shared);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('This link is wrong, has expired or was revoked.');
  }
  for (const query of ['', `&report_id=${reportId}`, '&format=csv']) expect((await api(query)).status, query).toBe(404);
  const answer = await readLink(setup, newest.token);
  expect([answer.status, await answer.text()]).toEqual([
    410,
    'The campaign that this link showed was deleted. Ask the owner of the link for a new link.\n',
  ]);
  expect((await ann.get('/dashboard/links')).status).toBe(200);
  expect(await listTargets(sql, ann.workspace_id)).toEqual([]);
  expect(await listRules(sql, ann.workspace_id)).toEqual([]);
  expect((await listItems(sql, ann.workspace_id)).map(({ item_id }) => item_id).toSorted()).toEqual(itemIds.toSorted());
  const tables = await rowsOf(setup, ann.workspace_id);
  expect(tables.observations?.length).toBe(35);
  for (const table of ['campaigns', 'campaign_items', 'reports', 'report_shares']) expect(tables[table]).toEqual([]);
  const [entry] = await sql`
    select actor, subject from audit_entries where workspace_id = ${ann.workspace_id} and action = 'deleted a campaign'`;
  expect(entry).toEqual({ actor: ann.email, subject: 'Autumn' });
  for (const again of ['delete', 'archive', 'edit']) expect((await ann.post(`${path}/${again}`, {})).status).toBe(404);
});

test('a campaign that has ended can be deleted without archiving it', async () => {
  await ann.post(`${path}/edit`, { name: 'Autumn', starts_on: '2026-11-02', ends_on: '2026-11-20' });
  await endCampaigns(setup.db.sql, '2026-11-21');
  expect(await textIn(ann.get(path))).toContain('Delete campaign');
  expect((await ann.post(`${path}/delete`, {})).status).toBe(303);
  expect(await findCampaign(setup.db.sql, ann.workspace_id, campaignId)).toBeNull();
});

test('two forms that delete a campaign at the same time delete it once, and show no other error than Not found', async () => {
  await ann.post(`${path}/archive`, {});
  const answers = await Promise.all([ann.post(`${path}/delete`, {}), ann.post(`${path}/delete`, {})]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 404]);
});

test('a person of another workspace cannot delete a campaign, and nothing changes', async () => {
  await freezeWeek(setup, ann, campaignId);
  await ann.post(`${path}/archive`, {});
  const before = await rowsOf(setup, ann.workspace_id);
  const bob = await setup.member({ tier: 'ultra', name: 'Bob' });
  expect((await bob.post(`${path}/delete`, {})).status).toBe(404);
  expect(await rowsOf(setup, ann.workspace_id)).toEqual(before);
});

test('a recipient of only the deleted campaign does not get other reports, even when an old page is saved', async () => {
  const { sql } = setup.db;
  const { campaign_id: other } = await keepCampaign(setup, ann, { items: 1, name: 'Other' });
  const id = await recipient('#client', [campaignId]);
  await ann.post(`${path}/archive`, {});
  await ann.post(`${path}/delete`, {});
  const stored = async () => (await listRecipients(sql, ann.workspace_id))[0];
  expect(await stored()).toMatchObject({ topics: [], campaign_ids: [] });
  const save = (campaigns: string[]) =>
    ann.post(`/dashboard/alerts/recipients/${id}`, { topics: ['weekly_report'], campaign_ids: campaigns });
  expect(noticeOf(await save([campaignId]))).toBe('recipient-not-saved');
  expect(await textIn(ann.get('/dashboard/alerts'))).toContain('Not saved: the selected campaigns were deleted.');
  expect(await stored()).toMatchObject({ topics: [], campaign_ids: [] });
  expect(noticeOf(await save([campaignId, other]))).toBe('recipient-saved');
  expect(await stored()).toMatchObject({ topics: ['weekly_report'], campaign_ids: [other] });
});

test('the page of an archived campaign is accessible and fits on a phone', async () => {
  await ann.post(`${path}/archive`, {});
  for (const viewport of [
    { width: 360, height: 800 },
    { width: 1440, height: 900 },
  ]) {
    const { page, problems } = await browser.open({ viewport });
    await page.context().addCookies(cookiesOf(ann, setup.base_url));
    await page.goto(`${setup.base_url}${path}`);
    expect(await pageFaults(page)).toEqual([]);
    expect(problems).toEqual([]);
    await page.context().close();
  }
});
