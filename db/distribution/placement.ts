/**
 * Where the rows of a table are in a distributed database. `shards`: on the node of the shard that the value of
 * `column` selects. Tables with the same `with` have their rows with the same value on the same node. `reference`: a
 * copy on every node. `coordinator`: only on the coordinator.
 */
export type Placement =
  | { kind: 'shards'; column: string; with: 'workspaces' | null }
  | { kind: 'reference' }
  | { kind: 'coordinator' };

/** Tables to which the rows of all workspaces can refer. */
const referenceTables: ReadonlySet<string> = new Set(['auth_users', 'oauth_clients']);

/** Large tables that belong to no workspace, with the column that selects the shard. */
const ownShards: ReadonlyMap<string, string> = new Map([
  ['responses', 'cache_key'],
  ['buffered_pages', 'page_id'],
]);

/** The column that selects the shard of every row that belongs to a workspace. */
export const workspaceColumn = 'workspace_id';

/** Returns the placement of a table. A table belongs to workspaces when its primary key has the column `workspace_id`. */
export function placementOf(table: string, primaryKey: readonly string[]): Placement {
  if (referenceTables.has(table)) return { kind: 'reference' };
  const column = ownShards.get(table);
  if (column !== undefined) return { kind: 'shards', column, with: null };
  if (primaryKey.includes(workspaceColumn)) return { kind: 'shards', column: workspaceColumn, with: 'workspaces' };
  return { kind: 'coordinator' };
}
