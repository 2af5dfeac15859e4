import type { Sql } from 'postgres';
import { dayMs, hourMs } from '../durations.ts';

/** The result of one request of a route to the sources (the platforms' APIs and pages). */
interface HealthEvent {
  route: string;
  /** True when the source answered. The answer "not found" counts, too. */
  answered: boolean;
  duration_ms: number;
}

interface HealthWriter {
  observe(event: HealthEvent): void;
  /** Writes all counts to the database. Never throws: counts that cannot be written are kept and written next time. */
  flush(): Promise<void>;
  /** Writes all counts to the database and stops the timer. */
  close(): Promise<void>;
}

interface HealthOptions {
  now: () => Date;
  on_error: (error: unknown) => void;
}

const flushEveryMs = 5_000;
/**
 * Milliseconds for which request results are kept: the 90 days that the status page shows. That is at most 26 routes x
 * 24 hours x 90 days = 56,160 rows.
 */
const keptMs = 90 * dayMs;
const monthMs = 30 * dayMs;
/**
 * Maximum number of counters in memory, one for each route and hour. If the database is unavailable so long that the
 * limit is reached, further counts are dropped and an error is reported.
 */
const maxCounters = 5_000;

/**
 * Upper bounds of the latency buckets in milliseconds: 1, 1.19, 1.41, 1.68, 2 … 32768. A bucket counts the requests
 * whose duration is between two bounds. Stored rows have one count for each bucket, so different bounds would need a
 * new column.
 */
export const latencyBoundsMs: readonly number[] = Array.from({ length: 61 }, (_, step) => 2 ** (step / 4));

/**
 * Returns the index of the latency bucket that counts this duration. The last bucket also counts all longer durations.
 */
function latencyBucket(durationMs: number): number {
  const bucket = latencyBoundsMs.findIndex((bound) => durationMs <= bound);
  return bucket === -1 ? latencyBoundsMs.length - 1 : bucket;
}

interface Counter {
  route: string;
  /** Start of the counted hour, in milliseconds since 1970-01-01. */
  hour: number;
  answered: number;
  failed: number;
  last_success_at: Date | null;
  /** Number of answered requests in each latency bucket (see {@link latencyBoundsMs}). */
  latency: number[];
}

/** The counters that are not written yet, by hour and route. */
type Counters = Map<string, Counter>;

/** Returns the counter of a route and hour, and creates it if needed. Returns null when there are too many counters. */
function counterOf(counters: Counters, route: string, hour: number): Counter | null {
  const id = `${hour} ${route}`;
  const known = counters.get(id);
  if (known) return known;
  if (counters.size >= maxCounters) return null;
  const latency = latencyBoundsMs.map(() => 0);
  const counter = { route, hour, answered: 0, failed: 0, last_success_at: null, latency };
  counters.set(id, counter);
  return counter;
}

function count(counter: Counter, { answered, duration_ms }: HealthEvent, now: Date): void {
  if (!answered) {
    counter.failed += 1;
    return;
  }
  counter.answered += 1;
  counter.last_success_at = now;
  const bucket = latencyBucket(duration_ms);
  counter.latency[bucket] = (counter.latency[bucket] as number) + 1;
}

/** Adds counts that could not be written to the current counter, so that they are written next time. */
function addBack(counter: Counter, earlier: Counter): void {
  counter.answered += earlier.answered;
  counter.failed += earlier.failed;
  counter.last_success_at ??= earlier.last_success_at;
  for (const [bucket, requests] of earlier.latency.entries())
    counter.latency[bucket] = (counter.latency[bucket] as number) + requests;
}

/**
 * Creates a writer that counts the results of requests to the sources in memory and writes them every few seconds, so
 * that requests do not wait for the database.
 */
export function createHealthWriter(sql: Sql, { now, on_error }: HealthOptions): HealthWriter {
  let counters: Counters = new Map();
  let writing: Promise<void> = Promise.resolve();
  const timer = setInterval(flush, flushEveryMs);
  timer.unref();

  function changeCounter(route: string, hour: number, change: (counter: Counter) => void): void {
    const counter = counterOf(counters, route, hour);
    if (counter) change(counter);
    else
      on_error(
        new Error(
          'The health counters are full, so some requests are not counted. They have space again after the next write.',
        ),
      );
  }

  function flush(): Promise<void> {
    if (counters.size === 0) return writing;
    const unwritten = [...counters.values()];
    counters = new Map();
    writing = writing.then(() =>
      write(sql, unwritten, now()).catch((error: unknown) => {
        on_error(error);
        for (const earlier of unwritten)
          changeCounter(earlier.route, earlier.hour, (counter) => addBack(counter, earlier));
      }),
    );
    return writing;
  }

  return {
    observe(event) {
      const at = now();
      const hour = at.getTime() - (at.getTime() % hourMs);
      changeCounter(event.route, hour, (counter) => count(counter, event, at));
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

async function write(sql: Sql, counters: Counter[], now: Date): Promise<void> {
  const column = <K extends keyof Counter>(name: K) => counters.map((counter) => counter[name]);
  const hours = counters.map(({ hour }) => new Date(hour).toISOString());
  const successes = counters.map(({ last_success_at }) => last_success_at?.toISOString() ?? null);
  const latencies = counters.map(({ latency }) => `{${latency.join(',')}}`);
  await sql`
    with counted as materialized (
      select * from unnest(${hours}::timestamptz[], ${column('route')}::text[], ${column('answered')}::bigint[],
        ${column('failed')}::bigint[], ${successes}::timestamptz[], ${latencies}::text[])
        as c (hour, route, answered, failed, last_success_at, latency)
    ), expired as (
      delete from route_health where hour < ${new Date(now.getTime() - keptMs)}
    )
    insert into route_health as h (hour, route, answered, failed, last_success_at, latency)
    select hour, route, answered, failed, last_success_at, latency::integer[] from counted order by hour, route
    on conflict (hour, route) do update set
      answered = h.answered + excluded.answered,
      failed = h.failed + excluded.failed,
      last_success_at = greatest(h.last_success_at, excluded.last_success_at),
      latency = (
        select array_agg(stored + added order by bucket)
        from unnest(h.latency, excluded.latency) with ordinality as l (stored, added, bucket)
      )`;
}

/** The results of a route's requests to the sources, for a route that was requested in the last 30 days. */
export interface RouteHealth {
  route: string;
  /** Time of the last answered request in the last 30 days; null when all requests failed. */
  last_success_at: Date | null;
  /** Number of answered requests in the current hour and the 23 hours before it. */
  answered: number;
  failed: number;
  /** Number of answered requests in the current hour and the hour before it. */
  answered_lately: number;
  failed_lately: number;
  /**
   * Number of answered requests of the last 24 hours in each bucket of {@link latencyBoundsMs}; null when no request
   * was answered.
   */
  latency: number[] | null;
}

/** Returns the health of each route that was requested in the last 30 days. The counts include all processes. */
export async function readHealth(sql: Sql, now: Date): Promise<RouteHealth[]> {
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * hourMs);
  return sql<RouteHealth[]>`
    with recent as (
      select route, bucket, sum(requests)::integer as requests
      from route_health, unnest(latency) with ordinality as l (requests, bucket)
      where hour > ${hoursAgo(24)} and answered > 0
      group by route, bucket
    ), latencies as (
      select route, array_agg(requests order by bucket) as latency from recent group by route
    )
    select route, latencies.latency, max(last_success_at) as last_success_at,
      coalesce(sum(answered) filter (where hour > ${hoursAgo(24)}), 0)::bigint as answered,
      coalesce(sum(failed) filter (where hour > ${hoursAgo(24)}), 0)::bigint as failed,
      coalesce(sum(answered) filter (where hour > ${hoursAgo(2)}), 0)::bigint as answered_lately,
      coalesce(sum(failed) filter (where hour > ${hoursAgo(2)}), 0)::bigint as failed_lately
    from route_health left join latencies using (route)
    where hour > ${new Date(now.getTime() - monthMs)}
    group by route, latencies.latency`;
}
