import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { connectClients, parseDatabaseUrl } from '../../db/connect.ts';
import { migrate } from '../../db/migrate.ts';
import { inTransaction } from '../../db/transaction.ts';

/** Real load comes from many workspaces: one alone is limited to a request a second. */
export const workspaces = 128;
/** More than any benchmark charges. */
export const plenty = 1_000_000_000;

/**
 * Makes the tables and the workspaces, each with plenty of credits; returns their production keys. Its connections are
 * closed again: the built-in server has not enough for a full pool of everything that is measured.
 */
export async function makeWorkspaces(url: string): Promise<string[]> {
  const db = connectClients(parseDatabaseUrl(url), 'bench');
  await migrate(db.sql);
  const made = await Promise.all(
    Array.from({ length: workspaces }, (_, index) =>
      inTransaction(db.sql, (tx) => createWorkspace(tx, { name: `bench ${index}`, credits: plenty })),
    ),
  );
  await db.sql`analyze`;
  await db.close();
  return made.map(({ live_key }) => live_key);
}
