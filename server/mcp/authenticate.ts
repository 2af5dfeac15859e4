import { LRUCache } from 'lru-cache';
import { type Entry, type Gate, type Gates, hashOf } from '../http/authenticate.ts';
import { RequestError } from '../http/errors.ts';

/** A request to /mcp whose key is valid. */
export interface Caller {
  /** The hash of its key. */
  hash: string;
  /** Where the request stands in its minute; null when it was let in as part of one before. */
  entry: Entry | null;
  /** Counts one call of a tool each time it is passed; the first one is the request itself. */
  gate: Gate;
}

export interface Door {
  /** The hash of the key that the headers carry; throws INVALID_API_KEY. */
  hashOf(headers: Headers): Promise<string>;
  /** Lets a request with so many calls of tools in; throws INVALID_API_KEY, and RATE_LIMITED when it calls none. */
  enter(hash: string, calls: number): Promise<Caller>;
}

/** Messages of the protocol that count as one request together, and for how long a key is taken as valid for them. */
const messagesInOne = 20;
const knownMs = 30_000;
const maxKnown = 10_000;

interface Known {
  until: number;
  left: number;
}

export interface DoorDeps extends Pick<Gates, 'gateOf'> {
  now: () => Date;
  base_url: string;
  /** The hash of the key that a token of OAuth stands for. */
  hashOfToken(token: string): Promise<string | null>;
}

/** The ways into /mcp: a call of a tool counts as a request; initialize, lists and notifications count as one for twenty. */
export function createDoor({ gateOf, now, base_url, hashOfToken }: DoorDeps): Door {
  const known = new LRUCache<string, Known>({ max: maxKnown });

  function isKnown(hash: string): boolean {
    const one = known.get(hash);
    if (!one || one.until <= now().getTime() || one.left === 0) return false;
    one.left -= 1;
    return true;
  }

  async function counted(hash: string): Promise<Entry> {
    const entry = await challenging(base_url, () => gateOf(hash)(new Headers()));
    known.set(hash, { until: now().getTime() + knownMs, left: messagesInOne - 1 });
    return entry;
  }

  return {
    hashOf: (headers) =>
      challenging(base_url, async () => {
        const token = tokenOf(headers);
        const hash = token === null ? hashOf(headers) : await hashOfToken(token);
        if (hash === null)
          throw new RequestError('INVALID_API_KEY', { message: 'This token is unknown, over or revoked.' });
        return hash;
      }),
    async enter(hash, calls) {
      if (calls === 0 && isKnown(hash)) return { hash, entry: null, gate: gateOf(hash) };
      const entry = await counted(hash);
      if (calls === 0 && entry.refused) throw entry.refused;
      const first = [entry];
      return { hash, entry, gate: async (headers) => first.pop() ?? gateOf(hash)(headers) };
    },
  };
}

/** The value of WWW-Authenticate: the one place that tells a client how to get in. */
function challengeOf(baseUrl: string): string {
  return `Bearer realm="tidemark", resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`;
}

/** A token that is none of our keys: a program that a member let in sends it. */
function tokenOf(headers: Headers): string | null {
  const bearer = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
  return bearer === undefined || bearer.startsWith('tide_') || headers.has('x-api-key') ? null : bearer;
}

const missing = 'Send your API key as Authorization: Bearer <key>, or in the header x-api-key.';

/** Refusals of a key carry the challenge. */
async function challenging<T>(baseUrl: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== 'INVALID_API_KEY') throw error;
    const message = error.message.startsWith('Send ') ? missing : error.message;
    throw new RequestError('INVALID_API_KEY', { message, headers: { 'www-authenticate': challengeOf(baseUrl) } });
  }
}
