import type { Fragment, Sql } from 'postgres';
import { isCitusRun } from './citus.ts';

/** Returns the number of statements that wait for a lock, on any node. */
export async function countLockWaits(sql: Sql): Promise<number> {
  return (await sql`${lockWaits(sql)}`).length;
}

/** Ends the connections whose statements wait for a lock, on any node. Returns their number. */
export async function endLockWaits(sql: Sql): Promise<number> {
  return (await sql`select pg_terminate_backend(pid) from (${lockWaits(sql)}) as w`).length;
}

/**
 * Returns SQL that selects the processes that wait for a lock. On a Citus cluster, these are the processes of the
 * coordinator node that sent the waiting statements.
 */
function lockWaits(sql: Sql): Fragment {
  if (isCitusRun) {
    return sql`select distinct global_pid as pid from citus_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
  }
  return sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
}
