import type { Sql } from 'postgres';

/** The results of a route's requests for new data on one UTC day. */
export interface DayHealth {
  /** `YYYY-MM-DD` */
  day: string;
  route: string;
  answered: number;
  failed: number;
}

/** An hour in which at least {@link fewestFailures} requests of a route failed, and fewer were answered than failed. */
export interface BadHour {
  hour: Date;
  route: string;
  answered: number;
  failed: number;
}

const fewestFailures = 5;

/** Returns the results of each route and day since a time, oldest first. */
export async function readDays(sql: Sql, since: Date): Promise<DayHealth[]> {
  return sql<DayHealth[]>`
    select to_char(hour at time zone 'UTC', 'YYYY-MM-DD') as day, route, sum(answered)::bigint as answered,
      sum(failed)::bigint as failed
    from route_health where hour >= ${since} group by 1, 2 order by 1, 2`;
}

/** Returns the bad hours since a time, by route and time. */
export async function readBadHours(sql: Sql, since: Date): Promise<BadHour[]> {
  return sql<BadHour[]>`
    select hour, route, answered, failed from route_health
    where hour >= ${since} and failed >= ${fewestFailures} and answered < failed order by route, hour`;
}
