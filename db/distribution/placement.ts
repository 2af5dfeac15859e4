/**
 * Where a distributed database (Citus) stores the rows of a table.
 *
 * `shards`: the value of `column` selects the shard of a row, and thereby its node. `with` is the group of tables that
 * Citus colocates: their rows with the same value are on the same node. `reference`: every node has a copy of the
 * table. `coordinator`: the table is only on the coordinator.
 */
export type Placement =
  | { kind: 'shards'; column: string; with: 'workspaces' | null }
  | { kind: 'reference' }
  | { kind: 'coordinator' };

/** Tables that rows of any workspace can reference. Every node has a copy of them. */
const referenceTables: ReadonlySet<string> = new Set(['auth_users', 'oauth_clients']);

/** Large tables that belong to no workspace. The given column selects the shard of a row. */
const ownShards: ReadonlyMap<string, string> = new Map([
  ['responses', 'cache_key'],
  ['buffered_pages', 'page_id'],
]);

/** The column that selects the shard of a row in all tables that belong to workspaces. */
const workspaceColumn = 'workspace_id';

/**
 * Returns where a distributed database (Citus) stores the rows of a table. A table whose primary key contains the
 * column `workspace_id` belongs to workspaces.
 */
export function placementOf(table: string, primaryKey: readonly string[]): Placement {
  if (referenceTables.has(table)) return { kind: 'reference' };
  const column = ownShards.get(table);
  if (column !== undefined) return { kind: 'shards', column, with: null };
  if (primaryKey.includes(workspaceColumn)) return { kind: 'shards', column: workspaceColumn, with: 'workspaces' };
  return { kind: 'coordinator' };
}
