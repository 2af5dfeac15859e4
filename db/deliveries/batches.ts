import type { Fragment, Sql } from 'postgres';
import { monthOf } from '../month.ts';

export type BatchStatus = 'queued' | 'running' | 'paused' | 'finished' | 'cancelled';
export type WaitingFor = 'PAUSED' | 'CAP_REACHED' | 'INSUFFICIENT_CREDITS';

export interface BatchId {
  workspace_id: string;
  batch_id: string;
}

/** A batch with its progress: numbers of lines, and the credits that they cost so far. */
export interface Batch extends BatchId {
  name: string | null;
  status: BatchStatus;
  /** Why a paused batch waits, null for the others. */
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
  /** Number of the line as it was sent, from 1. */
  row_no: number;
  url: string;
  /** The earlier row of the same account, which is fetched for both. */
  duplicate_of: number | null;
  /** An error code and the row's cells when the line cannot be asked, else null. */
  status: string | null;
  cells: string | null;
}

/** Makes a batch that waits in the queue; false when the workspace has one of that id already. To be called inside a transaction. */
export async function insertBatch(
  tx: Sql,
  batch: BatchId & { name: string | null; now: Date },
  rows: readonly NewRow[],
): Promise<boolean> {
  const { workspace_id, batch_id, name, now } = batch;
  const made = await tx`
    insert into batches (workspace_id, batch_id, name, created_at) values (${workspace_id}, ${batch_id}, ${name}, ${now})
    on conflict do nothing`;
  if (made.count === 0) return false;
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

/** The newest batches of a workspace with their progress, newest first; with `before`, those made before that batch. */
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

/** One batch of a workspace with its progress, null when it has none of that id. */
export async function findBatch(sql: Sql, { workspace_id, batch_id }: BatchId): Promise<Batch | null> {
  const [batch] = await readBatches(sql, workspace_id, sql`batch_id = ${batch_id}`);
  return batch ?? null;
}

async function readBatches(sql: Sql, workspaceId: string, which: Fragment): Promise<Batch[]> {
  return sql<Batch[]>`
    select b.workspace_id, b.batch_id, b.name, b.status, b.waiting_for, b.created_at, b.finished_at,
      count(*)::int as total, count(r.status)::int as answered,
      (count(*) filter (where r.status = 'OK'))::int as ok,
      (count(*) filter (where r.status <> 'OK'))::int as failed, sum(r.credits)::int as credits
    from (select * from batches where workspace_id = ${workspaceId} and ${which}) b
    join batch_rows r on r.workspace_id = b.workspace_id and r.batch_id = b.batch_id
    group by b.workspace_id, b.batch_id, b.name, b.status, b.waiting_for, b.created_at, b.finished_at
    order by b.created_at desc, b.batch_id desc`;
}

/** Takes a batch out of the queue, or goes on with one that was interrupted; false when there is nothing to do for it. */
export async function startBatch(sql: Sql, { workspace_id, batch_id }: BatchId): Promise<boolean> {
  const { count } = await sql`
    update batches set status = 'running'
    where workspace_id = ${workspace_id} and batch_id = ${batch_id} and status in ('queued', 'running')`;
  return count === 1;
}

/** Moves a batch from one of the states `from`, once; false when it is in another or is not the workspace's. */
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
 * What a run leaves behind it: `finished`, once, when every row is answered; else `paused` when it has to wait; else null,
 * and the batch stays as it is. A run that paused may have left the last row to another one: that one finishes the batch.
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

// What is left of the monthly cap; null where none is set.
const capLeft = (sql: Sql, now: Date): Fragment =>
  sql`s.monthly_cap - case when s.cap_month = ${monthOf(now)}::date then s.cap_used else 0 end`;

/** Whether a run may go on. */
export interface Standing {
  running: boolean;
  /** What the next paid row would have to wait for. */
  waiting_for: WaitingFor | null;
  /** Credits that balance and cap leave. */
  room: number;
}

/** Read before each row is fetched, so that no source is asked for what cannot be paid. Null when the batch was removed. */
export async function readStanding(sql: Sql, batch: BatchId, now: Date): Promise<Standing | null> {
  const { workspace_id, batch_id } = batch;
  const [standing] = await sql<Standing[]>`
    select running, room, case when paused then 'PAUSED' when cap_left < 1 then 'CAP_REACHED'
      when balance < 1 then 'INSUFFICIENT_CREDITS' end as waiting_for
    from (
      select b.status = 'running' as running, coalesce(s.paused, false) as paused, c.balance,
        ${capLeft(sql, now)} as cap_left, least(c.balance, ${capLeft(sql, now)}) as room
      from batches b join credit_balances c on c.workspace_id = b.workspace_id
      left join work_settings s on s.workspace_id = b.workspace_id
      where b.workspace_id = ${workspace_id} and b.batch_id = ${batch_id}
    ) t`;
  return standing ?? null;
}

/** Batches one tick looks at; the next one takes the rest. */
const maxWoken = 1_000;

/**
 * Queues the paused batches that could go on, and names all that should be in the queue. It asks what could go on and not
 * what was enqueued, so that a batch whose run died, or whose item came too late, is only late.
 */
export function wakeBatches(tx: Sql, now: Date): Promise<BatchId[]> {
  return tx<BatchId[]>`
    with ready as materialized (
      select b.workspace_id, b.batch_id from batches b join credit_balances c on c.workspace_id = b.workspace_id
      left join work_settings s on s.workspace_id = b.workspace_id
      where b.status in ('queued', 'running') or b.status = 'paused' and case b.waiting_for
        when 'PAUSED' then not coalesce(s.paused, false)
        when 'CAP_REACHED' then coalesce(${capLeft(tx, now)} >= 1, true)
        else c.balance >= 1 end
      order by b.created_at, b.batch_id limit ${maxWoken}
    ), queued as (
      update batches b set status = 'queued', waiting_for = null from ready r
      where b.workspace_id = r.workspace_id and b.batch_id = r.batch_id and b.status = 'paused'
    )
    select workspace_id, batch_id from ready`;
}
