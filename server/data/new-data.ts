import type { Counts } from '../http/authenticate.ts';

/**
 * Matches the parameters that can make an answer free: `cache_max_age` (a cached answer), `cursor` (the remaining rows of a page that
 * was already paid for) and `estimate` (only the price). A name with `%` matches too, because a percent-encoded name can be one of these.
 */
const maybeFree = /[?&](?:cache_max_age|cursor|estimate|[^=&]*%)/;

/**
 * Returns true when a request to a data route with a production key cannot get a free answer, so that new data must be
 * fetched. A free answer is cached, already paid for, an estimate, or the repetition of an earlier answer.
 */
export function needsNewData(url: string, headers: Headers): boolean {
  return !maybeFree.test(url) && !headers.has('idempotency-key');
}

/**
 * Calls `answer` and returns its result. `counts` says how the request counts toward the rate limit. `answer` calls `admitted` when the
 * request has been counted. `name` identifies the request and its key.
 */
type CountFirst = <T>(name: string, answer: (counts: Counts, admitted: () => void) => Promise<T>) => Promise<T>;

/**
 * Returns a function for requests for new data. The first request counts toward the rate limit at once, in the statement that admits it. An
 * identical request of the same key at the same time waits until the first request is counted. It then counts as free, because it shares
 * the answer of the first request. It counts toward the limit only when it must fetch an answer by itself.
 */
export function createCountFirst(): CountFirst {
  const admissions = new Map<string, Promise<void>>();
  return async (name, answer) => {
    const first = admissions.get(name);
    if (first !== undefined) {
      await first;
      return answer('free', () => undefined);
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    admissions.set(name, promise);
    try {
      return await answer('request', resolve);
    } finally {
      resolve();
      admissions.delete(name);
    }
  };
}
