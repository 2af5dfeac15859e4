import { forPage } from './platform/page-call.ts';
import { lastRuns, type Run } from './platform/runs.ts';
import { freeze } from './refresh/freeze.ts';
import { refreshPart } from './refresh/refresh.ts';
import { readSchedule, setSchedule } from './refresh/schedule.ts';
import { listCampaigns } from './report-sheet/campaigns.ts';
import { insertReport } from './report-sheet/report-sheet.ts';

export { runOnSchedule as refreshOnSchedule } from './imports/on-schedule.ts';

export const sidebarCampaigns = forPage(listCampaigns);
export const sidebarInsertReport = forPage(insertReport);
export const sidebarRefreshFormulas = forPage(refreshPart);
export const sidebarFreeze = forPage(freeze);
export const sidebarSchedule = forPage(readSchedule);
export const sidebarSetSchedule = forPage(setSchedule);
export const sidebarRuns = forPage((): { ok: true; runs: Run[] } => ({ ok: true, runs: lastRuns() }));
