import type { Sql } from 'postgres';

/** The result of one request to the sources (the platforms' APIs and pages) of a route. */
export interface HealthEvent {
  route: string;
  /** True when the source answered. "Not found" is an answer too. */
  answered: boolean;
  duration_ms: number;
}

export interface HealthWriter {
  observe(event: HealthEvent): void;
  /** Writes the counts so far. Never throws: counts that cannot be written are kept and written next time. */
  flush(): Promise<void>;
  /** Writes the counts so far and stops the timer. */
  close(): Promise<void>;
}

export interface HealthOptions {
  now: () => Date;
  on_error: (error: unknown) => void;
}

const hourMs = 3_600_000;
const flushEveryMs = 5_000;
/** The status page shows 90 days: at most 26 routes x 24 hours x 90 days = 56,160 rows. */
const keptMs = 90 * 24 * hourMs;
const monthMs = 30 * 24 * hourMs;
/**
 * Maximum number of counters in memory, one for each route and hour. If the database is away for long, further counts are
 * dropped and an error is reported.
 */
const maxCounters = 5_000;

/**
 * Upper bounds of the latency buckets in milliseconds. A bucket counts the requests whose duration is between two bounds: 1,
 * 1.19, 1.41, 1.68, 2 … 32768. Stored rows have one count for each bucket, so different bounds would need a new column.
 */
export const latencyBoundsMs: readonly number[] = Array.from({ length: 61 }, (_, step) => 2 ** (step / 4));

/** Returns the number of the bucket that counts this duration. The last bucket also counts all longer durations. */
export function latencyBucket(durationMs: number): number {
  const bucket = latencyBoundsMs.findIndex((bound) => durationMs <= bound);
  return bucket === -1 ? latencyBoundsMs.length - 1 : bucket;
}

interface Counter {
  route: string;
  hour: string;
  answered: number;
  failed: number;
  last_success_at: string | null;
  /** Number of answered requests in each latency bucket. */
  latency: number[];
}

/** Creates a writer that counts the results of live requests in memory. It writes them every few seconds, so that requests do not wait. */
export function createHealthWriter(sql: Sql, options: HealthOptions): HealthWriter {
  let counters = new Map<string, Counter>();
  let writing: Promise<void> = Promise.resolve();
  const timer = setInterval(flush, flushEveryMs);
  timer.unref();

  function add(counter: Counter): void {
    const id = `${counter.hour} ${counter.route}`;
    const known = counters.get(id);
    if (known) counters.set(id, sumOf(known, counter));
    else if (counters.size < maxCounters) counters.set(id, counter);
    else options.on_error(new Error('The health counters are full: some requests are not counted.'));
  }

  function flush(): Promise<void> {
    if (counters.size === 0) return writing;
    const batch = counters;
    counters = new Map();
    writing = writing.then(() =>
      write(sql, [...batch.values()], options.now()).catch((error: unknown) => {
        options.on_error(error);
        for (const counter of batch.values()) add(counter);
      }),
    );
    return writing;
  }

  return {
    observe: (event) => add(counterOf(event, options.now())),
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

function counterOf({ route, answered, duration_ms }: HealthEvent, now: Date): Counter {
  const bucket = answered ? latencyBucket(duration_ms) : -1;
  return {
    route,
    hour: new Date(now.getTime() - (now.getTime() % hourMs)).toISOString(),
    answered: answered ? 1 : 0,
    failed: answered ? 0 : 1,
    last_success_at: answered ? now.toISOString() : null,
    latency: latencyBoundsMs.map((_, index) => (index === bucket ? 1 : 0)),
  };
}

/** Returns the sum of two counters. `later` is the newer one. */
function sumOf(earlier: Counter, later: Counter): Counter {
  return {
    ...earlier,
    answered: earlier.answered + later.answered,
    failed: earlier.failed + later.failed,
    last_success_at: later.last_success_at ?? earlier.last_success_at,
    latency: earlier.latency.map((count, bucket) => count + (later.latency[bucket] as number)),
  };
}

async function write(sql: Sql, counters: Counter[], now: Date): Promise<void> {
  const column = <K extends keyof Counter>(name: K) => counters.map((counter) => counter[name]);
  const latencies = counters.map(({ latency }) => `{${latency.join(',')}}`);
  await sql`
    with counted as materialized (
      select * from unnest(${column('hour')}::timestamptz[], ${column('route')}::text[], ${column('answered')}::bigint[],
        ${column('failed')}::bigint[], ${column('last_success_at')}::timestamptz[], ${latencies}::text[])
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

/** The health of a route that was requested in the last 30 days. */
export interface RouteHealth {
  route: string;
  /** Time of the last success in the last 30 days. */
  last_success_at: Date | null;
  /** Number of answered requests in the current hour and the 23 hours before it. */
  answered: number;
  failed: number;
  /** Number of answered requests in the current hour and the hour before it. */
  answered_lately: number;
  failed_lately: number;
  /** Number of answered requests of these 24 hours in each bucket of {@link latencyBoundsMs}; null when no request was answered. */
  latency: number[] | null;
}

/** Returns one row for each route. The counts include all processes. */
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
