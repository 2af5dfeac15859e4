import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../db/ids.ts';
import { createClaims } from '../../../db/tracking/checks.ts';
import { listItems, setStatuses } from '../../../db/tracking/items.ts';
import { addList, moveItems, removeList } from '../../../db/tracking/lists.ts';
import { removeItems, undoRemoval } from '../../../db/tracking/removals.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { collide, untilLockWaits } from '../../setup/lock-waits.ts';
import { openLockSetup } from '../lock-setup.ts';

const setup = await openLockSetup();
const { db, sql, now } = setup;
let workspaceId: string;
beforeEach(async () => {
  workspaceId = await setup.workspace();
});

describe('changes of several items', () => {
  test('the removal of items leaves out an item that is restored while the removal waits for another', async () => {
    const ids = [await setup.item(workspaceId, 'a'), await setup.item(workspaceId, 'b')];
    const [restored = '', other = ''] = ids;
    const removalId = (await removeItems(sql, workspaceId, [restored], now)) ?? '';
    const work = await inTransaction(sql, async (tx) => {
      await tx`select from tracked_items where workspace_id = ${workspaceId} and item_id = ${other} for update`;
      const removal = removeItems(sql, workspaceId, ids, now);
      await untilLockWaits(sql, 1);
      await undoRemoval(sql, workspaceId, removalId, { limit: 10, now });
      return { removal };
    });
    await work.removal;
    expect((await listItems(sql, workspaceId)).map(({ item_id }) => item_id)).toEqual([restored]);
  });

  test.each<[string, (listId: string, ids: string[]) => Promise<unknown>]>([
    ['the removal of a list', (listId) => removeList(sql, workspaceId, listId)],
    ['a pause of items', (_, ids) => setStatuses(sql, workspaceId, ids, 'paused')],
    ['a move of items', (_, ids) => moveItems(sql, workspaceId, ids, null)],
  ])('%s and the checks of the same items lock the items in the same order', async (_, change) => {
    const listId = (await addList(sql, workspaceId, 'list', 10)) ?? '';
    const ids = [await setup.item(workspaceId, 'b', listId), await setup.item(workspaceId, 'a', listId)];
    await setup.moveBehind('tracked_items', 'item_id', ids[0]);
    const claim = createClaims(db.background);
    const [claims] = await collide(
      sql,
      (tx) =>
        tx`select from tracked_items where workspace_id = ${workspaceId} and item_id = ${ids[0] ?? ''} for update`,
      () =>
        Promise.all(
          ids.map((itemId) => claim({ workspace_id: workspaceId, item_id: itemId, attempt_id: newId(), now })),
        ),
      () => change(listId, [...ids]),
    );
    expect(claims.map(({ claimed }) => claimed?.item_id)).toEqual(ids);
  });
});
