import type { Sql } from 'postgres';
import { type CombineOptions, combineByOwner, combineCalls } from '../combine-calls.ts';
import { isDistributed } from './distributed.ts';

/**
 * Like {@link combineCalls}, for calls of several workspaces. With Citus, a statement combines calls of only one
 * workspace, and `run` receives its id, to use it as a constant in the statement. Without Citus, a statement combines
 * calls of any workspaces, and `workspace` is null.
 */
export function combineByWorkspace<T extends { workspace_id: string }, R>(
  sql: Sql,
  run: (items: T[], workspace: string | null) => Promise<R[]>,
  options: CombineOptions,
): (item: T) => Promise<R> {
  if (!isDistributed(sql)) return combineCalls((items: T[]) => run(items, null), options);
  return combineByOwner((items: T[]) => run(items, items[0]?.workspace_id ?? null), {
    ...options,
    ownerOf: ({ workspace_id }) => workspace_id,
  });
}
