import type { Sql } from 'postgres';
import { dayMs, hourMs } from '../durations.ts';
import { type CounterWriter, createCounterWriter } from './counter-writer.ts';

/** The result of one request of a route to the sources (the platforms' APIs and pages). */
interface HealthEvent {
  route: string;
  /** True when the source answered, even if the answer was "not found". */
  answered: boolean;
  duration_ms: number;
}

interface HealthWriter extends Omit<CounterWriter<Counter>, 'add'> {
  observe(event: HealthEvent): void;
}

interface HealthOptions {
  now: () => Date;
  on_error: (error: unknown) => void;
}

/**
 * Milliseconds for which request results are kept: 90 days, as shown on the status page. That is at most 26 routes x 24
 * hours x 90 days = 56,160 rows.
 */
const keptMs = 90 * dayMs;
const monthMs = 30 * dayMs;

/**
 * Upper bounds of the latency buckets in milliseconds: 1, 1.19, 1.41, 1.68, 2 … 32768. A bucket counts the requests
 * whose duration is between two bounds. Stored rows have one count per bucket, so different bounds would need a new
 * column.
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
  /** Number of answered requests by the index of their latency bucket (see {@link latencyBoundsMs}). */
  latency: Map<number, number>;
}

/**
 * Creates a writer that counts the results of requests to the sources in memory and writes them every few seconds, so
 * that requests do not wait for the database.
 */
export function createHealthWriter(sql: Sql, { now, on_error }: HealthOptions): HealthWriter {
  const writer = createCounterWriter<Counter>({
    name: 'health',
    flush_every_ms: 5_000,
    max_counters: 5_000,
    idOf: ({ hour, route }) => `${hour} ${route}`,
    merge,
    statements: (counters) => [{ counters, run: () => write(sql, counters, now()) }],
    on_error,
  });
  return {
    observe: (event) => writer.add([counterOf(event, now())]),
    flush: writer.flush,
    close: writer.close,
  };
}

function counterOf({ route, answered, duration_ms }: HealthEvent, at: Date): Counter {
  const hour = at.getTime() - (at.getTime() % hourMs);
  if (!answered) return { route, hour, answered: 0, failed: 1, last_success_at: null, latency: new Map() };
  const latency = new Map([[latencyBucket(duration_ms), 1]]);
  return { route, hour, answered: 1, failed: 0, last_success_at: at, latency };
}

function merge(counter: Counter, more: Counter): void {
  counter.answered += more.answered;
  counter.failed += more.failed;
  if (more.last_success_at !== null && more.last_success_at > (counter.last_success_at ?? 0))
    counter.last_success_at = more.last_success_at;
  for (const [bucket, requests] of more.latency)
    counter.latency.set(bucket, (counter.latency.get(bucket) ?? 0) + requests);
}

async function write(sql: Sql, counters: readonly Counter[], now: Date): Promise<void> {
  const column = <K extends keyof Counter>(name: K) => counters.map((counter) => counter[name]);
  const hours = counters.map(({ hour }) => new Date(hour).toISOString());
  const successes = counters.map(({ last_success_at }) => last_success_at?.toISOString() ?? null);
  const latencies = counters.map(({ latency }) => `{${latencyBoundsMs.map((_, bucket) => latency.get(bucket) ?? 0)}}`);
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

/** The results of a route's requests to the sources. Only routes that were requested in the last 30 days have one. */
export interface RouteHealth {
  route: string;
  /** Time of the last answered request in the last 30 days; null when all requests failed. */
  last_success_at: Date | null;
  /** Number of answered requests in the current hour and the previous 23 hours. */
  answered: number;
  failed: number;
  /** Number of answered requests in the current and the previous hour. */
  answered_lately: number;
  failed_lately: number;
  /**
   * Number of requests answered in the last 24 hours, per bucket of {@link latencyBoundsMs}; null when no request was
   * answered.
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
