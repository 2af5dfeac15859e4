import { expect, test } from 'vitest';
import type { ItemSeries } from '../../../db/tracking/recent-history.ts';
import { changeWithin } from '../../../pipeline/tracking/growth.ts';

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
