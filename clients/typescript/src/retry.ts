import { TidemarkError } from './errors.ts';

/** The clock, timer and random numbers of the client. Only tests replace them. */
export interface Clock {
  /** Returns the current time in Unix milliseconds. */
  now(): number;
  sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
  /** Returns a random number from 0 up to, but not including, 1. */
  random(): number;
}

export interface RetryLimits {
  /** Maximum number of times that a request is sent. 1 means no retries. */
  attempts: number;
  /**
   * Maximum milliseconds of a call, including the waits between attempts. If a wait would end after this time, the call
   * fails instead of waiting.
   */
  totalMs: number;
  /** Maximum milliseconds of one attempt. */
  attemptMs: number;
}

const firstWaitMs = 500;
const maxWaitMs = 10_000;
/** Maximum random delay in milliseconds, so that clients with the same Retry-After do not retry at the same moment. */
const spreadMs = 250;
const retriedStatuses: ReadonlySet<number | null> = new Set([null, 408, 429, 502, 503, 504]);

/**
 * Sends a request, and sends it again after temporary errors: 408, 429, 503, a proxy's 502 and 504, timeouts, and
 * failed connections. Throws the last error.
 */
export async function withRetries<T>(
  attempt: (attempts: number, limitMs: number) => Promise<T>,
  { limits, clock, signal }: { limits: RetryLimits; clock: Clock; signal: AbortSignal | undefined },
): Promise<T> {
  const deadline = clock.now() + limits.totalMs;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt(attempts, Math.min(limits.attemptMs, deadline - clock.now()));
    } catch (error) {
      if (!(error instanceof TidemarkError) || attempts >= limits.attempts || !canRetry(error)) throw error;
      const wait = waitMs(error, attempts, clock);
      if (clock.now() + wait >= deadline) throw error;
      await clock.sleep(wait, signal);
    }
  }
}

function canRetry({ retryable, status }: TidemarkError): boolean {
  return retryable && retriedStatuses.has(status);
}

/**
 * Returns the milliseconds to wait before the next attempt: Retry-After plus a short random time. Without Retry-After,
 * a random time below a limit that doubles each time.
 */
function waitMs({ retryAfterSeconds }: TidemarkError, attempts: number, clock: Clock): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds * 1000 + clock.random() * spreadMs;
  return clock.random() * Math.min(maxWaitMs, firstWaitMs * 2 ** (attempts - 1));
}

/** The real clock, used outside of tests. */
export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, milliseconds);
      signal?.addEventListener('abort', abort, { once: true });
    }),
};
