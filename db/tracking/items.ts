import type { Fragment, Sql } from 'postgres';
import { deleteOld } from '../delete-old.ts';
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

interface NewItem {
  platform: string;
  kind: string;
  url: string;
  identifier: string;
  list_id?: string | null;
}

/**
 * The result of adding a tracked item: `added`, `known` when the workspace already tracks it, or `full` when the tier
 * allows no more items.
 */
type Added = { outcome: 'added' | 'known'; item_id: string } | { outcome: 'full' };

/**
 * Adds a tracked item to a workspace that has fewer than `limit` items. An item that was removed in the last 24 hours
 * keeps the time of its last check.
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

/** Returns the number of tracked items of a workspace. */
export async function countItems(sql: Sql, workspaceId: string): Promise<number> {
  const [row] = await sql<{ items: number }[]>`
    select count(*)::int as items from tracked_items where workspace_id = ${workspaceId}`;
  return row?.items ?? 0;
}

/** Number of minutes in a day. The first checks of all items are spread over these minutes. */
const minutesPerDay = 1_440;

/**
 * Returns the minute of the day at which the first check of a tracked item is due. The minute never changes for an
 * item, because it is derived from the random part of the id.
 */
function minuteOf(itemId: string): number {
  return Number.parseInt(itemId.slice(-6), 16) % minutesPerDay;
}

/** Returns the tracked items of a workspace, oldest first. With `listId`, returns only the items of that list. */
export async function listItems(sql: Sql, workspaceId: string, listId: string | null = null): Promise<TrackedItem[]> {
  return sql<TrackedItem[]>`
    select * from tracked_items
    where workspace_id = ${workspaceId} and (${listId}::uuid is null or list_id = ${listId}::uuid)
    order by created_at, item_id`;
}

/** Returns one tracked item of a workspace; null when it does not exist. */
export async function findItem(sql: Sql, workspaceId: string, itemId: string): Promise<TrackedItem | null> {
  const [item] = await sql<TrackedItem[]>`
    select * from tracked_items where workspace_id = ${workspaceId} and item_id = ${itemId}`;
  return item ?? null;
}

/** Pauses or resumes the tracking of several items of a workspace. Returns the number of changed items. */
export async function setStatuses(
  sql: Sql,
  workspaceId: string,
  itemIds: readonly string[],
  status: ItemStatus,
): Promise<number> {
  const { count } = await sql`
    with items as materialized (${lockItems(sql, workspaceId, itemIds)})
    update tracked_items set status = ${status}
    where workspace_id = ${workspaceId} and item_id in (select item_id from items)`;
  return count;
}

/** Returns the SQL that locks tracked items in the order of their ids, in which checks lock several items, too. */
export function lockItems(sql: Sql, workspaceId: string, itemIds: readonly string[]): Fragment {
  return sql`
    select item_id from tracked_items where workspace_id = ${workspaceId} and item_id = any(${[...itemIds]}::uuid[])
    order by item_id for no key update`;
}

/**
 * Deletes a tracked item with its checks and observations. Keeps the time of its last check for 24 hours, so that
 * adding the item again does not allow a second check in this time. Returns false when the workspace has no such item.
 */
export async function removeItem(sql: Sql, workspaceId: string, itemId: string): Promise<boolean> {
  return inTransaction(sql, async (tx) => {
    // Waits for the job that moves observations of past months, which locks the item too. The next statement then sees
    // the moved observations.
    await tx`
      select from tracked_items where workspace_id = ${workspaceId} and item_id = ${itemId} for update`;
    const rows = await tx`
      with removed_observations as (delete from observations where workspace_id = ${workspaceId} and item_id = ${itemId}),
      removed_months as (delete from observation_months where workspace_id = ${workspaceId} and item_id = ${itemId}),
      removed as (
        delete from tracked_items where workspace_id = ${workspaceId} and item_id = ${itemId}
        returning workspace_id, item_id, platform, kind, identifier, last_attempt_at
      ), kept_attempts as (${keepAttempts(tx)})
      select item_id from removed`;
    return rows.length === 1;
  });
}

/** Returns the SQL that stores the last check times of the items in the CTE `removed`. */
export function keepAttempts(sql: Sql): Fragment {
  return sql`
    insert into removed_attempts as r (workspace_id, platform, kind, identifier, last_attempt_at)
    select workspace_id, platform, kind, identifier, last_attempt_at from removed where last_attempt_at is not null
    on conflict (workspace_id, platform, kind, identifier)
      do update set last_attempt_at = greatest(r.last_attempt_at, excluded.last_attempt_at)`;
}

/**
 * Deletes the stored check times of removed items when the last check is more than 24 hours ago. Returns the number of
 * deleted rows.
 */
export function deleteRemovedAttempts(sql: Sql, now: Date): Promise<number> {
  return deleteOld(sql, 'removed_attempts', sql`last_attempt_at <= ${now}::timestamptz - interval '24 hours'`);
}

export interface DueItem {
  workspace_id: string;
  item_id: string;
  /**
   * When the check is due: 24 hours after the last check. For a first or interrupted check, this is the current time.
   */
  due_at: Date;
  /** The id of the interrupted check to continue; null for a new check. */
  attempt_id: string | null;
}

/**
 * Returns the tracked items whose check is due by `until`, of workspaces whose tier has daily checks. The first check
 * is due at the item's minute of the day on which the item was added, and each later check 24 hours after the previous
 * one. The result depends only on stored items and checks, so an item that was not processed is returned again by the
 * next call.
 *
 * A scheduled or manual check without a result after ten minutes counts as interrupted and is due again.
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
        then date_trunc('day', least(i.created_at, ${now}::timestamptz), 'UTC')
          + i.check_minute * interval '1 minute' <= ${now}
      else i.last_attempt_at <= ${until}::timestamptz - interval '24 hours' end
    order by i.last_attempt_at nulls first, i.workspace_id, i.item_id
    limit ${maxDue}`;
}

/**
 * Time after which a tracking check without a result counts as interrupted. The job queue gives the check of a killed
 * process to another process earlier than that.
 */
const interruptedAfter = '10 minutes';
/** Maximum number of due items that one call returns. The next call returns the rest. */
const maxDue = 10_000;
