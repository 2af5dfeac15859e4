/**
 * Gets the credits that are left in the workspace of the API key, as one number. Free.
 *
 * @param {"H1"} refresh Optional: the refresh cell (SOCIAL_REFRESH), or any cell. When it changes, the formula runs again.
 * @return {number} The balance.
 * @customfunction
 */
function SOCIAL_CREDITS(refresh) {
  return Addon_.SOCIAL_CREDITS(refresh);
}

/**
 * Gets public numbers of single posts and videos: one row for each, with its status first, then the fields you name.
 * The status is OK or says why the row is empty. A cell is empty when the platform does not publish the value.
 * Dates are text in UTC, such as 2026-11-20T10:00:00.000Z.
 *
 * @param {"A2:A50"} urls The URL of one post or video, or a column of them. An empty cell gives an empty row.
 * @param {"views,likes,comments"} fields The fields to show, separated by commas or as a row of headings. Empty: the usual fields.
 * @param {"7d"} maxAge How old the data may be: 1d (one day), 3d, 7d, 14d or 30d; or fresh for new data each time; or the refresh cell. Empty: 1d.
 * @return {Array<Array<string|number|boolean>>} One row for each post.
 * @customfunction
 */
function SOCIAL_POST(urls, fields, maxAge) {
  return Addon_.SOCIAL_POST(urls, fields, maxAge);
}

/**
 * Gets the latest posts of one or more profiles, one row for each post, with its status first, then the fields you name.
 * A profile that could not be read has one row that says why. Dates are text in UTC, such as 2026-11-20T10:00:00.000Z.
 *
 * @param {"A2"} profile One profile URL, or a range of up to 40. Each profile needs its own request; empty cells are skipped.
 * @param {10} limit How many posts of each profile, 1 to 20. Empty: 3.
 * @param {"published_at,caption,likes"} fields The fields to show, separated by commas or as a row of headings. Empty: the usual fields.
 * @param {"7d"} maxAge How old the data may be: 1d (one day), 3d, 7d, 14d or 30d; or fresh for new data each time; or the refresh cell. Empty: 1d.
 * @return {Array<Array<string|number|boolean>>} One row for each post.
 * @customfunction
 */
function SOCIAL_POSTS(profile, limit, fields, maxAge) {
  return Addon_.SOCIAL_POSTS(profile, limit, fields, maxAge);
}

/**
 * Gets public numbers of social profiles: one row for each profile, with its status first, then the fields you name.
 * The status is OK or says why the row is empty. A cell is empty when the platform does not publish the value.
 * Dates are text in UTC, such as 2026-11-20T10:00:00.000Z.
 *
 * @param {"A2:A50"} urls One profile URL, or a column of them. An empty cell gives an empty row.
 * @param {"followers,posts"} fields The fields to show, separated by commas or as a row of headings. Empty: the usual fields.
 * @param {"7d"} maxAge How old the data may be: 1d (one day), 3d, 7d, 14d or 30d; or fresh for new data each time; or the refresh cell. Empty: 1d.
 * @return {Array<Array<string|number|boolean>>} One row for each profile.
 * @customfunction
 */
function SOCIAL_PROFILE(urls, fields, maxAge) {
  return Addon_.SOCIAL_PROFILE(urls, fields, maxAge);
}

/**
 * Gets a campaign's newest finished weekly report, below a row of headings; before the first week has ended, the current
 * week. Free. Dates are text in UTC; weeks begin on Monday 00:00 UTC. An unknown value is an empty cell.
 *
 * @param {"Spring launch"} campaign The campaign's exact name, or its ID.
 * @param {"totals"} section totals, items, series, notes or coverage. Empty: totals.
 * @param {"H1"} refresh Optional: the refresh cell (SOCIAL_REFRESH), or any cell. When it changes, the formula runs again.
 * @return {Array<Array<string|number|boolean>>} A row of headings, then the rows of the section.
 * @customfunction
 */
function SOCIAL_REPORT(campaign, section, refresh) {
  return Addon_.SOCIAL_REPORT(campaign, section, refresh);
}

/**
 * Gets the history of your tracked items, oldest first, below a row of headings. Free. A day without an observation has
 * no row, and an unknown value is an empty cell. Dates are text in UTC, such as 2026-11-20T10:00:00.000Z.
 *
 * @param {"A2"} item A tracked item by its ID or URL, or a range of them.
 * @param {"followers"} metric A number such as followers, views or likes; several separated by commas. Empty: all numbers of the items.
 * @param {30} days How many days back, 1 to 365, within the history of your tier. Empty: 30.
 * @param {"H1"} refresh Optional: the refresh cell (SOCIAL_REFRESH), or any cell. When it changes, the formula runs again.
 * @return {Array<Array<string|number|boolean>>} A row of headings, then one row for each observation.
 * @customfunction
 */
function SOCIAL_TRACKED(item, metric, days, refresh) {
  return Addon_.SOCIAL_TRACKED(item, metric, days, refresh);
}

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

/** Trigger: refreshes the reports and the refresh cell of this file. */
function refreshOnSchedule_() {
  return Addon_.refreshOnSchedule();
}

var Addon_ = (() => {
  var __defProp = Object.defineProperty;
  var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
  var __getOwnPropNames = Object.getOwnPropertyNames;
  var __hasOwnProp = Object.prototype.hasOwnProperty;
  var __defNormalProp = (obj, key, value) => key in obj ? __defProp(obj, key, { enumerable: true, configurable: true, writable: true, value }) : obj[key] = value;
  var __export = (target, all) => {
    for (var name in all)
      __defProp(target, name, { get: all[name], enumerable: true });
  };
  var __copyProps = (to, from, except, desc) => {
    if (from && typeof from === "object" || typeof from === "function") {
      for (let key of __getOwnPropNames(from))
        if (!__hasOwnProp.call(to, key) && key !== except)
          __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
    }
    return to;
  };
  var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);
  var __publicField = (obj, key, value) => __defNormalProp(obj, typeof key !== "symbol" ? key + "" : key, value);

  // <stdin>
  var stdin_exports = {};
  __export(stdin_exports, {
    SOCIAL_CREDITS: () => SOCIAL_CREDITS2,
    SOCIAL_POST: () => SOCIAL_POST2,
    SOCIAL_POSTS: () => SOCIAL_POSTS2,
    SOCIAL_PROFILE: () => SOCIAL_PROFILE2,
    SOCIAL_REPORT: () => SOCIAL_REPORT2,
    SOCIAL_TRACKED: () => SOCIAL_TRACKED2,
    forgetKey: () => forgetKey2,
    onInstall: () => onInstall,
    onOpen: () => onOpen,
    openSidebar: () => openSidebar,
    refresh: () => refresh,
    refreshOnSchedule: () => refreshOnSchedule,
    setKey: () => setKey,
    showBalance: () => showBalance,
    sidebarAccount: () => sidebarAccount,
    sidebarAllowFormulas: () => sidebarAllowFormulas,
    sidebarCampaigns: () => sidebarCampaigns,
    sidebarConnect: () => sidebarConnect,
    sidebarDisconnect: () => sidebarDisconnect,
    sidebarEstimate: () => sidebarEstimate,
    sidebarFill: () => sidebarFill,
    sidebarFillChunk: () => sidebarFillChunk,
    sidebarFillDiscard: () => sidebarFillDiscard,
    sidebarFillStart: () => sidebarFillStart,
    sidebarFreeze: () => sidebarFreeze,
    sidebarInsertFormula: () => sidebarInsertFormula,
    sidebarInsertReport: () => sidebarInsertReport,
    sidebarRefreshFormulas: () => sidebarRefreshFormulas,
    sidebarRuns: () => sidebarRuns,
    sidebarSamples: () => sidebarSamples,
    sidebarSchedule: () => sidebarSchedule,
    sidebarSelection: () => sidebarSelection,
    sidebarSetSchedule: () => sidebarSetSchedule
  });

  // formulas/fields.ts
  var knownFields = [
    "url",
    "status",
    "platform",
    "account_id",
    "username",
    "display_name",
    "followers",
    "followers_quality",
    "following",
    "posts",
    "likes",
    "total_views",
    "verified",
    "private",
    "category",
    "country",
    "language",
    "bio",
    "external_url",
    "avatar_url",
    "created_at_platform",
    "profile_url",
    "retrieved_at",
    "cached",
    "credits_charged",
    "message"
  ];
  var knownPostFields = [
    "url",
    "status",
    "platform",
    "id",
    "permalink",
    "author",
    "author_id",
    "published_at",
    "title",
    "caption",
    "media_type",
    "views",
    "likes",
    "comments",
    "shares",
    "favorites",
    "counts_quality",
    "duration_seconds",
    "hashtags",
    "media_url",
    "retrieved_at",
    "cached",
    "credits_charged",
    "message"
  ];
  var profileColumns = {
    known: knownFields,
    usual: ["username", "display_name", "followers", "following", "posts", "likes", "total_views", "verified"]
  };
  var postColumns = {
    known: knownPostFields,
    usual: ["url", "published_at", "title", "caption", "views", "likes", "comments", "shares", "permalink"]
  };
  function readFields(input, { known, usual }) {
    const fields = readWords(input).map((word) => knownWord(word, known, "field"));
    return [.../* @__PURE__ */ new Set(["status", ...fields.length === 0 ? usual : fields])];
  }
  function readWords(input) {
    return [input].flat(2).flatMap((part) => part === null || part === void 0 ? [] : String(part).split(/[,;]/)).map((word) => word.trim().toLowerCase().replace(/\s+/g, "_")).filter((word) => word !== "");
  }
  function knownWord(word, known, what2) {
    const name = known.find((one) => one === word);
    if (name !== void 0) return name;
    throw new Error(
      "There is no ".concat(what2, ' "').concat(word, '". Did you mean "').concat(nearest(word, known), '"? The ').concat(what2, "s are ").concat(known.join(", "), ".")
    );
  }
  function nearest(word, choices) {
    const ranked = choices.map((choice) => ({ choice, edits: editDistance(word, choice) }));
    return ranked.reduce((best, next) => next.edits < best.edits ? next : best).choice;
  }
  function editDistance(from, to) {
    let above = Array.from({ length: to.length + 1 }, (_, column) => column);
    for (let row = 1; row <= from.length; row++) {
      const line = [row];
      for (let column = 1; column <= to.length; column++) {
        const replaced = cost(above, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
        line.push(Math.min(replaced, cost(above, column) + 1, cost(line, column - 1) + 1));
      }
      above = line;
    }
    return cost(above, to.length);
  }
  function cost(line, column) {
    return line[column] ?? Number.POSITIVE_INFINITY;
  }

  // formulas/max-age.ts
  var maxAges = ["1d", "3d", "7d", "14d", "30d", "fresh"];
  var usualMaxAge = "1d";
  var refreshName = "SOCIAL_REFRESH";
  var refreshWindowMs = 2 * 6e4;
  function readMaxAge(input, nowMs) {
    if (input === null || input === void 0 || typeof input === "boolean" || input instanceof Date) return usualMaxAge;
    const [word = "", ...times] = String(input).trim().toLowerCase().split(/\s+/);
    if (word === "") return usualMaxAge;
    const maxAge2 = maxAges.find((known) => known === word);
    if (maxAge2 === void 0) {
      throw new Error(
        'There is no max_age "'.concat(word, '". Did you mean "').concat(nearest(word, maxAges), '"? Use one of ').concat(maxAges.join(", "), ".")
      );
    }
    if (maxAge2 !== "fresh" || times.length === 0) return maxAge2;
    const agesMs = times.map((time) => nowMs - Date.parse(time));
    return agesMs.some((ageMs) => ageMs >= 0 && ageMs <= refreshWindowMs) ? "fresh" : usualMaxAge;
  }
  function maxAgeParameter(input, nowMs) {
    const maxAge2 = readMaxAge(input, nowMs);
    return maxAge2 === "fresh" ? "fresh=true" : "cache_max_age=".concat(maxAge2);
  }
  function refreshedText(content, nowMs) {
    const [word] = String(content).trim().toLowerCase().split(/\s+/);
    const maxAge2 = maxAges.find((known) => known === word) ?? "fresh";
    return "".concat(maxAge2, " ").concat(new Date(nowMs).toISOString());
  }

  // platform/failure-sentence.ts
  var copyKey = "Copy the whole key from your dashboard and try again.";
  var help = { label: "What this means", path: "/docs/addon#what-the-status-means" };
  var keysPage = { label: "Open your keys", path: "/dashboard/keys" };
  var creditsPage = { label: "Open your credits", path: "/dashboard/credits" };
  var causes = {
    INVALID_API_KEY: { sentence: "The server does not know this key, or it was revoked. ".concat(copyKey), ...keysPage },
    API_KEY_NOT_SET: { sentence: "No API key is connected. Connect one under Account.", ...keysPage },
    FORMULAS_NOT_ALLOWED: {
      sentence: "A key is connected, but formulas in this file may not use it yet. The owner of the file allows it in the sidebar under Account: Formulas in this file may use my credits.",
      ...help
    },
    FILE_WITHOUT_OWNER: {
      sentence: "This file is in a shared drive, so it has no owner whose credits its formulas could use. Save a sheet key in the file instead.",
      label: "Create a sheet key",
      path: "/dashboard/keys"
    },
    SHEET_KEY_NEEDED: {
      sentence: "Everyone who can edit this file can also read the key that is saved in it, so this add-on takes only a sheet key. A sheet key has a monthly limit. Create one on your dashboard and paste it here.",
      label: "Create a sheet key",
      path: "/dashboard/keys"
    },
    INSUFFICIENT_CREDITS: {
      sentence: "There are not enough credits, or the monthly cap of the key is reached. Add credits or raise the cap on your dashboard.",
      server_says_more: true,
      ...creditsPage
    },
    PAID_ACCESS_REQUIRED: {
      sentence: "Reports open after your workspace has bought a credit pack once.",
      ...creditsPage
    },
    PRODUCTION_KEY_REQUIRED: {
      sentence: "A development key gives only sample data. Connect a production key or a sheet key.",
      ...keysPage
    },
    KEY_NOT_ALLOWED: {
      sentence: "This key is limited to other uses. Connect a key that may be used in spreadsheets.",
      server_says_more: true,
      ...keysPage
    },
    ADDRESS_NOT_ALLOWED: {
      sentence: "This key works only from certain IP addresses, and requests from a spreadsheet come from Google’s computers. Connect a key without this limit.",
      ...keysPage
    },
    RATE_LIMITED: {
      sentence: "Too many requests in this minute. Wait one minute, and use one formula for a whole column.",
      ...help
    },
    SERVER_UNREACHABLE: {
      sentence: "Google could not connect to your server. It may be off, or not reachable from the internet. Try again in a minute.",
      ...help
    },
    SERVER_NOT_FOUND: {
      sentence: "The address of your server does not exist on the internet (DNS). Tell the person who runs your server.",
      ...help
    },
    SERVER_CERTIFICATE: {
      sentence: "The certificate (https) of your server is not valid. Tell the person who runs your server.",
      ...help
    },
    SERVER_TIMEOUT: {
      sentence: "Your server did not answer in time. Try again: rows that were answered before are free.",
      ...help
    },
    SERVER_UNAVAILABLE: { sentence: "The server cannot answer at the moment. Try again in a minute.", ...help },
    SERVER_ANSWER_UNREADABLE: {
      sentence: "The answer did not come from the API, perhaps from a login page. Try again later.",
      ...help
    },
    LOGIN_PAGE: {
      sentence: "A login page or a redirect is in front of your server, so Google cannot reach the API. Tell the person who runs your server: /v1 must be open to the internet.",
      ...help
    },
    INTERNAL: { sentence: "The server had an internal error. Nothing was charged. Try again in a minute.", ...help },
    GOOGLE_DAILY_QUOTA: {
      sentence: "The daily limit of Google for your account is used up (20,000 requests, with Google Workspace 100,000). It works again tomorrow. One formula for a whole column needs far fewer requests.",
      ...help
    },
    GOOGLE_BUSY: {
      sentence: "Google is busy with too many formulas or scripts of your account at once. Wait a minute, then try again.",
      ...help
    },
    GOOGLE_TIME_LIMIT: {
      sentence: "This took longer than Google allows (30 seconds for a formula, 6 minutes otherwise). Try it with fewer rows.",
      ...help
    },
    ADMIN_BLOCKED: {
      sentence: "The administrator of your Google Workspace blocks requests to your server. Ask the administrator to allow its address for Apps Script (UrlFetch).",
      ...help
    },
    ADDON_OUTDATED: {
      sentence: "The installed add-on is older than this page, or was built for another server address. Reload the file. If that does not help, install the current files again.",
      label: "Get the add-on",
      path: "/addon"
    },
    SEVERAL_ACCOUNTS: {
      sentence: "Your browser is signed in to several Google accounts, and Google used another one than the one that opened this file. Open the file in a private window or in a browser profile with only this account.",
      ...help
    },
    PERMISSION_MISSING: {
      sentence: "The add-on needs a permission that you have not given. Choose Open sidebar in its menu and allow everything that Google asks for.",
      ...help
    },
    NO_CONNECTION: {
      sentence: "Your browser could not reach Google Sheets. Check your internet connection, then try again.",
      ...help
    },
    PROTECTED_CELLS: {
      sentence: "Some of these cells are protected, and you may not edit them. Choose other cells, or ask the owner of the file: Data > Protect sheets and ranges.",
      ...help
    },
    DATA_VALIDATION: {
      sentence: "Some of these cells accept only certain values (data validation), so nothing was written. Choose other cells, or remove the rule: Data > Data validation.",
      ...help
    },
    FILE_FULL: {
      sentence: "This file has reached the limit of 10 million cells. Delete sheets or empty rows first.",
      ...help
    },
    STORAGE_FULL: {
      sentence: "The storage of Google for this add-on and this file is full. Delete imports or schedules that you no longer need.",
      ...help
    },
    GOOGLE_ERROR: { sentence: "Google Sheets refused this. Reload the file and try again.", ...help },
    SHEET_DELETED: { sentence: "The sheet was deleted in the meantime. Choose another one.", ...help }
  };
  function failureSentence({ code, message }) {
    const known = causes[code];
    if (known !== void 0 && (message === "" || known.server_says_more !== true)) return known.sentence;
    return message === "" ? "The server refused this (".concat(code, ").") : message;
  }
  function helpPage(code) {
    const { label, path } = causes[code] ?? { label: help.label, path: "/docs/errors#".concat(code) };
    return { label, path };
  }
  function mayBeCharged(code) {
    return ["SERVER_UNREACHABLE", "SERVER_TIMEOUT", "SERVER_UNAVAILABLE", "SERVER_ANSWER_UNREADABLE"].includes(code);
  }

  // platform/google-errors.ts
  var causes2 = [
    [/too many times for one day|computer time for one day/i, "GOOGLE_DAILY_QUOTA"],
    [/in a short time|per second|running simultaneously|bandwidth quota|LockService operations/i, "GOOGLE_BUSY"],
    [/maximum execution time/i, "GOOGLE_TIME_LIMIT"],
    [/by your admin|domain policy|contact your (domain )?administrator/i, "ADMIN_BLOCKED"],
    [/whitelisted in the script manifest|script function not found/i, "ADDON_OUTDATED"],
    [/error code PERMISSION_DENIED/i, "SEVERAL_ACCOUNTS"],
    [
      /permission to call|permissions are not sufficient|authori[sz]ation is required|access not granted/i,
      "PERMISSION_MISSING"
    ],
    [/protected cell or object/i, "PROTECTED_CELLS"],
    [/data validation rules/i, "DATA_VALIDATION"],
    [/number of cells in the workbook/i, "FILE_FULL"],
    [/property storage quota/i, "STORAGE_FULL"],
    [/sheet .+ not found/i, "SHEET_DELETED"],
    [/service spreadsheets|service error: spreadsheets/i, "GOOGLE_BUSY"],
    [/connection failure due to http|network ?error/i, "NO_CONNECTION"],
    [/dns error/i, "SERVER_NOT_FOUND"],
    [/ssl error/i, "SERVER_CERTIFICATE"],
    [/\btimeout: /i, "SERVER_TIMEOUT"],
    [/address unavailable/i, "SERVER_UNREACHABLE"]
  ];
  function googleCause(text2) {
    return causes2.find(([pattern]) => pattern.test(text2))?.[1] ?? null;
  }

  // platform/client.ts
  var urlCharactersMax = 2082;
  var budgetMs = 26e3;
  var requestLeastMs = 3e3;
  var attemptsMax = 4;
  var retryWaitMaxMs = 8e3;
  var jitterMaxMs = 1500;
  function packRequests(head, { name, per_request_max }, values) {
    const requests = [];
    const unsent = [];
    for (const value of values) {
      const parameter = "&".concat(name, "=").concat(encodeURIComponent(wellFormed(value)));
      const last = requests[requests.length - 1];
      if (head.length + parameter.length > urlCharactersMax) {
        unsent.push(value);
      } else if (last !== void 0 && last.values.length < per_request_max && last.url.length + parameter.length <= urlCharactersMax) {
        last.url += parameter;
        last.values.push(value);
      } else {
        requests.push({ url: head + parameter, values: [value] });
      }
    }
    return { requests, unsent };
  }
  function wellFormed(text2) {
    return text2.replace(/\p{Surrogate}/gu, "�");
  }
  function fetchAnswers(urls, key, network2, { deadline_ms = deadlineOf(network2), at_once = urls.length } = {}) {
    const answers = /* @__PURE__ */ new Map();
    let pending = [...urls];
    for (let attempt = 1; attempt <= attemptsMax && pending.length > 0; attempt++) {
      const replies = sendInWaves(pending, key, network2, { deadline_ms, at_once });
      const refused = [];
      let waitMs = 0;
      pending.forEach((url, index) => {
        const reply2 = replies[index] ?? unreachable;
        answers.set(url, "code" in reply2 ? { ok: false, failure: reply2 } : readAnswer(reply2));
        const retryAfterMs = "code" in reply2 ? null : retryWait(reply2);
        if (retryAfterMs === null) return;
        refused.push(url);
        waitMs = Math.max(waitMs, retryAfterMs);
      });
      waitMs += network2.random() * jitterMaxMs;
      if (refused.length === 0 || network2.now() + waitMs + requestLeastMs > deadline_ms) break;
      if (attempt < attemptsMax) network2.sleep(waitMs);
      pending = refused;
    }
    return urls.map((url) => answers.get(url) ?? { ok: false, failure: unreachable });
  }
  function deadlineOf(network2) {
    return network2.now() + budgetMs;
  }
  function sendInWaves(urls, key, network2, { deadline_ms, at_once }) {
    const replies = [];
    for (let begin = 0; begin < urls.length; begin += at_once) {
      replies.push(...send(urls.slice(begin, begin + at_once), key, deadline_ms - network2.now(), network2));
    }
    return replies;
  }
  function send(urls, key, timeoutMs, network2) {
    if (timeoutMs < requestLeastMs) return urls.map(() => notInTime);
    try {
      return network2.fetchAll(urls.map((url) => ({ url, headers: { "x-api-key": key }, timeout_ms: timeoutMs })));
    } catch (error) {
      network2.log("The server could not be reached: ".concat(String(error)));
      const failure = sendingFailure(String(error));
      return urls.map(() => failure);
    }
  }
  function sendingFailure(text2) {
    const code = googleCause(text2);
    if (code === null)
      return { code: "SERVER_UNREACHABLE", message: "".concat(unreachable.message, " Google says: “").concat(text2.slice(0, 200), "”") };
    return { code, message: failureSentence({ code, message: "" }) };
  }
  function retryWait(reply2) {
    const waitMs = reply2.status === 429 ? retryAfter(reply2) : null;
    return waitMs !== null && waitMs <= retryWaitMaxMs ? waitMs : null;
  }
  function retryAfter(reply2) {
    const seconds = header(reply2, "retry-after");
    return seconds !== null && /^\d{1,4}$/.test(seconds) ? Number(seconds) * 1e3 : null;
  }
  function header(reply2, name) {
    const found = Object.entries(reply2.headers).find(([key]) => key.toLowerCase() === name);
    return found === void 0 ? null : found[1].trim();
  }
  var unreachable = {
    code: "SERVER_UNREACHABLE",
    message: "Google could not connect to your server. Try again in a minute."
  };
  var notInTime = {
    code: "NOT_IN_TIME",
    message: "The formula ran out of time. Run it again: rows that were answered before are free."
  };
  function readAnswer(reply2) {
    const body = parseObject(reply2.text);
    if (reply2.status === 200 && body !== null && "data" in body) {
      return { ok: true, data: body.data, warnings: readWarnings(body.meta) };
    }
    const failure = bodyFailure(body) ?? statusFailure(reply2.status);
    const retryAfterMs = retryAfter(reply2);
    return { ok: false, failure: retryAfterMs === null ? failure : { ...failure, retry_after_ms: retryAfterMs } };
  }
  function readWarnings(meta) {
    const warnings = asObject(meta)?.warnings;
    return Array.isArray(warnings) ? warnings.filter((one) => typeof one === "string") : [];
  }
  function bodyFailure(body) {
    const error = asObject(body?.error);
    if (error === null || typeof error.code !== "string" || !/^[A-Z][A-Z0-9_]{0,63}$/.test(error.code)) return null;
    return { code: error.code, message: typeof error.message === "string" ? error.message : "" };
  }
  var loginStatuses = [301, 302, 303, 307, 308, 401, 403, 407];
  function statusFailure(status) {
    const code = statusCode(status);
    return { code, message: "".concat(failureSentence({ code, message: "" }), " (status ").concat(status, ")") };
  }
  function statusCode(status) {
    if (loginStatuses.includes(status)) return "LOGIN_PAGE";
    if (status === 429) return "RATE_LIMITED";
    return status >= 500 ? "SERVER_UNAVAILABLE" : "SERVER_ANSWER_UNREADABLE";
  }
  function parseObject(text2) {
    try {
      return asObject(JSON.parse(text2));
    } catch {
      return null;
    }
  }
  function asObject(value) {
    return typeof value === "object" && value !== null ? value : null;
  }

  // platform/install.ts
  function installKind() {
    return "bound";
  }

  // platform/page-failure.ts
  function failureLink(code) {
    const { label, path } = helpPage(code);
    return { label, url: "https://address-of-the-server.invalid" + path };
  }
  function pageFailure(failure) {
    return { ok: false, message: failureSentence(failure), code: failure.code, link: failureLink(failure.code) };
  }
  function knownFailure(code) {
    return pageFailure({ code, message: "" });
  }

  // platform/permissions.ts
  var permissions = {
    file: {
      scope: "spreadsheets.currentonly",
      label: "View and manage spreadsheets that this application has been installed in",
      use: "to read and write this file"
    },
    server: { scope: "script.external_request", label: "Connect to an external service", use: "to contact your server" },
    sidebar: {
      scope: "script.container.ui",
      label: "Display and run third-party web content in prompts and sidebars inside Google applications",
      use: "to show its menu and its sidebar"
    },
    schedule: {
      scope: "script.scriptapp",
      label: "Allow this application to run when you are not present",
      use: "to run on a schedule"
    }
  };
  var basicPermissions = ["file", "server", "sidebar"];
  function scopesOf(names) {
    return names.map((name) => "https://www.googleapis.com/auth/".concat(permissions[name].scope));
  }
  function askForPermissions(names) {
    ScriptApp.requireScopes(ScriptApp.AuthMode.FULL, scopesOf(names));
  }
  function permissionFailure(names) {
    const missing = names.filter((name) => isMissing([name]));
    if (missing.length === 0) return null;
    const url = authorization(missing).getAuthorizationUrl();
    const uses = missing.map((name) => "".concat(permissions[name].use, " (“").concat(permissions[name].label, "”)")).join(" and ");
    return {
      ok: false,
      message: "The add-on needs your permission ".concat(uses, ". Give it, then try again."),
      code: "PERMISSION_MISSING",
      link: url === null ? failureLink("PERMISSION_MISSING") : { label: "Give permission", url }
    };
  }
  function isMissing(names) {
    return authorization(names).getAuthorizationStatus() === ScriptApp.AuthorizationStatus.REQUIRED;
  }
  function authorization(names) {
    return ScriptApp.getAuthorizationInfo(ScriptApp.AuthMode.FULL, scopesOf(names));
  }

  // platform/settings.ts
  var keyProperty = "api_key";
  var formulasProperty = "formulas_in_";
  var keyForm = /^[A-Za-z]+_[A-Za-z]+_[A-Za-z0-9]{8,200}$/;
  function findKey(stores) {
    return savedKey(stores, "file") ?? (formulasAllowed(stores) ? savedKey(stores, "account") : null);
  }
  function findActionKey(stores) {
    return savedKey(stores, "account") ?? savedKey(stores, "file");
  }
  function savedKey(stores, location) {
    if (location === "account" && !stores.personal_keys) return null;
    const key = storeOf(stores, location)?.getProperty(keyProperty) ?? null;
    return key === null ? null : { key, location };
  }
  function storeOf(stores, location) {
    return location === "file" ? stores.document : stores.user;
  }
  function readKey(pasted) {
    const key = pasted.trim();
    return keyForm.test(key) ? key : null;
  }
  function saveKey(stores, location, key) {
    const store = storeOf(stores, location);
    if (location === "account" && !stores.personal_keys) throw new Error("This install keeps no key with an account.");
    if (store === null) throw new Error("A key can be saved in a file only while the file is open.");
    store.setProperty(keyProperty, key);
  }
  function formulasAllowed({ user, file_id, personal_keys }) {
    return personal_keys && file_id !== null && user.getProperty(formulasProperty + file_id) !== null;
  }
  function allowFormulas({ user, file_id }, allowed) {
    if (file_id === null) throw new Error("Formulas can be allowed only while a file is open.");
    if (allowed) user.setProperty(formulasProperty + file_id, "allowed");
    else user.deleteProperty(formulasProperty + file_id);
  }
  function removePersonalKey(stores) {
    if (stores.personal_keys || stores.user.getProperty(keyProperty) === null) return false;
    forgetKeyIn(stores, "account");
    return true;
  }
  function forgetKey(stores) {
    const found = findActionKey(stores);
    if (found !== null) forgetKeyIn(stores, found.location);
    return found?.location ?? null;
  }
  function forgetKeyIn(stores, location) {
    storeOf(stores, location)?.deleteProperty(keyProperty);
    if (location === "account" && stores.file_id !== null) allowFormulas(stores, false);
  }
  function lastFour(key) {
    return "…".concat(key.slice(-4));
  }

  // platform/platform.ts
  function keyStores() {
    return {
      document: PropertiesService.getDocumentProperties(),
      user: PropertiesService.getUserProperties(),
      file_id: SpreadsheetApp.getActiveSpreadsheet()?.getId() ?? null,
      personal_keys: installKind() === "addon"
    };
  }
  function activeAccount() {
    return Session.getTemporaryActiveUserKey().replace(/[^\w+/=-]/g, "");
  }
  function actionServer() {
    return { origin: "https://address-of-the-server.invalid", key: findActionKey(keyStores())?.key ?? null, network };
  }
  function server() {
    const stores = keyStores();
    const key = findKey(stores)?.key ?? null;
    const noKey2 = savedKey(stores, "account") === null ? "API_KEY_NOT_SET" : "FORMULAS_NOT_ALLOWED";
    return { origin: "https://address-of-the-server.invalid", key, no_key: noKey2, network };
  }
  var network = {
    fetchAll: (requests) => UrlFetchApp.fetchAll(requests.map(fetchRequest)).map(httpAnswer),
    sleep: (waitMs) => Utilities.sleep(Math.round(waitMs)),
    now: () => Date.now(),
    random: () => Math.random(),
    log: (message) => console.error(message)
  };
  function fetchRequest(request) {
    return {
      url: request.url,
      headers: request.headers,
      muteHttpExceptions: true,
      // Redirects are not followed, because Apps Script would send the API key to the new host.
      followRedirects: false,
      timeoutSeconds: Math.ceil(request.timeout_ms / 1e3)
    };
  }
  function httpAnswer(response) {
    const headers = Object.entries(response.getAllHeaders()).map(([name, value]) => [name, String(value)]);
    return {
      status: response.getResponseCode(),
      headers: Object.fromEntries(headers),
      text: response.getContentText()
    };
  }

  // platform/page-call.ts
  var wordsMax = 200;
  function forPage(entry) {
    return (...args) => {
      SpreadsheetApp.getUi();
      try {
        return entry(...args);
      } catch (error) {
        return failureOf(error);
      }
    };
  }
  function forMenu(entry) {
    return () => {
      const ui = SpreadsheetApp.getUi();
      try {
        entry();
      } catch (error) {
        const { message, link } = failureOf(error);
        const text2 = link === void 0 ? message : "".concat(message, "\n\n").concat(link.label, ": ").concat(link.url);
        ui.alert("This did not work", text2, ui.ButtonSet.OK);
      }
    };
  }
  function failureOf(error) {
    const code = error instanceof PlainError ? error.code : googleCause(String(error));
    const missing = code === "PERMISSION_MISSING" ? permissionFailure(basicPermissions) : null;
    if (missing !== null) return missing;
    if (error instanceof PlainError) {
      const { message: message2, link } = error;
      return { ok: false, message: message2, ...code !== null && { code }, ...link !== null && { link } };
    }
    network.log("A function of the add-on failed: ".concat(String(error)));
    if (code !== null) return knownFailure(code);
    const words = (error instanceof Error ? error.message : String(error)).slice(0, wordsMax);
    const message = "Google Sheets refused this: “".concat(words, "” Reload the file and try again.");
    return { ok: false, message, code: "GOOGLE_ERROR", link: failureLink("GOOGLE_ERROR") };
  }
  var PlainError = class extends Error {
    constructor(message, code = null, link = null) {
      super(message);
      __publicField(this, "code");
      __publicField(this, "link");
      this.code = code;
      this.link = link ?? (code === null ? null : failureLink(code));
    }
  };
  var FailureError = class extends PlainError {
    constructor(failure, more = "") {
      super("".concat(failureSentence(failure), " ").concat(more).trim(), failure.code);
    }
  };
  function requirePermission(name) {
    const failure = permissionFailure([name]);
    if (failure !== null) throw new PlainError(failure.message, failure.code, failure.link);
  }

  // platform/connect.ts
  var lowCredits = 50;
  var personalKeyRemoved = "The saved key was removed, because everyone who can edit this file could read it. Connect a sheet key, which has a monthly limit.";
  function readAccount() {
    const stores = keyStores();
    const notice = removePersonalKey(stores) ? personalKeyRemoved : null;
    const saved = ["account", "file"].flatMap((location) => savedKey(stores, location) ?? []);
    const checked = saved.map(({ key, location }) => ({ key, location, answer: fetchBalance(key) }));
    const refused = checked.filter(({ answer }) => answer?.ok === true && !isAllowed(answer.data));
    for (const { location } of refused) forgetKeyIn(stores, location);
    const views = checked.filter((one) => !refused.includes(one)).map(({ key, location, answer }) => ({ location, view: keyView(key, answer) }));
    const keys = { account: viewOf(views, "account"), file: viewOf(views, "file") };
    const uses = findActionKey(stores)?.location ?? null;
    return {
      ok: true,
      server: "https://address-of-the-server.invalid",
      install: installKind(),
      opened_by: activeAccount(),
      notice: refused.length > 0 ? personalKeyRemoved : notice,
      keys,
      uses,
      formulas: findKey(stores)?.location ?? null,
      formulas_allowed: formulasAllowed(stores),
      low: lowSentence(uses === null ? null : keys[uses]?.credits ?? null)
    };
  }
  function viewOf(views, location) {
    return views.find((shown) => shown.location === location)?.view ?? null;
  }
  function fetchBalance(key) {
    return fetchAnswers(["".concat("https://address-of-the-server.invalid", "/v1/credit/balance")], key, network)[0];
  }
  function connect(location, pasted) {
    const key = readKey(String(pasted));
    if (key === null) return { ok: false, message: "This is not an API key. Copy the whole key from your dashboard." };
    const answer = fetchBalance(key);
    if (answer?.ok !== true) throw new FailureError(failureIn(answer), "The key was not saved.");
    if (!isAllowed(answer.data)) throw new FailureError({ code: "SHEET_KEY_NEEDED", message: "" });
    saveKey(keyStores(), installKind() === "bound" ? "file" : readLocation(location), key);
    return readAccount();
  }
  function isAllowed(balance) {
    if (installKind() === "addon") return true;
    const { kind, monthly_cap } = asObject(asObject(balance)?.key) ?? {};
    return kind === "test" || kind === "sheet" && typeof monthly_cap === "number";
  }
  function failureIn(answer) {
    return answer?.ok === false ? answer.failure : { code: "SERVER_UNREACHABLE", message: "" };
  }
  function disconnect(location) {
    forgetKeyIn(keyStores(), readLocation(location));
    return readAccount();
  }
  function setFormulasAllowed(allowed) {
    if (installKind() === "bound") throw new FailureError({ code: "SHEET_KEY_NEEDED", message: "" });
    if (allowed === true && isWithoutOwner()) {
      throw new FailureError({ code: "FILE_WITHOUT_OWNER", message: "" });
    }
    allowFormulas(keyStores(), allowed === true);
    return readAccount();
  }
  function isWithoutOwner() {
    try {
      return SpreadsheetApp.getActiveSpreadsheet().getOwner() === null;
    } catch (error) {
      network.log("The owner of the file is unknown: ".concat(String(error)));
      return false;
    }
  }
  function readLocation(location) {
    return location === "file" ? "file" : "account";
  }
  function keyView(key, answer) {
    const data = answer?.ok === true ? asObject(answer.data) : null;
    const keyInfo = asObject(data?.key);
    const workspace = data?.workspace;
    return {
      last_four: lastFour(key),
      problem: answer?.ok === true ? null : failureSentence(failureIn(answer)),
      problem_link: answer?.ok === true ? null : failureLink(failureIn(answer).code),
      workspace: text(workspace) ?? text(asObject(workspace)?.name),
      tier: text(data?.tier),
      kind: text(keyInfo?.kind),
      name: text(keyInfo?.name),
      credits: count(data?.credits_remaining),
      monthly_cap: count(keyInfo?.monthly_cap),
      cap_used: count(keyInfo?.cap_used)
    };
  }
  function text(value) {
    return typeof value === "string" && value !== "" ? value : null;
  }
  function count(value) {
    return typeof value === "number" ? value : null;
  }
  function lowSentence(credits) {
    if (credits === null || credits >= lowCredits) return null;
    if (credits === 0) return "No credits are left. Top up on your dashboard.";
    return credits === 1 ? "Only 1 credit is left. Top up soon." : "Only ".concat(credits, " credits are left. Top up soon.");
  }

  // platform/grid.ts
  var cellCharactersMax = 5e4;
  function formulaCell(value) {
    if (value === null || value === void 0) return "";
    if (typeof value === "number" || typeof value === "boolean") return value;
    return cutText(typeof value === "string" ? value : JSON.stringify(value));
  }
  function writtenText(text2) {
    return "'".concat(cutText(text2));
  }
  function cutText(text2) {
    if (text2.length <= cellCharactersMax) return text2;
    const splitsPair = /[\uD800-\uDBFF]/.test(text2.charAt(cellCharactersMax - 1));
    return text2.slice(0, splitsPair ? cellCharactersMax - 1 : cellCharactersMax);
  }

  // platform/lock.ts
  var lockWaitMs = 2e4;
  function holdLock(work) {
    const lock = LockService.getDocumentLock();
    if (lock === null || !lock.tryLock(lockWaitMs)) {
      throw new PlainError("Another user or window is writing to this file. Try again in a minute.");
    }
    try {
      return work();
    } finally {
      lock.releaseLock();
    }
  }

  // refresh/runs.ts
  var runsProperty = "runs";
  var runsMax = 20;
  var messageCharactersMax = 200;
  var logBytesMax = 8500;
  function recordRun(run) {
    try {
      const store = keyStores().document;
      const message = run.message.slice(0, messageCharactersMax);
      const runs = [{ at: network.now(), ...run, message }, ...lastRuns()].slice(0, runsMax);
      while (runs.length > 1 && bytesAtMost(JSON.stringify(runs)) > logBytesMax) runs.pop();
      store?.setProperty(runsProperty, JSON.stringify(runs));
    } catch (error) {
      network.log("The run could not be logged: ".concat(String(error)));
    }
  }
  function lastRuns() {
    const text2 = keyStores().document?.getProperty(runsProperty) ?? null;
    const kept = text2 === null ? [] : parsed(text2);
    return Array.isArray(kept) ? kept.filter(isRun) : [];
  }
  function parsed(text2) {
    try {
      return JSON.parse(text2);
    } catch {
      return [];
    }
  }
  function isRun(value) {
    const run = asObject(value);
    return typeof run?.at === "number" && typeof run.what === "string" && typeof run.message === "string";
  }
  function bytesAtMost(text2) {
    return [...text2].reduce((sum, character) => sum + (character < "" ? 1 : 2 * character.length + 1), 0);
  }

  // refresh/sheet-formula-text.ts
  var textOrSocial = /"(?:[^"]|"")*"|(?<![\w!'.])SOCIAL_[A-Z_]+(?=\s*\()/gi;
  var textOrRefresh = /"(?:[^"]|"")*"|(?<![\w!'.])SOCIAL_REFRESH(?![\w(])(?:\s*&\s*" fresh [0-9TZ:.-]+")?/gi;
  function callsSocial(formula) {
    return (formula.match(textOrSocial) ?? []).some((part) => !part.startsWith('"'));
  }
  function stamped(formula, stamp) {
    return formula.replace(textOrRefresh, (part) => part.startsWith('"') ? part : refreshName + stamp);
  }
  function usesRefreshCell(formula) {
    return (formula.match(textOrRefresh) ?? []).some((part) => !part.startsWith('"'));
  }

  // refresh/sheet-formulas.ts
  var scopes = ["selection", "sheet", "file"];
  function socialFormulas(scope) {
    const file = SpreadsheetApp.getActiveSpreadsheet();
    if (scope === "file") return file.getSheets().flatMap((sheet) => formulasIn(sheet.getDataRange()));
    if (scope === "sheet") return formulasIn(file.getActiveSheet().getDataRange());
    const ranges = file.getActiveRangeList()?.getRanges() ?? [];
    const cells = ranges.flatMap(usedPart).flatMap(formulasIn);
    const seen = /* @__PURE__ */ new Set();
    return cells.filter(({ row, column }) => seen.size < seen.add("".concat(row, ",").concat(column)).size);
  }
  function usedPart(range) {
    const sheet = range.getSheet();
    const rows2 = Math.min(range.getLastRow(), sheet.getLastRow()) - range.getRow() + 1;
    const columns2 = Math.min(range.getLastColumn(), sheet.getLastColumn()) - range.getColumn() + 1;
    return rows2 < 1 || columns2 < 1 ? [] : [range.offset(0, 0, rows2, columns2)];
  }
  function formulasIn(range) {
    const sheet = range.getSheet();
    return range.getFormulas().flatMap(
      (formulas, down) => formulas.flatMap((formula, right) => {
        if (!callsSocial(formula)) return [];
        return [{ sheet, row: range.getRow() + down, column: range.getColumn() + right, formula }];
      })
    );
  }
  function runsOf(cells) {
    const ordered = [...cells].sort(
      (a, b) => a.sheet.getSheetId() - b.sheet.getSheetId() || a.column - b.column || a.row - b.row
    );
    const runs = [];
    for (const { sheet, row, column, formula } of ordered) {
      const last = runs[runs.length - 1];
      const isNext = last !== void 0 && last.sheet.getSheetId() === sheet.getSheetId() && last.column === column && last.row + last.formulas.length === row;
      if (isNext) last.formulas.push(formula);
      else runs.push({ sheet, row, column, formulas: [formula] });
    }
    return runs;
  }
  function areaOf({ sheet, row, column, formulas }) {
    return sheet.getRange(row, column, formulas.length, 1);
  }
  function setRun(run) {
    areaOf(run).setFormulas(run.formulas.map((formula) => [formula]));
  }

  // refresh/refresh.ts
  function refreshPart(input) {
    const scope = scopes.find((known) => known === input);
    if (scope === void 0) throw new PlainError("Choose the selection, the sheet or the file.");
    const { message, formulas } = holdLock(() => scope === "file" ? refreshFile() : refreshCells(scope));
    recordRun({ what: "Refresh of the ".concat(scope), rows: formulas, ok: formulas, failed: 0, credits: null, message });
    return { ok: true, message };
  }
  function refreshFile() {
    if (!rewriteRefreshCell()) {
      throw new PlainError(
        "This file has no refresh cell. Select an empty cell, choose Refresh in the menu, and use ".concat(refreshName, " as max_age in your formulas.")
      );
    }
    const formulas = socialFormulas("file").filter(({ formula }) => usesRefreshCell(formula)).length;
    const message = "".concat(counted(formulas), " with ").concat(refreshName, " refreshed ").concat(costHint());
    return { message, formulas };
  }
  function rewriteRefreshCell() {
    const cell = SpreadsheetApp.getActiveSpreadsheet().getRangeByName(refreshName);
    cell?.setValue(writtenText(refreshedText(cell.getValue(), network.now())));
    return cell !== null;
  }
  function refreshCells(scope) {
    const cells = socialFormulas(scope);
    if (cells.length === 0) throw new PlainError(noFormulaIn(scope));
    const stamp = '&" fresh '.concat(new Date(network.now()).toISOString(), '"');
    const withCell = cells.filter(({ formula }) => usesRefreshCell(formula));
    if (withCell.length > 0) requireMaxAge();
    const others = cells.filter((cell) => !withCell.includes(cell));
    for (const run of runsOf(withCell.map((cell) => ({ ...cell, formula: stamped(cell.formula, stamp) })))) setRun(run);
    writeAgain(others);
    SpreadsheetApp.flush();
    const parts = [];
    if (withCell.length > 0) parts.push("".concat(counted(withCell.length), " refreshed ").concat(costHint()));
    if (others.length > 0) {
      parts.push(
        "".concat(counted(others.length), " refreshed: only data older than the formula's own max_age (1d when empty) is replaced.")
      );
    }
    return { message: parts.join(" "), formulas: cells.length };
  }
  function writeAgain(cells) {
    const runs = runsOf(cells);
    try {
      for (const run of runs) areaOf(run).clearContent();
      SpreadsheetApp.flush();
    } finally {
      for (const run of runs) setRun(run);
    }
  }
  function requireMaxAge() {
    const content = refreshCellContent();
    const [word = ""] = String(content).trim().toLowerCase().split(/\s+/);
    if (word === "" || maxAges.some((known) => known === word)) return;
    throw new PlainError(
      "The refresh cell does not contain a max_age such as fresh or 7d. Refresh the whole file once to reset it."
    );
  }
  function refreshCellContent() {
    return SpreadsheetApp.getActiveSpreadsheet().getRangeByName(refreshName)?.getValue() ?? "";
  }
  function costHint() {
    const [word = ""] = String(refreshCellContent()).trim().split(/\s+/);
    const replaced = word === "" || word === "fresh" ? "with new data" : "with new data for rows older than ".concat(word);
    return "".concat(replaced, ", which may cost credits.");
  }
  function counted(formulas) {
    return formulas === 1 ? "1 formula" : "".concat(formulas, " formulas");
  }
  function noFormulaIn(scope) {
    return scope === "selection" ? "The selection has no SOCIAL_ formula. Select the cell that holds the formula, not only the rows it fills." : "This ".concat(scope, " has no SOCIAL_ formula.");
  }

  // menu.ts
  var locationLabels = { file: "in this file", account: "with your account" };
  function showMenu() {
    SpreadsheetApp.getUi().createAddonMenu().addItem("Open sidebar", "openSidebar_").addItem("Refresh", "refresh_").addSeparator().addItem("Set API key…", "setKey_").addItem("Forget API key", "forgetKey_").addItem("About and balance", "showBalance_").addToUi();
  }
  function openSidebar() {
    const ui = SpreadsheetApp.getUi();
    askForPermissions(basicPermissions);
    const page = HtmlService.createHtmlOutputFromFile("Sidebar").setTitle("Tidemark");
    ui.showSidebar(page.append('<p id="opened-by" hidden>'.concat(activeAccount(), "</p>")));
  }
  function promptForKey() {
    const ui = SpreadsheetApp.getUi();
    const prompt = ui.prompt(
      "Set API key",
      installKind() === "bound" ? "Paste a sheet key from your dashboard. It is saved in this file, and everyone who can edit the file can use it up to its monthly limit." : "Paste an API key from your dashboard. We recommend a sheet key.",
      ui.ButtonSet.OK_CANCEL
    );
    if (prompt.getSelectedButton() !== ui.Button.OK) return;
    const key = readKey(prompt.getResponseText());
    if (key === null) {
      showAlert(ui, "This is not an API key", "Copy the whole key from your dashboard and try again.");
      return;
    }
    const answer = fetchBalance(key);
    const refusal = refusalOf(answer);
    if (refusal !== null) {
      showAlert(ui, "The key was not saved", failureSentence({ code: refusal, message: "" }));
      return;
    }
    const location = installKind() === "bound" ? "file" : promptForLocation(ui);
    if (location === null) return;
    saveKey(keyStores(), location, key);
    if (location === "account") allowFormulas(keyStores(), true);
    showAlert(
      ui,
      "The key was saved",
      "".concat(lastFour(key), " is saved ").concat(locationLabels[location], ". ").concat(balanceSentence(answer))
    );
  }
  function refusalOf(answer) {
    if (answer?.ok === true) return isAllowed(answer.data) ? null : "SHEET_KEY_NEEDED";
    const code = answer?.failure.code ?? "SERVER_UNREACHABLE";
    return code === "INVALID_API_KEY" || installKind() === "bound" ? code : null;
  }
  function promptForLocation(ui) {
    const answer = ui.alert(
      "Save the key in this file?",
      "Yes: everyone who can edit this file can use its credits in formulas. No: the key is saved with your account. If you own this file, formulas in it use the key too, including those of other editors.",
      ui.ButtonSet.YES_NO_CANCEL
    );
    if (answer === ui.Button.YES) return "file";
    return answer === ui.Button.NO ? "account" : null;
  }
  function forgetSavedKey() {
    const ui = SpreadsheetApp.getUi();
    const location = forgetKey(keyStores());
    showAlert(
      ui,
      "Forget API key",
      location === null ? "No API key is saved." : "The key saved ".concat(locationLabels[location], " was removed.")
    );
  }
  function refreshFormulas() {
    const ui = SpreadsheetApp.getUi();
    const file = SpreadsheetApp.getActiveSpreadsheet();
    if (file.getRangeByName(refreshName) === null && !createRefreshCell(ui, file)) return;
    rewriteRefreshCell();
  }
  function createRefreshCell(ui, file) {
    const cell = file.getCurrentCell();
    if (cell === null || cell.getValue() !== "") {
      showAlert(ui, "There is no refresh cell yet", "Select an empty cell and choose Refresh again.");
      return false;
    }
    const answer = ui.alert(
      "There is no refresh cell yet",
      "Make ".concat(cell.getA1Notation(), " the refresh cell? Then use ").concat(refreshName, " as the last argument of your formulas. ") + "Refresh gets new data for them, which costs credits. Type 7d into the cell to replace only data older than 7 days.",
      ui.ButtonSet.OK_CANCEL
    );
    if (answer !== ui.Button.OK) return false;
    file.setNamedRange(refreshName, cell);
    return true;
  }
  function showAbout() {
    const ui = SpreadsheetApp.getUi();
    const found = findActionKey(keyStores());
    const sentence = found === null ? "No API key is saved." : "API key ".concat(lastFour(found.key), ", saved ").concat(locationLabels[found.location], ". ").concat(balanceSentence(fetchBalance(found.key)));
    showAlert(ui, "About", "".concat(sentence, " Server: ").concat("https://address-of-the-server.invalid"));
  }
  function balanceSentence(answer) {
    if (answer === void 0 || !answer.ok) {
      const failure = answer?.failure ?? { code: "SERVER_UNREACHABLE", message: "" };
      return "The balance could not be read: ".concat(failureSentence(failure), " (").concat(failure.code, ")");
    }
    const credits = asObject(answer.data)?.credits_remaining;
    if (typeof credits !== "number") return "The server did not return the balance.";
    return credits === 1 ? "1 credit is left." : "".concat(credits, " credits are left.");
  }
  function showAlert(ui, title, text2) {
    ui.alert(title, text2, ui.ButtonSet.OK);
  }

  // formulas/arguments.ts
  function readColumn(cells, what2) {
    if (cells === void 0) throw new Error("Enter ".concat(what2, "."));
    const column = Array.isArray(cells) ? cells.map((row) => onlyCell(row, what2)) : [cells];
    return column.map((cell) => cellText(cell, what2));
  }
  function onlyCell(row, what2) {
    if (!Array.isArray(row)) return row;
    if (row.length > 1) throw new Error("This range has more than one column. Enter ".concat(what2, "."));
    return row[0];
  }
  function readList(cells, what2) {
    if (cells === void 0) throw new Error("Enter ".concat(what2, "."));
    const texts = [cells].flat(2).map((cell) => cellText(cell, what2));
    return [...new Set(texts.filter((text2) => text2 !== ""))];
  }
  function cellText(cell, what2) {
    if (cell instanceof Date) throw new Error("A date cannot be used here. Enter ".concat(what2, "."));
    return String(cell ?? "").trim();
  }
  function checkCount(count2, max, what2) {
    if (count2 > max) {
      throw new Error("One formula takes at most ".concat(max, " ").concat(what2, ", and this range has ").concat(count2, ". Split the range."));
    }
  }
  function readWhole(argument, name, min, max) {
    const text2 = String([argument].flat(2)[0] ?? "").trim();
    if (text2 === "") return null;
    const whole = /^\d{1,6}$/.test(text2) ? Number(text2) : Number.NaN;
    if (whole >= min && whole <= max) return whole;
    throw new Error("".concat(name, " must be a whole number from ").concat(min, " to ").concat(max, "."));
  }
  var idForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
  function isId(text2) {
    return idForm.test(text2);
  }

  // formulas/tables.ts
  function fetchTables(query, values, server2) {
    if (values.length === 0) return [];
    if (server2.key === null) return [{ values: [...values], rows: noKeyFor(server2), warnings: [] }];
    const head = "".concat(server2.origin).concat(query.path, "?").concat(query.query);
    const { requests, unsent } = packRequests(head, query, values);
    const answers = fetchAnswers(
      requests.map(({ url }) => url),
      server2.key,
      server2.network,
      { at_once: query.at_once ?? requests.length }
    );
    const parts = requests.map((request, index) => {
      const answer = answers[index];
      const warnings = answer?.ok === true ? answer.warnings : [];
      return { values: request.values, rows: readTable(answer, query.columns), warnings };
    });
    const refused = unsent.map((value) => ({ values: [value], rows: tooLong, warnings: [] }));
    const positions = new Map(values.map((value, index) => [value, index]));
    const positionOf = ({ values: [first = ""] }) => positions.get(first) ?? 0;
    return [...parts, ...refused].sort((a, b) => positionOf(a) - positionOf(b));
  }
  function fetchRows(query, values, server2) {
    const pairs = fetchTables(query, values, server2).flatMap(({ values: sent, rows: rows2 }) => {
      const failure = isFailure(rows2) ? rows2 : unreadable;
      const answered = isFailure(rows2) || rows2.length !== sent.length ? [] : rows2;
      return sent.map((value, index) => [value, answered[index] ?? failedRow(value, failure)]);
    });
    return new Map(pairs);
  }
  function fetchStack(query, values, server2) {
    const notes = /* @__PURE__ */ new Set();
    const stack = fetchTables(query, values, server2).flatMap(({ values: sent, rows: rows2, warnings }) => {
      if (isFailure(rows2)) return sent.map((value) => failedRow(value, rows2));
      if (rows2.length === 0) {
        const nothing = warnings.length === 0 ? noData : { ...noData, message: warnings.join(" ") };
        return sent.map((value) => failedRow(value, nothing));
      }
      for (const warning of warnings) notes.add(warning);
      return rows2;
    });
    return [...stack, ...[...notes].map((message) => ({ status: "NOTE", message }))];
  }
  function isFailure(rows2) {
    return !Array.isArray(rows2);
  }
  function readTable(answer, columns2) {
    if (answer?.ok === false) return answer.failure;
    const table = asObject(answer?.data);
    const names = table?.columns;
    const rows2 = table?.rows;
    if (!Array.isArray(names) || !Array.isArray(rows2) || !rows2.every(Array.isArray)) return unreadable;
    if (!columns2.every((column) => names.includes(column))) return unreadable;
    return rows2.map(
      (cells) => Object.fromEntries(columns2.map((column) => [column, cells[names.indexOf(column)]]))
    );
  }
  function failedRow(value, { code, message }) {
    return { [isId(value) ? "item_id" : "url"]: value, status: code, message };
  }
  var noKey = { code: "API_KEY_NOT_SET", message: "Set an API key in the menu of the add-on." };
  function noKeyFor({ no_key = noKey.code }) {
    return no_key === noKey.code ? noKey : { code: no_key, message: failureSentence({ code: no_key, message: "" }) };
  }
  var noData = { code: "NO_DATA", message: "There is nothing to show." };
  var tooLong = { code: "INVALID_INPUT", message: "This text is too long for a request." };
  var unreadable = {
    code: "SERVER_ANSWER_UNREADABLE",
    message: "The answer of the server does not have the expected form. Try again later."
  };

  // fill/job.ts
  var chunkBytesMax = 8e3;
  var chunkRowsMax = 20;
  var jobProperty = "fill";
  var chunkProperty = "fill_";
  function splitChunks(urls) {
    const chunks = [];
    let bytes = 0;
    for (const url of urls) {
      const size = utf8Bytes(JSON.stringify(url)) + 1;
      const last = chunks[chunks.length - 1];
      if (last !== void 0 && last.length < chunkRowsMax && bytes + size <= chunkBytesMax) {
        last.push(url);
        bytes += size;
      } else {
        chunks.push([url]);
        bytes = size;
      }
    }
    return chunks;
  }
  function utf8Bytes(text2) {
    return [...text2].reduce((sum, character) => sum + characterBytes(character.codePointAt(0) ?? 0), 0);
  }
  function characterBytes(codePoint) {
    if (codePoint < 128) return 1;
    if (codePoint < 2048) return 2;
    return codePoint < 65536 ? 3 : 4;
  }
  function fileStore(store) {
    if (store === null) throw new PlainError("Open a file first.");
    return store;
  }
  function readJob(store) {
    const text2 = store.getProperty(jobProperty);
    return text2 === null ? null : asObject(JSON.parse(text2));
  }
  function writeJob(store, job) {
    store.setProperty(jobProperty, JSON.stringify(job));
  }
  function readChunk(store, index) {
    const urls = JSON.parse(store.getProperty(chunkProperty + index) ?? "[]");
    return Array.isArray(urls) ? urls.map(String) : [];
  }
  function writeChunk(store, index, urls) {
    if (urls.length === 0) store.deleteProperty(chunkProperty + index);
    else store.setProperty(chunkProperty + index, JSON.stringify(urls));
  }
  function dropJob(store, job) {
    for (let index = job.next_chunk; index < job.chunk_count; index++) writeChunk(store, index, []);
    store.deleteProperty(jobProperty);
  }

  // formulas/field-labels.ts
  var dateFields = ["created_at_platform", "published_at", "retrieved_at"];
  var specialLabels = {
    url: "URL",
    account_id: "Account ID",
    id: "ID",
    author_id: "Author ID",
    profile_url: "Profile URL",
    external_url: "External URL",
    avatar_url: "Avatar URL",
    media_url: "Media URL",
    created_at_platform: "Created on platform"
  };
  function fieldLabel(field) {
    const words = specialLabels[field] ?? field.charAt(0).toUpperCase() + field.slice(1).replace(/_/g, " ");
    return dateFields.includes(field) ? "".concat(words, " (UTC)") : words;
  }

  // fill/table.ts
  var fillModes = ["replace", "append", "update"];
  var takenAt = "taken_at";
  var dayMs = 864e5;
  var epochSerial = 25569;
  var leading = {
    replace: ["status"],
    append: [takenAt, "url", "status"],
    update: ["status", takenAt, "platform", "account_id", "url"]
  };
  function fillColumns(mode, fields) {
    const omitted = mode === "replace" ? ["url"] : [];
    return [.../* @__PURE__ */ new Set([...leading[mode], ...fields])].filter((column) => !omitted.includes(column));
  }
  function headings(columns2) {
    return columns2.map((column) => column === takenAt ? "Taken at (UTC)" : fieldLabel(column));
  }
  function requestedFields(columns2) {
    return [.../* @__PURE__ */ new Set(["status", ...columns2.filter((column) => column !== takenAt), "credits_charged"])];
  }
  function writtenLine(columns2, row, takenAtMs) {
    return columns2.map((column) => {
      if (column === takenAt) return serial(takenAtMs);
      return writtenCell(row[column], dateFields.includes(column));
    });
  }
  function lineWidth(mode, columns2, row) {
    return mode === "update" && row.status !== "OK" ? columns2.indexOf(takenAt) + 1 : columns2.length;
  }
  function numberFormats(columns2) {
    return columns2.map((column) => column === takenAt || dateFields.includes(column) ? "yyyy-mm-dd hh:mm" : "General");
  }
  function writtenCell(value, isDate) {
    const timeMs = isDate && typeof value === "string" ? Date.parse(value) : Number.NaN;
    if (Number.isFinite(timeMs)) return serial(timeMs);
    const cell = formulaCell(value);
    return typeof cell === "string" && cell !== "" ? writtenText(cell) : cell;
  }
  function serial(timeMs) {
    return timeMs / dayMs + epochSerial;
  }

  // formulas/all.ts
  var all_exports = {};
  __export(all_exports, {
    SOCIAL_CREDITS: () => offer,
    SOCIAL_POST: () => offer2,
    SOCIAL_POSTS: () => offer3,
    SOCIAL_PROFILE: () => offer4,
    SOCIAL_REPORT: () => offer5,
    SOCIAL_TRACKED: () => offer6
  });

  // formulas/social-credits.ts
  function SOCIAL_CREDITS(api, _refresh) {
    return readBalance(api);
  }
  function readBalance(api) {
    if (api.key === null) throw failed(noKeyFor(api));
    const [answer] = fetchAnswers(["".concat(api.origin, "/v1/credit/balance")], api.key, api.network);
    if (answer?.ok === false) throw failed(answer.failure);
    const credits = asObject(answer?.data)?.credits_remaining;
    if (typeof credits !== "number") throw failed(unreadable);
    return credits;
  }
  function failed(failure) {
    return new Error("".concat(failureSentence(failure), " (").concat(failure.code, ")"));
  }
  var offer = {
    order: 6,
    label: "Credits left",
    takes: "",
    args: [],
    choices: [],
    usual: [],
    estimate: null,
    gives: "the balance, a number",
    costs: "0"
  };

  // formulas/url-rows.ts
  var urlsMax = 1e3;
  var urlsPerRequestMax = 50;
  var requestsAtOnce = 6;
  function rowsOfUrls(args, route3, server2) {
    const urls = readColumn(args.urls, route3.example);
    const columns2 = readFields(args.fields, route3.columns);
    const maxAge2 = maxAgeParameter(args.max_age, server2.network.now());
    const different = [...new Set(urls.filter((url) => url !== ""))];
    checkCount(different.length, urlsMax, route3.what);
    const query = {
      path: route3.path,
      query: "".concat(maxAge2, "&fields=").concat(columns2.join(",")),
      name: "url",
      per_request_max: urlsPerRequestMax,
      at_once: requestsAtOnce,
      columns: columns2
    };
    const rows2 = fetchRows(query, different, server2);
    return urls.map((url) => columns2.map((column) => formulaCell(rows2.get(url)?.[column])));
  }

  // formulas/social-post.ts
  var route = {
    path: "/v1/workflows/post",
    columns: postColumns,
    what: "posts",
    example: "the URL of a post or a column of them, such as A2:A50"
  };
  function SOCIAL_POST(api, urls, fields, maxAge2) {
    return rowsOfUrls({ urls, fields, max_age: maxAge2 }, route, api);
  }
  var offer2 = {
    order: 3,
    label: "Single posts and videos",
    takes: "Post URLs",
    args: ["area", "fields", "max_age"],
    choices: postColumns.known,
    usual: postColumns.usual,
    estimate: { route: "post", unit: "post", per_request_max: 50, rows_max: 200, most: 1 },
    gives: "one row for each URL of a post or video",
    costs: "1 credit for each URL that is fetched again; 0 while the stored data is young enough"
  };

  // formulas/social-posts.ts
  var profilesMax = 40;
  var postsMax = 20;
  function SOCIAL_POSTS(api, profile, limit, fields, maxAge2) {
    return latestPosts({ profiles: profile, limit, fields, max_age: maxAge2 }, api);
  }
  function latestPosts(args, api) {
    const profiles = readList(args.profiles, "a profile URL or a range of them, such as A2:A20");
    const limit = readWhole(args.limit, "limit", 1, postsMax);
    const columns2 = readFields(args.fields, postColumns);
    const maxAge2 = maxAgeParameter(args.max_age, api.network.now());
    checkCount(profiles.length, profilesMax, "profiles");
    const query = {
      path: "/v1/workflows/posts",
      query: "".concat(maxAge2).concat(limit === null ? "" : "&limit=".concat(limit), "&fields=").concat(columns2.join(",")),
      name: "url",
      per_request_max: 1,
      columns: columns2
    };
    const rows2 = fetchStack(query, profiles, api);
    if (rows2.length === 0) return [columns2.map(() => "")];
    return rows2.map((row) => columns2.map((column) => formulaCell(row[column])));
  }
  var offer3 = {
    order: 2,
    label: "Latest posts of profiles",
    takes: "Profile URLs, up to 40",
    args: ["area", "limit", "fields", "max_age"],
    choices: postColumns.known,
    usual: postColumns.usual,
    // The highest cost is 4 credits: up to 3 for the posts, and one to find the list of videos of a YouTube channel.
    estimate: { route: "posts", unit: "profile", per_request_max: 1, rows_max: 10, most: 4 },
    gives: "the latest posts of up to 40 profiles, one row for each post. limit is 1 to 20 posts for each profile; without it you get 3",
    costs: "for each profile that is fetched again: 2 credits. On YouTube 3, or 4 when the link has no channel ID (such as /@name) and the channel was not looked up in the last day"
  };

  // formulas/social-profile.ts
  var route2 = {
    path: "/v1/workflows/profile",
    columns: profileColumns,
    what: "profiles",
    example: "a profile URL or a column of them, such as A2:A50"
  };
  function SOCIAL_PROFILE(api, urls, fields, maxAge2) {
    return rowsOfUrls({ urls, fields, max_age: maxAge2 }, route2, api);
  }
  var offer4 = {
    order: 1,
    label: "Profiles",
    takes: "Profile URLs",
    args: ["area", "fields", "max_age"],
    choices: profileColumns.known,
    usual: profileColumns.usual,
    // One estimate has at most 200 URLs, because estimates count toward the same 60 requests a minute that the formula needs.
    estimate: { route: "profile", unit: "profile", per_request_max: 50, rows_max: 200, most: 1 },
    gives: "one row for each profile URL",
    costs: "1 credit for each profile that is fetched again; 0 while the stored data is young enough (see max_age)"
  };

  // formulas/report-tables.ts
  var reportSections = ["totals", "items", "series", "notes", "coverage"];
  var sectionTables = {
    totals: totalsTable,
    items: itemsTable,
    series: seriesTable,
    notes: notesTable,
    coverage: coverageTable
  };
  function isReport(data) {
    const hasObjects = [data.campaign, data.totals, data.coverage].every((part) => asObject(part) !== null);
    return hasObjects && [data.items, data.series, data.notes].every(Array.isArray);
  }
  function reportTable(section, report) {
    return sectionTables[section](report);
  }
  var totalColumns = ["start", "end", "change", "change_percent", "items", "items_missing", "quality"];
  function totalsTable(report) {
    const totals = Object.entries(asObject(report.totals) ?? {});
    return {
      columns: ["metric", ...totalColumns],
      rows: totals.map(([metric, total]) => [metric, ...pick(total, totalColumns)])
    };
  }
  var itemColumns = ["name", "platform", "kind", "url", "item_id"];
  var valueColumns = ["start", "end", "change", "change_percent", "quality"];
  function itemsTable(report) {
    const items = objects(report.items);
    const metrics2 = [...new Set(items.flatMap((item) => Object.keys(asObject(item.metrics) ?? {})))];
    return {
      columns: [
        ...itemColumns,
        ...["item_status", "first_observed_at (UTC)", "last_observed_at (UTC)"],
        ...metrics2.flatMap((metric) => valueColumns.map((column) => "".concat(metric, "_").concat(column))),
        ...["engagement_rate_by_views_percent", "engagement_rate_formula", "gaps"]
      ],
      rows: items.map((item) => [
        ...pick(item, itemColumns),
        ...[item.status, isoTime(item.first_observed_at), isoTime(item.last_observed_at)],
        ...metrics2.flatMap((metric) => pick(asObject(item.metrics)?.[metric], valueColumns)),
        ...pick(objects(item.rates)[0], ["percent", "formula"]),
        objects(item.gaps).map(gapText).join("; ")
      ])
    };
  }
  function gapText({ from, to, cause }) {
    return "".concat(isoTime(from), "/").concat(isoTime(to), " ").concat(cause);
  }
  function seriesTable(report) {
    const pointColumns = ["value", "items", "items_missing", "quality"];
    return {
      columns: ["platform", "metric", "step", "at (UTC)", ...pointColumns],
      rows: objects(report.series).flatMap(
        (series) => objects(series.points).map((point) => [
          ...pick(series, ["platform", "metric", "step"]),
          isoTime(point.at)?.slice(0, 10),
          ...pick(point, pointColumns)
        ])
      )
    };
  }
  function notesTable(report) {
    const notes = Array.isArray(report.notes) ? report.notes : [];
    const method = report.method === void 0 ? [] : [["method", report.method]];
    return { columns: ["kind", "text"], rows: [...notes.map((note2) => ["note", note2]), ...method] };
  }
  function coverageTable(report) {
    const counts = ["expected_observations", "observations", "items", "items_never_observed"];
    const { campaign, coverage } = report;
    return {
      columns: [
        ...["campaign", "campaign_id", "campaign_status", "report_name", "report_id", "final"],
        ...["period_start (UTC)", "period_end (UTC)", "generated_at (UTC)", "history_days", "partial_period"],
        ...counts
      ],
      rows: [
        [
          ...pick(campaign, ["name", "id", "status"]),
          ...pick(report, ["report_name", "report_id", "final"]),
          ...[isoTime(report.period_start), isoTime(report.period_end), isoTime(report.generated_at)],
          ...pick(report, ["history_days", "partial_period"]),
          ...pick(coverage, counts)
        ]
      ]
    };
  }
  function pick(value, names) {
    const object = asObject(value);
    return names.map((name) => object?.[name]);
  }
  function objects(value) {
    return Array.isArray(value) ? value.map((item) => asObject(item) ?? {}) : [];
  }
  function isoTime(at) {
    const isTime = typeof at === "number" && Math.abs(at) <= timeMaxMs;
    return isTime ? new Date(at).toISOString() : void 0;
  }
  var timeMaxMs = 864e13;

  // formulas/social-report.ts
  function SOCIAL_REPORT(api, campaign, section, _refresh) {
    return reportSection(campaign, section, api);
  }
  function reportSection(campaignCell, sectionCell, api) {
    const campaign = readCampaign(campaignCell);
    const [word = "totals", second] = readWords(sectionCell);
    if (second !== void 0) throw new Error("Enter one section.");
    const section = knownWord(word, reportSections, "section");
    if (campaign === "") return [[""]];
    const { report, failure } = fetchReport(campaign, api);
    const table = reportTable(section, report ?? {});
    if (failure !== void 0) return failedTable(table, failure);
    if (table.rows.length === 0) return failedTable(table, noData);
    return [heading(table), ...table.rows.map((row) => ["OK", ...row.map(formulaCell)])];
  }
  function readCampaign(argument) {
    const cells = [argument].flat(2);
    const [cell] = cells;
    if (cells.length !== 1 || cell === void 0 || cell instanceof Date) {
      throw new Error("Enter one campaign by its ID or its exact name, as text.");
    }
    return String(cell ?? "").trim();
  }
  function heading({ columns: columns2 }) {
    return ["status", ...columns2];
  }
  function failedTable(table, { code, message }) {
    const headings3 = heading(table);
    return [headings3, headings3.map((_, index) => [code, message][index] ?? "")];
  }
  function fetchReport(campaign, server2) {
    const { key, network: network2, origin } = server2;
    if (key === null) return { failure: noKeyFor(server2) };
    const deadlineMs = deadlineOf(network2);
    const get = (path) => fetchAnswers(["".concat(origin).concat(path)], key, network2, { deadline_ms: deadlineMs })[0] ?? noAnswer;
    const id = isId(campaign) ? campaign : findCampaign(campaign, get("/v1/workflows/campaigns"));
    if (typeof id !== "string") return { failure: id };
    const answer = get("/v1/workflows/campaign-report?id=".concat(encodeURIComponent(id)));
    if (!answer.ok) return { failure: answer.failure };
    const report = asObject(answer.data);
    return report !== null && isReport(report) ? { report } : { failure: unreadable };
  }
  var noAnswer = { ok: false, failure: unreadable };
  function findCampaign(name, answer) {
    if (!answer.ok) return answer.failure;
    const items = asObject(answer.data)?.items;
    if (!Array.isArray(items)) return unreadable;
    const campaigns = items.map((item) => ({
      id: String(asObject(item)?.id),
      name: String(asObject(item)?.name).trim()
    }));
    const ids = campaigns.flatMap((campaign) => campaign.name === name ? [campaign.id] : []);
    const [id] = ids;
    if (id === void 0)
      return unknownCampaign(
        name,
        campaigns.map((campaign) => campaign.name)
      );
    if (ids.length === 1) return id;
    return {
      code: "CAMPAIGN_NAME_NOT_UNIQUE",
      message: "".concat(ids.length, " campaigns have this name. Enter the ID of one, such as ").concat(id, ".")
    };
  }
  function unknownCampaign(name, names) {
    const hint = names.length === 0 ? "The workspace has no campaigns yet." : 'Did you mean "'.concat(nearest(name, names), '"?');
    return { code: "CAMPAIGN_NOT_FOUND", message: "There is no campaign of this name. ".concat(hint) };
  }
  var offer5 = {
    order: 5,
    label: "Campaign report",
    takes: "",
    args: ["campaign", "section"],
    choices: [],
    usual: [],
    estimate: null,
    gives: "one part of the newest weekly report, with headings: totals, items, series (numbers over time), notes or coverage (which numbers exist). Your workspace must have bought a credit pack once",
    costs: "0"
  };

  // tracked-metrics.ts
  var trackedMetrics = {
    followers: 1,
    following: null,
    posts: null,
    views: 2,
    likes: 4,
    comments: null,
    shares: null,
    favorites: null,
    total_views: 3
  };

  // formulas/social-tracked.ts
  var itemsMax = 200;
  var itemsPerRequestMax = 20;
  var daysMax = 365;
  var metrics = Object.keys(trackedMetrics);
  var columns = [
    "status",
    "name",
    "metric",
    "observed_at",
    "value",
    "quality",
    "item_id",
    "url",
    "source",
    "message"
  ];
  function SOCIAL_TRACKED(api, item, metric, days, _refresh) {
    return trackedHistory({ items: item, metrics: metric, days }, api);
  }
  function trackedHistory(args, api) {
    const items = readList(args.items, "a tracked item by its ID or URL, or a range of them");
    const named = readWords(args.metrics).map((word) => knownWord(word, metrics, "metric"));
    const days = readWhole(args.days, "days", 1, daysMax);
    checkCount(items.length, itemsMax, "items");
    const metric = named.length === 0 ? "" : "&metric=".concat([...new Set(named)].join(","));
    const query = {
      path: "/v1/workflows/tracked",
      query: "fields=".concat(columns.join(",")).concat(metric).concat(days === null ? "" : "&days=".concat(days)),
      name: "item",
      per_request_max: itemsPerRequestMax,
      columns
    };
    const rows2 = fetchStack(query, items, api);
    const headings3 = columns.map((column) => column === "observed_at" ? "observed_at (UTC)" : column);
    return [headings3, ...rows2.map((row) => columns.map((column) => formulaCell(row[column])))];
  }
  var offer6 = {
    order: 4,
    label: "History of tracked items",
    takes: "IDs or URLs of tracked items",
    args: ["area", "metrics", "days"],
    choices: metrics,
    usual: ["followers"],
    estimate: null,
    gives: "the daily history of up to 200 items that you track, with headings. Start under *Tracking* in the [dashboard](tracking.md)",
    costs: "0; each successful daily check costs 1 credit"
  };

  // formulas/builder/formula-text.ts
  function formulaText(name, args) {
    const last = args.reduce((found, argument, index) => argument === null ? found : index, -1);
    return "=".concat(name, "(").concat(args.slice(0, last + 1).map(argumentText).join("; "), ")");
  }
  function argumentText(argument) {
    if (argument === null) return "";
    if ("area" in argument) return argument.area;
    return "number" in argument ? String(argument.number) : '"'.concat(argument.text.replace(/"/g, '""'), '"');
  }
  function areaOf2(sheet, a1) {
    return "'".concat(sheet.replace(/'/g, "''"), "'!").concat(a1);
  }

  // formulas/builder/formula-builder.ts
  var builderFormulas = Object.entries(all_exports).map(([name, offer7]) => ({ name, ...offer7 })).sort((a, b) => a.order - b.order);
  function findFormula(name) {
    return builderFormulas.find((formula) => formula.name === name);
  }
  function buildFormula(choice, sheet) {
    const formula = findFormula(choice.name);
    if (formula === void 0) return { missing: "Choose a function." };
    const args = [];
    for (const kind of formula.args) {
      const argument = readArgument(kind, choice, formula, sheet);
      if (argument !== null && "missing" in argument) return argument;
      args.push(argument);
    }
    return { formula: formulaText(formula.name, args) };
  }
  function readArgument(kind, choice, formula, sheet) {
    const { area } = choice;
    if (kind === "area") {
      if (area === null || !/^[A-Z]{1,3}\d+(:[A-Z]{1,3}\d+)?$/.test(area.a1)) return { missing: "Pick the cells first." };
      return { area: area.sheet === sheet ? area.a1 : areaOf2(area.sheet, area.a1) };
    }
    if (kind === "limit") return wholeNumber(choice.limit, 20, "Posts of each profile");
    if (kind === "days") return wholeNumber(choice.days, 365, "Days back");
    if (kind === "campaign")
      return choice.campaign === "" ? { missing: "Choose a campaign." } : { text: choice.campaign };
    if (kind === "section") return knownOr(choice.section, reportSections, "Choose a section.");
    if (kind === "max_age") return maxAge(choice.max_age);
    const ticked = formula.choices.filter((name) => choice.ticked.includes(name));
    if (ticked.length === 0) return { missing: "Tick at least one ".concat(kind === "metrics" ? "metric" : "field", ".") };
    return { text: ticked.join(",") };
  }
  function maxAge(word) {
    if (word === usualMaxAge) return null;
    return word === refreshName ? { area: refreshName } : knownOr(word, maxAges, "Choose an age.");
  }
  function knownOr(word, known, missing) {
    return known.includes(word) ? { text: word } : { missing };
  }
  function wholeNumber(text2, max, label) {
    if (text2 === "") return null;
    const whole = /^\d{1,3}$/.test(text2) ? Number(text2) : 0;
    return whole >= 1 && whole <= max ? { number: whole } : { missing: "".concat(label, " must be a whole number from 1 to ").concat(max, ".") };
  }

  // platform/selection.ts
  var rowsMax = 1e3;
  var urlCharactersMax2 = 1e3;
  function readSelection(area = null) {
    const range = area === null ? SpreadsheetApp.getActiveSpreadsheet().getActiveRange() : rangeOf(area);
    if (range === null) throw new PlainError("Select the cells with the profile URLs in the sheet.");
    const sheet = range.getSheet();
    const rows2 = Math.min(range.getNumRows(), sheet.getLastRow() - range.getRow() + 1);
    if (range.getNumColumns() > 1) throw new PlainError("Select one column of profile URLs, such as A2:A50.");
    if (rows2 < 1) throw new PlainError("The selected cells are empty. Select the cells with the profile URLs.");
    const values = sheet.getRange(range.getRow(), range.getColumn(), rows2, 1).getValues();
    const cells = values.map(([value]) => String(value ?? "").trim());
    if (cells.every((cell) => cell === "")) {
      throw new PlainError("The selected cells are empty. Select the cells with the profile URLs.");
    }
    return { sheet, row: range.getRow(), column: range.getColumn(), cells };
  }
  function rangeOf(area) {
    const { sheet: name, a1 } = asObject(area) ?? {};
    const sheet = SpreadsheetApp.getActiveSpreadsheet().getSheetByName(String(name));
    if (sheet === null) throw new PlainError("The picked cells are no longer there. Pick them again.");
    return sheet.getRange(String(a1));
  }
  function profilesIn(cells) {
    const profiles = [...new Set(cells.filter((cell) => cell !== ""))];
    if (profiles.length > rowsMax) {
      throw new PlainError("".concat(profiles.length, " profiles are selected; the limit is ").concat(rowsMax, ". Select fewer rows."));
    }
    return profiles;
  }
  function viewSelection() {
    const { sheet, row, column, cells } = readSelection();
    const urls = profilesIn(cells);
    return {
      ok: true,
      sheet: sheet.getName(),
      a1: sheet.getRange(row, column, cells.length, 1).getA1Notation(),
      urls: urls.length,
      blank: cells.filter((cell) => cell === "").length,
      first: (urls[0] ?? "").slice(0, urlCharactersMax2)
    };
  }
  function estimateSelection(maxAge2, area, formula = "SOCIAL_PROFILE", limit = "") {
    const kind = findFormula(String(formula))?.estimate ?? null;
    if (kind === null) throw new PlainError("This formula costs no credits.");
    const pickedUrls = profilesIn(readSelection(area).cells);
    const server2 = actionServer();
    const sent = pickedUrls.slice(0, kind.rows_max);
    const { requests } = packRequests(headOf(kind, server2.origin, maxAge2, limit), { ...kind, name: "url" }, sent);
    const urls = requests.map(({ url }) => url);
    const answers = server2.key === null ? [] : fetchAnswers(urls, server2.key, server2.network);
    const sum = { cost_min: 0, cost_max: pickedUrls.length * kind.most, cached_rows: 0, unreadable_rows: 0 };
    let note2 = server2.key === null ? "Connect a key to see which rows are already paid for." : null;
    answers.forEach((answer, index) => {
      const data = answer.ok ? asObject(answer.data) : null;
      if (typeof data?.cost !== "number") {
        note2 = answer.ok ? "The server did not return the cost." : failureSentence(answer.failure);
        return;
      }
      sum.cost_min += data.cost;
      sum.cost_max += data.cost - (requests[index]?.values.length ?? 0) * kind.most;
      sum.cached_rows += Number(data.cached_rows ?? 0);
      sum.unreadable_rows += Number(data.unreadable_rows ?? 0);
    });
    if (pickedUrls.length > sent.length) note2 ?? (note2 = "Only the first ".concat(kind.rows_max, " rows were checked."));
    return { ok: true, rows: pickedUrls.length, ...sum, note: note2 };
  }
  function headOf({ route: route3 }, origin, maxAge2, limit) {
    const ofPosts = route3 === "posts" && /^\d{1,2}$/.test(String(limit)) ? "&limit=".concat(String(limit)) : "";
    return "".concat(origin, "/v1/workflows/").concat(route3, "?estimate=true&").concat(maxAgeParameter(maxAge2, network.now())).concat(ofPosts);
  }

  // fill/target.ts
  var sheetNames = { append: "Snapshots", update: "Profiles" };
  var namesTriedMax = 50;
  function prepareFill(mode, fields, area) {
    const file = SpreadsheetApp.getActiveSpreadsheet();
    const { sheet, row, column, cells } = readSelection(area);
    const withHeading = isHeading(cells[0] ?? "");
    const urls = profilesIn(withHeading ? cells.slice(1) : cells).filter((url) => url.length <= urlCharactersMax2);
    if (urls.length === 0) throw new PlainError("There is no profile URL in the selected cells.");
    const columns2 = fillColumns(mode, fields);
    const position = mode === "replace" ? positionBeside(sheet, withHeading ? row : row - 1, column + 1, columns2) : positionOfTable(file, columns2) ?? newTable(file, sheetNames[mode], columns2);
    return { urls, columns: columns2, position };
  }
  function isHeading(cell) {
    return !/[./@]/.test(cell);
  }
  function positionBeside(sheet, row, column, columns2) {
    if (row < 1) {
      throw new PlainError("The headings need a row above the URLs. Insert one, then select the URLs again.");
    }
    growTo(sheet, row, column + columns2.length - 1);
    const depth = Math.max(1, sheet.getLastRow() - row + 1);
    const block = sheet.getRange(row, column, depth, columns2.length);
    const [heading2 = [], ...body] = block.getValues();
    if (!hasHeadings(heading2, columns2)) {
      if (![heading2, ...body].flat().every((cell) => cell === "")) {
        throw new PlainError(
          "The results need ".concat(block.getA1Notation(), ", but these cells are not empty. Clear or move them first, or choose another way to write the results.")
        );
      }
      writeHeadings(sheet, { row, column }, columns2);
    }
    return { sheet_id: sheet.getSheetId(), row, column };
  }
  function hasHeadings(heading2, columns2) {
    return headings(columns2).every((text2, index) => heading2[index] === text2);
  }
  function positionOfTable(file, columns2) {
    const sheets = [file.getActiveSheet(), ...file.getSheets()];
    const table = sheets.find((sheet) => {
      if (sheet.getMaxColumns() < columns2.length) return false;
      return hasHeadings(sheet.getRange(1, 1, 1, columns2.length).getValues()[0] ?? [], columns2);
    });
    return table === void 0 ? null : { sheet_id: table.getSheetId(), row: 1, column: 1 };
  }
  function newTable(file, name, columns2) {
    const activeSheet = file.getActiveSheet();
    const names = Array.from({ length: namesTriedMax }, (_, index) => index === 0 ? name : "".concat(name, " ").concat(index + 1));
    const free = names.find((one) => file.getSheetByName(one) === null);
    if (free === void 0) throw new PlainError("Rename or delete some of the sheets called ".concat(name, " first."));
    const sheet = file.insertSheet(free);
    growTo(sheet, 1, columns2.length);
    writeHeadings(sheet, { row: 1, column: 1 }, columns2);
    sheet.setFrozenRows(1);
    file.setActiveSheet(activeSheet, true);
    return { sheet_id: sheet.getSheetId(), row: 1, column: 1 };
  }
  function writeHeadings(sheet, at, columns2) {
    const range = sheet.getRange(at.row, at.column, 1, columns2.length);
    range.setNumberFormats([columns2.map(() => "General")]);
    range.setValues([headings(columns2).map(writtenText)]);
    range.setFontWeight("bold");
  }
  function growTo(sheet, row, column) {
    const rows2 = sheet.getMaxRows();
    if (row > rows2) sheet.insertRowsAfter(rows2, row - rows2);
    const columns2 = sheet.getMaxColumns();
    if (column > columns2) sheet.insertColumnsAfter(columns2, column - columns2);
  }
  function findTable(position, columns2) {
    const sheet = SpreadsheetApp.getActiveSpreadsheet().getSheets().find((one) => one.getSheetId() === position.sheet_id);
    if (sheet === void 0)
      throw new PlainError("The sheet of this fill was deleted. Discard the fill and start again.");
    const wideEnough = position.column + columns2.length - 1 <= sheet.getMaxColumns() && position.row <= sheet.getMaxRows();
    const heading2 = wideEnough ? sheet.getRange(position.row, position.column, 1, columns2.length).getValues()[0] : [];
    if (!hasHeadings(heading2 ?? [], columns2)) {
      throw new PlainError(
        "The headings of this fill were changed or moved, so the fill cannot continue. Restore them and resume, or discard the fill and start again."
      );
    }
    return sheet;
  }

  // fill/write.ts
  function removedUrls(job, urls) {
    if (job.mode !== "replace") return [];
    const rows2 = rowsByUrl(findTable(job.place, job.columns), job);
    return urls.filter((url) => !rows2.has(url));
  }
  function writeRows(job, answered) {
    if (answered.length === 0) return;
    const sheet = findTable(job.place, job.columns);
    const lines = linesOf(job, sheet, answered).sort((a, b) => a.row - b.row);
    growTo(sheet, lines[lines.length - 1]?.row ?? 1, job.place.column);
    for (const run of runsOf2(lines)) writeRun(sheet, job, run);
    SpreadsheetApp.flush();
  }
  function linesOf(job, sheet, answered) {
    const lineOf = (row, { row: values }) => {
      const cells = writtenLine(job.columns, values, job.started_ms);
      return { row, cells: cells.slice(0, lineWidth(job.mode, job.columns, values)) };
    };
    if (job.mode === "replace") {
      const rows2 = rowsByUrl(sheet, job);
      return answered.flatMap((answer) => (rows2.get(answer.url) ?? []).map((row) => lineOf(row, answer)));
    }
    const nextRow = Math.max(sheet.getLastRow(), job.place.row) + 1;
    if (job.mode === "append") return answered.map((answer, index) => lineOf(nextRow + index, answer));
    return updatedLines(job, sheet, answered, nextRow);
  }
  function rowsByUrl(sheet, job) {
    const { row, column } = job.place;
    const found = /* @__PURE__ */ new Map();
    textsOf(sheet, row + 1, column - 1).forEach((url, index) => {
      if (url !== "") found.set(url, [...found.get(url) ?? [], row + 1 + index]);
    });
    return found;
  }
  function textsOf(sheet, row, column) {
    const depth = sheet.getLastRow() - row + 1;
    if (depth < 1) return [];
    return sheet.getRange(row, column, depth, 1).getValues().map(([value]) => String(value ?? "").trim());
  }
  function updatedLines(job, sheet, answered, nextRow) {
    const known = knownAccounts(job, sheet);
    let freeRow = nextRow;
    return answered.map(({ url, row: values }) => {
      const id = accountKey(values.platform, values.account_id);
      const existing2 = id === null ? known.by_url.get(url) : known.by_id.get(id) ?? known.by_url_without_id.get(url);
      const cells = writtenLine(job.columns, { ...values, url }, job.started_ms);
      const row = existing2 ?? freeRow++;
      if (existing2 === void 0) known.by_url.set(url, row);
      if (id !== null) known.by_id.set(id, row);
      return { row, cells: existing2 === void 0 ? cells : cells.slice(0, lineWidth(job.mode, job.columns, values)) };
    });
  }
  function knownAccounts(job, sheet) {
    const column = (name) => textsOf(sheet, job.place.row + 1, job.place.column + job.columns.indexOf(name));
    const [ids, platforms, urls] = [column("account_id"), column("platform"), column("url")];
    const known = {
      by_id: /* @__PURE__ */ new Map(),
      by_url: /* @__PURE__ */ new Map(),
      by_url_without_id: /* @__PURE__ */ new Map()
    };
    urls.forEach((url, index) => {
      const row = job.place.row + 1 + index;
      const id = accountKey(platforms[index], ids[index]);
      if (id !== null) known.by_id.set(id, row);
      if (url !== "") known.by_url.set(url, row);
      if (url !== "" && id === null) known.by_url_without_id.set(url, row);
    });
    return known;
  }
  function accountKey(platform, accountId) {
    if (platform === null || platform === void 0 || platform === "") return null;
    if (accountId === null || accountId === void 0 || accountId === "") return null;
    return "".concat(String(platform), " ").concat(String(accountId));
  }
  function runsOf2(lines) {
    const runs = [];
    for (const line of lines) {
      const run = runs[runs.length - 1];
      const last = run?.[run.length - 1];
      if (run === void 0 || last === void 0) runs.push([line]);
      else if (last.row === line.row) run[run.length - 1] = line;
      else if (last.row + 1 === line.row && last.cells.length === line.cells.length) run.push(line);
      else runs.push([line]);
    }
    return runs;
  }
  function writeRun(sheet, job, run) {
    const [first] = run;
    if (first === void 0) return;
    const width = first.cells.length;
    const range = sheet.getRange(first.row, job.place.column, run.length, width);
    const formats = numberFormats(job.columns).slice(0, width);
    range.setNumberFormats(run.map(() => formats));
    range.setValues(run.map(({ cells }) => cells));
  }

  // fill/chunk.ts
  var leaseMs = 6e4;
  var stoppingCodes = ["INSUFFICIENT_CREDITS", "RATE_LIMITED", "INVALID_API_KEY", "API_KEY_NOT_SET"];
  function requireJob(id) {
    const job = readJob(fileStore(keyStores().document));
    if (job === null || job.id !== id) throw new PlainError("This fill was finished or discarded in another window.");
    return job;
  }
  function claimChunk(id, by, nowMs) {
    const store = fileStore(keyStores().document);
    const job = requireJob(id);
    if (job.lease !== null && job.lease.until_ms > nowMs) {
      return { job, by, urls: [], certain: true, wait_ms: job.lease.until_ms - nowMs };
    }
    const saved = readChunk(store, job.next_chunk);
    const removed = removedUrls(job, saved);
    const urls = saved.filter((url) => !removed.includes(url));
    const certain = !job.uncertain;
    writeChunk(store, job.next_chunk, urls);
    const claimed = {
      ...job,
      gone: job.gone + removed.length,
      lease: { by, until_ms: nowMs + leaseMs },
      uncertain: true
    };
    writeJob(store, claimed);
    return { job: claimed, by, urls, certain, wait_ms: null };
  }
  function completeChunk(claim, parts) {
    const store = fileStore(keyStores().document);
    const job = requireJob(claim.job.id);
    if (job.lease?.by !== claim.by) return { job, failure: null };
    const { answered, failure } = sortParts(parts);
    writeRows(job, answered);
    const done = new Set(answered.map(({ url }) => url));
    const rest = claim.urls.filter((url) => !done.has(url));
    writeChunk(store, job.next_chunk, rest);
    const failed2 = answered.filter(({ row }) => row.status !== "OK").length;
    const updated = {
      ...job,
      ok: job.ok + answered.length - failed2,
      failed: job.failed + failed2,
      credits: job.credits + answered.reduce((sum, { row }) => sum + Number(row.credits_charged ?? 0), 0),
      next_chunk: rest.length === 0 ? job.next_chunk + 1 : job.next_chunk,
      lease: null,
      uncertain: rest.length > 0 && failure !== null && mayBeCharged(failure.code)
    };
    writeJob(store, updated);
    return { job: updated, failure };
  }
  function sortParts(parts) {
    const answered = [];
    let failure = null;
    for (const { values, rows: rows2 } of parts) {
      if (!Array.isArray(rows2) && rows2.code !== "INVALID_INPUT") {
        failure ?? (failure = rows2);
        continue;
      }
      values.forEach((url, index) => {
        const row = Array.isArray(rows2) ? rows2[index] : invalidRow(rows2);
        const stopping = row === void 0 ? unreadable : stoppingFailure(row);
        if (row === void 0 || stopping !== null) failure ?? (failure = stopping);
        else answered.push({ url, row: { ...row, url } });
      });
    }
    return { answered, failure };
  }
  function invalidRow({ code, message }) {
    return { status: code, message, credits_charged: 0 };
  }
  function stoppingFailure({ status, message }) {
    const code = String(status);
    return stoppingCodes.includes(code) ? { code, message: String(message ?? "") } : null;
  }

  // fill/fill.ts
  var windowMs = 6e4;
  var profileRoute = { path: "/v1/workflows/profile", name: "url", per_request_max: 50, at_once: 2 };
  var waitingCodes = ["RATE_LIMITED", "SOURCE_CAPACITY"];
  function fillState() {
    const job = readJob(fileStore(keyStores().document));
    return reply(job === null ? null : viewOf2(job));
  }
  function startFill(input) {
    const request = asObject(input) ?? {};
    const mode = fillModes.find((known) => known === request.mode);
    if (mode === void 0) throw new PlainError("Choose where to write the results.");
    if (actionServer().key === null) throw new PlainError("No API key is connected. Connect one under Account.");
    const maxAge2 = readMaxAge(request.max_age, network.now());
    const fields = readFields(request.fields, profileColumns).filter((field) => field !== "credits_charged");
    return holdLock(() => {
      const store = fileStore(keyStores().document);
      if (readJob(store) !== null) throw new PlainError("Another fill is not finished. Resume or discard it first.");
      const { urls, columns: columns2, position } = prepareFill(mode, fields, request.area ?? null);
      const chunks = splitChunks(urls);
      chunks.forEach((chunk, index) => {
        writeChunk(store, index, chunk);
      });
      const job = {
        ...{
          id: "fill-".concat(network.now(), "-").concat(Math.floor(network.random() * 1e9)),
          mode,
          columns: columns2,
          max_age: maxAge2,
          place: position
        },
        ...{ started_ms: network.now(), total: urls.length, ok: 0, failed: 0, gone: 0, credits: 0 },
        ...{ next_chunk: 0, chunk_count: chunks.length, lease: null, uncertain: false }
      };
      writeJob(store, job);
      return reply(viewOf2(job));
    });
  }
  function fillChunk(id) {
    const by = "".concat(network.now(), "-").concat(network.random());
    const claim = holdLock(() => claimChunk(id, by, network.now()));
    if (claim.wait_ms !== null) {
      return { ...reply(viewOf2(claim.job)), ...waiting(claim.wait_ms, "This fill is running in another window.") };
    }
    const { job, urls, certain } = claim;
    const maxAge2 = job.max_age === "fresh" && !certain ? "1d" : job.max_age;
    const query = "".concat(maxAge2 === "fresh" ? "fresh=true" : "cache_max_age=".concat(maxAge2), "&fields=").concat(requestedFields(job.columns).join(","));
    const columns2 = requestedFields(job.columns);
    const tableQuery = { ...profileRoute, query, columns: columns2 };
    const parts = fetchTables(tableQuery, urls, actionServer());
    const result = holdLock(() => completeChunk(claim, parts));
    return finishIfDone(result);
  }
  function finishIfDone({ job, failure }) {
    if (job.next_chunk >= job.chunk_count) {
      dropJob(fileStore(keyStores().document), job);
      logRun(job, "Finished");
      return reply({ ...viewOf2(job), finished: true });
    }
    if (failure === null) return reply(viewOf2(job));
    if (waitingCodes.includes(failure.code)) {
      return { ...reply(viewOf2(job)), ...waiting(failure.retry_after_ms ?? windowMs, failureSentence(failure)) };
    }
    return { ...reply(viewOf2(job)), stopped: stoppedSentence(failure) };
  }
  function stoppedSentence(failure) {
    return "".concat(failureSentence(failure), " The finished rows stay in the sheet. Choose Resume to continue.");
  }
  function discardFill(id) {
    holdLock(() => {
      const job = requireJob(id);
      dropJob(fileStore(keyStores().document), job);
      logRun(job, "Discarded");
    });
    return reply(null);
  }
  var modeLabels = {
    replace: "Fill beside the URLs",
    append: "Fill as a snapshot",
    update: "Fill, one row for each account"
  };
  function logRun(job, end) {
    const { ok, failed: failed2, gone, credits } = job;
    const rows2 = ok + failed2;
    const left = job.total - rows2 - gone;
    const parts = [end, left > 0 ? "".concat(left, " not requested") : "", gone > 0 ? "".concat(gone, " no longer in the sheet") : ""];
    const message = "".concat(parts.filter((part) => part !== "").join(", "), ".");
    recordRun({ what: modeLabels[job.mode], rows: rows2, ok, failed: failed2, credits, message });
  }
  function viewOf2(job) {
    const { id, mode, total, ok, failed: failed2, gone, credits } = job;
    return { id, mode, total, done: ok + failed2 + gone, ok, failed: failed2, removed: gone, credits, finished: false };
  }
  function reply(job) {
    return { ok: true, job, wait_s: null, wait_reason: null, stopped: null };
  }
  function waiting(waitMs, waitReason) {
    return { wait_s: Math.max(1, Math.ceil(waitMs / 1e3)), wait_reason: waitReason };
  }

  // formulas/builder/insert-formula.ts
  function insertFormula(input) {
    const file = SpreadsheetApp.getActiveSpreadsheet();
    const cell = file.getCurrentCell();
    if (cell === null) throw new PlainError("Select the cell for the formula.");
    const sheet = cell.getSheet();
    const choice = readChoice(input);
    const built = buildFormula(choice, sheet.getName());
    if ("missing" in built) throw new PlainError(built.missing);
    if (choice.max_age === refreshName && file.getRangeByName(refreshName) === null) {
      throw new PlainError("There is no refresh cell yet. To create one, choose Refresh in the menu of the add-on.");
    }
    const a1 = cell.getA1Notation();
    if (choice.area?.sheet === sheet.getName() && covers(sheet.getRange(choice.area.a1), cell)) {
      throw new PlainError("".concat(a1, " is one of the cells that the formula reads. Select an empty cell beside them."));
    }
    if (cell.getValue() !== "" || cell.getFormula() !== "") {
      throw new PlainError("".concat(a1, " is not empty. Select an empty cell with empty cells to its right and below."));
    }
    cell.setFormula(built.formula);
    return { ok: true, message: "The formula is in ".concat(a1, ".") };
  }
  function covers(range, cell) {
    const [row, column] = [cell.getRow() - range.getRow(), cell.getColumn() - range.getColumn()];
    return row >= 0 && row < range.getNumRows() && column >= 0 && column < range.getNumColumns();
  }
  function readChoice(input) {
    const values = asObject(input) ?? {};
    const text2 = (name) => typeof values[name] === "string" ? values[name] : "";
    const area = asObject(values.area);
    const ticked = Array.isArray(values.ticked) ? values.ticked.map(String) : [];
    return {
      ...{ name: text2("name"), limit: text2("limit"), days: text2("days"), campaign: text2("campaign") },
      ...{ section: text2("section"), max_age: text2("max_age"), ticked },
      area: area === null ? null : { sheet: String(area.sheet), a1: String(area.a1) }
    };
  }

  // platform/samples.ts
  var sheetName = "Tidemark samples";
  var note = "Sample data of invented accounts. Connect a key to get real numbers.";
  var headings2 = ["Profile URL", "Status", "Platform", "Display name", "Followers", "Posts", "Verified"];
  var rows = [
    ["https://instagram.example/harbour.bakery", "SAMPLE", "Instagram", "Harbour Bakery", 48200, 1312, false],
    ["https://instagram.example/north.trails", "SAMPLE", "Instagram", "North Trails", 1275e3, 2904, true],
    ["https://tiktok.example/@cello.daily", "SAMPLE", "TikTok", "Cello Daily", 362400, 518, false],
    ["https://tiktok.example/@tiny.kitchen", "SAMPLE", "TikTok", "Tiny Kitchen", 543e4, 1086, true],
    ["https://youtube.example/@openbench", "SAMPLE", "YouTube", "Open Bench", 91700, 233, false]
  ];
  function writeSamples() {
    const file = SpreadsheetApp.getActiveSpreadsheet();
    const existing2 = file.getSheetByName(sheetName);
    const sheet = existing2 ?? file.insertSheet(sheetName);
    if (existing2 === null) {
      const cells = [headings2, ...rows].map(
        (row) => row.map((cell) => typeof cell === "string" ? writtenText(cell) : cell)
      );
      sheet.getRange(1, 1).setValue(writtenText(note));
      sheet.getRange(2, 1, cells.length, headings2.length).setValues(cells);
      sheet.getRange(2, 1, 1, headings2.length).setFontWeight("bold");
    }
    sheet.activate();
    return { ok: true, message: "Five sample rows are in the sheet “".concat(sheetName, "”."), sheet: sheetName };
  }

  // page-entries.ts
  var sidebarAccount = forPage(readAccount);
  var sidebarConnect = forPage(connect);
  var sidebarDisconnect = forPage(disconnect);
  var sidebarAllowFormulas = forPage(setFormulasAllowed);
  var sidebarSamples = forPage(writeSamples);
  var sidebarSelection = forPage(viewSelection);
  var sidebarEstimate = forPage(estimateSelection);
  var sidebarInsertFormula = forPage(insertFormula);
  var sidebarFill = forPage(fillState);
  var sidebarFillStart = forPage(startFill);
  var sidebarFillChunk = forPage(fillChunk);
  var sidebarFillDiscard = forPage(discardFill);

  // refresh/freeze-cells.ts
  function emptiedCells(change) {
    const { before, after, formulas, frozen } = change;
    const isFrozen = new Set(frozen.map(({ row, column }) => "".concat(row, ",").concat(column)));
    const otherFormulas = [];
    const emptied = [];
    const obstacles = before.map(
      (values, row) => values.map((value, column) => {
        const hasFormula = (formulas[row]?.[column] ?? "") !== "";
        if (hasFormula && !isFrozen.has("".concat(row, ",").concat(column))) otherFormulas.push({ row, column });
        const isEmptied = !hasFormula && value !== "" && after[row]?.[column] === "";
        if (isEmptied) emptied.push({ row, column });
        return hasFormula || value !== "" && !isEmptied ? 1 : 0;
      })
    );
    const count2 = createCounter(obstacles);
    const reaches = (from, to) => from.row <= to.row && from.column <= to.column && count2(from, to) === 1;
    const filled = emptied.filter((cell) => frozen.some((from) => reaches(from, cell)));
    const doubtful = filled.filter((cell) => otherFormulas.some((from) => reaches(from, cell)));
    return { sure: filled.filter((cell) => !doubtful.includes(cell)), doubtful };
  }
  function createCounter(obstacles) {
    const width = obstacles[0]?.length ?? 0;
    const sums = [Array.from({ length: width + 1 }, () => 0)];
    const sum = (row, column) => sums[row]?.[column] ?? 0;
    obstacles.forEach((cells, row) => {
      const line = [0];
      cells.forEach((cell, column) => {
        line.push(cell + sum(row, column + 1) + (line[column] ?? 0) - sum(row, column));
      });
      sums.push(line);
    });
    return (from, to) => sum(to.row + 1, to.column + 1) - sum(from.row, to.column + 1) - sum(to.row + 1, from.column) + sum(from.row, from.column);
  }

  // refresh/freeze.ts
  var noValue = /^(#(ERROR!|REF!|N\/A|NAME\?|VALUE!|NUM!|DIV\/0!|NULL!)|Loading)/;
  function freeze(input) {
    const scope = ["selection", "sheet"].find((known) => known === input);
    if (scope === void 0) throw new PlainError("Choose the selection or the sheet.");
    const { frozen, left } = holdLock(() => {
      const cells = socialFormulas(scope);
      const [first] = cells;
      if (first === void 0) throw new PlainError(noFormulaIn(scope));
      return freezeCells(first.sheet, cells);
    });
    const message = "".concat(frozen === 1 ? "1 formula was" : "".concat(frozen, " formulas were"), " replaced with values, which do not change again.") + (left === 0 ? "" : " ".concat(left === 1 ? "1 formula stays" : "".concat(left, " formulas stay"), ", because an error or a loading cell has no value."));
    recordRun({ what: "Freeze of the ".concat(scope), rows: frozen, ok: frozen, failed: left, credits: 0, message });
    return { ok: true, message };
  }
  function freezeCells(sheet, cells) {
    const used = sheet.getDataRange();
    const before = used.getValues();
    const formulas = used.getFormulas();
    const ready = cells.filter(({ row, column }) => !noValue.test(String(before[row - 1]?.[column - 1])));
    const positions = ready.map(({ row, column }) => ({ row: row - 1, column: column - 1 }));
    const rows2 = before.length;
    const columns2 = before[0]?.length ?? 0;
    let written2 = [];
    try {
      writeBack(sheet, before, positions);
      SpreadsheetApp.flush();
      const now = () => sheet.getRange(1, 1, rows2, columns2).getValues();
      const { sure, doubtful } = emptiedCells({ before, after: now(), formulas, frozen: positions });
      written2 = sure;
      writeBack(sheet, before, sure);
      for (const column of [...new Set(doubtful.map((cell) => cell.column))].sort((a, b) => a - b)) {
        SpreadsheetApp.flush();
        const after = now();
        const missing = doubtful.filter((cell) => cell.column === column && after[cell.row]?.[column] === "");
        written2 = [...written2, ...missing];
        writeBack(sheet, before, missing);
      }
      SpreadsheetApp.flush();
    } catch (error) {
      for (const { row, column } of written2) sheet.getRange(row + 1, column + 1).clearContent();
      for (const run of runsOf(ready)) setRun(run);
      throw error;
    }
    return { frozen: ready.length, left: cells.length - ready.length };
  }
  function writeBack(sheet, values, positions) {
    const cells = positions.map(({ row, column }) => ({ sheet, row: row + 1, column: column + 1, formula: "" }));
    for (const run of runsOf(cells)) {
      const area = areaOf(run);
      const formats = area.getNumberFormats();
      if (formats.some(([format]) => format === "@")) {
        area.setNumberFormats(formats.map(([format = ""]) => [format === "@" ? "General" : format]));
      }
      area.setValues(run.formulas.map((_, down) => [written(values[run.row - 1 + down]?.[run.column - 1])]));
    }
  }
  function written(value) {
    if (typeof value === "number" || typeof value === "boolean" || value instanceof Date) return value;
    const text2 = String(value ?? "");
    return text2 === "" ? "" : writtenText(text2);
  }

  // refresh/schedule.ts
  var allowedHours = [1, 2, 4, 6, 8, 12, 24];
  var hourMs = 36e5;
  var savedPrefix = "schedule_in_";
  var ranProperty = "schedule_ran_ms";
  var sameRunMs = 30 * 6e4;
  var reliableWay = "For reports that must always arrive, let the server write them into a spreadsheet: see Spreadsheets on your dashboard.";
  function readSchedule() {
    const saved = readSaved();
    if (saved === null || ownTriggers().length === 0) return { ok: true, schedule: null };
    const { every_hours, last_ms } = saved;
    return { ok: true, schedule: { every_hours, next: last_ms + every_hours * hourMs } };
  }
  function setSchedule(hours) {
    const everyHours = allowedHours.find((known) => known === hours);
    if (everyHours === void 0 && hours !== null) {
      throw new PlainError("Choose an interval of ".concat(allowedHours.join(", "), " hours. Google offers no others."));
    }
    requirePermission("schedule");
    for (const trigger of ownTriggers()) ScriptApp.deleteTrigger(trigger);
    const { user } = keyStores();
    user.deleteProperty(propertyName());
    if (everyHours === void 0) return { ok: true, message: "The schedule of this file is off." };
    const saved = {
      every_hours: everyHours,
      last_ms: network.now(),
      trigger_id: createTrigger(everyHours)
    };
    user.setProperty(propertyName(), JSON.stringify(saved));
    const interval = everyHours === 24 ? "every day" : everyHours === 1 ? "every hour" : "every ".concat(everyHours, " hours");
    return {
      ok: true,
      message: "Reports and the refresh cell of this file are refreshed ".concat(interval, ", with your key. ") + "Formulas may not run until someone opens the file. ".concat(reliableWay)
    };
  }
  function noteScheduledRun() {
    const saved = readSaved();
    if (saved === null) return;
    keyStores().user.setProperty(propertyName(), JSON.stringify({ ...saved, last_ms: network.now() }));
  }
  function isAuthorized() {
    const status = ScriptApp.getAuthorizationInfo(ScriptApp.AuthMode.FULL).getAuthorizationStatus();
    return status !== ScriptApp.AuthorizationStatus.REQUIRED;
  }
  function createTrigger(everyHours) {
    const trigger = ScriptApp.newTrigger("refreshOnSchedule_").timeBased();
    try {
      return (everyHours === 24 ? trigger.everyDays(1) : trigger.everyHours(everyHours)).create().getUniqueId();
    } catch (error) {
      network.log("The trigger could not be created: ".concat(String(error)));
      throw new PlainError(
        "Google refused the schedule. It always does in a test deployment of the add-on. ".concat(reliableWay)
      );
    }
  }
  function ownTriggers() {
    const saved = readSaved();
    const ofProject = ScriptApp.getProjectTriggers().filter((trigger) => trigger.getUniqueId() === saved?.trigger_id);
    if (ofProject.length > 0) return ofProject;
    return ScriptApp.getUserTriggers(SpreadsheetApp.getActiveSpreadsheet()).filter(
      (trigger) => trigger.getHandlerFunction() === "refreshOnSchedule_"
    );
  }
  function propertyName() {
    return savedPrefix + SpreadsheetApp.getActiveSpreadsheet().getId();
  }
  function readSaved() {
    const text2 = keyStores().user.getProperty(propertyName());
    const saved = text2 === null ? null : asObject(JSON.parse(text2));
    const isWhole = typeof saved?.every_hours === "number" && typeof saved.last_ms === "number";
    return isWhole ? saved : null;
  }
  function claimScheduledRun() {
    return holdLock(() => {
      const store = fileStore(keyStores().document);
      const lastMs = Number(store.getProperty(ranProperty) ?? Number.NEGATIVE_INFINITY);
      if (network.now() - lastMs < sameRunMs) return false;
      store.setProperty(ranProperty, String(network.now()));
      return true;
    });
  }

  // report-sheet/campaigns.ts
  function listCampaigns() {
    const { key, network: network2, origin } = actionServer();
    if (key === null) throw new FailureError(noKey);
    const [answer] = fetchAnswers(["".concat(origin, "/v1/workflows/campaigns")], key, network2);
    if (answer?.ok === false) throw new FailureError(answer.failure);
    const items = asObject(answer?.data)?.items;
    if (!Array.isArray(items)) throw new FailureError(unreadable);
    const campaigns = items.flatMap((item) => {
      const { id, name, status } = asObject(item) ?? {};
      return typeof id === "string" ? [{ id, name: String(name ?? ""), status: String(status ?? "") }] : [];
    });
    return { ok: true, campaigns };
  }

  // report-sheet/charts.ts
  var chartWidthPx = 335;
  var chartHeightPx = 230;
  var chartGapPx = 10;
  var columnWidthPx = { name: 240, other: 130 };
  function drawCharts(sheet, charts, known) {
    const existing2 = new Map(sheet.getCharts().map((chart) => [chart.getChartId(), chart]));
    const found = (key) => existing2.get(known[key] ?? null);
    for (const key of Object.keys(known)) {
      const obsolete = charts.some((chart) => chart.key === key) ? void 0 : found(key);
      if (obsolete !== void 0) sheet.removeChart(obsolete);
    }
    const ids = {};
    for (const chart of charts) {
      const old = found(chart.key);
      const id = old === void 0 ? insert(sheet, chart) : update(sheet, old, chart);
      if (id !== null) ids[chart.key] = id;
    }
    return ids;
  }
  function update(sheet, old, chart) {
    const { column, x } = columnAt(chart.index * (chartWidthPx + chartGapPx));
    const builder = old.modify().clearRanges().setPosition(chart.row, column, x, 0);
    for (const range of rangesOf(sheet, chart)) builder.addRange(range);
    sheet.updateChart(builder.build());
    return old.getChartId();
  }
  function insert(sheet, chart) {
    const before = sheet.getCharts().map((chart2) => chart2.getChartId());
    const { column, x } = columnAt(chart.index * (chartWidthPx + chartGapPx));
    const builder = chart.type === "bar" ? sheet.newChart().asBarChart() : sheet.newChart().asLineChart();
    builder.setNumHeaders(1).setPosition(chart.row, column, x, 0);
    for (const range of rangesOf(sheet, chart)) builder.addRange(range);
    const built = builder.setOption("title", chart.title).setOption("width", chartWidthPx).setOption("height", chartHeightPx).setOption("pointSize", 4).setOption("interpolateNulls", false).setOption("legend", { position: chart.type === "bar" ? "none" : "bottom" }).build();
    sheet.insertChart(built);
    const added = sheet.getCharts().find((one) => !before.includes(one.getChartId()));
    return added?.getChartId() ?? null;
  }
  function rangesOf(sheet, { first_row, rows: rows2, columns: columns2 }) {
    return columns2.map(({ first, count: count2 }) => sheet.getRange(first_row, first, rows2, count2));
  }
  function columnAt(fromLeftPx) {
    if (fromLeftPx < columnWidthPx.name) return { column: 1, x: fromLeftPx };
    const beyondPx = fromLeftPx - columnWidthPx.name;
    return { column: 2 + Math.floor(beyondPx / columnWidthPx.other), x: beyondPx % columnWidthPx.other };
  }

  // report-sheet/read-report.ts
  function objects2(value) {
    return Array.isArray(value) ? value.map((item) => asObject(item) ?? {}) : [];
  }
  function numberOf(value) {
    return typeof value === "number" ? value : null;
  }
  function textOf(value) {
    return typeof value === "string" && value !== "" ? value : null;
  }
  function timeOf(value) {
    return typeof value === "number" && Math.abs(value) <= timeMaxMs2 ? value : null;
  }
  var timeMaxMs2 = 864e13;

  // report-sheet/words.ts
  var platformNames = { photo: "Instagram", shortvideo: "TikTok", longvideo: "YouTube" };
  var kindNames = { profile: "Account" };
  var qualityWords = {
    rounded: "rounded",
    hidden: "hidden by the account",
    not_exposed: "not published"
  };
  var statusWords = {
    active: "Checked daily",
    paused: "Paused",
    identity_changed: "The handle now belongs to another account"
  };
  var monthNames = [
    ...["January", "February", "March", "April", "May", "June", "July"],
    ...["August", "September", "October", "November", "December"]
  ];
  function platformName(platform) {
    return platformNames[String(platform)] ?? fieldLabel(String(platform));
  }
  function kindName(kind) {
    return kindNames[String(kind)] ?? fieldLabel(String(kind));
  }
  function statusWord(status) {
    return statusWords[String(status)] ?? fieldLabel(String(status));
  }
  function qualityWord(quality) {
    return qualityWords[String(quality)] ?? "unknown";
  }
  function grouped(value) {
    return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
  }
  function periodWords(startAt, endAt) {
    const first = new Date(startAt);
    const last = new Date(endAt - 1);
    const firstParts = [dayAndMonth(first), first.getUTCFullYear()];
    if (first.getUTCFullYear() === last.getUTCFullYear()) firstParts.pop();
    const sameMonth = firstParts.length === 1 && first.getUTCMonth() === last.getUTCMonth();
    const from = sameMonth ? first.getUTCDate() : firstParts.join(" ");
    return "".concat(from, " to ").concat(dayAndMonth(last), " ").concat(last.getUTCFullYear(), " (UTC)");
  }
  function dayAndMonth(date) {
    return "".concat(date.getUTCDate(), " ").concat(monthNames[date.getUTCMonth()]);
  }
  function linesOf2(text2) {
    const lines = [];
    for (const word of text2.split(/\s+/)) {
      const last = lines[lines.length - 1];
      if (last !== void 0 && last.length + word.length < lineCharactersMax)
        lines[lines.length - 1] = "".concat(last, " ").concat(word);
      else lines.push(word);
    }
    return lines;
  }
  var lineCharactersMax = 125;

  // report-sheet/facts.ts
  var weekMs = 7 * 864e5;
  var accountKinds = ["profile", "channel"];
  function keyNumbers(report) {
    return Object.entries(asObject(report.totals) ?? {}).map(([metric, value]) => {
      const total = asObject(value) ?? {};
      return {
        metric,
        end: numberOf(total.end),
        start: numberOf(total.start),
        change: numberOf(total.change),
        change_percent: numberOf(total.change_percent),
        change_before: changeBefore(report, metric),
        rounded: total.quality === "rounded",
        items: numberOf(total.items) ?? 0,
        items_missing: numberOf(total.items_missing) ?? 0,
        unknown: unknownWord(report, metric)
      };
    });
  }
  function unknownWord(report, metric) {
    const values = objects2(report.items).filter((item) => asObject(asObject(item.metrics)?.[metric]) !== null).map((item) => itemNumber(item, metric));
    const reasons = new Set(values.flatMap(({ end, quality }) => end === null ? [qualityWord(quality)] : []));
    const [reason = "unknown"] = reasons;
    return reasons.size === 1 ? reason : "unknown";
  }
  function changeBefore(report, metric) {
    const weeks = objects2(report.series).filter((series) => series.metric === metric && series.step === "week");
    const startAt = numberOf(report.period_start);
    if (weeks.length === 0 || startAt === null) return null;
    let sum = 0;
    for (const series of weeks) {
      const valueAt = (at) => numberOf(objects2(series.points).find((point) => point.at === at)?.value);
      const [end, start] = [valueAt(startAt - weekMs), valueAt(startAt - 2 * weekMs)];
      if (end === null || start === null) return null;
      sum += end - start;
    }
    return sum;
  }
  function itemNumber(item, metric) {
    const value = asObject(asObject(item.metrics)?.[metric]) ?? {};
    const { end, change, change_percent, quality } = value;
    return { end: numberOf(end), change: numberOf(change), change_percent: numberOf(change_percent), quality };
  }
  function itemName({ name, url }) {
    return String(name ?? url ?? "");
  }
  function isAccount({ kind }) {
    return accountKinds.includes(String(kind));
  }
  function accountsByFollowers(report) {
    const accounts = objects2(report.items).filter((item) => isAccount(item) && item.status !== "identity_changed");
    return sortedBy(accounts, (item) => itemNumber(item, "followers").end);
  }
  function movers(report, direction) {
    const change = (item) => (itemNumber(item, "followers").change ?? 0) * direction;
    const moved = accountsByFollowers(report).filter((item) => change(item) > 0);
    return sortedBy(moved, change);
  }
  function bestPosts(report) {
    const posts = objects2(report.items).filter((item) => !isAccount(item) && item.status !== "identity_changed");
    const viewed = sortedBy(posts, (item) => itemNumber(item, "views").change);
    const liked = posts.filter((item) => !viewed.includes(item));
    return [...viewed, ...sortedBy(liked, (item) => itemNumber(item, "likes").change)];
  }
  function sortedBy(items, value) {
    const known = items.flatMap((item) => {
      const number = value(item);
      return number === null ? [] : [{ item, number }];
    });
    return known.sort((a, b) => b.number - a.number).map(({ item }) => item);
  }

  // report-sheet/cells.ts
  var dayMs2 = 864e5;
  var daysBeforeUnix = 25569;
  var numberFormats2 = {
    text: "General",
    count: "#,##0",
    change: "[Color10]+#,##0;[Red]-#,##0;0",
    share: "0.0%",
    growth: "[Color10]+0.0%;[Red]-0.0%;0.0%",
    day: "yyyy-mm-dd",
    time: "yyyy-mm-dd hh:mm"
  };
  function numberFormat(kind) {
    return numberFormats2[kind];
  }
  function sheetCell(kind, value) {
    if (value === null || value === void 0 || value === "") return "";
    if (typeof value === "boolean") return value;
    if (typeof value !== "number") return writtenText(typeof value === "string" ? value : JSON.stringify(value));
    if (kind === "day" || kind === "time") return value / dayMs2 + daysBeforeUnix;
    return kind === "share" || kind === "growth" ? value / 100 : value;
  }

  // report-sheet/place.ts
  var chartRows = 12;
  var chartsPerRow = 3;
  var endMark = "End of the report.";
  var endBlock = {
    lines: [
      {
        text: "".concat(endMark, " A refresh replaces everything above this line, in the columns that the report uses. ") + "Anything you write below this line or to the right stays, and moves when the report grows.",
        style: "quiet"
      }
    ],
    columns: [],
    rows: []
  };
  var textColumn = { heading: "", kind: "text" };
  var emptyRow = rowOf([""], [textColumn]);
  function placeBlocks(top, below) {
    const plans = [...top, ...below].flatMap(({ charts: charts2 = [] }) => charts2);
    const order = [...plans.filter(({ type }) => type === "line"), ...plans.filter(({ type }) => type === "bar")];
    const rows2 = [];
    const styles = [];
    const charts = [];
    let bandRow = 1;
    const place = (block) => {
      const firstRow = rows2.length + 1;
      styles.push(...stylesOf(block, firstRow));
      rows2.push(...rowsOf(block), emptyRow);
      const headingRow = firstRow + block.lines.length;
      for (const plan of block.charts ?? []) {
        charts.push({ ...plan, row: 0, index: order.indexOf(plan), first_row: headingRow, rows: block.rows.length + 1 });
      }
    };
    for (const block of top) place(block);
    bandRow = rows2.length + 1;
    for (let row = 0; row < Math.ceil(order.length / chartsPerRow) * chartRows; row++) rows2.push(emptyRow);
    for (const block of below) place(block);
    rows2.pop();
    return {
      ...padded(rows2),
      styles,
      charts: charts.sort((a, b) => a.index - b.index).map((chart) => ({
        ...chart,
        row: bandRow + Math.floor(chart.index / chartsPerRow) * chartRows,
        index: chart.index % chartsPerRow
      }))
    };
  }
  function rowsOf({ lines, columns: columns2, rows: rows2 }) {
    const texts = lines.map(({ text: text2 }) => rowOf([text2], [textColumn]));
    if (columns2.length === 0) return texts;
    const headings3 = columns2.map(({ heading: heading2 }) => heading2);
    return [...texts, rowOf(headings3, columns2), ...rows2.map((row) => rowOf(row, columns2))];
  }
  function rowOf(values, columns2) {
    return {
      cells: columns2.map(({ kind }, index) => sheetCell(kind, values[index])),
      formats: columns2.map(({ kind }) => numberFormat(kind)),
      alignments: columns2.map(({ kind }) => kind === "text" || kind === "day" ? "left" : "right")
    };
  }
  function stylesOf({ lines, columns: columns2 }, firstRow) {
    const styles = lines.map(({ style }, index) => ({ style, row: firstRow + index, width: 1 }));
    if (columns2.length === 0) return styles;
    return [...styles, { style: "heading", row: firstRow + lines.length, width: columns2.length }];
  }
  function padded(rows2) {
    const width = Math.max(...rows2.map(({ cells }) => cells.length));
    const indexes = Array.from({ length: width }, (_, index) => index);
    return {
      cells: rows2.map(({ cells }) => indexes.map((index) => cells[index] ?? "")),
      formats: rows2.map(({ formats }) => indexes.map((index) => formats[index] ?? numberFormat("text"))),
      alignments: rows2.map(({ alignments }) => indexes.map((index) => alignments[index] ?? "left"))
    };
  }

  // report-sheet/details.ts
  var dayMs3 = 864e5;
  function arrangeDetails(report) {
    const items = objects2(report.items);
    const metrics2 = [...new Set(items.flatMap((item) => Object.keys(asObject(item.metrics) ?? {})))];
    const table = {
      lines: [],
      columns: [...nameColumns, ...metrics2.flatMap(metricColumns), ...factColumns],
      rows: items.map((item) => [
        ...[itemName(item), platformName(item.platform), kindName(item.kind)],
        ...metrics2.flatMap((metric) => {
          const { end, change, change_percent } = itemNumber(item, metric);
          return [end, change, change_percent];
        }),
        ...[numberOf(objects2(item.rates)[0]?.percent), remarks(item, metrics2)],
        ...[statusWord(item.status), timeOf(item.first_observed_at), timeOf(item.last_observed_at)],
        ...[missingDays(item), String(item.item_id ?? ""), item.url]
      ])
    };
    return placeBlocks([], [table, endBlock]);
  }
  var nameColumns = [
    { heading: "Name", kind: "text" },
    { heading: "Platform", kind: "text" },
    { heading: "Type", kind: "text" }
  ];
  var factColumns = [
    { heading: "Engagement rate", kind: "share" },
    { heading: "Remarks", kind: "text" },
    { heading: "Status", kind: "text" },
    { heading: "First check (UTC)", kind: "time" },
    { heading: "Last check (UTC)", kind: "time" },
    { heading: "Days missing (UTC)", kind: "text" },
    { heading: "Item ID", kind: "text" },
    { heading: "Link", kind: "text" }
  ];
  function metricColumns(metric) {
    const label = fieldLabel(metric);
    return [
      { heading: label, kind: "count" },
      { heading: "".concat(label, " change"), kind: "change" },
      { heading: "".concat(label, " change %"), kind: "growth" }
    ];
  }
  function remarks(item, metrics2) {
    const parts = metrics2.flatMap((metric) => {
      if (asObject(asObject(item.metrics)?.[metric]) === null) return [];
      const { end, quality } = itemNumber(item, metric);
      return end !== null && quality !== "rounded" ? [] : ["".concat(fieldLabel(metric), " ").concat(qualityWord(quality))];
    });
    return parts.join(", ");
  }
  function missingDays(item) {
    const periods = objects2(item.gaps).flatMap(({ from, to }) => {
      const [first, end] = [timeOf(from), timeOf(to)];
      if (first === null || end === null) return [];
      return [[.../* @__PURE__ */ new Set([dayOf(first), dayOf(end - dayMs3)])].join(" to ")];
    });
    return periods.join(", ");
  }
  function dayOf(at) {
    return new Date(at).toISOString().slice(0, 10);
  }

  // report-sheet/legend.ts
  var legendLines = [
    "Rounded: the platform shows a rounded number, so small changes are not visible.",
    "Hidden or not published: the account or the platform does not show the number. That does not mean 0.",
    "An empty cell is an unknown number; only a 0 means zero. In a table by day or week, it means that at least one item has no number for that day or week."
  ];

  // report-sheet/series.ts
  var stepLabels = {
    day: { title: "Day by day", heading: "Day (UTC)" },
    week: { title: "Week by week", heading: "Week from (UTC)" }
  };
  var fewestWeeks = 4;
  var fewestDays = 2;
  var chartedMetrics = Object.keys(trackedMetrics).filter((metric) => trackedMetrics[metric] !== null).sort((a, b) => Number(trackedMetrics[a]) - Number(trackedMetrics[b]));
  function seriesTables(report) {
    const days = readTable2(report, "day");
    const weeks = readTable2(report, "week");
    const byWeek = weeks.times.length >= fewestWeeks;
    return [days, weeks].filter(({ lines, times }) => lines.length > 0 && times.length > 0).map((table) => blockOf(table, table === weeks === byWeek && table.times.length >= fewestDays));
  }
  function blockOf({ step, lines, times }, charted) {
    const { title, heading: heading2 } = stepLabels[step];
    return {
      lines: [
        { text: title, style: "section" },
        { text: "The last number of each item, added up over all items of the platform.", style: "quiet" }
      ],
      columns: [{ heading: heading2, kind: "day" }, ...lines.map((line) => ({ heading: headingOf(line), kind: "count" }))],
      rows: times.map((at) => [at, ...lines.map(({ points }) => points.get(at) ?? null)]),
      charts: charted ? chartsOf(lines, step) : []
    };
  }
  function readTable2(report, step) {
    const times = /* @__PURE__ */ new Set();
    const lines = objects2(report.series).filter((series) => series.step === step).map(({ platform, metric, points }) => {
      const known = objects2(points).flatMap((point) => {
        const at = timeOf(point.at);
        if (at === null) return [];
        times.add(at);
        const value = numberOf(point.value);
        return value === null ? [] : [[at, value]];
      });
      const rounded = objects2(points).some(({ quality }) => quality === "rounded");
      return { platform: String(platform), metric: String(metric), points: new Map(known), rounded };
    });
    const metrics2 = [...new Set(lines.map(({ metric }) => metric))];
    return {
      step,
      lines: metrics2.flatMap((metric) => lines.filter((line) => line.metric === metric)),
      times: [...times].sort((a, b) => a - b)
    };
  }
  function headingOf({ platform, metric, rounded }) {
    return "".concat(platformName(platform), " ").concat(fieldLabel(metric).toLowerCase()).concat(rounded ? " (rounded)" : "");
  }
  function chartsOf(lines, step) {
    const metrics2 = chartedMetrics.filter((metric) => lines.some((line) => line.metric === metric));
    return metrics2.map((metric) => ({
      key: "".concat(metric, "_by_").concat(step),
      title: "".concat(fieldLabel(metric), " by ").concat(step, " (UTC)"),
      type: "line",
      columns: [
        { first: 1, count: 1 },
        {
          first: lines.findIndex((line) => line.metric === metric) + 2,
          count: lines.filter((line) => line.metric === metric).length
        }
      ]
    }));
  }

  // report-sheet/summary.ts
  var moversMax = 5;
  var postsMax2 = 10;
  var accountsMax = 10;
  var headlineNumbersMax = 3;
  var fewestBars = 2;
  function arrangeSummary(report, workspace) {
    const numbers = keyNumbers(report);
    const top = [headBlock(report, workspace, numbers), keyNumbersBlock(numbers)];
    const below = [
      moversBlock("Accounts that gained the most followers", movers(report, 1)),
      moversBlock("Accounts that lost the most followers", movers(report, -1)),
      postsBlock(report),
      ratesBlock(report),
      notesBlock(report),
      accountsBlock(report),
      ...seriesTables(report)
    ];
    const filled = below.filter(({ columns: columns2, rows: rows2 }) => columns2.length === 0 || rows2.length > 0);
    return placeBlocks(top, [...filled, endBlock]);
  }
  function headBlock(report, workspace, numbers) {
    const [start, end] = [timeOf(report.period_start), timeOf(report.period_end)];
    const created = timeOf(report.generated_at);
    const period = start === null || end === null ? [] : ["Week from ".concat(periodWords(start, end))];
    const state = report.final === true ? "final" : "so far, not final";
    const facts = [
      ...workspace === null ? [] : ["Workspace: ".concat(workspace)],
      ...created === null ? [] : ["Created ".concat(new Date(created).toISOString().slice(0, 16).replace("T", " "), " (UTC)")]
    ];
    const name = textOf(report.report_name) ?? textOf(asObject(report.campaign)?.name) ?? "Campaign report";
    return {
      lines: [
        { text: name, style: "title" },
        { text: [...period, state].join(", "), style: "quiet" },
        { text: facts.join(" · "), style: "quiet" },
        ...styled(linesOf2(headline(report, numbers)), "headline")
      ],
      columns: [],
      rows: []
    };
  }
  function headline(report, numbers) {
    const changes = chartedMetrics.flatMap((metric) => {
      const { end, change, change_percent } = numbers.find((one) => one.metric === metric) ?? {};
      if (typeof end !== "number" || typeof change !== "number") return [];
      const label = fieldLabel(metric).toLowerCase();
      if (change === 0) return ["".concat(label, " unchanged at ").concat(grouped(end))];
      const percent = typeof change_percent === "number" ? " (".concat(oneDecimal(Math.abs(change_percent)), "%)") : "";
      return ["".concat(label, " ").concat(change > 0 ? "up" : "down", " ").concat(grouped(Math.abs(change))).concat(percent, " to ").concat(grouped(end))];
    });
    if (changes.length === 0) return "No change can be shown: no number is known at both ends of this week.";
    const when = report.final === true ? "This week" : "This week so far";
    return "".concat(when, ": ").concat(changes.slice(0, headlineNumbersMax).join(", "), ".");
  }
  function oneDecimal(value) {
    return (Math.round(value * 10) / 10).toFixed(1);
  }
  var keyColumns = [
    { heading: "Key number", kind: "text" },
    { heading: "This week", kind: "count" },
    { heading: "Previous week", kind: "count" },
    { heading: "Change", kind: "change" },
    { heading: "Change %", kind: "growth" },
    { heading: "Previous change", kind: "change" },
    { heading: "Remarks", kind: "text" }
  ];
  function keyNumbersBlock(numbers) {
    const unknownLast = [...numbers].sort((a, b) => Number(a.end === null) - Number(b.end === null));
    const rows2 = unknownLast.map((number) => {
      const { metric, end, start, change, change_percent, change_before, unknown } = number;
      const changes = [change ?? unknown, change_percent ?? (change === null ? unknown : "from zero")];
      return [
        ...[fieldLabel(metric), end ?? unknown, start ?? unknown],
        ...[...changes, change_before ?? "unknown", remarks2(number)]
      ];
    });
    return {
      lines: [{ text: "Key numbers", style: "section" }, ...styled(keyCaptions, "quiet")],
      columns: keyColumns,
      rows: rows2
    };
  }
  var keyCaptions = [
    "Counts at the end of each week, added up over all items. Previous change: the change in the week before.",
    "For an item without a count before this week, its first count in the week stands for the previous week."
  ];
  function remarks2({ rounded, items, items_missing }) {
    const of = items + items_missing;
    const parts = [
      ...rounded ? ["rounded by the platform"] : [],
      ...items_missing > 0 ? ["".concat(items, " of ").concat(of, " ").concat(of === 1 ? "item" : "items", " counted")] : []
    ];
    return parts.join(", ");
  }
  function moversBlock(title, items) {
    return { ...followersTable(items.slice(0, moversMax)), lines: [{ text: title, style: "section" }] };
  }
  function accountsBlock(report) {
    const table = followersTable(accountsByFollowers(report).slice(0, accountsMax));
    const columns2 = [
      { first: 1, count: 1 },
      { first: 3, count: 1 }
    ];
    const chart = { key: "accounts_bar", title: "Followers by account", type: "bar", columns: columns2 };
    return {
      ...table,
      lines: [{ text: "Accounts with the most followers", style: "section" }],
      charts: table.rows.length < fewestBars ? [] : [chart]
    };
  }
  function followersTable(items) {
    return {
      lines: [],
      columns: [
        { heading: "Account", kind: "text" },
        { heading: "Platform", kind: "text" },
        { heading: "Followers", kind: "count" },
        { heading: "Change", kind: "change" },
        { heading: "Change %", kind: "growth" },
        { heading: "Remarks", kind: "text" }
      ],
      rows: items.map((item) => {
        const { end, change, change_percent, quality } = itemNumber(item, "followers");
        const remark = quality === "rounded" ? "rounded by the platform" : "";
        return [itemName(item), platformName(item.platform), end, change, change_percent, remark];
      })
    };
  }
  function postsBlock(report) {
    const rows2 = bestPosts(report).slice(0, postsMax2).map((item) => [
      ...[itemName(item), platformName(item.platform)],
      ...[itemNumber(item, "views").change, itemNumber(item, "views").end],
      ...[itemNumber(item, "likes").change, itemNumber(item, "likes").end, itemNumber(item, "comments").end],
      ...[objects2(item.rates)[0]?.percent, item.url]
    ]);
    const seen = rows2.some((row) => typeof row[2] === "number");
    const columns2 = [
      { first: 1, count: 1 },
      { first: seen ? 3 : 5, count: 1 }
    ];
    const title = "".concat(seen ? "New views" : "New likes", " by post");
    return {
      lines: [
        { text: "Best posts", style: "section" },
        {
          text: "Sorted by new views in this week; posts without a number of views follow, by new likes.",
          style: "quiet"
        }
      ],
      columns: postColumns2,
      rows: rows2,
      charts: rows2.length < fewestBars ? [] : [{ key: "posts_bar", title, type: "bar", columns: columns2 }]
    };
  }
  var postColumns2 = [
    { heading: "Post", kind: "text" },
    { heading: "Platform", kind: "text" },
    { heading: "New views", kind: "change" },
    { heading: "Views", kind: "count" },
    { heading: "New likes", kind: "change" },
    { heading: "Likes", kind: "count" },
    { heading: "Comments", kind: "count" },
    { heading: "Engagement rate", kind: "share" },
    { heading: "Link", kind: "text" }
  ];
  function ratesBlock(report) {
    const rows2 = objects2(report.by_platform).flatMap(
      ({ platform, rates }) => objects2(rates).map(({ percent, items, items_missing, formula }) => [
        ...[platformName(platform), percent ?? "unknown", items, items_missing, formula]
      ])
    );
    return {
      lines: [{ text: "Engagement rates", style: "section" }],
      columns: [
        { heading: "Platform", kind: "text" },
        { heading: "Engagement rate", kind: "share" },
        { heading: "Posts counted", kind: "count" },
        { heading: "Not counted", kind: "count" },
        { heading: "Formula", kind: "text" }
      ],
      rows: rows2
    };
  }
  function notesBlock(report) {
    const notes = (Array.isArray(report.notes) ? report.notes : []).map(String);
    const all = [...notes, ...legendLines, textOf(report.method) ?? ""].filter((note2) => note2 !== "");
    const lines = all.flatMap((note2) => linesOf2(note2).map((line, index) => index === 0 ? "• ".concat(line) : "   ".concat(line)));
    return { lines: [{ text: "Notes", style: "section" }, ...styled(lines, "plain")], columns: [], rows: [] };
  }
  function styled(texts, style) {
    return texts.map((text2) => ({ text: text2, style }));
  }

  // report-sheet/target.ts
  var savedPrefix2 = "report_sheet_";
  var sheetNameCharactersMax = 90;
  function readSaved2(store, campaignId) {
    const text2 = store.getProperty(savedPrefix2 + campaignId);
    const saved = text2 === null ? null : asObject(JSON.parse(text2));
    if (saved === null || typeof saved.sheet_id !== "number" || asObject(saved.charts) === null) return null;
    return saved;
  }
  function writeSaved(store, campaignId, saved) {
    store.setProperty(savedPrefix2 + campaignId, JSON.stringify(saved));
  }
  function forgetSaved(store, campaignId) {
    store.deleteProperty(savedPrefix2 + campaignId);
  }
  function savedCampaigns(names) {
    return names.flatMap((name) => name.startsWith(savedPrefix2) ? [name.slice(savedPrefix2.length)] : []);
  }
  function sheetById(file, id) {
    return file.getSheets().find((sheet) => sheet.getSheetId() === id) ?? null;
  }
  function newReportSheet(file, campaignName, what2) {
    const baseName = "".concat(plainName(campaignName), " ").concat(what2).trim();
    const taken = file.getSheets().map((sheet) => sheet.getName().toLowerCase());
    let name = baseName;
    for (let number = 2; taken.includes(name.toLowerCase()); number++) name = "".concat(baseName, " (").concat(number, ")");
    return file.insertSheet(name, taken.length);
  }
  function plainName(text2) {
    const line = text2.replace(/[\p{C}\s]+/gu, " ").replace(/['"!:*?/\\[\]]/g, " ");
    return [...line.replace(/ +/g, " ").trim()].slice(0, sheetNameCharactersMax / 2).join("");
  }
  function prepareSheet(sheet, saved, { cells }) {
    const rows2 = cells.length;
    const columns2 = cells[0]?.length ?? 0;
    const earlier = saved === null ? { rows: 0, columns: 0 } : reportArea(sheet, saved);
    if (earlier.rows > 0 && rows2 > earlier.rows && sheet.getLastRow() > earlier.rows) {
      sheet.insertRowsAfter(earlier.rows, rows2 - earlier.rows);
    }
    if (earlier.columns > 0 && columns2 > earlier.columns && sheet.getLastColumn() > earlier.columns) {
      sheet.insertColumnsAfter(earlier.columns, columns2 - earlier.columns);
    }
    if (sheet.getMaxRows() < rows2) sheet.insertRowsAfter(sheet.getMaxRows(), rows2 - sheet.getMaxRows());
    if (sheet.getMaxColumns() < columns2) {
      sheet.insertColumnsAfter(sheet.getMaxColumns(), columns2 - sheet.getMaxColumns());
    }
    const height = Math.max(rows2, earlier.rows);
    const width = Math.max(columns2, earlier.columns);
    sheet.getRange(1, 1, height, width).clear().clearDataValidations();
  }
  function reportArea(sheet, saved) {
    const lastRow = sheet.getLastRow();
    const firstCells = lastRow === 0 ? [] : sheet.getRange(1, 1, lastRow, 1).getValues();
    const marked = firstCells.findIndex(([cell]) => String(cell).startsWith(endMark));
    const rows2 = marked === -1 ? Math.min(saved.rows, sheet.getMaxRows()) : marked + 1;
    return { rows: rows2, columns: Math.min(saved.columns, sheet.getMaxColumns()) };
  }
  function checkProtection(sheet, { cells }) {
    const rows2 = Math.min(cells.length, sheet.getMaxRows());
    const columns2 = Math.min(cells[0]?.length ?? 0, sheet.getMaxColumns());
    if (sheet.getRange(1, 1, rows2, columns2).canEdit()) return;
    throw new PlainError(
      'The sheet "'.concat(sheet.getName(), '" is protected, so the report was not changed. Ask its owner to let you edit it, or delete the sheet to get a new one.')
    );
  }

  // report-sheet/report-sheet.ts
  var idForm2 = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
  var headingColor = "#e8eef4";
  var accentColor = "#1f4e79";
  var quietColor = "#5f6368";
  var titlePoints = 20;
  var headlinePoints = 12;
  var sectionPoints = 13;
  var ReportError = class extends FailureError {
  };
  function insertReport(campaignId, reportId) {
    if (!isId2(campaignId)) throw new PlainError("Choose a campaign.");
    const week = reportId === void 0 || reportId === null || reportId === "" ? null : reportId;
    if (week !== null && !isId2(week)) throw new PlainError("Choose a report from the list.");
    const written2 = writeReport(campaignId, week);
    const message = "".concat(written2.sheet, ": ").concat(written2.state, ". It cost 0 credits.");
    recordRun({ what: "Campaign report", rows: written2.items, ok: written2.items, failed: 0, credits: 0, message });
    return { ok: true, message, sheet: written2.sheet };
  }
  function writeReport(campaignId, reportId, activate = true) {
    const { report, workspace } = loadReport(campaignId, reportId);
    const summary = arrangeSummary(report, workspace);
    const details = arrangeDetails(report);
    return holdLock(() => {
      const file = SpreadsheetApp.getActiveSpreadsheet();
      const store = fileStore(keyStores().document);
      const saved = readSaved2(store, campaignId);
      const name = textOf(asObject(report.campaign)?.name) ?? "";
      const old = { summary: existing(file, saved), details: existing(file, saved?.details ?? null) };
      if (old.summary !== null) checkProtection(old.summary, summary);
      if (old.details !== null) checkProtection(old.details, details);
      const sheet = old.summary ?? newReportSheet(file, name, "report");
      const detailsSheet = old.details ?? newReportSheet(file, name, "details");
      prepareSheet(sheet, old.summary && saved, summary);
      prepareSheet(detailsSheet, (old.details && saved?.details) ?? null, details);
      writePlan(sheet, summary);
      writePlan(detailsSheet, details);
      if (old.summary === null) sheet.setHiddenGridlines(true);
      if (old.summary === null) setWidths(sheet, summary);
      if (old.details === null) setWidths(detailsSheet, details);
      detailsSheet.setFrozenRows(1);
      const charts = drawCharts(sheet, summary.charts, (old.summary && saved?.charts) ?? {});
      const sizes = { ...sizeOf(sheet, summary), details: sizeOf(detailsSheet, details) };
      writeSaved(store, campaignId, { ...sizes, report_id: reportId, charts });
      if (activate) file.setActiveSheet(sheet);
      SpreadsheetApp.flush();
      const items = objects2(report.items).length;
      return { sheet: sheet.getName(), items, state: stateOf(report, items) };
    });
  }
  function existing(file, saved) {
    return saved === null ? null : sheetById(file, saved.sheet_id);
  }
  function sizeOf(sheet, { cells }) {
    return { sheet_id: sheet.getSheetId(), columns: cells[0]?.length ?? 0, rows: cells.length };
  }
  function isId2(value) {
    return typeof value === "string" && idForm2.test(value);
  }
  function loadReport(campaignId, reportId) {
    const { key, network: network2, origin } = actionServer();
    if (key === null) throw new ReportError(noKey);
    const week = reportId === null ? "" : "&report_id=".concat(encodeURIComponent(reportId));
    const url = "".concat(origin, "/v1/workflows/campaign-report?id=").concat(encodeURIComponent(campaignId)).concat(week);
    const [answer, balance] = fetchAnswers([url, "".concat(origin, "/v1/credit/balance")], key, network2);
    if (answer?.ok === false) throw new ReportError(answer.failure);
    const report = asObject(answer?.data);
    if (report === null || !isReport(report)) throw new ReportError(unreadable);
    return { report, workspace: balance?.ok === true ? textOf(asObject(balance.data)?.workspace) : null };
  }
  function stateOf(report, items) {
    const from = dayOf2(report.period_start);
    const count2 = items === 1 ? "1 item" : "".concat(items, " items");
    return report.final === true ? "the finished week from ".concat(from, ", ").concat(count2) : "the week from ".concat(from, " so far, which is not final, ").concat(count2);
  }
  function dayOf2(at) {
    const date = new Date(typeof at === "number" ? at : Number.NaN);
    return Number.isNaN(date.getTime()) ? "an unknown day" : date.toISOString().slice(0, 10);
  }
  function writePlan(sheet, { cells, formats, alignments, styles }) {
    const range = sheet.getRange(1, 1, cells.length, cells[0]?.length ?? 0);
    range.setValues(cells).setNumberFormats(formats).setHorizontalAlignments(alignments);
    for (const { style, row, width } of styles) setStyle(sheet.getRange(row, 1, 1, width), style);
  }
  function setStyle(range, style) {
    if (style === "title") range.setFontWeight("bold").setFontSize(titlePoints).setFontColor(accentColor);
    if (style === "headline") range.setFontWeight("bold").setFontSize(headlinePoints);
    if (style === "quiet") range.setFontColor(quietColor);
    if (style === "section") range.setFontWeight("bold").setFontSize(sectionPoints).setFontColor(accentColor);
    if (style === "heading") {
      range.setFontWeight("bold").setBackground(headingColor).setWrap(true).setVerticalAlignment("bottom");
    }
  }
  function setWidths(sheet, { cells }) {
    sheet.setColumnWidth(1, columnWidthPx.name);
    const others = (cells[0]?.length ?? 0) - 1;
    if (others > 0) sheet.setColumnWidths(2, others, columnWidthPx.other);
  }

  // refresh/sheet-scheduled.ts
  var what = "Scheduled refresh";
  var budgetMs2 = 4 * 6e4;
  var stoppingCodes2 = ["API_KEY_NOT_SET", "INVALID_API_KEY", "PRODUCTION_KEY_REQUIRED", "PAID_ACCESS_REQUIRED"];
  function refreshOnSchedule() {
    try {
      if (!isAuthorized()) {
        const message2 = "Google needs your permission again. Open the sidebar once.";
        recordRun({ what, rows: 0, ok: 0, failed: 1, credits: 0, message: message2 });
        return;
      }
      if (!claimScheduledRun()) return;
      noteScheduledRun();
      const tally = refreshReports();
      const cellRewritten = holdLock(rewriteRefreshCell);
      const { ok, failed: failed2, messages } = tally;
      const reports = ok === 1 ? "1 report" : "".concat(ok, " reports");
      const formulas = cellRewritten ? " Formulas with the refresh cell run again." : "";
      const message = ["".concat(reports, " refreshed.").concat(formulas), ...new Set(messages)].join(" ");
      recordRun({ what, rows: ok + failed2, ok, failed: failed2, credits: cellRewritten ? null : 0, message });
    } catch (error) {
      recordRun({ what, rows: 0, ok: 0, failed: 1, credits: null, message: failureOf(error).message });
    }
  }
  function refreshReports() {
    const untilMs = network.now() + budgetMs2;
    const tally = { ok: 0, failed: 0, messages: [] };
    for (const campaignId of reportsToRefresh()) {
      if (network.now() > untilMs) {
        tally.failed += 1;
        tally.messages.push(
          "There was not enough time for all reports. To update the others now, insert them again under Report."
        );
        continue;
      }
      try {
        writeReport(campaignId, null, false);
        tally.ok += 1;
      } catch (error) {
        if (!(error instanceof PlainError)) throw error;
        tally.failed += 1;
        tally.messages.push(error.message);
        if (error instanceof ReportError && stoppingCodes2.includes(error.code ?? "")) break;
      }
    }
    return tally;
  }
  function reportsToRefresh() {
    const file = SpreadsheetApp.getActiveSpreadsheet();
    const store = fileStore(keyStores().document);
    const names = PropertiesService.getDocumentProperties().getKeys();
    return savedCampaigns(names).filter((campaignId) => {
      const saved = readSaved2(store, campaignId);
      const exists = (sheet) => !!sheet && sheetById(file, sheet.sheet_id) !== null;
      if (!exists(saved) && !exists(saved?.details)) forgetSaved(store, campaignId);
      return exists(saved) && saved?.report_id === null;
    });
  }

  // sheet-entries.ts
  var sidebarCampaigns = forPage(listCampaigns);
  var sidebarInsertReport = forPage(insertReport);
  var sidebarRefreshFormulas = forPage(refreshPart);
  var sidebarFreeze = forPage(freeze);
  var sidebarSchedule = forPage(readSchedule);
  var sidebarSetSchedule = forPage(setSchedule);
  var sidebarRuns = forPage(() => ({ ok: true, runs: lastRuns() }));

  // menu-entries.ts
  function onOpen() {
    showMenu();
  }
  function onInstall() {
    showMenu();
  }
  var setKey = forMenu(promptForKey);
  var forgetKey2 = forMenu(forgetSavedKey);
  var refresh = forMenu(refreshFormulas);
  var showBalance = forMenu(showAbout);

  // <stdin>
  function SOCIAL_CREDITS2(refresh2) {
    return SOCIAL_CREDITS(server(), refresh2);
  }
  function SOCIAL_POST2(urls, fields, maxAge2) {
    return SOCIAL_POST(server(), urls, fields, maxAge2);
  }
  function SOCIAL_POSTS2(profile, limit, fields, maxAge2) {
    return SOCIAL_POSTS(server(), profile, limit, fields, maxAge2);
  }
  function SOCIAL_PROFILE2(urls, fields, maxAge2) {
    return SOCIAL_PROFILE(server(), urls, fields, maxAge2);
  }
  function SOCIAL_REPORT2(campaign, section, refresh2) {
    return SOCIAL_REPORT(server(), campaign, section, refresh2);
  }
  function SOCIAL_TRACKED2(item, metric, days, refresh2) {
    return SOCIAL_TRACKED(server(), item, metric, days, refresh2);
  }
  return __toCommonJS(stdin_exports);
})();
