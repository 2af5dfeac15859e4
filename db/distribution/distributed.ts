import type { Sql } from 'postgres';
import { StartError } from '../start-error.ts';

const distributedClients = new WeakSet<object>();

/**
 * Marks a connection pool or transaction as belonging to a distributed database (Citus). Other functions then send
 * statements that each name only one workspace.
 */
export function markDistributed(sql: Sql): void {
  distributedClients.add(sql);
}

/**
 * Returns true when this connection pool or transaction belongs to a database whose tables are distributed over the
 * nodes of a Citus cluster (docs/adr/0115).
 */
export function isDistributed(sql: Sql): boolean {
  return distributedClients.has(sql);
}

/** Marks the transaction `tx` as distributed when its connection pool `sql` is distributed. Returns `tx`. */
export function inheritDistribution(sql: Sql, tx: Sql): Sql {
  if (isDistributed(sql)) markDistributed(tx);
  return tx;
}

/**
 * Returns true when the tables of this database were distributed over a Citus cluster (with the command
 * `operator database distribute`).
 */
export async function readDistribution(sql: Sql): Promise<boolean> {
  const [citus] = await sql<
    { known: boolean }[]
  >`select to_regclass('pg_catalog.pg_dist_partition') is not null as known`;
  if (!citus?.known) return false;
  const [row] = await sql<{ distributed: boolean }[]>`
    select exists (select from pg_dist_partition where logicalrelid = to_regclass('workspaces')) as distributed`;
  return row?.distributed === true;
}

/** Throws StartError when the database is not the coordinator of a Citus cluster that has nodes for shards. */
export async function requireCoordinator(sql: Sql): Promise<void> {
  const [extension] = await sql<{ name: string }[]>`select extname as name from pg_extension where extname = 'citus'`;
  if (!extension) {
    throw new StartError(
      'The database in DATABASE_URL does not have the Citus extension: install it on every node, run CREATE EXTENSION citus in the database, and add the nodes with citus_add_node.',
    );
  }
  const [nodes] = await sql<{ coordinator: boolean; workers: number }[]>`
    select coalesce(bool_or(groupid = 0), false) as coordinator,
      (count(*) filter (where shouldhaveshards and isactive))::int as workers
    from pg_dist_node where noderole = 'primary'`;
  if (!nodes?.coordinator) {
    throw new StartError(
      "The coordinator is not registered: run SELECT citus_set_coordinator_host('its host name', its port) in the database.",
    );
  }
  if (nodes.workers === 0) {
    throw new StartError(
      "The cluster has no node for shards: run SELECT citus_add_node('host name', port) for each worker.",
    );
  }
}
