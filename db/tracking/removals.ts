import type { Sql } from 'postgres';
import { hourMs } from '../durations.ts';
import { newId } from '../ids.ts';
import { alone, inTransaction } from '../transaction.ts';
import { keepAttempts } from './items.ts';

/** Milliseconds during which the removal of tracked items can be undone. After that, their data is deleted. */
const undoMs = 24 * hourMs;
/** Returns the time before which removals can no longer be undone. */
const undoLimit = (now: Date) => new Date(now.getTime() - undoMs);

/** Tracked items that were removed together and can be restored together. */
export interface Removal {
  removal_id: string;
  removed_at: Date;
  /** Names of the removed items. An item without a name is listed with its identifier. */
  names: string[];
}

/**
 * Removes tracked items with their checks, campaign memberships and pictures. Keeps these rows for 24 hours, so that
 * {@link undoRemoval} can restore them. During this time, observations stay in their tables, and the last check times
 * are kept, so that adding an item again does not allow a second check. Returns the id of the removal, or null when the
 * workspace has none of the items.
 */
export async function removeItems(
  sql: Sql,
  workspaceId: string,
  itemIds: readonly string[],
  now: Date,
): Promise<string | null> {
  const removalId = newId(now);
  const removed = await inTransaction(sql, async (tx) => {
    // Locks the workspace first, as its deletion does. The inserts below would otherwise lock it later.
    await tx`select from workspaces where workspace_id = ${workspaceId} for key share`;
    // Waits for checks of these items that are just being stored, because these checks hold the same lock. Their
    // results are then kept too.
    const locked = await tx<{ item_id: string }[]>`
      select item_id from tracked_items where workspace_id = ${workspaceId} and item_id = any(${[...itemIds]}::uuid[])
      order by item_id for update`;
    // An item that was restored in the meantime is not locked and is left out.
    const lockedIds = locked.map(({ item_id }) => item_id);
    return removeLocked(tx, workspaceId, lockedIds, { removal_id: removalId, now });
  });
  return removed === 0 ? null : removalId;
}

// Removes the locked items in one statement. Citus runs the parts of the statement in order, so the rows that are
// deleted together with an item must be read first.
async function removeLocked(
  tx: Sql,
  workspaceId: string,
  itemIds: readonly string[],
  { removal_id, now }: { removal_id: string; now: Date },
): Promise<number> {
  const isRemoved = tx`workspace_id = ${workspaceId} and item_id = any(${[...itemIds]}::uuid[])`;
  const rowsOf = (table: string) =>
    tx`select item_id, jsonb_agg(to_jsonb(t)) as rows from ${tx(table)} t where ${isRemoved} group by item_id`;
  const { count } = await tx`
    with attempts as materialized (${rowsOf('check_attempts')}),
    memberships as materialized (${rowsOf('campaign_items')}),
    pictures as materialized (${rowsOf('item_pictures')}),
    removed as (delete from tracked_items where ${isRemoved} returning *),
    kept_attempts as (${keepAttempts(tx)})
    insert into removed_items (workspace_id, item_id, removal_id, removed_at, rows)
    select r.workspace_id, r.item_id, ${removal_id}::uuid, ${now}::timestamptz, jsonb_build_object(
      'item', to_jsonb(r), 'check_attempts', attempts.rows, 'campaign_items', memberships.rows,
      'item_pictures', pictures.rows)
    from removed r left join attempts using (item_id) left join memberships using (item_id) left join pictures using (item_id)
    returning item_id`;
  return count;
}

/** Maximum number of removals in a list, because a user can remove and add an item any number of times. */
const maxListed = 50;

/** Returns the newest removals of tracked items that can still be undone, newest first. */
export async function listRemovals(sql: Sql, workspaceId: string, now: Date): Promise<Removal[]> {
  return sql<Removal[]>`
    select removal_id, removed_at,
      array_agg(coalesce(rows->'item'->>'name', rows->'item'->>'identifier') order by item_id) as names
    from removed_items
    where workspace_id = ${workspaceId} and removed_at > ${undoLimit(now)}
    group by removal_id, removed_at order by removed_at desc, removal_id desc limit ${maxListed}`;
}

/**
 * Restores the tracked items of a removal with their history, as many as the tier allows. Leaves out items that were
 * added again after the removal. Returns the number of restored items (`restored`) and of items that were left out
 * (`left`). Returns null when there is no such removal or it can no longer be undone.
 */
export function undoRemoval(
  sql: Sql,
  workspaceId: string,
  removalId: string,
  { limit, now }: { limit: number; now: Date },
): Promise<{ restored: number; left: number } | null> {
  return alone(sql, workspaceId, async (tx) => {
    const removed = tx`
      removed_items r where r.workspace_id = ${workspaceId} and r.removal_id = ${removalId}
        and r.removed_at > ${undoLimit(now)}`;
    const [counted] = await tx<{ all: number }[]>`select count(*)::int as all from ${removed}`;
    if (!counted || counted.all === 0) return null;
    const restored = await tx<{ item_id: string }[]>`
      insert into tracked_items
      select i.* from ${tx`(select r.* from ${removed} order by r.item_id
          limit greatest(0, ${limit} - (select count(*) from tracked_items where workspace_id = ${workspaceId})))`} r
      cross join lateral jsonb_populate_record(null::tracked_items, r.rows->'item' || jsonb_build_object('list_id', (
        select list_id from tracking_lists l where l.workspace_id = r.workspace_id
          and l.list_id = (r.rows->'item'->>'list_id')::uuid))) i
      on conflict do nothing
      returning item_id`;
    const ids = restored.map(({ item_id }) => item_id);
    // `rows` has null for a table in which the item had no rows.
    const kept = (table: string) => tx`
      from removed_items r
      cross join lateral jsonb_populate_recordset(null::${tx(table)}, coalesce(nullif(r.rows->${table}::text, 'null'), '[]')) k
      where r.workspace_id = ${workspaceId} and r.item_id = any(${ids}::uuid[])`;
    await tx`insert into check_attempts select k.* ${kept('check_attempts')}`;
    await tx`insert into item_pictures select k.* ${kept('item_pictures')}`;
    await tx`
      insert into campaign_items select k.* ${kept('campaign_items')}
        and exists (select from campaigns c where c.workspace_id = ${workspaceId} and c.campaign_id = k.campaign_id)`;
    await tx`delete from removed_items where workspace_id = ${workspaceId} and item_id = any(${ids}::uuid[])`;
    return { restored: ids.length, left: counted.all - ids.length };
  });
}

/**
 * Deletes the kept data and the observations of items whose removal can no longer be undone. Returns the number of
 * items.
 */
export async function deleteRemovedItems(sql: Sql, now: Date): Promise<number> {
  const [row] = await sql<{ items: number }[]>`
    with ended as (
      delete from removed_items where removed_at <= ${undoLimit(now)} returning workspace_id, item_id
    ), deleted as (
      delete from observations o using ended e where o.workspace_id = e.workspace_id and o.item_id = e.item_id
    ), deleted_months as (
      delete from observation_months m using ended e where m.workspace_id = e.workspace_id and m.item_id = e.item_id
    )
    select count(*)::int as items from ended`;
  return row?.items ?? 0;
}
