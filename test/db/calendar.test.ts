import { afterAll, beforeAll, expect, test } from 'vitest';
import { isDay } from '../../db/calendar.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

test.each(['0001-01-01', '2028-02-29', '9999-12-31'])('%s is a day, and PostgreSQL accepts it', async (day) => {
  expect(isDay(day)).toBe(true);
  const [row] = await db.sql`select ${day}::date::text as day`;
  expect(row).toEqual({ day });
});

test.each(['0000-01-01', '0000-12-31'])('%s is not a day, because PostgreSQL has no year 0', async (day) => {
  expect(isDay(day)).toBe(false);
  await expect(db.sql`select ${day}::date`).rejects.toThrow('date/time field value out of range');
});

test.each(['2027-02-29', '2026-13-01', '2026-1-1', '10000-01-01', '-000001-01-01', ''])('%j is not a day', (day) => {
  expect(isDay(day)).toBe(false);
});
