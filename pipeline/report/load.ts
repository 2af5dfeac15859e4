import { hash } from 'node:crypto';
import type { Sql } from 'postgres';
import { findCampaign } from '../../db/campaigns/campaigns.ts';
import {
  type CampaignItem,
  campaignObservations,
  frozenReport,
  missedChecks,
  readCampaignItems,
} from '../../db/campaigns/reports.ts';
import { weekMs } from '../../db/durations.ts';
import type { Observed } from '../../db/observations/observed.ts';
import type { Tier } from '../../db/tier.ts';
import { tiers } from '../tiers.ts';
import { graceMs, historyStart, startOf, weekStart } from './period.ts';
import { buildReport, type Report } from './report.ts';

/**
 * Returns the observed numbers of past weeks from a cache, or calls `read` and caches its result. The numbers of a
 * `key` never change.
 */
export type KeepPast = (key: string, read: () => Promise<Observed[]>) => Promise<Observed[]>;

interface ReportQuery {
  workspace_id: string;
  campaign_id: string;
  tier: Tier;
  now: Date;
  /** Caches the observed numbers of past weeks. Default: no cache, so the database is read each time. */
  keep_past?: KeepPast;
}

/**
 * Returns the campaign report of the current week. For a campaign that has ended, returns the report of its last week,
 * which is the stored report as soon as it exists. Returns null when the workspace has no such campaign.
 */
export async function currentReport(sql: Sql, query: ReportQuery): Promise<Report | null> {
  const campaign = await findCampaign(sql, query.workspace_id, query.campaign_id);
  if (!campaign) return null;
  const now = query.now.getTime();
  const lastDay = campaign.ends_on === null ? now : Math.min(now, startOf(campaign.ends_on));
  const start = weekStart(lastDay);
  const week = { period_start: new Date(start) };
  const stored = start < weekStart(now) ? await frozenReport(sql, query.workspace_id, query.campaign_id, week) : null;
  if (stored !== null) return JSON.parse(stored) as Report;
  return loadReport(sql, query, { report_id: null, final: false, period_start: start });
}

interface ReportPeriod {
  report_id: string | null;
  final: boolean;
  /** Start of the report's week: Monday 00:00 UTC, in Unix ms. */
  period_start: number;
}

/**
 * Reads the data of a campaign report from the database and builds the report. Returns null when the workspace has no
 * such campaign.
 */
export async function loadReport(sql: Sql, query: ReportQuery, period: ReportPeriod): Promise<Report | null> {
  const { workspace_id, campaign_id, tier, now, keep_past = (_, read) => read() } = query;
  const { history_days, report_name } = tiers[tier];
  const span = {
    from: new Date(historyStart(now.getTime(), history_days)),
    to: new Date(period.period_start + weekMs),
    all_from: new Date(period.period_start - weekMs),
  };
  // In the first hour of a week, checks of the previous week may still be stored. Its numbers can therefore still
  // change and are not cached before that hour is over.
  const isComplete = now.getTime() >= period.period_start + graceMs;
  const pastEnd = isComplete ? new Date(period.period_start) : span.all_from;
  const readPast = async (items: readonly CampaignItem[]) => {
    const ids = items.map(({ item_id }) => item_id).sort();
    const past = { ...span, to: pastEnd };
    const key = hash('sha256', [workspace_id, campaign_id, +past.from, +past.to, ...ids].join(' '));
    return keep_past(key, () => campaignObservations(sql, workspace_id, campaign_id, past));
  };
  const recent = { ...span, from: new Date(Math.max(+span.from, +pastEnd)) };
  const itemsRead = readCampaignItems(sql, workspace_id, campaign_id);
  const [campaign, items, past, newest, missed] = await Promise.all([
    findCampaign(sql, workspace_id, campaign_id),
    itemsRead,
    itemsRead.then(readPast),
    campaignObservations(sql, workspace_id, campaign_id, recent),
    missedChecks(sql, workspace_id, campaign_id, { from: new Date(period.period_start), to: span.to }),
  ]);
  if (!campaign) return null;
  return buildReport({
    ...period,
    campaign: { ...campaign, report_name: report_name ? campaign.report_name : null },
    generated_at: now.getTime(),
    history_days,
    items,
    observations: [...past, ...newest],
    missed,
  });
}
