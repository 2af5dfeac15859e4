import { completeFree, completePaid, type Refusal, type RowAnswer } from '../../db/deliveries/batch-rows.ts';
import type { BatchId, BatchPlan, WaitingFor } from '../../db/deliveries/batches.ts';
import { daySeconds } from '../../db/durations.ts';
import { digestId } from '../../db/ids.ts';
import { patiently } from '../../db/patiently.ts';
import { createCacheReader, isFromFuture, type StoredAnswer, storeAnswer } from '../../db/requests/responses.ts';
import { answerKey } from '../collect/answer-key.ts';
import { type Collected, collect } from '../collect/collect.ts';
import { type CursorCipher, cursorBinding } from '../collect/list-cursor.ts';
import { listAnswer, listPage, refetchAfter } from '../collect/list-page.ts';
import { wholePage } from '../collect/page.ts';
import { storedAnswer } from '../collect/stored-answer.ts';
import { messageForRow, SourceError } from '../errors.ts';
import type { JobContext } from '../queue/job.ts';
import { channelIdIn, noChannelId } from '../rows/channel-id.ts';
import { type RowSource, refusedRow } from '../rows/profile-row.ts';
import { withKeyLock } from './key-lock.ts';
import { type BatchCells, creditsPerChannel, profileRowRequest, type RowRequest, rowKinds } from './row-requests.ts';

/**
 * Maximum age in seconds of a cached YouTube channel whose ID is reused. A day is safe, because the ID of a channel
 * never changes.
 */
const channelMaxAgeSeconds = daySeconds;

export interface OpenRow {
  row_no: number;
  url: string;
}

/**
 * Finds the results for the rows of one batch (bulk analysis). A row that fails gets an error code and costs nothing.
 */
export interface RowAnswers {
  /**
   * Finishes rows for free if they have a cached answer or an invalid URL. Returns the rows that must be fetched from a
   * platform.
   */
  fromCache(rows: readonly OpenRow[]): Promise<OpenRow[]>;
  /** Returns the maximum number of credits that a row can cost. */
  costOf(row: OpenRow): number;
  /**
   * Fetches the data of a row from the platform, stores the data and charges the workspace. A row that fails gets its
   * error code and is not charged. Returns null when the row is finished. When the charge is refused, or `stopReason`
   * returns a reason, returns the reason (such as missing credits) and leaves the row unfinished. `stopReason` is
   * called immediately before the fetch, because a row may wait long for another batch with the same request.
   */
  fromSource(row: OpenRow, stopReason: () => Promise<StopReason | null>): Promise<StopReason | null>;
}

/** Why a row of a batch is not fetched or not charged. `ENDED`: the batch was cancelled or removed. */
export type StopReason = WaitingFor | 'ENDED';

type RowContext = Pick<JobContext, 'db' | 'now' | 'sources' | 'log'> & { cursors: CursorCipher };
type CacheReader = ReturnType<typeof createCacheReader>;
interface Failure {
  code: string;
  message: string;
}

/** Creates the functions that find the results for the rows of one batch and store each result in the database. */
export function createRowAnswers(batch: BatchId & BatchPlan, context: RowContext): RowAnswers {
  const { db, now } = context;
  const kind = rowKinds[batch.kind];
  const cached = createCacheReader(db.pipelined);
  const results = createResultWriter(batch, context);

  async function fromCache(row: OpenRow): Promise<OpenRow | null> {
    const parsed = kind.parse(row.url, batch);
    if (!parsed.ok) return results.refuse(row, null, { code: 'INVALID_INPUT', message: parsed.message });
    const request = await withKnownChannel(parsed.request, cached, now());
    const answer = request && (await freeAnswer(request, cached, now(), batch.max_age_seconds));
    return answer ? results.storeFree(row, request, answer) : row;
  }

  function requestOf({ row_no, url }: OpenRow): RowRequest {
    const parsed = kind.parse(url, batch);
    if (parsed.ok) return parsed.request;
    const { batch_id, workspace_id } = batch;
    throw new Error(
      `Row ${row_no} of batch ${batch_id} in workspace ${workspace_id} has a wrong URL. ${parsed.message}`,
    );
  }

  /**
   * Looks in the cache again before a row is fetched, because another batch, formula or API request may have stored the
   * same answer in the meantime. Returns that answer, or null when it does not exist. `started`: time (Unix ms) at
   * which work on the row began. A batch that always wants new data accepts only answers from after this time.
   */
  async function storedMeanwhile(named: RowRequest, started: number): Promise<[RowRequest, StoredAnswer] | null> {
    const request = await withKnownChannel(named, cached, now());
    const { max_age_seconds: seconds } = batch;
    const oldest = seconds === 0 ? started + 1 : now().getTime() - seconds * 1_000;
    const answer = request && (await answerSince(request, cached, oldest));
    // Rejects an answer with a time in the future. The clock of the process that stored the answer is ahead, so the
    // answer may be too old.
    return answer && answer.retrieved_at <= now() ? [request, answer] : null;
  }

  const fromSource: RowAnswers['fromSource'] = (row, stopReason) => {
    const started = now().getTime();
    const named = requestOf(row);
    return withKeyLock(db, `${batch.workspace_id} ${keyOf(named)}`, async () => {
      const before = await storedMeanwhile(named, started);
      if (before) return results.storeFree(row, ...before);
      return (await stopReason()) ?? fetchRow(row, named, started);
    });
  };

  async function fetchRow(row: OpenRow, named: RowRequest, started: number): Promise<Refusal | null> {
    const found = await findChannel(named, cached, context);
    if ('code' in found) return results.refuse(row, named, found);
    const { request, channel } = found;
    const answer = await fetchAnswer(request, kind.container, context);
    if ('code' in answer) return results.refuse(row, request, answer);
    const meanwhile = await storedMeanwhile(request, started);
    if (meanwhile) return results.storeFree(row, ...meanwhile);
    const completed = await results.storePaid(row, request, answer, costOf(request, channel !== null));
    if (completed === 'completed' && channel)
      await storeAnswer(db.sql, keyOf(channel.request), channel.request.path, channel.answer);
    return completed === 'completed' || completed === 'answered_before' ? null : completed;
  }

  return {
    async fromCache(rows) {
      return (await Promise.all(rows.map(fromCache))).filter((row) => row !== null);
    },
    costOf(row) {
      const request = requestOf(row);
      return costOf(request, request.channel !== null);
    },
    fromSource,
  };
}

/**
 * Returns the credits that a row costs. With `withChannel`, includes the credits for finding the ID of its YouTube
 * channel.
 */
function costOf({ cost }: RowRequest, withChannel: boolean): number {
  return cost + (withChannel ? creditsPerChannel : 0);
}

/** Creates the functions that store the results and the charges of the rows of one batch. */
function createResultWriter(batch: BatchId & BatchPlan, { db, now }: RowContext) {
  const { workspace_id, batch_id } = batch;
  const kind = rowKinds[batch.kind];
  const result = ({ row_no }: OpenRow, status: string, cells: BatchCells | BatchCells[]): RowAnswer => ({
    ...{ workspace_id, batch_id, row_no, status, now: now() },
    cells: JSON.stringify(cells),
  });
  const answered = (
    row: OpenRow,
    { platform }: RowRequest,
    answer: StoredAnswer,
    metering: RowSource['metering'],
  ): RowAnswer => result(row, 'OK', kind.cells(kind.blank(row.url, platform), { answer, metering }));

  return {
    async refuse(row: OpenRow, request: RowRequest | null, failure: Failure): Promise<null> {
      const cells = refusedRow(kind.blank(row.url, request?.platform ?? null), failure);
      const refused = result(row, failure.code, cells);
      await patiently(db, (sql) => completeFree(sql, refused));
      return null;
    },
    async storeFree(row: OpenRow, request: RowRequest, answer: StoredAnswer): Promise<null> {
      const free = answered(row, request, answer, { cached: true, credits_charged: 0 });
      await patiently(db, (sql) => completeFree(sql, free));
      return null;
    },
    storePaid(row: OpenRow, request: RowRequest, answer: StoredAnswer, cost: number) {
      const charge = {
        charge_id: digestId(JSON.stringify([batch_id, row.row_no])),
        route: request.path,
        cache_key: keyOf(request),
        cost,
        answer,
      };
      const paid = { ...answered(row, request, answer, { cached: false, credits_charged: cost }), ...charge };
      return patiently(db, (sql) => completePaid(sql, paid));
    },
  };
}

/**
 * Returns a cached answer for a request that is at most `maxAgeSeconds` old. A cached answer costs no credits. Returns
 * null when there is no such answer, because the data must then be fetched.
 */
export async function freeAnswer(
  request: RowRequest,
  cached: CacheReader,
  now: Date,
  maxAgeSeconds: number,
): Promise<StoredAnswer | null> {
  if (maxAgeSeconds === 0) return null;
  const answer = await answerSince(request, cached, now.getTime() - maxAgeSeconds * 1_000);
  return answer !== null && isFromFuture(answer, now) ? null : answer;
}

/** Returns a cached answer for a request that was retrieved at `oldest` (Unix ms) or later, else null. */
async function answerSince(request: RowRequest, cached: CacheReader, oldest: number): Promise<StoredAnswer | null> {
  const answer = await cached(keyOf(request));
  return answer !== null && answer.retrieved_at.getTime() >= oldest ? answer : null;
}

/** Returns the cache key for the answer to a request, which is the key of the API route. */
function keyOf({ path, params, limit }: RowRequest): string {
  return answerKey({ path, params, limit, position: null });
}

const withChannel = (request: RowRequest, id: string): RowRequest => ({
  ...request,
  params: { channel_id: id },
  channel: null,
});

/**
 * Reads the ID of a YouTube channel from the cache and adds it to a request. Returns a request that needs no channel ID
 * unchanged. Returns null when the cache does not have the ID.
 */
async function withKnownChannel(request: RowRequest, cached: CacheReader, now: Date): Promise<RowRequest | null> {
  if (request.channel === null) return request;
  const answer = await freeAnswer(profileRowRequest(request.channel), cached, now, channelMaxAgeSeconds);
  const id = answer && channelIdIn({ answer });
  return id ? withChannel(request, id) : null;
}

interface Found {
  request: RowRequest;
  /**
   * The YouTube channel that was fetched to find its ID. Null when nothing was fetched, because the ID was known or not
   * needed.
   */
  channel: { request: RowRequest; answer: StoredAnswer } | null;
}

/**
 * Adds the ID of a YouTube channel to a request. Fetches the channel when the cache does not have its ID. Returns the
 * error when the channel cannot be fetched.
 */
async function findChannel(request: RowRequest, cached: CacheReader, context: RowContext): Promise<Found | Failure> {
  const known = await withKnownChannel(request, cached, context.now());
  if (known) return { request: known, channel: null };
  if (request.channel === null)
    throw new Error(`No channel ID can be looked up for ${request.path}, because it needs none.`);
  const lookup = profileRowRequest(request.channel);
  const answer = await fetchAnswer(lookup, 'profile', context);
  if ('code' in answer) return answer;
  const id = channelIdIn({ answer });
  if (id !== null) return { request: withChannel(request, id), channel: { request: lookup, answer } };
  return noChannelId;
}

// This signal never aborts, so rows in progress are finished even when the process stops. The time limit of `collect`
// still applies.
async function fetchAnswer(
  request: RowRequest,
  container: string,
  { sources, log, cursors }: RowContext,
): Promise<StoredAnswer | Failure> {
  const { collector, params, limit } = request;
  try {
    const signal = new AbortController().signal;
    const sent = collector.params.parse(limit === null ? params : { ...params, limit: wholePage });
    const collected = await collect(collector, sent, { ...sources, signal });
    if (limit !== null) return firstPosts({ ...request, limit }, collected, cursors);
    return storedAnswer(JSON.stringify({ [container]: collected.record }), collected);
  } catch (error) {
    if (error instanceof SourceError) return { code: error.code, message: messageForRow(error.message, null) };
    log.error({ err: error, collector: collector.name }, 'a row of a batch failed');
    return {
      code: 'INTERNAL',
      message: 'This row failed on our side: the error is logged and nothing was charged. Run the row again later.',
    };
  }
}

/**
 * Returns the first `limit` posts of a list, because a platform may send more posts than requested. The cursor fetches
 * the page again, because the other posts are not stored.
 */
function firstPosts(
  { path, params, limit }: RowRequest & { limit: number },
  collected: Collected<unknown>,
  cursors: CursorCipher,
): StoredAnswer {
  const page = listPage(collected, null);
  const next = limit < page.rows.length ? refetchAfter(page, limit) : page.next;
  const nextCursor = next && cursors.encrypt(next, cursorBinding(path, params, limit));
  return listAnswer(page, { offset: 0, limit, next_cursor: nextCursor }).answer;
}
