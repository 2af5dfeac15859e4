import { hasMoreHints } from '../collect/answer-key.ts';
import type { Cell } from './profile-row.ts';

/** One of several requests for the rows of a table. Requests with the same `key` have the same answer. */
interface KeyedRequest {
  key: string;
  params: Record<string, unknown>;
}

/**
 * Returns one request for each `key`, so that each answer is fetched only once: the first request that names the author
 * of the post, or else the first request.
 */
export function requestsToSend<R extends KeyedRequest>(requests: readonly R[]): Map<string, R> {
  const chosen = new Map<string, R>();
  for (const request of requests) {
    const known = chosen.get(request.key);
    if (known === undefined || hasMoreHints(request.params, known.params)) chosen.set(request.key, request);
  }
  return chosen;
}

/** Returns the row for a repeated URL: the data of the row that was fetched, with its own URL and without a cost. */
export function repeatedRow<R extends Record<string, Cell>>(row: R, url: Cell): R {
  return { ...row, url, cached: row.status === 'OK', credits_charged: 0 };
}
