import type { Sql } from 'postgres';
import { creditsUsed } from '../calendar.ts';
import { combineByWorkspace } from '../distribution/combine-by-workspace.ts';
import { tableOf } from '../distribution/one-workspace.ts';
import { clockDifferenceMs } from '../durations.ts';
import { newId } from '../ids.ts';
import { alone } from '../transaction.ts';
import { type ClaimedItem, type ClaimRequest, creditsPerCheck, type NotClaimed, requestRows } from './checks.ts';

/**
 * Returns a function that says why a reserved check must not call the platform any more; null when it may. A check can
 * wait for minutes after it was reserved. Concurrent calls share one statement.
 */
export function createStopReasons(sql: Sql, apart: Sql = sql): (request: ClaimRequest) => Promise<NotClaimed | null> {
  return combineByWorkspace({ sql, apart }, stopReasons, { slots: 2, max_calls: 500 });
}

async function stopReasons(
  sql: Sql,
  requests: ClaimRequest[],
  workspace: string | null,
): Promise<(NotClaimed | null)[]> {
  const now = requests[0]?.now ?? new Date(0);
  const rows = await sql<{ reason: NotClaimed | null }[]>`
    with requested as materialized (${requestRows(sql, requests)})
    select case
        when i.item_id is null then 'unknown'
        when i.attempt_id is distinct from r.attempt_id then 'too_early'
        when i.status = 'paused' then 'paused'
        when s.paused then 'workspace_paused'
        when ${creditsPerCheck} > s.monthly_cap - ${creditsUsed(sql, 's', now)} then 'cap_reached'
        when ${creditsPerCheck} > b.balance then 'no_credits'
      end as reason
    from requested r
    left join ${tableOf(sql, 'tracked_items', workspace)} i on i.workspace_id = r.workspace_id and i.item_id = r.item_id
    left join ${tableOf(sql, 'work_settings', workspace)} s on s.workspace_id = r.workspace_id
    left join ${tableOf(sql, 'credit_balances', workspace)} b on b.workspace_id = r.workspace_id
    order by r.position`;
  return rows.map(({ reason }) => reason);
}

/**
 * Ends the reservation of a check that did not call the platform, so that the item can be checked at any time. This is
 * also true for an item that was removed while the check waited, when it is added again.
 */
export async function releaseClaim(sql: Sql, claimed: ClaimedItem, attemptId: string): Promise<void> {
  const { workspace_id, item_id, previous_attempt_at } = claimed;
  const { count } = await sql`
    update tracked_items set attempt_id = null, last_attempt_at = ${previous_attempt_at}
    where workspace_id = ${workspace_id} and item_id = ${item_id} and attempt_id = ${attemptId}`;
  // A check that continues an interrupted one may have called the platform before it was interrupted.
  if (count === 0 && !claimed.continues) await forgetReservation(sql, claimed);
}

/**
 * Deletes the reservation time of a removed item, which was kept as the time of its last check. If the item was added
 * again in the meantime, deletes the time from the new item, too.
 */
function forgetReservation(sql: Sql, claimed: ClaimedItem): Promise<unknown> {
  const { workspace_id, item_id, platform, kind, identifier, reserved_at } = claimed;
  const isReservation = sql`workspace_id = ${workspace_id} and platform = ${platform} and kind = ${kind}
    and identifier = ${identifier} and last_attempt_at = ${reserved_at}`;
  // Without the lock, the item could be added at the same time with the time that is deleted here.
  return alone(
    sql,
    workspace_id,
    (tx) => tx`
      with forgotten as (delete from removed_attempts where ${isReservation})
      update tracked_items set last_attempt_at = null
      where ${isReservation} and item_id <> ${item_id} and attempt_id is null`,
  );
}

interface Skip {
  workspace_id: string;
  item_id: string;
  /** `SKIPPED_` followed by the cause, such as a pause. */
  outcome: string;
  now: Date;
  /** Time until which the schedule ignores the item. */
  retry_at: Date;
}

/**
 * Stores why a due item was not checked, at most once in 24 hours for each cause. The schedule then ignores the item
 * until `retry_at`.
 */
export async function recordSkip(sql: Sql, skip: Skip): Promise<void> {
  await sql`
    with postponed as (
      update tracked_items set retry_at = ${skip.retry_at}
      where workspace_id = ${skip.workspace_id} and item_id = ${skip.item_id} returning workspace_id, item_id
    )
    insert into check_attempts (workspace_id, item_id, attempt_id, attempted_at, trigger, outcome, credits)
    select workspace_id, item_id, ${newId(skip.now)}::uuid, ${skip.now}, 'scheduled', ${skip.outcome}, 0 from postponed
    where not exists (
      select from check_attempts where workspace_id = ${skip.workspace_id} and item_id = ${skip.item_id}
        and outcome = ${skip.outcome} and attempted_at > ${skip.now}::timestamptz - interval '24 hours'
        and attempted_at <= ${new Date(skip.now.getTime() + clockDifferenceMs)})`;
}
