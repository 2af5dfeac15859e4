/** Menu: opens the sidebar. */
function openSidebar_() {
  return Addon_.openSidebar();
}

/** Sidebar: which keys are connected, and what the server says of each. */
function sidebarAccount() {
  return Addon_.sidebarAccount();
}

/**
 * Sidebar: tries a key and keeps it, with the account or in the file.
 *
 * @param {unknown} place
 * @param {unknown} key
 */
function sidebarConnect(place, key) {
  return Addon_.sidebarConnect(place, key);
}

/**
 * Sidebar: forgets the key of one place.
 *
 * @param {unknown} place
 */
function sidebarDisconnect(place) {
  return Addon_.sidebarDisconnect(place);
}

/**
 * Sidebar: whether formulas in this file may use the credits of this person, who owns it.
 *
 * @param {unknown} allowed
 */
function sidebarAllowFormulas(allowed) {
  return Addon_.sidebarAllowFormulas(allowed);
}

/** Sidebar: what is selected in the sheet. */
function sidebarSelection() {
  return Addon_.sidebarSelection();
}

/**
 * Sidebar: what a formula over the selected addresses would cost.
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

/** Sidebar: the fill of this file that is not finished. */
function sidebarFill() {
  return Addon_.sidebarFill();
}

/**
 * Sidebar: begins a fill of the selected profiles.
 *
 * @param {unknown} question
 */
function sidebarFillStart(question) {
  return Addon_.sidebarFillStart(question);
}

/**
 * Sidebar: asks for the next rows of a fill and writes them.
 *
 * @param {unknown} id
 */
function sidebarFillChunk(id) {
  return Addon_.sidebarFillChunk(id);
}

/**
 * Sidebar: forgets what a fill has still to do.
 *
 * @param {unknown} id
 */
function sidebarFillDiscard(id) {
  return Addon_.sidebarFillDiscard(id);
}
