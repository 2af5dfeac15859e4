import type { Fragment, Sql } from 'postgres';
import { isDistributed } from './distributed.ts';

// The functions below return parts of SQL statements. Without Citus, `workspace` is null and a statement handles
// several workspaces. With Citus, a statement handles one workspace and contains its id as a constant.

/**
 * Returns the SQL condition for rows of the workspaces in the CTE `from`. If `workspace` is set, the condition uses
 * this id instead.
 */
export function isOneOf(sql: Sql, workspace: string | null, from: 'movements' | 'balances' | 'results'): Fragment {
  if (workspace === null) return sql`workspace_id in (select workspace_id from ${sql(from)})`;
  return sql`workspace_id = ${workspace}::uuid and (select count(*) from ${sql(from)}) > 0`;
}

/**
 * Returns an SQL condition that begins with ` and` and limits `table` to the rows of one workspace. The condition is
 * empty when `workspace` is null.
 */
export function inWorkspace(sql: Sql, table: string, workspace: string | null): Fragment {
  return workspace === null ? sql`` : sql` and ${sql(table)}.workspace_id = ${workspace}::uuid`;
}

/**
 * Returns the SQL expression for the workspace id of a new row: the constant `workspace` if it is set, otherwise the
 * column.
 */
export function workspaceIdOf(sql: Sql, workspace: string | null): Fragment {
  return workspace === null ? sql`workspace_id` : sql`${workspace}::uuid`;
}

/**
 * Returns the workspace id when the database is distributed (Citus), because each statement must then contain the id as
 * a constant. Returns null otherwise.
 */
export function ownWorkspace(sql: Sql, workspaceId: string): string | null {
  return isDistributed(sql) ? workspaceId : null;
}

/**
 * Groups items for SQL statements. With Citus, returns one group for each workspace. Without Citus, returns one group
 * with all items.
 */
export function byWorkspace<T extends { workspace_id: string }>(
  sql: Sql,
  items: readonly T[],
): { workspace: string | null; items: T[] }[] {
  if (!isDistributed(sql)) return [{ workspace: null, items: [...items] }];
  const groups = [...Map.groupBy(items, ({ workspace_id }) => workspace_id)];
  return groups.map(([workspace, group]) => ({ workspace, items: group }));
}

/**
 * Returns the SQL expression for a table in an outer join: the whole table, or only the rows of `workspace` if it is
 * set.
 */
export function tableOf(sql: Sql, table: string, workspace: string | null): Fragment {
  if (workspace === null) return sql`${sql(table)}`;
  return sql`(select * from ${sql(table)} where workspace_id = ${workspace}::uuid)`;
}
