import type { Fragment, Sql } from 'postgres';
import { creditsUsed } from '../calendar.ts';
import type { BatchId, WaitingFor } from './batches.ts';

/**
 * Returns SQL that selects batches `b` with everything that can stop them in the month of `now`: whether the workspace
 * or the sheet import is paused, the credit balance, and the remaining monthly caps of both. A null cap means no limit.
 * `next_cost` is the number of credits that a paused batch needs to continue.
 */
const batchStates = (sql: Sql, now: Date): Fragment => sql`
    select b.*, coalesce(s.paused, false) as workspace_paused, coalesce(i.paused, false) as import_paused, c.balance,
      s.monthly_cap - ${creditsUsed(sql, 's', now)} as cap_left,
      i.monthly_cap - ${creditsUsed(sql, 'i', now)} as import_cap_left, coalesce(b.waiting_cost, 1) as next_cost
    from batches b join credit_balances c on c.workspace_id = b.workspace_id
    left join work_settings s on s.workspace_id = b.workspace_id
    left join sheet_imports i on i.workspace_id = b.workspace_id and i.import_id = b.import_id`;

/** The state of a batch and its workspace. The pipeline reads this state before it fetches each row. */
export interface BatchState {
  running: boolean;
  /** Why the batch must pause before the next row; null when the row can be charged. */
  waiting_for: WaitingFor | null;
  /** Credits that the batch may still spend: the lowest of the balance and the remaining monthly caps. */
  credits_left: number;
}

/**
 * Returns the state of a batch, which says whether it may fetch its next row for `cost` credits. Rows that cannot be
 * paid for are not fetched. Returns null when the batch was removed.
 */
export async function readBatchState(sql: Sql, batch: BatchId, now: Date, cost: number): Promise<BatchState | null> {
  const { workspace_id, batch_id } = batch;
  const [state] = await sql<BatchState[]>`
    select status = 'running' as running, least(balance, cap_left, import_cap_left) as credits_left,
      case when workspace_paused then 'PAUSED' when import_paused then 'IMPORT_PAUSED'
        when cap_left < ${cost} then 'CAP_REACHED' when import_cap_left < ${cost} then 'IMPORT_CAP_REACHED'
        when balance < ${cost} then 'INSUFFICIENT_CREDITS' end as waiting_for
    from (${batchStates(sql, now)} where b.workspace_id = ${workspace_id} and b.batch_id = ${batch_id}) t`;
  return state ?? null;
}

/** A batch that can run. `earlier` is the number of earlier batches of the same workspace that can run too. */
export interface BatchTurn extends BatchId {
  earlier: number;
}

/**
 * Returns the numbers of unfinished bulk analyses (`analyses`) and of all unfinished batches (`batches`) of a
 * workspace. The latter include the batches of sheet imports.
 */
export async function countOpenBatches(sql: Sql, workspaceId: string): Promise<{ analyses: number; batches: number }> {
  const [row] = await sql<{ analyses: number; batches: number }[]>`
    select (count(*) filter (where import_id is null))::int as analyses, count(*)::int as batches from batches
    where workspace_id = ${workspaceId} and status in ('queued', 'running', 'paused')`;
  return row ?? { analyses: 0, batches: 0 };
}

/** Maximum number of batches that one run of the scheduled job queues. The next run queues the others. */
const maxReady = 1_000;

/**
 * Sets paused batches that can continue to `queued`, and returns all batches that should be in the job queue. A batch
 * that waits for credits can continue when they cover its first unfinished row. Reads only the table `batches`, not the
 * job queue, so that it also finds the batch of a process that was killed. The first batch of every workspace comes
 * before the second batch of any workspace.
 */
export function resumeReadyBatches(tx: Sql, now: Date): Promise<BatchTurn[]> {
  return tx<BatchTurn[]>`
    with ready as materialized (
      select workspace_id, batch_id,
        row_number() over (partition by workspace_id order by created_at, batch_id)::int - 1 as earlier
      from (${batchStates(tx, now)} where b.status in ('queued', 'running', 'paused')) t
      where status in ('queued', 'running') or case waiting_for
        when 'PAUSED' then not workspace_paused
        when 'IMPORT_PAUSED' then not import_paused
        when 'CAP_REACHED' then coalesce(cap_left >= next_cost, true)
        when 'IMPORT_CAP_REACHED' then coalesce(import_cap_left >= next_cost, true)
        else balance >= next_cost end
      order by earlier, created_at, batch_id limit ${maxReady}
    ), queued as (
      update batches b set status = 'queued', waiting_for = null, waiting_cost = null from ready r
      where b.workspace_id = r.workspace_id and b.batch_id = r.batch_id and b.status = 'paused'
    )
    select workspace_id, batch_id, earlier from ready`;
}
