import type { Sql } from 'postgres';
import { creditsUsed } from '../calendar.ts';
import { combineByWorkspace } from '../distribution/combine-by-workspace.ts';
import { tableOf } from '../distribution/one-workspace.ts';
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

/** Ends the reservation of a check that did not call the platform, so that the item can be checked at any time. */
export async function releaseClaim(sql: Sql, claimed: ClaimedItem, attemptId: string): Promise<void> {
  const { workspace_id, item_id, previous_attempt_at } = claimed;
  await sql`
    update tracked_items set attempt_id = null, last_attempt_at = ${previous_attempt_at}
    where workspace_id = ${workspace_id} and item_id = ${item_id} and attempt_id = ${attemptId}`;
}
