import type { Sql } from 'postgres';

/**
 * Runs `work` while no other such work of the same workspace runs: what it counts stays true until it commits. A limit cannot be
 * kept by counting inside one statement, because a statement that waited still counts as of its beginning.
 */
export async function alone<T>(sql: Sql, workspaceId: string, work: (tx: Sql) => Promise<T>): Promise<T> {
  return inTransaction(sql, async (tx) => {
    await tx`select from workspaces where workspace_id = ${workspaceId} for no key update`;
    return work(tx);
  });
}

/** Runs `work` in one transaction: all of it or nothing. */
export async function inTransaction<T>(sql: Sql, work: (tx: Sql) => Promise<T>): Promise<T> {
  // postgres.js types a transaction apart from a client; both take the same tagged statements.
  return (await sql.begin((tx) => work(tx as unknown as Sql))) as T;
}
