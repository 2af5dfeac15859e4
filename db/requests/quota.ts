import type { Sql } from 'postgres';

/** The daily quota of a bucket. A bucket is a group of API methods for which the source counts one common quota. */
export interface QuotaDay {
  source: string;
  bucket: string;
  /** `YYYY-MM-DD` in the time zone of the source. */
  day: string;
  /** Number of units of the source's quota that may be used on `day`. */
  budget: number;
}

/** The units that one call uses, and the API method that it calls. */
export interface QuotaUse extends QuotaDay {
  method: string;
  units: number;
}

/** Counts the units used of daily quotas. */
export interface QuotaLedger {
  /** Counts the units of a call. Returns false and counts nothing when the quota would be exceeded. */
  spend(use: QuotaUse): Promise<boolean>;
  /** Marks the quota as used up for the day, after the source refused a call for this reason. */
  exhaust(day: QuotaDay): Promise<void>;
}

/** The units used of a bucket on one day. */
export interface QuotaUsage {
  bucket: string;
  units: number;
  /** Units used by each API method. Their sum is less than `units` when the source refused calls before we had counted the whole quota. */
  methods: Record<string, number>;
}

/** Creates a quota ledger in the database, so that the counts are exact over all processes and restarts. */
export function createQuotaLedger(sql: Sql): QuotaLedger {
  return {
    spend: (use) => spendQuota(sql, use),
    exhaust: (day) => exhaustQuota(sql, day),
  };
}

// Checks and counts in one statement, so that two processes cannot both use the last unit.
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

/** Returns the units used of each bucket of a source on one day. Buckets without any use are left out. */
export async function readQuota(sql: Sql, source: string, day: string): Promise<QuotaUsage[]> {
  return sql<QuotaUsage[]>`
    select bucket, units, methods from quota_usage where source = ${source} and day = ${day}::date order by bucket`;
}
