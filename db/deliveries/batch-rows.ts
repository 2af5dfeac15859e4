import type { Sql } from 'postgres';
import { monthOf } from '../month.ts';
import type { KeptAnswer } from '../requests/responses.ts';

import type { BatchId } from './batches.ts';

export interface BatchRow {
  row_no: number;
  url: string;
  duplicate_of: number | null;
  /** `OK` or an error code, null until it is answered. */
  status: string | null;
  credits: number;
  /** JSON text of the row's cells, a duplicate's those of the row that was fetched for it; null until it is answered. */
  cells: string | null;
}

/** The rows of a batch in the order of its lines. */
export function listRows(sql: Sql, { workspace_id, batch_id }: BatchId): Promise<BatchRow[]> {
  return sql<BatchRow[]>`
    select r.row_no, r.url, r.duplicate_of, r.status, r.credits, coalesce(r.cells, o.cells) as cells
    from batch_rows r left join batch_rows o
      on o.workspace_id = r.workspace_id and o.batch_id = r.batch_id and o.row_no = r.duplicate_of
    where r.workspace_id = ${workspace_id} and r.batch_id = ${batch_id} order by r.row_no`;
}

/** The rows that are still to be answered, without duplicates: those are answered together with the row they name. */
export function openRows(sql: Sql, { workspace_id, batch_id }: BatchId): Promise<Pick<BatchRow, 'row_no' | 'url'>[]> {
  return sql<BatchRow[]>`
    select row_no, url from batch_rows
    where workspace_id = ${workspace_id} and batch_id = ${batch_id} and status is null and duplicate_of is null
    order by row_no`;
}

/** What came of one row. */
export interface RowAnswer extends BatchId {
  row_no: number;
  /** `OK` or an error code. */
  status: string;
  /** JSON text of the row's cells. */
  cells: string;
  now: Date;
}

/** Answers a row and its duplicates for nothing, unless another run did before. */
export async function completeFree(hot: Sql, row: RowAnswer): Promise<void> {
  const { workspace_id, batch_id, row_no, status, cells, now } = row;
  await hot`
    update batch_rows set status = ${status}, answered_at = ${now},
      cells = case when row_no = ${row_no} then ${cells}::text end
    where workspace_id = ${workspace_id} and batch_id = ${batch_id} and status is null
      and (row_no = ${row_no} or duplicate_of = ${row_no})`;
}

/** A fresh answer that is to be charged. */
export interface PaidAnswer extends RowAnswer, KeptAnswer {
  /** The same whenever this row is charged, and no other's. */
  charge_id: string;
  route: string;
  /** Credits. */
  cost: number;
  cache_key: string;
}

/** `answered_before`: by another run. After the last two nothing was charged or kept, and the row stays open. */
export type Completed = 'completed' | 'answered_before' | 'INSUFFICIENT_CREDITS' | 'CAP_REACHED';

// Row, charge, use of the cap and cached answer are one statement: whenever a process dies all of them are there or none is,
// so that a paid row is neither lost nor paid again, and the cap is judged where it is used. Whoever comes second with a row
// waits for it and finds it answered. Locks are taken in the order of the other charges: balance, cap, answer.
/** Charges a row, answers it and its duplicates, and keeps the answer for everyone. */
export async function completePaid(hot: Sql, row: PaidAnswer): Promise<Completed> {
  const { workspace_id, batch_id, row_no, now, cost } = row;
  const month = monthOf(now);
  const [judged] = await hot<{ verdict: Completed }[]>`
    with taken as materialized (
      select from batch_rows where workspace_id = ${workspace_id} and batch_id = ${batch_id} and row_no = ${row_no}
        and status is null for no key update
    ), held as materialized (
      select workspace_id, balance, entries from credit_balances
      where workspace_id = ${workspace_id} and (select count(*) from taken) > 0 for no key update
    ), capped as materialized (
      select workspace_id, monthly_cap - case when cap_month = ${month}::date then cap_used else 0 end as left_over
      from work_settings where workspace_id in (select workspace_id from held) for no key update
    ), judged as materialized (
      select h.*, case when c.left_over < ${cost} then 'CAP_REACHED'
        when h.balance < ${cost} then 'INSUFFICIENT_CREDITS' else 'completed' end as verdict
      from held h left join capped c on c.workspace_id = h.workspace_id
    ), carried as materialized (
      select * from judged where verdict = 'completed'
    ), charged as (
      update credit_balances b set balance = b.balance - ${cost}, entries = b.entries + 1
      from carried c where b.workspace_id = c.workspace_id
    ), entered as (
      insert into ledger_entries
        (workspace_id, entry_no, kind, credits, balance_after, charge_id, request_id, route, created_at)
      select workspace_id, entries + 1, 'charge', -${cost}::bigint, balance - ${cost}, ${row.charge_id}::uuid,
        ${batch_id}::text, ${row.route}, ${now}::timestamptz from carried
    ), used as (
      insert into work_settings as s (workspace_id, cap_month, cap_used)
      select workspace_id, ${month}::date, ${cost}::bigint from carried
      on conflict (workspace_id) do update set cap_month = excluded.cap_month,
        cap_used = case when s.cap_month = excluded.cap_month then s.cap_used else 0 end + excluded.cap_used
    ), kept as (
      insert into responses as r (cache_key, route, body, meta, retrieved_at)
      select ${row.cache_key}::uuid, ${row.route}, ${row.body}, ${row.meta}, ${row.retrieved_at}::timestamptz from carried
      on conflict (cache_key) do update set body = excluded.body, meta = excluded.meta,
        retrieved_at = excluded.retrieved_at where r.retrieved_at <= excluded.retrieved_at
    ), answered as (
      update batch_rows r set status = ${row.status}, answered_at = ${now},
        credits = case when row_no = ${row_no} then ${cost}::int else 0 end,
        cells = case when row_no = ${row_no} then ${row.cells}::text end
      from carried c
      where r.workspace_id = c.workspace_id and r.batch_id = ${batch_id} and r.status is null
        and (r.row_no = ${row_no} or r.duplicate_of = ${row_no})
    )
    select verdict from judged`;
  return judged?.verdict ?? 'answered_before';
}
