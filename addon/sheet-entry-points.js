/** Sidebar: returns the campaigns of the workspace. */
function sidebarCampaigns() {
  return Addon_.sidebarCampaigns();
}

/**
 * Sidebar: writes a campaign's report into its own sheet, or updates it.
 *
 * @param {unknown} campaignId
 * @param {unknown} reportId
 */
function sidebarInsertReport(campaignId, reportId) {
  return Addon_.sidebarInsertReport(campaignId, reportId);
}

/**
 * Sidebar: runs the formulas of the selection, the sheet or the file again.
 *
 * @param {unknown} scope
 */
function sidebarRefreshFormulas(scope) {
  return Addon_.sidebarRefreshFormulas(scope);
}

/**
 * Sidebar: replaces the formulas of the selection or the sheet with their values.
 *
 * @param {unknown} scope
 */
function sidebarFreeze(scope) {
  return Addon_.sidebarFreeze(scope);
}

/** Sidebar: returns the user's schedule for this file. */
function sidebarSchedule() {
  return Addon_.sidebarSchedule();
}

/**
 * Sidebar: sets or removes the user's schedule for this file.
 *
 * @param {unknown} hours
 */
function sidebarSetSchedule(hours) {
  return Addon_.sidebarSetSchedule(hours);
}

/** Sidebar: returns the last runs in this file. */
function sidebarRuns() {
  return Addon_.sidebarRuns();
}

/** Trigger: refreshes the reports and the refresh cell of this file, and runs the imports that are due. */
function refreshOnSchedule_() {
  return Addon_.refreshOnSchedule();
}
