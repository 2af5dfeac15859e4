import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeRule } from '../../../db/alerts/rules.ts';
import { inTransaction, lockWorkspace } from '../../../db/transaction.ts';
import { listJobs } from '../../../pipeline/jobs/all.ts';
import { evaluateAlerts } from '../../../pipeline/jobs/evaluate-alerts.ts';
import { notify } from '../../../pipeline/notify/notify.ts';
import { type RunningQueue, startQueue } from '../../../pipeline/queue/queue.ts';
import { untilLockWaits } from '../../setup/lock-waits.ts';
import { silentLog } from '../../setup/test-database.ts';
import { type AlertSetup, createAlertSetup } from './alert-workspace.ts';

let setup: AlertSetup;
let queue: RunningQueue;
beforeAll(async () => {
  setup = await createAlertSetup();
  queue = await startQueue({ sql: setup.db.background, jobs: listJobs(), log: silentLog, work: null });
});
afterAll(async () => {
  await queue.stop();
  await setup.db.close();
});

/** Creates a workspace with an item whose check makes an alert rule raise an alert for a recipient. */
async function failing(handle: string) {
  const workspaceId = await setup.workspace(10);
  const recipientId = await setup.recipient(workspaceId);
  const rule = { condition: 'not_found', metric: null, direction: null, amount: null, days: null } as const;
  const ruleId = await setup.rule(workspaceId, { ...rule, recipient_ids: [recipientId] });
  const itemId = await setup.item(workspaceId, handle);
  await setup.check(workspaceId, itemId, { day: 1, outcome: 'RESOURCE_NOT_FOUND' });
  return { workspaceId, recipientId, ruleId: ruleId ?? '', itemId };
}

test('alerts of two workspaces are stored while another job stores a message of one of them', async () => {
  const first = await failing('a');
  const second = await failing('b');
  const context = { ...setup.context, queue };
  const work = await inTransaction(setup.db.sql, async (tx) => {
    await lockWorkspace(tx, second.workspaceId);
    const evaluation = evaluateAlerts.run([], context);
    await untilLockWaits(setup.db.sql, 1);
    const notice = { kind: 'test', subject_key: 's', message: { subject: 's', lines: [], action: null } };
    await notify(context, tx, second.workspaceId, { recipient_ids: [second.recipientId] }, notice as never);
    return { evaluation };
  });
  await work.evaluation;
  expect(await setup.messages(first.workspaceId)).toHaveLength(1);
  expect(await setup.messages(second.workspaceId)).toHaveLength(2);
});

test('an alert rule that is removed during the evaluation raises no alert and stops no other alert', async () => {
  const removed = await failing('c');
  const other = await failing('d');
  const work = await inTransaction(setup.db.sql, async (tx) => {
    await removeRule(tx, removed.workspaceId, removed.ruleId);
    const evaluation = setup.evaluate();
    await untilLockWaits(setup.db.sql, 1);
    return { evaluation };
  });
  await work.evaluation;
  expect(await setup.messages(removed.workspaceId)).toEqual([]);
  expect(await setup.messages(other.workspaceId)).toHaveLength(1);
});

test('a check that another transaction has locked is evaluated later and delays no other check', async () => {
  const locked = await failing('e');
  const other = await failing('f');
  await inTransaction(setup.db.background, async (tx) => {
    await tx`select from check_attempts where workspace_id = ${locked.workspaceId} and item_id = ${locked.itemId} for update`;
    const waits = untilLockWaits(setup.db.sql, 1).then(() => 'waits');
    expect(await Promise.race([setup.evaluate().then(() => 'evaluated'), waits])).toBe('evaluated');
    expect(await setup.messages(other.workspaceId)).toHaveLength(1);
    waits.catch(() => undefined);
  });
  await setup.evaluate();
  expect(await setup.messages(locked.workspaceId)).toHaveLength(1);
});
