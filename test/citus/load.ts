import { hashSecret } from '../../db/accounts/secrets.ts';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import type { Database } from '../../db/connect.ts';
import { newId } from '../../db/ids.ts';
import { createAdmission } from '../../db/requests/admission.ts';
import { createCharger } from '../../db/requests/charges.ts';
import { inTransaction } from '../../db/transaction.ts';

/** A workspace that sends requests. `port`: port of the node that stores its rows. */
export interface LoadedWorkspace {
  workspace_id: string;
  hash: string;
  port: number;
}

/** The result of one API request that `startLoad` sent. */
export interface LoadResult {
  workspace_id: string;
  charge_id: string;
  outcome: 'charged' | 'unconfirmed' | 'failed';
  /** Milliseconds from the start of the load to the end of this request. */
  at_ms: number;
  duration_ms: number;
  /** The error of the request; null unless the request failed. */
  message: string | null;
}

export async function makeLoadedWorkspaces(db: Database, count: number): Promise<LoadedWorkspace[]> {
  const made: LoadedWorkspace[] = [];
  for (let index = 0; index < count; index += 1) {
    const { workspace_id, live_key } = await inTransaction(db.sql, (tx) =>
      createWorkspace(tx, { name: `load ${index}`, credits: 1_000_000_000 }),
    );
    made.push({ workspace_id, hash: hashSecret(live_key), port: await portOf(db, workspace_id) });
  }
  return made;
}

/** Returns the port of the node that stores the rows of a workspace; 0 on a plain database. */
export async function portOf({ sql }: Database, workspaceId: string): Promise<number> {
  const [found] = await sql<{ known: boolean }[]>`select to_regclass('pg_dist_placement') is not null as known`;
  if (!found?.known) return 0;
  const [row] = await sql<{ port: number }[]>`
    select n.nodeport as port from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid
    where p.shardid = get_shard_id_for_distribution_column('workspaces', ${workspaceId}::text)`;
  return row?.port ?? 0;
}

/**
 * Admits and charges requests of the workspaces, `concurrency` at a time, until `stop` is called, which returns the
 * results.
 */
export function startLoad(db: Database, workspaces: readonly LoadedWorkspace[], concurrency: number) {
  const results: LoadResult[] = [];
  const startedAt = performance.now();
  const now = () => new Date();
  const admit = createAdmission(db, { window_seconds: 60, now });
  const charge = createCharger(db, now);
  let running = true;

  async function request({ workspace_id, hash }: LoadedWorkspace): Promise<void> {
    const chargeId = newId();
    const begin = performance.now();
    let outcome: LoadResult['outcome'] = 'failed';
    let message: string | null = null;
    try {
      const admission = await admit({ hash, counts: 'request' });
      if (!admission) throw new Error('The key was not found.');
      const answer = { body: '{"handle":"load"}', meta: '{}', retrieved_at: now() };
      const { key_id } = admission;
      const charged = await charge({
        ...{ charge_id: chargeId, workspace_id, key_id, answer, cache_key: newId() },
        ...{ request_id: chargeId, route: '/v1/photo/profile', cost: 1, replay: null },
      });
      outcome = charged.outcome === 'charged' ? 'charged' : 'unconfirmed';
    } catch (error) {
      message = String(error);
    }
    const end = performance.now();
    results.push({
      workspace_id,
      charge_id: chargeId,
      outcome,
      message,
      at_ms: end - startedAt,
      duration_ms: end - begin,
    });
  }

  const workers = Array.from({ length: concurrency }, async (_, first) => {
    for (let index = first; running; index += concurrency) {
      await request(workspaces[index % workspaces.length] as LoadedWorkspace);
    }
  });
  return {
    results,
    elapsed_ms: () => performance.now() - startedAt,
    async stop(): Promise<LoadResult[]> {
      running = false;
      await Promise.all(workers);
      return results;
    },
  };
}
