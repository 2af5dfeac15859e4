import type { LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import { loadOnce } from '../lazy.ts';

const connectTimeoutMs = 5_000;

/**
 * Loads the HTTP client library `undici` with the first request, because an idle process does not need its 3 MB of
 * memory.
 */
export const loadUndici = () => import('undici');

/**
 * Creates a function that returns the connection pool (`undici` Agent). The first call opens the pool. `lookup`
 * resolves the host names; by default, Node resolves them.
 */
export function createAgent(lookup?: LookupFunction): () => Promise<Dispatcher> {
  return loadOnce(async () => {
    const { Agent } = await loadUndici();
    return new Agent({ connect: { ...(lookup && { lookup }), timeout: connectTimeoutMs } });
  });
}
