import type { Sql } from 'postgres';
import { isDistributed } from '../distribution/distributed.ts';
import { sequentially } from '../distribution/steps.ts';
import { inTransaction } from '../transaction.ts';
import { isLockTimeout } from '../unavailable.ts';

/**
 * Maximum milliseconds to wait for a lock on the table `observations` or a partition. The value is more than one second
 * (`deadlock_timeout`), because PostgreSQL then cancels an autovacuum that blocks the lock.
 */
const lockWaitMs = 1_500;

/**
 * Locks the table `observations` in a PostgreSQL lock mode and runs `work` in the same transaction, to add or drop
 * partitions. Other statements on the table wait behind this lock, so the wait is limited: when a long statement uses
 * the table, changes nothing and returns false, and the caller tries again later. Locks the table before its
 * partitions, as queries do; a different order could cause a deadlock.
 */
export async function withTableLock(
  sql: Sql,
  mode: 'access exclusive' | 'share update exclusive',
  work: (tx: Sql) => Promise<void>,
): Promise<boolean> {
  const changed = inTransaction(sql, async (tx) => {
    await tx`select set_config('lock_timeout', ${`${lockWaitMs}ms`}, true)`;
    if (isDistributed(tx)) await sequentially(tx);
    await tx.unsafe(`lock table observations in ${mode} mode`);
    await work(tx);
    return true;
  });
  return changed.catch((error: unknown) => {
    if (!isLockTimeout(error)) throw error;
    return false;
  });
}
