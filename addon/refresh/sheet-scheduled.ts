import { fileStore } from '../fill/job.ts';
import { holdLock } from '../platform/lock.ts';
import { PlainError } from '../platform/page-call.ts';
import { keyStores, network } from '../platform/platform.ts';
import { ReportError, writeReport } from '../report-sheet/report-sheet.ts';
import { forgetKept, keptCampaigns, readKept, sheetById } from '../report-sheet/target.ts';
import { rewriteRefreshCell } from './refresh.ts';
import { recordRun } from './runs.ts';
import { claimScheduledRun, isAuthorized, noteScheduledRun } from './schedule.ts';

const what = 'Scheduled refresh';
/** Of the six minutes of an execution. */
const budgetMs = 4 * 60_000;
/** With one of these, asking for the next report is in vain. */
const stoppingCodes = ['API_KEY_NOT_SET', 'INVALID_API_KEY', 'PRODUCTION_KEY_REQUIRED', 'PAID_ACCESS_REQUIRED'];

type Tally = { ok: number; failed: number; messages: string[] };

/**
 * What the timer runs: the reports in this file, then the refresh cell. It has nobody to tell, so all it comes to, every
 * failure too, goes to the log of runs.
 */
export function refreshOnSchedule(): void {
  try {
    if (!isAuthorized()) {
      const message = 'Google asks for your permission again: open the sidebar once.';
      recordRun({ what, rows: 0, ok: 0, failed: 1, credits: 0, message });
      return;
    }
    if (!claimScheduledRun()) return;
    noteScheduledRun();
    const tally = refreshReports();
    const cellRewritten = holdLock(rewriteRefreshCell);
    const { ok, failed, messages } = tally;
    const reports = ok === 1 ? '1 report' : `${ok} reports`;
    const formulas = cellRewritten ? ' Formulas that name the refresh cell ask again.' : '';
    const message = [`${reports} refreshed.${formulas}`, ...new Set(messages)].join(' ');
    recordRun({ what, rows: ok + failed, ok, failed, credits: cellRewritten ? null : 0, message });
  } catch (error) {
    const message = error instanceof PlainError ? error.message : `It broke off: ${String(error)}`;
    recordRun({ what, rows: 0, ok: 0, failed: 1, credits: null, message });
  }
}

/** Every report that shows the newest week; a chosen finished week never changes. */
function refreshReports(): Tally {
  const untilMs = network.now() + budgetMs;
  const tally: Tally = { ok: 0, failed: 0, messages: [] };
  for (const campaignId of standingReports()) {
    if (network.now() > untilMs) {
      tally.failed += 1;
      tally.messages.push('There was no time left for all reports.');
      continue;
    }
    try {
      writeReport(campaignId, null, false);
      tally.ok += 1;
    } catch (error) {
      if (!(error instanceof PlainError)) throw error;
      tally.failed += 1;
      tally.messages.push(error.message);
      if (error instanceof ReportError && stoppingCodes.includes(error.code)) break;
    }
  }
  return tally;
}

/** A report whose sheet was deleted is not wanted any more. */
function standingReports(): string[] {
  const file = SpreadsheetApp.getActiveSpreadsheet();
  const store = fileStore(keyStores().document);
  const names = PropertiesService.getDocumentProperties().getKeys();
  return keptCampaigns(names).filter((campaignId) => {
    const kept = readKept(store, campaignId);
    const stands = kept !== null && sheetById(file, kept.sheet_id) !== null;
    if (!stands) forgetKept(store, campaignId);
    return stands && kept.report_id === null;
  });
}
