import type { Sql } from 'postgres';
import { type RunId, targetsOf } from './sheet-import-runs.ts';
import type { Covered, SheetImport } from './sheet-imports.ts';

/**
 * Stores the number of the first sheet row that this run appends, unless a number is already stored, so that a repeated
 * attempt writes to the same rows. Returns the stored number.
 */
export async function reserveAppendRow(sql: Sql, { workspace_id, run_id }: RunId, row: number): Promise<number> {
  const [run] = await sql<{ append_row: number }[]>`
    update sheet_import_runs set append_row = coalesce(append_row, ${row})
    where workspace_id = ${workspace_id} and run_id = ${run_id} returning append_row`;
  return run?.append_row ?? row;
}

/**
 * Replaces the number of the first sheet row that this run appends, and the number of rows that the run has written.
 * This is needed when the user has changed the table since the run began. The row number can be negative when the user
 * has deleted rows.
 */
export async function moveAppendRow(
  sql: Sql,
  { workspace_id, run_id }: RunId,
  row: number,
  written: number,
): Promise<void> {
  await sql`
    update sheet_import_runs set append_row = ${row}, written_rows = ${written}
    where workspace_id = ${workspace_id} and run_id = ${run_id} and stage = 'writing'`;
}

/**
 * Stores how many rows a run has written, so that the next attempt continues after these rows. Does nothing unless the
 * run is in the stage `writing`.
 */
export async function storeWrittenRows(sql: Sql, { workspace_id, run_id }: RunId, rows: number): Promise<void> {
  await sql`
    update sheet_import_runs set written_rows = ${rows}, message = null, settings = settings - 'failing_since'
    where workspace_id = ${workspace_id} and run_id = ${run_id} and stage = 'writing'`;
}

/**
 * Stores which cells of the spreadsheet a run has written, for the run and for its import. If the user has meanwhile
 * chosen other target cells, stores them only for the run. Must be called before and after writing.
 */
export async function coverCells(sql: Sql, { run_id }: RunId, written: SheetImport, covered: Covered): Promise<void> {
  const { workspace_id, import_id, spreadsheet_id, target_sheet, target_cell } = written;
  await sql`
    with run as (
      update sheet_import_runs set settings = settings || ${JSON.stringify(covered)}::text::jsonb
      where workspace_id = ${workspace_id} and run_id = ${run_id}
    )
    update sheet_imports set ${sql({ ...covered })}
    where workspace_id = ${workspace_id} and import_id = ${import_id} and spreadsheet_id = ${spreadsheet_id}
      and target_sheet = ${target_sheet} and target_cell = ${target_cell}`;
}

/**
 * Stores the cells to which a user has moved the table and the links of an import, and which cells it still covers, for
 * the run and for its import. Settings that the user has meanwhile changed stay unchanged. All unfinished runs that
 * know the table by its former cell also get its new cell, so that none of them writes at the same time as this run.
 * `rows` is the number of rows by which the table moved down.
 */
export async function storeMovedCells(
  sql: Sql,
  { run_id }: RunId,
  from: SheetImport,
  to: Pick<SheetImport, 'target_sheet' | 'target_cell' | 'source_range' | 'covered_rows' | 'covered_fields'>,
  rows: number,
): Promise<void> {
  const { workspace_id, import_id, spreadsheet_id, target_sheet, target_cell, source_range } = from;
  const { covered_rows, covered_fields } = to;
  const cells = { target_sheet: to.target_sheet, target_cell: to.target_cell, source_range: to.source_range };
  const targets = [from, to].map((one) => `${one.target_sheet}!${one.target_cell}`);
  const stored = JSON.stringify({ ...cells, covered_rows, covered_fields });
  const same = sql`(target_sheet, target_cell) = (${target_sheet}, ${target_cell})`;
  await sql`
    with known as materialized (
      select run_id, run_id = ${run_id} as own, array(select distinct unnest(${targetsOf(sql, 'r')} || ${targets}::text[])) as targets
      from sheet_import_runs r
      where workspace_id = ${workspace_id} and finished_at is null and (run_id = ${run_id}
        or settings->>'spreadsheet_id' = ${spreadsheet_id} and ${targetsOf(sql, 'r')} && ${targets}::text[])
      order by run_id for no key update
    ), noted as (
      update sheet_import_runs r set
        settings = settings || jsonb_build_object('known_targets', k.targets)
          || case when k.own then ${stored}::text::jsonb else '{}' end,
        append_row = append_row + case when k.own then ${rows}::int else 0 end
      from known k where r.workspace_id = ${workspace_id} and r.run_id = k.run_id
    )
    update sheet_imports set
      target_sheet = case when ${same} then ${to.target_sheet} else target_sheet end,
      target_cell = case when ${same} then ${to.target_cell} else target_cell end,
      covered_rows = case when ${same} then ${covered_rows} else covered_rows end,
      covered_fields = case when ${same} then ${covered_fields}::text[] else covered_fields end,
      source_range = case when source_range = ${source_range} then ${to.source_range} else source_range end
    where workspace_id = ${workspace_id} and import_id = ${import_id} and spreadsheet_id = ${spreadsheet_id}`;
}

/**
 * Stores the message about a temporary problem of a sheet import run, which is then tried again. Returns the time since
 * which the run has been failing without progress. A time in the future, from before the clock was set back, counts as
 * now.
 */
export async function noteProblem(
  sql: Sql,
  { workspace_id, run_id }: RunId,
  message: string,
  now: Date,
): Promise<Date> {
  const [run] = await sql<{ failing_since: string }[]>`
    update sheet_import_runs set message = ${message}, settings =
      case when settings->>'failing_since' <= ${now.toISOString()} then settings
        else coalesce(settings, '{}') || ${JSON.stringify({ failing_since: now })}::text::jsonb end
    where workspace_id = ${workspace_id} and run_id = ${run_id} and finished_at is null
    returning settings->>'failing_since' as failing_since`;
  return run ? new Date(run.failing_since) : now;
}
