import { LRUCache } from 'lru-cache';
import { hashKey, isWellFormedKey } from '../../db/accounts/keys.ts';
import type { Admission } from '../../db/requests/admission.ts';
import { RequestError } from './errors.ts';
import { type Access, createKeyLimits, type RefuseByLimits } from './key-limits.ts';

export interface AuthenticationDeps {
  now: () => Date;
  admit: (hash: string) => Promise<Admission | null>;
  requests_per_minute: number;
}

/** A request with a valid key. `refused` is the error to answer with when its workspace is over the rate limit or the key may not do this, else null. */
export interface Authenticated {
  admission: Admission;
  refused: RequestError | null;
}

/** Finds the workspace of the API key in the headers, and counts the request toward the workspace's rate limit. Throws INVALID_API_KEY. */
export type Authenticate = (headers: Headers, access: Access) => Promise<Authenticated>;

/** Number of seconds in which the requests of a workspace are counted for its rate limit. */
export const windowSeconds = 60;
const maxExhausted = 10_000;

/** A rate-limit window without remaining requests. `refused` says how many seconds remain, so it is renewed every second. */
interface ExhaustedWindow {
  admission: Admission;
  refused: RequestError;
}

/** Authenticates a request by its key, or by the hash of a key. Both count toward the same rate limit. */
export interface Authentication {
  authenticate: Authenticate;
  authenticateHash(hash: string, access: Access): Promise<Authenticated>;
  /** Checks a request that shares the count of an earlier one. */
  refuseByLimits: RefuseByLimits;
}

/**
 * Creates the two ways to authenticate. Once the rate limit is used up, further requests with the same key are refused without the database
 * until the window ends.
 */
export function createAuthentication(deps: AuthenticationDeps): Authentication {
  const refuseByLimits = createKeyLimits();
  const exhausted = new LRUCache<string, ExhaustedWindow>({ max: maxExhausted });

  function refuse(hash: string, admission: Admission): ExhaustedWindow {
    const window = { admission, refused: rateLimited(admission, deps) };
    exhausted.set(hash, window);
    return window;
  }

  async function authenticateHash(hash: string, access: Access): Promise<Authenticated> {
    const known = exhausted.get(hash);
    const now = deps.now();
    if (known && isOpen(known.admission, now)) {
      const current = known.refused.retry_after_seconds === secondsLeft(known.admission, now);
      return current ? known : refuse(hash, known.admission);
    }

    const admission = await deps.admit(hash);
    if (!admission)
      throw new RequestError('INVALID_API_KEY', {
        message:
          'This API key is unknown, revoked or expired. Create a new one under Keys in the dashboard; in Google Sheets, paste it under “Set API key…” in the menu.',
      });
    if (admission.position <= deps.requests_per_minute)
      return { admission, refused: refuseByLimits(admission, access) };
    return refuse(hash, admission);
  }

  return {
    authenticate: async (headers, access) => authenticateHash(hashOf(headers), access),
    authenticateHash,
    refuseByLimits,
  };
}

/** Returns the hash of the key that a request carries. Throws INVALID_API_KEY when the key is missing or malformed. */
export function hashOf(headers: Headers): string {
  const key = keyOf(headers);
  if (key === null)
    throw new RequestError('INVALID_API_KEY', { message: 'Send your API key in the header x-api-key.' });
  if (isWellFormedKey(key)) return hashKey(key);
  throw new RequestError('INVALID_API_KEY', {
    message: 'This is not a Tidemark API key: copy the whole key, as it was shown once.',
  });
}

function rateLimited(admission: Admission, deps: AuthenticationDeps): RequestError {
  const seconds = secondsLeft(admission, deps.now());
  return new RequestError('RATE_LIMITED', {
    message: `More than ${deps.requests_per_minute} requests in this minute: wait ${seconds} seconds. In a spreadsheet, use one formula for a whole column.`,
    retry_after_seconds: seconds,
  });
}

/** Returns false when the window has ended, or when the clock was set back since it began. */
function isOpen({ window_ends_at }: Admission, now: Date): boolean {
  const leftMs = window_ends_at.getTime() - now.getTime();
  return leftMs > 0 && leftMs <= 2 * windowSeconds * 1000;
}

function secondsLeft(admission: Admission, now: Date): number {
  const seconds = Math.ceil((admission.window_ends_at.getTime() - now.getTime()) / 1000);
  return Math.min(windowSeconds, Math.max(1, seconds));
}

/** Returns the rate-limit headers: those of the IETF draft, and X-RateLimit-*. X-RateLimit-Reset is also a number of seconds from now. */
export function rateHeaders(admission: Admission, requestsPerMinute: number, now: Date): Record<string, string> {
  const remaining = Math.max(0, requestsPerMinute - admission.position);
  const seconds = secondsLeft(admission, now);
  return {
    'ratelimit-policy': `"default";q=${requestsPerMinute};w=${windowSeconds}`,
    ratelimit: `"default";r=${remaining};t=${seconds}`,
    'x-ratelimit-limit': String(requestsPerMinute),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(seconds),
  };
}

function keyOf(headers: Headers): string | null {
  const key = headers.get('x-api-key')?.trim();
  if (key) return key;
  const bearer = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '');
  return bearer?.[1] ?? null;
}
