import type { Fragment, Sql } from 'postgres';
import { type ImportRun, type RunId, stagesBeforeWriting } from './sheet-import-runs.ts';

export interface RunEnd {
  outcome: string;
  message: string;
  /** Null for a run that failed: the stored number is then kept. */
  written_rows: number | null;
  now: Date;
}

/** The stored end of a run. */
export interface EndedRun {
  message: string;
  /** True when the end of this run has paused the import. */
  paused: boolean;
}

/**
 * Added to the message of a run whose end pauses the import. The text must stay true after the import is resumed,
 * because the message is shown until the next run.
 */
const pauseNotice =
  'Two runs in a row were charged but could not write their rows, so the import was paused. Solve the problem, then choose Resume: no run starts before that.';

/**
 * Ends a run of a sheet import and stores its result. Pauses the import when the schedule started this run, and this
 * run and the previous one were both charged but failed. Otherwise, further runs would be charged for rows that are not
 * written. Returns null when the stage of the run is not in `stages`, for example because the run has already ended.
 */
export async function endRun(
  sql: Sql,
  { workspace_id, run_id }: RunId,
  end: RunEnd,
  stages: readonly ImportRun['stage'][] = [...stagesBeforeWriting, 'writing'],
): Promise<EndedRun | null> {
  const { outcome, message, written_rows, now } = end;
  const hasFailed = outcome !== 'OK' && outcome !== 'CANCELLED';
  const pauses = sql`${hasFailed} and r.trigger = 'schedule' and ${isCharged(sql, workspace_id, sql`r.run_id`)}
    and coalesce(${previousFailed(sql, workspace_id)}, false)`;
  // Locks the import before its run, in the same order as the deletion of an import.
  const [ended] = await sql<EndedRun[]>`
    with locked as materialized (
      select i.import_id from sheet_imports i where i.workspace_id = ${workspace_id} and i.import_id = (
        select import_id from sheet_import_runs where workspace_id = ${workspace_id} and run_id = ${run_id})
      for no key update
    ), decided as materialized (
      select ${pauses} as pauses from sheet_import_runs r join locked l on l.import_id = r.import_id
      where r.workspace_id = ${workspace_id} and r.run_id = ${run_id}
    ), ended as (
      update sheet_import_runs e set stage = 'ended', settings = null, outcome = ${outcome},
        message = ${message}::text || case when d.pauses then ${` ${pauseNotice}`} else '' end,
        written_rows = coalesce(${written_rows}::int, e.written_rows), finished_at = ${now}
      from decided d
      where e.workspace_id = ${workspace_id} and e.run_id = ${run_id} and e.stage = any(${[...stages]}::text[])
      returning e.import_id, e.message, d.pauses
    ), paused as (
      update sheet_imports i set paused = true from ended e
      where i.workspace_id = ${workspace_id} and i.import_id = e.import_id and e.pauses
    )
    select message, pauses as paused from ended`;
  return ended ?? null;
}

/** Returns the SQL condition that a run was charged for some of its rows. */
function isCharged(sql: Sql, workspaceId: string, runId: Fragment): Fragment {
  return sql`exists (
    select from batch_rows l where l.workspace_id = ${workspaceId} and l.batch_id = ${runId} and l.credits > 0)`;
}

/**
 * Returns the SQL expression that is true when the last run before the run `r` failed; null when there is no earlier
 * run. Ignores runs that neither succeeded nor cost credits.
 */
function previousFailed(sql: Sql, workspaceId: string): Fragment {
  return sql`(
    select p.outcome <> 'OK' from sheet_import_runs p
    where p.workspace_id = ${workspaceId} and p.import_id = r.import_id and p.started_at < r.started_at
      and (p.outcome = 'OK' or p.outcome <> 'CANCELLED' and ${isCharged(sql, workspaceId, sql`p.run_id`)})
    order by p.started_at desc limit 1)`;
}

/**
 * Returns the email addresses of the members to notify about a failed run of a sheet import. Returns none when the
 * previous run failed too, unless the import is now `paused`. Leaves out members who subscribed to messages about
 * failures, because those members get such a message anyway.
 */
export async function failureRecipients(sql: Sql, { workspace_id, run_id }: RunId, paused: boolean): Promise<string[]> {
  const rows = await sql<{ email: string }[]>`
    select u.email from members m join auth_users u on u.id = m.user_id
    where m.workspace_id = ${workspace_id} and (${paused} or 'OK' = coalesce((
      select p.outcome from sheet_import_runs r join sheet_import_runs p
        on p.workspace_id = r.workspace_id and p.import_id = r.import_id and p.started_at < r.started_at
      where r.workspace_id = ${workspace_id} and r.run_id = ${run_id} and p.outcome <> 'CANCELLED'
      order by p.started_at desc limit 1), 'OK'))
      and not exists (
        select from alert_recipients a where a.workspace_id = m.workspace_id and a.channel = 'mail'
          and lower(a.address) = lower(u.email) and 'failures' = any(a.topics)
          and a.confirmed_at is not null and a.unsubscribed_at is null)
    order by m.created_at`;
  return rows.map(({ email }) => email);
}
