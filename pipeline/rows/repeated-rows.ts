import { hasMoreHints } from '../collect/answer-key.ts';
import type { Cell } from './profile-row.ts';

/** A request of several in one table. Requests with the same `key` have the same answer. */
interface KeyedRequest {
  key: string;
  params: Record<string, unknown>;
}

/**
 * Returns the request to send for each `key`, so that an answer is fetched once: the first request, or the first one
 * that names the author of the post.
 */
export function requestsToSend<R extends KeyedRequest>(requests: readonly R[]): Map<string, R> {
  const chosen = new Map<string, R>();
  for (const request of requests) {
    const known = chosen.get(request.key);
    if (known === undefined || hasMoreHints(request.params, known.params)) chosen.set(request.key, request);
  }
  return chosen;
}

/** Returns the row of a repeated address: it has the data of the row that was fetched, its own URL, and no cost. */
export function repeatedRow<R extends Record<string, Cell>>(row: R, url: Cell): R {
  return { ...row, url, cached: row.status === 'OK', credits_charged: 0 };
}
