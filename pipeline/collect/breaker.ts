import { dayMs, minuteMs } from '../../db/durations.ts';
import type { SourceError, SourceErrorCode } from '../errors.ts';

/** The error for a request to a data source (such as the YouTube Data API) that its circuit breaker has paused. */
export interface BreakerRefusal {
  code: 'SOURCE_CAPACITY' | 'SOURCE_UNAVAILABLE';
  retry_after_seconds: number;
  /**
   * True when the source is paused because the platform blocked this server. Other sources of the platform must then
   * not be tried either.
   */
  block: boolean;
}

export interface BreakerState {
  source: string;
  /**
   * `closed`: requests to the source are allowed. `open`: requests are refused for a while. `probing`: one request
   * tests whether the source works again.
   */
  state: 'closed' | 'open' | 'probing';
  consecutive_failures: number;
  /** Code of the error that paused the source; null while the state is `closed`. */
  code: SourceErrorCode | null;
  open_until: string | null;
}

/**
 * Circuit breakers, one per data source (such as the YouTube Data API). Each refuses requests to its source for a while
 * after repeated failures.
 */
export interface Breakers {
  /**
   * Returns null when a request may be sent to the source, otherwise the error for this request. After a pause, only
   * the first caller gets null, so that one request tests the source. The other callers get the error until the test
   * has a result or 30 seconds have passed.
   */
  refusal(source: string): BreakerRefusal | null;
  /** Records the result of a request to a data source. `error` is null when the request succeeded. */
  report(source: string, error: SourceError | null): void;
  /** Returns the state of the circuit breaker of every data source that this process has used, for the status page. */
  state(): BreakerState[];
}

interface BreakerOptions {
  now?: () => Date;
  /**
   * False when recorded answers are used instead of the network. A block in one recording must not pause the
   * source for the other recordings.
   */
  enabled?: boolean;
}

const failuresToOpen = 5;
const firstPauseMs = 60_000;
const maxPauseMs = 15 * minuteMs;
/**
 * Longest pause in milliseconds when the platform itself says how long to wait, for example until a daily quota resets.
 */
const maxRequestedPauseMs = dayMs;
/**
 * Milliseconds to wait for the result of the request that tests a paused source. After this time, the next request
 * tests the source again.
 */
const probeMs = 30_000;

const failures: ReadonlySet<SourceErrorCode> = new Set([
  'SOURCE_RESTRICTED',
  'SOURCE_CAPACITY',
  'SOURCE_TIMEOUT',
  'SOURCE_UNAVAILABLE',
]);

interface Breaker {
  state: BreakerState['state'];
  failures: number;
  pauses: number;
  until_ms: number;
  /** Length of the pause in milliseconds. When more is left, the clock was set back, and the pause has ended. */
  pause_ms: number;
  code: SourceErrorCode | null;
  block: boolean;
}

const closed: Readonly<Breaker> = {
  state: 'closed',
  failures: 0,
  pauses: 0,
  until_ms: 0,
  pause_ms: 0,
  code: null,
  block: false,
};

/** Creates the circuit breakers of one process. Their state is only in memory and not shared with other processes. */
export function createBreakers({ now = () => new Date(), enabled = true }: BreakerOptions = {}): Breakers {
  const breakers = new Map<string, Breaker>();

  function refusal(source: string): BreakerRefusal | null {
    const breaker = breakers.get(source);
    if (breaker === undefined || breaker.state === 'closed') return null;
    const leftMs = breaker.until_ms - now().getTime();
    if (leftMs > 0 && leftMs <= breaker.pause_ms) {
      const code = breaker.code === 'SOURCE_CAPACITY' ? 'SOURCE_CAPACITY' : 'SOURCE_UNAVAILABLE';
      return { code, retry_after_seconds: Math.ceil(leftMs / 1000), block: breaker.block };
    }
    breakers.set(source, { ...breaker, state: 'probing', until_ms: now().getTime() + probeMs, pause_ms: probeMs });
    return null;
  }

  function report(source: string, error: SourceError | null): void {
    if (!enabled) return;
    const breaker = breakers.get(source) ?? closed;
    // While a source is paused, ignores late results of requests that were sent before the pause. A throttling error
    // with a waiting time is not ignored, because it may require a longer pause.
    if (breaker.state === 'open' && (error === null || requestedPauseMs(error) === null)) return;
    breakers.set(source, after(breaker, error, now().getTime()));
  }

  function state(): BreakerState[] {
    return Array.from(breakers, ([source, { state, failures, code, until_ms }]) => ({
      source,
      state,
      consecutive_failures: failures,
      code,
      open_until: state === 'closed' ? null : new Date(until_ms).toISOString(),
    }));
  }

  return { refusal, report, state };
}

function after(breaker: Breaker, error: SourceError | null, nowMs: number): Breaker {
  // The source also works when the error is about the requested resource.
  if (error === null || error.about === 'resource' || error.about === 'reach') return closed;
  if (!failures.has(error.code)) return breaker.state === 'probing' ? closed : breaker;
  const count = breaker.failures + 1;
  const requestedMs = requestedPauseMs(error);
  if (requestedMs === null && breaker.state === 'closed' && count < failuresToOpen)
    return { ...breaker, failures: count };
  const pauseMs = requestedMs ?? Math.min(firstPauseMs * 2 ** breaker.pauses, maxPauseMs);
  return opened(breaker, count, error, { until_ms: nowMs + pauseMs, pause_ms: pauseMs });
}

/** Returns the waiting time in milliseconds that a throttling source requests; null when it requests none. */
function requestedPauseMs({ code, retry_after_seconds: seconds }: SourceError): number | null {
  return code === 'SOURCE_CAPACITY' && seconds !== null ? Math.min(seconds * 1000, maxRequestedPauseMs) : null;
}

type Pause = Pick<Breaker, 'until_ms' | 'pause_ms'>;

function opened(breaker: Breaker, count: number, { code, about }: SourceError, pause: Pause): Breaker {
  // A pause is never shortened.
  const keeps = breaker.state === 'open' && breaker.until_ms > pause.until_ms;
  const { until_ms, pause_ms } = keeps ? breaker : pause;
  const pauses = breaker.pauses + 1;
  return { state: 'open', failures: count, pauses, until_ms, pause_ms, code, block: about === 'block' };
}
