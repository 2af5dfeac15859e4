import type { Sql } from 'postgres';
import { type Allowance, throttle } from '../accounts/throttle.ts';
import { combineByOwner } from '../combine-calls.ts';
import { hourMs, hourSeconds } from '../durations.ts';
import { replayHours, type StoredAnswer } from './responses.ts';

/** Identifies the answer that is stored for an Idempotency-Key. `mode` keeps sample data apart from live data. */
export interface ReplayKey {
  workspace_id: string;
  mode: string;
  idempotency_key: string;
}

/**
 * An answer that is stored for an Idempotency-Key. `fingerprint` identifies the original request, because a different
 * request with the same key must not get the answer.
 */
export interface Replay {
  fingerprint: string;
  answer: StoredAnswer;
}

interface Replays {
  /**
   * Returns the answer that was stored for an Idempotency-Key in the last 24 hours; null when no answer is stored.
   * Deletes an older answer.
   */
  read(key: ReplayKey): Promise<Replay | null>;
  /**
   * Stores a free answer for an Idempotency-Key. Does nothing when the key already has an answer. Also does nothing
   * when the workspace has stored too much; a repeated request is then processed as a new one.
   */
  store(key: ReplayKey, replay: Replay): Promise<void>;
}

/**
 * Limits the characters of free answers that are stored for the Idempotency-Keys of a workspace. Nothing else limits
 * their disk space, because the requests are free.
 */
const freeReplays: Allowance = { limit: 200_000_000, window_seconds: replayHours * hourSeconds };

type FreeReplay = ReplayKey & Replay;

/**
 * Returns the functions that read and store answers for Idempotency-Keys. Concurrent calls of one workspace (such as
 * for the rows of a spreadsheet) share their SQL statements.
 */
export function createReplays(sql: Sql, now: () => Date): Replays {
  const options = { max_calls: 50, ownerOf: ({ workspace_id }: ReplayKey) => workspace_id };
  const store = combineByOwner((replays: FreeReplay[]) => storeReplays(sql, replays, now()), options);
  return {
    read: combineByOwner((keys: ReplayKey[]) => readReplays(sql, keys, now()), options),
    store: (key, replay) => store({ ...key, ...replay }),
  };
}

interface StoredReplay extends StoredAnswer {
  /** Position of the key in the list of keys to read, from 1. */
  position: number;
  fingerprint: string;
  is_expired: boolean;
}

/** Reads the answers for Idempotency-Keys of one workspace. */
async function readReplays(sql: Sql, keys: ReplayKey[], now: Date): Promise<(Replay | null)[]> {
  const workspaceId = keys[0]?.workspace_id ?? '';
  const oldest = new Date(now.getTime() - replayHours * hourMs);
  // `lateral` with `limit` makes PostgreSQL look up each key in the index, instead of reading all rows of the
  // workspace.
  const rows = await sql<StoredReplay[]>`
    select position::int, r.* from unnest(${keys.map(({ mode }) => mode)}::text[],
      ${keys.map(({ idempotency_key }) => idempotency_key)}::text[]) with ordinality as k (mode, name, position)
    cross join lateral (
      select fingerprint, body, meta, retrieved_at, created_at <= ${oldest} as is_expired from replays
      where workspace_id = ${workspaceId} and mode = k.mode and idempotency_key = k.name limit 1
    ) as r`;
  const found = keys.map((): Replay | null => null);
  for (const { position, fingerprint, is_expired, ...answer } of rows) {
    const key = keys[position - 1];
    if (key && is_expired) await removeReplay(sql, key, oldest);
    else found[position - 1] = { fingerprint, answer };
  }
  return found;
}

async function removeReplay(sql: Sql, { workspace_id, mode, idempotency_key }: ReplayKey, oldest: Date): Promise<void> {
  await sql`
    delete from replays where workspace_id = ${workspace_id} and mode = ${mode}
      and idempotency_key = ${idempotency_key} and created_at <= ${oldest}`;
}

const replayColumns = [
  'workspace_id',
  'mode',
  'idempotency_key',
  'fingerprint',
  'body',
  'meta',
  'retrieved_at',
  'created_at',
] as const;

/** Stores answers of one workspace: all of them, or none when they would exceed the limit of the workspace. */
async function storeReplays(sql: Sql, replays: FreeReplay[], now: Date): Promise<undefined[]> {
  const workspaceId = replays[0]?.workspace_id ?? '';
  const size = replays.reduce((sum, { answer }) => sum + answer.body.length + answer.meta.length, 0);
  if ((await throttle(sql, `replays ${workspaceId}`, freeReplays, now, size)) === null) {
    const rows = replays.map(({ answer, ...replay }) => ({ ...replay, ...answer, created_at: now }));
    // Lists the columns, because an answer from the cache also has the field `cache_key`, which this table lacks.
    await sql`insert into replays ${sql(rows.sort(inKeyOrder), replayColumns)} on conflict do nothing`;
  }
  return replays.map(() => undefined);
}

/**
 * Compares two Idempotency-Keys of one workspace. Every statement that inserts several keys inserts them in this order,
 * so that statements with the same keys do not deadlock.
 */
export function inKeyOrder(one: Omit<ReplayKey, 'workspace_id'>, other: Omit<ReplayKey, 'workspace_id'>): number {
  if (one.mode !== other.mode) return one.mode < other.mode ? -1 : 1;
  return one.idempotency_key < other.idempotency_key ? -1 : 1;
}
