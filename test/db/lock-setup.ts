import { afterAll } from 'vitest';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { insertBatch, startBatch } from '../../db/deliveries/batches.ts';
import { addItem } from '../../db/tracking/items.ts';
import { inTransaction } from '../../db/transaction.ts';
import { createTestDatabase } from '../setup/test-database.ts';

/**
 * Creates the database for a test file about locks, with functions that create rows for its tests. Closes the database
 * after the last test.
 */
export async function openLockSetup() {
  const db = await createTestDatabase();
  const { sql } = db;
  const now = new Date();
  afterAll(() => db.close());
  return {
    db,
    sql,
    now,
    async workspace(): Promise<string> {
      const workspace = { name: 'locks', tier: 'ultra', credits: 100 } as const;
      return (await inTransaction(sql, (tx) => createWorkspace(tx, workspace))).workspace_id;
    },
    async item(workspaceId: string, handle: string, listId: string | null = null): Promise<string> {
      const url = `https://www.instagram.com/${handle}/`;
      const item = { platform: 'photo', kind: 'profile', url, identifier: handle, list_id: listId };
      const added = await addItem(sql, workspaceId, item, 100);
      if (added.outcome === 'full') throw new Error(added.outcome);
      return added.item_id;
    },
    /**
     * Makes a removal of two items lock the second item first. The removal deletes the items, and then their rows in
     * campaigns, in the order of the column `identifier`.
     */
    async removeInReverse([first = '', second = '']: readonly string[]): Promise<void> {
      await sql`update tracked_items set identifier = 'z' where item_id = ${first}`;
      await sql`update tracked_items set identifier = 'y' where item_id = ${second}`;
    },
    /** Creates a running batch with one row. */
    async batch(
      ids: { workspace_id: string; batch_id: string },
      status: string | null,
      plan?: Parameters<typeof insertBatch>[1]['plan'],
    ) {
      const row = { row_no: 1, url: 'not a link', duplicate_of: null, status, cells: status && '[]' };
      const batch = { ...ids, name: null, now, ...(plan ? { plan } : {}) };
      await inTransaction(sql, (tx) => insertBatch(tx, batch, [row]));
      await startBatch(sql, batch);
      return batch;
    },
    /** Moves a row to the end of its table, so that a statement without an order locks this row last. */
    async moveBehind(table: string, column: string, id = ''): Promise<void> {
      await sql`update ${sql(table)} set workspace_id = workspace_id where ${sql(column)} = ${id}`;
    },
  };
}
