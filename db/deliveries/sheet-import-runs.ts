import type { Sql } from 'postgres';
import { isDistributed } from '../distribution/distributed.ts';
import { inWorkspace, workspaceIdOf } from '../distribution/one-workspace.ts';
import { newId } from '../ids.ts';

export interface RunId {
  workspace_id: string;
  /** The id of the run and of the batch with its rows. */
  run_id: string;
}

export interface ImportRun extends RunId {
  import_id: string;
  trigger: 'schedule' | 'manual';
  /** `reading` the addresses, `fetching` the rows, `writing` them, or `ended`. */
  stage: 'reading' | 'fetching' | 'writing' | 'ended';
  /** `OK`, `CANCELLED` or why the run failed; null until it ends. */
  outcome: string | null;
  message: string | null;
  written_rows: number | null;
  append_row: number | null;
  started_at: Date;
  finished_at: Date | null;
}

const maxDue = 500;

/**
 * Starts a run of each due import that is not paused and has no unfinished run, and sets the time of its next run. One
 * statement does both, so that two processes at the same time start only one run.
 */
export async function startDueRuns(sql: Sql, now: Date): Promise<RunId[]> {
  if (!isDistributed(sql)) return startDueRunsOf(sql, now, null);
  const due = await sql<{ workspace_id: string }[]>`
    select distinct workspace_id from sheet_imports
    where next_run_at <= ${now} and not paused and every_seconds is not null limit ${maxDue}`;
  return (await Promise.all(due.map(({ workspace_id }) => startDueRunsOf(sql, now, workspace_id)))).flat();
}

async function startDueRunsOf(sql: Sql, now: Date, workspace: string | null): Promise<RunId[]> {
  const ids = Array.from({ length: maxDue }, () => newId(now));
  return sql<RunId[]>`
    with due as materialized (
      select workspace_id, import_id, next_run_at, every_seconds from sheet_imports i
      where next_run_at <= ${now} and not paused and every_seconds is not null and not exists (
        select from sheet_import_runs r
        where r.workspace_id = i.workspace_id${inWorkspace(sql, 'r', workspace)} and r.import_id = i.import_id
          and r.finished_at is null)${inWorkspace(sql, 'i', workspace)}
      order by next_run_at limit ${maxDue} for no key update skip locked
    ), scheduled as (
      update sheet_imports i set next_run_at = ((d.next_run_at at time zone 'UTC') + d.every_seconds * interval '1 second'
        * (floor(extract(epoch from ${now}::timestamptz - d.next_run_at) / d.every_seconds) + 1)) at time zone 'UTC'
      from due d where i.workspace_id = d.workspace_id and i.import_id = d.import_id${inWorkspace(sql, 'i', workspace)}
    )
    insert into sheet_import_runs as made (workspace_id, run_id, import_id, trigger, started_at)
    select ${workspaceIdOf(sql, workspace)}, (${ids}::uuid[])[row_number() over ()], import_id, 'schedule', ${now} from due
    on conflict (workspace_id, import_id) where finished_at is null do nothing
    returning made.workspace_id, made.run_id`;
}

/** Starts a run now. Returns null when the import does not exist, is paused or has an unfinished run. */
export async function startRun(sql: Sql, workspaceId: string, importId: string, now: Date): Promise<RunId | null> {
  const [run] = await sql<RunId[]>`
    insert into sheet_import_runs as made (workspace_id, run_id, import_id, trigger, started_at)
    select workspace_id, ${newId(now)}::uuid, import_id, 'manual', ${now}
    from sheet_imports where workspace_id = ${workspaceId} and import_id = ${importId} and not paused
    on conflict (workspace_id, import_id) where finished_at is null do nothing
    returning made.workspace_id, made.run_id`;
  return run ?? null;
}

const maxActive = 1_000;

/** Returns the unfinished runs of all imports that are not paused. A run whose process was killed is found again this way. */
export async function unfinishedRuns(sql: Sql): Promise<RunId[]> {
  return sql<RunId[]>`
    select r.workspace_id, r.run_id from sheet_import_runs r
    join sheet_imports i on i.workspace_id = r.workspace_id and i.import_id = r.import_id and not i.paused
    where r.finished_at is null order by r.started_at limit ${maxActive}`;
}

/** Returns a run; null when it was removed. */
export async function findRun(sql: Sql, { workspace_id, run_id }: RunId): Promise<ImportRun | null> {
  const [run] = await sql<ImportRun[]>`
    select * from sheet_import_runs where workspace_id = ${workspace_id} and run_id = ${run_id}`;
  return run ?? null;
}

/** Moves a run to its next stage. Returns false when another process or the user has moved it already. */
export async function moveRun(
  sql: Sql,
  { workspace_id, run_id }: RunId,
  from: ImportRun['stage'],
  to: ImportRun['stage'],
): Promise<boolean> {
  const { count } = await sql`
    update sheet_import_runs set stage = ${to}, message = null
    where workspace_id = ${workspace_id} and run_id = ${run_id} and stage = ${from}`;
  return count === 1;
}

/** Stores the number of the sheet row at which this run begins to append, unless the run already has one. Returns the stored number. */
export async function reserveAppendRow(sql: Sql, { workspace_id, run_id }: RunId, row: number): Promise<number> {
  const [run] = await sql<{ append_row: number }[]>`
    update sheet_import_runs set append_row = coalesce(append_row, ${row})
    where workspace_id = ${workspace_id} and run_id = ${run_id} returning append_row`;
  return run?.append_row ?? row;
}

/** Stores the message of a temporary problem. The run is tried again. */
export async function noteProblem(sql: Sql, { workspace_id, run_id }: RunId, message: string): Promise<void> {
  await sql`
    update sheet_import_runs set message = ${message}
    where workspace_id = ${workspace_id} and run_id = ${run_id} and finished_at is null`;
}

export interface RunEnd {
  outcome: string;
  message: string;
  written_rows: number | null;
  now: Date;
}

/** Ends a run. Returns false when it has already ended. */
export async function endRun(sql: Sql, { workspace_id, run_id }: RunId, end: RunEnd): Promise<boolean> {
  const { outcome, message, written_rows, now } = end;
  const { count } = await sql`
    update sheet_import_runs set stage = 'ended', outcome = ${outcome}, message = ${message},
      written_rows = ${written_rows}, finished_at = ${now}
    where workspace_id = ${workspace_id} and run_id = ${run_id} and finished_at is null`;
  return count === 1;
}

/** A run with the progress of its rows. */
export interface RunProgress extends ImportRun {
  waiting_for: string | null;
  total: number;
  ok: number;
  failed: number;
  credits: number;
}

/** Number of runs that the log of an import shows. */
export const listedRuns = 20;

/** Returns the last runs of one import, or the last run of every import of the workspace, newest first. */
export async function listRuns(sql: Sql, workspaceId: string, importId: string | null): Promise<RunProgress[]> {
  return sql<RunProgress[]>`
    with runs as materialized (
      select * from (
        select *, row_number() over (partition by import_id order by started_at desc, run_id desc) as n
        from sheet_import_runs
        where workspace_id = ${workspaceId} and (${importId}::uuid is null or import_id = ${importId}::uuid)
      ) r where n <= ${importId === null ? 1 : listedRuns}
    )
    select r.*, b.waiting_for, count(l.row_no)::int as total, (count(*) filter (where l.status = 'OK'))::int as ok,
      (count(*) filter (where l.status <> 'OK'))::int as failed, coalesce(sum(l.credits), 0)::int as credits
    from runs r
    left join batches b on b.workspace_id = r.workspace_id and b.batch_id = r.run_id
    left join batch_rows l on l.workspace_id = b.workspace_id and l.batch_id = b.batch_id
    group by r.workspace_id, r.run_id, r.import_id, r.trigger, r.stage, r.outcome, r.message, r.written_rows,
      r.append_row, r.started_at, r.finished_at, r.n, b.waiting_for
    order by r.started_at desc, r.run_id desc`;
}

/**
 * Returns the email addresses of the members of a workspace when a run failed and the previous run of the import did
 * not; otherwise none. Leaves out members who already get messages about failures as recipients.
 */
export async function failureRecipients(sql: Sql, { workspace_id, run_id }: RunId): Promise<string[]> {
  const rows = await sql<{ email: string }[]>`
    select u.email from members m join auth_users u on u.id = m.user_id
    where m.workspace_id = ${workspace_id} and 'OK' = coalesce((
      select p.outcome from sheet_import_runs r join sheet_import_runs p
        on p.workspace_id = r.workspace_id and p.import_id = r.import_id and p.started_at < r.started_at
      where r.workspace_id = ${workspace_id} and r.run_id = ${run_id} and p.outcome <> 'CANCELLED'
      order by p.started_at desc limit 1), 'OK')
      and not exists (
        select from alert_recipients a where a.workspace_id = m.workspace_id and a.channel = 'mail'
          and lower(a.address) = lower(u.email) and 'failures' = any(a.topics)
          and a.confirmed_at is not null and a.unsubscribed_at is null)
    order by m.created_at`;
  return rows.map(({ email }) => email);
}

/** Removes the runs that ended before `before`, with their rows, in all workspaces; returns their number. */
export async function removeRuns(sql: Sql, before: Date): Promise<number> {
  const { count } = await sql`
    with removed as (
      delete from sheet_import_runs where finished_at < ${before} returning workspace_id, run_id
    )
    delete from batches where (workspace_id, batch_id) in (select workspace_id, run_id from removed)`;
  return count;
}
