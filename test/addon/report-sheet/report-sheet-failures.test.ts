import { expect, test } from 'vitest';
import { newId } from '../../../db/ids.ts';
import { keepItem, keepObservations, observed } from '../../pipeline/report/report-data.ts';
import { ask, exampleReport, setUpReport } from './report-workspace.ts';

const setup = setUpReport();

test('a report sheet of the current week says that it is not final until a week has ended', async () => {
  const own = await setup.campaign('Not done yet');
  const itemId = await keepItem(setup.sql, own.workspace_id, { name: '=1+1' });
  await setup.sql`insert into campaign_items (workspace_id, campaign_id, item_id)
    values (${own.workspace_id}, ${own.campaign_id}, ${itemId})`;
  await setup.sql`update campaigns set starts_on = '2020-01-01' where campaign_id = ${own.campaign_id}`;
  const now = new Date().toISOString().slice(0, 19);
  await keepObservations(setup.sql, own.workspace_id, [observed(itemId, now, { followers: 100 })]);
  const file = await setup.open(own.live_key);
  const running = ask(file, 'sidebarInsertReport', own.campaign_id, null);
  expect(running).toMatchObject({ ok: true, message: expect.stringContaining('so far, which is not final, 1 item.') });
  expect(String(file.values('A2', running.sheet)[0]?.[0])).toContain('so far, not final');
  await setup.finish(own, exampleReport());
  const finished = ask(file, 'sidebarInsertReport', own.campaign_id, null);
  expect(finished.message).toContain('the finished week from 2026-11-09');
  expect(file.sheetState(running.sheet).charts.length).toBe(3);
});

test('the campaign picker of the sidebar lists the campaigns by name, newest first', async () => {
  const own = await setup.campaign('=Spring');
  const file = await setup.open(own.live_key);
  expect(ask(file, 'sidebarCampaigns')).toEqual({
    ok: true,
    campaigns: [{ id: own.campaign_id, name: '=Spring', status: 'active' }],
  });
});

test('a key without permission, an unknown campaign or report, and a missing key give an error message and no report sheet', async () => {
  const own = await setup.campaign();
  const air = await setup.campaign('Free', 'air');
  const file = await setup.open(null);
  const messageOf = (key: string | null, campaignId: unknown, reportId: unknown = null): string => {
    if (key !== null) file.world().properties.users['owner@example.com'] = { api_key: key };
    const reply = ask(file, 'sidebarInsertReport', campaignId, reportId);
    expect(reply.ok).toBe(false);
    return reply.message;
  };
  expect(messageOf(null, own.campaign_id)).toContain('No key is connected');
  expect(messageOf(own.test_key, own.campaign_id)).toContain('Connect a production key');
  expect(messageOf(air.live_key, air.campaign_id)).toContain('tier Pro or higher');
  expect(messageOf(own.live_key, air.campaign_id)).toContain('no such campaign');
  expect(messageOf(own.live_key, own.campaign_id, newId())).toContain('with a finished report of that ID');
  for (const wrong of ['', 'x', null, undefined, 5, `${own.campaign_id}&id=1`]) {
    expect(messageOf(own.live_key, wrong)).toBe('Choose a campaign.');
  }
  expect(messageOf(own.live_key, own.campaign_id, 'x')).toBe('Choose a report from the list.');
  await setup.sql`update api_keys set revoked_at = now() where workspace_id = ${own.workspace_id}`;
  expect(messageOf(own.live_key, own.campaign_id)).toContain('does not know this key');
  expect(ask(file, 'sidebarCampaigns')).toMatchObject({ ok: false, message: expect.stringContaining('revoked') });
  expect(file.world().sheets.map(({ name }) => name)).toEqual(['Sheet1']);
  expect(file.world().properties.document).toEqual({});
});

test('a report is not written while another user writes to the file, and can be written afterwards', async () => {
  const own = await setup.campaign();
  await setup.finish(own, exampleReport());
  const file = await setup.open(own.live_key);
  file.holdLock(60_000);
  expect(ask(file, 'sidebarInsertReport', own.campaign_id, null)).toEqual({
    ok: false,
    message: 'Another user or window is writing to this file. Try again in a minute.',
  });
  expect(file.world().sheets).toHaveLength(1);
  file.pass(60_000);
  expect(ask(file, 'sidebarInsertReport', own.campaign_id, null).ok).toBe(true);
});

test('inserting a report costs 0 credits', async () => {
  const own = await setup.campaign();
  await setup.finish(own, exampleReport());
  const file = await setup.open(own.live_key);
  const { message } = ask(file, 'sidebarInsertReport', own.campaign_id, null);
  expect(message).toContain('It cost 0 credits.');
  const [row] = await setup.sql`select balance from credit_balances where workspace_id = ${own.workspace_id}`;
  expect(Number(row?.balance)).toBe(10);
});
