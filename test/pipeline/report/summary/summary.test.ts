import { expect, test } from 'vitest';
import type { ReportInput } from '../../../../pipeline/report/input.ts';
import { buildReport } from '../../../../pipeline/report/report.ts';
import { headlineOf } from '../../../../pipeline/report/summary/headline.ts';
import { summarize } from '../../../../pipeline/report/summary/summary.ts';
import { item, observed } from '../report-data.ts';
import { example } from '../report-example.ts';

const base: ReportInput = {
  ...example,
  campaign: { ...example.campaign, starts_on: '2026-10-01', ends_on: null },
  items: [],
  observations: [],
  missed: [],
};
const post = (name: string) => item({ item_id: name, kind: 'post' });
const ends = { before: '2026-10-31T10:00:00', start: '2026-11-08T10:00:00', end: '2026-11-15T10:00:00' };

/**
 * Returns observations of a post at the ends of three weeks: the week two weeks before the period, the week before the
 * period, and the period itself.
 */
const views = (name: string, before: number, start: number, end: number) => [
  observed(name, ends.before, { views: before }),
  observed(name, ends.start, { views: start }),
  observed(name, ends.end, { views: end }),
];

const reportOf = (more: Partial<ReportInput>) => buildReport({ ...base, ...more });

test('the headline of a report states the change, the new total and the percentage', () => {
  const report = reportOf({ items: [post('a')], observations: views('a', 900, 1_000, 1_250) });
  expect(headlineOf(report)).toMatch(/^Views grew by 250 \(\+25%\) to 1,250 (in the|so far this) week\.$/);
});

test('the headline of a report says how many items are not counted', () => {
  const report = reportOf({ items: [post('a'), post('b')], observations: views('a', 900, 1_000, 800) });
  expect(headlineOf(report)).toMatch(
    /^Views fell by 200 \(−20%\) to 800 .*, counting 1 of the 2 accounts and posts that have views\.$/,
  );
});

test('the headline of a report without numbers states no change', () => {
  expect(headlineOf(reportOf({}))).toBe('This campaign has no accounts or posts yet.');
  expect(headlineOf(reportOf({ items: [post('a')] }))).toBe('No account or post has a number in this week yet.');
});

test('a key number of a report has the change of the week before when every item is known in both weeks', () => {
  const items = [post('a'), post('b')];
  const known = [...views('a', 900, 1_000, 1_250), ...views('b', 50, 60, 90)];
  const [first, second] = [ends.before, '2026-11-01T10:00:00'].map((at) => [
    observed('a', at, { views: 900 }),
    observed('b', at, { views: 50 }),
  ]);
  const report = reportOf({ items, observations: [...(first ?? []), ...(second ?? []), ...known] });
  expect(summarize(report).tiles[0]).toMatchObject({ metric: 'views', previous_change: 110 });
  const gone = known.filter(({ item_id, observed_at }) => item_id === 'a' || +observed_at > Date.parse('2026-11-09'));
  expect(summarize(reportOf({ items, observations: gone })).tiles[0]?.previous_change).toBeNull();
});

test('the movers of a report are at most five up and five down, the largest change first', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const observations = names.flatMap((name, index) => views(name, 100, 100, 100 + (index - 1) * 10));
  const { up, down } = summarize(reportOf({ items: names.map(post), observations }));
  expect(up.map(({ change }) => change)).toEqual([50, 40, 30, 20, 10]);
  expect(down.map(({ item: { item_id } }) => item_id)).toEqual(['a']);
});

test('the best posts of a report are those with the most new views in the week, then those with the most new likes', () => {
  const likes = (name: string, start: number, end: number) => [
    observed(name, ends.start, { likes: start }),
    observed(name, ends.end, { likes: end }),
  ];
  const { best } = summarize(
    reportOf({
      items: ['likes-5', 'old', 'new', 'likes-9', 'same'].map(post),
      observations: [
        ...views('old', 8_000, 9_000, 9_010),
        ...views('same', 1, 10, 20),
        ...views('new', 1, 2, 500),
        ...likes('likes-5', 10, 15),
        ...likes('likes-9', 1, 10),
      ],
    }),
  );
  expect(best.map(({ item_id }) => item_id)).toEqual(['new', 'old', 'same', 'likes-9', 'likes-5']);
});

test('the best posts and movers of a report leave out an item whose handle belongs to another account', () => {
  const items = [post('a'), item({ item_id: 'b', kind: 'post', identity_changed: true })];
  const { best, up } = summarize(
    reportOf({ items, observations: [...views('a', 1, 2, 3), ...views('b', 100, 200, 9_000)] }),
  );
  expect(best.map(({ item_id }) => item_id)).toEqual(['a']);
  expect(up.map(({ item: { item_id } }) => item_id)).toEqual(['a']);
});
