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

describe('the worked example of a report', () => {
  test('the worked example of a report has every number as computed by hand', () => {
    expect(buildReport(example)).toEqual(expectedReport);
  });

  test('the worked example of a report is written to CSV as one row per item and then the totals row', () => {
    const [heading, ...rows] = reportCsv(buildReport(example)).split('\r\n');
    expect(heading).toBe(reportColumns.join(','));
    expect(rows).toEqual([...expectedCsvRows, '']);
  });

  test('the worked example of a report gives the same CSV after it was stored as JSON and read again', () => {
    const report = buildReport(example);
    expect(reportCsv(JSON.parse(JSON.stringify(report)))).toBe(reportCsv(report));
  });
});

describe('the start value of a metric in a report', () => {
  const one = [item({ item_id: 'a' })];

  test('the start value is the last observation at or before the beginning of the period, of any age within the history', () => {
    const observations = daily('a', ['2026-10-12', '2026-10-20', ...week], (index) => 100 + index);
    const early = { ...example.campaign, starts_on: '2026-10-01' };
    const report = reportOf({ items: one, observations, campaign: early });
    expect(report.items[0]?.metrics.followers).toMatchObject({ start: 101, end: 108, change: 7 });
    expect(report.items[0]?.first_observed_at).toBe(utc('2026-10-20T10:00:00').getTime());
    expect(report.partial_period).toBe(false);
    expect(report.notes).toContain(
      'The start number is from more than a day before the period, so the change covers more than the period: a.',
    );
  });

  test('a metric that is first known in the period makes the report partial, even when other metrics are known before', () => {
    const [before, inside] = daily('a', ['2026-11-08', '2026-11-12'], () => 100);
    const observations = [before, { ...inside, posts: 7 }] as ReportInput['observations'];
    const report = reportOf({ items: one, observations });
    expect(report.items[0]?.metrics).toMatchObject({ followers: { change: 0 }, posts: { start: 7, change: 0 } });
    expect(report.partial_period).toBe(true);
    expect(report.notes).toContain(
      'A number is not known from before this week, so its change starts at the check that first found it: a.',
    );
  });

  test('an old start value without a value in the period has no note about its change, which is unknown', () => {
    const report = reportOf({ items: one, observations: daily('a', ['2026-11-02'], () => 100) });
    expect(report.items[0]?.metrics.followers).toMatchObject({ start: 100, end: null, change: null });
    expect(report.notes.join()).not.toContain('so the change covers more');
  });

  test('the start value is the first observation in the period when no earlier one exists, and the report is partial', () => {
    const report = reportOf({ items: one, observations: daily('a', week.slice(2), (index) => 100 + index) });
    expect(report.items[0]?.metrics.followers).toMatchObject({ start: 100, end: 104, change: 4 });
    expect(report.partial_period).toBe(true);
    expect(report.notes).toContain(
      'A number is not known from before this week, so its change starts at the check that first found it: a.',
    );
  });

  test('the start value is not taken from beyond the history limit', () => {
    const startOf = (first: string) => {
      const observations = daily('a', [first, ...week.slice(1)], (index) => 100 + index);
      return reportOf({ items: one, observations, history_days: 30 }).items[0]?.metrics.followers?.start;
    };
    expect(startOf('2026-10-17')).toBe(101);
    expect(startOf('2026-10-18')).toBe(100);
  });

  test('the start value of a new week is an observation at Monday 00:00, which is not part of the week before', () => {
    const observations = [
      observed('a', '2026-11-08T00:00:00', { followers: 0 }),
      observed('a', '2026-11-09T00:00:00', { followers: 1 }),
      observed('a', '2026-11-16T00:00:00', { followers: 9 }),
    ];
    expect(reportOf({ items: one, observations }).items[0]?.metrics.followers).toMatchObject({ start: 1, end: 1 });
  });
});

describe('the report of a week without observations', () => {
  test('a week without observations has no end, no change and no total, but gaps with their causes', () => {
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
    expect(report.notes).toContain('No number in this week: a.');
  });

  test('a report names the posts that were not found or restricted at the end of the week', () => {
    const items = ['gone', 'closed', 'back', 'never'].map((name) => item({ item_id: name }));
    const end = week.slice(5);
    const report = reportOf({
      items,
      observations: [
        ...daily('gone', week.slice(0, 5), () => 7),
        ...daily('closed', week.slice(0, 5), () => 8),
        ...daily('back', [...week.slice(0, 5), week[6] as string], () => 9),
      ],
      missed: [
        ...end.map((on) => missed('gone', `${on}T10:00:00`, 'RESOURCE_NOT_FOUND')),
        ...end.map((on) => missed('closed', `${on}T10:00:00`, 'SOURCE_RESTRICTED')),
        missed('back', `${week[5]}T10:00:00`, 'RESOURCE_NOT_FOUND'),
        ...week.map((on) => missed('never', `${on}T10:00:00`, 'RESOURCE_NOT_FOUND')),
      ],
    });
    expect(report.notes).toContain(
      'Not found at the last check (deleted or renamed?), so the last known numbers are from before: gone (since 2026-11-14).',
    );
    expect(report.notes).toContain(
      'Not public at the last check (private or restricted?), so the last known numbers are from before: closed (since 2026-11-14).',
    );
    expect(report.notes.filter((note) => note.includes('so the last known numbers'))).toHaveLength(2);
    expect(report.notes).toContain('No number in this week: never.');
  });

  test('a gap has the cause NOT_CHECKED on a day without attempts, and otherwise the outcome of the last attempt of the day', () => {
    const missing = [
      missed('a', '2026-11-10T01:00:00', 'SOURCE_TIMEOUT'),
      missed('a', '2026-11-10T22:00:00', 'SOURCE_CAPACITY'),
    ];
    const observations = daily('a', [week[0] as string, ...week.slice(3)], () => 1);
    const report = reportOf({ items: [item({ item_id: 'a' })], observations, missed: missing });
    expect(report.items[0]?.gaps.map(({ cause }) => cause)).toEqual(['SOURCE_CAPACITY', 'NOT_CHECKED']);
  });
});

test('an item that was added in mid-week has a NOT_TRACKED gap before, which coverage does not count', () => {
  const items = [item({ item_id: 'a', created_at: utc('2026-11-12T15:00:00') })];
  const report = reportOf({ items, observations: daily('a', week.slice(4), () => 5) });
  expect(report.items[0]?.gaps).toEqual([
    { from: day('2026-11-09'), to: day('2026-11-12'), cause: 'NOT_TRACKED' },
    { from: day('2026-11-12'), to: day('2026-11-13'), cause: 'NOT_CHECKED' },
  ]);
  expect(report.coverage).toMatchObject({ expected_observations: 4, observations: 3 });
  expect(report.notes).toContain('Added after the start of this week, so earlier days have no numbers: a.');
});

describe('a count that the account hides or the platform does not show', () => {
  const hidden = 0b10;

  test('a count that the account hides or the platform does not show is null with its reason, never 0', () => {
    const observations = week.map((on) => observed('a', `${on}T10:00:00`, { posts: 3 }, { quality: hidden }));
    const report = reportOf({ items: [item({ item_id: 'a' })], observations });
    expect(report.items[0]?.metrics.followers).toMatchObject({ start: null, end: null, quality: 'hidden' });
    expect(report.items[0]?.metrics.following?.quality).toBe('not_exposed');
    expect(report.notes).toContain('Hidden by the account: followers of a.');
    expect(report.notes).toContain('Not shown by the platform: following of a.');
  });

  test('a count that only some observations lack keeps its last known value', () => {
    const observations = [
      ...daily('a', week.slice(0, 5), (index) => 10 + index),
      observed('a', '2026-11-15T10:00:00', {}, { quality: hidden }),
    ];
    const report = reportOf({ items: [item({ item_id: 'a' })], observations });
    expect(report.items[0]?.metrics.followers).toMatchObject({ start: 10, end: 14, quality: 'exact' });
  });
});

test('a note of a report says how many items a total does not count because their number is unknown', () => {
  const items = ['a', 'b', 'c'].map((itemId) => item({ item_id: itemId }));
  const report = (known: string[]) =>
    reportOf({ items, observations: known.flatMap((itemId) => daily(itemId, week, (index) => 10 + index)) });
  expect(report(['a', 'b']).notes).toContain(
    'Followers: 1 of the 3 accounts and posts that have followers is not counted because its number is unknown.',
  );
  expect(report(['a']).notes).toContain(
    'Followers: 2 of the 3 accounts and posts that have followers are not counted because their number is unknown.',
  );
  expect(report(['a', 'b', 'c']).notes.join()).not.toContain('Followers:');
});

test('a change of the source within the period is noted in the report', () => {
  const observations = week.map((on, index) =>
    observed('a', `${on}T10:00:00`, { followers: 10 }, { source: index < 3 ? 'invented-web' : 'invented-api' }),
  );
  const report = reportOf({ items: [item({ item_id: 'a' })], observations });
  expect(report.notes).toContain(
    'The numbers come from more than one data source, and sources can count differently: a.',
  );
});

test('views are never added to followers in a report', () => {
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

test('a start value of 0 has a change but no percentage', () => {
  const observations = daily('a', ['2026-11-08', ...week], (index) => index);
  const report = reportOf({ items: [item({ item_id: 'a' })], observations });
  expect(report.items[0]?.metrics.followers).toMatchObject({ start: 0, end: 7, change: 7, change_percent: null });
});

describe('the report of the current week', () => {
  const running = { final: false, report_id: null, generated_at: utc('2026-11-12T08:00:00').getTime() };

  test('the report of the current week is partial and not final, and the current day is no gap', () => {
    const observations = daily('a', ['2026-11-08', ...week.slice(0, 3)], (index) => index + 1);
    const report = reportOf({ ...running, items: [item({ item_id: 'a' })], observations });
    expect(report).toMatchObject({ final: false, report_id: null, partial_period: true });
    expect(report.items[0]?.gaps).toEqual([]);
    expect(report.coverage).toMatchObject({ expected_observations: 3, observations: 3 });
    expect(report.notes[0]).toBe('This week ends on 2026-11-15. The numbers are as of 2026-11-12 08:00 UTC.');
    expect(report.series[0]?.points).toHaveLength(4);
  });

  test('the report of a campaign that has not started has only nulls and says so', () => {
    const campaign = { ...example.campaign, starts_on: '2026-12-24' };
    const observations = daily('a', week.slice(0, 3), () => 1);
    const report = reportOf({ ...running, campaign, items: [item({ item_id: 'a' })], observations });
    expect(report.items[0]?.metrics.followers?.end).toBeNull();
    expect(report.coverage).toMatchObject({ expected_observations: 0, observations: 0 });
    expect(report.notes).toContain('The campaign starts on 2026-12-24: there are no numbers for earlier days.');
  });
});

test('a report counts only the days of the campaign', () => {
  const campaign = { ...example.campaign, starts_on: '2026-11-11', ends_on: '2026-11-13' };
  const observations = daily('a', ['2026-11-08', ...week], (index) => index);
  const report = reportOf({ campaign, items: [item({ item_id: 'a' })], observations });
  expect(report.items[0]?.metrics.followers).toMatchObject({ start: 2, end: 5, change: 3 });
  expect(report.coverage.expected_observations).toBe(3);
  expect(report.partial_period).toBe(true);
  expect(report.notes.slice(0, 2)).toEqual([
    'The campaign started on 2026-11-11, during this week: changes are counted from that day.',
    'The last day of the campaign is 2026-11-13: later days are not counted.',
  ]);
});

test('a campaign without items is a report without numbers', () => {
  const report = reportOf({});
  expect(report).toMatchObject({ totals: {}, by_platform: [], items: [], series: [] });
  expect(report.coverage).toEqual({ expected_observations: 0, observations: 0, items: 0, items_never_observed: 0 });
  expect(report.notes).toEqual(['This campaign has no accounts or posts.']);
  expect(reportRows(report)).toHaveLength(1);
});

test('CSV escapes text that a spreadsheet would run as a formula, but not negative numbers', () => {
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
])('weeks start on Monday 00:00 UTC: %s is in the week of %s', (moment, monday) => {
  expect(weekStart(utc(moment).getTime())).toBe(day(monday));
});
