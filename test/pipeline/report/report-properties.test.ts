import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CampaignItem } from '../../../db/campaigns/reports.ts';
import type { Observed } from '../../../db/observations/observed.ts';
import { metrics } from '../../../db/schema/metrics.ts';
import { reportColumns, reportRows } from '../../../pipeline/report/csv.ts';
import type { ReportInput } from '../../../pipeline/report/input.ts';
import { buildReport, type Report } from '../../../pipeline/report/report.ts';
import { item, utc } from './report-data.ts';

const dayMs = 86_400_000;
const periodStart = utc('2026-11-09T00:00:00').getTime();
const kinds = [
  ['photo', 'profile'],
  ['photo', 'post'],
  ['shortvideo', 'profile'],
  ['shortvideo', 'video'],
  ['longvideo', 'channel'],
  ['longvideo', 'video'],
] as const;

const moment = fc.integer({ min: -40 * 24, max: 8 * 24 }).map((hours) => new Date(periodStart + hours * 3_600_000));
const count = fc.option(fc.oneof(fc.nat(20), fc.nat(2_000_000_000)), { freq: 3 });
const bits = fc.nat(2 ** 18 - 1);

function observationsOf(itemId: string): fc.Arbitrary<Observed[]> {
  const one = fc.record({
    observed_at: moment,
    quality: bits,
    source: fc.constantFrom('invented-web', 'invented-api'),
    ...(Object.fromEntries(metrics.map((metric) => [metric, count])) as Record<(typeof metrics)[number], typeof count>),
  });
  const list = fc.uniqueArray(one, { maxLength: 12, selector: ({ observed_at }) => observed_at.getTime() });
  return list.map((rows) => rows.map((row) => ({ item_id: itemId, ...row })));
}

function historyOf(itemId: string) {
  const tracked = fc.record({
    kind: fc.constantFrom(...kinds),
    identity_changed: fc.boolean(),
    created_at: moment,
    name: fc.option(fc.string()),
    status: fc.constantFrom('active' as const, 'paused' as const),
  });
  const missing = fc.record({ attempted_at: moment, outcome: fc.constantFrom('SOURCE_TIMEOUT', 'SKIPPED_PAUSED') });
  return fc.record({
    item: tracked.map(({ kind: [platform, kind], ...rest }) => item({ ...rest, item_id: itemId, platform, kind })),
    observations: observationsOf(itemId),
    missed: fc.array(missing, { maxLength: 5 }).map((rows) => rows.map((row) => ({ item_id: itemId, ...row }))),
  });
}

const input: fc.Arbitrary<ReportInput> = fc
  .record({
    histories: fc.nat(5).chain((items) => fc.tuple(...Array.from({ length: items }, (_, n) => historyOf(`item-${n}`)))),
    starts_on: fc.constantFrom('2026-10-01', '2026-11-09', '2026-11-12'),
    ends_on: fc.constantFrom(null, '2026-11-13', '2026-12-31'),
    generated_at: fc.constantFrom(utc('2026-11-12T13:00:00'), utc('2026-11-16T01:05:00'), utc('2026-11-20T00:00:00')),
    history_days: fc.constantFrom(7, 30, 90, 365),
  })
  .map(({ histories, starts_on, ends_on, generated_at, history_days }) => ({
    report_id: null,
    final: false,
    campaign: { campaign_id: 'c', name: 'c', status: 'active', report_name: null, starts_on, ends_on },
    period_start: periodStart,
    generated_at: generated_at.getTime(),
    history_days,
    items: histories.map((history) => history.item),
    observations: histories.flatMap((history) => history.observations),
    missed: histories.flatMap((history) => history.missed),
  }));

function holds(property: (report: Report, of: ReportInput) => void): void {
  fc.assert(fc.property(input, (of) => property(buildReport(of), of)));
}

const isAccount = ({ kind }: Pick<CampaignItem, 'kind'>) => kind === 'profile' || kind === 'channel';

describe('a report of any observations', () => {
  test('the totals of any report are the sums of the items with a known start and end', () => {
    holds(({ totals, items }) => {
      for (const metric of metrics) {
        const withPosts = metric === 'likes' && items.some((one) => !isAccount(one) && one.metrics.likes);
        const having = items.filter((one) => one.metrics[metric] && !(withPosts && isAccount(one)));
        const known = having.flatMap(({ status, metrics: { [metric]: value } }) =>
          status !== 'identity_changed' && value && value.start !== null && value.end !== null ? [value] : [],
        );
        const sum = (end: 'start' | 'end') =>
          known.length === 0 ? null : known.reduce((total, value) => total + (value[end] as number), 0);
        expect(totals[metric]?.start ?? null).toBe(sum('start'));
        expect(totals[metric]?.end ?? null).toBe(sum('end'));
        expect(totals[metric]?.items ?? 0).toBe(known.length);
        expect(totals[metric]?.items_missing ?? 0).toBe(having.length - known.length);
      }
    });
  });

  test('a report has only counts that were observed of the item, within the history limit and before the end', () => {
    holds(({ items, period_end, generated_at, history_days }, { observations }) => {
      const limit = Math.min(period_end, generated_at);
      for (const { item_id, metrics: values } of items) {
        const own = observations.filter(
          ({ item_id: id, observed_at }) =>
            id === item_id && +observed_at < limit && +observed_at >= generated_at - history_days * dayMs,
        );
        for (const metric of metrics) {
          const seen = own.map((one) => one[metric]);
          for (const end of ['start', 'end'] as const) expect([null, ...seen]).toContain(values[metric]?.[end] ?? null);
        }
      }
    });
  });

  test('a report does not depend on the order of items, observations and checks', () => {
    const shuffled = input.chain((of) =>
      fc.record({
        of: fc.constant(of),
        items: fc.shuffledSubarray([...of.items], { minLength: of.items.length }),
        observations: fc.shuffledSubarray([...of.observations], { minLength: of.observations.length }),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ of, items, observations }) => {
        expect(JSON.stringify(buildReport({ ...of, items, observations }))).toBe(JSON.stringify(buildReport(of)));
      }),
    );
  });

  test('every full day of an item in a report is either observed or in one gap, and coverage counts both', () => {
    holds(({ items, coverage }) => {
      let gapDays = 0;
      for (const { gaps } of items) {
        gaps.forEach(({ from, to }, index) => {
          expect(from).toBeGreaterThanOrEqual(gaps[index - 1]?.to ?? periodStart);
          expect(to).toBeGreaterThan(from);
        });
        gapDays += gaps
          .filter(({ cause }) => cause !== 'NOT_TRACKED')
          .reduce((sum, { from, to }) => sum + (to - from), 0);
      }
      expect(coverage.expected_observations - coverage.observations).toBe(gapDays / dayMs);
    });
  });

  test('the last week in the series of a report equals the end of the total, with null where an item is missing', () => {
    holds(({ by_platform, series }) => {
      for (const { platform, metric, step, points } of series) {
        const total = by_platform.find((one) => one.platform === platform)?.totals[metric];
        if (step === 'week') expect(points.at(-1)?.value).toBe(total?.end);
        for (const point of points) expect(point.value === null).toBe(point.items_missing > 0);
      }
    });
  });

  test('a report is the same after it was stored as JSON and read again, and its CSV rows have all columns', () => {
    holds((report) => {
      expect(JSON.parse(JSON.stringify(report))).toEqual(report);
      const rows = reportRows(report);
      expect(rows).toHaveLength(report.items.length + 1);
      for (const row of rows) expect(row).toHaveLength(reportColumns.length);
    });
  });

  test('the cells of each column items_missing of a CSV report add up to its totals row', () => {
    holds((report) => {
      const rows = reportRows(report);
      for (const metric of metrics) {
        const column = reportColumns.indexOf(`${metric}_items_missing`);
        const cells = rows.map((row) => Number(row[column] ?? 0));
        expect(cells.slice(0, -1).reduce((sum, cell) => sum + cell, 0)).toBe(cells.at(-1));
      }
    });
  });
});
