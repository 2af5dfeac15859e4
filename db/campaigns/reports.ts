import type { Sql } from 'postgres';
import type { Tier } from '../tier.ts';

import type { CampaignStatus } from './campaigns.ts';

/** A tracked item as a report reads it. */
export interface CampaignItem {
  item_id: string;
  platform: string;
  kind: string;
  url: string;
  name: string | null;
  status: 'active' | 'paused';
  identity_changed: boolean;
  created_at: Date;
}

/** What one check saw; null is "not said". `quality` has two bits a metric, in the order of the metrics here. */
export interface Observed {
  item_id: string;
  observed_at: Date;
  followers: number | null;
  following: number | null;
  posts: number | null;
  views: number | null;
  likes: number | null;
  comments: number | null;
  shares: number | null;
  favorites: number | null;
  total_views: number | null;
  quality: number;
  source: string;
}

/** Why a check on a day gave nothing. */
export interface MissedCheck {
  item_id: string;
  attempted_at: Date;
  /** An error code or `SKIPPED_…`. */
  outcome: string;
}

/** Half open: `from` belongs to it, `to` does not. */
export interface Span {
  from: Date;
  to: Date;
}

/** The items of a campaign. They are asked as one array: of tables that were not analysed yet, a join is planned as one for few rows. */
export async function campaignItems(sql: Sql, workspaceId: string, campaignId: string): Promise<CampaignItem[]> {
  return sql<CampaignItem[]>`
    select item_id, platform, kind, url, name, status, identity_changed, created_at
    from tracked_items
    where workspace_id = ${workspaceId} and item_id = any(array(
      select item_id from campaign_items where workspace_id = ${workspaceId} and campaign_id = ${campaignId}))`;
}

/**
 * The observations of a campaign's items within `span`: every one from `all_from` on, and of each week (Monday, UTC) before
 * that the last one: a year of 200 items is some 13,000 rows. The items are asked as one array, so that the index of each month
 * is descended once; a join would descend it for each item, which costs more the more others observe.
 */
export async function campaignObservations(
  sql: Sql,
  workspaceId: string,
  campaignId: string,
  { from, to, all_from }: Span & { all_from: Date },
): Promise<Observed[]> {
  return sql<Observed[]>`
    select item_id, observed_at, followers, following, posts, views, likes, comments, shares, favorites, total_views,
      quality, source
    from (
      select *, lead(observed_at) over (partition by item_id order by observed_at) as next_at
      from observations
      where workspace_id = ${workspaceId} and observed_at >= ${from} and observed_at < ${to}
        and item_id = any(array(
          select item_id from campaign_items where workspace_id = ${workspaceId} and campaign_id = ${campaignId}))
    ) o
    where observed_at >= ${all_from} or next_at is null or date_trunc('week', next_at, 'UTC') > observed_at`;
}

/** For each item and day (UTC) of `span`, the last attempt that gave nothing. */
export async function missedChecks(
  sql: Sql,
  workspaceId: string,
  campaignId: string,
  { from, to }: Span,
): Promise<MissedCheck[]> {
  return sql<MissedCheck[]>`
    select distinct on (a.item_id, date_trunc('day', a.attempted_at, 'UTC')) a.item_id, a.attempted_at, a.outcome
    from check_attempts a
    join campaign_items c on c.workspace_id = a.workspace_id and c.item_id = a.item_id
      and c.campaign_id = ${campaignId}
    where a.workspace_id = ${workspaceId} and a.attempted_at >= ${from} and a.attempted_at < ${to}
      and a.outcome <> 'OK'
    order by a.item_id, date_trunc('day', a.attempted_at, 'UTC'), a.attempted_at desc, a.attempt_id desc`;
}

export interface FrozenReport {
  workspace_id: string;
  campaign_id: string;
  report_id: string;
  period_start: Date;
  period_end: Date;
  /** JSON text of the report. */
  body: string;
}

/** Keeps the report of a finished week for ever; false when that week has one. */
export async function freezeReport(sql: Sql, report: FrozenReport): Promise<boolean> {
  const { workspace_id, campaign_id, report_id, period_start, period_end, body } = report;
  const rows = await sql`
    insert into reports (workspace_id, campaign_id, report_id, period_start, period_end, body)
    values (${workspace_id}, ${campaign_id}, ${report_id}, ${period_start}, ${period_end}, ${body})
    on conflict do nothing returning report_id`;
  return rows.length === 1;
}

/** The text of a frozen report as it was kept: of `report_id`, or the newest one; null when there is none. */
export async function frozenReport(
  sql: Sql,
  workspaceId: string,
  campaignId: string,
  reportId: string | null = null,
): Promise<string | null> {
  const [row] = await sql<{ body: string }[]>`
    select body from reports
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId}
      and (${reportId}::uuid is null or report_id = ${reportId}::uuid)
    order by period_start desc limit 1`;
  return row?.body ?? null;
}

export type ListedReport = Pick<FrozenReport, 'report_id' | 'period_start' | 'period_end'>;

/** The frozen reports of a campaign, newest first; only those before `before` and not more than `limit` when given. */
export async function listReports(
  sql: Sql,
  workspaceId: string,
  campaignId: string,
  part: { before: Date | null; limit: number | null } = { before: null, limit: null },
): Promise<ListedReport[]> {
  return sql<ListedReport[]>`
    select report_id, period_start, period_end from reports
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId}
      and period_start < coalesce(${part.before}::timestamptz, 'infinity')
    order by period_start desc limit ${part.limit}`;
}

/**
 * Changes whenever the report of a period that runs would: with the campaign, its items, and what was observed, attempted or
 * left out for them since `since`. The day (UTC) and the tier are the caller's to add. Null when the workspace has no such campaign.
 */
export async function reportVersion(
  sql: Sql,
  workspaceId: string,
  campaignId: string,
  since: Date,
): Promise<string | null> {
  const [row] = await sql<{ version: string }[]>`
    with items as materialized (
      select item_id, platform, kind, url, name, status, identity_changed, created_at
      from tracked_items
      where workspace_id = ${workspaceId} and item_id = any(array(
        select item_id from campaign_items where workspace_id = ${workspaceId} and campaign_id = ${campaignId}))
    )
    select md5(concat_ws(' ', (c.*)::text, (select string_agg((i.*)::text, ' ' order by item_id) from items i),
      (select concat_ws(' ', count(*), max(observed_at)) from observations
       where workspace_id = ${workspaceId} and observed_at >= ${since} and item_id = any(array(select item_id from items))),
      (select concat_ws(' ', count(*), max(attempt_id::text)) from check_attempts
       where workspace_id = ${workspaceId} and attempted_at >= ${since}))) as version
    from campaigns c where c.workspace_id = ${workspaceId} and c.campaign_id = ${campaignId}`;
  return row?.version ?? null;
}

/** A finished week of a campaign that has no report yet. */
export interface DueReport {
  workspace_id: string;
  campaign_id: string;
  tier: Tier;
  status: CampaignStatus;
  created_at: Date;
  period_start: Date;
}

export interface DueQuestion {
  now: Date;
  /** Weeks that were over by then are finished. */
  ended_by: Date;
  /** Tiers that have reports, each with how far back it may look. */
  history: readonly { tier: Tier; days: number }[];
  /** The last one of the page before. */
  after: DueReport | null;
  limit: number;
}

const firstId = '00000000-0000-0000-0000-000000000000';

/** Finished weeks without a report, of all workspaces: from a campaign's first day within the history to its last day. */
export async function dueReports(
  sql: Sql,
  { now, ended_by, history, after, limit }: DueQuestion,
): Promise<DueReport[]> {
  return sql<DueReport[]>`
    select c.workspace_id, c.campaign_id, w.tier, c.status, c.created_at, p.period_start
    from campaigns c
    join workspaces w on w.workspace_id = c.workspace_id
    join unnest(${history.map(({ tier }) => tier)}::text[], ${history.map(({ days }) => days)}::int[])
      as h (tier, days) on h.tier = w.tier
    cross join lateral generate_series(
      date_trunc('week', greatest(c.starts_on::timestamptz, ${now}::timestamptz - h.days * interval '24 hours'), 'UTC'),
      least(date_trunc('week', ${ended_by}::timestamptz, 'UTC') - interval '7 days', c.ends_on::timestamptz),
      interval '7 days'
    ) as p (period_start)
    where (c.workspace_id, c.campaign_id, p.period_start) >
        (${after?.workspace_id ?? firstId}::uuid, ${after?.campaign_id ?? firstId}::uuid,
         ${after?.period_start ?? new Date(0)}::timestamptz)
      and not exists (
        select from reports r
        where r.workspace_id = c.workspace_id and r.campaign_id = c.campaign_id and r.period_start = p.period_start)
    order by c.workspace_id, c.campaign_id, p.period_start
    limit ${limit}`;
}
