import type { Sql } from 'postgres';
import { newId } from '../ids.ts';
import type { Tier } from '../tier.ts';
import { alone, inTransaction } from '../transaction.ts';

export type ItemStatus = 'active' | 'paused';

export interface TrackedItem {
  workspace_id: string;
  item_id: string;
  platform: string;
  kind: string;
  url: string;
  identifier: string;
  platform_id: string | null;
  name: string | null;
  list_id: string | null;
  status: ItemStatus;
  identity_changed: boolean;
  check_minute: number;
  last_attempt_at: Date | null;
  created_at: Date;
}

export interface NewItem {
  platform: string;
  kind: string;
  url: string;
  identifier: string;
  list_id?: string | null;
}

/** The result of adding an item: `added`, `known` when the workspace already tracks it, or `full` when the tier allows no more items. */
export type Added = { outcome: 'added' | 'known'; item_id: string } | { outcome: 'full' };

/**
 * Adds an item when the workspace has fewer than `limit` items. An item that was removed in the last 24 hours keeps the
 * time of its last check.
 */
export async function addItem(sql: Sql, workspaceId: string, item: NewItem, limit: number): Promise<Added> {
  const itemId = newId();
  const [row] = await alone(
    sql,
    workspaceId,
    (tx) => tx<{ item_id: string; known: boolean }[]>`
    with known as (
      select item_id from tracked_items where workspace_id = ${workspaceId} and platform = ${item.platform}
        and kind = ${item.kind} and identifier = ${item.identifier}
    ), added as (
      insert into tracked_items as made
        (workspace_id, item_id, platform, kind, url, identifier, list_id, check_minute, last_attempt_at)
      select ${workspaceId}::uuid, ${itemId}::uuid, ${item.platform}, ${item.kind}, ${item.url}, ${item.identifier},
        ${item.list_id ?? null}::uuid, ${minuteOf(itemId)}::smallint,
        (select last_attempt_at from removed_attempts where workspace_id = ${workspaceId}
          and platform = ${item.platform} and kind = ${item.kind} and identifier = ${item.identifier})
      where not exists (select from known)
        and (select count(*) from tracked_items where workspace_id = ${workspaceId}) < ${limit}
      returning made.item_id
    )
    select item_id, true as known from known union all select item_id, false from added`,
  );
  if (!row) return { outcome: 'full' };
  return { outcome: row.known ? 'known' : 'added', item_id: row.item_id };
}

/** Number of minutes in a day. The first checks of all items are spread over them. */
const minutesPerDay = 1_440;

/**
 * Returns the minute of the day for an item's first check. The minute comes from the random part of the id, so it is
 * always the same for an id.
 */
function minuteOf(itemId: string): number {
  return Number.parseInt(itemId.slice(-6), 16) % minutesPerDay;
}

/** Returns the items of a workspace, oldest first. With `listId`, only the items of that list. */
export async function listItems(sql: Sql, workspaceId: string, listId: string | null = null): Promise<TrackedItem[]> {
  return sql<TrackedItem[]>`
    select * from tracked_items
    where workspace_id = ${workspaceId} and (${listId}::uuid is null or list_id = ${listId}::uuid)
    order by created_at, item_id`;
}

/** Returns one item of a workspace; null when it does not exist. */
export async function findItem(sql: Sql, workspaceId: string, itemId: string): Promise<TrackedItem | null> {
  const [item] = await sql<TrackedItem[]>`
    select * from tracked_items where workspace_id = ${workspaceId} and item_id = ${itemId}`;
  return item ?? null;
}

/** Pauses or resumes an item; returns false when the workspace has no such item. */
export async function setItemStatus(
  sql: Sql,
  workspaceId: string,
  itemId: string,
  status: ItemStatus,
): Promise<boolean> {
  const rows = await sql`
    update tracked_items set status = ${status} where workspace_id = ${workspaceId} and item_id = ${itemId}
    returning item_id`;
  return rows.length === 1;
}

/**
 * Removes an item with its checks and observations. The time of its last check is kept for 24 hours, so that adding it again
 * does not allow a second check.
 */
export async function removeItem(sql: Sql, workspaceId: string, itemId: string): Promise<boolean> {
  return inTransaction(sql, async (tx) => {
    // The job that moves observations of past months holds this lock. The next statement then sees the moved ones.
    await tx`
      select from tracked_items where workspace_id = ${workspaceId} and item_id = ${itemId} for update`;
    const rows = await tx`
      with removed_observations as (delete from observations where workspace_id = ${workspaceId} and item_id = ${itemId}),
      removed_months as (delete from observation_months where workspace_id = ${workspaceId} and item_id = ${itemId}),
      removed as (
        delete from tracked_items where workspace_id = ${workspaceId} and item_id = ${itemId}
        returning workspace_id, item_id, platform, kind, identifier, last_attempt_at
      ), kept_attempts as (
        insert into removed_attempts as r (workspace_id, platform, kind, identifier, last_attempt_at)
        select workspace_id, platform, kind, identifier, last_attempt_at from removed where last_attempt_at is not null
        on conflict (workspace_id, platform, kind, identifier)
          do update set last_attempt_at = greatest(r.last_attempt_at, excluded.last_attempt_at)
      )
      select item_id from removed`;
    return rows.length === 1;
  });
}

/** Deletes the times of removed items' last checks that are older than 24 hours at `now`; returns their number. */
export async function deleteRemovedAttempts(sql: Sql, now: Date): Promise<number> {
  const { count } = await sql`
    delete from removed_attempts where last_attempt_at <= ${now}::timestamptz - interval '24 hours'`;
  return count;
}

export interface TrackingList {
  list_id: string;
  name: string;
  items: number;
}

/** Creates a list; returns its id, or null when the workspace already has `limit` lists. */
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

/** Returns the lists of a workspace with their numbers of items, oldest first. */
export async function listLists(sql: Sql, workspaceId: string): Promise<TrackingList[]> {
  return sql<TrackingList[]>`
    select l.list_id, l.name, count(i.item_id)::int as items
    from tracking_lists l left join tracked_items i on i.workspace_id = l.workspace_id and i.list_id = l.list_id
    where l.workspace_id = ${workspaceId} group by l.list_id, l.name, l.created_at order by l.created_at`;
}

/** Moves an item into a list of the same workspace; null removes it from its list. */
export async function moveItem(sql: Sql, workspaceId: string, itemId: string, listId: string | null): Promise<boolean> {
  const rows = await sql`
    update tracked_items set list_id = ${listId}::uuid
    where workspace_id = ${workspaceId} and item_id = ${itemId}
      and (${listId}::uuid is null
        or exists (select from tracking_lists where workspace_id = ${workspaceId} and list_id = ${listId}::uuid))
    returning item_id`;
  return rows.length === 1;
}

/** Removes a list. Its items stay and then belong to no list. */
export async function removeList(sql: Sql, workspaceId: string, listId: string): Promise<boolean> {
  const rows = await sql`
    with unlisted as (
      update tracked_items set list_id = null where workspace_id = ${workspaceId} and list_id = ${listId}
    )
    delete from tracking_lists where workspace_id = ${workspaceId} and list_id = ${listId} returning list_id`;
  return rows.length === 1;
}

export interface DueItem {
  workspace_id: string;
  item_id: string;
  /** 24 hours after the last check; the current time for a first or an interrupted check. */
  due_at: Date;
  /** Id of the interrupted check to continue; null for a new check. */
  attempt_id: string | null;
}

/**
 * Returns the items whose check is due by `until`, in tiers with daily checks. The first check is due at the item's
 * minute of the day, later checks 24 hours after the last check. The result depends only on stored checks, so that the
 * next scheduled call also returns items that an earlier call missed. A check (also a manual one) that has no result
 * after ten minutes was interrupted, and is due.
 */
export async function dueItems(sql: Sql, now: Date, until: Date, checkedTiers: readonly Tier[]): Promise<DueItem[]> {
  return sql<DueItem[]>`
    select i.workspace_id, i.item_id, i.attempt_id,
      case when i.attempt_id is null then coalesce(i.last_attempt_at + interval '24 hours', ${now}::timestamptz)
        else ${now}::timestamptz end as due_at
    from tracked_items i
    join workspaces w on w.workspace_id = i.workspace_id
    where case
      when i.attempt_id is not null then i.last_attempt_at <= ${now}::timestamptz - ${interruptedAfter}::interval
      when i.status <> 'active' or w.sample or i.retry_at > ${now} or w.tier <> all(${[...checkedTiers]}::text[]) then false
      when i.last_attempt_at is null
        then date_trunc('day', ${now}::timestamptz, 'UTC') + i.check_minute * interval '1 minute' <= ${now}
      else i.last_attempt_at <= ${until}::timestamptz - interval '24 hours' end
    order by i.last_attempt_at nulls first, i.workspace_id, i.item_id
    limit ${maxDue}`;
}

/** Time after which a check without a result counts as interrupted. The queue needs less time to give the check to another process. */
const interruptedAfter = '10 minutes';
/** Maximum number of items that one call returns. The next call returns the other items. */
const maxDue = 10_000;
