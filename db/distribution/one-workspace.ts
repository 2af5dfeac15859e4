import type { Fragment, Sql } from 'postgres';
import { isDistributed } from './distributed.ts';

// Parts of SQL statements. On a plain database, such a statement runs for several workspaces. On a distributed
// database, it runs for one workspace, with the id of the workspace as a constant.

/** Returns the SQL condition that selects the workspaces of the CTE `from`. With `workspace`, it compares with this constant. */
export function isOneOf(sql: Sql, workspace: string | null, from: 'movements' | 'balances' | 'results'): Fragment {
  if (workspace === null) return sql`workspace_id in (select workspace_id from ${sql(from)})`;
  return sql`workspace_id = ${workspace}::uuid and (select count(*) from ${sql(from)}) > 0`;
}

/** Returns an additional SQL condition that limits `table` to the rows of the workspace. It is empty when `workspace` is null. */
export function inWorkspace(sql: Sql, table: string, workspace: string | null): Fragment {
  return workspace === null ? sql`` : sql` and ${sql(table)}.workspace_id = ${workspace}::uuid`;
}

/** Returns the SQL expression for the workspace id of a new row. */
export function workspaceIdOf(sql: Sql, workspace: string | null): Fragment {
  return workspace === null ? sql`workspace_id` : sql`${workspace}::uuid`;
}

/** Returns the workspace id, as the constant of a statement, on a distributed database; null on a plain database. */
export function ownWorkspace(sql: Sql, workspaceId: string): string | null {
  return isDistributed(sql) ? workspaceId : null;
}

/**
 * Returns groups of items, one for each statement. A distributed database needs a group for each workspace, a plain
 * database one group for all.
 */
export function byWorkspace<T extends { workspace_id: string }>(
  sql: Sql,
  items: readonly T[],
): { workspace: string | null; items: T[] }[] {
  if (!isDistributed(sql)) return [{ workspace: null, items: [...items] }];
  const groups = [...Map.groupBy(items, ({ workspace_id }) => workspace_id)];
  return groups.map(([workspace, group]) => ({ workspace, items: group }));
}

/** Returns a table for an outer join. With `workspace`, it has only the rows of that workspace. */
export function tableOf(sql: Sql, table: string, workspace: string | null): Fragment {
  if (workspace === null) return sql`${sql(table)}`;
  return sql`(select * from ${sql(table)} where workspace_id = ${workspace}::uuid)`;
}
