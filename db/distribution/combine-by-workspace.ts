import type { Sql } from 'postgres';
import { type CombineOptions, combineByOwner, combineUnlessLocked } from '../combine-calls.ts';
import { patiently } from '../patiently.ts';
import { isDistributed } from './distributed.ts';

/**
 * Combines concurrent calls of several workspaces into shared SQL statements. With Citus, a statement has calls of only
 * one workspace, and `run` receives the workspace id to use it as a constant in the statement. Without Citus, a
 * statement has calls of any workspaces, and `workspace` is null. If a statement waits too long for a locked row, its
 * calls are repeated on the connections `apart`, in separate statements for each workspace.
 */
export function combineByWorkspace<T extends { workspace_id: string }, R>(
  { sql, apart }: { sql: Sql; apart: Sql },
  run: (sql: Sql, items: T[], workspace: string | null) => Promise<R[]>,
  limits: CombineOptions,
): (item: T) => Promise<R> {
  const options = { ...limits, ownerOf: ({ workspace_id }: T) => workspace_id };
  if (isDistributed(sql)) {
    return combineByOwner((items) => {
      const workspace = items[0]?.workspace_id ?? null;
      return patiently({ pipelined: sql, patient: apart }, (client) => run(client, items, workspace));
    }, options);
  }
  return combineUnlessLocked(
    (items) => run(sql, items, null),
    (items) => run(apart, items, null),
    options,
  );
}
