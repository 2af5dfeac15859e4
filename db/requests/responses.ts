import type { Fragment, Sql } from 'postgres';
import { combineCalls } from '../combine-calls.ts';
import { deleteOld } from '../delete-old.ts';
import { isDistributed } from '../distribution/distributed.ts';
import { clockDifferenceMs, daySeconds, hourMs, minuteMs } from '../durations.ts';

/**
 * A stored API answer. `body` is the JSON text of the answer's `data`. `meta` is the JSON text of those fields of the
 * answer's `meta` that stay the same when the answer is returned again.
 */
export interface StoredAnswer {
  body: string;
  meta: string;
  retrieved_at: Date;
}

/**
 * Returns a function that reads a cached answer, of any age, by its cache key. Concurrent calls share one SQL
 * statement.
 */
export function createCacheReader(sql: Sql): (cacheKey: string) => Promise<StoredAnswer | null> {
  // In a distributed database (Citus), reads each key with a separate statement, so that an unreachable node affects
  // only requests for answers on that node.
  if (isDistributed(sql)) return async (key) => (await readAnswers(sql, [key])).get(key) ?? null;
  return combineCalls(
    async (keys: string[]) => {
      const found = await readAnswers(sql, [...new Set(keys)]);
      return keys.map((key) => found.get(key) ?? null);
    },
    { slots: 2, max_calls: 500 },
  );
}

async function readAnswers(sql: Sql, keys: string[]): Promise<Map<string, StoredAnswer>> {
  const rows = await sql<(StoredAnswer & { cache_key: string })[]>`
    select cache_key, body, meta, retrieved_at from responses where cache_key = any(${keys}::uuid[])`;
  return new Map(rows.map((row) => [row.cache_key, row]));
}

/**
 * Caches an answer that needs no charge, because its rows were charged with an earlier page of results. Does nothing
 * when a newer answer is cached.
 */
export async function storeAnswer(sql: Sql, cacheKey: string, route: string, answer: StoredAnswer): Promise<void> {
  const { body, meta, retrieved_at } = answer;
  await sql`
    insert into responses as r (cache_key, route, body, meta, retrieved_at)
    values (${cacheKey}, ${route}, ${body}, ${meta}, ${retrieved_at})
    ${keepNewest(sql)}`;
}

/**
 * Returns true when an answer seems to be from the future, because it was fetched before the clock was set back. Its
 * real age is unknown, so it must not be used as a cached answer.
 */
export function isFromFuture({ retrieved_at }: Pick<StoredAnswer, 'retrieved_at'>, now: Date): boolean {
  return retrieved_at.getTime() - now.getTime() > clockDifferenceMs;
}

/**
 * Returns the last clause of an insert into `responses as r`, which keeps the newest answer for each cache key.
 * Replaces an answer from the future (see {@link isFromFuture}). Times are compared in UTC, because Citus allows only
 * immutable functions here.
 */
export function keepNewest(sql: Sql): Fragment {
  const [stored, added] = ['r', 'excluded'].map((row) => `${row}.retrieved_at at time zone 'UTC'`);
  const isFuture = sql.unsafe(`${stored} > ${added} + interval '${clockDifferenceMs} milliseconds'`);
  return sql`on conflict (cache_key) do update set body = excluded.body, meta = excluded.meta,
    retrieved_at = excluded.retrieved_at where r.retrieved_at <= excluded.retrieved_at or ${isFuture}`;
}

/** Maximum milliseconds that a committed charge waits until its answer is cached, which may happen on another node. */
const cacheWaitMs = 100;

/**
 * Caches the answers of committed charges. An answer that cannot be cached is fetched again by the next request for it.
 */
export async function storeAnswers(
  sql: Sql,
  answers: readonly { cache_key: string; route: string; answer: StoredAnswer }[],
): Promise<void> {
  const stored = Promise.allSettled(
    answers.map(({ cache_key, route, answer }) => storeAnswer(sql, cache_key, route, answer)),
  );
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise((resolve) => {
    timer = setTimeout(resolve, cacheWaitMs);
  });
  await Promise.race([stored, waited]);
  clearTimeout(timer);
}

/** Hours for which the answer to an Idempotency-Key is stored. */
export const replayHours = 24;

/** Stores the rest of a page of a source's results: rows that were fetched but not yet returned to the client. */
export async function storeBufferedPage(sql: Sql, pageId: string, page: string, now: Date): Promise<void> {
  await sql`insert into buffered_pages (page_id, page, created_at) values (${pageId}, ${page}, ${now})`;
}

/** Returns the rows that a pagination cursor refers to (fetched but not yet returned); null when they were deleted. */
export async function readBufferedPage(sql: Sql, pageId: string): Promise<string | null> {
  const [row] = await sql<{ page: string }[]>`select page from buffered_pages where page_id = ${pageId}`;
  return row?.page ?? null;
}

/** Seconds for which an answer is cached: the longest `cache_max_age`. */
export const cachedSeconds = 30 * daySeconds;
/** Milliseconds for which the rest of a page of results is stored. Its cursor is valid for the same time. */
export const pageLifetimeMs = 10 * minuteMs;

/**
 * Deletes cached answers that are older than the longest cache_max_age, expired answers for Idempotency-Keys, and
 * expired buffered pages. Returns the number of deleted rows of each kind.
 */
export async function removeExpired(
  sql: Sql,
  now: Date,
): Promise<{ responses: number; replays: number; pages: number }> {
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  return {
    responses: await deleteOld(sql, 'responses', sql`retrieved_at < ${before(cachedSeconds * 1_000)}`),
    replays: await deleteOld(sql, 'replays', sql`created_at < ${before(replayHours * hourMs)}`),
    pages: await deleteOld(sql, 'buffered_pages', sql`created_at < ${before(pageLifetimeMs)}`),
  };
}
