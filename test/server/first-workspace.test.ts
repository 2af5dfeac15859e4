import { afterAll, expect, test } from 'vitest';
import { firstWorkspace } from '../../server/first-start.ts';
import { createTestDatabase } from '../setup/test-database.ts';

const db = await createTestDatabase();

afterAll(() => db.close());

test('the first start of an empty database creates one workspace, even when several processes start together', async () => {
  const now = new Date('2026-11-23T12:00:00.000Z');
  const started = await Promise.all(Array.from({ length: 3 }, () => firstWorkspace(db.sql, now)));
  expect(started.filter((keys) => keys !== null)).toHaveLength(1);
  expect(await db.sql`select from workspaces`).toHaveLength(1);
});
