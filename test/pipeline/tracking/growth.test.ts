import { expect, test } from 'vitest';
import type { ItemSeries } from '../../../db/tracking/recent-history.ts';
import { audienceHistory, changeWithin } from '../../../pipeline/tracking/growth.ts';

const dayMs = 86_400_000;
const now = new Date('2026-11-20T10:00:00Z');

/** Returns follower counts of an account, each with its age in days. */
const series = (...values: [age: number, value: number | null][]): ItemSeries => ({
  item_id: 'a',
  moments: values.map(([age]) => now.getTime() - age * dayMs),
  values: values.map(([, value]) => value),
  qualities: values.map(() => 0),
});

test('a change needs a known number at both ends that was observed at most three days before', () => {
  expect(changeWithin(series([7, 100], [0, 130]), 7, now)).toBe(30);
  expect(changeWithin(series([10, 100], [3, 130]), 7, now)).toBe(30);
  expect(changeWithin(series([10.01, 100], [3, 130]), 7, now)).toBeNull();
  expect(changeWithin(series([10, 100], [3.01, 130]), 7, now)).toBeNull();
  expect(changeWithin(series([6.99, 100], [0, 130]), 7, now)).toBeNull();
  expect(changeWithin(series([7, null], [0, 130]), 7, now)).toBeNull();
});

test('the history of an audience counts only items with a number on each day', () => {
  const steady = series([7, 100], [5, 110], [3, 120], [0, 150]);
  const gap = series([7, 1_000], [0, 1_010]);
  const late = series([2, 5_000], [0, 9_000]);
  const { items, history } = audienceHistory([steady, gap, late], { metric: 'followers', days: 7, now });
  expect(items).toBe(1);
  expect(history.map(({ value }) => value)).toEqual([100, 100, 110, 110, 120, 120, 120, 150]);
  expect(history.at(-1)).toEqual({ at: now.getTime(), value: 150, rounded: false });
});
