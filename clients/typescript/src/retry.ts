import { TidemarkError } from './errors.ts';

/** Time and chance, for tests; every other caller leaves them alone. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
  /** From 0 to below 1. */
  random(): number;
}

export interface RetryLimits {
  /** How often a request is sent at most; 1 never repeats it. */
  attempts: number;
  /** Milliseconds that a call may take with all its waits; a wait that would not fit is not begun. */
  totalMs: number;
  /** Milliseconds that one attempt may take. */
  attemptMs: number;
}

const firstWaitMs = 500;
const longestOwnWaitMs = 10_000;
/** So that callers that were told the same second do not all come back in it. */
const spreadMs = 250;
const retriedStatuses: ReadonlySet<number | null> = new Set([null, 408, 429, 502, 503, 504]);

/** Repeats what can succeed later: 408, 429, 503, a proxy's 502 and 504, and lost connections. Throws the last error. */
export async function retried<T>(
  attempt: (attempts: number, limitMs: number) => Promise<T>,
  { limits, clock, signal }: { limits: RetryLimits; clock: Clock; signal: AbortSignal | undefined },
): Promise<T> {
  const ends = clock.now() + limits.totalMs;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt(attempts, Math.min(limits.attemptMs, ends - clock.now()));
    } catch (error) {
      if (!(error instanceof TidemarkError) || attempts >= limits.attempts || !isRetried(error)) throw error;
      const wait = waitMs(error, attempts, clock);
      if (clock.now() + wait >= ends) throw error;
      await clock.sleep(wait, signal);
    }
  }
}

function isRetried({ retryable, status }: TidemarkError): boolean {
  return retryable && retriedStatuses.has(status);
}

/** Never earlier than Retry-After says; without one twice as long each time, by chance anything up to that. */
function waitMs({ retryAfterSeconds }: TidemarkError, attempts: number, clock: Clock): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds * 1000 + clock.random() * spreadMs;
  return clock.random() * Math.min(longestOwnWaitMs, firstWaitMs * 2 ** (attempts - 1));
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, milliseconds);
      signal?.addEventListener('abort', stop, { once: true });
    }),
};
