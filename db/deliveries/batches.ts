import type { Fragment, Sql } from 'postgres';
import { monthOf } from '../month.ts';

export type BatchStatus = 'queued' | 'running' | 'paused' | 'finished' | 'cancelled';
export type WaitingFor = 'PAUSED' | 'CAP_REACHED' | 'INSUFFICIENT_CREDITS';

export interface BatchId {
  workspace_id: string;
  batch_id: string;
}

/** A batch with its progress: numbers of rows, and the credits charged so far. */
export interface Batch extends BatchId {
  name: string | null;
  status: BatchStatus;
  /** Why a paused batch waits; null when the batch is not paused. */
  waiting_for: WaitingFor | null;
  created_at: Date;
  finished_at: Date | null;
  total: number;
  answered: number;
  ok: number;
  failed: number;
  credits: number;
}

export interface NewRow {
  /** Number of the line in the uploaded file, from 1. */
  row_no: number;
  url: string;
  /** The number of an earlier row with the same account. The account is fetched once for both rows. Null when there is no such row. */
  duplicate_of: number | null;
  /** The error code of an invalid line; null when the line is valid. `cells` is then set too. */
  status: string | null;
  cells: string | null;
}

/**
 * Creates a batch that waits in the queue. Returns false when the workspace already has a batch with this id. Must be called
 * inside a transaction.
 */
export async function insertBatch(
  tx: Sql,
  batch: BatchId & { name: string | null; now: Date },
  rows: readonly NewRow[],
): Promise<boolean> {
  const { workspace_id, batch_id, name, now } = batch;
  const inserted = await tx`
    insert into batches (workspace_id, batch_id, name, created_at) values (${workspace_id}, ${batch_id}, ${name}, ${now})
    on conflict do nothing`;
  if (inserted.count === 0) return false;
  await tx`
    insert into batch_rows (workspace_id, batch_id, row_no, url, duplicate_of, status, cells, answered_at)
    select ${workspace_id}::uuid, ${batch_id}::uuid, row_no, url, duplicate_of, status, cells,
      case when status is not null then ${now}::timestamptz end
    from unnest(${rows.map((row) => row.row_no)}::int[], ${rows.map((row) => row.url)}::text[],
      ${rows.map((row) => row.duplicate_of)}::int[], ${rows.map((row) => row.status)}::text[],
      ${rows.map((row) => row.cells)}::text[]) as r (row_no, url, duplicate_of, status, cells)`;
  return true;
}

const maxListed = 100;

/** Returns the batches of a workspace with their progress, newest first. With `before`, only those older than that batch. */
export function listBatches(
  sql: Sql,
  workspaceId: string,
  { before = null, limit = maxListed }: { before?: string | null; limit?: number } = {},
): Promise<Batch[]> {
  const newest = sql`
    batch_id in (select batch_id from batches where workspace_id = ${workspaceId}
      and (${before}::uuid is null or (created_at, batch_id) <
        (select created_at, batch_id from batches where workspace_id = ${workspaceId} and batch_id = ${before}::uuid))
      order by created_at desc, batch_id desc limit ${Math.min(limit, maxListed)})`;
  return readBatches(sql, workspaceId, newest);
}

/** Returns one batch with its progress; null when it does not exist. */
export async function findBatch(sql: Sql, { workspace_id, batch_id }: BatchId): Promise<Batch | null> {
  const [batch] = await readBatches(sql, workspace_id, sql`batch_id = ${batch_id}`);
  return batch ?? null;
}

async function readBatches(sql: Sql, workspaceId: string, condition: Fragment): Promise<Batch[]> {
  return sql<Batch[]>`
    select b.workspace_id, b.batch_id, b.name, b.status, b.waiting_for, b.created_at, b.finished_at,
      count(*)::int as total, count(r.status)::int as answered,
      (count(*) filter (where r.status = 'OK'))::int as ok,
      (count(*) filter (where r.status <> 'OK'))::int as failed, sum(r.credits)::int as credits
    from (select * from batches where workspace_id = ${workspaceId} and ${condition}) b
    join batch_rows r on r.workspace_id = b.workspace_id and r.batch_id = b.batch_id
    group by b.workspace_id, b.batch_id, b.name, b.status, b.waiting_for, b.created_at, b.finished_at
    order by b.created_at desc, b.batch_id desc`;
}

/** Sets the state of a queued or interrupted batch to running. Returns false when the batch is in another state. */
export async function startBatch(sql: Sql, { workspace_id, batch_id }: BatchId): Promise<boolean> {
  const { count } = await sql`
    update batches set status = 'running'
    where workspace_id = ${workspace_id} and batch_id = ${batch_id} and status in ('queued', 'running')`;
  return count === 1;
}

/** Changes the state of a batch. Returns false when its state is not one of `from` or it is not in this workspace. */
export async function moveBatch(
  sql: Sql,
  { workspace_id, batch_id }: BatchId,
  move: { from: readonly BatchStatus[]; to: 'queued' | 'cancelled'; finished_at: Date | null },
): Promise<boolean> {
  const { count } = await sql`
    update batches set status = ${move.to}, waiting_for = null, finished_at = ${move.finished_at}
    where workspace_id = ${workspace_id} and batch_id = ${batch_id} and status = any(${[...move.from]}::text[])`;
  return count === 1;
}

/**
 * Ends a run: the work on a batch by one process. Returns `finished`, only once, when every row has a result; `paused` when
 * the batch must wait for `waitingFor`; otherwise null, and the batch does not change. If another run stores the last result
 * of a paused batch, that run finishes the batch.
 */
export async function closeBatch(
  sql: Sql,
  { workspace_id, batch_id }: BatchId,
  waitingFor: WaitingFor | null,
  now: Date,
): Promise<'finished' | 'paused' | null> {
  const [closed] = await sql<{ status: 'finished' | 'paused' }[]>`
    with progress as materialized (
      select exists (select from batch_rows
        where workspace_id = ${workspace_id} and batch_id = ${batch_id} and status is null) as open
    )
    update batches b set status = case when p.open then 'paused' else 'finished' end,
      waiting_for = case when p.open then ${waitingFor}::text end,
      finished_at = case when p.open then null else ${now}::timestamptz end
    from progress p
    where workspace_id = ${workspace_id} and batch_id = ${batch_id}
      and (status = 'running' and (${waitingFor}::text is not null or not p.open) or status = 'paused' and not p.open)
    returning b.status`;
  return closed?.status ?? null;
}

// Credits that remain of the monthly cap; null when the workspace has no cap.
const capLeft = (sql: Sql, now: Date): Fragment =>
  sql`s.monthly_cap - case when s.cap_month = ${monthOf(now)}::date then s.cap_used else 0 end`;

/** The state of a batch and its workspace, which is read before each row. */
export interface RunState {
  running: boolean;
  /** Why the next row that costs credits must wait; null when it can be charged. */
  waiting_for: WaitingFor | null;
  /** Credits that may still be spent: the balance or the rest of the monthly cap, whichever is lower. */
  credits_left: number;
}

/**
 * Returns the state that is read before a row is fetched, so that no row is fetched that cannot be paid. Returns null when
 * the batch was removed.
 */
export async function readRunState(sql: Sql, batch: BatchId, now: Date): Promise<RunState | null> {
  const { workspace_id, batch_id } = batch;
  const [state] = await sql<RunState[]>`
    select running, credits_left, case when paused then 'PAUSED' when cap_left < 1 then 'CAP_REACHED'
      when balance < 1 then 'INSUFFICIENT_CREDITS' end as waiting_for
    from (
      select b.status = 'running' as running, coalesce(s.paused, false) as paused, c.balance,
        ${capLeft(sql, now)} as cap_left, least(c.balance, ${capLeft(sql, now)}) as credits_left
      from batches b join credit_balances c on c.workspace_id = b.workspace_id
      left join work_settings s on s.workspace_id = b.workspace_id
      where b.workspace_id = ${workspace_id} and b.batch_id = ${batch_id}
    ) t`;
  return state ?? null;
}

/** Maximum number of batches that one scheduled call returns. The next call returns the others. */
const maxReady = 1_000;

/**
 * Queues the paused batches that can continue, and returns all batches that should be in the queue. It looks only at the
 * stored batches, not at what was enqueued before. A batch whose process stopped suddenly is therefore found again and only
 * continues later.
 */
export function resumeReadyBatches(tx: Sql, now: Date): Promise<BatchId[]> {
  return tx<BatchId[]>`
    with ready as materialized (
      select b.workspace_id, b.batch_id from batches b join credit_balances c on c.workspace_id = b.workspace_id
      left join work_settings s on s.workspace_id = b.workspace_id
      where b.status in ('queued', 'running') or b.status = 'paused' and case b.waiting_for
        when 'PAUSED' then not coalesce(s.paused, false)
        when 'CAP_REACHED' then coalesce(${capLeft(tx, now)} >= 1, true)
        else c.balance >= 1 end
      order by b.created_at, b.batch_id limit ${maxReady}
    ), queued as (
      update batches b set status = 'queued', waiting_for = null from ready r
      where b.workspace_id = r.workspace_id and b.batch_id = r.batch_id and b.status = 'paused'
    )
    select workspace_id, batch_id from ready`;
}
