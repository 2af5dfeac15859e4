import { beforeEach, describe, expect, test } from 'vitest';
import { listRows } from '../../../db/deliveries/batch-rows.ts';
import { bulkAnalysis } from '../../../db/deliveries/batches.ts';
import { newId } from '../../../db/ids.ts';
import { patiently } from '../../../db/patiently.ts';
import { createClaims } from '../../../db/tracking/checks.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { createRowAnswers } from '../../../pipeline/batches/row-answers.ts';
import { isCitusRun } from '../../setup/citus.ts';
import { untilLockWaits } from '../../setup/lock-waits.ts';
import { until } from '../../setup/processes.ts';
import { openLockSetup } from '../lock-setup.ts';

const setup = await openLockSetup();
const { db, sql, now } = setup;
let workspaceId: string;
beforeEach(async () => {
  workspaceId = await setup.workspace();
});

describe.skipIf(isCitusRun)('checks of tracked items', () => {
  test('a locked item delays only the checks of its own workspace', async () => {
    const mine = workspaceId;
    const lockedId = await setup.item(workspaceId, 'locked');
    const freeId = await setup.workspace();
    const other = { workspace_id: freeId, item_id: await setup.item(freeId, 'free') };
    const claim = createClaims(db.pipelined, db.patient);
    const waiting = await inTransaction(sql, async (tx) => {
      await tx`select from tracked_items where item_id = ${lockedId} for update`;
      const claims = [{ workspace_id: mine, item_id: lockedId }, other].map((item) =>
        claim({ ...item, attempt_id: newId(), now }),
      );
      expect((await claims[1])?.claimed?.item_id).toBe(other.item_id);
      return { locked: claims[0] };
    });
    expect((await waiting.locked)?.claimed?.item_id).toBe(lockedId);
  });
});

const waiting = () => sql<{ pid: number }[]>`
  select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

test('statements that wait for a locked row leave the connections of other jobs free', async () => {
  const { batch_id } = await setup.batch({ workspace_id: workspaceId, batch_id: newId() }, null);
  const own = sql`workspace_id = ${workspaceId} and batch_id = ${batch_id}`;
  const pids = () => db.pipelined<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const pipelined = await Promise.all(Array.from({ length: 8 }, pids));
  const patient = await inTransaction(sql, async (tx) => {
    await tx`select from batches where ${own} for update`;
    const statements = Array.from({ length: 8 }, () =>
      patiently(db, (client) => client`select batch_id from batches where ${own} for update`),
    );
    const isPipelined = ({ pid }: { pid: number }) => pipelined.flat().some((one) => one.pid === pid);
    // All statements have then left the pipelined connections.
    await until(async () => {
      const left = await waiting();
      return left.length >= 2 && !left.some(isPipelined);
    });
    await Promise.all(Array.from({ length: 20 }, () => db.background`select 1`));
    return { statements };
  });
  expect(await Promise.all(patient.statements)).toEqual(Array(8).fill([{ batch_id }]));
});

test('a row of a batch that is locked for longer is stored when the lock ends', async () => {
  const batch = await setup.batch({ workspace_id: workspaceId, batch_id: newId() }, null);
  const answers = createRowAnswers({ ...batch, ...bulkAnalysis }, { db, now: () => now } as never);
  const stored = await inTransaction(sql, async (tx) => {
    await tx`
      select from batch_rows where workspace_id = ${workspaceId} and batch_id = ${batch.batch_id} for update`;
    const storing = answers.fromCache([{ row_no: 1, url: 'not a link' }]);
    await untilLockWaits(sql, 1);
    const [first] = await waiting();
    // The first statement ends because of its time limit. Another connection then waits.
    await until(async () => (await waiting()).some(({ pid }) => pid !== first?.pid));
    return { storing };
  });
  await stored.storing;
  expect((await listRows(sql, batch)).map(({ status }) => status)).toEqual(['INVALID_INPUT']);
});
