import type { Sql } from 'postgres';
import { allObservations } from '../../db/observations/all-observations.ts';

/**
 * Number of times that pages are counted. Other connections can add their pages to the statistics late, so the smallest
 * count is used.
 */
const counts = 5;

/**
 * Returns the number of 8 kB pages of tables and indexes that PostgreSQL reads while `work` runs, without the pages of
 * its system catalog.
 */
export async function pagesTouched(sql: Sql, work: (sql: Sql) => Promise<unknown>): Promise<number> {
  const connection = await sql.reserve();
  try {
    let least = Number.POSITIVE_INFINITY;
    for (let count = 0; count < counts; count += 1) least = Math.min(least, await countOnce(connection, work));
    return least;
  } finally {
    connection.release();
  }
}

async function countOnce(connection: Sql, work: (sql: Sql) => Promise<unknown>): Promise<number> {
  const before = await pagesRead(connection);
  await work(connection);
  return (await pagesRead(connection)) - before;
}

async function pagesRead(sql: Sql): Promise<number> {
  // Adds the pages that this connection has read to the statistics now. PostgreSQL would add them only seconds later.
  await sql`select pg_stat_force_next_flush()`;
  const [row] = await sql<{ pages: number }[]>`
    select sum(coalesce(heap_blks_read, 0) + coalesce(heap_blks_hit, 0) + coalesce(idx_blks_read, 0)
      + coalesce(idx_blks_hit, 0) + coalesce(toast_blks_read, 0) + coalesce(toast_blks_hit, 0))::float8 as pages
    from pg_statio_user_tables`;
  return row?.pages ?? 0;
}

/** Runs VACUUM, because index-only scans need it. Autovacuum would run later. */
export async function vacuumObservations(sql: Sql): Promise<void> {
  await sql`set statement_timeout = 0`;
  await sql.unsafe('vacuum analyze observations');
  await sql.unsafe('vacuum analyze observation_months');
}

/**
 * Returns the number of observations and the bytes of their two tables on disk, with indexes: the rows of recent
 * months, and the arrays of past months.
 */
export async function tableSize(sql: Sql): Promise<{ observations: number; bytes: number }> {
  const [row] = await sql<{ observations: number; bytes: number }[]>`
    select (select count(*) from ${allObservations(sql, null)} o)::bigint as observations,
      (select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = 'observations'::regclass)::bigint
        + pg_total_relation_size('observation_months') as bytes`;
  if (!row) throw new Error('The database returned no size of the observations.');
  return row;
}
