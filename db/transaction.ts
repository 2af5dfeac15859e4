import type { Sql } from 'postgres';
import { inheritDistribution } from './distribution/distributed.ts';

/**
 * Runs `work` in a transaction that locks the workspace, so that no other `alone` call for this workspace runs at the
 * same time. `work` can therefore count rows to enforce a limit. Counting within a single statement is not enough: a
 * statement that has waited for a lock does not see rows that were committed while it waited.
 */
export async function alone<T>(sql: Sql, workspaceId: string, work: (tx: Sql) => Promise<T>): Promise<T> {
  return inTransaction(sql, async (tx) => {
    await lockWorkspace(tx, workspaceId);
    return work(tx);
  });
}

/**
 * Locks a workspace until the transaction ends, as {@link alone} does. Must be called before statements that lock other
 * rows of the workspace.
 */
export async function lockWorkspace(tx: Sql, workspaceId: string): Promise<void> {
  await tx`select from workspaces where workspace_id = ${workspaceId} for no key update`;
}

/** Runs `work` in one transaction. The transaction is rolled back when `work` throws. */
export async function inTransaction<T>(sql: Sql, work: (tx: Sql) => Promise<T>): Promise<T> {
  // postgres.js uses a different type for transactions, but both types accept the same queries.
  return (await sql.begin((tx) => work(inheritDistribution(sql, tx as unknown as Sql)))) as T;
}
