import type { UpstreamAnswer } from './fetcher.ts';

/**
 * Returns the waiting time that the response header Retry-After (seconds or a date) asks for, in seconds from `now`.
 * Null when the header is missing or invalid.
 */
export function retryAfterSeconds({ headers }: Pick<UpstreamAnswer, 'headers'>, now: Date): number | null {
  const value = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const waitMs = Date.parse(value) - now.getTime();
  return waitMs > 0 ? Math.ceil(waitMs / 1000) : null;
}
