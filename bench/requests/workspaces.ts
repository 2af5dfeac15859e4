import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { connectClients, parseDatabaseUrl } from '../../db/connect.ts';
import { migrate } from '../../db/migrate.ts';
import { inTransaction } from '../../db/transaction.ts';
import { plenty, workspaces } from './sizes.ts';

/**
 * Creates the tables and the workspaces with credits, and returns their production keys. Closes its connections,
 * because the built-in server has too few for the pools of all measured servers.
 */
export async function makeWorkspaces(url: string): Promise<string[]> {
  const db = connectClients(parseDatabaseUrl(url), 'bench');
  await migrate(db.sql);
  const created = await Promise.all(
    Array.from({ length: workspaces }, (_, index) =>
      inTransaction(db.sql, (tx) => createWorkspace(tx, { name: `bench ${index}`, credits: plenty })),
    ),
  );
  await db.sql`analyze`;
  await db.close();
  return created.map(({ live_key }) => live_key);
}
