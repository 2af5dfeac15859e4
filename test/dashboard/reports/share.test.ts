import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addShare, maxLiveShares } from '../../../db/campaigns/report-shares.ts';
import { pageFaults, startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { freezeWeek, hostile, keepCampaign } from '../campaigns/campaign-workspace.ts';
import { createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';

const dayMs = 86_400_000;

let setup: DashboardSetup;
let browser: TestBrowser;
let ann: Member;
let campaignId: string;
let reportId: string;
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
  ann = await setup.member({ tier: 'ultra' });
  ({ campaign_id: campaignId } = await keepCampaign(setup, ann, { item_name: () => hostile, report_name: hostile }));
  reportId = await freezeWeek(setup, ann, campaignId);
});
afterAll(() => Promise.all([setup.close(), browser.close()]));

const sharesOf = (id: string) => `/dashboard/campaigns/${id}/shares`;

async function share(fields: Record<string, string> = {}, id = campaignId): Promise<string> {
  const answer = await ann.post(sharesOf(id), { report: reportId, days: '7', ...fields });
  const page = await answer.text();
  expect(answer.status).toBe(200);
  return /\/shared\/reports\/[\w-]{43}/.exec(page)?.[0] ?? expect.fail('the page shows no link');
}

const open = (path: string) => fetch(`${setup.base_url}${path}`, { redirect: 'manual' });

async function newestShare(): Promise<{ share_id: string; token_hash: string }> {
  const [row] = await setup.db.sql<{ share_id: string; token_hash: string }[]>`
    select share_id, token_hash from report_shares where workspace_id = ${ann.workspace_id} order by share_id desc limit 1`;
  return row ?? expect.fail('no link is stored');
}

/** Moves the clock by 1 second, because ids created in the same millisecond have no order. */
function tick(): void {
  setup.clock.now = new Date(setup.clock.now.getTime() + 1_000);
}

describe('a share link of a report', () => {
  test('a share link opens the report without sign-in, is stored as a hash, and can be copied again', async () => {
    tick();
    const path = await share();
    const token = path.split('/').at(-1) ?? '';
    for (const of of ['', '/print']) {
      const answer = await open(path + of);
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('November 2026');
    }
    expect(await newestShare()).toMatchObject({ token_hash: hash('sha256', token) });
    const campaign = await (await ann.get(`/dashboard/campaigns/${campaignId}`)).text();
    expect(campaign).toContain('>active</span>');
    expect(campaign).toContain(token);
    const rows = await setup.db.sql`select to_jsonb(s)::text as row from report_shares s`;
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(setup.logs)).not.toContain(token);
  });

  test('a shared report is not indexed, sends no referrer, loads no foreign files, and shows no other data', async () => {
    tick();
    const answer = await open(await share());
    expect(answer.headers.get('x-robots-tag')).toContain('noindex');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    const page = await answer.text();
    for (const secret of [campaignId, ann.workspace_id, ann.email, '/dashboard/campaigns']) {
      expect(page).not.toContain(secret);
    }
    expect(page).toContain('&lt;script&gt;');
    expect(page).not.toMatch(/<script>|<img/);
  });

  test('a shared report can only be read: other methods and other paths below it show nothing', async () => {
    tick();
    const path = await share();
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await fetch(`${setup.base_url}${path}`, { method });
      expect([method, answer.status >= 400 && answer.status < 500]).toEqual([method, true]);
    }
    for (const below of ['/csv', '/xlsx', '/../../dashboard', '/print/x', '%00', '/print?details=%3Cscript%3E']) {
      const answer = await open(path + below);
      const body = await answer.text();
      expect([below, answer.status < 500, body.includes(ann.email)]).toEqual([below, true, false]);
      if (below.endsWith('sv') || below.endsWith('xlsx')) expect(answer.status).toBe(404);
    }
    expect(await (await open(`${path}/print?details=no`)).text()).not.toContain('Appendix');
    expect(await (await open(`${path}/print`)).text()).toContain('Appendix: details');
  });

  test('the audit log says who created and revoked a share link, because anyone with the link can read the report', async () => {
    tick();
    await share({ label: 'For the client' });
    const { share_id } = await newestShare();
    await ann.post(`${sharesOf(campaignId)}/${share_id}/revoke`, {});
    const entries = await setup.db.sql`
      select actor, action, subject from audit_entries where subject = 'For the client' order by action`;
    expect(entries).toEqual(
      ['created a share link', 'revoked a share link'].map((action) => ({
        ...{ actor: ann.email, action, subject: 'For the client' },
      })),
    );
  });

  test('a wrong, an expired and a revoked share link show the same page', async () => {
    const unknown = await open(`/shared/reports/${'A'.repeat(43)}`);
    expect(unknown.status).toBe(404);
    const page = await unknown.text();
    tick();
    const revoked = await share({ days: '90' });
    const { share_id } = await newestShare();
    expect((await ann.post(`${sharesOf(campaignId)}/${share_id}/revoke`, {})).status).toBe(303);
    tick();
    const expired = await share({ days: '7' });
    const before = setup.clock.now;
    setup.clock.now = new Date(before.getTime() + 7 * dayMs - 1);
    expect((await open(expired)).status).toBe(200);
    setup.clock.now = new Date(before.getTime() + 7 * dayMs);
    for (const path of [revoked, expired, '/shared/reports/x', `${revoked}/print`]) {
      const answer = await open(path);
      expect([answer.status, await answer.text()]).toEqual([404, page]);
      expect(answer.headers.get('x-robots-tag')).toContain('noindex');
    }
    const campaign = await (await ann.get(`/dashboard/campaigns/${campaignId}`)).text();
    expect(campaign).toContain('>expired</span>');
    expect(campaign).toContain('>revoked</span>');
    setup.clock.now = before;
  });

  test('a share link counts the views of people, and not those of bots, previews, prefetches and wrong links', async () => {
    tick();
    const path = await share({ label: 'For <b>Ada</b>' });
    const from = (agent: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(`${setup.base_url}${path}`, { method, headers: { 'user-agent': agent, ...headers } });
    const person = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    await Promise.all([from(person), from(person), from(person)]);
    const programs = ['Slackbot-LinkExpanding 1.0', 'Mozilla/5.0 (compatible; Googlebot/2.1)', 'WhatsApp/2.23', ''];
    for (const agent of programs) expect((await from(agent)).status).toBe(200);
    await from(person, { 'sec-purpose': 'prefetch;prerender' });
    await from(person, {}, 'HEAD');
    const [row] = await setup.db.sql`
      select views, last_viewed_at from report_shares where workspace_id = ${ann.workspace_id} order by share_id desc limit 1`;
    expect(row).toEqual({ views: 3, last_viewed_at: setup.clock.now });
    const page = await (await from(person)).text();
    expect(page).not.toContain('Ada');
    expect(await (await ann.get(`/dashboard/campaigns/${campaignId}`)).text()).toContain('For &lt;b&gt;Ada&lt;/b&gt;');
  });

  test('a share link that was encrypted with another key still opens its report but cannot be copied again', async () => {
    tick();
    const other = await keepCampaign(setup, ann, { items: 1 });
    const days = new Date(setup.clock.now.getTime() + dayMs);
    const link = { campaign_id: other.campaign_id, report_id: null, expires_at: days, label: 'old' };
    const { token } = await addShare(setup.db.sql, ann.workspace_id, link, 'the key before', setup.clock.now);
    expect((await open(`/shared/reports/${token}`)).status).toBe(200);
    const page = await (await ann.get(`/dashboard/campaigns/${other.campaign_id}`)).text();
    expect(page).not.toContain(token ?? 'no token');
    expect(page).toContain('Works, but cannot be copied');
  });

  test('a share link refuses a label that is too long or has a line break', async () => {
    for (const label of ['x'.repeat(81), 'a\u0001b']) {
      expect((await ann.post(sharesOf(campaignId), { report: reportId, days: '7', label })).status).toBe(400);
    }
  });

  test('a share link to the current week shows the current data', async () => {
    const other = await keepCampaign(setup, ann, { items: 1, name: 'Before' });
    tick();
    const path = await share({ report: 'running' }, other.campaign_id);
    expect(await (await open(path)).text()).toContain('Before');
    await ann.post(`/dashboard/campaigns/${other.campaign_id}/edit`, { name: 'After' });
    expect(await (await open(path)).text()).toContain('After');
  });

  test('a share link is valid for 7, 30 or 90 days, and a campaign has at most 20 active links', async () => {
    const other = await keepCampaign(setup, ann, { items: 1 });
    const create = (fields: Record<string, string>) =>
      ann.post(sharesOf(other.campaign_id), { report: 'running', days: '30', ...fields });
    expect((await create({ days: '365' })).status).toBe(400);
    expect((await create({ report: reportId })).status).toBe(404);
    const created = await Promise.all(Array.from({ length: maxLiveShares + 3 }, () => create({})));
    expect(created.filter(({ status }) => status === 200)).toHaveLength(maxLiveShares);
    expect(await (await create({})).text()).toContain('Revoke one first');
  });

  test('a share link cannot be created, seen or revoked from another workspace', async () => {
    tick();
    const path = await share();
    const bob = await setup.member({ tier: 'ultra', name: 'Bob' });
    const { share_id } = await newestShare();
    expect((await bob.post(sharesOf(campaignId), { report: reportId, days: '7' })).status).toBe(404);
    expect((await bob.post(`${sharesOf(campaignId)}/${share_id}/revoke`, {})).status).toBe(404);
    const own = await keepCampaign(setup, bob, { items: 1 });
    expect((await bob.post(`${sharesOf(own.campaign_id)}/${share_id}/revoke`, {})).status).toBe(404);
    expect((await open(path)).status).toBe(200);
  });
});

test('the pages of a shared report are accessible and fit on a phone', async () => {
  const small = await keepCampaign(setup, ann, { items: 1, item_name: () => 'averylongname'.repeat(20) });
  tick();
  const path = await share({ report: 'running' }, small.campaign_id);
  for (const [width, address] of [
    [360, path],
    [1280, path],
    [360, '/shared/reports/gone'],
  ] as const) {
    const { page } = await browser.open({ viewport: { width, height: 900 } });
    await page.goto(`${setup.base_url}${address}`);
    expect(await pageFaults(page)).toEqual([]);
    await page.context().close();
  }
});
