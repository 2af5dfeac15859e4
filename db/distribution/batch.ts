import type { Sql } from 'postgres';
import { type BatchOptions, batchCalls, batchEachOwner } from '../batcher.ts';
import { isDistributed } from './distributed.ts';

/**
 * Like {@link batchCalls}, for calls of several workspaces. With Citus, a batch contains calls of only one workspace,
 * and `run` receives its id, to use it as a constant in the statement. Without Citus, a batch mixes workspaces, and
 * `workspace` is null.
 */
export function batchByWorkspace<T extends { workspace_id: string }, R>(
  sql: Sql,
  run: (items: T[], workspace: string | null) => Promise<R[]>,
  options: BatchOptions,
): (item: T) => Promise<R> {
  if (!isDistributed(sql)) return batchCalls((items: T[]) => run(items, null), options);
  return batchEachOwner((items: T[]) => run(items, items[0]?.workspace_id ?? null), {
    ...options,
    ownerOf: ({ workspace_id }) => workspace_id,
  });
}
