/** Returns the campaigns of the user's workspace. Called by the sidebar. */
function sidebarCampaigns() {
  return Addon_.sidebarCampaigns();
}

/**
 * Writes a campaign's report into its own sheet, or updates that sheet. Called by the sidebar.
 *
 * @param {unknown} campaignId
 * @param {unknown} reportId
 */
function sidebarInsertReport(campaignId, reportId) {
  return Addon_.sidebarInsertReport(campaignId, reportId);
}

/**
 * Runs the formulas in the selection, the sheet or the whole spreadsheet again. Called by the sidebar.
 *
 * @param {unknown} scope
 * @param {unknown} press
 */
function sidebarRefreshFormulas(scope, press) {
  return Addon_.sidebarRefreshFormulas(scope, press);
}

/**
 * Replaces the formulas in the selection or the sheet with the values that they show. Called by the sidebar.
 *
 * @param {unknown} scope
 */
function sidebarFreeze(scope) {
  return Addon_.sidebarFreeze(scope);
}

/** Returns the user's schedule for refreshing this spreadsheet. Called by the sidebar. */
function sidebarSchedule() {
  return Addon_.sidebarSchedule();
}

/**
 * Sets or removes the user's schedule for refreshing this spreadsheet. Called by the sidebar.
 *
 * @param {unknown} hours
 */
function sidebarSetSchedule(hours) {
  return Addon_.sidebarSetSchedule(hours);
}

/** Returns the newest entries of the log of this spreadsheet (imports, refreshes, reports). Called by the sidebar. */
function sidebarRuns() {
  return Addon_.sidebarRuns();
}

/**
 * Refreshes the reports and the formulas with the refresh cell in this spreadsheet, and runs the imports that are due.
 * Called by a time-driven trigger.
 */
function refreshOnSchedule_() {
  return Addon_.refreshOnSchedule();
}
