import { afterAll, beforeAll, expect, test } from 'vitest';
import { attachItems } from '../../../db/campaigns/campaigns.ts';
import { currentReport } from '../../../pipeline/report/load.ts';
import { createReportReader } from '../../../server/dashboard/reports/source.ts';
import { keepItem, keepObservations, observed } from '../../pipeline/report/report-data.ts';
import { freezeWeek, keepCampaign } from '../campaigns/campaign-workspace.ts';
import { createDashboardSetup, type DashboardSetup } from '../dashboard-server.ts';

let setup: DashboardSetup;
beforeAll(async () => {
  setup = await createDashboardSetup();
});
afterAll(() => setup.close());

test('a report that reuses past observations has the numbers of one that reads everything, after a check and with a new item', async () => {
  const { sql } = setup.db;
  const member = await setup.member({ tier: 'ultra' });
  const { workspace_id } = member;
  const { campaign_id, item_ids } = await keepCampaign(setup, member);
  const query = { workspace_id, campaign_id, tier: 'ultra' as const };
  const now = () => new Date('2026-11-28T10:00:00Z');
  const read = createReportReader({ db: setup.db, now });
  const both = async () => {
    const kept = await read({ ...query, report_id: null });
    const fresh = await currentReport(sql, { ...query, now: now() });
    expect(kept).toEqual(fresh);
    return kept;
  };
  const before = await both();
  await keepObservations(sql, workspace_id, [observed(item_ids[1] ?? '', '2026-11-24T10:00:00', { views: 9_000_000 })]);
  const checked = await both();
  expect(checked?.totals).not.toEqual(before?.totals);
  const added = await keepItem(sql, workspace_id, { kind: 'post' });
  const dates = ['2026-11-03', '2026-11-05', '2026-11-12', '2026-11-24'];
  await keepObservations(
    sql,
    workspace_id,
    dates.map((date, index) => observed(added, `${date}T10:00:00`, { views: index })),
  );
  await attachItems(sql, workspace_id, campaign_id, [added]);
  expect((await both())?.items).toHaveLength(item_ids.length + 1);
});

test('a check of the last week that is stored in the first hour of the new week is in the report', async () => {
  const { sql } = setup.db;
  const member = await setup.member({ tier: 'ultra' });
  const { workspace_id } = member;
  const { campaign_id, item_ids } = await keepCampaign(setup, member);
  const query = { workspace_id, campaign_id, tier: 'ultra' as const };
  const clock = { now: new Date('2026-11-23T00:20:00Z') };
  const read = createReportReader({ db: setup.db, now: () => clock.now });
  const early = await read({ ...query, report_id: null });
  await keepObservations(sql, workspace_id, [observed(item_ids[1] ?? '', '2026-11-22T23:59:00', { views: 9_000_000 })]);
  clock.now = new Date('2026-11-23T00:40:00Z');
  const late = await read({ ...query, report_id: null });
  expect(late?.items).not.toEqual(early?.items);
  for (const at of ['2026-11-23T00:40:00Z', '2026-11-23T01:00:00Z', '2026-11-23T09:00:00Z']) {
    clock.now = new Date(at);
    await keepObservations(sql, workspace_id, [observed(item_ids[1] ?? '', at.slice(0, 19), { views: 9_000_100 })]);
    expect(await read({ ...query, report_id: null })).toEqual(await currentReport(sql, { ...query, now: clock.now }));
  }
});

test('the current report of a campaign that has ended is the final report of its last week, as soon as it is stored', async () => {
  const { sql } = setup.db;
  const member = await setup.member({ tier: 'ultra' });
  const { workspace_id } = member;
  const { campaign_id, item_ids } = await keepCampaign(setup, member);
  await sql`update campaigns set status = 'ended', ends_on = '2026-11-12' where campaign_id = ${campaign_id}`;
  const read = createReportReader({ db: setup.db, now: () => setup.clock.now });
  const running = { workspace_id, campaign_id, tier: 'ultra' as const, report_id: null };
  expect(await read(running)).toMatchObject({ final: false, report_id: null });
  const reportId = await freezeWeek(setup, member, campaign_id);
  const final = await read({ ...running, report_id: reportId });
  await keepObservations(sql, workspace_id, [observed(item_ids[1] ?? '', '2026-11-12T23:59:00', { views: 9_000_000 })]);
  expect(await read(running)).toEqual(final);
  expect(await currentReport(sql, { ...running, now: setup.clock.now })).toEqual(final);
  const page = await (await member.get(`/dashboard/campaigns/${campaign_id}/reports/running`)).text();
  expect(page).toContain('finished week');
  expect(page).not.toContain('not ready yet');
});
