/** Adds the menu when a file is opened. */
function onOpen() {
  return Addon_.onOpen();
}

/** Adds the menu to the file in which the add-on was installed. */
function onInstall() {
  return Addon_.onInstall();
}

/** Menu: asks for the API key and saves it. */
function setKey_() {
  return Addon_.setKey();
}

/** Menu: forgets the API key that the menu uses. */
function forgetKey_() {
  return Addon_.forgetKey();
}

/** Menu: makes the formulas that use the refresh cell (the named cell SOCIAL_REFRESH) run again. */
function refresh_() {
  return Addon_.refresh();
}

/** Menu: shows the API key in use and its balance. */
function showBalance_() {
  return Addon_.showBalance();
}

/** Menu: opens the sidebar. */
function openSidebar_() {
  return Addon_.openSidebar();
}

/** Sidebar: returns everything that its first screen shows. */
function sidebarOpen() {
  return Addon_.sidebarOpen();
}

/**
 * Sidebar: saves the choices of the user, such as the open section.
 *
 * @param {unknown} choices
 */
function sidebarRemember(choices) {
  return Addon_.sidebarRemember(choices);
}

/**
 * Sidebar: writes a formula for the picked profiles beside them.
 *
 * @param {unknown} area
 */
function sidebarFirstRows(area) {
  return Addon_.sidebarFirstRows(area);
}

/**
 * Sidebar: returns the state of the formula that sidebarFirstRows wrote.
 *
 * @param {unknown} place
 */
function sidebarFirstRowsResult(place) {
  return Addon_.sidebarFirstRowsResult(place);
}

/** Sidebar: returns the connected keys with their balance. */
function sidebarAccount() {
  return Addon_.sidebarAccount();
}

/**
 * Sidebar: checks a key and saves it, with the account or in the file.
 *
 * @param {unknown} location
 * @param {unknown} key
 */
function sidebarConnect(location, key) {
  return Addon_.sidebarConnect(location, key);
}

/**
 * Sidebar: forgets the key saved with the account or in the file.
 *
 * @param {unknown} location
 */
function sidebarDisconnect(location) {
  return Addon_.sidebarDisconnect(location);
}

/**
 * Sidebar: allows or forbids formulas in this file to use the credits of its owner.
 *
 * @param {unknown} allowed
 */
function sidebarAllowFormulas(allowed) {
  return Addon_.sidebarAllowFormulas(allowed);
}

/** Sidebar: writes five rows of sample data into a separate sheet. */
function sidebarSamples() {
  return Addon_.sidebarSamples();
}

/** Sidebar: returns the selected cells. */
function sidebarSelection() {
  return Addon_.sidebarSelection();
}

/**
 * Sidebar: returns the cost of a formula for the URLs in the picked cells.
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
 * Sidebar: writes the built formula into the selected cell.
 *
 * @param {unknown} choice
 */
function sidebarInsertFormula(choice) {
  return Addon_.sidebarInsertFormula(choice);
}

/** Sidebar: returns the selected cells for an import. */
function sidebarPickCells() {
  return Addon_.sidebarPickCells();
}

/** Sidebar: returns the saved imports of this file. */
function sidebarImports() {
  return Addon_.sidebarImports();
}

/**
 * Sidebar: returns one import for its form.
 *
 * @param {unknown} id
 */
function sidebarImport(id) {
  return Addon_.sidebarImport(id);
}

/**
 * Sidebar: saves an import.
 *
 * @param {unknown} input
 */
function sidebarImportSave(input) {
  return Addon_.sidebarImportSave(input);
}

/**
 * Sidebar: deletes, duplicates or renames an import, or takes over its schedule.
 *
 * @param {unknown} id
 * @param {unknown} version
 * @param {unknown} change
 * @param {unknown} name
 */
function sidebarImportChange(id, version, change, name) {
  return Addon_.sidebarImportChange(id, version, change, name);
}

/**
 * Sidebar: returns the cost of an import.
 *
 * @param {unknown} input
 */
function sidebarImportEstimate(input) {
  return Addon_.sidebarImportEstimate(input);
}

/**
 * Sidebar: starts a run of an import, or returns the unfinished one.
 *
 * @param {unknown} id
 */
function sidebarImportStart(id) {
  return Addon_.sidebarImportStart(id);
}

/**
 * Sidebar: gets the next rows of an import and writes them.
 *
 * @param {unknown} id
 */
function sidebarImportStep(id) {
  return Addon_.sidebarImportStep(id);
}

/**
 * Sidebar: cancels a run of an import.
 *
 * @param {unknown} id
 */
function sidebarImportCancel(id) {
  return Addon_.sidebarImportCancel(id);
}
