import { isShortLink } from '../pipeline/collect/short-links.ts';
import { catalog } from './data/catalog.ts';
import { parametersOf } from './data/route.ts';
import type { Counts } from './http/authenticate.ts';
import { type Query, readQuery } from './http/query.ts';
import { workflows } from './workflows/catalog.ts';

/** The paths of the data routes. */
export const dataPaths: ReadonlySet<string> = new Set(catalog.map(({ path }) => path));

const cachedPaths: ReadonlySet<string> = new Set([
  ...dataPaths,
  ...workflows.filter(({ parameters }) => 'cache_max_age' in parameters).map(({ path }) => path),
]);

/**
 * Returns how a request counts toward the rate limit. The result is `free` on routes whose answer can come from the
 * cache, else `request`. A short link is never free, because the server must ask the platform where the link leads.
 */
export function countsOf(path: string, url: string): Counts {
  if (!cachedPaths.has(path)) return 'request';
  return maybeShared.test(url) ? countsOfQuery(path, readQuery(url)) : 'free';
}

/**
 * Matches queries that can contain the parameter `url`, the only one that can be a short link. A name with `%` matches
 * too, because a percent-encoded name can be `url`. Other queries are not parsed here, because the handler parses them
 * anyway. A name ends at the next `?`, where a new match can begin. Otherwise, thousands of `?` would take quadratic
 * time.
 */
const maybeShared = /[?&](?:url=|[^=&?]*%)/;

/** Returns how a request with a parsed query counts toward the rate limit, see {@link countsOf}. */
export function countsOfQuery(path: string, { url = [] }: Query): Counts {
  return cachedPaths.has(path) && !url.some(isShortLink) ? 'free' : 'request';
}

const freeParameters = catalog.flatMap((route) =>
  Object.entries(parametersOf(route)).flatMap(([name, parameter]) => (parameter.makes_free ? [name] : [])),
);

/**
 * Matches queries that can contain a parameter that makes an answer free. A name with `%` matches too, because a
 * percent-encoded name can be one of these. A name ends at the next `?`, as in {@link maybeShared}.
 */
const maybeFree = new RegExp(`[?&](?:${[...new Set(freeParameters)].join('|')}|[^=&?]*%)`);

/**
 * Returns true when a request to a data route with a production key needs new data, because no parameter and no
 * Idempotency-Key can make its answer free. A free answer is cached, already paid for, an estimate, or a replay of an
 * earlier answer.
 */
export function needsNewData(path: string, url: string, headers: Headers): boolean {
  return dataPaths.has(path) && !maybeFree.test(url) && !headers.has('idempotency-key');
}

/**
 * Calls `answer` and returns its result. `counts` says how the request counts toward the rate limit. `answer` calls
 * `admitted` when the request has been counted. `name` identifies the request and its key.
 */
type CountFirst = <T>(name: string, answer: (counts: Counts, admitted: () => void) => Promise<T>) => Promise<T>;

/**
 * Returns a function that counts requests for new data toward the rate limit. Of several simultaneous identical
 * requests with the same key, the first is counted at once, in the SQL statement that checks the key. The others wait
 * for that and are free, because they share its answer. A request that cannot share the answer and has to fetch it
 * counts, too.
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
