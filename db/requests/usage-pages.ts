import type { Sql } from 'postgres';

/**
 * Number of requests and credits in a period for one day, one route, one API key or one outcome. Exactly one of `day`,
 * `route`, `key_id` and `outcome` is set; the other three are null.
 */
export interface UsagePart {
  day: string | null;
  route: string | null;
  key_id: string | null;
  outcome: string | null;
  requests: number;
  credits: number;
}

export interface UsageQuery {
  workspace_id: string;
  /** The first UTC day of the period, `YYYY-MM-DD`. `until` is the day after the last day. */
  from: string;
  until: string;
  /** Counts only this route; null counts all routes. */
  route: string | null;
}

/** Returns the number of API requests and credits in a period, by day, by route, by API key and by outcome. */
export async function usageOf(sql: Sql, { workspace_id, from, until, route }: UsageQuery): Promise<UsagePart[]> {
  return sql<UsagePart[]>`
    select day, route, key_id, outcome, sum(requests)::bigint as requests, sum(credits)::bigint as credits
    from usage
    where workspace_id = ${workspace_id} and day >= ${from}::date and day < ${until}::date
      and (${route}::text is null or route = ${route})
    group by grouping sets ((day), (route), (key_id), (outcome))
    order by credits desc, requests desc, day, route, key_id, outcome`;
}

export interface ScheduledUse {
  day: string;
  work: 'tracking' | 'bulk';
  /** Number of tracking checks that were made on this day, or of batch rows that got a result on this day. */
  done: number;
  credits: number;
}

/** Returns the number and credits of tracking checks and of batch rows on each UTC day of a period. */
export async function scheduledOf(sql: Sql, { workspace_id, from, until }: UsageQuery): Promise<ScheduledUse[]> {
  return sql<ScheduledUse[]>`
    with span as (select ${from}::date::timestamptz as first, ${until}::date::timestamptz as next)
    select date_trunc('day', attempted_at, 'UTC')::date as day, 'tracking' as work, count(*) as done,
      sum(credits)::bigint as credits
    from check_attempts, span
    where workspace_id = ${workspace_id} and attempted_at >= first and attempted_at < next
      and outcome not like 'SKIPPED%'
    group by 1
    union all
    select date_trunc('day', answered_at, 'UTC')::date, 'bulk', count(*), sum(credits)::bigint
    from batch_rows, span
    where workspace_id = ${workspace_id} and answered_at >= first and answered_at < next
    group by 1
    order by 1, 2`;
}

interface UsageLine {
  day: string;
  route: string;
  key_id: string;
  key_name: string | null;
  key_last_four: string | null;
  outcome: string;
  requests: number;
  credits: number;
}

/**
 * Returns at most `limit` usage counters of a period. Each counts the requests of one day, route, API key and outcome.
 */
export async function usageLines(
  sql: Sql,
  { workspace_id, from, until, route }: UsageQuery,
  limit: number,
): Promise<UsageLine[]> {
  return sql<UsageLine[]>`
    select u.day, u.route, u.key_id, k.name as key_name, k.last_four as key_last_four, u.outcome, u.requests, u.credits
    from usage u left join api_keys k on k.workspace_id = u.workspace_id and k.key_id = u.key_id
    where u.workspace_id = ${workspace_id} and u.day >= ${from}::date and u.day < ${until}::date
      and (${route}::text is null or u.route = ${route})
    order by u.day, u.route, u.key_id, u.outcome limit ${limit}`;
}

/** Returns the first UTC day on which the workspace made an API request, `YYYY-MM-DD`; null when it made none. */
export async function firstUsage(sql: Sql, workspaceId: string): Promise<string | null> {
  const [row] = await sql<{ day: string | null }[]>`
    select min(day) as day from usage where workspace_id = ${workspaceId}`;
  return row?.day ?? null;
}
