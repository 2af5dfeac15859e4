import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listRules, removeRule } from '../../../db/alerts/rules.ts';
import { archiveCampaign, attachItems, insertCampaign } from '../../../db/campaigns/campaigns.ts';
import { deleteCampaign } from '../../../db/campaigns/deletion.ts';
import { newId } from '../../../db/ids.ts';
import { removeItems } from '../../../db/tracking/removals.ts';
import { alone, inTransaction, lockWorkspace } from '../../../db/transaction.ts';
import { deleteWorkspace } from '../../../db/workspace-data/deletion.ts';
import { listJobs } from '../../../pipeline/jobs/all.ts';
import { evaluateAlerts } from '../../../pipeline/jobs/evaluate-alerts.ts';
import { notify } from '../../../pipeline/notify/notify.ts';
import { type RunningQueue, startQueue } from '../../../pipeline/queue/queue.ts';
import { countLockWaits, untilLockWaits } from '../../setup/lock-waits.ts';
import { until } from '../../setup/processes.ts';
import { silentLog } from '../../setup/test-database.ts';
import { type AlertSetup, createAlertSetup, start } from './alert-workspace.ts';

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

test('the alerts of a workspace are stored while another job stores a message of another workspace', async () => {
  const first = await failing('a');
  const second = await failing('b');
  const context = { ...setup.context, queue };
  await inTransaction(setup.db.sql, async (tx) => {
    await lockWorkspace(tx, second.workspaceId);
    await evaluateAlerts.run([], context);
    const notice = { kind: 'test', subject_key: 's', message: { subject: 's', lines: [], action: null } };
    await notify(context, tx, second.workspaceId, { recipient_ids: [second.recipientId] }, notice as never);
  });
  expect(await setup.messages(first.workspaceId)).toHaveLength(1);
  expect(await setup.messages(second.workspaceId)).toHaveLength(1);
  await evaluateAlerts.run([], context);
  expect(await setup.messages(second.workspaceId)).toHaveLength(2);
});

test('an alert rule that is removed during the evaluation raises no alert and stops no other alert', async () => {
  const removed = await failing('c');
  const other = await failing('d');
  await inTransaction(setup.db.sql, async (tx) => {
    await removeRule(tx, removed.workspaceId, removed.ruleId);
    await setup.evaluate();
  });
  await setup.evaluate();
  expect(await setup.messages(removed.workspaceId)).toEqual([]);
  expect(await setup.messages(other.workspaceId)).toHaveLength(1);
});

/** Moves the alert rule of a workspace to a new, archived campaign that contains the rule's item. */
async function ofCampaign({ workspaceId, ruleId, itemId }: Awaited<ReturnType<typeof failing>>) {
  const { sql } = setup.db;
  const campaign = { name: 'Spring', report_name: null, starts_on: '2026-11-01', ends_on: null };
  const limits = { slots: 1, total: 1 };
  const campaignId = (await alone(sql, workspaceId, (tx) => insertCampaign(tx, workspaceId, campaign, limits))) ?? '';
  await attachItems(sql, workspaceId, campaignId, [itemId]);
  await archiveCampaign(sql, workspaceId, campaignId, '2026-11-20');
  await sql`update alert_rules set scope = 'campaign', scope_id = ${campaignId} where rule_id = ${ruleId}`;
  return campaignId;
}

test('while the deletion of a campaign waits, the alert rules of other workspaces are evaluated', async () => {
  const { sql } = setup.db;
  const deleted = await failing('g');
  const other = await failing('h');
  const campaignId = await ofCampaign(deleted);
  const { deletion } = await inTransaction(sql, async (tx) => {
    await tx`select from workspaces where workspace_id = ${deleted.workspaceId} for update`;
    const waiting = deleteCampaign(sql, deleted.workspaceId, campaignId);
    await untilLockWaits(sql, 1);
    await setup.evaluate();
    return { deletion: waiting };
  });
  expect(await deletion).toBe('deleted');
  await setup.evaluate();
  expect(await listRules(sql, deleted.workspaceId)).toEqual([]);
  expect(await setup.messages(deleted.workspaceId)).toEqual([]);
  expect(await setup.messages(other.workspaceId)).toHaveLength(1);
});

test('an alert rule that is added while the deletion of its campaign waits is deleted, too', async () => {
  const { sql } = setup.db;
  const late = await failing('i');
  const campaignId = await ofCampaign(late);
  const { deletion } = await inTransaction(sql, async (tx) => {
    await lockWorkspace(tx, late.workspaceId);
    await sql`update alert_rules set scope = 'all', scope_id = null where rule_id = ${late.ruleId}`;
    const waiting = deleteCampaign(sql, late.workspaceId, campaignId);
    await untilLockWaits(sql, 1);
    await sql`
      insert into alert_rules select (jsonb_populate_record(r, ${sql.json({ rule_id: newId(start), scope: 'campaign', scope_id: campaignId })})).*
      from alert_rules r where rule_id = ${late.ruleId}`;
    await setup.evaluate();
    return { deletion: waiting };
  });
  expect(await deletion).toBe('deleted');
  expect(await listRules(sql, late.workspaceId)).toMatchObject([{ scope: 'all' }]);
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

test.each([
  ['a workspace', 'workspaces'],
  ['an alert rule', 'alert_rules'],
])('%s that another transaction has locked is evaluated later and delays no other workspace', async (_, table) => {
  const locked = await failing(`${table} 1`);
  const other = await failing(`${table} 2`);
  await inTransaction(setup.db.background, async (tx) => {
    await tx`select from ${tx(table)} where workspace_id = ${locked.workspaceId} for update`;
    const waits = untilLockWaits(setup.db.sql, 1).then(() => 'waits');
    expect(await Promise.race([setup.evaluate().then(() => 'evaluated'), waits])).toBe('evaluated');
    expect(await setup.messages(other.workspaceId)).toHaveLength(1);
    waits.catch(() => undefined);
  });
  expect(await setup.messages(locked.workspaceId)).toHaveLength(0);
  await setup.evaluate();
  expect(await setup.messages(locked.workspaceId)).toHaveLength(1);
});

describe('the evaluation of alerts, the removal of items and the deletion of their workspace', () => {
  test('cause no deadlock when each begins while the one before it waits', async () => {
    const { sql } = setup.db;
    const { workspaceId, ruleId, itemId } = await failing('j');
    const started = await inTransaction(sql, async (tx) => {
      await tx`select from alert_rules where workspace_id = ${workspaceId} and rule_id = ${ruleId} for update`;
      const works: Promise<unknown>[] = [];
      for (const begin of [
        () => setup.evaluate(),
        () => removeItems(sql, workspaceId, [itemId], setup.clock.now),
        () => deleteWorkspace(sql, workspaceId),
      ]) {
        const waits = await countLockWaits(sql);
        let isDone = false;
        works.push(
          begin().finally(() => {
            isDone = true;
          }),
        );
        await until(async () => isDone || (await countLockWaits(sql)) > waits);
      }
      return { works };
    });
    await Promise.all(started.works);
    expect(await sql`select from workspaces where workspace_id = ${workspaceId}`).toHaveLength(0);
  });

  test('cause no deadlock with the deletion of a campaign in 25 rounds at the same moment', async () => {
    const { sql } = setup.db;
    for (let round = 0; round < 25; round += 1) {
      const workspaceId = await setup.workspace(100);
      const recipientId = await setup.recipient(workspaceId);
      const rule = { condition: 'not_found', metric: null, direction: null, amount: null, days: null } as const;
      const ruleId = (await setup.rule(workspaceId, { ...rule, recipient_ids: [recipientId] })) ?? '';
      const items = await Promise.all(['a', 'b', 'c', 'd'].map((handle) => setup.item(workspaceId, handle)));
      for (const item of items) await setup.check(workspaceId, item, { day: 1, outcome: 'RESOURCE_NOT_FOUND' });
      const campaignId = await ofCampaign({ workspaceId, recipientId, ruleId, itemId: items[0] ?? '' });
      await setup.rule(workspaceId, { ...rule, recipient_ids: [recipientId] });
      await Promise.all([
        setup.evaluate(),
        ...items.map((item) => removeItems(sql, workspaceId, [item], setup.clock.now)),
        deleteCampaign(sql, workspaceId, campaignId),
        deleteWorkspace(sql, workspaceId),
      ]);
      expect(await sql`select from workspaces where workspace_id = ${workspaceId}`).toHaveLength(0);
    }
  }, 60_000);
});
