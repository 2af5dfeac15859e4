import type { Sql } from 'postgres';

export interface ReportRequest {
  workspace_id: string;
  campaign_id: string;
  now: Date;
}

const yearMs = 365 * 86_400_000;
const weekMs = 7 * 86_400_000;

interface Plan {
  Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
}

/** Returns the number of 8 kB pages that PostgreSQL reads for the report of a year. */
export async function pagesTouched(sql: Sql, { workspace_id, campaign_id, now }: ReportRequest): Promise<number> {
  const [row] = await sql<{ 'QUERY PLAN': Plan[] }[]>`
    explain (analyze, buffers, format json)
    select o.* from campaign_items c
    cross join lateral (
      select *, lead(observed_at) over (order by observed_at) as next_at from observations
      where workspace_id = ${workspace_id} and item_id = c.item_id
        and observed_at >= ${new Date(now.getTime() - yearMs)} and observed_at < ${now}
    ) o
    where c.workspace_id = ${workspace_id} and c.campaign_id = ${campaign_id}
      and (o.observed_at >= ${new Date(now.getTime() - weekMs)} or o.next_at is null
        or date_trunc('week', o.next_at, 'UTC') > o.observed_at)`;
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error('PostgreSQL returned no query plan');
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

/** Runs VACUUM, because index-only scans need it. Autovacuum would do it later. */
export async function vacuumObservations(sql: Sql): Promise<void> {
  await sql`set statement_timeout = 0`;
  await sql.unsafe('vacuum analyze observations');
}

/** Returns the number of observations, and the bytes of their tables and indexes on disk. */
export async function tableSize(sql: Sql): Promise<{ observations: number; bytes: number }> {
  const [row] = await sql<{ observations: number; bytes: number }[]>`
    select (select count(*) from observations)::bigint as observations,
      (select sum(pg_total_relation_size(inhrelid)) from pg_inherits
        where inhparent = 'observations'::regclass)::bigint as bytes`;
  if (!row) throw new Error('no observations');
  return row;
}
