import { LRUCache } from 'lru-cache';
import type { Admission } from '../../db/requests/admission.ts';
import { type Authenticated, type Authentication, keyHashOf } from '../http/authenticate.ts';
import { RequestError } from '../http/errors.ts';
import type { KeyUse } from '../http/key-limits.ts';

/** The client that sent an authenticated request to /mcp. */
export interface McpCaller {
  /** Hash of the client's API key. */
  hash: string;
  /**
   * The result of counting this request toward the rate limit. Null when this request shares the count of an earlier
   * request.
   */
  authenticated: Authenticated | null;
  /**
   * Counts one tool call toward the rate limit. The first tool call of a request uses the count of the request itself.
   */
  authenticate(): Promise<Authenticated>;
}

export interface McpAuth {
  /**
   * Returns the hash of the API key that the headers contain, or that belongs to their OAuth token. Throws
   * INVALID_API_KEY.
   */
  keyHashOf(headers: Headers): Promise<string>;
  /**
   * Counts a request with `calls` tool calls and `others` other messages. Throws INVALID_API_KEY. The errors
   * RATE_LIMITED, KEY_NOT_ALLOWED and ADDRESS_NOT_ALLOWED are returned in `authenticated`, because each tool call
   * reports them as its own error.
   */
  admit(hash: string, messages: { calls: number; others: number }, address: () => string): Promise<McpCaller>;
}

/**
 * Number of messages without a tool call, such as `tools/list`, that count together as one request toward the rate
 * limit when they arrive within `admittedMs`.
 */
const messagesPerRequest = 20;
const admittedMs = 30_000;
const maxAdmitted = 10_000;

interface Admitted {
  admission: Admission;
  until: number;
  messagesLeft: number;
}

export interface McpAuthDeps extends Pick<Authentication, 'authenticateHash' | 'refuseByLimits'> {
  now: () => Date;
  base_url: string;
  /** Returns the hash of the API key that belongs to an OAuth token. Returns null when the token is unknown. */
  hashOfToken(token: string): Promise<string | null>;
}

/**
 * Creates the authentication of /mcp. Each tool call counts as one request. Up to twenty other messages, in one or
 * several requests, count together as one request.
 */
export function createMcpAuth(deps: McpAuthDeps): McpAuth {
  const { authenticateHash, now, base_url, hashOfToken } = deps;
  const admitted = new LRUCache<string, Admitted>({ max: maxAdmitted });

  function sharesCount(hash: string, access: KeyUse, messages: number): boolean {
    const known = admitted.get(hash);
    if (!known || known.until <= now().getTime() || known.messagesLeft < messages) return false;
    // Returns false for a request that the key does not allow. Such a request must be counted separately.
    if (deps.refuseByLimits(known.admission, access)) return false;
    known.messagesLeft -= messages;
    return true;
  }

  async function count(hash: string, access: KeyUse, messages: number): Promise<Authenticated> {
    const authenticated = await withChallenge(base_url, () => authenticateHash(hash, access, 'request'));
    const { admission, refused } = authenticated;
    const until = now().getTime() + admittedMs;
    if (!refused) admitted.set(hash, { admission, until, messagesLeft: messagesPerRequest - messages });
    return authenticated;
  }

  return {
    keyHashOf: (headers) =>
      withChallenge(base_url, async () => {
        const token = oauthToken(headers);
        const hash = token === null ? keyHashOf(headers) : await hashOfToken(token);
        if (hash === null) throw new RequestError('INVALID_API_KEY', { message: unknownToken });
        return hash;
      }),
    async admit(hash, { calls, others }, address) {
      const access: KeyUse = { scope: 'mcp', address };
      const authenticate = () => authenticateHash(hash, access, 'request');
      if (calls === 0 && sharesCount(hash, access, others)) return { hash, authenticated: null, authenticate };
      const authenticated = await count(hash, access, Math.max(1, others));
      const unused = [authenticated];
      return { hash, authenticated, authenticate: async () => unused.pop() ?? authenticate() };
    },
  };
}

/** Returns the value of the WWW-Authenticate header, which tells a client where to find the OAuth metadata. */
function challengeOf(baseUrl: string): string {
  return `Bearer realm="tidemark", resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`;
}

/**
 * Returns the OAuth access token: a bearer token that is not an API key. Returns null when the headers have no such
 * token.
 */
function oauthToken(headers: Headers): string | null {
  const bearer = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
  return bearer === undefined || bearer.startsWith('tide_') || headers.has('x-api-key') ? null : bearer;
}

const unknownToken = 'This access token is unknown, expired or revoked: connect the client again.';
const missingKey = 'Send your API key as Authorization: Bearer <key>, or in the header x-api-key.';

/** Runs `work`. Adds the WWW-Authenticate header to an INVALID_API_KEY error. */
async function withChallenge<T>(baseUrl: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== 'INVALID_API_KEY') throw error;
    const message = error.message.startsWith('Send ') ? missingKey : error.message;
    throw new RequestError('INVALID_API_KEY', { message, headers: { 'www-authenticate': challengeOf(baseUrl) } });
  }
}
