import type { Fragment, Sql } from 'postgres';
import { creditsUsed, monthOf } from '../calendar.ts';
import { inWorkspace, ownWorkspace } from '../distribution/one-workspace.ts';
import { applyMovements } from '../money/movements.ts';
import { keepNewest, type StoredAnswer, storeAnswers } from '../requests/responses.ts';
import type { BatchId } from './batches.ts';

export interface BatchRow {
  row_no: number;
  url: string;
  duplicate_of: number | null;
  /** The result of the row: `OK` or an error code. Null until the row has a result. */
  status: string | null;
  credits: number;
  /**
   * The result cells of the row as JSON text; null until the row has a result. A duplicate row has the cells of the
   * original row.
   */
  cells: string | null;
  /** The cells of this line in the uploaded file, as a JSON array of texts. Null when the user sent only links. */
  own_cells: string | null;
}

/** Returns the rows of a bulk analysis or import (a batch), in the order of the uploaded lines. */
export async function listRows(sql: Sql, { workspace_id, batch_id }: BatchId): Promise<BatchRow[]> {
  const rows = await sql<BatchRow[]>`
    select row_no, url, duplicate_of, status, credits, cells, own_cells from batch_rows
    where workspace_id = ${workspace_id} and batch_id = ${batch_id} order by row_no`;
  // Fills in the cells of duplicate rows in JavaScript. In SQL, joining 10,000 new rows with themselves takes more than
  // 30 seconds, because PostgreSQL has no statistics about these rows yet.
  const known = new Map(rows.map((row) => [row.row_no, row.cells]));
  return rows.map((row) => ({ ...row, cells: row.cells ?? known.get(row.duplicate_of ?? 0) ?? null }));
}

/**
 * Returns the rows of a batch in parts of `limit` rows, because all rows of a sheet import together can have several
 * hundred megabytes.
 */
export async function* rowParts(
  sql: Sql,
  { workspace_id, batch_id }: BatchId,
  limit: number,
): AsyncGenerator<BatchRow[], void> {
  const ownRows = sql`workspace_id = ${workspace_id} and batch_id = ${batch_id}`;
  for (let after = 0; ; ) {
    const rows = await sql<BatchRow[]>`
      select row_no, url, duplicate_of, status, credits, cells, own_cells from batch_rows
      where ${ownRows} and row_no > ${after} order by row_no limit ${limit}`;
    const last = rows.at(-1);
    if (!last) return;
    const repeated = rows.flatMap(({ cells, duplicate_of }) => (cells === null && duplicate_of ? [duplicate_of] : []));
    // Sends this statement only when needed: without statistics, PostgreSQL 15 may read all rows of the batch for it.
    const originals =
      repeated.length === 0
        ? []
        : await sql<Pick<BatchRow, 'row_no' | 'cells'>[]>`
            select row_no, cells from batch_rows where ${ownRows} and row_no = any(${repeated}::int[])`;
    const known = new Map(originals.map((row) => [row.row_no, row.cells]));
    yield rows.map((row) => ({ ...row, cells: row.cells ?? known.get(row.duplicate_of ?? 0) ?? null }));
    after = last.row_no;
  }
}

/**
 * Returns the rows of a batch that have no result yet. Leaves out duplicates, because each duplicate gets the result of
 * its original row.
 */
export function openRows(sql: Sql, { workspace_id, batch_id }: BatchId): Promise<Pick<BatchRow, 'row_no' | 'url'>[]> {
  return sql<BatchRow[]>`
    select row_no, url from batch_rows
    where workspace_id = ${workspace_id} and batch_id = ${batch_id} and status is null and duplicate_of is null
    order by row_no`;
}

/** The result of one batch row, to be stored. */
export interface RowAnswer extends BatchId {
  row_no: number;
  /** The result of the row: `OK` or an error code. */
  status: string;
  /** The result cells of the row as JSON text. */
  cells: string;
  now: Date;
}

/**
 * Stores the result of a free batch row and of its duplicates. Does nothing when the row already has a result from
 * another process.
 */
export async function completeFree(sql: Sql, row: RowAnswer): Promise<void> {
  const { workspace_id, batch_id, row_no, status, cells, now } = row;
  await sql`
    update batch_rows set status = ${status}, answered_at = ${now},
      cells = case when row_no = ${row_no} then ${cells}::text end
    where workspace_id = ${workspace_id} and batch_id = ${batch_id} and status is null
      and row_no ${isRowOrDuplicate(sql, row)}`;
}

/**
 * Returns an SQL condition that matches a batch row and its duplicates by row number. Uses an array instead of `or`:
 * with `or`, PostgreSQL would read all rows of a new batch each time, because it has no statistics about them yet.
 */
function isRowOrDuplicate(sql: Sql, { workspace_id, batch_id, row_no }: RowAnswer): Fragment {
  return sql`= any (array(
    select d.row_no from batch_rows d
    where d.workspace_id = ${workspace_id} and d.batch_id = ${batch_id} and d.duplicate_of = ${row_no}
  ) || ${row_no}::int)`;
}

/** The result of a batch row that costs credits. */
interface PaidRow extends RowAnswer {
  answer: StoredAnswer;
  /**
   * The id of the charge for this row. A repeated attempt to store the row has the same id, so that the row is charged
   * only once.
   */
  charge_id: string;
  route: string;
  /** Number of credits to charge for the row. */
  cost: number;
  cache_key: string;
}

export type Refusal = 'INSUFFICIENT_CREDITS' | 'CAP_REACHED' | 'IMPORT_CAP_REACHED';
/**
 * The outcome of storing a paid row. `answered_before`: another process has already stored a result. A {@link Refusal}:
 * nothing was charged or stored, and the call can be repeated later.
 */
type Completed = 'completed' | 'answered_before' | Refusal;

/**
 * Charges a batch row, stores the result for the row and its duplicates, and caches the answer for all workspaces. A
 * row of a sheet import also counts toward the monthly cap of the import.
 *
 * One statement does all of this, so that a crash of the process neither loses a paid row nor charges it twice. With
 * Citus, a second statement caches the answer afterwards. If two processes store the same row, the second one waits for
 * the row lock and then finds the result of the first.
 */
export async function completePaid(sql: Sql, row: PaidRow): Promise<Completed> {
  const { workspace_id, batch_id, row_no, now, cost } = row;
  const workspace = ownWorkspace(sql, workspace_id);
  const [decided] = await sql<{ outcome: Completed }[]>`
    with open_row as materialized (
      select workspace_id, batch_id from batch_rows
      where workspace_id = ${workspace_id} and batch_id = ${batch_id} and row_no = ${row_no} and status is null
      for no key update
    ), import_cap as materialized (
      select i.workspace_id, i.import_id, ${creditsUsed(sql, 'i', now)} as used, i.monthly_cap
      from ${openBatch(sql, row, workspace)}
      for no key update of i
    ), over_import_cap as materialized (
      select true as over_cap from import_cap where used + ${cost}::bigint > monthly_cap
    ), movements as materialized (
      select workspace_id, 1 as position, 'charge' as kind, -${cost}::bigint as credits, ${row.charge_id}::uuid as charge_id,
        batch_id::text as request_id, null::uuid as key_id, ${row.route}::text as route, null::text as reason,
        ${now}::timestamptz as created_at
      from open_row where not exists (select from over_import_cap)
    ), ${applyMovements(sql, { cap: 'workspace', now, workspace })}, paid as materialized (
      select workspace_id, route, created_at from decided where refusal is null
    )${workspace === null ? cacheAnswer(sql, row) : sql``}, counted as (
      update sheet_imports i set cap_month = ${monthOf(now)}::date, cap_used = c.used + ${cost}::int
      from import_cap c, paid p where i.workspace_id = c.workspace_id and i.import_id = c.import_id${inWorkspace(sql, 'i', workspace)}
    ), answered as (
      update batch_rows r set status = ${row.status}, answered_at = p.created_at,
        credits = case when row_no = ${row_no} then ${cost}::int else 0 end,
        cells = case when row_no = ${row_no} then ${row.cells}::text end
      from paid p
      where r.workspace_id = p.workspace_id${inWorkspace(sql, 'r', workspace)} and r.batch_id = ${batch_id} and r.status is null
        and r.row_no ${isRowOrDuplicate(sql, row)}
    )
    select case refusal when 'cap' then 'CAP_REACHED' when 'balance' then 'INSUFFICIENT_CREDITS'
      else 'completed' end as outcome
    from decided union all select 'IMPORT_CAP_REACHED' from over_import_cap`;
  if (workspace !== null && decided?.outcome === 'completed') await storeAnswers(sql, [row]);
  return decided?.outcome ?? 'answered_before';
}

/** Returns the SQL join of the row's batch (`b`) and its sheet import (`i`). */
function openBatch(sql: Sql, { batch_id }: PaidRow, workspace: string | null): Fragment {
  if (workspace === null) {
    return sql`open_row o join batches b on b.workspace_id = o.workspace_id and b.batch_id = o.batch_id
      join sheet_imports i on i.workspace_id = b.workspace_id and i.import_id = b.import_id`;
  }
  return sql`batches b join sheet_imports i on i.workspace_id = b.workspace_id and i.import_id = b.import_id
      where b.workspace_id = ${workspace}::uuid and i.workspace_id = ${workspace}::uuid and b.batch_id = ${batch_id}
        and (select count(*) from open_row) > 0`;
}

// Returns a CTE that caches the answer of a paid row in the same statement. Not used with Citus, which has the cache
// and the workspace on different nodes.
function cacheAnswer(sql: Sql, { cache_key, answer }: PaidRow): Fragment {
  return sql`, cached as (
      insert into responses as r (cache_key, route, body, meta, retrieved_at)
      select ${cache_key}::uuid, route, ${answer.body}, ${answer.meta}, ${answer.retrieved_at}::timestamptz from paid
      ${keepNewest(sql)}
    )`;
}
