import type { Fragment, Sql } from 'postgres';
import { inTransaction } from '../../db/transaction.ts';
import { isCitusRun } from './citus.ts';
import { until } from './processes.ts';

/** Returns the number of statements that wait for a lock, on any node. */
export async function countLockWaits(sql: Sql): Promise<number> {
  return (await sql`${lockWaits(sql)}`).length;
}

/** Returns the process ids of the database connections whose statements wait for a lock, on any node. */
export async function listLockWaits(sql: Sql): Promise<number[]> {
  const pid = isCitusRun ? sql`citus_pid_for_gpid(pid)` : sql`pid`;
  return (await sql<{ pid: number }[]>`select ${pid} as pid from (${lockWaits(sql)}) as w`).map((row) => row.pid);
}

/** Ends the connections whose statements wait for a lock, on any node. Returns their number. */
export async function endLockWaits(sql: Sql): Promise<number> {
  return (await sql`select pg_terminate_backend(pid) from (${lockWaits(sql)}) as w`).length;
}

/** Waits until this number of statements wait for a lock. */
export async function untilLockWaits(sql: Sql, number: number): Promise<void> {
  await until(async () => (await countLockWaits(sql)) === number);
}

/**
 * Runs two functions against each other. Starts both while `lock` holds a row: the second when the first is waiting for
 * the row. When both wait, releases the row, which PostgreSQL gives to the first. If the second has locked something
 * that the first needs, one of them fails with a deadlock.
 */
export async function collide<A, B>(
  sql: Sql,
  lock: (tx: Sql) => Promise<unknown>,
  first: () => Promise<A>,
  second: () => Promise<B>,
): Promise<[A, B]> {
  const works = await inTransaction(sql, async (tx) => {
    await lock(tx);
    const begun = first();
    await untilLockWaits(sql, 1);
    const waiting = second();
    await untilLockWaits(sql, 2);
    return { both: Promise.all([begun, waiting]) };
  });
  return works.both;
}

/**
 * Returns SQL that selects the processes waiting for a lock. On a Citus cluster, these are the coordinator's processes
 * that sent the waiting statements.
 */
function lockWaits(sql: Sql): Fragment {
  if (isCitusRun) {
    return sql`select distinct global_pid as pid from citus_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
  }
  return sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
}
