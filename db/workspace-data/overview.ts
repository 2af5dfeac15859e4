import type { Sql } from 'postgres';
import { belongsTo, isValid } from '../accounts/key-conditions.ts';
import { creditsUsed, monthOf } from '../calendar.ts';
import type { WaitingFor } from '../deliveries/batches.ts';

/** The numbers on the overview page of a workspace. */
export interface Overview {
  /** Number of valid API keys of all kinds, without those of data links. */
  keys: number;
  /**
   * Number of API requests in the current UTC month. `request_credits` is the number of credits charged for these
   * requests.
   */
  requests: number;
  request_credits: number;
  /** True when the workspace has ever had an answered API request. */
  has_requests: boolean;
  /** Credits charged for tracking, bulk analyses and sheet imports in the current UTC month. */
  scheduled_credits: number;
  monthly_cap: number | null;
  low_balance_alert: number | null;
  items: number;
  items_paused: number;
  items_changed: number;
  campaigns: number;
}

/** Returns the numbers for the overview page of a workspace; null when it does not exist. */
export async function readOverview(sql: Sql, workspaceId: string, now: Date): Promise<Overview | null> {
  const [row] = await sql<Overview[]>`
    select k.keys, u.requests, u.request_credits, i.*, s.monthly_cap, s.low_balance_alert,
      exists (select from usage where workspace_id = w.workspace_id) as has_requests,
      ${creditsUsed(sql, 's', now)} as scheduled_credits,
      (select count(*)::int from campaigns where workspace_id = w.workspace_id and status = 'active') as campaigns
    from workspaces w
    left join work_settings s on s.workspace_id = w.workspace_id
    cross join lateral (
      select count(*)::int as keys from api_keys
      where workspace_id = w.workspace_id and ${isValid(sql, 'api_keys', now)} and not ${belongsTo(sql, 'data_links')}
    ) k
    cross join lateral (
      select coalesce(sum(requests), 0)::bigint as requests, coalesce(sum(credits), 0)::bigint as request_credits
      from usage where workspace_id = w.workspace_id and day >= ${monthOf(now)}::date
    ) u
    cross join lateral (
      select count(*)::int as items, (count(*) filter (where status = 'paused'))::int as items_paused,
        (count(*) filter (where identity_changed))::int as items_changed
      from tracked_items where workspace_id = w.workspace_id
    ) i
    where w.workspace_id = ${workspaceId}`;
  return row ?? null;
}

export interface FailingItem {
  item_id: string;
  platform: string;
  kind: string;
  identifier: string;
  name: string | null;
  outcome: string;
  attempted_at: Date;
  /** Number of all tracked items whose last check failed, including this item. */
  failing: number;
}

/** Returns at most `limit` active tracked items whose last check failed, the most recent check first. */
export async function failingItems(sql: Sql, workspaceId: string, limit: number): Promise<FailingItem[]> {
  return sql<FailingItem[]>`
    select i.item_id, i.platform, i.kind, i.identifier, i.name, a.outcome, a.attempted_at,
      (count(*) over ())::int as failing
    from tracked_items i
    cross join lateral (
      select attempted_at, outcome from check_attempts
      where workspace_id = i.workspace_id and item_id = i.item_id order by attempt_id desc limit 1
    ) a
    where i.workspace_id = ${workspaceId} and i.status = 'active' and a.outcome <> 'OK'
    order by a.attempted_at desc, i.item_id limit ${limit}`;
}

export interface WaitingBatch {
  batch_id: string;
  name: string | null;
  waiting_for: WaitingFor | null;
  /** The sheet import of the paused run; null for a bulk analysis. */
  import_id: string | null;
}

/** Returns at most `limit` paused bulk analyses and import runs of a workspace, oldest first. */
export async function waitingBatches(sql: Sql, workspaceId: string, limit: number): Promise<WaitingBatch[]> {
  return sql<WaitingBatch[]>`
    select batch_id, name, waiting_for, import_id from batches
    where workspace_id = ${workspaceId} and status = 'paused' order by created_at, batch_id limit ${limit}`;
}

export interface FailedImport {
  import_id: string;
  label: string;
  message: string | null;
  finished_at: Date;
}

/**
 * Returns at most `limit` sheet imports whose last finished run failed, the most recent failure first. Ignores
 * cancelled runs.
 */
export async function failedImports(sql: Sql, workspaceId: string, limit: number): Promise<FailedImport[]> {
  return sql<FailedImport[]>`
    select i.import_id, i.label, r.message, r.finished_at
    from sheet_imports i
    cross join lateral (
      select outcome, message, finished_at from sheet_import_runs
      where workspace_id = i.workspace_id and import_id = i.import_id and outcome <> 'CANCELLED'
      order by started_at desc, run_id desc limit 1
    ) r
    where i.workspace_id = ${workspaceId} and r.outcome <> 'OK'
    order by r.finished_at desc, i.import_id limit ${limit}`;
}

export interface RecentReport {
  campaign_id: string;
  report_id: string;
  campaign: string;
  period_start: Date;
  period_end: Date;
}

/** Returns the `limit` newest weekly reports of all campaigns of a workspace. */
export async function recentReports(sql: Sql, workspaceId: string, limit: number): Promise<RecentReport[]> {
  return sql<RecentReport[]>`
    select r.campaign_id, r.report_id, c.name as campaign, r.period_start, r.period_end
    from reports r join campaigns c on c.workspace_id = r.workspace_id and c.campaign_id = r.campaign_id
    where r.workspace_id = ${workspaceId} order by r.period_start desc, r.report_id desc limit ${limit}`;
}
