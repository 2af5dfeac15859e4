import { expect, test } from 'vitest';
import { viewPoints } from '../../../server/dashboard/tracking/chart-views.ts';

test('a change in percent since a rounded number is rounded, and a small fall is 0, not -0', () => {
  const points = [
    { label: '2026-11-01', value: 10_000, rounded: true },
    { label: '2026-11-02', value: 10_500 },
    { label: '2026-11-03', value: 9_999 },
  ];
  const shown = viewPoints('percent', points).map(({ value, rounded }) => [value, rounded]);
  expect(shown).toEqual([
    [0, true],
    [5, true],
    [0, true],
  ]);
  expect(viewPoints('percent', points.slice(1)).map(({ rounded }) => rounded)).toEqual([false, false]);
});
