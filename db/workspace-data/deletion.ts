import type { Fragment, Sql } from 'postgres';
import { belongsTo, isValid } from '../accounts/key-conditions.ts';
import { removePendingLinks } from '../accounts/pending-links.ts';
import { isDistributed } from '../distribution/distributed.ts';
import { sequentially } from '../distribution/steps.ts';
import { allObservations } from '../observations/all-observations.ts';
import { inTransaction, lockWorkspace } from '../transaction.ts';

/** Numbers of keys, items, reports and other contents of a workspace, shown to the user before the deletion. */
export interface Holdings {
  keys: number;
  tracked_items: number;
  observations: number;
  campaigns: number;
  reports: number;
  batches: number;
  webhooks: number;
}

/**
 * Returns how many keys, items, reports and other contents are lost when the workspace is deleted; null when it does
 * not exist.
 */
export async function readHoldings(sql: Sql, workspaceId: string, now: Date): Promise<Holdings | null> {
  const [row] = await sql<Holdings[]>`
    select
      (select count(*) from api_keys where workspace_id = w.workspace_id
        and ${isValid(sql, 'api_keys', now)} and not ${belongsTo(sql, 'data_links')}) as keys,
      (select count(*) from tracked_items where workspace_id = w.workspace_id) as tracked_items,
      (select count(*) from ${allObservations(sql, null)} o where workspace_id = ${workspaceId}) as observations,
      (select count(*) from campaigns where workspace_id = w.workspace_id) as campaigns,
      (select count(*) from reports where workspace_id = w.workspace_id) as reports,
      (select count(*) from batches where workspace_id = w.workspace_id) as batches,
      (select count(*) from webhook_endpoints where workspace_id = w.workspace_id) as webhooks
    from workspaces w where w.workspace_id = ${workspaceId}`;
  return row ?? null;
}

/**
 * Maximum number of rows that one SQL statement deletes, so that the statement holds its locks for only a few
 * milliseconds.
 */
const portion = 5_000;
/**
 * Tables in which a workspace can have many rows. Ledger entries are deleted newest first, so that the remaining entry
 * numbers have no gaps.
 */
const largeTables = [
  { table: 'ledger_entries', key: ['entry_no'], order: 'desc' },
  { table: 'observations', key: ['item_id', 'observed_at'], order: 'asc' },
  { table: 'observation_months', key: ['item_id', 'month'], order: 'asc' },
  { table: 'item_pictures', key: ['item_id'], order: 'asc' },
  { table: 'check_attempts', key: ['item_id', 'attempt_id'], order: 'asc' },
  { table: 'batch_rows', key: ['batch_id', 'row_no'], order: 'asc' },
  { table: 'webhook_deliveries', key: ['delivery_id'], order: 'asc' },
  { table: 'notifications', key: ['notification_id'], order: 'asc' },
  { table: 'alerts', key: ['alert_id'], order: 'asc' },
  { table: 'audit_entries', key: ['entry_id'], order: 'asc' },
  { table: 'replays', key: ['mode', 'idempotency_key'], order: 'asc' },
] as const;

/**
 * Tables with rows that other transactions lock before they lock the workspace. Their rows are deleted after the rows
 * of the large tables, because many of those refer to them.
 */
const lockedTables = [
  { table: 'usage', key: ['day', 'key_id', 'route', 'outcome'], order: 'asc' },
  { table: 'tracked_items', key: ['item_id'], order: 'asc' },
  { table: 'removed_items', key: ['item_id'], order: 'asc' },
  { table: 'removed_attempts', key: ['platform', 'kind', 'identifier'], order: 'asc' },
  { table: 'batches', key: ['batch_id'], order: 'asc' },
  { table: 'alert_rules', key: ['rule_id'], order: 'asc' },
  { table: 'webhook_endpoints', key: ['endpoint_id'], order: 'asc' },
  { table: 'purchases', key: ['payment_id'], order: 'asc' },
] as const;

/**
 * Tables with everything that gives access to a workspace (keys, members, links), and tables with scheduled work. The
 * deletion of a workspace begins with these tables. `session_workspaces` comes before `members`, because the deletion
 * of a user uses the same order.
 */
const accessTables = [
  'data_links',
  'api_keys',
  'session_workspaces',
  'members',
  'invitations',
  'connections',
  'report_shares',
  'work_settings',
  'sheet_targets',
  'sheet_imports',
  'alert_recipients',
] as const;

/**
 * Deletes a workspace with all its data. Also deletes its members who belong to no other workspace. Returns false when
 * the workspace does not exist.
 *
 * One transaction first deletes everything that gives access to the workspace (keys, members, connections, links) and
 * its scheduled work. Then the rest is deleted in portions. If the process stops before the end,
 * {@link finishDeletions} deletes the remaining rows, which no one can read.
 */
export async function deleteWorkspace(sql: Sql, workspaceId: string): Promise<boolean> {
  const existed = await inTransaction(sql, (tx) => closeWorkspace(tx, workspaceId));
  if (existed) await deleteRest(sql, workspaceId);
  return existed;
}

/**
 * Completes interrupted deletions of workspaces and returns their number. A workspace without a row in
 * `credit_balances` is one that is being deleted.
 */
export async function finishDeletions(sql: Sql): Promise<number> {
  const rows = await sql<{ workspace_id: string }[]>`
    select workspace_id from workspaces w
    where not exists (select from credit_balances b where b.workspace_id = w.workspace_id)`;
  for (const { workspace_id } of rows) await deleteRest(sql, workspace_id);
  return rows.length;
}

async function closeWorkspace(tx: Sql, workspaceId: string): Promise<boolean> {
  // Makes Citus use one connection to each node. Citus requires this, because every node has a copy of the users, and
  // the other statements of this transaction use several nodes.
  if (isDistributed(tx)) await sequentially(tx);
  // Waits for transactions that lock the workspace first and then its members or message recipients.
  await lockWorkspace(tx, workspaceId);
  await lockRunningWork(tx, workspaceId);
  const users = await membersOfNoOther(tx, workspaceId);
  const closed = await tx`delete from credit_balances where workspace_id = ${workspaceId} returning workspace_id`;
  // Deletes the users and their sessions before the connections and their tokens, because a sign-out also locks a
  // session before its tokens.
  for (const user of users) await deleteUser(tx, user);
  for (const table of accessTables) await tx`delete from ${tx(table)} where workspace_id = ${workspaceId}`;
  return closed.length === 1;
}

/**
 * Returns the members of a workspace who belong to no other workspace, not counting sample workspaces. Returns no one
 * when the workspace itself is a sample, because a user may delete sample data without losing the account.
 */
async function membersOfNoOther(tx: Sql, workspaceId: string): Promise<{ id: string; email: string }[]> {
  if (!isDistributed(tx)) {
    return tx`
      select u.id, u.email from members m
      join auth_users u on u.id = m.user_id
      join workspaces w on w.workspace_id = m.workspace_id and not w.sample
      where m.workspace_id = ${workspaceId} and not exists (
        select from members o join workspaces other on other.workspace_id = o.workspace_id and not other.sample
        where o.user_id = m.user_id and o.workspace_id <> m.workspace_id)`;
  }
  const users = await tx<{ id: string; email: string }[]>`
    select u.id, u.email from members m
    join auth_users u on u.id = m.user_id
    join workspaces w on w.workspace_id = m.workspace_id and not w.sample
    where m.workspace_id = ${workspaceId}`;
  const others = await tx<{ user_id: string }[]>`
    select o.user_id from members o join workspaces other on other.workspace_id = o.workspace_id and not other.sample
    where o.user_id = any(${users.map(({ id }) => id)}::text[]) and o.workspace_id <> ${workspaceId}`;
  return users.filter(({ id }) => !others.some(({ user_id }) => user_id === id));
}

// Deletes the contents of a workspace before the workspace itself. Deleting both at once could deadlock: the statement
// would lock the workspace first and then wait for rows that other transactions have locked, while these transactions
// wait for the workspace.
async function deleteRest(sql: Sql, workspaceId: string): Promise<void> {
  // Skips rows that another transaction has locked. Skipped rows are deleted later together with the row that they
  // reference.
  for (const table of largeTables) await deleteRows(sql, workspaceId, table, sql`skip locked`);
  // Waits for locked rows, and locks the rows in the order of their keys, as other transactions do.
  for (const table of lockedTables) await deleteRows(sql, workspaceId, table, sql``);
  await sql`delete from workspaces where workspace_id = ${workspaceId}`;
  // Deletes observations of checks that were still running when the tracked items were deleted. Nothing else deletes
  // them, because `observations` has no foreign key.
  await sql`delete from observations where workspace_id = ${workspaceId}`;
}

interface DeletedTable {
  table: string;
  key: readonly string[];
  order: 'asc' | 'desc';
}

async function deleteRows(sql: Sql, workspaceId: string, deleted: DeletedTable, wait: Fragment): Promise<void> {
  const { table, key, order } = deleted;
  const sorted = sql.unsafe(key.map((column) => `${column} ${order}`).join(', '));
  // Continues while a statement deletes a whole portion. A statement can delete more than that, because the same
  // physical address exists in several partitions.
  for (let count: number = portion; count >= portion; ) {
    // Selects the rows to delete by physical address (`ctid`). With outdated statistics, PostgreSQL could plan a join
    // by key that reads the whole table for each row.
    ({ count } = await sql`
      delete from ${sql(table)} where workspace_id = ${workspaceId} and ctid = any(array(
        select ctid from ${sql(table)} where workspace_id = ${workspaceId}
        order by ${sorted} limit ${portion} for update ${wait}))`);
  }
}

// Locks the running work of a workspace in the same order as checks, batches, charges and the revocation of data links.
// A different order would cause deadlocks.
async function lockRunningWork(tx: Sql, workspaceId: string): Promise<void> {
  await tx`select from tracked_items where workspace_id = ${workspaceId} order by item_id for update`;
  await tx`
    select from batch_rows where workspace_id = ${workspaceId} and status is null order by batch_id, row_no for update`;
  await tx`select from sheet_imports where workspace_id = ${workspaceId} order by import_id for update`;
  await tx`select from credit_balances where workspace_id = ${workspaceId} for update`;
  await tx`select from work_settings where workspace_id = ${workspaceId} for update`;
  await tx`select from data_links where workspace_id = ${workspaceId} order by link_id for update`;
  await tx`select from api_keys where workspace_id = ${workspaceId} order by key_id for update`;
}

/**
 * Deletes a user. Foreign keys delete the user's sessions, passwords and OAuth consents. Emailed links and codes are
 * deleted separately, because they have no foreign key.
 */
async function deleteUser(tx: Sql, user: { id: string; email: string }): Promise<void> {
  await removePendingLinks(tx, user);
  await tx`delete from auth_users where id = ${user.id}`;
}
