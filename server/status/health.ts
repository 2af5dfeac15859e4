import type { Sql } from 'postgres';
import { createHealthWriter, latencyBoundsMs, type RouteHealth, readHealth } from '../../db/requests/health.ts';
import { SourceError } from '../../pipeline/errors.ts';

export interface HealthDeps {
  now: () => Date;
  on_error: (error: unknown) => void;
}

/** The health of every route, over all processes. `current` is false when the database cannot be read. */
export interface HealthReading {
  routes: readonly RouteHealth[];
  current: boolean;
}

export interface Health {
  /** Runs a live request to the sources of a route and counts its outcome. Its result or error is passed through. */
  watch<T>(route: string, signal: AbortSignal | null, collecting: () => Promise<T>): Promise<T>;
  /** Returns a reading that is at most five seconds old. It never rejects. */
  read(): Promise<HealthReading>;
  /** Writes the counts that are still in memory. */
  close(): Promise<void>;
}

const maxReadingAgeMs = 5_000;

export function createHealth(sql: Sql, { now, on_error }: HealthDeps): Health {
  const writer = createHealthWriter(sql, { now, on_error });
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<HealthReading> = Promise.resolve({ routes: [], current: false });

  async function readAgain(before: Promise<HealthReading>): Promise<HealthReading> {
    await writer.flush();
    try {
      return { routes: await readHealth(sql, now()), current: true };
    } catch (error) {
      on_error(error);
      return { ...(await before), current: false };
    }
  }

  return {
    async watch(route, signal, collecting) {
      const startedMs = performance.now();
      const observe = (answered: boolean) =>
        writer.observe({ route, answered, duration_ms: performance.now() - startedMs });
      try {
        const collected = await collecting();
        observe(true);
        return collected;
      } catch (error) {
        const answered = sourceAnswered(error);
        // A request that the caller cancelled says nothing about the source.
        if (answered !== null && !signal?.aborted) observe(answered);
        throw error;
      }
    },
    read() {
      const nowMs = now().getTime();
      if (nowMs - readAtMs >= maxReadingAgeMs) {
        readAtMs = nowMs;
        reading = readAgain(reading);
      }
      return reading;
    },
    close: writer.close,
  };
}

/**
 * Returns true for an error that shows a working source, such as "not found" or "private". Returns null for errors that are
 * unrelated to sources: bad parameters and missing credentials.
 */
export function sourceAnswered(error: unknown): boolean | null {
  if (!(error instanceof SourceError)) return false;
  if (error.code === 'INVALID_INPUT' || error.code === 'SOURCE_NOT_CONFIGURED') return null;
  return error.about === 'resource';
}

/**
 * Returns the duration in milliseconds that `share` (0 to 1) of the counted requests did not exceed, interpolated inside its
 * bucket, or null when no request was counted.
 */
export function percentile(latency: readonly number[], share: number): number | null {
  const total = latency.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil(share * total));
  let before = 0;
  let bucket = 0;
  while (before + (latency[bucket] as number) < rank) {
    before += latency[bucket] as number;
    bucket += 1;
  }
  const lowerMs = latencyBoundsMs[bucket - 1] ?? 0;
  const upperMs = latencyBoundsMs[bucket] as number;
  return lowerMs + ((upperMs - lowerMs) * (rank - before)) / (latency[bucket] as number);
}
