import type { Sql } from 'postgres';
import { newId } from '../ids.ts';
import { alone } from '../transaction.ts';

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

/**
 * Moves a tracked item into a list of the same workspace. A null `listId` removes it from its list. Returns false when
 * the workspace has no such item or list.
 */
export async function moveItem(sql: Sql, workspaceId: string, itemId: string, listId: string | null): Promise<boolean> {
  const rows = await sql`
    update tracked_items set list_id = ${listId}::uuid
    where workspace_id = ${workspaceId} and item_id = ${itemId}
      and (${listId}::uuid is null
        or exists (select from tracking_lists where workspace_id = ${workspaceId} and list_id = ${listId}::uuid))
    returning item_id`;
  return rows.length === 1;
}

/**
 * Deletes a list of tracked items. The items are still tracked and then belong to no list. Returns false when the
 * workspace has no such list.
 */
export async function removeList(sql: Sql, workspaceId: string, listId: string): Promise<boolean> {
  const rows = await sql`
    with listed as materialized (
      -- Checks lock several items in this order.
      select item_id from tracked_items where workspace_id = ${workspaceId} and list_id = ${listId}
      order by item_id for no key update
    ), unlisted as (
      update tracked_items set list_id = null
      where workspace_id = ${workspaceId} and item_id in (select item_id from listed)
    )
    delete from tracking_lists where workspace_id = ${workspaceId} and list_id = ${listId} returning list_id`;
  return rows.length === 1;
}
