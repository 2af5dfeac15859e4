import type { Sql } from 'postgres';
import type { MissedCheck, Span } from '../campaigns/reports.ts';
import { allObservations } from '../observations/all-observations.ts';
import type { TrackedItem } from './items.ts';

/** A tracked item with its last check, which may have been skipped. */
export interface NotedItem extends TrackedItem {
  retry_at: Date | null;
  /** The id of the check in progress; null when no check is in progress. */
  attempt_id: string | null;
  noted_at: Date | null;
  outcome: string | null;
  message: string | null;
}

/**
 * Returns the tracked items of a workspace, oldest first, each with its last check. With `itemId`, returns only that
 * item.
 */
export async function notedItems(sql: Sql, workspaceId: string, itemId: string | null = null): Promise<NotedItem[]> {
  return sql<NotedItem[]>`
    select i.*, a.attempted_at as noted_at, a.outcome, a.message
    from tracked_items i
    left join lateral (
      select attempted_at, outcome, message from check_attempts
      where workspace_id = i.workspace_id and item_id = i.item_id order by attempt_id desc limit 1
    ) a on true
    where i.workspace_id = ${workspaceId} and (${itemId}::uuid is null or i.item_id = ${itemId}::uuid)
    order by i.created_at, i.item_id`;
}

/** Returns the last failed or skipped check of a tracked item on each UTC day of a period. */
export async function missedChecksOf(
  sql: Sql,
  workspaceId: string,
  itemId: string,
  { from, to }: Span,
): Promise<MissedCheck[]> {
  return sql<MissedCheck[]>`
    select distinct on (date_trunc('day', attempted_at, 'UTC')) item_id, attempted_at, outcome
    from check_attempts
    where workspace_id = ${workspaceId} and item_id = ${itemId} and attempted_at >= ${from} and attempted_at < ${to}
      and outcome <> 'OK'
    order by date_trunc('day', attempted_at, 'UTC'), attempted_at desc, attempt_id desc`;
}

export interface Attempt {
  attempt_id: string;
  attempted_at: Date;
  trigger: 'scheduled' | 'manual';
  /** The result of the check: `OK`, an error code, or `SKIPPED_` and the cause. */
  outcome: string;
  credits: number;
  duration_ms: number | null;
  message: string | null;
}

/** Returns the checks of a tracked item, newest first. With `before`, returns only older ones. */
export async function attemptsOf(
  sql: Sql,
  workspaceId: string,
  itemId: string,
  { before, limit }: { before: string | null; limit: number },
): Promise<Attempt[]> {
  return sql<Attempt[]>`
    select attempt_id, attempted_at, trigger, outcome, credits, duration_ms, message from check_attempts
    where workspace_id = ${workspaceId} and item_id = ${itemId}
      and (${before}::uuid is null or attempt_id < ${before}::uuid)
    order by attempt_id desc limit ${limit}`;
}

/** The data that is lost when a tracked item is removed, shown before the removal. */
interface ItemDependents {
  observations: number;
  /** Names of the campaigns that the tracked item belongs to. */
  campaigns: string[];
}

/**
 * Returns the campaigns of a tracked item and the number of its observations. Both are lost when the item is removed.
 */
export async function itemDependents(sql: Sql, workspaceId: string, itemId: string): Promise<ItemDependents> {
  const [row] = await sql<ItemDependents[]>`
    select
      (select count(*)::int from ${allObservations(sql, null)} o
        where workspace_id = ${workspaceId} and item_id = ${itemId}) as observations,
      array(select c.name from campaign_items i
        join campaigns c on c.workspace_id = i.workspace_id and c.campaign_id = i.campaign_id
        where i.workspace_id = ${workspaceId} and i.item_id = ${itemId} order by c.name) as campaigns`;
  return row ?? { observations: 0, campaigns: [] };
}
