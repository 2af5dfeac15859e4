import type { Fragment, Sql } from 'postgres';
import { isDistributed } from '../distribution/distributed.ts';
import { inWorkspace, workspaceIdOf } from '../distribution/one-workspace.ts';
import { newId } from '../ids.ts';
import { alone, inTransaction } from '../transaction.ts';
import { deleteBatches } from './batches.ts';
import type { Covered, ImportSettings } from './sheet-imports.ts';

export interface RunId {
  workspace_id: string;
  /** The id of the run of a sheet import. The batch with its rows has the same id. */
  run_id: string;
}

/**
 * The settings of a run for reading, fetching and writing, and the cells that the import's table covers. The settings
 * are stored when the run starts, so that a change of the import affects only later runs.
 */
type RunSettings = Covered &
  Pick<
    ImportSettings,
    | 'spreadsheet_id'
    | 'source_range'
    | 'source_list'
    | 'include_hidden'
    | 'kind'
    | 'platform'
    | 'posts_each'
    | 'fields'
    | 'target_sheet'
    | 'target_cell'
    | 'mode'
    | 'max_age_seconds'
  > & {
    /** The time of the first failed attempt since the last progress or pause. Missing when no attempt has failed. */
    failing_since?: string;
    /**
     * The cells of the table, such as `Sheet1!C1`, to and from which runs of any import have followed it since this run
     * started. Another run may still know the table by one of them. Missing when no run has followed the table.
     */
    known_targets?: string[];
  };

/** Returns the SQL expression for the cells by which the runs in the table `of` know their table in the spreadsheet. */
export const targetsOf = (sql: Sql, of: 'w' | 'r'): Fragment => sql`(
  array[${sql(of)}.settings->>'target_sheet' || '!' || (${sql(of)}.settings->>'target_cell')]
  || array(select jsonb_array_elements_text(${sql(of)}.settings->'known_targets')))`;

/** Returns the SQL expression for the {@link RunSettings} in a row of `sheet_imports`. */
const settingsOf = (sql: Sql): Fragment => sql`jsonb_build_object(
      'spreadsheet_id', spreadsheet_id, 'source_range', source_range, 'source_list', source_list,
      'include_hidden', include_hidden, 'kind', kind, 'platform', platform, 'posts_each', posts_each, 'fields', fields,
      'target_sheet', target_sheet, 'target_cell', target_cell, 'mode', mode, 'max_age_seconds', max_age_seconds,
      'covered_rows', covered_rows, 'covered_fields', covered_fields, 'covered_sheet_id', covered_sheet_id)`;

export interface ImportRun extends RunId {
  import_id: string;
  trigger: 'schedule' | 'manual';
  /**
   * The current stage of the run: `reading` profile or post URLs from the sheet, `fetching` their data, `writing` rows
   * into the sheet, or `ended`.
   */
  stage: 'reading' | 'fetching' | 'writing' | 'ended';
  /** The result of the run: `OK`, `CANCELLED` or an error code; null until the run ends. */
  outcome: string | null;
  message: string | null;
  /**
   * Number of rows that the run has written into the sheet, even if the run failed afterwards. Null when the run wrote
   * none.
   */
  written_rows: number | null;
  append_row: number | null;
  started_at: Date;
  finished_at: Date | null;
}

const maxDue = 500;

/**
 * Starts a run of each sheet import that is due, not paused and without an unfinished run. The same statement sets the
 * time of the next run, so that two processes cannot both start a run.
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
      select workspace_id, import_id, next_run_at, every_seconds, ${settingsOf(sql)} as settings from sheet_imports i
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
    insert into sheet_import_runs as made (workspace_id, run_id, import_id, trigger, settings, started_at)
    select ${workspaceIdOf(sql, workspace)}, (${ids}::uuid[])[row_number() over ()], import_id, 'schedule', settings,
      ${now}
    from due
    on conflict (workspace_id, import_id) where finished_at is null do nothing
    returning made.workspace_id, made.run_id`;
}

/**
 * Starts a run of a sheet import now. Returns null when the import does not exist, is paused or has an unfinished run.
 */
export async function startRun(sql: Sql, workspaceId: string, importId: string, now: Date): Promise<RunId | null> {
  const [run] = await sql<RunId[]>`
    insert into sheet_import_runs as made (workspace_id, run_id, import_id, trigger, settings, started_at)
    select workspace_id, ${newId(now)}::uuid, import_id, 'manual', ${settingsOf(sql)}, ${now}
    from sheet_imports where workspace_id = ${workspaceId} and import_id = ${importId} and not paused
    on conflict (workspace_id, import_id) where finished_at is null do nothing
    returning made.workspace_id, made.run_id`;
  return run ?? null;
}

const maxActive = 1_000;

/**
 * Returns the unfinished runs of all sheet imports that can continue now, including runs of killed processes. Leaves
 * out runs whose rows are still being fetched, because they may wait for credits for a long time and would crowd out
 * others.
 */
export async function unfinishedRuns(sql: Sql): Promise<RunId[]> {
  return sql<RunId[]>`
    select r.workspace_id, r.run_id from sheet_import_runs r
    join sheet_imports i on i.workspace_id = r.workspace_id and i.import_id = r.import_id and not i.paused
    left join batches b on b.workspace_id = r.workspace_id and b.batch_id = r.run_id
    where r.finished_at is null and (r.stage <> 'fetching' or b.status = 'finished') order by r.started_at limit ${maxActive}`;
}

/** Returns one run of a sheet import, with its settings; null when it was removed. */
export async function findRun(
  sql: Sql,
  { workspace_id, run_id }: RunId,
): Promise<(ImportRun & { settings: RunSettings | null }) | null> {
  const [run] = await sql<(ImportRun & { settings: RunSettings | null })[]>`
    select * from sheet_import_runs where workspace_id = ${workspace_id} and run_id = ${run_id}`;
  return run ?? null;
}

/**
 * Moves a run of a sheet import to the stage `fetching`. Returns false when another process or the user has already
 * changed the stage.
 */
export async function startFetching(sql: Sql, { workspace_id, run_id }: RunId): Promise<boolean> {
  const { count } = await sql`
    update sheet_import_runs set stage = 'fetching', message = null, settings = settings - 'failing_since'
    where workspace_id = ${workspace_id} and run_id = ${run_id} and stage = 'reading'`;
  return count === 1;
}

/**
 * Moves a run of a sheet import to the stage `writing`. Returns false when another process or the user has already
 * changed the stage. Also returns false when a run of another import is writing at the same cell, because both would
 * write into the same rows. Uses its own transaction, which locks the workspace.
 */
export function startWriting(sql: Sql, { workspace_id, run_id }: RunId): Promise<boolean> {
  return alone(sql, workspace_id, async (tx) => {
    const [other] = await tx<{ label: string; paused: boolean }[]>`
      select i.label, i.paused from sheet_import_runs r join sheet_import_runs w on w.workspace_id = r.workspace_id
        and w.settings->>'spreadsheet_id' = r.settings->>'spreadsheet_id'
        and ${targetsOf(tx, 'w')} && ${targetsOf(tx, 'r')}
      join sheet_imports i on i.workspace_id = w.workspace_id and i.import_id = w.import_id
      where r.workspace_id = ${workspace_id} and r.run_id = ${run_id} and w.run_id <> r.run_id and w.stage = 'writing'
      limit 1`;
    const advice = other?.paused ? ` The import ${other.label} is paused: resume or delete it.` : '';
    const message = other ? `The run waits until another import has written its rows at the same cell.${advice}` : null;
    const { count } = await tx`
      update sheet_import_runs set stage = ${other ? 'fetching' : 'writing'}, message = ${message},
        settings = settings - 'failing_since'
      where workspace_id = ${workspace_id} and run_id = ${run_id} and stage = 'fetching'`;
    return !other && count === 1;
  });
}

/** The stages of a run before it writes into the spreadsheet. */
export const stagesBeforeWriting: readonly ImportRun['stage'][] = ['reading', 'fetching'];

/** A run of a sheet import and the progress of its rows. */
export interface RunProgress extends ImportRun {
  waiting_for: string | null;
  /** Credits that the next row of a waiting run can cost; null when the run does not wait for credits. */
  waiting_cost: number | null;
  total: number;
  ok: number;
  failed: number;
  credits: number;
}

/** Number of newest runs that the log of a sheet import shows. */
export const listedRuns = 20;

/**
 * Returns the last runs of one sheet import, newest first. If `importId` is null, returns the last run of every import
 * of the workspace.
 */
export async function listRuns(sql: Sql, workspaceId: string, importId: string | null): Promise<RunProgress[]> {
  return sql<RunProgress[]>`
    with runs as materialized (
      select * from (
        select workspace_id, run_id, import_id, trigger, stage, outcome, message, written_rows, append_row, started_at,
          finished_at, row_number() over (partition by import_id order by started_at desc, run_id desc) as n
        from sheet_import_runs
        where workspace_id = ${workspaceId} and (${importId}::uuid is null or import_id = ${importId}::uuid)
      ) r where n <= ${importId === null ? 1 : listedRuns}
    )
    select r.*, b.waiting_for, b.waiting_cost, count(l.row_no)::int as total, (count(*) filter (where l.status = 'OK'))::int as ok,
      (count(*) filter (where l.status <> 'OK'))::int as failed, coalesce(sum(l.credits), 0)::int as credits
    from runs r
    left join batches b on b.workspace_id = r.workspace_id and b.batch_id = r.run_id
    left join batch_rows l on l.workspace_id = b.workspace_id and l.batch_id = b.batch_id
    group by r.workspace_id, r.run_id, r.import_id, r.trigger, r.stage, r.outcome, r.message, r.written_rows,
      r.append_row, r.started_at, r.finished_at, r.n, b.waiting_for, b.waiting_cost
    order by r.started_at desc, r.run_id desc`;
}

/**
 * Deletes sheet import runs of all workspaces that ended before `before`, with their rows. Returns the number of
 * deleted runs.
 */
export async function removeRuns(sql: Sql, before: Date): Promise<number> {
  const runs = await sql<RunId[]>`select workspace_id, run_id from sheet_import_runs where finished_at < ${before}`;
  let removed = 0;
  for (const [workspaceId, own] of Map.groupBy(runs, ({ workspace_id }) => workspace_id)) {
    const ids = own.map(({ run_id }) => run_id);
    // Deletes the batches before the runs, in the same order as the deletion of an import.
    removed += await inTransaction(sql, async (tx) => {
      await deleteBatches(tx, workspaceId, tx`batch_id = any(${ids}::uuid[])`);
      const { count } = await tx`
        delete from sheet_import_runs where workspace_id = ${workspaceId} and run_id = any(${ids}::uuid[])`;
      return count;
    });
  }
  return removed;
}
