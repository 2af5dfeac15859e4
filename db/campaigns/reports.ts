import type { Fragment, Sql } from 'postgres';
import { allObservations } from '../observations/all-observations.ts';
import { metricColumns } from '../observations/metric-columns.ts';
import type { Observed } from '../observations/observed.ts';
import { metrics } from '../schema/metrics.ts';
import type { Tier } from '../tier.ts';
import type { CampaignStatus } from './campaigns.ts';

/** The data of a tracked item that a campaign report needs. */
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

/** A tracking check that failed or was skipped, so that it found no numbers. */
export interface MissedCheck {
  item_id: string;
  attempted_at: Date;
  /** The error code of the failed check, or `SKIPPED_` followed by the cause. */
  outcome: string;
}

/** A period of time that includes `from` and excludes `to`. */
export interface Span {
  from: Date;
  to: Date;
}

/**
 * Returns the tracked items of a campaign. The ids are passed as one array, because a join would be slow until
 * PostgreSQL has statistics about the tables.
 */
export async function readCampaignItems(sql: Sql, workspaceId: string, campaignId: string): Promise<CampaignItem[]> {
  return sql<CampaignItem[]>`
    select item_id, platform, kind, url, name, status, identity_changed, created_at
    from tracked_items
    where workspace_id = ${workspaceId} and item_id = any(array(
      select item_id from campaign_items where workspace_id = ${workspaceId} and campaign_id = ${campaignId}))`;
}

/**
 * Returns the observations (stored check results) of a campaign's items from `from` to `to`. Before `all_from`, returns
 * only the last observation of each week (Monday to Sunday, UTC). If a metric is null in it, also returns the week's
 * last observation with a value of the metric. A year of 200 items is about 13,000 rows. The ids are passed as one
 * array, because with a join PostgreSQL would search the index of each month once per item.
 */
export async function campaignObservations(
  sql: Sql,
  workspaceId: string,
  campaignId: string,
  { from, to, all_from }: Span & { all_from: Date },
): Promise<Observed[]> {
  return sql<Observed[]>`
    select item_id, observed_at, ${metricColumns(sql)}, quality, source
    from (
      select *, bit_or(known) over (partition by item_id, date_trunc('week', observed_at, 'UTC')
        order by observed_at rows between 1 following and unbounded following) as known_later
      from (
        select *, ${knownBits(sql)} as known
        from ${allObservations(sql, sql`${from}::timestamptz`, { weekly_until: all_from })} a
        where workspace_id = ${workspaceId} and observed_at >= ${from} and observed_at < ${to}
          and item_id = any(array(
            select item_id from campaign_items where workspace_id = ${workspaceId} and campaign_id = ${campaignId}))
      ) a
    ) o
    where observed_at >= ${all_from} or known_later is null or known & ~known_later <> 0`;
}

/** Returns the SQL expression for an integer with one bit per metric, which is set when the metric is not null. */
function knownBits(sql: Sql): Fragment {
  const bits = metrics.map((name, bit) => `(${name} is not null)::int << ${bit}`);
  return sql.unsafe(`(${bits.map((one) => `(${one})`).join(' | ')})`);
}

/**
 * Returns the last failed or skipped check of each campaign item on each UTC day. Selects the checks by time before
 * joining, because PostgreSQL might otherwise read every check that an item ever had.
 */
export async function missedChecks(
  sql: Sql,
  workspaceId: string,
  campaignId: string,
  { from, to }: Span,
): Promise<MissedCheck[]> {
  return sql<MissedCheck[]>`
    with missed as materialized (
      select item_id, attempted_at, attempt_id, outcome from check_attempts
      where workspace_id = ${workspaceId} and attempted_at >= ${from} and attempted_at < ${to} and outcome <> 'OK'
    )
    select distinct on (item_id, date_trunc('day', attempted_at, 'UTC')) item_id, attempted_at, outcome from missed
    where item_id = any(array(
      select item_id from campaign_items where workspace_id = ${workspaceId} and campaign_id = ${campaignId}))
    order by item_id, date_trunc('day', attempted_at, 'UTC'), attempted_at desc, attempt_id desc`;
}

interface FrozenReport {
  workspace_id: string;
  campaign_id: string;
  report_id: string;
  period_start: Date;
  period_end: Date;
  /** The campaign report as JSON text. */
  body: string;
}

/**
 * Stores the report of a finished week of a campaign. A stored report never changes. Returns false when the week
 * already has a report, or when the campaign was deleted.
 */
export async function freezeReport(sql: Sql, report: FrozenReport): Promise<boolean> {
  const { workspace_id, campaign_id, report_id, period_start, period_end, body } = report;
  const rows = await sql`
    insert into reports (workspace_id, campaign_id, report_id, period_start, period_end, body)
    select workspace_id, campaign_id, ${report_id}::uuid, ${period_start}::timestamptz, ${period_end}::timestamptz, ${body}
    from campaigns where workspace_id = ${workspace_id} and campaign_id = ${campaign_id}
    on conflict do nothing returning report_id`;
  return rows.length === 1;
}

/** Selects one stored weekly report of a campaign. If all fields are missing, it selects the newest report. */
interface ReportChoice {
  report_id?: string | null;
  /** The Monday (00:00 UTC) on which the week of the report begins. */
  period_start?: Date | null;
}

/**
 * Returns the JSON text of a stored weekly report, by default of the newest report. Returns null when there is no such
 * report.
 */
export async function frozenReport(
  sql: Sql,
  workspaceId: string,
  campaignId: string,
  { report_id = null, period_start = null }: ReportChoice = {},
): Promise<string | null> {
  const [row] = await sql<{ body: string }[]>`
    select body from reports
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId}
      and (${report_id}::uuid is null or report_id = ${report_id}::uuid)
      and (${period_start}::timestamptz is null or period_start = ${period_start}::timestamptz)
    order by period_start desc limit 1`;
  return row?.body ?? null;
}

export type ListedReport = Pick<FrozenReport, 'report_id' | 'period_start' | 'period_end'>;

/**
 * Returns the stored weekly reports of a campaign, newest first, at most `limit`. With `before`, returns only reports
 * whose week begins before that time.
 */
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
 * Returns a hash that changes whenever the campaign's report of the current period may have changed. The hash covers
 * the campaign, its newest stored report, its items, and their checks and observations since `since`. The caller must
 * add the UTC day and the tier, on which the report also depends. Returns null when the campaign does not exist.
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
    select md5(concat_ws(' ', (c.*)::text,
      (select max(period_start) from reports where workspace_id = ${workspaceId} and campaign_id = ${campaignId}),
      (select string_agg((i.*)::text, ' ' order by item_id) from items i),
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

interface DueReportsQuery {
  /** Returns only weeks that ended at this time or earlier. */
  ended_by: Date;
  /** For each tier with reports, the start of the oldest full day within its history limit. */
  history: readonly { tier: Tier; from: Date }[];
  /** The last entry of the previous page of results; null for the first page. */
  after: DueReport | null;
  limit: number;
}

const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * Returns the finished weeks of campaigns in all workspaces that have no report yet. Leaves out weeks before the
 * campaign's first day, after its last day, or outside the history limit of the tier.
 */
export async function reportsToBuild(
  sql: Sql,
  { ended_by, history, after, limit }: DueReportsQuery,
): Promise<DueReport[]> {
  return sql<DueReport[]>`
    select c.workspace_id, c.campaign_id, w.tier, c.status, c.created_at, p.period_start
    from campaigns c
    join workspaces w on w.workspace_id = c.workspace_id
    join unnest(${history.map(({ tier }) => tier)}::text[], ${history.map(({ from }) => from.toISOString())}::timestamptz[])
      as h (tier, history_from) on h.tier = w.tier
    cross join lateral generate_series(
      date_trunc('week', greatest(c.starts_on::timestamptz, h.history_from), 'UTC'),
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
