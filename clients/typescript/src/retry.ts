import { TidemarkError } from './errors.ts';

/** Time and randomness. Only tests replace them. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
  /** Returns a number from 0 to below 1. */
  random(): number;
}

export interface RetryLimits {
  /** How often a request is sent at most; 1 means no retries. */
  attempts: number;
  /** Milliseconds that a call may take, including its waits. A wait that would exceed this is not started. */
  totalMs: number;
  /** Milliseconds that one attempt may take. */
  attemptMs: number;
}

const firstWaitMs = 500;
const maxWaitMs = 10_000;
/** Spreads retries of clients that got the same Retry-After. */
const spreadMs = 250;
const retriedStatuses: ReadonlySet<number | null> = new Set([null, 408, 429, 502, 503, 504]);

/** Retries what can succeed later: 408, 429, 503, a proxy's 502 and 504, and lost connections. Throws the last error. */
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

/** Returns at least the time of Retry-After. Without the header, it returns a random time up to a limit that doubles with each attempt. */
function waitMs({ retryAfterSeconds }: TidemarkError, attempts: number, clock: Clock): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds * 1000 + clock.random() * spreadMs;
  return clock.random() * Math.min(maxWaitMs, firstWaitMs * 2 ** (attempts - 1));
}

/** The clock of the computer. */
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
