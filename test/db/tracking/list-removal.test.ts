import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { addRule, changeRule, listRules, type NewRule } from '../../../db/alerts/rules.ts';
import { addTarget, listTargets, maxTargets } from '../../../db/deliveries/sheet-targets.ts';
import { findItem } from '../../../db/tracking/items.ts';
import { addList, listLists, removeList } from '../../../db/tracking/lists.ts';
import { inTransaction, lockWorkspace } from '../../../db/transaction.ts';
import { collide, untilLockWaits } from '../../setup/lock-waits.ts';
import { openLockSetup } from '../lock-setup.ts';

const setup = await openLockSetup();
const { sql, now } = setup;
let workspaceId: string;
let listId: string;
beforeEach(async () => {
  workspaceId = await setup.workspace();
  listId = await makeList();
});

const makeList = async () => (await addList(sql, workspaceId, 'Rivals', 10)) ?? expect.fail('no list');
const remove = () => removeList(sql, workspaceId, listId);
const ruleOf = (id: string): NewRule => ({
  ...{ name: 'Gone', scope: 'list', scope_id: id, condition: 'not_found', metric: null, direction: null },
  ...{ amount: null, days: null, checks: null, cooldown_hours: 0, recipient_ids: [] },
});
const watchAll = { ...ruleOf(''), scope: 'all', scope_id: null } as const;
const write = (id: string) =>
  addTarget(sql, workspaceId, {
    ...{ campaign_id: null, list_id: id, spreadsheet_id: 'a'.repeat(44), sheet_name: 'Tab', mode: 'append' },
  });

describe('the removal of a list', () => {
  test('deletes its spreadsheets, so that they do not count toward the limit, and those of no other list', async () => {
    const other = await makeList();
    await write(other);
    for (let count = 1; count < maxTargets; count += 1) await write(listId);
    expect(await write(other)).toMatchObject({ reason: 'full' });
    expect(await remove()).toBe(true);
    expect(await listTargets(sql, workspaceId)).toMatchObject([{ list_id: other }]);
    expect(await write(other)).toHaveProperty('target_id', expect.any(String));
  });

  test('before this version left its spreadsheets, which a migration deletes', async () => {
    const other = await makeList();
    for (const id of [listId, other]) await write(id);
    await sql`delete from tracking_lists where workspace_id = ${workspaceId} and list_id = ${listId}`;
    await sql.file(join(import.meta.dirname, '../../../db/migrations/0032_spreadsheets_of_removed_lists.sql'));
    expect(await listTargets(sql, workspaceId)).toMatchObject([{ list_id: other }]);
  });

  test('deletes its alert rules and no others', async () => {
    const other = await makeList();
    for (const rule of [ruleOf(listId), ruleOf(other), watchAll]) await addRule(sql, workspaceId, rule, now);
    expect(await remove()).toBe(true);
    const left = (await listRules(sql, workspaceId)).map(({ scope_id }) => scope_id);
    expect(left.toSorted()).toEqual([other, null].toSorted());
  });

  test('keeps its items, which then belong to no list', async () => {
    const itemId = await setup.item(workspaceId, 'a', listId);
    expect(await remove()).toBe(true);
    expect(await findItem(sql, workspaceId, itemId)).toMatchObject({ list_id: null, status: 'active' });
    expect(await remove()).toBe(false);
  });

  test('does nothing to a list of another workspace', async () => {
    await addRule(sql, workspaceId, ruleOf(listId), now);
    expect(await removeList(sql, await setup.workspace(), listId)).toBe(false);
    expect(await listLists(sql, workspaceId)).toHaveLength(1);
    expect(await listRules(sql, workspaceId)).toHaveLength(1);
  });

  test('that waits for an item holds no alert rule, for which the removal of that item may wait', async () => {
    const itemId = await setup.item(workspaceId, 'a', listId);
    const ruleId = (await addRule(sql, workspaceId, ruleOf(listId), now)) ?? '';
    const { removal } = await inTransaction(sql, async (tx) => {
      await tx`select from tracked_items where workspace_id = ${workspaceId} and item_id = ${itemId} for update`;
      const started = { removal: remove() };
      await untilLockWaits(sql, 1);
      await tx`
        select from alert_rules where workspace_id = ${workspaceId} and rule_id = ${ruleId} for update nowait`;
      await tx`select from workspaces where workspace_id = ${workspaceId} for update nowait`;
      return started;
    });
    expect(await removal).toBe(true);
  });
});

describe('a change while a list is removed', () => {
  const lock = (tx: typeof sql) => lockWorkspace(tx, workspaceId);

  test('a list that is being removed gets no spreadsheet', async () => {
    const [, added] = await collide(sql, lock, remove, () => write(listId));
    expect(added).toMatchObject({ reason: 'unknown' });
    expect(await listTargets(sql, workspaceId)).toEqual([]);
  });

  test('a list that is being removed gets no alert rule', async () => {
    const ruleId = (await addRule(sql, workspaceId, watchAll, now)) ?? '';
    const [, added] = await collide(sql, lock, remove, () => addRule(sql, workspaceId, ruleOf(listId), now));
    expect(added).toBeNull();
    listId = await makeList();
    const change = () => changeRule(sql, workspaceId, ruleId, ruleOf(listId));
    expect(await collide(sql, lock, remove, change)).toEqual([true, false]);
    expect(await listRules(sql, workspaceId)).toMatchObject([{ scope: 'all' }]);
  });
});
