import type { Sql } from 'postgres';
import { newId } from '../ids.ts';

export const campaignStatuses = ['active', 'paused', 'archived', 'ended'] as const;
export type CampaignStatus = (typeof campaignStatuses)[number];

export interface Campaign {
  campaign_id: string;
  name: string;
  status: CampaignStatus;
  report_name: string | null;
  /** The first day that counts, `YYYY-MM-DD` in UTC. */
  starts_on: string;
  /** The last day that counts; null while the end is open. */
  ends_on: string | null;
  created_at: Date;
}

export interface ListedCampaign extends Campaign {
  /** Number of items attached. */
  items: number;
  newest_report_id: string | null;
}

export interface NewCampaign {
  name: string;
  report_name: string | null;
  starts_on: string;
  ends_on: string | null;
}

export interface CampaignRoom {
  /** Campaigns of the tier that may be active or paused. */
  slots: number;
  /** Campaigns kept, in whatever state. */
  kept: number;
}

/** Makes a campaign in a free slot; its id, or null when there is no room. To be called inside `alone`. */
export async function insertCampaign(
  tx: Sql,
  workspaceId: string,
  campaign: NewCampaign,
  room: CampaignRoom,
): Promise<string | null> {
  const { name, report_name, starts_on, ends_on } = campaign;
  const [row] = await tx<{ campaign_id: string }[]>`
    insert into campaigns (workspace_id, campaign_id, name, report_name, starts_on, ends_on)
    select ${workspaceId}, ${newId()}, ${name}, ${report_name}, ${starts_on}, ${ends_on}
    where (select count(*) from campaigns where workspace_id = ${workspaceId}) < ${room.kept}
      and (select count(*) from campaigns
           where workspace_id = ${workspaceId} and status in ('active', 'paused')) < ${room.slots}
    returning campaign_id`;
  return row?.campaign_id ?? null;
}

/** Brings an archived campaign back, with a new end, when a slot is free. To be called inside `alone`. */
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

/** Moves a campaign from one of the states `from`; false when it is in another or is not the workspace's. */
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

/** Archives a campaign of any other state; `today` is its last day unless it ended before. False when it was archived or is not the workspace's. */
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

/** Ends every campaign, of all workspaces, whose last day is before `today`; the number of them. */
export async function endCampaigns(sql: Sql, today: string): Promise<number> {
  const { count } = await sql`
    update campaigns set status = 'ended' where status in ('active', 'paused') and ends_on < ${today}`;
  return count;
}

/** Changes what is given; false when the campaign is not the workspace's, or its dates are to change and it is archived or ended. */
export async function changeCampaign(
  sql: Sql,
  workspaceId: string,
  campaignId: string,
  change: Partial<NewCampaign>,
): Promise<boolean> {
  const dated = change.starts_on !== undefined || change.ends_on !== undefined;
  const rows = await sql`
    update campaigns set ${sql(change)}
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId}
      and (not ${dated}::boolean or status in ('active', 'paused'))
    returning campaign_id`;
  return rows.length === 1;
}

/** One campaign of a workspace, null when it has none of that id. */
export async function findCampaign(sql: Sql, workspaceId: string, campaignId: string): Promise<Campaign | null> {
  const [campaign] = await sql<Campaign[]>`
    select campaign_id, name, status, report_name, starts_on, ends_on, created_at
    from campaigns where workspace_id = ${workspaceId} and campaign_id = ${campaignId}`;
  return campaign ?? null;
}

/** The campaigns of a workspace, newest first; of one state when `status` is given, a part of them when `part` is. */
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

/** Slots in use: campaigns that are active or paused. */
export async function countSlots(sql: Sql, workspaceId: string): Promise<number> {
  const [row] = await sql<{ slots: number }[]>`
    select count(*)::int as slots from campaigns
    where workspace_id = ${workspaceId} and status in ('active', 'paused')`;
  return row?.slots ?? 0;
}

/** What became of items to be attached: all of them are now, or none is, for `unknown` ones are not the workspace's. */
export interface Attached {
  /** Whether the campaign is the workspace's. */
  campaign: boolean;
  unknown: string[];
}

/** Attaches tracked items of the same workspace; those attached before stay so. */
export async function attachItems(
  sql: Sql,
  workspaceId: string,
  campaignId: string,
  itemIds: readonly string[],
): Promise<Attached> {
  const [row] = await sql<Attached[]>`
    with asked as materialized (
      select distinct item_id from unnest(${[...itemIds]}::uuid[]) as a (item_id)
    ), unknown as materialized (
      select a.item_id from asked a
      where not exists (
        select from tracked_items i where i.workspace_id = ${workspaceId} and i.item_id = a.item_id)
    ), place as materialized (
      select campaign_id from campaigns where workspace_id = ${workspaceId} and campaign_id = ${campaignId}
    ), attached as (
      insert into campaign_items (workspace_id, campaign_id, item_id)
      select ${workspaceId}, campaign_id, item_id from place, asked
      where not exists (select from unknown) order by item_id
      on conflict do nothing
    )
    select exists (select from place) as campaign, array(select item_id::text from unknown order by 1) as unknown`;
  if (!row) throw new Error('a statement without a table gives one row');
  return row;
}

/** Takes items out of a campaign; the number that were in it. They stay tracked. */
export async function detachItems(
  sql: Sql,
  workspaceId: string,
  campaignId: string,
  itemIds: readonly string[],
): Promise<number> {
  const { count } = await sql`
    delete from campaign_items
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and item_id = any(${[...itemIds]}::uuid[])`;
  return count;
}
