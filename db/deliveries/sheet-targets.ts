import type { Sql } from 'postgres';
import { newId } from '../ids.ts';
import { newestObservation } from '../observations/all-observations.ts';
import type { Metric } from '../schema/metrics.ts';
import { alone } from '../transaction.ts';

export type SheetMode = 'append' | 'replace';

export interface SheetTarget {
  workspace_id: string;
  target_id: string;
  /**
   * The campaign or list whose data is written to the spreadsheet. Exactly one of `campaign_id` and `list_id` is set.
   */
  campaign_id: string | null;
  list_id: string | null;
  spreadsheet_id: string;
  sheet_name: string;
  mode: SheetMode;
  /** When data was last written to the spreadsheet successfully; null before the first success. */
  last_pushed_at: Date | null;
  /** The result of the last attempt to write to the spreadsheet, successful or not; null before the first attempt. */
  last_outcome: string | null;
  last_message: string | null;
}

type NewTarget = Pick<SheetTarget, 'campaign_id' | 'list_id' | 'spreadsheet_id' | 'sheet_name' | 'mode'>;

/** Maximum number of sheet targets of one workspace. A sheet target assigns a campaign or list to a spreadsheet. */
export const maxTargets = 20;

/**
 * The id of a new sheet target. If none was created, `reason` says why: `full` (the limit is reached) or `unknown` (no
 * such campaign or list).
 */
type TargetAdded = { target_id: string } | { target_id: null; reason: 'full' | 'unknown' };

/**
 * Creates a sheet target, so that the data of a campaign or list is written to a spreadsheet from now on. Uses its own
 * transaction.
 */
export function addTarget(sql: Sql, workspaceId: string, target: NewTarget): Promise<TargetAdded> {
  const { campaign_id, list_id, spreadsheet_id, sheet_name, mode } = target;
  return alone(sql, workspaceId, async (tx) => {
    const [row] = await tx<{ known: boolean; target_id: string | null }[]>`
      with known as materialized (
        select true as known from campaigns where workspace_id = ${workspaceId} and campaign_id = ${campaign_id}
        union all select true from tracking_lists where workspace_id = ${workspaceId} and list_id = ${list_id}
      ), added as (
        insert into sheet_targets as made
          (workspace_id, target_id, campaign_id, list_id, spreadsheet_id, sheet_name, mode)
        select ${workspaceId}::uuid, ${newId()}::uuid, ${campaign_id}::uuid, ${list_id}::uuid, ${spreadsheet_id}, ${sheet_name},
          ${mode}
        from known where (select count(*) from sheet_targets where workspace_id = ${workspaceId}) < ${maxTargets}
        returning made.target_id
      )
      select exists (select from known) as known, (select target_id from added) as target_id`;
    if (row?.target_id) return { target_id: row.target_id };
    return { target_id: null, reason: row?.known ? 'full' : 'unknown' };
  });
}

/** Returns the sheet targets of a workspace, oldest first. */
export async function listTargets(sql: Sql, workspaceId: string): Promise<SheetTarget[]> {
  return sql<SheetTarget[]>`select * from sheet_targets where workspace_id = ${workspaceId} order by target_id`;
}

/** Deletes a sheet target. Rows in the spreadsheet stay. Returns false when the workspace has no such target. */
export async function removeTarget(sql: Sql, workspaceId: string, targetId: string): Promise<boolean> {
  const rows = await sql`
    delete from sheet_targets where workspace_id = ${workspaceId} and target_id = ${targetId} returning target_id`;
  return rows.length === 1;
}

export interface PushResult {
  outcome: string;
  message: string;
  /** The data up to this time was written to the spreadsheet; null when the attempt failed. */
  pushed_at: Date | null;
}

/**
 * Stores the result of an attempt to write to a spreadsheet. A failure does not change the time of the last success, so
 * that the missing data is written next time.
 */
export async function recordPush(
  sql: Sql,
  workspaceId: string,
  targetId: string,
  { outcome, message, pushed_at }: PushResult,
): Promise<void> {
  await sql`
    update sheet_targets set last_outcome = ${outcome}, last_message = ${message},
      last_pushed_at = coalesce(${pushed_at}::timestamptz, last_pushed_at)
    where workspace_id = ${workspaceId} and target_id = ${targetId}`;
}

/** A Google spreadsheet that receives data of a workspace. */
export type Spreadsheet = Pick<SheetTarget, 'workspace_id' | 'spreadsheet_id'>;

/** Returns the spreadsheets to which the reports of a campaign are written. */
export async function campaignSpreadsheets(sql: Sql, workspaceId: string, campaignId: string): Promise<Spreadsheet[]> {
  return sql<Spreadsheet[]>`
    select distinct workspace_id, spreadsheet_id from sheet_targets
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId}`;
}

const maxDue = 10_000;

/**
 * Returns the sheet targets with new data to write, for one spreadsheet or (with null) for all workspaces. A list is
 * due when it was not written since `dayStart`. A campaign is due when it is not paused and has a report that is newer
 * than the last successful write. A target whose list or campaign was removed is never due.
 */
export async function dueTargets(sql: Sql, dayStart: Date, of: Spreadsheet | null = null): Promise<SheetTarget[]> {
  return sql<SheetTarget[]>`
    select t.* from sheet_targets t
    where (${of === null} or (t.workspace_id = ${of?.workspace_id ?? null}::uuid
        and t.spreadsheet_id = ${of?.spreadsheet_id ?? null}))
      and case when t.list_id is not null then coalesce(t.last_pushed_at, '-infinity') < ${dayStart} and exists (
        select from tracking_lists l where l.workspace_id = t.workspace_id and l.list_id = t.list_id)
      else exists (
        select from reports r
        join campaigns c on c.workspace_id = r.workspace_id and c.campaign_id = r.campaign_id and c.status <> 'paused'
        where r.workspace_id = t.workspace_id and r.campaign_id = t.campaign_id
          and greatest(r.period_end, r.created_at) > coalesce(t.last_pushed_at, '-infinity')) end
    order by t.last_pushed_at nulls first, t.workspace_id, t.target_id limit ${maxDue}`;
}

/**
 * Maximum number of campaign reports that are written to a spreadsheet at once. If more are due after a long failure,
 * the older ones are left out.
 */
const maxReports = 20;

/**
 * Returns the weekly reports to write to a spreadsheet, as JSON texts, oldest first: those since the last successful
 * write. Returns only the newest report when the spreadsheet shows a single report or was never written.
 */
export async function reportsToWrite(sql: Sql, target: SheetTarget): Promise<string[]> {
  const { workspace_id, campaign_id, mode, last_pushed_at } = target;
  const limit = mode === 'replace' || last_pushed_at === null ? 1 : maxReports;
  const rows = await sql<{ body: string }[]>`
    select body from reports
    where workspace_id = ${workspace_id} and campaign_id = ${campaign_id}
      and greatest(period_end, created_at) > coalesce(${last_pushed_at}::timestamptz, '-infinity')
    order by period_start desc limit ${limit}`;
  return rows.map(({ body }) => body).reverse();
}

/** A tracked item with the numbers of its last successful check. The numbers are null when no check has succeeded. */
export interface ListedItem extends Record<Metric, number | null> {
  list_name: string | null;
  item_id: string;
  platform: string;
  kind: string;
  platform_id: string | null;
  name: string | null;
  url: string;
  status: 'active' | 'paused';
  identity_changed: boolean;
  observed_at: Date | null;
  quality: number | null;
  source: string | null;
}

/**
 * Returns the tracked items of a list, or of the workspace when `listId` is null, oldest first. Each item has the
 * numbers of its last successful check since `since`.
 */
export async function listedItems(
  sql: Sql,
  workspaceId: string,
  listId: string | null,
  since: Date,
): Promise<ListedItem[]> {
  const item = { workspace_id: sql`i.workspace_id`, item_id: sql`i.item_id`, since: sql`${since}::timestamptz` };
  return sql<ListedItem[]>`
    select l.name as list_name, i.item_id, i.platform, i.kind, i.platform_id, i.name, i.url, i.status,
      i.identity_changed, o.*
    from tracked_items i
    left join tracking_lists l on l.workspace_id = i.workspace_id and l.list_id = i.list_id
    left join lateral (${newestObservation(sql, item)}) o on true
    where i.workspace_id = ${workspaceId} and (${listId}::uuid is null or i.list_id = ${listId}::uuid)
    order by i.created_at, i.item_id`;
}
