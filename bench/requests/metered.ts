import type { Hono } from 'hono';
import { connectClients, type Database, parseDatabaseUrl } from '../../db/connect.ts';
import { createRequestLog } from '../../pipeline/log.ts';
import { createWriteLog } from '../../server/http/write-log.ts';
import { createService, type ServiceDeps } from '../../server/service.ts';
import type { Contestant, Fetch } from './contestant.ts';
import { fakeSources } from './fake-sources.ts';
import { profilePath } from './paths.ts';
import { cachedHandleCount, plenty } from './sizes.ts';
import { makeWorkspaces } from './workspaces.ts';

export interface MeteredOptions {
  requests_per_minute?: number;
  memory_cache_bytes?: number;
  cached?: true;
  /** Number of posts in the answer of the fake source. */
  posts?: number;
  /** API keys of workspaces that exist already. Default: new workspaces in an empty database. */
  keys?: readonly string[];
}

/** The real service with its database, and fake sources that answer immediately. */
export interface Metered extends Contestant {
  answer: Fetch;
  db: Database;
  sources: ServiceDeps['sources'];
}

/** Creates the real service for a measurement, with fake sources that answer immediately. */
export async function metered(url: string, options: MeteredOptions): Promise<Metered> {
  const { requests_per_minute = plenty, memory_cache_bytes, cached = false, posts = 0 } = options;
  const db = connectClients(parseDatabaseUrl(url), 'bench');
  const keys = options.keys ?? (await makeWorkspaces(url));
  const sources = fakeSources(posts);
  const { app } = await createService({
    db,
    now: () => new Date(),
    base_url: 'http://127.0.0.1',
    requests_per_minute,
    ...(memory_cache_bytes !== undefined && { memory_cache_bytes }),
    sources,
    log: createWriteLog(createRequestLog('/dev/null')),
    on_error: (error) => console.error(error),
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  });
  const headers = keys.map((key) => ({ 'x-api-key': key }));
  if (cached) await fillCache(app.fetch, headers);
  return { answer: app.fetch, headers, db, sources };
}

const fillsAtOnce = 50;
/**
 * Maximum number of requests for one handle. On a busy machine, the database may not answer the first request in time.
 */
const fillAttempts = 5;

/**
 * Requests every cached handle once. The requests are spread over the workspaces, because each workspace has its own
 * rate limit.
 */
async function fillCache(fetch: Hono['fetch'], headers: readonly Record<string, string>[]): Promise<void> {
  const fill = async (index: number) => {
    for (let attempt = 1; ; attempt += 1) {
      const own = headers[index % headers.length] ?? {};
      const path = `http://127.0.0.1${profilePath(`cached${index}`)}`;
      const response = await fetch(new Request(path, { headers: own }));
      if (response.status === 200) return;
      if (response.status !== 503 || attempt === fillAttempts)
        throw new Error(`The cache could not be filled: ${await response.text()}`);
    }
  };
  for (let from = 0; from < cachedHandleCount; from += fillsAtOnce) {
    await Promise.all(Array.from({ length: fillsAtOnce }, (_, index) => fill(from + index)));
  }
}
