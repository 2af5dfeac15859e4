import type { Counts } from '../http/authenticate.ts';

/** Matches a parameter with which the answer can be free: a cached answer, rows of a paid page, or an estimate. A name with `%` is not decoded here and can be any of them. */
const maybeFree = /[?&](?:cache_max_age|cursor|estimate|[^=&]*%)/;

/** Returns true when a data route can answer this request of a production key only with new data. */
export function needsNewData(url: string, headers: Headers): boolean {
  return !maybeFree.test(url) && !headers.has('idempotency-key');
}

/**
 * Runs `answer`, telling it how its request counts; it calls `admitted` when it has been counted. `name` identifies the request and
 * its key.
 */
export type CountFirst = <T>(name: string, answer: (counts: Counts, admitted: () => void) => Promise<T>) => Promise<T>;

/**
 * Returns a function that counts a request for new data at once, in the statement that admits it. The same request of the same key at the
 * same time will share the answer of the first, so it waits until the first is counted, and counts as free until it must fetch by itself.
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
