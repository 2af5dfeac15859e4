/**
 * Public numbers of social profiles, one row for each profile: first its status, then the fields you name.
 * The status is OK or says why the row is empty. What the platform does not tell stays empty.
 *
 * @param {"A2:A50"} urls One profile URL, or a column of them. An empty cell gives an empty row.
 * @param {"followers,posts"} fields What to show, separated by commas or as a row of headings. Empty: the usual fields.
 * @param {"7d"} max_age How old an answer may be: 1d, 3d, 7d, 14d, 30d or fresh, or the refresh cell. Empty: 1d.
 * @return {Array<Array<string|number|boolean>>} One row for each profile.
 * @customfunction
 */
function SOCIAL_PROFILE(urls, fields, max_age) {
  return Addon_.SOCIAL_PROFILE(urls, fields, max_age);
}

/** Puts the menu into a file that opens. */
function onOpen() {
  return Addon_.onOpen();
}

/** Puts the menu into the file in which the add-on was just installed. */
function onInstall() {
  return Addon_.onInstall();
}

/** Menu: asks for the API key and keeps it. */
function setKey_() {
  return Addon_.setKey();
}

/** Menu: forgets the API key that is in use. */
function forgetKey_() {
  return Addon_.forgetKey();
}

/** Menu: makes the formulas that name the refresh cell ask again. */
function refresh_() {
  return Addon_.refresh();
}

/** Menu: says which key is in use and what balance it has. */
function showBalance_() {
  return Addon_.showBalance();
}
