import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Allowance, throttle } from '../../../db/accounts/throttle.ts';
import { createWorkspace } from '../../../db/accounts/workspaces.ts';
import type { Database } from '../../../db/connect.ts';
import { newId } from '../../../db/ids.ts';
import { createReplays, type Replay, type ReplayKey } from '../../../db/requests/replays.ts';
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

/** Stores this answer under a new Idempotency-Key. Returns true when the answer can be read again. */
async function isStored(workspaceId: string, at: Date, stored = answer): Promise<boolean> {
  const key = { workspace_id: workspaceId, mode: 'sandbox', idempotency_key: newId() };
  const replays = createReplays(db.sql, () => at);
  await replays.store(key, { fingerprint: newId(), answer: stored });
  return (await replays.read(key)) !== null;
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

test('keys that are read or stored at the same time each get their own answer, and an answer is never replaced', async () => {
  const [one, other] = [await newWorkspace(), await newWorkspace()];
  const replays = createReplays(db.sql, () => now);
  const keys = [one, other].flatMap((workspaceId) =>
    ['live', 'sandbox'].flatMap((mode) =>
      Array.from({ length: 60 }, (_, index) => ({ workspace_id: workspaceId, mode, idempotency_key: `key#${index}` })),
    ),
  );
  const replayOf = (index: number) => ({ fingerprint: newId(), answer: { ...answer, body: String(index) } });
  const stored = keys.map((_, index) => replayOf(index));
  await Promise.all(keys.map((key, index) => replays.store(key, stored[index] as Replay)));
  await Promise.all(keys.map((key) => replays.store(key, replayOf(-1))));
  const missing = { workspace_id: one, mode: 'live', idempotency_key: 'unknown' };
  const read = await Promise.all([missing, ...keys, ...keys].map((key) => replays.read(key)));
  expect(read).toEqual([null, ...stored, ...stored]);
});

test('an answer that is older than 24 hours is removed when its key is read, so that the key can be used again', async () => {
  const workspaceId = await newWorkspace();
  const clock = { now };
  const replays = createReplays(db.sql, () => clock.now);
  const [old, young] = ['old', 'young'].map((name) => {
    return { workspace_id: workspaceId, mode: 'live', idempotency_key: name };
  }) as [ReplayKey, ReplayKey];
  const replay = { fingerprint: newId(), answer };
  await replays.store(old, replay);
  clock.now = new Date(now.getTime() + 3_600_000);
  await replays.store(young, replay);
  clock.now = new Date(now.getTime() + 24 * 3_600_000);
  expect(await Promise.all([replays.read(old), replays.read(young)])).toEqual([null, replay]);
  const newer = { ...replay, fingerprint: newId() };
  await replays.store(old, newer);
  expect(await replays.read(old)).toEqual(newer);
});
