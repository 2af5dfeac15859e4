/** Sidebar: the campaigns to choose from. */
function sidebarCampaigns() {
  return Addon_.sidebarCampaigns();
}

/**
 * Sidebar: writes a campaign's report into its own sheet, or refreshes it there.
 *
 * @param {unknown} campaignId
 * @param {unknown} reportId
 */
function sidebarInsertReport(campaignId, reportId) {
  return Addon_.sidebarInsertReport(campaignId, reportId);
}

/**
 * Sidebar: makes the formulas of the selection, the sheet or the file ask again.
 *
 * @param {unknown} scope
 */
function sidebarRefreshFormulas(scope) {
  return Addon_.sidebarRefreshFormulas(scope);
}

/**
 * Sidebar: turns the formulas of the selection or the sheet into their values.
 *
 * @param {unknown} scope
 */
function sidebarFreeze(scope) {
  return Addon_.sidebarFreeze(scope);
}

/** Sidebar: the schedule that this person has in this file. */
function sidebarSchedule() {
  return Addon_.sidebarSchedule();
}

/**
 * Sidebar: sets the schedule of this person in this file, or takes it away.
 *
 * @param {unknown} hours
 */
function sidebarSetSchedule(hours) {
  return Addon_.sidebarSetSchedule(hours);
}

/** Sidebar: the last runs in this file. */
function sidebarRuns() {
  return Addon_.sidebarRuns();
}

/** Timer: refreshes the reports and the refresh cell of this file. */
function refreshOnSchedule_() {
  return Addon_.refreshOnSchedule();
}
