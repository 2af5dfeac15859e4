import type { Sql } from 'postgres';
import { creditsUsed } from '../calendar.ts';
import { newId } from '../ids.ts';
import { alone } from '../transaction.ts';
import { type BatchKind, deleteBatches } from './batches.ts';

export type ImportMode = 'replace' | 'append' | 'update';

/** The settings of a sheet import that a user chooses. */
export interface ImportSettings {
  label: string;
  spreadsheet_id: string;
  /**
   * The cells with the profile or post URLs, such as `Sheet1!A2:A`. Exactly one of `source_range` and `source_list` is
   * set.
   */
  source_range: string | null;
  source_list: string | null;
  include_hidden: boolean;
  kind: BatchKind;
  platform: string | null;
  /** Number of posts for each profile; null unless the kind is `latest_posts`. */
  posts_each: number | null;
  fields: string[];
  target_sheet: string;
  target_cell: string;
  mode: ImportMode;
  max_age_seconds: number;
  /** Seconds between two runs of the import; null when only a user starts runs. */
  every_seconds: number | null;
  next_run_at: Date | null;
  monthly_cap: number | null;
}

export interface SheetImport extends ImportSettings {
  workspace_id: string;
  import_id: string;
  paused: boolean;
  /** Credits charged for this sheet import in the current UTC month. */
  month_used: number;
  /** Number of rows below the header that the import wrote. The mode `replace` may clear only these. */
  covered_rows: number;
  /**
   * The columns of the table that the import last wrote at its target cell. Null until the import has written a table
   * there.
   */
  covered_fields: string[] | null;
  /** Google's ID of the tab with these rows; null when the ID is unknown. */
  covered_sheet_id: number | null;
}

/** Maximum number of sheet imports of one workspace. */
export const maxImports = 20;

/**
 * Creates a sheet import. Returns its id; null when the workspace already has {@link maxImports}. Uses its own
 * transaction.
 */
export function addImport(sql: Sql, workspaceId: string, settings: ImportSettings, now: Date): Promise<string | null> {
  return alone(sql, workspaceId, async (tx) => {
    const [{ n } = { n: 0 }] = await tx<{ n: number }[]>`
      select count(*)::int as n from sheet_imports where workspace_id = ${workspaceId}`;
    if (n >= maxImports) return null;
    const row = { ...settings, workspace_id: workspaceId, import_id: newId(now), created_at: now };
    await tx`insert into sheet_imports ${tx(row)}`;
    return row.import_id;
  });
}

/** A setting of a sheet import that its runs change, too: cells that a user has moved, and the time of the next run. */
export type ChangingSetting = 'source_range' | 'target_sheet' | 'target_cell' | 'next_run_at';

/**
 * Changes the settings of a sheet import. If its target moves to other cells, the rows in the old cells no longer
 * belong to the import. Returns false when the workspace has no such import.
 *
 * @param unchanged the settings that the user left as the form showed them. They keep their current values, which may
 * be newer than the form, except in another spreadsheet or tab.
 */
export async function changeImport(
  sql: Sql,
  workspaceId: string,
  importId: string,
  { source_range, target_sheet, target_cell, next_run_at, ...settings }: ImportSettings,
  unchanged: readonly ChangingSetting[] = [],
): Promise<boolean> {
  const isUnchanged = (...names: ChangingSetting[]) => names.every((name) => unchanged.includes(name));
  const sameFile = sql`spreadsheet_id = ${settings.spreadsheet_id}`;
  const sheet = sql`case when ${sameFile} and ${isUnchanged('target_sheet')} then target_sheet else ${target_sheet} end`;
  const cell = sql`case when ${sameFile} and ${isUnchanged('target_sheet', 'target_cell')} then target_cell else ${target_cell} end`;
  const same = sql`(${sameFile} and target_sheet = ${sheet} and target_cell = ${cell})`;
  const { count } = await sql`
    update sheet_imports set ${sql(settings)}, target_sheet = ${sheet}, target_cell = ${cell},
      source_range = case when ${sameFile} and ${isUnchanged('source_range') && source_range !== null}
        then coalesce(source_range, ${source_range}) else ${source_range} end,
      next_run_at = case when ${isUnchanged('next_run_at') && next_run_at !== null}
        then coalesce(next_run_at, ${next_run_at}) else ${next_run_at}::timestamptz end,
      covered_rows = case when ${same} then covered_rows else 0 end,
      covered_fields = case when ${same} then covered_fields end,
      covered_sheet_id = case when ${same} then covered_sheet_id end
    where workspace_id = ${workspaceId} and import_id = ${importId}`;
  return count === 1;
}

/**
 * Deletes a sheet import with its runs and their stored rows. Rows in the spreadsheet stay. Uses its own transaction.
 * Returns false when the workspace has no such import.
 */
export function removeImport(sql: Sql, workspaceId: string, importId: string): Promise<boolean> {
  // Waits for a run that is just storing its batch. Otherwise, the new batch would not be deleted and would still be
  // fetched and charged.
  return alone(sql, workspaceId, async (tx) => {
    await deleteBatches(tx, workspaceId, tx`import_id = ${importId}`);
    const { count } = await tx`
      delete from sheet_imports where workspace_id = ${workspaceId} and import_id = ${importId}`;
    return count === 1;
  });
}

/** Returns the sheet imports of a workspace, oldest first. */
export async function listImports(sql: Sql, workspaceId: string, now: Date): Promise<SheetImport[]> {
  return sql<SheetImport[]>`
    ${selectImports(sql, now)} where workspace_id = ${workspaceId} order by created_at, import_id`;
}

function selectImports(sql: Sql, now: Date) {
  return sql`select *, ${creditsUsed(sql, 'sheet_imports', now)} as month_used from sheet_imports`;
}

/** Returns one sheet import of the workspace; null when it does not exist. */
export async function findImport(
  sql: Sql,
  workspaceId: string,
  importId: string,
  now: Date,
): Promise<SheetImport | null> {
  const [found] = await sql<SheetImport[]>`
    ${selectImports(sql, now)} where workspace_id = ${workspaceId} and import_id = ${importId}`;
  return found ?? null;
}

/**
 * Pauses or resumes a sheet import. A run in progress waits during the pause. Returns false when the workspace has no
 * such import.
 */
export async function pauseImport(sql: Sql, workspaceId: string, importId: string, paused: boolean): Promise<boolean> {
  const { count } = await sql`
    update sheet_imports set paused = ${paused} where workspace_id = ${workspaceId} and import_id = ${importId}`;
  // Resets the time since which unfinished runs have been failing, because a run that fails for a day is ended, and a
  // pause must not count.
  await sql`
    update sheet_import_runs set settings = settings - 'failing_since'
    where workspace_id = ${workspaceId} and import_id = ${importId} and finished_at is null`;
  return count === 1;
}

/** The rows and columns of the spreadsheet that the table of a sheet import covers. */
export type Covered = Pick<SheetImport, 'covered_rows' | 'covered_fields' | 'covered_sheet_id'>;
