import type { Sql } from 'postgres';

/**
 * Runs `work` in a transaction that locks the workspace, so that no other `alone` call changes what it counts. Counting inside one
 * statement cannot enforce a limit, because a statement that waited for a lock still counts as of its beginning.
 */
export async function alone<T>(sql: Sql, workspaceId: string, work: (tx: Sql) => Promise<T>): Promise<T> {
  return inTransaction(sql, async (tx) => {
    await tx`select from workspaces where workspace_id = ${workspaceId} for no key update`;
    return work(tx);
  });
}

/** Runs `work` in one transaction, which is rolled back when `work` throws. */
export async function inTransaction<T>(sql: Sql, work: (tx: Sql) => Promise<T>): Promise<T> {
  // postgres.js has a separate type for transactions; both accept the same tagged templates.
  return (await sql.begin((tx) => work(tx as unknown as Sql))) as T;
}
