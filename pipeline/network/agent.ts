import type { LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';

const connectTimeoutMs = 5_000;

/** Loads the HTTP client. It is loaded with the first request, because an idle process does not need its 3 MB of memory. */
export const loadUndici = () => import('undici');

/** Returns a function that opens the connections of all its requests. Without `lookup`, Node looks host names up. */
export function createAgent(lookup?: LookupFunction): () => Promise<Dispatcher> {
  let agent: Promise<Dispatcher> | null = null;
  return () => {
    agent ??= loadUndici().then(
      ({ Agent }) => new Agent({ connect: { ...(lookup && { lookup }), timeout: connectTimeoutMs } }),
    );
    return agent;
  };
}
