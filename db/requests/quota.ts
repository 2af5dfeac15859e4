import type { Sql } from 'postgres';

/** What an upstream lets us use of one bucket in one of its days. */
export interface QuotaDay {
  source: string;
  bucket: string;
  /** `YYYY-MM-DD` where the source is. */
  day: string;
  /** Units that may be used in it. */
  budget: number;
}

/** Units that one call is about to use. */
export interface QuotaUse extends QuotaDay {
  method: string;
  units: number;
}

/** Where the use of daily quotas is counted. */
export interface QuotaLedger {
  /** Counts the units; false, and nothing counted, when they would go over the budget. */
  spend(use: QuotaUse): Promise<boolean>;
  /** Remembers the source's own word that the day's bucket is spent. */
  exhaust(day: QuotaDay): Promise<void>;
}

/** What was used of a bucket. */
export interface QuotaUsage {
  bucket: string;
  units: number;
  /** Method -> units; together less than `units` where the source itself called the bucket spent. */
  methods: Record<string, number>;
}

/** Counts in the database: exactly, whatever other processes use at the same moment, and over restarts. */
export function createQuotaLedger(sql: Sql): QuotaLedger {
  return {
    spend: (use) => spendQuota(sql, use),
    exhaust: (day) => exhaustQuota(sql, day),
  };
}

/** The check and the count are one statement, so that no two processes can both take the last unit. */
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

/** What was used of a source's buckets in one of its days; a bucket without use is not there. */
export async function readQuota(sql: Sql, source: string, day: string): Promise<QuotaUsage[]> {
  return sql<QuotaUsage[]>`
    select bucket, units, methods from quota_usage where source = ${source} and day = ${day}::date order by bucket`;
}
