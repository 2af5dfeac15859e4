import type { Fragment, Sql } from 'postgres';
import { daySeconds } from '../durations.ts';

export type BatchStatus = 'queued' | 'running' | 'paused' | 'finished' | 'cancelled';
export type WaitingFor = 'PAUSED' | 'CAP_REACHED' | 'INSUFFICIENT_CREDITS' | 'IMPORT_PAUSED' | 'IMPORT_CAP_REACHED';

/**
 * Why a batch waits. `cost` is the number of credits that its first unfinished row can cost; null when the reason has
 * nothing to do with credits.
 */
export interface Waiting {
  reason: WaitingFor;
  cost: number | null;
}

/**
 * The kind of data that a batch fetches for each line. `profiles`: one row for a profile. `posts`: one row for a post.
 * `latest_posts`: one row for each of the latest posts of a profile.
 */
export type BatchKind = 'profiles' | 'posts' | 'latest_posts';

export interface BatchId {
  workspace_id: string;
  batch_id: string;
}

/** The settings for fetching the rows of a batch. */
export interface BatchPlan {
  kind: BatchKind;
  /** Number of posts for each profile; null unless the kind is `latest_posts`. */
  posts_each: number | null;
  /** Maximum age in seconds of a cached answer that fills a row without a charge. */
  max_age_seconds: number;
  /** The sheet import that created this batch for one of its runs; null for a bulk analysis. */
  import_id: string | null;
}

/** The settings of a bulk analysis: one row per profile, from the cache if the answer is at most 24 hours old. */
export const bulkAnalysis: BatchPlan = {
  kind: 'profiles',
  posts_each: null,
  max_age_seconds: daySeconds,
  import_id: null,
};

/** A batch and its progress: numbers of rows by state, and the credits charged so far. */
export interface Batch extends BatchId, BatchPlan {
  name: string | null;
  status: BatchStatus;
  /** Why a paused batch is paused; null when the batch is not paused. */
  waiting_for: WaitingFor | null;
  /**
   * Credits that the first unfinished row of a paused batch can cost; null when the batch does not wait for credits.
   */
  waiting_cost: number | null;
  created_at: Date;
  finished_at: Date | null;
  total: number;
  answered: number;
  ok: number;
  failed: number;
  credits: number;
  /** The column headings of the uploaded file; null when the user sent only links. */
  own_headings: string[] | null;
}

export interface NewRow {
  /** Number of this line in the uploaded file, counted from 1. */
  row_no: number;
  url: string;
  /**
   * The number of an earlier row with the same account, which is fetched only once for both rows. Null when no earlier
   * row has this account.
   */
  duplicate_of: number | null;
  /** The error code of an invalid line, which then also has `cells`. Null for a valid line. */
  status: string | null;
  cells: string | null;
  /** The cells of this line in the uploaded file, as a JSON array of texts. */
  own_cells?: string | null;
}

/**
 * Creates a batch with the status `queued`. Returns false when the workspace already has a batch with this id. Must be
 * called inside a transaction.
 */
export async function insertBatch(
  tx: Sql,
  batch: BatchId & { name: string | null; now: Date; plan?: BatchPlan; own_headings?: readonly string[] | null },
  rows: readonly NewRow[],
): Promise<boolean> {
  const { workspace_id, batch_id, name, now, plan = bulkAnalysis, own_headings = null } = batch;
  const inserted = await tx`
    insert into batches ${tx({ workspace_id, batch_id, name, created_at: now, own_headings, ...plan })} on conflict do nothing`;
  if (inserted.count === 0) return false;
  await tx`
    insert into batch_rows (workspace_id, batch_id, row_no, url, duplicate_of, status, cells, own_cells, answered_at)
    select ${workspace_id}::uuid, ${batch_id}::uuid, row_no, url, duplicate_of, status, cells, own_cells,
      case when status is not null then ${now}::timestamptz end
    from unnest(${rows.map((row) => row.row_no)}::int[], ${rows.map((row) => row.url)}::text[],
      ${rows.map((row) => row.duplicate_of)}::int[], ${rows.map((row) => row.status)}::text[],
      ${rows.map((row) => row.cells)}::text[], ${rows.map((row) => row.own_cells ?? null)}::text[])
      as r (row_no, url, duplicate_of, status, cells, own_cells)`;
  return true;
}

const maxListed = 100;

/**
 * Returns the bulk analyses of a workspace and their progress, newest first. With `before` (a batch id), returns only
 * older ones.
 */
export function listBatches(
  sql: Sql,
  workspaceId: string,
  { before = null, limit = maxListed }: { before?: string | null; limit?: number } = {},
): Promise<Batch[]> {
  const newest = sql`
    batch_id in (select batch_id from batches where workspace_id = ${workspaceId} and import_id is null
      and (${before}::uuid is null or (created_at, batch_id) <
        (select created_at, batch_id from batches where workspace_id = ${workspaceId} and batch_id = ${before}::uuid))
      order by created_at desc, batch_id desc limit ${Math.min(limit, maxListed)})`;
  return readBatches(sql, workspaceId, newest);
}

/** Returns one batch and its progress; null when it does not exist. */
export async function findBatch(sql: Sql, { workspace_id, batch_id }: BatchId): Promise<Batch | null> {
  const [batch] = await readBatches(sql, workspace_id, sql`batch_id = ${batch_id}`);
  return batch ?? null;
}

async function readBatches(sql: Sql, workspaceId: string, condition: Fragment): Promise<Batch[]> {
  return sql<Batch[]>`
    select b.*,
      count(*)::int as total, count(r.status)::int as answered,
      (count(*) filter (where r.status = 'OK'))::int as ok,
      (count(*) filter (where r.status <> 'OK'))::int as failed, sum(r.credits)::int as credits
    from (select * from batches where workspace_id = ${workspaceId} and ${condition}) b
    join batch_rows r on r.workspace_id = b.workspace_id and r.batch_id = b.batch_id
    group by b.workspace_id, b.batch_id, b.name, b.status, b.waiting_for, b.waiting_cost, b.created_at, b.finished_at, b.kind,
      b.posts_each, b.max_age_seconds, b.import_id, b.own_headings
    order by b.created_at desc, b.batch_id desc`;
}

/**
 * Sets a queued or interrupted batch to `running` and returns its settings. Returns null when the batch has a
 * different status.
 */
export async function startBatch(sql: Sql, { workspace_id, batch_id }: BatchId): Promise<BatchPlan | null> {
  const [plan] = await sql<BatchPlan[]>`
    update batches set status = 'running'
    where workspace_id = ${workspace_id} and batch_id = ${batch_id} and status in ('queued', 'running')
    returning kind, posts_each, max_age_seconds, import_id`;
  return plan ?? null;
}

/**
 * Changes the status of a batch. Returns false when the workspace has no such batch, or when the batch's status is not
 * in `from`.
 */
export async function moveBatch(
  sql: Sql,
  { workspace_id, batch_id }: BatchId,
  move: { from: readonly BatchStatus[]; to: 'queued' | 'cancelled'; finished_at: Date | null },
): Promise<boolean> {
  const { count } = await sql`
    update batches set status = ${move.to}, waiting_for = null, waiting_cost = null, finished_at = ${move.finished_at}
    where workspace_id = ${workspace_id} and batch_id = ${batch_id} and status = any(${[...move.from]}::text[])`;
  return count === 1;
}

/**
 * Locks a batch until the transaction ends. A transaction that changes a batch and its import run must call this before
 * changing the run: the deletion of an import deletes its batches first, and a different order could cause a deadlock.
 */
export async function lockBatch(tx: Sql, { workspace_id, batch_id }: BatchId): Promise<void> {
  await tx`select from batches where workspace_id = ${workspace_id} and batch_id = ${batch_id} for no key update`;
}

/**
 * Deletes the batches of a workspace that match an SQL condition, with their rows. Locks them in the order of their
 * ids, so that two such deletions cannot deadlock. Must be called inside a transaction.
 */
export async function deleteBatches(tx: Sql, workspaceId: string, condition: Fragment): Promise<number> {
  const locked = await tx<{ batch_id: string }[]>`
    select batch_id from batches where workspace_id = ${workspaceId} and ${condition} order by batch_id for update`;
  const ids = locked.map(({ batch_id }) => batch_id);
  const { count } =
    await tx`delete from batches where workspace_id = ${workspaceId} and batch_id = any(${ids}::uuid[])`;
  return count;
}

/**
 * Ends the work of one process on a batch. Returns `finished` when every row has a result, but only to the first
 * caller. Returns `paused` when the batch must wait (`waiting`). Otherwise changes nothing and returns null. If another
 * process stores the last result of a paused batch, that process finishes the batch.
 */
export async function closeBatch(
  sql: Sql,
  { workspace_id, batch_id }: BatchId,
  waiting: Waiting | null,
  now: Date,
): Promise<'finished' | 'paused' | null> {
  const { reason = null, cost = null } = waiting ?? {};
  const [closed] = await sql<{ status: 'finished' | 'paused' }[]>`
    with progress as materialized (
      select exists (select from batch_rows
        where workspace_id = ${workspace_id} and batch_id = ${batch_id} and status is null) as open
    )
    update batches b set status = case when p.open then 'paused' else 'finished' end,
      waiting_for = case when p.open then ${reason}::text end,
      waiting_cost = case when p.open then ${cost}::int end,
      finished_at = case when p.open then null else ${now}::timestamptz end
    from progress p
    where workspace_id = ${workspace_id} and batch_id = ${batch_id}
      and (status = 'running' and (${reason}::text is not null or not p.open) or status = 'paused' and not p.open)
    returning b.status`;
  return closed?.status ?? null;
}
