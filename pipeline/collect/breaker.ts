import type { SourceError, SourceErrorCode } from '../errors.ts';

/** The reason why a source is paused. */
export interface BreakerRefusal {
  code: 'SOURCE_CAPACITY' | 'SOURCE_UNAVAILABLE';
  retry_after_seconds: number;
  /** True when a block paused it: other sources of the same platform must not be tried either. */
  block: boolean;
}

export interface BreakerState {
  source: string;
  /** `probing`: one request tests whether the source works again. */
  state: 'closed' | 'open' | 'probing';
  consecutive_failures: number;
  /** The error that opened the breaker; null while closed. */
  code: SourceErrorCode | null;
  open_until: string | null;
}

/** One circuit breaker per source: a source that keeps failing is paused. */
export interface Breakers {
  /** Returns null when the source may be used now. After the pause, one caller may probe it; the others stay refused until it reports. */
  refusal(source: string): BreakerRefusal | null;
  /** Records the result of a request: null for success. */
  report(source: string, error: SourceError | null): void;
  /** Returns the state of every source that was used since the start, for the status page. */
  state(): BreakerState[];
}

export interface BreakerOptions {
  now?: () => Date;
  /** False for replayed answers: a recorded block belongs to one identifier, not to the source. */
  enabled?: boolean;
}

const failuresToOpen = 5;
const firstPauseMs = 60_000;
const maxPauseMs = 15 * 60_000;
/** Limit for a pause that the source names itself, such as that of a used-up daily quota. */
const maxNamedPauseMs = 24 * 3_600_000;
/** A probe that has not reported after this time counts as lost. */
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
    // Results of requests sent before it opened are ignored, except a throttle, which may name a longer pause.
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
