import { afterAll, beforeAll, expect, test } from 'vitest';
import { throttle } from '../../../db/accounts/throttle.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

const twice = { limit: 2, window_seconds: 60 };
const start = Date.parse('2026-11-20T10:00:00Z');
const at = (seconds: number) => new Date(start + seconds * 1_000);
const waits = async (name: string, seconds: readonly number[]) => {
  const found: (number | null)[] = [];
  for (const second of seconds) found.push(await throttle(db.sql, name, twice, at(second)));
  return found;
};

test('a counter allows its limit per window, and says how many seconds are left', async () => {
  expect(await waits('a window', [0, 1, 2, 59, 60])).toEqual([null, null, 58, 1, null]);
});

test('a counter from before the clock was set back by a year does not block anyone for a year', async () => {
  const year = 365 * 86_400;
  expect(await waits('a wrong clock', [year, year, year, 0, 0, 0])).toEqual([null, null, 60, null, null, 60]);
});

test('a counter is kept when the clocks of two processes differ by less than a window', async () => {
  expect(await waits('two clocks', [30, 0, 30, 0])).toEqual([null, null, 60, 90]);
});
