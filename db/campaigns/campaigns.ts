import type { Sql } from 'postgres';
import { newId } from '../ids.ts';

export const campaignStatuses = ['active', 'paused', 'archived', 'ended'] as const;
export type CampaignStatus = (typeof campaignStatuses)[number];

export interface Campaign {
  campaign_id: string;
  name: string;
  status: CampaignStatus;
  report_name: string | null;
  /** The first day of the campaign, `YYYY-MM-DD` in UTC. */
  starts_on: string;
  /** The last day of the campaign; null when no end is set. */
  ends_on: string | null;
  created_at: Date;
}

export interface ListedCampaign extends Campaign {
  /** Number of tracked items in the campaign. */
  items: number;
  newest_report_id: string | null;
}

export interface NewCampaign {
  name: string;
  report_name: string | null;
  starts_on: string;
  ends_on: string | null;
}

/** The maximum numbers of campaigns in a workspace. */
interface CampaignLimits {
  /** Maximum number of campaigns that may be active or paused at once. */
  slots: number;
  /** Maximum number of all campaigns, including archived and ended ones. */
  total: number;
}

/**
 * Creates a campaign. Returns its id, or null when the workspace has reached a limit. Must be called inside `alone`,
 * which locks the workspace.
 */
export async function insertCampaign(
  tx: Sql,
  workspaceId: string,
  campaign: NewCampaign,
  limits: CampaignLimits,
): Promise<string | null> {
  const { name, report_name, starts_on, ends_on } = campaign;
  const [row] = await tx<{ campaign_id: string }[]>`
    insert into campaigns as made (workspace_id, campaign_id, name, report_name, starts_on, ends_on)
    select ${workspaceId}, ${newId()}, ${name}, ${report_name}, ${starts_on}, ${ends_on}
    where (select count(*) from campaigns where workspace_id = ${workspaceId}) < ${limits.total}
      and (select count(*) from campaigns
           where workspace_id = ${workspaceId} and status in ('active', 'paused')) < ${limits.slots}
    returning made.campaign_id`;
  return row?.campaign_id ?? null;
}

/**
 * Reactivates an archived campaign and sets its last day. Returns false when the campaign is not archived, or when the
 * workspace already has `slots` active or paused campaigns. Must be called inside `alone`, which locks the workspace.
 */
export async function reactivateCampaign(
  tx: Sql,
  workspaceId: string,
  campaignId: string,
  { ends_on, slots }: { ends_on: string | null; slots: number },
): Promise<boolean> {
  const rows = await tx`
    update campaigns set status = 'active', ends_on = ${ends_on}
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and status = 'archived'
      and (select count(*) from campaigns
           where workspace_id = ${workspaceId} and status in ('active', 'paused')) < ${slots}
    returning campaign_id`;
  return rows.length === 1;
}

/**
 * Sets the status of a campaign to active or paused. Returns false when the workspace has no such campaign, or when the
 * campaign's status is not in `from`.
 */
export async function moveCampaign(
  sql: Sql,
  workspaceId: string,
  campaignId: string,
  move: { from: readonly CampaignStatus[]; to: 'active' | 'paused' },
): Promise<boolean> {
  const rows = await sql`
    update campaigns set status = ${move.to}
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and status = any(${[...move.from]}::text[])
    returning campaign_id`;
  return rows.length === 1;
}

/**
 * Archives a campaign, so that it no longer counts toward the limit of active campaigns. If its last day is later than
 * `today` or not set, `today` becomes the last day. Returns false when the campaign is already archived or not in this
 * workspace.
 */
export async function archiveCampaign(
  sql: Sql,
  workspaceId: string,
  campaignId: string,
  today: string,
): Promise<boolean> {
  const rows = await sql`
    update campaigns set status = 'archived', ends_on = greatest(starts_on, least(ends_on, ${today}::date))
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and status <> 'archived'
    returning campaign_id`;
  return rows.length === 1;
}

/**
 * Sets the status `ended` for campaigns with a last day before `today`, in all workspaces. Returns the number of these
 * campaigns.
 */
export async function endCampaigns(sql: Sql, today: string): Promise<number> {
  const { count } = await sql`
    update campaigns set status = 'ended' where status in ('active', 'paused') and ends_on < ${today}`;
  return count;
}

/**
 * Changes fields of a campaign. Returns false when the campaign is not in this workspace, or when a date changes and
 * the campaign is archived or ended.
 */
export async function changeCampaign(
  sql: Sql,
  workspaceId: string,
  campaignId: string,
  change: Partial<NewCampaign>,
): Promise<boolean> {
  const changesDates = change.starts_on !== undefined || change.ends_on !== undefined;
  const rows = await sql`
    update campaigns set ${sql(change)}
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId}
      and (not ${changesDates}::boolean or status in ('active', 'paused'))
    returning campaign_id`;
  return rows.length === 1;
}

/** Returns one campaign of a workspace; null when it does not exist. */
export async function findCampaign(sql: Sql, workspaceId: string, campaignId: string): Promise<Campaign | null> {
  const [campaign] = await sql<Campaign[]>`
    select campaign_id, name, status, report_name, starts_on, ends_on, created_at
    from campaigns where workspace_id = ${workspaceId} and campaign_id = ${campaignId}`;
  return campaign ?? null;
}

/**
 * Returns the campaigns of a workspace, newest first. With `status`, returns only campaigns with that status. `part`
 * selects a page of the list.
 */
export async function listCampaigns(
  sql: Sql,
  workspaceId: string,
  status: CampaignStatus | null = null,
  part: { limit: number | null; offset: number } = { limit: null, offset: 0 },
): Promise<ListedCampaign[]> {
  return sql<ListedCampaign[]>`
    select campaign_id, name, status, report_name, starts_on, ends_on, created_at,
      (select count(*)::int from campaign_items i
       where i.workspace_id = c.workspace_id and i.campaign_id = c.campaign_id) as items,
      (select report_id from reports r
       where r.workspace_id = c.workspace_id and r.campaign_id = c.campaign_id
       order by r.period_start desc limit 1) as newest_report_id
    from campaigns c
    where workspace_id = ${workspaceId} and (${status}::text is null or status = ${status})
    order by created_at desc, campaign_id desc limit ${part.limit} offset ${part.offset}`;
}

/** Returns how many campaigns of a workspace are active or paused. The tier of the workspace limits this number. */
export async function countSlots(sql: Sql, workspaceId: string): Promise<number> {
  const [row] = await sql<{ slots: number }[]>`
    select count(*)::int as slots from campaigns
    where workspace_id = ${workspaceId} and status in ('active', 'paused')`;
  return row?.slots ?? 0;
}

/**
 * The result of adding items to a campaign. `unknown` lists the ids that the workspace does not have. If it is not
 * empty, nothing was added.
 */
interface Attached {
  /** True when the campaign exists in this workspace. */
  campaign: boolean;
  unknown: string[];
}

/**
 * Adds tracked items to a campaign of the same workspace. Items that are already in the campaign stay in it. Locks the
 * workspace, the items and the campaign, so that an item that is being removed at the same time is reported as unknown.
 */
export async function attachItems(
  sql: Sql,
  workspaceId: string,
  campaignId: string,
  itemIds: readonly string[],
): Promise<Attached> {
  const [row] = await sql<Attached[]>`
    with workspace as materialized (
      select workspace_id from workspaces where workspace_id = ${workspaceId} for key share
    ), items as materialized (
      select item_id from tracked_items where workspace_id = ${workspaceId} and item_id = any(${[...itemIds]}::uuid[])
        and (select count(*) from workspace) > 0
      order by item_id for key share
    ), campaign as materialized (
      select campaign_id from campaigns where workspace_id = ${workspaceId} and campaign_id = ${campaignId}
        and (select count(*) from items) >= 0
      for key share
    ), unknown as materialized (
      select distinct item_id from unnest(${[...itemIds]}::uuid[]) as a (item_id)
      where item_id not in (select item_id from items)
    ), attached as (
      insert into campaign_items (workspace_id, campaign_id, item_id)
      select ${workspaceId}, campaign_id, item_id from campaign, items
      where not exists (select from unknown) order by item_id
      on conflict do nothing
    )
    select exists (select from campaign) as campaign, array(select item_id::text from unknown order by 1) as unknown`;
  if (!row) throw new Error(`The database returned no row for the items of campaign ${campaignId}.`);
  return row;
}

/**
 * Removes items from a campaign and returns how many were removed. The items are still tracked. Locks the items before
 * the campaign to avoid deadlocks, because removing items and deleting the campaign delete the same rows in a different
 * order.
 */
export async function detachItems(
  sql: Sql,
  workspaceId: string,
  campaignId: string,
  itemIds: readonly string[],
): Promise<number> {
  const { count } = await sql`
    with items as materialized (
      select item_id from tracked_items where workspace_id = ${workspaceId} and item_id = any(${[...itemIds]}::uuid[])
      order by item_id for key share
    ), campaign as materialized (
      select campaign_id from campaigns where workspace_id = ${workspaceId} and campaign_id = ${campaignId}
        and (select count(*) from items) >= 0
      for no key update
    )
    delete from campaign_items
    where workspace_id = ${workspaceId} and campaign_id = (select campaign_id from campaign)
      and item_id = any(array(select item_id from items))`;
  return count;
}
