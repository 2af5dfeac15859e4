import type { Fragment, Sql } from 'postgres';
import { isDistributed } from './distributed.ts';

// Parts of statements that run for several workspaces on a plain database, and for one, as a constant, on a distributed one.

/** Returns the condition that selects the workspaces of the CTE `from`: by the constant when it is given. */
export function isOneOf(sql: Sql, workspace: string | null, from: 'movements' | 'balances' | 'results'): Fragment {
  if (workspace === null) return sql`workspace_id in (select workspace_id from ${sql(from)})`;
  return sql`workspace_id = ${workspace}::uuid and (select count(*) from ${sql(from)}) > 0`;
}

/** Returns the further condition that the rows of `table` are of the workspace. It is empty without a workspace. */
export function inWorkspace(sql: Sql, table: string, workspace: string | null): Fragment {
  return workspace === null ? sql`` : sql` and ${sql(table)}.workspace_id = ${workspace}::uuid`;
}

/** Returns the expression for the workspace of a new row. */
export function workspaceIdOf(sql: Sql, workspace: string | null): Fragment {
  return workspace === null ? sql`workspace_id` : sql`${workspace}::uuid`;
}

/** Returns the workspace as the constant of a statement for it alone when the database is distributed, otherwise null. */
export function ownWorkspace(sql: Sql, workspaceId: string): string | null {
  return isDistributed(sql) ? workspaceId : null;
}

/** Returns groups of items for one statement each: one for each workspace of a distributed database, otherwise one for all. */
export function byWorkspace<T extends { workspace_id: string }>(
  sql: Sql,
  items: readonly T[],
): { workspace: string | null; items: T[] }[] {
  if (!isDistributed(sql)) return [{ workspace: null, items: [...items] }];
  const groups = [...Map.groupBy(items, ({ workspace_id }) => workspace_id)];
  return groups.map(([workspace, group]) => ({ workspace, items: group }));
}

/** Returns a table for an outer join: only the rows of the workspace when it is given. */
export function tableOf(sql: Sql, table: string, workspace: string | null): Fragment {
  if (workspace === null) return sql`${sql(table)}`;
  return sql`(select * from ${sql(table)} where workspace_id = ${workspace}::uuid)`;
}
