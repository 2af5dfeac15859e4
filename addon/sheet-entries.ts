import { freeze } from './freeze.ts';
import { forPage } from './page-call.ts';
import { refreshPart } from './refresh.ts';
import { insertReport } from './report-sheet.ts';
import { lastRuns, type Run } from './runs.ts';
import { readSchedule, setSchedule } from './schedule.ts';
import { listCampaigns } from './sheet-campaigns.ts';

export { refreshOnSchedule } from './sheet-scheduled.ts';

export const sidebarCampaigns = forPage(listCampaigns);
export const sidebarInsertReport = forPage(insertReport);
export const sidebarRefreshFormulas = forPage(refreshPart);
export const sidebarFreeze = forPage(freeze);
export const sidebarSchedule = forPage(readSchedule);
export const sidebarSetSchedule = forPage(setSchedule);
export const sidebarRuns = forPage((): { ok: true; runs: Run[] } => ({ ok: true, runs: lastRuns() }));
