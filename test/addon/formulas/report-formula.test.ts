import { expect, test } from 'vitest';
import type { SpreadsheetFile } from '../harness/file.ts';
import { exampleReport, setUpReport } from '../report-sheet/report-workspace.ts';

const setup = setUpReport();
const name = '=Autumn at sea';

type Line = Record<string, unknown>;

/**
 * Returns the rows of a report section, without the heading row. Each row is an object whose keys are the column
 * headings.
 */
function section(file: SpreadsheetFile, of: string, campaign = name): Line[] {
  const [headings = [], ...rows] = file.cell('SOCIAL_REPORT', [campaign, of]) as unknown[][];
  return rows.map((row) => Object.fromEntries(row.map((cell, index) => [String(headings[index]), cell])));
}

const shown = (value: unknown) => value ?? '';

test('every section of SOCIAL_REPORT shows the report of the server, with unknown values as empty cells', async () => {
  const own = await setup.campaign(name);
  const report = exampleReport(0, name);
  const reportId = await setup.finish(own, report);
  const file = await setup.open(own.live_key);

  const totals = section(file, 'totals');
  expect(totals).toHaveLength(Object.keys(report.totals).length);
  for (const [metric, total] of Object.entries(report.totals)) {
    const values = Object.fromEntries(Object.entries(total).map(([column, value]) => [column, shown(value)]));
    expect(totals).toContainEqual({ status: 'OK', metric, ...values });
  }

  const items = section(file, 'items');
  expect(items.map(({ item_id }) => item_id)).toEqual(report.items.map(({ item_id }) => item_id));
  report.items.forEach((item, index) => {
    expect(items[index]).toMatchObject({ name: shown(item.name), url: item.url, item_status: item.status });
    for (const [metric, { start, end, quality }] of Object.entries(item.metrics)) {
      const cells = [`${metric}_start`, `${metric}_end`, `${metric}_quality`].map((column) => items[index]?.[column]);
      expect(cells).toEqual([start, end, quality].map(shown));
    }
    expect(items[index]?.engagement_rate_by_views_percent).toBe(shown(item.rates[0]?.percent));
    expect(String(items[index]?.gaps).split('; ').filter(Boolean)).toHaveLength(item.gaps.length);
  });

  const points = report.series.flatMap(({ platform, metric, step, points: of }) =>
    of.map(({ at, value }) => [platform, metric, step, new Date(at).toISOString().slice(0, 10), shown(value)]),
  );
  const series = section(file, 'series');
  expect(
    series.map((line) => ['platform', 'metric', 'step', 'at (UTC)', 'value'].map((column) => line[column])),
  ).toEqual(points);

  const notes = section(file, 'notes');
  expect(notes.map(({ kind, text }) => [kind, text])).toEqual([
    ...report.notes.map((note) => ['note', note]),
    ['method', report.method],
  ]);
  expect(section(file, 'coverage')).toMatchObject([
    {
      status: 'OK',
      report_id: reportId,
      final: report.final,
      partial_period: report.partial_period,
      ...report.coverage,
    },
  ]);
});

test('SOCIAL_REPORT says in the status column why another workspace, a free tier or a development key gets no report', async () => {
  const own = await setup.campaign(name);
  const free = await setup.campaign(name, 'air');
  const stranger = await setup.campaign('Other');
  const code = async (key: string, campaign: string) => section(await setup.open(key), 'totals', campaign)[0]?.status;
  expect(await code(stranger.live_key, own.campaign_id)).toBe('RESOURCE_NOT_FOUND');
  expect(await code(stranger.live_key, name)).toBe('CAMPAIGN_NOT_FOUND');
  expect(await code(free.live_key, free.campaign_id)).toBe('PAID_ACCESS_REQUIRED');
  expect(await code(own.test_key, own.campaign_id)).toBe('PRODUCTION_KEY_REQUIRED');
});
