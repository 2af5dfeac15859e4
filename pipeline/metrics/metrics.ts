import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Sql } from 'postgres';
import { type QueueState, readQueueStates } from '../../db/queue.ts';
import { createReadiness } from '../../db/readiness.ts';
import { type CanaryResult, readCanaries } from '../../db/requests/canary.ts';
import type { BreakerState, Breakers } from '../collect/breaker.ts';
import { listJobs } from '../jobs/all.ts';
import type { MetricFamily } from '../telemetry/telemetry.ts';

/** Functions that read the job queue and the results of canary requests (regular test requests for well-known data). */
export interface SharedMetrics {
  queue_states(): Promise<QueueState[]>;
  canaries(): Promise<CanaryResult[]>;
  /** Rejects when the database cannot store data, because it is unreachable, full or read-only. */
  can_store(): Promise<void>;
}

interface MetricsDeps extends SharedMetrics {
  breakers: Pick<Breakers, 'state'>;
  on_error(error: unknown): void;
}

/** Returns all metrics of this process. */
export type ReadMetrics = () => Promise<MetricFamily[]>;

const loopResolutionMs = 20;
const nanoseconds = 1e-9;

/** Returns functions that read the metrics which are the same for all processes from the database. */
export function sharedMetrics(sql: Sql): SharedMetrics {
  const jobs = listJobs().map(({ name }) => name);
  return {
    queue_states: () => readQueueStates(sql, jobs),
    canaries: () => readCanaries(sql),
    can_store: createReadiness(sql),
  };
}

/**
 * Creates the function that returns the metrics that servers and pipelines have. From its first call on, this function
 * also measures the delay of the event loop.
 */
export function createMetricsReader(deps: MetricsDeps): ReadMetrics {
  const loop = monitorEventLoopDelay({ resolution: loopResolutionMs });
  return async () => {
    loop.enable();
    return [...breakerFamilies(deps.breakers.state()), ...(await databaseFamilies(deps)), ...processFamilies(loop)];
  };
}

function breakerFamilies(states: readonly BreakerState[]): MetricFamily[] {
  const all: readonly BreakerState['state'][] = ['closed', 'open', 'probing'];
  return [
    {
      ...gaugeOf(
        'source_breaker',
        'State of the circuit breaker of each source that this process has used: 1 for its current state.',
      ),
      samples: states.flatMap(({ source, state }) =>
        all.map((one) => ({ labels: { source, state: one }, value: one === state ? 1 : 0 })),
      ),
    },
    {
      ...gaugeOf('source_consecutive_failures', 'Failures of each source since its last answer.'),
      samples: states.map(({ source, consecutive_failures }) => ({ labels: { source }, value: consecutive_failures })),
    },
  ];
}

/**
 * Returns the metrics of the job queue and of the canary requests (regular test requests for well-known data). When the
 * database does not answer, returns only `database_up` with the value 0.
 */
async function databaseFamilies({ on_error, ...database }: MetricsDeps): Promise<MetricFamily[]> {
  const help = '1 when the database answered this request and can store data, else 0.';
  const orNull = (error: unknown) => {
    on_error(error);
    return null;
  };
  const [read, stored] = await Promise.all([
    Promise.all([database.queue_states(), database.canaries()]).catch(orNull),
    database.can_store().then(() => true, orNull),
  ]);
  const up = gauge('database_up', help, read && stored ? 1 : 0);
  return read === null ? [up] : [up, ...depthFamilies(read[0]), ...canaryFamilies(read[1])];
}

function depthFamilies(states: readonly QueueState[]): MetricFamily[] {
  const counted = ['queued', 'active', 'deferred', 'failed'] as const;
  return [
    {
      ...gaugeOf('queue_items', 'Items of each job: queued, active, deferred to a later time, failed in the last day.'),
      samples: states.flatMap((row) =>
        counted.map((state) => ({ labels: { job: row.job, state }, value: row[state] })),
      ),
    },
    {
      ...gaugeOf(
        'queue_lag_seconds',
        'Waiting time in seconds of the oldest item of each job that is ready to start; 0 when no item waits.',
      ),
      samples: states.map(({ job, lag_seconds }) => ({ labels: { job }, value: lag_seconds ?? 0 })),
    },
    {
      ...gaugeOf(
        'queue_last_finished_timestamp_seconds',
        'Unix time at which an item of each job last finished without an error; missing when none did in the last day.',
      ),
      samples: states.flatMap(({ job, finished_at }) =>
        finished_at === null ? [] : [{ labels: { job }, value: finished_at.getTime() / 1000 }],
      ),
    },
  ];
}

function canaryFamilies(results: readonly CanaryResult[]): MetricFamily[] {
  const checked = results.filter(({ checked_at }) => checked_at !== null);
  const labelsOf = ({ collector, subject }: CanaryResult) => ({ collector, subject });
  return [
    {
      ...gaugeOf(
        'canary_failures',
        'Answers in a row to a canary request that were not right; 0 when the last one was.',
      ),
      samples: checked.map((one) => ({ labels: labelsOf(one), value: one.failures })),
    },
    {
      ...gaugeOf(
        'canary_right_timestamp_seconds',
        'Time of the last right answer to a canary request, in Unix seconds.',
      ),
      samples: checked.flatMap((one) =>
        one.right_at ? [{ labels: labelsOf(one), value: one.right_at.getTime() / 1_000 }] : [],
      ),
    },
  ];
}

function processFamilies(loop: ReturnType<typeof monitorEventLoopDelay>): MetricFamily[] {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const lag = (valueNs: number) => Math.max(0, valueNs * nanoseconds - loopResolutionMs / 1_000);
  const lags = { mean: loop.mean, p99: loop.percentile(99), max: loop.max };
  const samples = Object.entries(lags)
    .filter(([, value]) => Number.isFinite(value))
    .map(([statistic, value]) => ({ labels: { statistic }, value: lag(value) }));
  const families: MetricFamily[] = [
    gauge('process_resident_memory_bytes', 'Memory of this process.', rss),
    gauge('process_heap_used_bytes', 'Memory of the JavaScript objects of this process.', heapUsed),
    gauge(
      'process_start_time_seconds',
      'Start time of this process, in Unix seconds.',
      Date.now() / 1_000 - process.uptime(),
    ),
    {
      ...counter('process_cpu_seconds_total', 'CPU time of this process.'),
      samples: [{ value: (user + system) / 1e6 }],
    },
    { ...gaugeOf('event_loop_lag_seconds', 'Delay of the event loop since the last reading.'), samples },
  ];
  loop.reset();
  return families;
}

/** Begins a metric that only increases. */
export const counter = (name: string, help: string) => ({ name, help, type: 'counter' as const });
const gaugeOf = (name: string, help: string) => ({ name, help, type: 'gauge' as const });
/** Returns a metric with one value. */
export const gauge = (name: string, help: string, value: number): MetricFamily => ({
  ...gaugeOf(name, help),
  samples: [{ value }],
});
