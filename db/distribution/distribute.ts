import type { Sql } from 'postgres';
import { StartError } from '../start-error.ts';
import { inTransaction } from '../transaction.ts';
import { listTables, type TablePlacement } from './catalog.ts';
import { requireCoordinator } from './distributed.ts';
import { addForeignKeys, distributeTable, dropForeignKeys, sequentially, widenUniqueIndexes } from './steps.ts';

interface Distribution {
  /**
   * Numbers of tables by where their rows are stored: split into shards, copied to every node, or only on the
   * coordinator.
   */
  sharded: number;
  reference: number;
  coordinator: number;
  /** Names (`table.name`) of the foreign keys that were dropped because their tables are on different nodes. */
  left_out: string[];
}

/**
 * Distributes all tables over the nodes of a Citus cluster, in one transaction. Throws StartError when the database is
 * not the coordinator of a cluster.
 */
export async function distributeTables(sql: Sql, { shards }: { shards: number }): Promise<Distribution> {
  await requireCoordinator(sql);
  return inTransaction(sql, async (tx) => {
    await refuseRunning(tx);
    await tx`select set_config('statement_timeout', '0', true)`;
    await sequentially(tx);
    await tx`select set_config('citus.shard_count', ${String(shards)}, true)`;
    const tables = (await listTables(tx)).filter((table) => !table.distributed);
    const foreignKeys = await dropForeignKeys(tx, tables);
    // Distributes reference tables and `workspaces` first, because other tables refer to them or are colocated with
    // `workspaces`.
    for (const table of tables.toSorted(byRank)) {
      await widenUniqueIndexes(tx, table);
      await distributeTable(tx, table);
    }
    const leftOut = await addForeignKeys(tx, foreignKeys);
    const count = (kind: TablePlacement['placement']['kind']) =>
      tables.filter(({ placement }) => placement.kind === kind).length;
    return {
      sharded: count('shards'),
      reference: count('reference'),
      coordinator: count('coordinator'),
      left_out: leftOut,
    };
  });
}

function byRank(one: TablePlacement, other: TablePlacement): number {
  return rankOf(one) - rankOf(other);
}

function rankOf({ name, placement }: TablePlacement): number {
  if (placement.kind === 'reference') return 0;
  return name === 'workspaces' ? 1 : 2;
}

/**
 * Throws StartError while a server or pipeline is connected, because that process would continue to send statements for
 * a database that is not distributed.
 */
async function refuseRunning(tx: Sql): Promise<void> {
  const rows = await tx`
    select from pg_stat_activity where datname = current_database()
      and application_name in ('tidemark-server', 'tidemark-pipeline')`;
  if (rows.length > 0)
    throw new StartError('Tidemark processes still use this database: stop all servers and pipelines, then try again.');
}
