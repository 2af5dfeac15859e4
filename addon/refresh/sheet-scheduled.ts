import { minuteMs } from '../durations.ts';
import { fileStore } from '../platform/file-store.ts';
import { holdLock } from '../platform/lock.ts';
import { failureOf, PlainError } from '../platform/page-call.ts';
import { keyStores, network } from '../platform/platform.ts';
import { recordRun } from '../platform/runs.ts';
import { ReportError, writeReport } from '../report-sheet/report-sheet.ts';
import { forgetSaved, type OwnSheet, readSaved, savedCampaigns, sheetById } from '../report-sheet/target.ts';
import { rewriteRefreshCell } from './refresh.ts';
import { claimScheduledRun, isAuthorized, nothingHere } from './schedule.ts';

const what = 'Scheduled refresh';
/**
 * Milliseconds after which a scheduled refresh does not start another report. Google stops a trigger after six minutes.
 */
const budgetMs = 4 * minuteMs;
/** Error codes that every other campaign report would get too. After such an error, no more reports are requested. */
const stoppingCodes = ['API_KEY_NOT_SET', 'INVALID_API_KEY', 'PRODUCTION_KEY_REQUIRED', 'PAID_ACCESS_REQUIRED'];

type Tally = { ok: number; failed: number; messages: string[] };

/**
 * Refreshes the campaign reports in this spreadsheet, then makes the formulas that use the refresh cell (the named cell
 * SOCIAL_REFRESH) run again. A trigger starts this function, so no user sees its result. Every result and error is
 * written to the log of the spreadsheet.
 */
export function refreshOnSchedule(): void {
  try {
    if (!isAuthorized()) {
      const message = 'Google needs your permission again. Open the sidebar once.';
      recordRun({ what, rows: 0, ok: 0, failed: 1, credits: 0, message });
      return;
    }
    if (!claimScheduledRun()) return;
    const tally = refreshReports();
    const cellRewritten = holdLock(rewriteRefreshCell);
    const { ok, failed, messages } = tally;
    const message = [doneSentence(tally, cellRewritten), ...new Set(messages)].join(' ');
    recordRun({ what, rows: ok + failed, ok, failed, credits: cellRewritten ? null : 0, message });
  } catch (error) {
    recordRun({ what, rows: 0, ok: 0, failed: 1, credits: null, message: failureOf(error).message });
  }
}

function doneSentence({ ok, failed }: Tally, cellRewritten: boolean): string {
  if (ok + failed === 0 && !cellRewritten) return `Nothing was updated: ${nothingHere}`;
  const reports = ok === 1 ? '1 report' : `${ok} reports`;
  return `${reports} refreshed.${cellRewritten ? ' Formulas with the refresh cell run again.' : ''}`;
}

/**
 * Refreshes every campaign report that shows the newest week. A report for one week that the user chose is not
 * refreshed, because it never changes.
 */
function refreshReports(): Tally {
  const untilMs = network.now() + budgetMs;
  const tally: Tally = { ok: 0, failed: 0, messages: [] };
  for (const campaignId of reportsToRefresh()) {
    if (network.now() > untilMs) {
      tally.failed += 1;
      tally.messages.push(
        'There was not enough time for all reports. To update the others now, insert them again under Report.',
      );
      continue;
    }
    try {
      writeReport(campaignId, null, false);
      tally.ok += 1;
    } catch (error) {
      if (!(error instanceof PlainError)) throw error;
      tally.failed += 1;
      tally.messages.push(error.message);
      if (error instanceof ReportError && stoppingCodes.includes(error.code ?? '')) break;
    }
  }
  return tally;
}

/**
 * Returns the IDs of the campaigns whose reports must be refreshed. Deletes the saved data of reports whose two sheets
 * no longer exist.
 */
function reportsToRefresh(): string[] {
  const file = SpreadsheetApp.getActiveSpreadsheet();
  const store = fileStore(keyStores().document);
  const names = PropertiesService.getDocumentProperties().getKeys();
  return savedCampaigns(names).filter((campaignId) => {
    const saved = readSaved(store, campaignId);
    const exists = (sheet: OwnSheet | null | undefined): boolean => !!sheet && sheetById(file, sheet.sheet_id) !== null;
    if (!exists(saved) && !exists(saved?.details)) forgetSaved(store, campaignId);
    return exists(saved) && saved?.report_id === null;
  });
}
