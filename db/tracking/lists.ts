import type { Sql } from 'postgres';
import { withAlertRules } from '../alerts/watched.ts';
import { newId } from '../ids.ts';
import { alone } from '../transaction.ts';
import { lockItems } from './items.ts';

export interface TrackingList {
  list_id: string;
  name: string;
  items: number;
}

/** Creates a list of tracked items. Returns its id, or null when the workspace already has `limit` lists. */
export async function addList(sql: Sql, workspaceId: string, name: string, limit: number): Promise<string | null> {
  const [row] = await alone(
    sql,
    workspaceId,
    (tx) => tx<{ list_id: string }[]>`
    insert into tracking_lists as made (workspace_id, list_id, name)
    select ${workspaceId}::uuid, ${newId()}::uuid, ${name}
    where (select count(*) from tracking_lists where workspace_id = ${workspaceId}) < ${limit}
    returning made.list_id`,
  );
  return row?.list_id ?? null;
}

/** Returns the lists of tracked items of a workspace, oldest first, each with its number of items. */
export async function listLists(sql: Sql, workspaceId: string): Promise<TrackingList[]> {
  return sql<TrackingList[]>`
    select l.list_id, l.name, count(i.item_id)::int as items
    from tracking_lists l left join tracked_items i on i.workspace_id = l.workspace_id and i.list_id = l.list_id
    where l.workspace_id = ${workspaceId} group by l.list_id, l.name, l.created_at order by l.created_at`;
}

/** Renames a list of tracked items. Returns false when the workspace has no such list. */
export async function renameList(sql: Sql, workspaceId: string, listId: string, name: string): Promise<boolean> {
  const { count } = await sql`
    update tracking_lists set name = ${name} where workspace_id = ${workspaceId} and list_id = ${listId}`;
  return count === 1;
}

/**
 * Moves several tracked items into a list of the same workspace. A null `listId` removes them from their lists. Returns
 * the number of moved items.
 */
export async function moveItems(
  sql: Sql,
  workspaceId: string,
  itemIds: readonly string[],
  listId: string | null,
): Promise<number> {
  const { count } = await sql`
    with items as materialized (${lockItems(sql, workspaceId, itemIds)})
    update tracked_items set list_id = ${listId}::uuid
    where workspace_id = ${workspaceId} and item_id in (select item_id from items)
      and (${listId}::uuid is null
        or exists (select from tracking_lists where workspace_id = ${workspaceId} and list_id = ${listId}::uuid))`;
  return count;
}

/**
 * Deletes a list of tracked items, with its sheet targets and alert rules. The items are still tracked and then belong
 * to no list. Its data links stay, but report that the list was deleted. Returns false when the workspace has no such
 * list.
 */
export async function removeList(sql: Sql, workspaceId: string, listId: string): Promise<boolean> {
  const list = sql`workspace_id = ${workspaceId} and list_id = ${listId}`;
  const watched = { workspace_id: workspaceId, scope: 'list', scope_id: listId } as const;
  const isRemoved = await withAlertRules(sql, watched, async (tx, deleteRules) => {
    const { count } = await tx`delete from tracking_lists where ${list}`;
    await tx`delete from sheet_targets where ${list}`;
    await deleteRules();
    return count === 1;
  });
  // Waits for items only after releasing all other locks: their removal may wait for the evaluation of alert rules,
  // which waits for the rules that were locked above. If the process stops before this statement, the items keep the id
  // of the deleted list.
  await sql`
    with listed as materialized (
      -- Checks lock several items in this order.
      select item_id from tracked_items where ${list} order by item_id for no key update
    )
    update tracked_items set list_id = null
    where workspace_id = ${workspaceId} and item_id in (select item_id from listed)`;
  return isRemoved;
}
