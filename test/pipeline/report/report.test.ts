import { describe, expect, test } from 'vitest';
import { reportColumns, reportCsv, reportRows } from '../../../pipeline/report/csv.ts';
import type { ReportInput } from '../../../pipeline/report/input.ts';
import { weekStart } from '../../../pipeline/report/period.ts';
import { buildReport } from '../../../pipeline/report/report.ts';
import { item, missed, observed, utc } from './report-data.ts';
import { example } from './report-example.ts';
import { expectedCsvRows, expectedReport } from './report-expected.ts';

const day = (text: string) => utc(`${text}T00:00:00`).getTime();

function reportOf(more: Partial<ReportInput>) {
  return buildReport({ ...example, items: [], observations: [], missed: [], ...more });
}

const daily = (itemId: string, days: string[], count: (index: number) => number) =>
  days.map((on, index) => observed(itemId, `${on}T10:00:00`, { followers: count(index) }));

const week = [9, 10, 11, 12, 13, 14, 15].map((of) => `2026-11-${String(of).padStart(2, '0')}`);

describe('the worked example', () => {
  test('is as by hand, every number of it', () => {
    expect(buildReport(example)).toEqual(expectedReport);
  });

  test('as CSV: one row an item, then the totals row', () => {
    const [heading, ...rows] = reportCsv(buildReport(example)).split('\r\n');
    expect(heading).toBe(reportColumns.join(','));
    expect(rows).toEqual([...expectedCsvRows, '']);
  });

  test('a report that is kept as text and read again gives the same CSV', () => {
    const report = buildReport(example);
    expect(reportCsv(JSON.parse(JSON.stringify(report)))).toBe(reportCsv(report));
  });
});

describe('the start', () => {
  const one = [item({ item_id: 'a' })];

  test('is the last observation at or before the beginning of the period, however long ago within the history', () => {
    const observations = daily('a', ['2026-10-12', '2026-10-20', ...week], (index) => 100 + index);
    const early = { ...example.campaign, starts_on: '2026-10-01' };
    const report = reportOf({ items: one, observations, campaign: early });
    expect(report.items[0]?.metrics.followers).toMatchObject({ start: 101, end: 108, change: 7 });
    expect(report.items[0]?.first_observed_at).toBe(utc('2026-10-20T10:00:00').getTime());
    expect(report.partial_period).toBe(false);
    expect(report.notes).toContain(
      'The start was observed more than a day before the period, so the change covers more: a.',
    );
  });

  test('is the first observation in the period when there is none before, and the period is partial', () => {
    const report = reportOf({ items: one, observations: daily('a', week.slice(2), (index) => 100 + index) });
    expect(report.items[0]?.metrics.followers).toMatchObject({ start: 100, end: 104, change: 4 });
    expect(report.partial_period).toBe(true);
    expect(report.notes).toContain('The change begins at the first observation in the period: a.');
  });

  test('is not taken from beyond the history limit', () => {
    const startOf = (first: string) => {
      const observations = daily('a', [first, ...week.slice(1)], (index) => 100 + index);
      return reportOf({ items: one, observations, history_days: 30 }).items[0]?.metrics.followers?.start;
    };
    expect(startOf('2026-10-17')).toBe(101);
    expect(startOf('2026-10-18')).toBe(100);
  });

  test('an observation at Monday 00:00 is the start of the week that begins, and no part of the one that ends', () => {
    const observations = [
      observed('a', '2026-11-08T00:00:00', { followers: 0 }),
      observed('a', '2026-11-09T00:00:00', { followers: 1 }),
      observed('a', '2026-11-16T00:00:00', { followers: 9 }),
    ];
    expect(reportOf({ items: one, observations }).items[0]?.metrics.followers).toMatchObject({ start: 1, end: 1 });
  });
});

describe('a week without observations', () => {
  test('has no end, no change, no total, and a gap with its cause', () => {
    const items = [item({ item_id: 'a' })];
    const missing = week.map((on) =>
      missed('a', `${on}T10:00:00`, on < '2026-11-12' ? 'SOURCE_UNAVAILABLE' : 'SKIPPED_PAUSED'),
    );
    const report = reportOf({ items, observations: daily('a', ['2026-11-08'], () => 77), missed: missing });
    const nulls = { end: null, change: null, change_percent: null, quality: null };
    expect(report.items[0]?.metrics.followers).toEqual({ start: 77, ...nulls });
    expect(report.items[0]?.metrics.posts).toEqual({ start: null, ...nulls });
    expect(report.items[0]?.gaps).toEqual([
      { from: day('2026-11-09'), to: day('2026-11-12'), cause: 'SOURCE_UNAVAILABLE' },
      { from: day('2026-11-12'), to: day('2026-11-16'), cause: 'SKIPPED_PAUSED' },
    ]);
    expect(report.totals.followers).toEqual({ start: null, ...nulls, items: 0, items_missing: 1 });
    expect(report.coverage).toEqual({ expected_observations: 7, observations: 0, items: 1, items_never_observed: 1 });
    expect(report.series).toEqual([]);
    expect(report.notes).toContain('Not observed in this period: a.');
  });

  test('a day without any attempt is NOT_CHECKED, and a later attempt of the same day tells the cause', () => {
    const missing = [
      missed('a', '2026-11-10T01:00:00', 'SOURCE_TIMEOUT'),
      missed('a', '2026-11-10T22:00:00', 'SOURCE_CAPACITY'),
    ];
    const observations = daily('a', [week[0] as string, ...week.slice(3)], () => 1);
    const report = reportOf({ items: [item({ item_id: 'a' })], observations, missed: missing });
    expect(report.items[0]?.gaps.map(({ cause }) => cause)).toEqual(['SOURCE_CAPACITY', 'NOT_CHECKED']);
  });
});

test('an item added in mid-week is not expected before: its gap says NOT_TRACKED', () => {
  const items = [item({ item_id: 'a', created_at: utc('2026-11-12T15:00:00') })];
  const report = reportOf({ items, observations: daily('a', week.slice(4), () => 5) });
  expect(report.items[0]?.gaps).toEqual([
    { from: day('2026-11-09'), to: day('2026-11-12'), cause: 'NOT_TRACKED' },
    { from: day('2026-11-12'), to: day('2026-11-13'), cause: 'NOT_CHECKED' },
  ]);
  expect(report.coverage).toMatchObject({ expected_observations: 4, observations: 3 });
  expect(report.notes).toContain('Not tracked from the beginning of the period on: a.');
});

describe('what the account hides or the source does not give', () => {
  const hidden = 0b10;

  test('is null with its reason, never 0', () => {
    const observations = week.map((on) => observed('a', `${on}T10:00:00`, { posts: 3 }, { quality: hidden }));
    const report = reportOf({ items: [item({ item_id: 'a' })], observations });
    expect(report.items[0]?.metrics.followers).toMatchObject({ start: null, end: null, quality: 'hidden' });
    expect(report.items[0]?.metrics.following?.quality).toBe('not_exposed');
    expect(report.notes).toContain('Hidden by the account: followers of a.');
    expect(report.notes).toContain('Not given by the source: following of a.');
  });

  test('in some observations only leaves the last known count', () => {
    const observations = [
      ...daily('a', week.slice(0, 5), (index) => 10 + index),
      observed('a', '2026-11-15T10:00:00', {}, { quality: hidden }),
    ];
    const report = reportOf({ items: [item({ item_id: 'a' })], observations });
    expect(report.items[0]?.metrics.followers).toMatchObject({ start: 10, end: 14, quality: 'exact' });
  });
});

test('a change of the source within the period is noted', () => {
  const observations = week.map((on, index) =>
    observed('a', `${on}T10:00:00`, { followers: 10 }, { source: index < 3 ? 'invented-web' : 'invented-api' }),
  );
  const report = reportOf({ items: [item({ item_id: 'a' })], observations });
  expect(report.notes).toContain('Counts come from more than one source, which may count differently: a.');
});

test('views are never added to followers', () => {
  const items = [
    item({ item_id: 'account' }),
    item({ item_id: 'channel', platform: 'longvideo', kind: 'channel' }),
    item({ item_id: 'video', platform: 'longvideo', kind: 'video' }),
  ];
  const observations = week.flatMap((on) => [
    observed('account', `${on}T10:00:00`, { followers: 10 }),
    observed('channel', `${on}T10:00:00`, { followers: 20, total_views: 1_000_000 }),
    observed('video', `${on}T10:00:00`, { views: 5_000 }),
  ]);
  const { totals } = reportOf({ items, observations });
  expect(totals.followers).toMatchObject({ end: 30, items: 2, items_missing: 0 });
  expect(totals.views).toMatchObject({ end: 5_000, items: 1, items_missing: 0 });
  expect(totals.total_views).toMatchObject({ end: 1_000_000, items: 1, items_missing: 0 });
});

test('an engagement rate with an unknown part is null', () => {
  const items = [item({ item_id: 'a', kind: 'post' }), item({ item_id: 'b', kind: 'post' })];
  const observations = week.flatMap((on) => [
    observed('a', `${on}T10:00:00`, { views: 200, likes: 10, comments: 2 }),
    observed('b', `${on}T10:00:00`, { views: 0, likes: 10 }),
  ]);
  const report = reportOf({ items, observations });
  const rate = { name: 'engagement_rate_by_views', formula: '(likes + comments) / views × 100' };
  expect(report.items.map(({ rates }) => rates)).toEqual([[{ ...rate, percent: 6 }], [{ ...rate, percent: null }]]);
  expect(report.by_platform[0]?.rates).toEqual([{ ...rate, percent: 6, items: 1, items_missing: 1 }]);
});

test('a start of 0 has a change but no percentage', () => {
  const observations = daily('a', ['2026-11-08', ...week], (index) => index);
  const report = reportOf({ items: [item({ item_id: 'a' })], observations });
  expect(report.items[0]?.metrics.followers).toMatchObject({ start: 0, end: 7, change: 7, change_percent: null });
});

describe('the running period', () => {
  const running = { final: false, report_id: null, generated_at: utc('2026-11-12T08:00:00').getTime() };

  test('is not final and partial; the day that still runs is no gap', () => {
    const observations = daily('a', ['2026-11-08', ...week.slice(0, 3)], (index) => index + 1);
    const report = reportOf({ ...running, items: [item({ item_id: 'a' })], observations });
    expect(report).toMatchObject({ final: false, report_id: null, partial_period: true });
    expect(report.items[0]?.gaps).toEqual([]);
    expect(report.coverage).toMatchObject({ expected_observations: 3, observations: 3 });
    expect(report.notes[0]).toBe(
      'This period is still running, to the end of 2026-11-15: this is as of 2026-11-12T08:00:00.000Z.',
    );
    expect(report.series[0]?.points).toHaveLength(4);
  });

  test('of a campaign that has not begun says so, in nulls', () => {
    const campaign = { ...example.campaign, starts_on: '2026-12-24' };
    const observations = daily('a', week.slice(0, 3), () => 1);
    const report = reportOf({ ...running, campaign, items: [item({ item_id: 'a' })], observations });
    expect(report.items[0]?.metrics.followers?.end).toBeNull();
    expect(report.coverage).toMatchObject({ expected_observations: 0, observations: 0 });
    expect(report.notes).toContain('The campaign begins on 2026-12-24: there is nothing to report before.');
  });
});

test('only the days of the campaign count', () => {
  const campaign = { ...example.campaign, starts_on: '2026-11-11', ends_on: '2026-11-13' };
  const observations = daily('a', ['2026-11-08', ...week], (index) => index);
  const report = reportOf({ campaign, items: [item({ item_id: 'a' })], observations });
  expect(report.items[0]?.metrics.followers).toMatchObject({ start: 2, end: 5, change: 3 });
  expect(report.coverage.expected_observations).toBe(3);
  expect(report.partial_period).toBe(true);
  expect(report.notes.slice(0, 2)).toEqual([
    'The campaign began on 2026-11-11, within this period: counts are compared from that day on.',
    'The last day of the campaign is 2026-11-13: later days are not in this report.',
  ]);
});

test('a campaign without items is a report without numbers', () => {
  const report = reportOf({});
  expect(report).toMatchObject({ totals: {}, by_platform: [], items: [], series: [] });
  expect(report.coverage).toEqual({ expected_observations: 0, observations: 0, items: 0, items_never_observed: 0 });
  expect(report.notes).toEqual(['No items are attached to this campaign.']);
  expect(reportRows(report)).toHaveLength(1);
});

test('a text that a spreadsheet would take for a formula is escaped, a negative number is not', () => {
  const items = [item({ item_id: 'a', name: '=cmd()', url: '@x' })];
  const observations = daily('a', ['2026-11-08', ...week], (index) => 100 - index);
  const row = reportCsv(reportOf({ items, observations })).split('\r\n')[1];
  expect(row).toContain(",'=cmd(),'@x,");
  expect(row).toContain(',100,93,-7,-7,exact,0,');
});

test.each([
  ['2026-11-16T00:00:00', '2026-11-16'],
  ['2026-11-15T23:59:59.999', '2026-11-09'],
  ['2027-01-01T12:00:00', '2026-12-28'],
  ['1970-01-01T00:00:00', '1969-12-29'],
])('weeks begin on Monday 00:00 UTC: %s is in that of %s', (moment, monday) => {
  expect(weekStart(utc(moment).getTime())).toBe(day(monday));
});
