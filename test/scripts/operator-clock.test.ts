import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { addItem } from '../../db/tracking/items.ts';
import { inTransaction } from '../../db/transaction.ts';
import { operator } from '../harness/operator.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

const run = async (...words: string[]) => (await operator(words, { DATABASE_URL: db.database_url })).stdout;
const doctorWarnings = async () => {
  const findings: { check: string; detail: string }[] = JSON.parse(await run('doctor', '--json'));
  return findings.filter(({ check }) => check === 'clock').map(({ detail }) => detail);
};

test('operator clock show and doctor name the tables with times in the future, and operator clock correct corrects them', async () => {
  expect(await run('clock', 'show')).toContain('No stored time is in the future.');
  expect(await doctorWarnings()).toEqual([]);
  const { workspace_id } = await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'clock', credits: 1 }));
  const item = { platform: 'photo', kind: 'profile', url: 'https://www.instagram.com/kite/', identifier: 'kite' };
  await addItem(db.sql, workspace_id, item, 10);
  await db.sql`update tracked_items set last_attempt_at = now() + interval '3 days'`;
  expect(await run('clock', 'show')).toMatch(/^The clock of this machine shows 2\d{3}-.*Z\.\ntracked_items *1\n$/);
  expect(await doctorWarnings()).toEqual(['times are in the future in tracked_items: see `clock show`']);
  expect(JSON.parse(await run('clock', 'correct', '--json'))).toMatchObject({ corrected: { tracked_items: 1 } });
  expect(JSON.parse(await run('clock', 'show', '--json'))).toMatchObject({ rows: {} });
  const [row] = await db.sql`select last_attempt_at <= now() as past from tracked_items`;
  expect(row).toEqual({ past: true });
});
