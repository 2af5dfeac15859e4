import type { Sql } from 'postgres';
import { dayMs, hasPassed } from '../../db/durations.ts';
import { type CanaryResult, readCanaries } from '../../db/requests/canary.ts';
import { createHealthWriter, latencyBoundsMs, type RouteHealth, readHealth } from '../../db/requests/health.ts';
import { type BadHour, type DayHealth, readBadHours, readDays } from '../../db/requests/health-history.ts';
import { SourceError } from '../../pipeline/errors.ts';
import { daysShown } from './incidents.ts';

interface HealthDeps {
  now: () => Date;
  on_error: (error: unknown) => void;
}

/**
 * The health of every API route, counted over all server processes. `current` is false when the database could not be
 * read, so the values may be old.
 */
export interface HealthReading {
  routes: readonly RouteHealth[];
  canaries: readonly CanaryResult[];
  current: boolean;
}

/** Data of the status page: the health on each day, and the hours in which most requests to a route failed. */
export interface HealthHistory {
  days: readonly DayHealth[];
  hours: readonly BadHour[];
}

export interface Health {
  /**
   * Runs `collecting`, which requests live data for an API route from its sources, and counts whether a source
   * answered. Returns the result of `collecting`, or throws its error.
   */
  watch<T>(route: string, signal: AbortSignal | null, collecting: () => Promise<T>): Promise<T>;
  /**
   * Returns the health of every API route, at most five seconds old. Never rejects. When the database cannot be
   * reached or does not answer within a second, returns the last known health.
   */
  read(): Promise<HealthReading>;
  /**
   * Returns the health of the last days for the status page, at most a minute old. Rejects when the database cannot be
   * reached or does not answer within a second.
   */
  history(): Promise<HealthHistory>;
  /** Writes the counts of requests that are still in memory to the database. */
  close(): Promise<void>;
}

const maxReadingAgeMs = 5_000;
const maxHistoryAgeMs = 60_000;
/** Milliseconds to wait for the database. This is short, because people look at the status when something fails. */
const maxWaitMs = 1_000;

/**
 * Creates the functions that count and read the health of API routes. Counts are written to the database at intervals,
 * so the caller must call `close`.
 */
export function createHealth(sql: Sql, { now, on_error }: HealthDeps): Health {
  const writer = createHealthWriter(sql, { now, on_error });
  let readAtMs = Number.NEGATIVE_INFINITY;
  let known: HealthReading = { routes: [], canaries: [], current: false };
  let reading = Promise.resolve(known);

  let historyAtMs = Number.NEGATIVE_INFINITY;
  let history: Promise<HealthHistory> | null = null;

  async function readHistory(): Promise<HealthHistory> {
    const since = new Date((Math.floor(now().getTime() / dayMs) - daysShown + 1) * dayMs);
    const [days, hours] = await Promise.all([readDays(sql, since), readBadHours(sql, since)]);
    return { days, hours };
  }

  const lastKnown = (): HealthReading => ({ ...known, current: false });

  async function readAgain(): Promise<HealthReading> {
    await writer.flush();
    try {
      const [routes, canaries] = await Promise.all([readHealth(sql, now()), readCanaries(sql)]);
      known = { routes, canaries, current: true };
      return known;
    } catch (error) {
      on_error(error);
      return lastKnown();
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
        // A cancelled request is not counted, because its failure says nothing about the source.
        if (answered !== null && !signal?.aborted) observe(answered);
        throw error;
      }
    },
    read() {
      const nowMs = now().getTime();
      if (hasPassed(maxReadingAgeMs, readAtMs, nowMs)) {
        readAtMs = nowMs;
        reading = inTime(readAgain(), lastKnown);
      }
      return reading;
    },
    history() {
      const nowMs = now().getTime();
      if (history === null || hasPassed(maxHistoryAgeMs, historyAtMs, nowMs)) {
        historyAtMs = nowMs;
        history = inTime(readHistory(), () => {
          throw new Error('The database did not answer in time.');
        });
        // Tries again after five seconds, so that statements do not pile up in a database that does not answer.
        history.catch(() => {
          historyAtMs = nowMs + maxReadingAgeMs - maxHistoryAgeMs;
        });
      }
      return history;
    },
    close: writer.close,
  };
}

/**
 * Returns true for an error that a working source can return, such as "not found" or "private". Returns null for bad
 * parameters or missing credentials, which say nothing about the source. Returns false for any other error.
 */
function sourceAnswered(error: unknown): boolean | null {
  if (!(error instanceof SourceError)) return false;
  if (error.code === 'INVALID_INPUT' || error.code === 'SOURCE_NOT_CONFIGURED') return null;
  return error.about === 'resource';
}

/**
 * Returns the number of milliseconds within which a `share` (0 to 1) of the requests finished. Returns null when no
 * request was counted. `latency` has the number of requests between consecutive bounds of `latencyBoundsMs`. The result
 * is interpolated between the bounds.
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

/** Returns the result of `work`, or that of `late` when `work` takes longer than {@link maxWaitMs}. */
async function inTime<T>(work: Promise<T>, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, maxWaitMs);
  });
  try {
    return await Promise.race([work, waited.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
