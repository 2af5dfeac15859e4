import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember } from '../../../db/accounts/members.ts';
import { removeMember } from '../../../db/accounts/team.ts';
import { checkLedger } from '../../../db/money/ledger.ts';
import { dueItems } from '../../../db/tracking/items.ts';
import { removeSamples } from '../../../pipeline/sample/workspace.ts';
import { createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';

let setup: DashboardSetup;
let ann: Member;
beforeAll(async () => {
  setup = await createDashboardSetup();
  ann = await setup.member({ credits: 100 });
  expect((await ann.post('/dashboard/sample', {})).headers.get('location')).toContain('/dashboard');
});
afterAll(() => setup.close());

const textOf = async (path: string) =>
  (await (await ann.get(path)).text()).replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const samples = () => setup.db.sql<{ workspace_id: string }[]>`select workspace_id from workspaces where sample`;

test('a sample workspace shows a filled overview, tracked items with changes, a campaign and its report', async () => {
  const overview = await textOf('/dashboard');
  expect(overview).toContain('Sample data. These accounts are invented.');
  expect(overview).toMatch(/Followers of all accounts ≈6\.\d+M 12 accounts/);
  expect(overview).toMatch(/Biggest gains in 7 days .*Harbor Coffee TikTok profile ↑ \+/);
  expect(overview).not.toContain('All scheduled work is paused');
  expect(await textOf('/dashboard/tracking')).toContain('Showing 20 of 20 items');
  const report = /\/dashboard\/campaigns\/[0-9a-f-]+\/reports\/[0-9a-f-]+/.exec(
    await (await ann.get('/dashboard')).text(),
  );
  expect(await textOf(report?.[0] ?? '')).toMatch(/Views grew by [\d,]+ \(\+[\d.]+%\)/);
});

test('opening sample data a second time leads to the same sample workspace', async () => {
  await ann.post('/dashboard/sample', { for_workspace: (await samples())[0]?.workspace_id ?? '' });
  expect(await samples()).toHaveLength(1);
});

test('in a sample workspace, no check is due, nothing is charged, and nothing can be changed', async () => {
  const { now } = setup.clock;
  const [sample] = await samples();
  const due = await dueItems(setup.db.sql, now, new Date(now.getTime() + 86_400_000), ['ultra', 'air']);
  expect(due.filter(({ workspace_id }) => workspace_id === sample?.workspace_id)).toEqual([]);
  const mark = { for_workspace: sample?.workspace_id ?? '' };
  for (const [path, fields] of Object.entries({
    '/dashboard/tracking': { addresses: 'https://www.instagram.com/someone/' },
    '/dashboard/keys': { name: 'mine', kind: 'live' },
    '/dashboard/credits/buy': { pack: 'pro' },
    '/dashboard/settings/pause': {},
  }))
    expect((await ann.post(path, { ...mark, ...fields })).status, path).toBe(403);
  const entries = await setup.db.sql`select from ledger_entries where workspace_id = ${sample?.workspace_id ?? ''}`;
  expect(entries).toHaveLength(0);
  expect((await checkLedger(setup.db.sql)).mismatches).toEqual([]);
});

test('deleting sample data leads back to the own workspace, and only a sample workspace can be deleted in this way', async () => {
  const [sample] = await samples();
  await ann.post('/dashboard/sample/delete', { for_workspace: sample?.workspace_id ?? '' });
  expect(await samples()).toEqual([]);
  expect(await textOf('/dashboard')).toContain('100 credits');
  expect((await ann.post('/dashboard/sample/delete', {})).status).toBe(404);
  expect(await textOf('/dashboard')).toContain('100 credits');
});

test('a user who was removed from their only own workspace keeps the account when the sample data is deleted', async () => {
  const { sql } = setup.db;
  for (const deleted of ['by the user', 'after 14 days']) {
    const [owner, bob] = [await setup.member(), await setup.member()];
    await addMember(sql, bob.workspace_id, owner.user_id);
    await bob.post('/dashboard/sample', {});
    await removeMember(sql, bob.workspace_id, bob.user_id);
    const [sample] = await samples();
    if (deleted === 'by the user') await bob.post('/dashboard/sample/delete', {});
    else await removeSamples(sql, new Date(Date.now() + 15 * 86_400_000));
    expect(await samples(), sample?.workspace_id).toEqual([]);
    expect(await (await bob.get('/dashboard/people')).text(), deleted).toContain(bob.email);
  }
});

test('a user who deletes their only own workspace loses the account, even while their sample data exists', async () => {
  const bob = await setup.member();
  await bob.post('/dashboard/sample', {});
  const mark = { for_workspace: bob.workspace_id };
  await bob.post('/dashboard/workspaces/switch', { workspace_id: bob.workspace_id });
  await bob.post('/dashboard/settings/delete', { ...mark, name: "Ann's workspace" });
  expect(await setup.db.sql`select from auth_users where id = ${bob.user_id}`).toHaveLength(0);
  expect(await removeSamples(setup.db.sql, new Date(Date.now() + 15 * 86_400_000))).toBe(1);
});

test('a sample workspace is deleted after 14 days', async () => {
  await ann.post('/dashboard/sample', {});
  await setup.db.sql`update workspaces set created_at = ${setup.clock.now} where sample`;
  const later = (days: number) => new Date(setup.clock.now.getTime() + days * 86_400_000);
  expect(await removeSamples(setup.db.sql, later(13))).toBe(0);
  expect(await removeSamples(setup.db.sql, later(15))).toBe(1);
  expect(await samples()).toEqual([]);
});
