import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Allowance, throttle } from '../../../db/accounts/throttle.ts';
import { createWorkspace } from '../../../db/accounts/workspaces.ts';
import type { Database } from '../../../db/connect.ts';
import { newId } from '../../../db/ids.ts';
import { readReplay, storeReplay } from '../../../db/requests/responses.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { createTestDatabase } from '../../setup/test-database.ts';

let db: Database;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

const now = new Date('2026-11-20T10:00:00.000Z');
const answer = { body: 'x'.repeat(50_000), meta: '{}', retrieved_at: now };

async function newWorkspace(): Promise<string> {
  const made = await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'test', credits: 0 }));
  return made.workspace_id;
}

/** Stores this answer for a new Idempotency-Key. Returns true when it can be read again. */
async function isStored(workspaceId: string, at: Date, stored = answer): Promise<boolean> {
  const key = { workspace_id: workspaceId, mode: 'sandbox', idempotency_key: newId() };
  await storeReplay(db.sql, key, { fingerprint: newId(), answer: stored }, at);
  return (await readReplay(db.sql, key, at)) !== null;
}

test('a workspace can store 200 million characters of free answers for its Idempotency-Keys in 24 hours', async () => {
  const busy = await newWorkspace();
  const most: Allowance = { limit: 200_000_000, window_seconds: 24 * 3_600 };
  expect(await throttle(db.sql, `replays ${busy}`, most, now, 199_900_000)).toBe(null);
  expect(await isStored(busy, now)).toBe(true);
  expect(await isStored(busy, now)).toBe(false);
  expect(await isStored(busy, now, { ...answer, body: '{}' })).toBe(false);
  expect(await isStored(await newWorkspace(), now)).toBe(true);
  expect(await isStored(busy, new Date(now.getTime() + 24 * 3_600_000))).toBe(true);
});
