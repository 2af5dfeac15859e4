import { beforeEach, describe, expect, test } from 'vitest';
import { freezeReport } from '../../db/campaigns/reports.ts';
import { newId } from '../../db/ids.ts';
import { createCampaign } from '../../pipeline/campaigns/campaigns.ts';
import { buildReport } from '../../pipeline/report/report.ts';
import { reportParameters } from '../../server/workflows/campaigns.ts';
import { utc } from '../pipeline/report/report-data.ts';
import { example } from '../pipeline/report/report-example.ts';
import { expectedReport } from '../pipeline/report/report-expected.ts';
import { rowsOf, type Setting, setUpExcel } from './excel-setup.ts';

const setup = setUpExcel();
const dayMs = 86_400_000;

describe('the Excel template campaign-report.pq', () => {
  let campaignId: string;
  let reportId: string;

  beforeEach(async () => {
    const owner = { workspace_id: setup.keys.workspace_id, tier: 'pro_max' as const, now: setup.service.clock.now };
    const params = { name: 'Autumn', starts_on: '2026-11-02', ends_on: null, item_ids: [] };
    campaignId = await createCampaign(setup.service.db.sql, owner, params);
    reportId = newId();
    const periodStart = utc('2026-11-09T00:00:00');
    await freezeReport(setup.service.db.sql, {
      workspace_id: setup.keys.workspace_id,
      campaign_id: campaignId,
      report_id: reportId,
      period_start: periodStart,
      period_end: new Date(periodStart.getTime() + 7 * dayMs),
      body: JSON.stringify(buildReport(example)),
    });
  });

  const askReport = (settings: Record<string, string> = {}, more: Setting = {}) =>
    setup.run('campaign-report.pq', { settings: { Campaign: campaignId, ...settings }, ...more });

  test('the Excel report has a row for each item with every count, unknown values as null and times in UTC', async () => {
    const rows = rowsOf(await askReport());
    expect(rows).toHaveLength(expectedReport.items.length);
    expectedReport.items.forEach((item, index) => {
      const row = rows[index];
      expect(row).toMatchObject({ status: 'OK', final: true, item_id: item.item_id, item_status: item.status });
      expect(row?.['period_start (UTC)']).toEqual(new Date(expectedReport.period_start));
      expect(row?.gaps).toBe(item.gaps.length);
      for (const [metric, { start, end, change, change_percent, quality }] of Object.entries(item.metrics)) {
        const cells = ['start', 'end', 'change', 'change_percent', 'quality'].map((part) => row?.[`${metric}_${part}`]);
        expect(cells).toEqual([start, end, change, change_percent, quality]);
      }
      expect(row?.total_views_end).toBe(null);
    });
  });

  test('the Excel report says when a workspace has no campaign yet', async () => {
    const { live_key } = await setup.service.workspace(10, 'pro_max');
    expect(rowsOf(await askReport({ Campaign: 'Autumn' }, { key: live_key }))).toMatchObject([
      { status: 'CAMPAIGN_NOT_FOUND', message: 'The workspace of this key has no campaign yet.' },
    ]);
  });

  test('the Excel report finds a campaign by its name in any case, and lists the names when none matches', async () => {
    const [row] = rowsOf(await askReport({ Campaign: ' autumn' }));
    expect(row).toMatchObject({ status: 'OK', campaign: expectedReport.campaign.name });
    const [missing, ...more] = rowsOf(await askReport({ Campaign: 'Winter' }));
    expect(more).toEqual([]);
    expect(missing).toMatchObject({
      status: 'CAMPAIGN_NOT_FOUND',
      message: 'There is no campaign of this name. The campaigns are: Autumn.',
    });
    const owner = { workspace_id: setup.keys.workspace_id, tier: 'pro_max' as const, now: setup.service.clock.now };
    await createCampaign(setup.service.db.sql, owner, {
      name: 'AUTUMN',
      starts_on: '2026-11-02',
      ends_on: null,
      item_ids: [],
    });
    expect(rowsOf(await askReport({ Campaign: 'Autumn' }))[0]).toMatchObject({ status: 'CAMPAIGN_NAME_NOT_UNIQUE' });
    const unreachable = { web: async () => ({ status: 502, text: '' }) };
    expect(rowsOf(await askReport({ Campaign: 'Autumn' }, unreachable))[0]).toMatchObject({
      status: 'SERVER_UNREACHABLE',
    });
    expect(rowsOf(await askReport({}, { key: '' }))[0]).toMatchObject({ status: 'API_KEY_NOT_SET' });
  });

  test('the Excel report has the totals, the series of every metric and the notes as sections', async () => {
    const totals = rowsOf(await askReport({ Section: 'totals' }));
    expect(totals.map(({ metric, end, items_missing }) => [metric, end, items_missing])).toEqual(
      Object.entries(expectedReport.totals).map(([metric, total]) => [metric, total.end, total.items_missing]),
    );
    const points = rowsOf(await askReport({ Section: 'series' }));
    const expected = expectedReport.series.flatMap((series) =>
      series.points.map(({ at, value }) => [series.metric, series.step, new Date(at), value]),
    );
    expect(points.map((row) => [row.metric, row.step, row['at (UTC)'], row.value])).toEqual(expected);
    const notes = rowsOf(await askReport({ Section: 'notes' }));
    expect(notes.map(({ note }) => note)).toEqual(expectedReport.notes);
  });

  test('the Excel report sends only known parameters, with and without a report id', async () => {
    await askReport();
    await askReport({ ReportId: reportId });
    expect(setup.requested.map(({ pathname }) => pathname)).toEqual(Array(2).fill('/v1/workflows/campaign-report'));
    expect(setup.requested.map(({ searchParams }) => [...searchParams.keys()])).toEqual([['id'], ['id', 'report_id']]);
    expect(Object.keys(reportParameters)).toEqual(expect.arrayContaining(['id', 'report_id']));
  });

  test('the Excel report handles a campaign without items, an unknown report and a failed request', async () => {
    const owner = { workspace_id: setup.keys.workspace_id, tier: 'pro_max' as const, now: setup.service.clock.now };
    const params = { name: 'Empty', starts_on: '2026-11-02', ends_on: null, item_ids: [] };
    const empty = await createCampaign(setup.service.db.sql, owner, params);
    expect((await askReport({ Campaign: empty })).rows).toEqual([]);
    const [missing, ...more] = rowsOf(await askReport({ ReportId: newId() }));
    expect(more).toEqual([]);
    expect(missing).toMatchObject({
      status: 'RESOURCE_NOT_FOUND',
      message: expect.stringContaining('no such campaign'),
    });
    expect(rowsOf(await askReport({ Section: 'nothing' }))[0]).toMatchObject({ status: 'INVALID_INPUT' });
    expect(rowsOf(await askReport({}, { web: async () => ({ status: 502, text: '' }) }))[0]).toMatchObject({
      status: 'SERVER_UNREACHABLE',
    });
  });
});
