/**
 * Public numbers of social profiles, one row for each profile: first its status, then the fields you name.
 * The status is OK or says why the row is empty. What the platform does not tell stays empty.
 * Dates are text in UTC, such as 2026-11-20T10:00:00.000Z.
 *
 * @param {"A2:A50"} urls One profile URL, or a column of them. An empty cell gives an empty row.
 * @param {"followers,posts"} fields What to show, separated by commas or as a row of headings. Empty: the usual fields.
 * @param {"7d"} maxAge How old an answer may be: 1d, 3d, 7d, 14d, 30d or fresh, or the refresh cell. Empty: 1d.
 * @return {Array<Array<string|number|boolean>>} One row for each profile.
 * @customfunction
 */
function SOCIAL_PROFILE(urls, fields, maxAge) {
  return Addon_.SOCIAL_PROFILE(urls, fields, maxAge);
}

/**
 * The latest posts of one or more profiles below each other: first the status, then the fields you name.
 * A profile that could not be read has one row that says why. Dates are text in UTC, such as 2026-11-20T10:00:00.000Z.
 *
 * @param {"A2"} profile One profile URL, or a range of up to 40. Each is a request of its own; empty cells are passed over.
 * @param {10} limit How many posts of each profile, 1 to 20. Empty: 3.
 * @param {"published_at,caption,likes"} fields What to show, separated by commas or as a row of headings. Empty: the usual fields.
 * @param {"7d"} maxAge How old an answer may be: 1d, 3d, 7d, 14d, 30d or fresh, or the refresh cell. Empty: 1d.
 * @return {Array<Array<string|number|boolean>>} One row for each post.
 * @customfunction
 */
function SOCIAL_POSTS(profile, limit, fields, maxAge) {
  return Addon_.SOCIAL_POSTS(profile, limit, fields, maxAge);
}

/**
 * Public numbers of single posts and videos, one row for each: first its status, then the fields you name.
 * The status is OK or says why the row is empty. What the platform does not tell stays empty.
 * Dates are text in UTC, such as 2026-11-20T10:00:00.000Z.
 *
 * @param {"A2:A50"} urls The URL of one post or video, or a column of them. An empty cell gives an empty row.
 * @param {"views,likes,comments"} fields What to show, separated by commas or as a row of headings. Empty: the usual fields.
 * @param {"7d"} maxAge How old an answer may be: 1d, 3d, 7d, 14d, 30d or fresh, or the refresh cell. Empty: 1d.
 * @return {Array<Array<string|number|boolean>>} One row for each post.
 * @customfunction
 */
function SOCIAL_POST(urls, fields, maxAge) {
  return Addon_.SOCIAL_POST(urls, fields, maxAge);
}

/**
 * What tracking observed of your items, oldest first, below a row of headings. Free. A day without an observation has
 * no row, and a value that is not known is empty. Dates are text in UTC, such as 2026-11-20T10:00:00.000Z.
 *
 * @param {"A2"} item A tracked item by its id or URL, or a range of them.
 * @param {"followers"} metric followers, following, posts, views, likes, comments, shares, favorites or total_views; several separated by commas. Empty: those that the items have.
 * @param {30} days How many days back, 1 to 365, within the history of your tier. Empty: 30.
 * @param {"H1"} refresh The refresh cell (SOCIAL_REFRESH), or any cell: when it changes, the formula runs again.
 * @return {Array<Array<string|number|boolean>>} A row of headings, then one row for each observation.
 * @customfunction
 */
function SOCIAL_TRACKED(item, metric, days, refresh) {
  return Addon_.SOCIAL_TRACKED(item, metric, days, refresh);
}

/**
 * A campaign's newest finished weekly report, or the running week while there is none, below a row of headings. Free.
 * Dates are text in UTC; weeks begin on Monday 00:00 UTC. What is not known stays empty.
 *
 * @param {"Spring launch"} campaign The campaign's exact name, or its id.
 * @param {"totals"} section totals, items, series, notes or coverage. Empty: totals.
 * @param {"H1"} refresh The refresh cell (SOCIAL_REFRESH), or any cell: when it changes, the formula runs again.
 * @return {Array<Array<string|number|boolean>>} A row of headings, then the rows of the section.
 * @customfunction
 */
function SOCIAL_REPORT(campaign, section, refresh) {
  return Addon_.SOCIAL_REPORT(campaign, section, refresh);
}

/**
 * The credits that are left in the workspace of the API key, as one number. Free.
 *
 * @param {"H1"} refresh The refresh cell (SOCIAL_REFRESH), or any cell: when it changes, the formula runs again.
 * @return {number} The balance.
 * @customfunction
 */
function SOCIAL_CREDITS(refresh) {
  return Addon_.SOCIAL_CREDITS(refresh);
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
