import { afterAll, beforeAll, expect, test } from 'vitest';
import { listRules, maxRules } from '../../../db/alerts/rules.ts';
import { removeItem } from '../../../db/tracking/items.ts';
import { removeItems, undoRemoval } from '../../../db/tracking/removals.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { removeOld } from '../../../pipeline/jobs/cleanup.ts';
import { isCitusRun } from '../../setup/citus.ts';
import { type AlertSetup, createAlertSetup, dayMs, start } from './alert-workspace.ts';

let setup: AlertSetup;
beforeAll(async () => {
  setup = await createAlertSetup();
});
afterAll(() => setup.db.close());

const after = (ms: number) => new Date(start.getTime() + ms);
const scopesOf = async (workspaceId: string) =>
  (await listRules(setup.db.sql, workspaceId)).map(({ scope_id }) => scope_id).toSorted();

/** Creates a workspace with two items, one alert rule for each item, and one rule for all items. */
async function watched() {
  const workspaceId = await setup.workspace();
  const [removed, kept] = [await setup.item(workspaceId, 'removed'), await setup.item(workspaceId, 'kept')];
  for (const item of [removed, kept]) await setup.rule(workspaceId, { scope: 'item', scope_id: item });
  await setup.rule(workspaceId);
  return { workspaceId, removed, kept };
}

test('the alert rules of a removed item are deleted when its removal can no longer be undone', async () => {
  const { sql } = setup.db;
  const { workspaceId, removed, kept } = await watched();
  for (let rules = 3; rules < maxRules; rules += 1) await setup.rule(workspaceId, { scope: 'item', scope_id: removed });
  await removeItems(sql, workspaceId, [removed], start);
  expect(await setup.rule(workspaceId)).toBeNull();
  await removeOld(sql, after(dayMs - 1));
  expect(await listRules(sql, workspaceId)).toHaveLength(maxRules);
  await removeOld(sql, after(dayMs));
  expect(await scopesOf(workspaceId)).toEqual([kept, null].toSorted());
  expect(await setup.rule(workspaceId)).not.toBeNull();
});

test('the alert rules of a removed item stay when the removal is undone', async () => {
  const { sql } = setup.db;
  const { workspaceId, removed } = await watched();
  const removalId = (await removeItems(sql, workspaceId, [removed], start)) ?? '';
  await undoRemoval(sql, workspaceId, removalId, { limit: 10, now: start });
  await removeOld(sql, after(dayMs));
  expect(await scopesOf(workspaceId)).toHaveLength(3);
});

test('the alert rules of an item that an operator removed are deleted', async () => {
  const { workspaceId, removed, kept } = await watched();
  await removeItem(setup.db.sql, workspaceId, removed);
  await removeOld(setup.db.sql, start);
  expect(await scopesOf(workspaceId)).toEqual([kept, null].toSorted());
});

test.skipIf(isCitusRun)('an alert rule that another transaction has locked is deleted later', async () => {
  const { sql } = setup.db;
  const { workspaceId, removed, kept } = await watched();
  await removeItem(sql, workspaceId, removed);
  await inTransaction(setup.db.background, async (tx) => {
    await tx`select from alert_rules where workspace_id = ${workspaceId} for key share`;
    await removeOld(sql, start);
    expect(await scopesOf(workspaceId)).toHaveLength(3);
  });
  await removeOld(sql, start);
  expect(await scopesOf(workspaceId)).toEqual([kept, null].toSorted());
});
