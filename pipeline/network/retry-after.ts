import type { UpstreamAnswer } from './fetcher.ts';

/** The header Retry-After as whole seconds from `now`, sent as seconds or as a date; null without a usable one. */
export function retryAfterSeconds({ headers }: Pick<UpstreamAnswer, 'headers'>, now: Date): number | null {
  const value = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const waitMs = Date.parse(value) - now.getTime();
  return waitMs > 0 ? Math.ceil(waitMs / 1000) : null;
}
