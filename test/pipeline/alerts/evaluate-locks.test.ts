import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeRule } from '../../../db/alerts/rules.ts';
import { inTransaction, lockWorkspace } from '../../../db/transaction.ts';
import { listJobs } from '../../../pipeline/jobs/all.ts';
import { evaluateAlerts } from '../../../pipeline/jobs/evaluate-alerts.ts';
import { notify } from '../../../pipeline/notify/notify.ts';
import { type RunningQueue, startQueue } from '../../../pipeline/queue/queue.ts';
import { isCitusRun } from '../../setup/citus.ts';
import { untilLockWaits } from '../../setup/lock-waits.ts';
import { silentLog } from '../../setup/test-database.ts';
import { type AlertBench, createAlertBench } from './alert-workspace.ts';

let bench: AlertBench;
let queue: RunningQueue;
beforeAll(async () => {
  bench = await createAlertBench();
  queue = await startQueue({ sql: bench.db.background, jobs: listJobs(), log: silentLog, work: null });
});
afterAll(async () => {
  await queue.stop();
  await bench.db.close();
});

/** Creates a workspace with an item whose check makes an alert rule raise an alert for a recipient. */
async function failing(handle: string) {
  const workspaceId = await bench.workspace(10);
  const recipientId = await bench.recipient(workspaceId);
  const rule = { condition: 'not_found', metric: null, direction: null, amount: null, days: null } as const;
  const ruleId = await bench.rule(workspaceId, { ...rule, recipient_ids: [recipientId] });
  const itemId = await bench.item(workspaceId, handle);
  await bench.check(workspaceId, itemId, { day: 1, outcome: 'RESOURCE_NOT_FOUND' });
  return { workspaceId, recipientId, ruleId: ruleId ?? '', itemId };
}

test('alerts of two workspaces are stored while another job stores a message of one of them', async () => {
  const first = await failing('a');
  const second = await failing('b');
  const context = { ...bench.context, queue };
  const work = await inTransaction(bench.db.sql, async (tx) => {
    await lockWorkspace(tx, second.workspaceId);
    const evaluation = evaluateAlerts.run([], context);
    await untilLockWaits(bench.db.sql, 1);
    const notice = { kind: 'test', subject_key: 's', message: { subject: 's', lines: [], action: null } };
    await notify(context, tx, second.workspaceId, { recipient_ids: [second.recipientId] }, notice as never);
    return { evaluation };
  });
  await work.evaluation;
  expect(await bench.messages(first.workspaceId)).toHaveLength(1);
  expect(await bench.messages(second.workspaceId)).toHaveLength(2);
});

test.skipIf(isCitusRun)(
  'an alert rule that is removed during the evaluation raises no alert and stops no other alert',
  async () => {
    const removed = await failing('c');
    const other = await failing('d');
    const work = await inTransaction(bench.db.sql, async (tx) => {
      await removeRule(tx, removed.workspaceId, removed.ruleId);
      const evaluation = bench.evaluate();
      await untilLockWaits(bench.db.sql, 1);
      return { evaluation };
    });
    await work.evaluation;
    expect(await bench.messages(removed.workspaceId)).toEqual([]);
    expect(await bench.messages(other.workspaceId)).toHaveLength(1);
  },
);

test.skipIf(isCitusRun)(
  'a check that another transaction has locked is evaluated later and delays no other check',
  async () => {
    const locked = await failing('e');
    const other = await failing('f');
    await inTransaction(bench.db.background, async (tx) => {
      await tx`select from check_attempts where item_id = ${locked.itemId} for update`;
      const waits = untilLockWaits(bench.db.sql, 1).then(() => 'waits');
      expect(await Promise.race([bench.evaluate().then(() => 'evaluated'), waits])).toBe('evaluated');
      expect(await bench.messages(other.workspaceId)).toHaveLength(1);
      waits.catch(() => undefined);
    });
    await bench.evaluate();
    expect(await bench.messages(locked.workspaceId)).toHaveLength(1);
  },
);
