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
 * Sidebar: returns how many rows of that formula are ready.
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
 */
function sidebarEstimate(maxAge, area, formula, limit) {
  return Addon_.sidebarEstimate(maxAge, area, formula, limit);
}

/**
 * Sidebar: writes the built formula into the selected cell.
 *
 * @param {unknown} choice
 */
function sidebarInsertFormula(choice) {
  return Addon_.sidebarInsertFormula(choice);
}

/** Sidebar: returns the unfinished fill of this file. A fill writes the data of a list of profiles into a sheet. */
function sidebarFill() {
  return Addon_.sidebarFill();
}

/**
 * Sidebar: starts a fill of the picked profiles.
 *
 * @param {unknown} request
 */
function sidebarFillStart(request) {
  return Addon_.sidebarFillStart(request);
}

/**
 * Sidebar: gets the next rows of a fill and writes them.
 *
 * @param {unknown} id
 */
function sidebarFillChunk(id) {
  return Addon_.sidebarFillChunk(id);
}

/**
 * Sidebar: discards the remaining rows of a fill.
 *
 * @param {unknown} id
 */
function sidebarFillDiscard(id) {
  return Addon_.sidebarFillDiscard(id);
}
