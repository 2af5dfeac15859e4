import { LRUCache } from 'lru-cache';
import { isWellFormedKey } from '../../db/accounts/key-text.ts';
import { hashSecret } from '../../db/accounts/secrets.ts';
import type { Admission, AdmissionStep } from '../../db/requests/admission.ts';
import { RequestError } from './errors.ts';
import { createKeyLimits, type KeyUse, type RefuseByLimits } from './key-limits.ts';

interface AuthenticationDeps {
  now: () => Date;
  admit: (step: AdmissionStep) => Promise<Admission | null>;
  requests_per_minute: number;
}

/**
 * A request with a valid key. `admission.claim` counts a request whose answer turns out not to be free. `refused` is
 * the error to answer with when the workspace is over its rate limit or the key does not allow this request, else null.
 */
export interface Authenticated {
  admission: Admitted;
  refused: RequestError | null;
}

/**
 * Counts a request toward the limit of requests that fetch data. The caller uses this function when the answer must be
 * fetched and is therefore not free. Later calls do nothing. Throws RATE_LIMITED. Null when the request was counted
 * immediately.
 */
type Claim = (() => Promise<void>) | null;
export type Admitted = Admission & {
  claim: Claim;
  /** The fetches of this request that are in progress, with the credits that each of them may cost. */
  in_progress?: Map<Promise<unknown>, number>;
};

/**
 * How a request counts toward the two rate limits of a workspace. `request` counts toward the limit of requests that
 * fetch data, and toward the higher limit of all requests. `free` counts only toward the limit of all requests, until
 * `claim` is called.
 */
export type Counts = Exclude<AdmissionStep['counts'], 'fetch' | 'none'>;

/**
 * Finds the workspace of the API key in the headers, and counts the request toward the workspace's rate limit. Throws
 * INVALID_API_KEY.
 */
type Authenticate = (headers: Headers, access: KeyUse, counts: Counts) => Promise<Authenticated>;

/** Length of a rate-limit window in seconds. */
export const windowSeconds = 60;
/** Number by which the limit of requests that fetch data is multiplied to get the higher limit of all requests. */
const freeFactor = 10;
const maxExhausted = 10_000;
/** Maximum number of API keys whose hash is kept in memory. */
const maxHashes = 10_000;

/**
 * A rate-limit window without remaining requests. `limit` is the number of requests that the window allows. `refused`
 * is the error to answer with. This error is replaced every second, because its message states the remaining seconds.
 */
interface ExhaustedWindow {
  admission: Admitted;
  limit: number;
  refused: RequestError;
}

const windowsByHash = () => new LRUCache<string, ExhaustedWindow>({ max: maxExhausted });

/** The rate-limit windows that this process knows to be used up. */
interface ExhaustedWindows {
  /** Remembers a window without remaining requests, and returns it with the error to answer with. */
  add(hash: string, counts: Counts, admission: Admitted, limit: number): ExhaustedWindow;
  /**
   * Returns the window with its error when this process knows that the window is used up, otherwise null. Sends no
   * database query.
   */
  find(hash: string, counts: Counts): ExhaustedWindow | null;
}

function createExhaustedWindows(now: () => Date): ExhaustedWindows {
  const windows = { request: windowsByHash(), free: windowsByHash() };

  function add(hash: string, counts: Counts, admission: Admitted, limit: number): ExhaustedWindow {
    const window = { admission, limit, refused: rateLimited(admission, limit, now()) };
    windows[counts].set(hash, window);
    return window;
  }

  function find(hash: string, counts: Counts): ExhaustedWindow | null {
    const known = windows[counts].get(hash);
    if (!known) return null;
    const at = now();
    if (!isOpen(known.admission, at)) return null;
    const current = known.refused.retry_after_seconds === secondsLeft(known.admission, at);
    return current ? known : add(hash, counts, known.admission, known.limit);
  }

  return { add, find };
}

/**
 * Authenticates a request by its key, or by the hash of its key. Requests of both kinds count toward the same rate
 * limit.
 */
export interface Authentication {
  authenticate: Authenticate;
  authenticateHash(hash: string, access: KeyUse, counts: Counts): Promise<Authenticated>;
  /** Checks a request against the scopes and networks of its key, without counting the request. */
  refuseByLimits: RefuseByLimits;
}

/**
 * Creates the functions that authenticate a request. When the rate limit is used up, further requests with the same key
 * are refused without a database query until the window ends.
 */
export function createAuthentication(deps: AuthenticationDeps): Authentication {
  const refuseByLimits = createKeyLimits();
  const exhausted = createExhaustedWindows(deps.now);
  // Contains the keys that were used outside of their networks, each with its newest admission. Further requests of
  // such clients do not count. Otherwise, the thief of a limited key could use up the rate limit of its workspace.
  const usedOutside = new LRUCache<string, Admitted>({ max: maxExhausted });
  const rememberedHash = createHashReader();
  const freeLimit = deps.requests_per_minute * freeFactor;

  /**
   * Counts a request that was first counted as free, but whose answer is not free. Also updates the counts in
   * `admission`, which the response headers show. Throws RATE_LIMITED.
   */
  async function claim(hash: string, admission: Admitted): Promise<void> {
    const known = exhausted.find(hash, 'request');
    if (known) {
      Object.assign(admission, positionOf(known.admission));
      throw known.refused;
    }
    const counted = await deps.admit({ hash, counts: 'fetch' });
    if (!counted) throw unknownKey();
    Object.assign(admission, positionOf(counted));
    if (counted.position > deps.requests_per_minute)
      throw exhausted.add(hash, 'request', { ...counted, claim: null }, deps.requests_per_minute).refused;
  }

  /**
   * Returns a function that counts a request as {@link claim} does, but only at its first call. Keep this as a separate
   * function: V8 would keep a function longer if it were written where it is assigned to a property (docs/adr/0009).
   */
  function claimOnce(hash: string, admission: Admitted): () => Promise<void> {
    let claimed: Promise<void> | null = null;
    return () => {
      claimed ??= claim(hash, admission);
      return claimed;
    };
  }

  /**
   * Returns the error for a request that the limits of its key do not allow, or null. Remembers a key that was used
   * outside of its networks.
   */
  function refuse(hash: string, admission: Admitted, access: KeyUse): RequestError | null {
    const refused = refuseByLimits(admission, access);
    if (isOutside(refused)) usedOutside.set(hash, { ...admission, claim: null });
    return refused;
  }

  /**
   * Returns the newest admission of a key that was used outside of its networks, with the error for a client that is
   * also outside of them. Returns null for any other client.
   */
  function refusedOutside(hash: string, access: KeyUse): Authenticated | null {
    const admission = usedOutside.get(hash);
    const refused = admission ? refuseByLimits(admission, access) : null;
    return admission && isOutside(refused) ? { admission, refused } : null;
  }

  /**
   * Returns the refusal of a request in a used up window. A client outside of the networks of its key gets
   * ADDRESS_NOT_ALLOWED also then, because the key may be stolen and RATE_LIMITED shows the balance.
   */
  function refusedIn({ admission, refused }: ExhaustedWindow, hash: string, access: KeyUse): Authenticated {
    const byLimits = refuse(hash, admission, access);
    return { admission, refused: isOutside(byLimits) ? byLimits : refused };
  }

  async function authenticateHash(hash: string, access: KeyUse, counts: Counts): Promise<Authenticated> {
    const outside = refusedOutside(hash, access);
    // Reads the key again in each window, because it may have been revoked.
    if (outside && isOpen(outside.admission, deps.now())) return outside;
    const free = counts === 'free';
    const known = exhausted.find(hash, counts);
    if (known) return refusedIn(known, hash, access);
    const counted = await deps.admit({ hash, counts: outside ? 'none' : counts });
    if (!counted) throw unknownKey();
    const admission: Admitted = { ...counted, claim: null };
    const limit = counted.total_position > freeLimit ? freeLimit : deps.requests_per_minute;
    if (counted.total_position > freeLimit || (!free && counted.position > limit))
      return refusedIn(exhausted.add(hash, counts, admission, limit), hash, access);
    const refused = refuse(hash, admission, access);
    if (free && !isOutside(refused)) admission.claim = claimOnce(hash, admission);
    return { admission, refused };
  }

  return {
    authenticate: async (headers, access, counts) => authenticateHash(rememberedHash(headers), access, counts),
    authenticateHash,
    refuseByLimits,
  };
}

/** Returns a variant of {@link keyHashOf} that caches the hashes of recent keys, valid or not. */
function createHashReader(): (headers: Headers) => string {
  const hashes = new LRUCache<string, string>({ max: maxHashes });
  return (headers) => {
    const key = keyOf(headers) ?? '';
    const known = hashes.get(key);
    if (known !== undefined) return known;
    const hash = keyHashOf(headers);
    hashes.set(key, hash);
    return hash;
  };
}

/** Returns the hash of the key that a request carries. Throws INVALID_API_KEY when the key is missing or malformed. */
export function keyHashOf(headers: Headers): string {
  const key = keyOf(headers);
  if (key === null) throw new RequestError('INVALID_API_KEY', { message: missingKey });
  if (isWellFormedKey(key)) return hashSecret(key);
  throw new RequestError('INVALID_API_KEY', {
    message:
      'This is not a Tidemark API key: send the whole key that was shown when it was created, without quotation marks and without the word Bearer in x-api-key.',
  });
}

const missingKey =
  'Send your API key in the header x-api-key, or as Authorization: Bearer <key>. It is not read from the URL.';

function unknownKey(): RequestError {
  return new RequestError('INVALID_API_KEY', {
    message:
      'This API key is unknown, revoked or expired. Create a new one under Keys in the dashboard; in Google Sheets, paste it under “Connect key…” in the menu.',
  });
}

const isOutside = (refused: RequestError | null) => refused?.code === 'ADDRESS_NOT_ALLOWED';

function positionOf({ position, total_position, window_ends_at }: Admission) {
  return { position, total_position, window_ends_at };
}

function rateLimited(admission: Admission, limit: number, now: Date): RequestError {
  const seconds = secondsLeft(admission, now);
  return new RequestError('RATE_LIMITED', {
    message: `More than ${limit} requests in this minute: wait ${seconds} seconds. In a spreadsheet, use one formula for a whole column.`,
    retry_after_seconds: seconds,
  });
}

/** Returns false when the rate-limit window has ended, or when the clock was set back since the window began. */
function isOpen({ window_ends_at }: Admission, now: Date): boolean {
  const leftMs = window_ends_at.getTime() - now.getTime();
  return leftMs > 0 && leftMs <= 2 * windowSeconds * 1000;
}

function secondsLeft(admission: Admission, now: Date): number {
  const seconds = Math.ceil((admission.window_ends_at.getTime() - now.getTime()) / 1000);
  return Math.min(windowSeconds, Math.max(1, seconds));
}

/**
 * Returns the rate-limit headers of the IETF draft, and X-RateLimit-*. `default` is the limit of requests that fetch
 * data. `free` is the limit of all requests. X-RateLimit-* contains only the `default` limit. X-RateLimit-Reset is a
 * number of seconds from now, not a point in time.
 */
export function rateHeaders(admission: Admission, requestsPerMinute: number, now: Date) {
  const freeLimit = requestsPerMinute * freeFactor;
  const freeRemaining = Math.max(0, freeLimit - admission.total_position);
  // A request that fetches data counts toward both limits.
  const remaining = Math.min(freeRemaining, Math.max(0, requestsPerMinute - admission.position));
  const seconds = secondsLeft(admission, now);
  return {
    'ratelimit-policy': `"default";q=${requestsPerMinute};w=${windowSeconds}, "free";q=${freeLimit};w=${windowSeconds}`,
    ratelimit: `"default";r=${remaining};t=${seconds}, "free";r=${freeRemaining};t=${seconds}`,
    'x-ratelimit-limit': String(requestsPerMinute),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(seconds),
  };
}

/**
 * Returns the API key in the headers of a request, even when it is malformed. Returns null when the headers have no
 * key.
 */
export function keyOf(headers: Headers): string | null {
  const key = headers.get('x-api-key')?.trim();
  if (key) return key;
  const bearer = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '');
  return bearer?.[1] ?? null;
}
