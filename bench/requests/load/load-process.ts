import { createRequire } from 'node:module';
import type { Load, LoadResult } from './load.ts';

interface Client {
  setRequests(requests: { method: 'GET'; path: string; headers: Record<string, string> }[]): void;
}

/** The type of the part of autocannon that is used here. The package has no types. */
type Autocannon = (
  options: {
    url: string;
    connections: number;
    duration: number;
    /** Maximum seconds to wait for one answer, at least 1. */
    timeout: number;
    sampleInt: number;
    overallRate?: number;
    skipAggregateResult: true;
    setupClient(client: Client): void;
  },
  done: (error: Error | null, result: { errors: number }) => void,
) => {
  stop(): void;
  on(event: 'start', listener: () => void): void;
  on(event: 'response', listener: (client: Client, status: number, bytes: number, durationMs: number) => void): void;
};

const autocannon = createRequire(import.meta.url)('autocannon') as Autocannon;
/** Interval in milliseconds at which autocannon checks whether the measurement is over. */
const sampleMs = 20;
/** Default number of seconds to wait after the planned end of a measurement if no answer has arrived by then. */
const defaultMaxSeconds = 30;

process.on('message', async (load: Load) => process.send?.(await sendRequests(load)));

/**
 * Sends requests for `seconds`. If no answer has arrived by then, waits for the first answer, until at most
 * `max_seconds` after the start.
 */
async function sendRequests({
  origin,
  seconds,
  max_seconds = seconds + defaultMaxSeconds,
  rate,
  plans,
}: Load): Promise<LoadResult> {
  const statuses: Record<string, number> = {};
  const durations: number[] = [];
  let started = 0;
  let used = process.cpuUsage();
  let timeIsOver = false;
  let next = 0;
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const run = autocannon(
    {
      url: origin,
      connections: plans.length,
      duration: max_seconds,
      timeout: Math.max(1, max_seconds),
      sampleInt: sampleMs,
      skipAggregateResult: true,
      ...(rate !== undefined && { overallRate: rate }),
      setupClient(client) {
        const { headers, paths } = plans[next] ?? { headers: {}, paths: [] };
        next += 1;
        client.setRequests(paths.map((path) => ({ method: 'GET', path, headers })));
      },
    },
    (error, result) => (error ? reject(error) : resolve(result.errors)),
  );
  run.on('start', () => {
    started = performance.now();
    used = process.cpuUsage();
    setTimeout(() => {
      timeIsOver = true;
      if (durations.length > 0) run.stop();
    }, seconds * 1000);
  });
  run.on('response', (_client, status, _bytes, durationMs) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    durations.push(durationMs);
    if (timeIsOver) run.stop();
  });
  const errors = await promise;
  const elapsed = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(used);
  const sorted = Float64Array.from(durations).sort();
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  return {
    answers_per_second: durations.length / elapsed,
    ...{ p50_ms: at(0.5), p99_ms: at(0.99), p999_ms: at(0.999), longest_ms: at(1) },
    generator_cores: (user + system) / 1_000_000 / elapsed,
    statuses,
    errors,
  };
}
