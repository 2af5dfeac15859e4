import type { Sql } from 'postgres';
import { removePendingLinks } from '../accounts/pending-links.ts';
import { inTransaction } from '../transaction.ts';

/** The data of a workspace, shown before it is deleted. */
export interface Holdings {
  keys: number;
  tracked_items: number;
  observations: number;
  campaigns: number;
  reports: number;
  batches: number;
  webhooks: number;
}

/** Counts the data that is lost when the workspace is deleted; null when it does not exist. */
export async function readHoldings(sql: Sql, workspaceId: string, now: Date): Promise<Holdings | null> {
  const [row] = await sql<Holdings[]>`
    select
      (select count(*) from api_keys where workspace_id = w.workspace_id and revoked_at is null
        and (expires_at is null or expires_at > ${now})) as keys,
      (select count(*) from tracked_items where workspace_id = w.workspace_id) as tracked_items,
      (select count(*) from observations where workspace_id = w.workspace_id) as observations,
      (select count(*) from campaigns where workspace_id = w.workspace_id) as campaigns,
      (select count(*) from reports where workspace_id = w.workspace_id) as reports,
      (select count(*) from batches where workspace_id = w.workspace_id) as batches,
      (select count(*) from webhook_endpoints where workspace_id = w.workspace_id) as webhooks
    from workspaces w where w.workspace_id = ${workspaceId}`;
  return row ?? null;
}

/**
 * Deletes a workspace with all its data, and its members who belong to no other workspace, in one transaction. Returns false when
 * it does not exist.
 */
export function deleteWorkspace(sql: Sql, workspaceId: string): Promise<boolean> {
  return inTransaction(sql, async (tx) => {
    await lockRunningWork(tx, workspaceId);
    const users = await tx<{ id: string; email: string }[]>`
      select u.id, u.email from members m join auth_users u on u.id = m.user_id
      where m.workspace_id = ${workspaceId} and not exists (
        select from members o where o.user_id = m.user_id and o.workspace_id <> m.workspace_id)`;
    const deleted = await tx`delete from workspaces where workspace_id = ${workspaceId} returning workspace_id`;
    // Observations have no foreign key. Those of checks that ran until the items were locked are visible now.
    await tx`delete from observations where workspace_id = ${workspaceId}`;
    for (const user of users) await deleteUser(tx, user);
    return deleted.length === 1;
  });
}

// Checks, batches and charges lock in this order, and then the workspace by foreign key. Another order would cause deadlocks.
async function lockRunningWork(tx: Sql, workspaceId: string): Promise<void> {
  await tx`select from tracked_items where workspace_id = ${workspaceId} order by item_id for update`;
  await tx`
    select from batch_rows where workspace_id = ${workspaceId} and status is null order by batch_id, row_no for update`;
  await tx`select from credit_balances where workspace_id = ${workspaceId} for update`;
  await tx`select from work_settings where workspace_id = ${workspaceId} for update`;
  await tx`select from api_keys where workspace_id = ${workspaceId} order by key_id for update`;
}

/** Deletes a user. Sessions, passwords and grants are deleted by foreign key; sent links have only the user's id or email address. */
async function deleteUser(tx: Sql, user: { id: string; email: string }): Promise<void> {
  await removePendingLinks(tx, user);
  await tx`delete from auth_users where id = ${user.id}`;
}
