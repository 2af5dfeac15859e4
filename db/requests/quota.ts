import type { Sql } from 'postgres';

/** A source's daily quota for a bucket: a group of API methods that share one quota. */
interface QuotaDay {
  source: string;
  bucket: string;
  /** The day of the quota, `YYYY-MM-DD` in the time zone of the source. */
  day: string;
  /** Number of quota units that may be used on `day`. */
  budget: number;
}

/** One API call to a source: the method, and the quota units that the call uses. */
export interface QuotaUse extends QuotaDay {
  method: string;
  units: number;
}

/** Counts the used units of the sources' daily API quotas. */
export interface QuotaLedger {
  /**
   * Counts the units of a call to the source. Returns false and counts nothing when the call would exceed the quota.
   */
  spend(use: QuotaUse): Promise<boolean>;
  /** Marks a daily quota as used up. Must be called when the source has refused a call for this reason. */
  exhaust(day: QuotaDay): Promise<void>;
}

/** The used quota units of a bucket (a group of API methods) on one day. */
export interface QuotaUsage {
  bucket: string;
  units: number;
  /**
   * Used quota units by API method. Their sum is less than `units` when the source reported a used-up quota before our
   * count reached it.
   */
  methods: Record<string, number>;
}

/** Creates a quota counter in the database. The counts are exact across all processes and restarts. */
export function createQuotaLedger(sql: Sql): QuotaLedger {
  return {
    spend: (use) => spendQuota(sql, use),
    exhaust: (day) => exhaustQuota(sql, day),
  };
}

// Checks the quota and counts the units in one SQL statement, so that two processes cannot both use the last unit.
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

/** Returns the used quota units of each bucket of a source on one day. Leaves out buckets without any use. */
export async function readQuota(sql: Sql, source: string, day: string): Promise<QuotaUsage[]> {
  return sql<QuotaUsage[]>`
    select bucket, units, methods from quota_usage where source = ${source} and day = ${day}::date order by bucket`;
}
