import { dayOf } from '../../db/calendar.ts';
import { endCampaigns } from '../../db/campaigns/campaigns.ts';
import { readBrand } from '../../db/campaigns/report-brands.ts';
import { type DueReport, freezeReport, reportsToBuild } from '../../db/campaigns/reports.ts';
import { hourSeconds } from '../../db/durations.ts';
import { newId } from '../../db/ids.ts';
import type { Tier } from '../../db/tier.ts';
import { alone } from '../../db/transaction.ts';
import { notify } from '../notify/notify.ts';
import { announce } from '../notify/webhooks.ts';
import type { Job, JobContext } from '../queue/job.ts';
import { loadReport } from '../report/load.ts';
import { graceMs, historyStart } from '../report/period.ts';
import type { Report } from '../report/report.ts';
import { reportMessage } from '../report/summary/message.ts';
import { tiers } from '../tiers.ts';

const dueAtOnce = 200;
const reportTiers = (Object.keys(tiers) as Tier[]).filter((tier) => tiers[tier].campaigns > 0);

/**
 * Ends campaigns after their last day and stores the final campaign reports of past weeks. Runs every hour and also
 * creates reports that earlier runs missed.
 */
export const weeklyReports: Job = {
  name: 'weekly-reports',
  schedule: '5 * * * *',
  items_per_run: 1,
  expire_seconds: hourSeconds,
  retries: 0,
  async run(_, context) {
    await endCampaigns(context.db.sql, dayOf(context.now().getTime()));
    let failed = 0;
    for (let due = await nextDue(null, context); due.length > 0; due = await nextDue(due.at(-1) ?? null, context)) {
      for (const report of due) {
        if (context.signal.aborted) return;
        if (!(await tryFreeze(report, context))) failed += 1;
      }
    }
    if (failed > 0)
      throw new Error(`${failed} weekly reports could not be created. The next run of this job tries again.`);
  },
};

function nextDue(after: DueReport | null, { db, now }: JobContext): Promise<DueReport[]> {
  const at = now().getTime();
  const history = reportTiers.map((tier) => ({ tier, from: new Date(historyStart(at, tiers[tier].history_days)) }));
  return reportsToBuild(db.sql, { ended_by: new Date(at - graceMs), history, after, limit: dueAtOnce });
}

/**
 * Creates and stores one final weekly report. Returns false after an error and does not throw, so that the reports of
 * other campaigns are still created.
 */
async function tryFreeze(due: DueReport, context: JobContext): Promise<boolean> {
  try {
    await freeze(due, context);
    return true;
  } catch (error) {
    const { campaign_id, period_start } = due;
    context.log.error({ err: error, campaign_id, period_start }, 'a weekly report could not be created');
    return false;
  }
}

async function freeze(due: DueReport, context: JobContext): Promise<void> {
  const { workspace_id, campaign_id, tier, period_start } = due;
  const now = context.now();
  const reportId = newId(now);
  const owner = { workspace_id, campaign_id, tier, now };
  const period = { report_id: reportId, final: true, period_start: period_start.getTime() };
  const report = await loadReport(context.db.sql, owner, period);
  if (!report) return;
  const periodEnd = new Date(report.period_end);
  const frozen = {
    workspace_id,
    campaign_id,
    report_id: reportId,
    period_start,
    period_end: periodEnd,
    body: JSON.stringify(report),
  };
  // Locks the workspace before the campaign, in the same order as the deletion of a campaign, to avoid a deadlock.
  await alone(context.db.sql, workspace_id, async (tx) => {
    const stored = await freezeReport(tx, frozen);
    // Sends nothing and writes no spreadsheet when the campaign is paused, or when the week ended before the campaign
    // was created.
    if (!stored || due.status === 'paused' || periodEnd <= due.created_at) return;
    const data = { workspace_id, campaign_id, report_id: reportId };
    await context.queue.send('push-sheets', [{ key: reportId, data }], { tx });
    await announce(context, tx, workspace_id, 'report.ready', payloadOf(report));
    const brand = await readBrand(tx, workspace_id);
    const notice = { kind: 'weekly_report', subject_key: reportId, message: reportMessage(report, brand) };
    await notify(context, tx, workspace_id, { topic: 'weekly_report', campaign_id }, notice);
  });
}

/** Returns the data of the webhook event `report.ready`, with which the receiver can request the report. */
function payloadOf({ report_id, campaign, period_start, period_end }: Report) {
  return { report_id, campaign_id: campaign.id, campaign_name: campaign.name, period_start, period_end };
}
