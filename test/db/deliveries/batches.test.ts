import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createWorkspace } from '../../../db/accounts/workspaces.ts';
import { completeFree, completePaid, listRows, openRows } from '../../../db/deliveries/batch-rows.ts';
import { readBatchState, resumeReadyBatches } from '../../../db/deliveries/batch-state.ts';
import {
  type BatchId,
  closeBatch,
  findBatch,
  insertBatch,
  listBatches,
  moveBatch,
  startBatch,
} from '../../../db/deliveries/batches.ts';
import { newId } from '../../../db/ids.ts';
import { checkLedger, moveCredits } from '../../../db/money/ledger.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.ts';

const now = new Date('2026-11-20T10:00:00.000Z');
let db: TestDatabase;
let workspaceId: string;

beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  workspaceId = await workspace(5);
});
afterAll(async () => {
  expect((await checkLedger(db.sql)).mismatches).toEqual([]);
  await db.close();
});

async function workspace(credits: number): Promise<string> {
  return (await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'test', credits }))).workspace_id;
}

/** Creates a batch (a list of profiles to fetch) whose second row repeats the first. */
async function aBatch(owner = workspaceId, at = now): Promise<BatchId> {
  const batch = { workspace_id: owner, batch_id: newId(at), name: null, now: at };
  const row = { url: 'invented', duplicate_of: null, status: null, cells: null };
  await insertBatch(db.sql, batch, [
    { ...row, row_no: 2 },
    { ...row, row_no: 5, duplicate_of: 2 },
    { ...row, row_no: 9 },
  ]);
  return batch;
}

const answer = (batch: BatchId, rowNo: number) => ({ ...batch, row_no: rowNo, status: 'OK', cells: '{}', now });
const paid = (batch: BatchId, rowNo: number) => ({
  ...answer(batch, rowNo),
  charge_id: newId(),
  route: '/v1/photo/profile',
  cost: 1,
  cache_key: newId(),
  answer: { body: '{}', meta: '{}', retrieved_at: now },
});
const settings = (values: Record<string, unknown>) =>
  db.sql`insert into work_settings ${db.sql({ workspace_id: workspaceId, ...values })}
    on conflict (workspace_id) do update set ${db.sql(values)}`;

describe('a row of a batch', () => {
  test('a row of a batch is completed together with its duplicates, which are free', async () => {
    const batch = await aBatch();
    expect((await openRows(db.sql, batch)).map(({ row_no }) => row_no)).toEqual([2, 9]);
    expect(await completePaid(db.pipelined, paid(batch, 2))).toBe('completed');
    const rows = await listRows(db.sql, batch);
    expect(rows.map(({ row_no, status, credits, cells }) => [row_no, status, credits, cells])).toEqual([
      [2, 'OK', 1, '{}'],
      [5, 'OK', 0, '{}'],
      [9, null, 0, null],
    ]);
    expect(await findBatch(db.sql, batch)).toMatchObject({ total: 3, answered: 2, ok: 2, failed: 0, credits: 1 });
  });

  test('a row of a batch is charged once when several runs complete it at the same time', async () => {
    const batch = await aBatch();
    const completions = Array.from({ length: 8 }, (_, turn) =>
      completePaid(turn % 2 ? db.pipelined : db.sql, paid(batch, 2)),
    );
    const verdicts = await Promise.all(completions);
    expect(verdicts.toSorted()).toEqual([...Array.from({ length: 7 }, () => 'answered_before'), 'completed']);
    expect(await readBatchState(db.sql, batch, now, 1)).toMatchObject({ credits_left: 4 });
  });

  test('a row completed for free is not charged later, and a free result does not replace a charged one', async () => {
    const batch = await aBatch();
    await completeFree(db.pipelined, { ...answer(batch, 2), status: 'RESOURCE_NOT_FOUND' });
    expect(await completePaid(db.pipelined, paid(batch, 2))).toBe('answered_before');
    await completePaid(db.pipelined, paid(batch, 9));
    await completeFree(db.pipelined, { ...answer(batch, 9), status: 'SOURCE_TIMEOUT' });
    expect((await listRows(db.sql, batch)).map(({ status }) => status)).toEqual([
      'RESOURCE_NOT_FOUND',
      'RESOURCE_NOT_FOUND',
      'OK',
    ]);
  });

  test('a row of a batch stays open when the balance or the cap is too low, and its data is not cached', async () => {
    const batch = await aBatch(await workspace(0));
    const unpaid = paid(batch, 2);
    expect(await completePaid(db.pipelined, unpaid)).toBe('INSUFFICIENT_CREDITS');
    await moveCredits(db.sql, batch.workspace_id, { kind: 'purchase', credits: 9, reason: 'invented' });
    await db.sql`insert into work_settings ${db.sql({ workspace_id: batch.workspace_id, monthly_cap: 0 })}`;
    expect(await completePaid(db.pipelined, unpaid)).toBe('CAP_REACHED');
    expect(await findBatch(db.sql, batch)).toMatchObject({ answered: 0, credits: 0 });
    expect(await db.sql`select from responses where cache_key = ${unpaid.cache_key}`).toHaveLength(0);
    expect(await readBatchState(db.sql, batch, now, 1)).toMatchObject({ waiting_for: 'CAP_REACHED', credits_left: 0 });
  });

  test('a row of a batch of another workspace is not changed', async () => {
    const batch = await aBatch();
    const stranger = { ...batch, workspace_id: await workspace(5) };
    expect(await completePaid(db.pipelined, paid(stranger, 2))).toBe('answered_before');
    await completeFree(db.pipelined, answer(stranger, 2));
    expect(await findBatch(db.sql, batch)).toMatchObject({ answered: 0 });
    expect(await findBatch(db.sql, stranger)).toBeNull();
    expect(await startBatch(db.sql, stranger)).toBeNull();
  });
});

describe('a batch', () => {
  test('a batch is finished once, by the run that finds every row completed, even after another run paused it', async () => {
    const batch = await aBatch();
    await startBatch(db.sql, batch);
    await completePaid(db.pipelined, paid(batch, 2));
    expect(await closeBatch(db.sql, batch, null, now)).toBeNull();
    expect(await closeBatch(db.sql, batch, { reason: 'CAP_REACHED', cost: 1 }, now)).toBe('paused');
    await completePaid(db.pipelined, paid(batch, 9));
    expect(await closeBatch(db.sql, batch, null, now)).toBe('finished');
    expect(await closeBatch(db.sql, batch, { reason: 'CAP_REACHED', cost: 1 }, now)).toBeNull();
    expect(await findBatch(db.sql, batch)).toMatchObject({ status: 'finished', waiting_for: null, finished_at: now });
  });

  test('a cancelled batch stays cancelled when its rows are completed', async () => {
    const batch = await aBatch();
    await startBatch(db.sql, batch);
    expect(await moveBatch(db.sql, batch, { from: ['running'], to: 'cancelled', finished_at: now })).toBe(true);
    for (const rowNo of [2, 9]) await completePaid(db.pipelined, paid(batch, rowNo));
    expect(await closeBatch(db.sql, batch, null, now)).toBeNull();
    expect(await startBatch(db.sql, batch)).toBeNull();
    expect(await findBatch(db.sql, batch)).toMatchObject({ status: 'cancelled', ok: 3 });
  });

  test('batches are listed newest first, only in their own workspace', async () => {
    await aBatch(await workspace(0));
    const older = await aBatch();
    const newer = await aBatch(workspaceId, new Date(now.getTime() + 1));
    const listed = await listBatches(db.sql, workspaceId);
    expect(listed.map(({ batch_id }) => batch_id)).toEqual([newer.batch_id, older.batch_id]);
  });
});

describe('a paused batch is queued again when the cause of the pause is over', () => {
  const november = '2026-11-01';
  const cases = [
    ['PAUSED', null, { paused: true }, 5, false],
    ['PAUSED', null, { paused: false }, 0, true],
    ['CAP_REACHED', 1, { monthly_cap: 3, cap_used: 3, cap_month: november }, 5, false],
    ['CAP_REACHED', 1, { monthly_cap: 4, cap_used: 3, cap_month: november }, 5, true],
    ['CAP_REACHED', 4, { monthly_cap: 6, cap_used: 3, cap_month: november }, 5, false],
    ['CAP_REACHED', 4, { monthly_cap: 7, cap_used: 3, cap_month: november }, 5, true],
    ['CAP_REACHED', 1, { monthly_cap: 3, cap_used: 3, cap_month: '2026-10-01' }, 5, true],
    ['CAP_REACHED', 1, { monthly_cap: null, cap_used: 3, cap_month: november }, 5, true],
    ['INSUFFICIENT_CREDITS', 1, { paused: false }, 0, false],
    ['INSUFFICIENT_CREDITS', 1, { paused: false }, 1, true],
    ['INSUFFICIENT_CREDITS', 4, { paused: false }, 3, false],
    ['INSUFFICIENT_CREDITS', 4, { paused: false }, 4, true],
    ['INSUFFICIENT_CREDITS', null, { paused: false }, 1, true],
  ] as const;

  test.each(cases)(
    'a batch that waits for %s with a next row of %s credits, with settings %o and %i credits, is queued again: %s',
    async (waitingFor, cost, values, credits, woken) => {
      workspaceId = await workspace(credits);
      await settings(values);
      const batch = await aBatch();
      await startBatch(db.sql, batch);
      await closeBatch(db.sql, batch, { reason: waitingFor, cost }, now);
      const named = (await resumeReadyBatches(db.sql, now)).some(({ batch_id }) => batch_id === batch.batch_id);
      expect(named).toBe(woken);
      expect((await findBatch(db.sql, batch))?.status).toBe(woken ? 'queued' : 'paused');
    },
  );
});
