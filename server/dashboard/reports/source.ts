import { LRUCache } from 'lru-cache';
import type { Sql } from 'postgres';
import { dayOf } from '../../../db/calendar.ts';
import { frozenReport, reportVersion } from '../../../db/campaigns/reports.ts';
import { weekMs } from '../../../db/durations.ts';
import { isId } from '../../../db/ids.ts';
import type { Observed } from '../../../db/observations/observed.ts';
import type { Tier } from '../../../db/tier.ts';
import { currentReport, type KeepPast } from '../../../pipeline/report/load.ts';
import { weekStart } from '../../../pipeline/report/period.ts';
import type { Report } from '../../../pipeline/report/report.ts';

/**
 * Maximum number of cached reports. The largest report, with 200 items and one year, takes a few megabytes of memory.
 */
const maxKept = 24;
/**
 * Maximum number of campaigns whose past observations are cached. The observations of the largest campaign, with 200
 * items and one year, take a few megabytes of memory.
 */
const maxPasts = 8;

interface ReportQuery {
  workspace_id: string;
  tier: Tier;
  campaign_id: string;
  /** Id of a finished report. Null for the report of the current week. */
  report_id: string | null;
}

/** Returns a finished report or the report of the current week. Returns null when the workspace has no such report. */
export type ReadReport = (query: ReportQuery) => Promise<Report | null>;

interface CachedReport {
  version: string;
  report: Promise<Report | null>;
}

/**
 * Creates the function that reads reports. The report of the current week is cached until one of these changes: its
 * observations, its items, the tier of the workspace, or the day.
 */
export function createReportReader({ db, now }: { db: { sql: Sql }; now: () => Date }): ReadReport {
  const cache = new LRUCache<string, CachedReport>({ max: maxKept });
  const pasts = new LRUCache<string, Promise<Observed[]>>({ max: maxPasts });
  const keepPast: KeepPast = (key, read) => {
    const kept = pasts.get(key) ?? read();
    pasts.set(key, kept);
    kept.catch(() => pasts.delete(key));
    return kept;
  };
  return async ({ workspace_id, tier, campaign_id, report_id }) => {
    if (!isId(campaign_id) || (report_id !== null && !isId(report_id))) return null;
    if (report_id !== null) {
      const body = await frozenReport(db.sql, workspace_id, campaign_id, { report_id });
      return body === null ? null : (JSON.parse(body) as Report);
    }
    const at = now();
    const since = new Date(weekStart(at.getTime()) - weekMs);
    const changing = await reportVersion(db.sql, workspace_id, campaign_id, since);
    if (changing === null) return null;
    const version = `${changing} ${tier} ${dayOf(at.getTime())}`;
    const name = `${workspace_id} ${campaign_id}`;
    const cached = cache.get(name);
    if (cached?.version === version) return cached.report;
    const report = currentReport(db.sql, { workspace_id, campaign_id, tier, now: at, keep_past: keepPast });
    cache.set(name, { version, report });
    report.catch(() => cache.delete(name));
    return report;
  };
}
