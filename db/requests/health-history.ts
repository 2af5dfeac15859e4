import type { Sql } from 'postgres';

/**
 * Numbers of answered and failed requests of a route on one UTC day. Includes only requests that needed new data from a
 * source.
 */
export interface DayHealth {
  /** The UTC day, `YYYY-MM-DD`. */
  day: string;
  route: string;
  answered: number;
  failed: number;
}

/**
 * An hour in which at least {@link minFailures} requests of a route failed, and more requests failed than were
 * answered.
 */
export interface BadHour {
  hour: Date;
  route: string;
  answered: number;
  failed: number;
}

const minFailures = 5;

/** Returns the number of answered and failed requests of each route and UTC day since `since`, oldest first. */
export async function readDays(sql: Sql, since: Date): Promise<DayHealth[]> {
  return sql<DayHealth[]>`
    select to_char(hour at time zone 'UTC', 'YYYY-MM-DD') as day, route, sum(answered)::bigint as answered,
      sum(failed)::bigint as failed
    from route_health where hour >= ${since} group by 1, 2 order by 1, 2`;
}

/** Returns the hours since `since` in which most requests of a route failed, sorted by route and time. */
export async function readBadHours(sql: Sql, since: Date): Promise<BadHour[]> {
  return sql<BadHour[]>`
    select hour, route, answered, failed from route_health
    where hour >= ${since} and failed >= ${minFailures} and answered < failed order by route, hour`;
}
