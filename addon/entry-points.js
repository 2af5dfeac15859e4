/** Adds the menu of the add-on. Google Sheets calls this function when a spreadsheet is opened. */
function onOpen() {
  return Addon_.onOpen();
}

/**
 * Adds the menu of the add-on. Google Sheets calls this function once, when the add-on is installed from a spreadsheet.
 */
function onInstall() {
  return Addon_.onInstall();
}

/** Asks for an API key and saves it. Called by the menu. */
function setKey_() {
  return Addon_.setKey();
}

/** Deletes the saved API key that the menu uses. Called by the menu. */
function forgetKey_() {
  return Addon_.forgetKey();
}

/** Runs the formulas that use the refresh cell (the named cell SOCIAL_REFRESH) again. Called by the menu. */
function refresh_() {
  return Addon_.refresh();
}

/** Shows the last four characters of the API key in use and the credits that are left. Called by the menu. */
function showBalance_() {
  return Addon_.showBalance();
}

/** Opens the sidebar. Called by the menu. */
function openSidebar_() {
  return Addon_.openSidebar();
}

/** Returns everything that the first screen of the sidebar shows. Called by the sidebar. */
function sidebarOpen() {
  return Addon_.sidebarOpen();
}

/**
 * Saves what the user chose in the sidebar, such as the open section. Called by the sidebar.
 *
 * @param {unknown} choices
 */
function sidebarRemember(choices) {
  return Addon_.sidebarRemember(choices);
}

/**
 * Writes a SOCIAL_PROFILE formula for the picked profile URLs into the free columns beside them. Called by the sidebar.
 *
 * @param {unknown} area
 * @param {unknown} press
 */
function sidebarFirstRows(area, press) {
  return Addon_.sidebarFirstRows(area, press);
}

/**
 * Returns the state of the formula that sidebarFirstRows wrote: loading, ready or failed. Called by the sidebar.
 *
 * @param {unknown} range
 */
function sidebarFirstRowsResult(range) {
  return Addon_.sidebarFirstRowsResult(range);
}

/** Returns the saved API keys, without their secret part, and the credits that are left. Called by the sidebar. */
function sidebarAccount() {
  return Addon_.sidebarAccount();
}

/**
 * Checks an API key and saves it, either for the user's Google account or in this spreadsheet. Called by the sidebar.
 *
 * @param {unknown} location
 * @param {unknown} key
 */
function sidebarConnect(location, key) {
  return Addon_.sidebarConnect(location, key);
}

/**
 * Deletes the API key that is saved for the user's Google account or in this spreadsheet. Called by the sidebar.
 *
 * @param {unknown} location
 */
function sidebarDisconnect(location) {
  return Addon_.sidebarDisconnect(location);
}

/**
 * Allows or forbids formulas in this spreadsheet to spend the credits of its owner. Called by the sidebar.
 *
 * @param {unknown} allowed
 */
function sidebarAllowFormulas(allowed) {
  return Addon_.sidebarAllowFormulas(allowed);
}

/** Writes five rows of sample data into a separate sheet. Called by the sidebar. */
function sidebarSamples() {
  return Addon_.sidebarSamples();
}

/** Returns the cells that the user selected, with the number of URLs in them. Called by the sidebar. */
function sidebarSelection() {
  return Addon_.sidebarSelection();
}

/**
 * Returns the estimated cost, in credits, of a formula for the URLs in the picked cells. Called by the sidebar.
 *
 * @param {unknown} maxAge
 * @param {unknown} area
 * @param {unknown} formula
 * @param {unknown} limit
 * @param {unknown} platform
 */
function sidebarEstimate(maxAge, area, formula, limit, platform) {
  return Addon_.sidebarEstimate(maxAge, area, formula, limit, platform);
}

/**
 * Writes the formula that the user put together in the sidebar into the selected cell. Called by the sidebar.
 *
 * @param {unknown} choice
 * @param {unknown} press
 */
function sidebarInsertFormula(choice, press) {
  return Addon_.sidebarInsertFormula(choice, press);
}

/** Returns the selected cells, which become the source or the target of an import. Called by the sidebar. */
function sidebarPickCells() {
  return Addon_.sidebarPickCells();
}

/** Returns the saved imports of this spreadsheet. Called by the sidebar. */
function sidebarImports() {
  return Addon_.sidebarImports();
}

/**
 * Returns one saved import, so that the sidebar can show it in a form. Called by the sidebar.
 *
 * @param {unknown} id
 */
function sidebarImport(id) {
  return Addon_.sidebarImport(id);
}

/**
 * Saves a new or changed import. Called by the sidebar.
 *
 * @param {unknown} input
 */
function sidebarImportSave(input) {
  return Addon_.sidebarImportSave(input);
}

/**
 * Deletes, duplicates or renames an import, or makes its schedule run with this user's account. Called by the sidebar.
 *
 * @param {unknown} id
 * @param {unknown} version
 * @param {unknown} change
 * @param {unknown} detail
 */
function sidebarImportChange(id, version, change, detail) {
  return Addon_.sidebarImportChange(id, version, change, detail);
}

/**
 * Returns the estimated cost, in credits, of an import. Called by the sidebar.
 *
 * @param {unknown} input
 */
function sidebarImportEstimate(input) {
  return Addon_.sidebarImportEstimate(input);
}

/**
 * Starts a run of an import, or returns the run that is not finished yet. Called by the sidebar.
 *
 * @param {unknown} id
 * @param {unknown} run
 * @param {unknown} isResumed
 */
function sidebarImportStart(id, run, isResumed) {
  return Addon_.sidebarImportStart(id, run, isResumed);
}

/**
 * Requests the next rows of a running import and writes them into the sheet. Called by the sidebar.
 *
 * @param {unknown} id
 * @param {unknown} run
 */
function sidebarImportStep(id, run) {
  return Addon_.sidebarImportStep(id, run);
}

/**
 * Cancels a run of an import. Rows that are already in the sheet stay there. Called by the sidebar.
 *
 * @param {unknown} id
 * @param {unknown} run
 */
function sidebarImportCancel(id, run) {
  return Addon_.sidebarImportCancel(id, run);
}
