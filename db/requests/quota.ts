import type { Sql } from 'postgres';

/** The quota of an upstream's bucket for one day. */
export interface QuotaDay {
  source: string;
  bucket: string;
  /** `YYYY-MM-DD` in the time zone of the source. */
  day: string;
  /** Units available on that day. */
  budget: number;
}

/** Units that one call needs. */
export interface QuotaUse extends QuotaDay {
  method: string;
  units: number;
}

/** Counts the use of daily quotas. */
export interface QuotaLedger {
  /** Counts the units. Returns false and counts nothing when they would exceed the budget. */
  spend(use: QuotaUse): Promise<boolean>;
  /** Records that the source itself says that the bucket is used up for the day. */
  exhaust(day: QuotaDay): Promise<void>;
}

/** The used units of a bucket. */
export interface QuotaUsage {
  bucket: string;
  units: number;
  /** Method -> units. Their sum is less than `units` when the source itself said that the bucket is used up. */
  methods: Record<string, number>;
}

/** Counts in the database, so that the counts are exact over all processes and restarts. */
export function createQuotaLedger(sql: Sql): QuotaLedger {
  return {
    spend: (use) => spendQuota(sql, use),
    exhaust: (day) => exhaustQuota(sql, day),
  };
}

// Check and count are one statement, so that two processes cannot both take the last unit.
async function spendQuota(sql: Sql, { source, bucket, day, budget, method, units }: QuotaUse): Promise<boolean> {
  const spent = await sql`
    insert into quota_usage as used (source, bucket, day, units, methods)
    select ${source}, ${bucket}, ${day}::date, ${units}::bigint, jsonb_build_object(${method}::text, ${units}::bigint)
    where ${units}::bigint <= ${budget}::bigint
    on conflict (source, bucket, day) do update
    set units = used.units + excluded.units,
      methods = used.methods || jsonb_build_object(
        ${method}::text, coalesce((used.methods ->> ${method}::text)::bigint, 0) + excluded.units)
    where used.units + excluded.units <= ${budget}::bigint
    returning units`;
  return spent.length > 0;
}

async function exhaustQuota(sql: Sql, { source, bucket, day, budget }: QuotaDay): Promise<void> {
  await sql`
    insert into quota_usage as used (source, bucket, day, units, methods)
    values (${source}, ${bucket}, ${day}::date, ${budget}::bigint, '{}'::jsonb)
    on conflict (source, bucket, day) do update set units = greatest(used.units, excluded.units)`;
}

/** Returns the use of a source's buckets on one day; unused buckets are left out. */
export async function readQuota(sql: Sql, source: string, day: string): Promise<QuotaUsage[]> {
  return sql<QuotaUsage[]>`
    select bucket, units, methods from quota_usage where source = ${source} and day = ${day}::date order by bucket`;
}
