import type { Sql } from 'postgres';
import { byWorkspace, inWorkspace } from '../distribution/one-workspace.ts';

export interface AttemptKey {
  workspace_id: string;
  item_id: string;
  attempt_id: string;
}

/** A stored tracking check for which webhook endpoints of its workspace get an event. */
interface AttemptNotification extends AttemptKey {
  outcome: string;
  credits: number;
}

/**
 * Returns the given tracking checks that are stored and were not skipped. Leaves out checks of workspaces without an
 * active webhook endpoint that is subscribed to `event`.
 */
export async function attemptNotifications(
  sql: Sql,
  event: string,
  attempts: readonly AttemptKey[],
): Promise<AttemptNotification[]> {
  const groups = byWorkspace(sql, attempts);
  const found = await Promise.all(groups.map(({ items, workspace }) => notificationsOf(sql, event, items, workspace)));
  return found.flat();
}

// `limit 1` makes PostgreSQL use the primary key for each check, even with a plan from a time when the table was small.
async function notificationsOf(
  sql: Sql,
  event: string,
  attempts: readonly AttemptKey[],
  workspace: string | null,
): Promise<AttemptNotification[]> {
  return sql<AttemptNotification[]>`
    select a.workspace_id, a.item_id, a.attempt_id, a.outcome, a.credits
    from unnest(${attempts.map((key) => key.workspace_id)}::uuid[], ${attempts.map((key) => key.item_id)}::uuid[],
      ${attempts.map((key) => key.attempt_id)}::uuid[]) as k (workspace_id, item_id, attempt_id)
    cross join lateral (
      select * from check_attempts a where a.workspace_id = k.workspace_id and a.item_id = k.item_id
        and a.attempt_id = k.attempt_id${inWorkspace(sql, 'a', workspace)} limit 1
    ) a
    where a.outcome not like 'SKIPPED%' and exists (
      select from webhook_endpoints e
      where e.workspace_id = a.workspace_id${inWorkspace(sql, 'e', workspace)} and e.disabled_at is null and ${event} = any(e.events))`;
}
