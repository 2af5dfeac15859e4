import { beforeEach, expect, test } from 'vitest';
import { distributedConnections } from '../../../db/connect.ts';
import { listRows } from '../../../db/deliveries/batch-rows.ts';
import { bulkAnalysis } from '../../../db/deliveries/batches.ts';
import { newId } from '../../../db/ids.ts';
import { patiently } from '../../../db/patiently.ts';
import { createClaims } from '../../../db/tracking/checks.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { createRowAnswers } from '../../../pipeline/batches/row-answers.ts';
import { listLockWaits } from '../../setup/lock-waits.ts';
import { until } from '../../setup/processes.ts';
import { openLockSetup } from '../lock-setup.ts';

const setup = await openLockSetup();
const { db, sql, now } = setup;
let workspaceId: string;
beforeEach(async () => {
  workspaceId = await setup.workspace();
});

/**
 * Returns a function that waits until this number of statements wait for a lock. Ignores statements on pipelined
 * connections.
 */
async function watchPatient(): Promise<(number: number) => Promise<void>> {
  const pids = () => db.pipelined<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const rows = await Promise.all(Array.from({ length: 2 * distributedConnections }, pids));
  const pipelined = new Set(rows.flat().map(({ pid }) => pid));
  return (number) =>
    until(async () => {
      const waiting = await listLockWaits(sql);
      return waiting.length >= number && !waiting.some((pid) => pipelined.has(pid));
    });
}

test('a locked item delays only the checks of its own workspace', async () => {
  const mine = workspaceId;
  const lockedId = await setup.item(workspaceId, 'locked');
  const freeId = await setup.workspace();
  const other = { workspace_id: freeId, item_id: await setup.item(freeId, 'free') };
  const claim = createClaims(db.pipelined, db.patient);
  const untilPatient = await watchPatient();
  const waiting = await inTransaction(sql, async (tx) => {
    await tx`select from tracked_items where workspace_id = ${mine} and item_id = ${lockedId} for update`;
    const claims = [{ workspace_id: mine, item_id: lockedId }, other].map((item) =>
      claim({ ...item, attempt_id: newId(), now }),
    );
    expect((await claims[1])?.claimed?.item_id).toBe(other.item_id);
    await untilPatient(1);
    return { locked: claims[0] };
  });
  expect((await waiting.locked)?.claimed?.item_id).toBe(lockedId);
});

test('statements that wait for a locked row leave the connections of other jobs free', async () => {
  const { batch_id } = await setup.batch({ workspace_id: workspaceId, batch_id: newId() }, null);
  const own = sql`workspace_id = ${workspaceId} and batch_id = ${batch_id}`;
  const untilPatient = await watchPatient();
  const patient = await inTransaction(sql, async (tx) => {
    await tx`select from batches where ${own} for update`;
    const statements = Array.from({ length: 8 }, () =>
      patiently(db, (client) => client`select batch_id from batches where ${own} for update`),
    );
    await untilPatient(2);
    await Promise.all(Array.from({ length: 20 }, () => db.background`select 1`));
    return { statements };
  });
  expect(await Promise.all(patient.statements)).toEqual(Array(8).fill([{ batch_id }]));
});

test('a row of a batch that is locked for longer is stored when the lock ends', async () => {
  const batch = await setup.batch({ workspace_id: workspaceId, batch_id: newId() }, null);
  const answers = createRowAnswers({ ...batch, ...bulkAnalysis }, { db, now: () => now } as never);
  const untilPatient = await watchPatient();
  const stored = await inTransaction(sql, async (tx) => {
    await tx`
      select from batch_rows where workspace_id = ${workspaceId} and batch_id = ${batch.batch_id} for update`;
    const storing = answers.fromCache([{ row_no: 1, url: 'not a link' }]);
    await untilPatient(1);
    return { storing };
  });
  await stored.storing;
  expect((await listRows(sql, batch)).map(({ status }) => status)).toEqual(['INVALID_INPUT']);
});
