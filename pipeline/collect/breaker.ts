import type { SourceError, SourceErrorCode } from '../errors.ts';

/** The error for a request to a paused source. */
export interface BreakerRefusal {
  code: 'SOURCE_CAPACITY' | 'SOURCE_UNAVAILABLE';
  retry_after_seconds: number;
  /** True when the source is paused because the platform blocked us. Other sources of the same platform must not be tried either. */
  block: boolean;
}

export interface BreakerState {
  source: string;
  /** `closed`: the source may be used. `open`: it is paused. `probing`: one request tests whether it works again. */
  state: 'closed' | 'open' | 'probing';
  consecutive_failures: number;
  /** The code of the error that paused the source; null while the state is `closed`. */
  code: SourceErrorCode | null;
  open_until: string | null;
}

/** Circuit breakers, one per source. A breaker pauses a source that keeps failing. */
export interface Breakers {
  /**
   * Returns null when the source may be used now. After a pause, only the first call returns null, so that one request tests
   * the source. Other calls return the error until that request reports its result.
   */
  refusal(source: string): BreakerRefusal | null;
  /** Records the result of a request to a source. `error` is null when the request succeeded. */
  report(source: string, error: SourceError | null): void;
  /** Returns the state of every source that this process has used, for the status page. */
  state(): BreakerState[];
}

export interface BreakerOptions {
  now?: () => Date;
  /** False when recorded answers replace the network: a recorded block belongs to one recorded request, so it must not pause the source. */
  enabled?: boolean;
}

const failuresToOpen = 5;
const firstPauseMs = 60_000;
const maxPauseMs = 15 * 60_000;
/** Maximum pause when the source itself says how long to wait, for example until its daily quota resets. */
const maxNamedPauseMs = 24 * 3_600_000;
/** Time to wait for the result of a test request. After this time, the next request tests the source again. */
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
  code: SourceErrorCode | null;
  block: boolean;
}

const closed: Readonly<Breaker> = { state: 'closed', failures: 0, pauses: 0, until_ms: 0, code: null, block: false };

export function createBreakers({ now = () => new Date(), enabled = true }: BreakerOptions = {}): Breakers {
  const breakers = new Map<string, Breaker>();

  function refusal(source: string): BreakerRefusal | null {
    const breaker = breakers.get(source);
    if (breaker === undefined || breaker.state === 'closed') return null;
    const leftMs = breaker.until_ms - now().getTime();
    if (leftMs > 0) {
      const code = breaker.code === 'SOURCE_CAPACITY' ? 'SOURCE_CAPACITY' : 'SOURCE_UNAVAILABLE';
      return { code, retry_after_seconds: Math.ceil(leftMs / 1000), block: breaker.block };
    }
    breakers.set(source, { ...breaker, state: 'probing', until_ms: now().getTime() + probeMs });
    return null;
  }

  function report(source: string, error: SourceError | null): void {
    if (!enabled) return;
    const breaker = breakers.get(source) ?? closed;
    // Ignores results of requests that were sent before the pause. A throttling error still counts, because it may name a longer
    // pause.
    if (breaker.state === 'open' && (error?.code !== 'SOURCE_CAPACITY' || error.retry_after_seconds === null)) return;
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
  if (error === null || error.about === 'resource' || error.about === 'reach') return closed;
  if (!failures.has(error.code)) return breaker.state === 'probing' ? closed : breaker;
  const count = breaker.failures + 1;
  const namedMs = error.code === 'SOURCE_CAPACITY' && error.retry_after_seconds !== null;
  if (namedMs) return opened(breaker, count, error, nowMs + namedPause(error));
  if (breaker.state === 'closed' && count < failuresToOpen) return { ...breaker, failures: count };
  const pauseMs = Math.min(firstPauseMs * 2 ** breaker.pauses, maxPauseMs);
  return opened(breaker, count, error, nowMs + pauseMs);
}

function namedPause(error: SourceError): number {
  return Math.min((error.retry_after_seconds ?? 0) * 1000, maxNamedPauseMs);
}

function opened(breaker: Breaker, count: number, { code, about }: SourceError, untilMs: number): Breaker {
  const late = Math.max(untilMs, breaker.state === 'open' ? breaker.until_ms : 0);
  return { state: 'open', failures: count, pauses: breaker.pauses + 1, until_ms: late, code, block: about === 'block' };
}
