import type { Fragment, Sql } from 'postgres';
import { isDistributed } from './distribution/distributed.ts';

/** Maximum number of rows that one SQL statement changes, so that no request has to wait long for a locked row. */
const portion = 2_000;

/**
 * Deletes the rows of a table that match an SQL condition, in small portions. Returns their number. Leaves out rows
 * that another transaction has locked: the next call deletes them. Waiting for them could be a deadlock, because other
 * statements lock several rows in a different order. The table must not be partitioned, because rows of two partitions
 * can have the same `ctid`.
 */
export async function deleteOld(sql: Sql, table: string, condition: Fragment): Promise<number> {
  if (isDistributed(sql)) return (await sql`delete from ${sql(table)} where ${condition}`).count;
  return inPortions(
    (limit) => sql`
      delete from ${sql(table)} where ctid = any(array(
        select ctid from ${sql(table)} where ${condition} limit ${limit} for update skip locked))`,
  );
}

/**
 * Calls `change`, which deletes or updates at most `limit` rows, until it finds fewer. Returns the number of all rows.
 */
export async function inPortions(change: (limit: number) => PromiseLike<{ count: number }>): Promise<number> {
  let changed = 0;
  for (let count = portion; count === portion; changed += count) ({ count } = await change(portion));
  return changed;
}
