/**
 * Gets the number of comments on a post or video.
 * Returns a plain number, ready for arithmetic. An unknown number is an error, never 0; catch it with IFERROR. An empty cell gives an empty cell.
 * A range gives a column of numbers, in which unknown numbers are empty.
 *
 * @param {"A2"} post The URL of one post or video. Or a column of them.
 * @param {"7d"} maxAge How old the data may be: 1d (one day), 3d, 7d, 14d or 30d; or the refresh cell. Empty: 1d.
 * @return {number} The number.
 * @customfunction
 */
function SOCIAL_COMMENTS(post, maxAge) {
  return Addon_.SOCIAL_COMMENTS(post, maxAge);
}

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
 * Gets the number of followers or subscribers of a profile.
 * Returns a plain number, ready for arithmetic. An unknown number is an error, never 0; catch it with IFERROR. An empty cell gives an empty cell.
 * A range gives a column of numbers, in which unknown numbers are empty.
 *
 * @param {"A2"} profile The URL of one profile, or a handle with its platform. Or a column of them.
 * @param {"instagram"} platform Only for handles: instagram, tiktok or youtube. Empty: the cell contains a URL.
 * @param {"7d"} maxAge How old the data may be: 1d (one day), 3d, 7d, 14d or 30d; or the refresh cell. Empty: 1d.
 * @return {number} The number.
 * @customfunction
 */
function SOCIAL_FOLLOWERS(profile, platform, maxAge) {
  return Addon_.SOCIAL_FOLLOWERS(profile, platform, maxAge);
}

/**
 * Gets the number of likes of a post or video.
 * Returns a plain number, ready for arithmetic. An unknown number is an error, never 0; catch it with IFERROR. An empty cell gives an empty cell.
 * A range gives a column of numbers, in which unknown numbers are empty.
 *
 * @param {"A2"} post The URL of one post or video. Or a column of them.
 * @param {"7d"} maxAge How old the data may be: 1d (one day), 3d, 7d, 14d or 30d; or the refresh cell. Empty: 1d.
 * @return {number} The number.
 * @customfunction
 */
function SOCIAL_LIKES(post, maxAge) {
  return Addon_.SOCIAL_LIKES(post, maxAge);
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
 * @param {"instagram"} platform Only for handles such as @nasa: instagram, tiktok or youtube. Empty: the cells contain URLs.
 * @return {Array<Array<string|number|boolean>>} One row for each post.
 * @customfunction
 */
function SOCIAL_POSTS(profile, limit, fields, maxAge, platform) {
  return Addon_.SOCIAL_POSTS(profile, limit, fields, maxAge, platform);
}

/**
 * Gets public numbers of social profiles: one row for each profile, with its status first, then the fields you name.
 * The status is OK or says why the row is empty. A cell is empty when the platform does not publish the value.
 * Dates are text in UTC, such as 2026-11-20T10:00:00.000Z.
 *
 * @param {"A2:A50"} urls One profile URL, or a column of them. An empty cell gives an empty row.
 * @param {"followers,posts"} fields The fields to show, separated by commas or as a row of headings. Empty: the usual fields.
 * @param {"7d"} maxAge How old the data may be: 1d (one day), 3d, 7d, 14d or 30d; or fresh for new data each time; or the refresh cell. Empty: 1d.
 * @param {"instagram"} platform Only for handles such as @nasa: instagram, tiktok or youtube. Empty: the cells contain URLs.
 * @return {Array<Array<string|number|boolean>>} One row for each profile.
 * @customfunction
 */
function SOCIAL_PROFILE(urls, fields, maxAge, platform) {
  return Addon_.SOCIAL_PROFILE(urls, fields, maxAge, platform);
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

/**
 * Gets the number of views of a post or video.
 * Returns a plain number, ready for arithmetic. An unknown number is an error, never 0; catch it with IFERROR. An empty cell gives an empty cell.
 * A range gives a column of numbers, in which unknown numbers are empty.
 *
 * @param {"A2"} post The URL of one post or video. Or a column of them.
 * @param {"7d"} maxAge How old the data may be: 1d (one day), 3d, 7d, 14d or 30d; or the refresh cell. Empty: 1d.
 * @return {number} The number.
 * @customfunction
 */
function SOCIAL_VIEWS(post, maxAge) {
  return Addon_.SOCIAL_VIEWS(post, maxAge);
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
 * Sidebar: ends a run before all its rows are requested.
 *
 * @param {unknown} id
 */
function sidebarImportCancel(id) {
  return Addon_.sidebarImportCancel(id);
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

/** Trigger: refreshes the reports and the refresh cell of this file, and runs the imports that are due. */
function refreshOnSchedule_() {
  return Addon_.refreshOnSchedule();
}

var Addon_=(()=>{var __defProp=Object.defineProperty;var __getOwnPropDesc=Object.getOwnPropertyDescriptor;var __getOwnPropNames=Object.getOwnPropertyNames;var __hasOwnProp=Object.prototype.hasOwnProperty;var __defNormalProp=(obj,key,value)=>key in obj?__defProp(obj,key,{enumerable:!0,configurable:!0,writable:!0,value}):obj[key]=
value;var __export=(target,all)=>{for(var name in all)__defProp(target,name,{get:all[name],enumerable:!0})},__copyProps=(to,from,except,desc)=>{
if(from&&typeof from=="object"||typeof from=="function")for(let key of __getOwnPropNames(from))!__hasOwnProp.call(to,key)&&
key!==except&&__defProp(to,key,{get:()=>from[key],enumerable:!(desc=__getOwnPropDesc(from,key))||desc.enumerable});return to};var __toCommonJS=mod=>__copyProps(__defProp({},"__esModule",{value:!0}),mod);var __publicField=(obj,key,value)=>__defNormalProp(obj,typeof key!="symbol"?key+"":key,value);var stdin_exports={};__export(stdin_exports,{SOCIAL_COMMENTS:()=>SOCIAL_COMMENTS2,SOCIAL_CREDITS:()=>SOCIAL_CREDITS2,SOCIAL_FOLLOWERS:()=>SOCIAL_FOLLOWERS2,
SOCIAL_LIKES:()=>SOCIAL_LIKES2,SOCIAL_POST:()=>SOCIAL_POST2,SOCIAL_POSTS:()=>SOCIAL_POSTS2,SOCIAL_PROFILE:()=>SOCIAL_PROFILE2,
SOCIAL_REPORT:()=>SOCIAL_REPORT2,SOCIAL_TRACKED:()=>SOCIAL_TRACKED2,SOCIAL_VIEWS:()=>SOCIAL_VIEWS2,forgetKey:()=>forgetKey2,
onInstall:()=>onInstall,onOpen:()=>onOpen,openSidebar:()=>openSidebar,refresh:()=>refresh,refreshOnSchedule:()=>runOnSchedule,
setKey:()=>setKey,showBalance:()=>showBalance,sidebarAccount:()=>sidebarAccount,sidebarAllowFormulas:()=>sidebarAllowFormulas,
sidebarCampaigns:()=>sidebarCampaigns,sidebarConnect:()=>sidebarConnect,sidebarDisconnect:()=>sidebarDisconnect,sidebarEstimate:()=>sidebarEstimate,
sidebarFirstRows:()=>sidebarFirstRows,sidebarFirstRowsResult:()=>sidebarFirstRowsResult,sidebarFreeze:()=>sidebarFreeze,
sidebarImport:()=>sidebarImport,sidebarImportCancel:()=>sidebarImportCancel,sidebarImportChange:()=>sidebarImportChange,
sidebarImportEstimate:()=>sidebarImportEstimate,sidebarImportSave:()=>sidebarImportSave,sidebarImportStart:()=>sidebarImportStart,
sidebarImportStep:()=>sidebarImportStep,sidebarImports:()=>sidebarImports,sidebarInsertFormula:()=>sidebarInsertFormula,
sidebarInsertReport:()=>sidebarInsertReport,sidebarOpen:()=>sidebarOpen,sidebarPickCells:()=>sidebarPickCells,sidebarRefreshFormulas:()=>sidebarRefreshFormulas,
sidebarRemember:()=>sidebarRemember,sidebarRuns:()=>sidebarRuns,sidebarSamples:()=>sidebarSamples,sidebarSchedule:()=>sidebarSchedule,
sidebarSelection:()=>sidebarSelection,sidebarSetSchedule:()=>sidebarSetSchedule});var knownFields=["url","status","platform","account_id","username","display_name","followers","followers_quality","following","posts","likes","total_views","verified","private","category","country","language","bio","external_url","avatar_url","created_at_platform","profile_url","retrieved_at","cached","credits_charged","message"],knownPostFields=["url","status","platform","id","permalink","author","author_id","published_at","title","caption","media_type","views","likes","comments","shares","favorites","counts_quality","duration_seconds","hashtags","media_url","retrieved_at","cached","credits_charged","message"],profileColumns={known:knownFields,usual:["username","display_name","followers","following","posts","likes","total_views","verified"]},postColumns={known:knownPostFields,usual:["url","published_at","title","caption","views",
"likes","comments","shares","permalink"]};function readFields(input,{known,usual}){let fields=readWords(input).map(word=>knownWord(
word,known,"field"));return[...new Set(["status",...fields.length===0?usual:fields])]}function readWords(input){return[input].
flat(2).flatMap(part=>part==null?[]:String(part).split(/[,;]/)).map(word=>word.trim().toLowerCase().replace(/\s+/g,"_")).
filter(word=>word!=="")}function knownWord(word,known,what2){let name=known.find(one=>one===word);if(name!==void 0)return name;
throw new Error("There is no ".concat(what2,' "').concat(word,'". Did you mean "').concat(nearest(word,known),'"? The ').
concat(what2,"s are ").concat(known.join(", "),"."))}function nearest(word,choices){return choices.map(choice=>({choice,
edits:editDistance(word,choice)})).reduce((best,next)=>next.edits<best.edits?next:best).choice}function editDistance(from,to){
let above=Array.from({length:to.length+1},(_,column)=>column);for(let row=1;row<=from.length;row++){let line=[row];for(let column=1;column<=
to.length;column++){let replaced=cost(above,column-1)+(from[row-1]===to[column-1]?0:1);line.push(Math.min(replaced,cost(
above,column)+1,cost(line,column-1)+1))}above=line}return cost(above,to.length)}function cost(line,column){return line[column]??
Number.POSITIVE_INFINITY}var maxAges=["1d","3d","7d","14d","30d","fresh"],usualMaxAge="1d",refreshName="SOCIAL_REFRESH",refreshWindowMs=2*6e4,dayMs=24*
36e5;function readFreshness(input,nowMs){let parameter=maxAgeParameter(input,nowMs),{word,times_ms}=readParts(input);if(word!==
"fresh")return{parameter,oldest_ms:nowMs-Number.parseInt(word,10)*dayMs,refreshed_ms:null};let past=times_ms.filter(timeMs=>timeMs<=
nowMs);return times_ms.length===0?{parameter,oldest_ms:nowMs,refreshed_ms:nowMs}:{parameter,oldest_ms:nowMs-dayMs,refreshed_ms:past.
length===0?null:Math.max(...past)}}function readMaxAge(input,nowMs){let{word,times_ms}=readParts(input);return word!=="fresh"||times_ms.length===0?word:times_ms.map(timeMs=>nowMs-timeMs).some(ageMs=>ageMs>=0&&ageMs<=refreshWindowMs)?"fresh":
usualMaxAge}var isNoWord=/^(true|false|\d[\d.:tz-]{4,})$/;function readParts(input){let isText2=input!=null&&typeof input!=
"boolean"&&!(input instanceof Date),[word="",...rest]=isText2?String(input).trim().toLowerCase().split(/\s+/):[];if(word===
""||isNoWord.test(word))return{word:usualMaxAge,times_ms:[]};let maxAge2=maxAges.find(known=>known===word);if(maxAge2===
void 0)throw new Error('There is no max_age "'.concat(word,'". Did you mean "').concat(nearest(word,maxAges),'"? Use one of ').concat(maxAges.join(", "),"."));return{word:maxAge2,times_ms:rest.map(time=>Date.parse(time))}}function maxAgeParameter(input,nowMs){
let maxAge2=readMaxAge(input,nowMs);return maxAge2==="fresh"?"fresh=true":"cache_max_age=".concat(maxAge2)}function refreshedText(content,nowMs){
let[word]=String(content).trim().toLowerCase().split(/\s+/),maxAge2=maxAges.find(known=>known===word)??"fresh";return"".
concat(maxAge2," ").concat(new Date(nowMs).toISOString())}var copyKey="Copy the whole key from your dashboard and try again.",help={label:"What this means",path:"/docs/addon#what-the-status-means"},keysPage={label:"Open your keys",path:"/dashboard/keys"},creditsPage={label:"Open your credits",path:"/dashboard/credits"},causes={INVALID_API_KEY:{sentence:"The server does not know this key, or it was revoked. ".concat(copyKey),
...keysPage},API_KEY_NOT_SET:{sentence:"No API key is connected. Connect one under Keys.",...keysPage},FORMULAS_NOT_ALLOWED:{
sentence:"A key is connected, but formulas in this file may not use it yet. The owner of the file allows it in the sidebar under Keys: Formulas in this file may use my credits.",...help},FILE_WITHOUT_OWNER:{sentence:"This file is in a shared drive, so it has no owner whose credits its formulas could use. Save a sheet key in the file instead.",label:"Create a sheet key",path:"/dashboard/keys"},SHEET_KEY_NEEDED:{sentence:"Everyone who can edit this file can also read the key that is saved in it, so this add-on takes only a sheet key. A sheet key has a monthly limit. Create one on your dashboard and paste it here.",label:"Create a sheet key",path:"/dashboard/keys"},INSUFFICIENT_CREDITS:{sentence:"There are not enough credits, or the monthly cap of the key is reached. Add credits or raise the cap on your dashboard.",server_says_more:!0,
...creditsPage},PAID_ACCESS_REQUIRED:{sentence:"Reports open after your workspace has bought a credit pack once.",...creditsPage},
PRODUCTION_KEY_REQUIRED:{sentence:"A development key gives only sample data. Connect a production key or a sheet key.",...keysPage},
KEY_NOT_ALLOWED:{sentence:"This key is limited to other uses. Connect a key that may be used in spreadsheets.",server_says_more:!0,
...keysPage},ADDRESS_NOT_ALLOWED:{sentence:"This key works only from certain IP addresses, and requests from a spreadsheet come from Google’s computers. Connect a key without this limit.",...keysPage},RATE_LIMITED:{sentence:"Too many requests in this minute. Wait one minute, and use one formula for a whole column.",...help},SERVER_UNREACHABLE:{sentence:"Google could not connect to your server. It may be off, or not reachable from the internet. Try again in a minute.",...help},
SERVER_NOT_FOUND:{sentence:"The address of your server does not exist on the internet (DNS). Tell the person who runs your server.",...help},SERVER_CERTIFICATE:{sentence:"The certificate (https) of your server is not valid. Tell the person who runs your server.",...help},SERVER_TIMEOUT:{sentence:"Your server did not answer in time. Try again: rows that were answered before are free.",...help},SERVER_UNAVAILABLE:{sentence:"The server cannot answer at the moment. Try again in a minute.",...help},SERVER_ANSWER_UNREADABLE:{sentence:"The answer did not come from the API, perhaps from a login page. Try again later.",...help},LOGIN_PAGE:{sentence:"A login page or a redirect is in front of your server, so Google cannot reach the API. Tell the person who runs your server: /v1 must be open to the internet.",...help},INTERNAL:{sentence:"The server had an internal error. Nothing was charged. Try again in a minute.",...help},GOOGLE_DAILY_QUOTA:{sentence:"The daily limit of Google for your account is used up (20,000 requests, with Google Workspace 100,000). It works again tomorrow. One formula for a whole column needs far fewer requests.",...help},GOOGLE_BUSY:{sentence:"Google is busy with too many formulas or scripts of your account at once. Wait a minute, then try again.",...help},GOOGLE_TIME_LIMIT:{sentence:"This took longer than Google allows (30 seconds for a formula, 6 minutes otherwise). Try it with fewer rows.",...help},ADMIN_BLOCKED:{
sentence:"The administrator of your Google Workspace blocks requests to your server. Ask the administrator to allow its address for Apps Script (UrlFetch).",...help},ADDON_OUTDATED:{sentence:"The installed add-on is older than this page, or was built for another server address. Reload the file. If that does not help, install the current files again.",label:"Get the add-on",path:"/addon"},SEVERAL_ACCOUNTS:{sentence:"Your browser is signed in to several Google accounts, and Google used another one than the one that opened this file. Open the file in a private window or in a browser profile with only this account.",...help},PERMISSION_MISSING:{sentence:"The add-on needs a permission that you have not given. Choose Open sidebar in its menu and allow everything that Google asks for.",...help},NO_CONNECTION:{sentence:"Your browser could not reach Google Sheets. Check your internet connection, then try again.",...help},PROTECTED_CELLS:{sentence:"Some of these cells are protected, and you may not edit them. Choose other cells, or ask the owner of the file: Data > Protect sheets and ranges.",...help},DATA_VALIDATION:{sentence:"Some of these cells accept only certain values (data validation), so nothing was written. Choose other cells, or remove the rule: Data > Data validation.",...help},FILE_FULL:{sentence:"This file has reached the limit of 10 million cells. Delete sheets or empty rows first.",...help},STORAGE_FULL:{sentence:"The storage of Google for this add-on and this file is full. Delete imports or schedules that you no longer need.",...help},
GOOGLE_ERROR:{sentence:"Google Sheets refused this. Reload the file and try again.",...help},SHEET_DELETED:{sentence:"The sheet was deleted in the meantime. Choose another one.",...help}};function failureSentence({code,message}){let known=causes[code];
return known!==void 0&&(message===""||known.server_says_more!==!0)?known.sentence:message===""?"The server refused this (".concat(code,")."):message}function helpPage(code){let{label,path}=causes[code]??{label:help.label,path:"/docs/errors#".
concat(code)};return{label,path}}function mayBeCharged(code){return["SERVER_UNREACHABLE","SERVER_TIMEOUT","SERVER_UNAVAILABLE","SERVER_ANSWER_UNREADABLE"].includes(code)}var causes2=[[/too many times for one day|computer time for one day/i,"GOOGLE_DAILY_QUOTA"],[/in a short time|per second|running simultaneously|bandwidth quota|LockService operations/i,
"GOOGLE_BUSY"],[/maximum execution time/i,"GOOGLE_TIME_LIMIT"],[/by your admin|domain policy|contact your (domain )?administrator/i,
"ADMIN_BLOCKED"],[/whitelisted in the script manifest|script function not found/i,"ADDON_OUTDATED"],[/error code PERMISSION_DENIED/i,
"SEVERAL_ACCOUNTS"],[/permission to call|permissions are not sufficient|authori[sz]ation is required|access not granted/i,
"PERMISSION_MISSING"],[/protected cell or object/i,"PROTECTED_CELLS"],[/data validation rules/i,"DATA_VALIDATION"],[/number of cells in the workbook/i,
"FILE_FULL"],[/property storage quota/i,"STORAGE_FULL"],[/sheet .+ not found/i,"SHEET_DELETED"],[/service spreadsheets|service error: spreadsheets/i,
"GOOGLE_BUSY"],[/connection failure due to http|network ?error/i,"NO_CONNECTION"],[/dns error/i,"SERVER_NOT_FOUND"],[/ssl error/i,
"SERVER_CERTIFICATE"],[/\btimeout: /i,"SERVER_TIMEOUT"],[/address unavailable/i,"SERVER_UNREACHABLE"]];function googleCause(text2){
return causes2.find(([pattern])=>pattern.test(text2))?.[1]??null}var urlCharactersMax=2082,budgetMs=26e3,requestLeastMs=3e3,attemptsMax=4,retryWaitMaxMs=8e3,jitterMaxMs=1500;function packRequests(head,{
name,per_request_max},values){let requests=[],unsent=[];for(let value of values){let parameter="&".concat(name,"=").concat(
encodeURIComponent(wellFormed(value))),last=requests[requests.length-1];head.length+parameter.length>urlCharactersMax?unsent.
push(value):last!==void 0&&last.values.length<per_request_max&&last.url.length+parameter.length<=urlCharactersMax?(last.
url+=parameter,last.values.push(value)):requests.push({url:head+parameter,values:[value]})}return{requests,unsent}}function wellFormed(text2){
return text2.replace(/\p{Surrogate}/gu,"�")}function fetchAnswers(urls,key,network2,{deadline_ms=deadlineOf(network2),
at_once=urls.length}={}){let answers=new Map,pending=[...urls];for(let attempt=1;attempt<=attemptsMax&&pending.length>0;attempt++){
let replies=sendInWaves(pending,key,network2,{deadline_ms,at_once}),refused=[],waitMs=0;if(pending.forEach((url,index)=>{
let reply=replies[index]??unreachable;answers.set(url,"code"in reply?{ok:!1,failure:reply}:readAnswer(reply));let retryAfterMs="code"in reply?null:retryWait(reply);retryAfterMs!==null&&(refused.push(url),waitMs=Math.max(waitMs,retryAfterMs))}),waitMs+=
network2.random()*jitterMaxMs,refused.length===0||network2.now()+waitMs+requestLeastMs>deadline_ms)break;attempt<attemptsMax&&
network2.sleep(waitMs),pending=refused}return urls.map(url=>answers.get(url)??{ok:!1,failure:unreachable})}function deadlineOf(network2){
return network2.now()+budgetMs}function sendInWaves(urls,key,network2,{deadline_ms,at_once}){let replies=[];for(let begin=0;begin<
urls.length;begin+=at_once)replies.push(...send(urls.slice(begin,begin+at_once),key,deadline_ms-network2.now(),network2));
return replies}function send(urls,key,timeoutMs,network2){if(timeoutMs<requestLeastMs)return urls.map(()=>notInTime);try{
return network2.fetchAll(urls.map(url=>({url,headers:{"x-api-key":key},timeout_ms:timeoutMs})))}catch(error){network2.log(
"The server could not be reached: ".concat(String(error)));let failure=sendingFailure(String(error));return urls.map(()=>failure)}}
function sendingFailure(text2){let code=googleCause(text2);return code===null?{code:"SERVER_UNREACHABLE",message:"".concat(
unreachable.message," Google says: “").concat(text2.slice(0,200),"”")}:{code,message:failureSentence({code,message:""})}}
function retryWait(reply){let waitMs=reply.status===429?retryAfter(reply):null;return waitMs!==null&&waitMs<=retryWaitMaxMs?
waitMs:null}function retryAfter(reply){let seconds=header(reply,"retry-after");return seconds!==null&&/^\d{1,4}$/.test(seconds)?
Number(seconds)*1e3:null}function header(reply,name){let found=Object.entries(reply.headers).find(([key])=>key.toLowerCase()===
name);return found===void 0?null:found[1].trim()}var unreachable={code:"SERVER_UNREACHABLE",message:"Google could not connect to your server. Try again in a minute."},notInTime={code:"NOT_IN_TIME",message:"The formula ran out of time. Run it again: rows that were answered before are free."};function readAnswer(reply){let body=parseObject(reply.text);if(reply.
status===200&&body!==null&&"data"in body)return{ok:!0,data:body.data,warnings:readWarnings(body.meta)};let failure=bodyFailure(
body)??statusFailure(reply.status),retryAfterMs=retryAfter(reply);return{ok:!1,failure:retryAfterMs===null?failure:{...failure,
retry_after_ms:retryAfterMs}}}function readWarnings(meta){let warnings=asObject(meta)?.warnings;return Array.isArray(warnings)?
warnings.filter(one=>typeof one=="string"):[]}function bodyFailure(body){let error=asObject(body?.error);return error===
null||typeof error.code!="string"||!/^[A-Z][A-Z0-9_]{0,63}$/.test(error.code)?null:{code:error.code,message:typeof error.
message=="string"?error.message:""}}var loginStatuses=[301,302,303,307,308,401,403,407];function statusFailure(status){let code=statusCode(
status);return{code,message:"".concat(failureSentence({code,message:""})," (status ").concat(status,")")}}function statusCode(status){
return loginStatuses.includes(status)?"LOGIN_PAGE":status===429?"RATE_LIMITED":status>=500?"SERVER_UNAVAILABLE":"SERVER_ANSWER_UNREADABLE"}function parseObject(text2){try{return asObject(JSON.parse(text2))}catch{return null}}function asObject(value){
return typeof value=="object"&&value!==null?value:null}function installKind(){return"bound"}function failureLink(code){let{label,path}=helpPage(code);return{label,url:"https://address-of-the-server.invalid"+path}}
function pageFailure(failure){return{ok:!1,message:failureSentence(failure),code:failure.code,link:failureLink(failure.code)}}
function knownFailure(code){return pageFailure({code,message:""})}var permissions={file:{scope:"spreadsheets.currentonly",label:"View and manage spreadsheets that this application has been installed in",use:"to read and write this file"},server:{scope:"script.external_request",label:"Connect to an external service",use:"to contact your server"},sidebar:{scope:"script.container.ui",label:"Display and run third-party web content in prompts and sidebars inside Google applications",use:"to show its menu and its sidebar"},schedule:{scope:"script.scriptapp",label:"Allow this application to run when you are not present",use:"to run on a schedule"}},basicPermissions=[
"file","server","sidebar"];function scopesOf(names2){return names2.map(name=>"https://www.googleapis.com/auth/".concat(permissions[name].
scope))}function askForPermissions(names2){ScriptApp.requireScopes(ScriptApp.AuthMode.FULL,scopesOf(names2))}function permissionFailure(names2){
let missing=names2.filter(name=>isMissing([name]));if(missing.length===0)return null;let url=authorization(missing).getAuthorizationUrl(),
uses=missing.map(name=>"".concat(permissions[name].use," (“").concat(permissions[name].label,"”)")).join(" and ");return{
ok:!1,message:"The add-on needs your permission ".concat(uses,". Give it, then try again."),code:"PERMISSION_MISSING",link:url===
null?failureLink("PERMISSION_MISSING"):{label:"Give permission",url}}}function isMissing(names2){return authorization(names2).
getAuthorizationStatus()===ScriptApp.AuthorizationStatus.REQUIRED}function authorization(names2){return ScriptApp.getAuthorizationInfo(
ScriptApp.AuthMode.FULL,scopesOf(names2))}var waiting=/^$|^Loading|^#NAME\?/,relativeRow=/\bR(\[-?\d+\])?C/;function neighbourTexts(name,own){let cell=SpreadsheetApp.
getActiveRange(),argument=readArgument(cell?.getFormulaR1C1()??"",name);if(cell===null||argument===null)return[];let sheet=cell.
getSheet(),row=cell.getRow(),first=Math.max(1,row-50,1-argument.down),count2=Math.min(sheet.getLastRow()-Math.max(0,argument.
down),row+300)-first+1;if(count2<1)return[];let column=argument.column??cell.getColumn()+argument.right,cells=sheet.getRange(
first,cell.getColumn(),count2,1),formulas=cells.getFormulasR1C1(),shown=cells.getDisplayValues(),read=sheet.getRange(first+
argument.down,column,count2,1).getValues(),at=row-first;if(textOf(read[at]?.[0])!==own)return[];let same=index=>formulas[index]?.[0]===
formulas[at]?.[0]&&waiting.test(shown[index]?.[0]??""),order=read.map((_,index)=>index).filter(index=>index!==at&&same(index)),
nearest2=[...order.filter(index=>index>at),...order.filter(index=>index<at).reverse()];return[...new Set(nearest2.map(index=>textOf(
read[index]?.[0])))].filter(text2=>text2!==""&&text2!==own)}function readArgument(formula,name){let[,down="",column="",rest=""]=new RegExp(
"^=(?:IFERROR\\()?".concat(name,"\\(\\s*R(\\[-?\\d+\\])?C(\\[-?\\d+\\]|\\d+)?\\s*([,;)].*)$"),"i").exec(formula)??[];if(rest===
""||relativeRow.test(rest))return null;let absolute=/^\d+$/.test(column)?Number(column):null;return{down:offset(down),right:absolute===
null?offset(column):0,column:absolute}}function offset(brackets){return brackets===""?0:Number(brackets.slice(1,-1))}function textOf(value){
return value instanceof Date?"":String(value??"").trim()}var lockWaitMs=2e3;function cellServices(log){let quietly=work=>{try{return work()}catch(error){return log("A service of the file could not be used: ".concat(String(error))),null}};return{read:names2=>quietly(()=>CacheService.getDocumentCache()?.
getAll(names2))??{},write:(texts,seconds)=>quietly(()=>CacheService.getDocumentCache()?.putAll(texts,seconds)),hold(work){
let lock=quietly(()=>LockService.getDocumentLock()),held=quietly(()=>lock?.tryLock(lockWaitMs))===!0;try{return work()}finally{
held&&quietly(()=>lock?.releaseLock())}},neighbours:(name,own)=>quietly(()=>neighbourTexts(name,own))??[]}}var keyProperty="api_key",formulasProperty="formulas_in_",keyForm=/^[A-Za-z]+_[A-Za-z]+_[A-Za-z0-9]{8,200}$/;function findKey(stores){
return savedKey(stores,"file")??(formulasAllowed(stores)?savedKey(stores,"account"):null)}function findActionKey(stores){
return savedKey(stores,"account")??savedKey(stores,"file")}function savedKey(stores,location){if(location==="account"&&!stores.
personal_keys)return null;let key=storeOf(stores,location)?.getProperty(keyProperty)??null;return key===null?null:{key,location}}
function storeOf(stores,location){return location==="file"?stores.document:stores.user}function readKey(pasted){let key=pasted.
trim();return keyForm.test(key)?key:null}function saveKey(stores,location,key){let store=storeOf(stores,location);if(location===
"account"&&!stores.personal_keys)throw new Error("This install keeps no key with an account.");if(store===null)throw new Error(
"A key can be saved in a file only while the file is open.");store.setProperty(keyProperty,key)}function formulasAllowed({
user,file_id,personal_keys}){return personal_keys&&file_id!==null&&user.getProperty(formulasProperty+file_id)!==null}function allowFormulas({
user,file_id},allowed){if(file_id===null)throw new Error("Formulas can be allowed only while a file is open.");allowed?user.
setProperty(formulasProperty+file_id,"allowed"):user.deleteProperty(formulasProperty+file_id)}function removePersonalKey(stores){
return stores.personal_keys||stores.user.getProperty(keyProperty)===null?!1:(forgetKeyIn(stores,"account"),!0)}function forgetKey(stores){
let found=findActionKey(stores);return found!==null&&forgetKeyIn(stores,found.location),found?.location??null}function forgetKeyIn(stores,location){
storeOf(stores,location)?.deleteProperty(keyProperty),location==="account"&&stores.file_id!==null&&allowFormulas(stores,
!1)}function lastFour(key){return"…".concat(key.slice(-4))}function keyStores(){return{document:PropertiesService.getDocumentProperties(),user:PropertiesService.getUserProperties(),
file_id:SpreadsheetApp.getActiveSpreadsheet()?.getId()??null,personal_keys:installKind()==="addon"}}function activeAccount(){
return Session.getTemporaryActiveUserKey().replace(/[^\w+/=-]/g,"")}function actionServer(){return{origin:"https://address-of-the-server.invalid",key:findActionKey(keyStores())?.key??null,network}}function server(){let stores=keyStores(),key=findKey(
stores)?.key??null,noKey2=savedKey(stores,"account")===null?"API_KEY_NOT_SET":"FORMULAS_NOT_ALLOWED";return{origin:"https://address-of-the-server.invalid",key,no_key:noKey2,network,cells:cellServices(network.log)}}var network={fetchAll:requests=>UrlFetchApp.
fetchAll(requests.map(fetchRequest)).map(httpAnswer),sleep:waitMs=>Utilities.sleep(Math.round(waitMs)),now:()=>Date.now(),
random:()=>Math.random(),log:message=>console.error(message)};function fetchRequest(request2){return{url:request2.url,headers:request2.
headers,muteHttpExceptions:!0,followRedirects:!1,timeoutSeconds:Math.ceil(request2.timeout_ms/1e3)}}function httpAnswer(response){
let headers=Object.entries(response.getAllHeaders()).map(([name,value])=>[name,String(value)]);return{status:response.getResponseCode(),
headers:Object.fromEntries(headers),text:response.getContentText()}}var wordsMax=200;function forPage(entry){return(...args)=>{SpreadsheetApp.getUi();try{return entry(...args)}catch(error){
return failureOf(error)}}}function forMenu(entry){return()=>{let ui=SpreadsheetApp.getUi();try{entry()}catch(error){let{
message,link}=failureOf(error),text2=link===void 0?message:"".concat(message,"\n\n").concat(link.label,": ").concat(link.
url);ui.alert("This did not work",text2,ui.ButtonSet.OK)}}}function failureOf(error){let code=error instanceof PlainError?
error.code:googleCause(String(error)),missing=code==="PERMISSION_MISSING"?permissionFailure(basicPermissions):null;if(missing!==
null)return missing;if(error instanceof PlainError){let{message:message2,link}=error;return{ok:!1,message:message2,...code!==
null&&{code},...link!==null&&{link}}}if(network.log("A function of the add-on failed: ".concat(String(error))),code!==null)
return knownFailure(code);let words=(error instanceof Error?error.message:String(error)).slice(0,wordsMax);return{ok:!1,
message:"Google Sheets refused this: “".concat(words,"” Reload the file and try again."),code:"GOOGLE_ERROR",link:failureLink(
"GOOGLE_ERROR")}}var PlainError=class extends Error{constructor(message,code=null,link=null){super(message);__publicField(
this,"code");__publicField(this,"link");this.code=code,this.link=link??(code===null?null:failureLink(code))}},FailureError=class extends PlainError{constructor(failure,more=""){
super("".concat(failureSentence(failure)," ").concat(more).trim(),failure.code)}};function requirePermission(name){let failure=permissionFailure(
[name]);if(failure!==null)throw new PlainError(failure.message,failure.code,failure.link)}var lowCredits=50,personalKeyRemoved="The saved key was removed, because everyone who can edit this file could read it. Connect a sheet key, which has a monthly limit.";function readAccount(){let stores=keyStores(),notice=removePersonalKey(
stores)?personalKeyRemoved:null,checked=["account","file"].flatMap(location=>savedKey(stores,location)??[]).map(({key,location})=>({
key,location,answer:fetchBalance(key)})),refused=checked.filter(({answer})=>answer?.ok===!0&&!isAllowed(answer.data));for(let{
location}of refused)forgetKeyIn(stores,location);let views=checked.filter(one=>!refused.includes(one)).map(({key,location,
answer})=>({location,view:keyView(key,answer)})),keys={account:viewOf(views,"account"),file:viewOf(views,"file")},uses=findActionKey(
stores)?.location??null;return{ok:!0,server:"https://address-of-the-server.invalid",install:installKind(),opened_by:activeAccount(),
notice:refused.length>0?personalKeyRemoved:notice,keys,uses,formulas:findKey(stores)?.location??null,formulas_allowed:formulasAllowed(
stores),low:lowSentence(uses===null?null:keys[uses]?.credits??null)}}function viewOf(views,location){return views.find(shown=>shown.
location===location)?.view??null}function fetchBalance(key){return fetchAnswers(["https://address-of-the-server.invalid/v1/credit/balance"],key,network)[0]}function connect(location,pasted){let key=readKey(String(pasted));if(key===null)return{
ok:!1,message:"This is not an API key. Copy the whole key from your dashboard."};let answer=fetchBalance(key);if(answer?.
ok!==!0)throw new FailureError(failureIn(answer),"The key was not saved.");if(!isAllowed(answer.data))throw new FailureError(
{code:"SHEET_KEY_NEEDED",message:""});return saveKey(keyStores(),installKind()==="bound"?"file":readLocation(location),key),
readAccount()}function isAllowed(balance){if(installKind()==="addon")return!0;let{kind,monthly_cap}=asObject(asObject(balance)?.
key)??{};return kind==="test"||kind==="sheet"&&typeof monthly_cap=="number"}function failureIn(answer){return answer?.ok===
!1?answer.failure:{code:"SERVER_UNREACHABLE",message:""}}function disconnect(location){return forgetKeyIn(keyStores(),readLocation(
location)),readAccount()}function setFormulasAllowed(allowed){if(installKind()==="bound")throw new FailureError({code:"SHEET_KEY_NEEDED",message:""});if(allowed===!0&&isWithoutOwner())throw new FailureError({code:"FILE_WITHOUT_OWNER",message:""});
return allowFormulas(keyStores(),allowed===!0),readAccount()}function isWithoutOwner(){try{return SpreadsheetApp.getActiveSpreadsheet().
getOwner()===null}catch(error){return network.log("The owner of the file is unknown: ".concat(String(error))),!1}}function readLocation(location){
return location==="file"?"file":"account"}function keyView(key,answer){let data=answer?.ok===!0?asObject(answer.data):null,
keyInfo=asObject(data?.key),workspace=data?.workspace;return{last_four:lastFour(key),problem:answer?.ok===!0?null:failureSentence(
failureIn(answer)),problem_link:answer?.ok===!0?null:failureLink(failureIn(answer).code),workspace:text(workspace)??text(
asObject(workspace)?.name),tier:text(data?.tier),kind:text(keyInfo?.kind),name:text(keyInfo?.name),credits:count(data?.credits_remaining),
monthly_cap:count(keyInfo?.monthly_cap),cap_used:count(keyInfo?.cap_used)}}function text(value){return typeof value=="string"&&value!==""?value:null}function count(value){return typeof value=="number"?value:null}function lowSentence(credits){
return credits===null||credits>=lowCredits?null:credits===0?"No credits are left. Top up on your dashboard.":credits===1?
"Only 1 credit is left. Top up soon.":"Only ".concat(credits," credits are left. Top up soon.")}function formulaCell(value){return value==null?"":typeof value=="number"||typeof value=="boolean"?value:cutText(typeof value==
"string"?value:JSON.stringify(value))}function writtenText(text2){return"'".concat(cutText(text2))}function cutText(text2){
if(text2.length<=5e4)return text2;let splitsPair=/[\uD800-\uDBFF]/.test(text2.charAt(49999));return text2.slice(0,splitsPair?
49999:5e4)}var lockWaitMs2=2e4;function holdLock(work){let lock=LockService.getDocumentLock();if(lock===null||!lock.tryLock(lockWaitMs2))
throw new PlainError("Another user or window is writing to this file. Try again in a minute.");try{return work()}finally{
lock.releaseLock()}}var runsProperty="runs",runsMax=20,messageCharactersMax=200,logBytesMax=8500;function recordRun(run){try{let store=keyStores().
document,message=run.message.slice(0,messageCharactersMax),runs=[{at:network.now(),...run,message},...lastRuns()].slice(
0,runsMax);for(;runs.length>1&&bytesAtMost(JSON.stringify(runs))>logBytesMax;)runs.pop();store?.setProperty(runsProperty,
JSON.stringify(runs))}catch(error){network.log("The run could not be logged: ".concat(String(error)))}}function lastRuns(){
let text2=keyStores().document?.getProperty(runsProperty)??null,kept=text2===null?[]:parsed(text2);return Array.isArray(
kept)?kept.filter(isRun):[]}function parsed(text2){try{return JSON.parse(text2)}catch{return[]}}function isRun(value){let run=asObject(
value);return typeof run?.at=="number"&&typeof run.what=="string"&&typeof run.message=="string"}function bytesAtMost(text2){
return[...text2].reduce((sum,character)=>sum+(character<""?1:2*character.length+1),0)}var all_exports={};__export(all_exports,{SOCIAL_COMMENTS:()=>offer,SOCIAL_CREDITS:()=>offer2,SOCIAL_FOLLOWERS:()=>offer3,
SOCIAL_LIKES:()=>offer4,SOCIAL_POST:()=>offer5,SOCIAL_POSTS:()=>offer6,SOCIAL_PROFILE:()=>offer7,SOCIAL_REPORT:()=>offer8,
SOCIAL_TRACKED:()=>offer9,SOCIAL_VIEWS:()=>offer10});function readColumn(cells,what2){if(cells===void 0)throw new Error("Enter ".concat(what2,"."));return(Array.isArray(cells)?
cells.map(row=>onlyCell(row,what2)):[cells]).map(cell=>cellText(cell,what2))}function onlyCell(row,what2){if(!Array.isArray(
row))return row;if(row.length>1)throw new Error("This range has more than one column. Enter ".concat(what2,"."));return row[0]}
function readList(cells,what2){if(cells===void 0)throw new Error("Enter ".concat(what2,"."));let texts=[cells].flat(2).map(
cell=>cellText(cell,what2));return[...new Set(texts.filter(text2=>text2!==""))]}function cellText(cell,what2){if(cell instanceof
Date)throw new Error("A date cannot be used here. Enter ".concat(what2,"."));return String(cell??"").trim()}function checkCount(count2,max,what2){
if(count2>max)throw new Error("One formula takes at most ".concat(max," ").concat(what2,", and this range has ").concat(
count2,". Split the range."))}function readWhole(argument,name,min,max){let text2=String([argument].flat(2)[0]??"").trim();
if(text2==="")return null;let whole=/^\d{1,6}$/.test(text2)?Number(text2):Number.NaN;if(whole>=min&&whole<=max)return whole;
throw new Error("".concat(name," must be a whole number from ").concat(min," to ").concat(max,"."))}var idForm=/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
function isId(text2){return idForm.test(text2)}var platforms={instagram:{parameter:"photo",urls:/instagr/i},tiktok:{parameter:"shortvideo",urls:/tiktok/i},youtube:{parameter:"longvideo",urls:/youtu/i}},names=Object.keys(platforms);function readPlatform(argument,texts){let word=String([argument].
flat(2)[0]??"").trim().toLowerCase();if(word!=="")return{name:knownWord(word,names,"platform"),guessed:!1};let urls=texts.
filter(text2=>!isHandle(text2)),found=names.filter(name=>urls.some(url=>platforms[name].urls.test(url)));return found.length===
1&&found[0]!==void 0?{name:found[0],guessed:!0}:null}function isHandle(text2){return/^@?[^@/:?#\s]+$/.test(text2)}function platformParameter(name){
return"&platform=".concat(platforms[name].parameter)}function guessed(row,platform){return platform.guessed&&row.status===
"OK"?{...row,status:"OK (as ".concat(platform.name,")")}:row}var handleAlone={status:"INVALID_INPUT",message:"A handle exists on several platforms. Enter a URL, or the platform as the last argument: ".concat(names.join(", "),".")};function fetchTables(query,values,server2){if(values.length===0)return[];if(server2.key===null)return[{values:[...values],
rows:noKeyFor(server2),warnings:[]}];let head="".concat(server2.origin).concat(query.path,"?").concat(query.query),{requests,
unsent}=packRequests(head,query,values),answers=fetchAnswers(requests.map(({url})=>url),server2.key,server2.network,{at_once:query.
at_once??requests.length,deadline_ms:query.deadline_ms??deadlineOf(server2.network)}),parts=requests.map((request2,index)=>{
let answer=answers[index],warnings=answer?.ok===!0?answer.warnings:[];return{values:request2.values,rows:readTable(answer,
query.columns),warnings}}),refused=unsent.map(value=>({values:[value],rows:tooLong,warnings:[]})),positions=new Map(values.
map((value,index)=>[value,index])),positionOf=({values:[first=""]})=>positions.get(first)??0;return[...parts,...refused].
sort((a,b)=>positionOf(a)-positionOf(b))}function fetchRows(query,values,server2){let pairs=fetchTables(query,values,server2).
flatMap(({values:sent,rows:rows2})=>{let failure=isFailure(rows2)?rows2:unreadable,answered=isFailure(rows2)||rows2.length!==
sent.length?[]:rows2;return sent.map((value,index)=>[value,answered[index]??failedRow(value,failure)])});return new Map(
pairs)}function fetchStack(query,values,server2){let notes=new Set;return[...fetchTables(query,values,server2).flatMap(({
values:sent,rows:rows2,warnings})=>{if(isFailure(rows2))return sent.map(value=>failedRow(value,rows2));if(rows2.length===
0){let nothing=warnings.length===0?noData:{...noData,message:warnings.join(" ")};return sent.map(value=>failedRow(value,
nothing))}for(let warning of warnings)notes.add(warning);return rows2}),...[...notes].map(message=>({status:"NOTE",message}))]}
function isFailure(rows2){return!Array.isArray(rows2)}function readTable(answer,columns2){if(answer?.ok===!1)return answer.
failure;let table=asObject(answer?.data),names2=table?.columns,rows2=table?.rows;return!Array.isArray(names2)||!Array.isArray(
rows2)||!rows2.every(Array.isArray)||!columns2.every(column=>names2.includes(column))?unreadable:rows2.map(cells=>Object.
fromEntries(columns2.map(column=>[column,cells[names2.indexOf(column)]])))}function failedRow(value,{code,message}){return{
[isId(value)?"item_id":"url"]:value,status:code,message}}var noKey={code:"API_KEY_NOT_SET",message:"Set an API key in the menu of the add-on."};function noKeyFor({no_key=noKey.code}){return no_key===noKey.code?noKey:{code:no_key,message:failureSentence(
{code:no_key,message:""})}}var noData={code:"NO_DATA",message:"There is nothing to show."},tooLong={code:"INVALID_INPUT",
message:"This text is too long for a request."},unreadable={code:"SERVER_ANSWER_UNREADABLE",message:"The answer of the server does not have the expected form. Try again later."};var bucketsMax=100,keptSeconds=21600,bucketBytesMax=95e3,claimsName="claims";function openRowStore(scope,cells,nowMs){let prefix2=hashOf(
scope).toString(36),idOf=value=>"".concat(prefix2," ").concat(value),claimOf=value=>hashOf(idOf(value)).toString(36);return{
read(values){let buckets=readJson(cells,[...new Set(values.map(bucketOf))]);return new Map(values.flatMap(value=>{let stored=buckets[bucketOf(
value)]?.[idOf(value)];return stored===void 0?[]:[[value,stored]]}))},write(rows2){let names2=[...new Set([...rows2.keys()].
map(bucketOf))],buckets=readJson(cells,names2);for(let[value,row]of rows2){let name=bucketOf(value);buckets[name]={...buckets[name],
[idOf(value)]:row}}let texts=Object.entries(buckets).map(([name,bucket])=>[name,trimmed(bucket)]);cells.write(Object.fromEntries(
texts),keptSeconds)},claimed(values){let claims=openClaims(cells,nowMs());return new Set(values.filter(value=>claims[claimOf(
value)]!==void 0))},claim(values,untilMs){let claims=openClaims(cells,nowMs());for(let value of values)claims[claimOf(value)]=
untilMs;cells.write({[claimsName]:JSON.stringify(claims)},keptSeconds)},release(values){let claims=openClaims(cells,nowMs());
for(let value of values)delete claims[claimOf(value)];cells.write({[claimsName]:JSON.stringify(claims)},keptSeconds)}}}function openClaims(cells,nowMs){
let claims=readJson(cells,[claimsName])[claimsName]??{};return Object.fromEntries(Object.entries(claims).filter(([,untilMs])=>untilMs>
nowMs))}function bucketOf(value){return"rows_".concat(hashOf(value)%bucketsMax)}function readJson(cells,names2){let found=Object.
entries(cells.read(names2)).flatMap(([name,text2])=>{let value=parsed2(text2);return value===null?[]:[[name,value]]});return Object.
fromEntries(found)}function parsed2(text2){try{return asObject(JSON.parse(text2))}catch{return null}}function trimmed(bucket){
let entries=Object.entries(bucket).sort(([,a],[,b])=>receivedMs(b)-receivedMs(a)),text2=JSON.stringify(Object.fromEntries(
entries));for(;entries.length>0&&byteLength(text2)>bucketBytesMax;)entries.splice(Math.floor(entries.length*.8)),text2=JSON.
stringify(Object.fromEntries(entries));return text2}function receivedMs({row,failure}){return row?.received_ms??failure?.
received_ms??0}function byteLength(text2){return text2.length+2*(text2.match(/[\u0080-\uffff]/g)?.length??0)}function hashOf(text2){
let high=3735928559,low=1103547991;for(let index=0;index<text2.length;index++){let code=text2.charCodeAt(index);high=Math.
imul(high^code,2654435761),low=Math.imul(low^code,1597334677)}return high=Math.imul(high^high>>>16,2246822507)^Math.imul(
low^low>>>13,3266489909),low=Math.imul(low^low>>>16,2246822507)^Math.imul(high^high>>>13,3266489909),4294967296*(2097151&
low)+(high>>>0)}var batchMax=100,pollMs=700,reserveMs=1e4,failureKeptMs=1e4,olderMs=6*36e5,clockSkewMs=6e4,passing=new Set(["RATE_LIMITED","SERVER_UNREACHABLE","SERVER_UNAVAILABLE","SERVICE_UNAVAILABLE","NOT_IN_TIME","SERVER_ANSWER_UNREADABLE","INTERNAL","SOURCE_TIMEOUT","SOURCE_CAPACITY","SOURCE_UNAVAILABLE"]),olderStatus="OK (older)";function findRows(plan,values,server2){
let{network:network2,key,cells,origin}=server2,{query,freshness}=plan;if(key===null||cells===void 0||values.length===0)return fetchRows(
withAge(query,freshness.parameter),values,server2);let deadlineMs=deadlineOf(network2),store=openRowStore("".concat(origin).
concat(query.path,"?").concat(query.query,"&key=").concat(key),cells,network2.now),waiting2={plan,store,cells,network:network2,
deadlineMs},stored=store.read(values),missing=values.filter(value=>!isUsable(stored.get(value),waiting2)),requested=plan.
one_cell===null?missing:batchOf(missing,plan.one_cell,waiting2),rows2=request(plan,requested,server2,deadlineMs);rows2.size>
0&&cells.hold(()=>keep(store,rows2,network2.now()));let known=missing.length===0?stored:store.read(values);return new Map(
values.map(value=>[value,shownRow(rows2.get(value),known.get(value),freshness)]))}function batchOf([own],name,waiting2){
let{store,cells,network:network2,deadlineMs}=waiting2;if(own===void 0)return[];let neighbours=null;for(;;){if(store.claimed(
[own]).size===0){neighbours??(neighbours=cells.neighbours(name,own));let batch=cells.hold(()=>claimBatch(own,neighbours??
[],waiting2));if(batch.length>0)return batch}if(isUsable(store.read([own]).get(own),waiting2))return[];if(network2.now()+
reserveMs>deadlineMs)return[own];network2.sleep(pollMs+network2.random()*pollMs)}}function claimBatch(own,neighbours,waiting2){
let{store,deadlineMs}=waiting2,values=[own,...neighbours],stored=store.read(values),claimed=store.claimed(values),free=values.
filter(value=>!claimed.has(value)&&!isUsable(stored.get(value),waiting2));if(free[0]!==own)return[];let batch=free.slice(
0,batchMax);return store.claim(batch,deadlineMs),batch}function request({query,freshness},values,server2,deadlineMs){let sent=(parameter,some)=>fetchRows(
{...withAge(query,parameter),deadline_ms:deadlineMs},some,server2),rows2=sent(freshness.parameter,values),{refreshed_ms}=freshness;
if(refreshed_ms===null||freshness.parameter==="fresh=true")return rows2;let before=values.filter(value=>{let row=rows2.get(
value);return row?.status==="OK"&&retrievedMs(row,refreshed_ms)<refreshed_ms-clockSkewMs});return new Map([...rows2,...sent(
"fresh=true",before)])}function withAge(query,parameter){return{...query,query:"".concat(parameter,"&").concat(query.query)}}
function keep(store,rows2,nowMs){let values=[...rows2.keys()],earlier=store.read(values),kept=[...rows2].map(([value,cells])=>cells.
status!=="OK"?[value,{...earlier.get(value),failure:{received_ms:nowMs,cells}}]:[value,{row:{retrieved_ms:retrievedMs(cells,
nowMs),received_ms:nowMs,cells}}]);store.write(new Map(kept)),store.release(values)}function retrievedMs(row,unknownMs){
let atMs=Date.parse(String(row.retrieved_at));return Number.isNaN(atMs)?unknownMs:atMs}function isUsable(stored,{plan,network:network2}){
let{oldest_ms,refreshed_ms}=plan.freshness,since=receivedMs2=>refreshed_ms===null||receivedMs2>=refreshed_ms,{row,failure}=stored??
{},isFailed=failure!==void 0&&network2.now()-failure.received_ms<failureKeptMs;return plan.one_cell!==null&&isFailed&&since(
failure.received_ms)?!0:row!==void 0&&row.retrieved_ms>=oldest_ms&&since(row.received_ms)}function shownRow(received,stored,{
oldest_ms}){let{row,failure}=stored??{},newest=received??failure?.cells;if(newest?.status==="OK")return newest;if(row===
void 0)return newest??{};let free={...row.cells,cached:!0,credits_charged:0};return newest===void 0?free:passing.has(String(
newest.status))&&row.retrieved_ms>=oldest_ms-olderMs?{...free,status:olderStatus,message:newest.message}:newest}var urlsMax=2e3,urlsPerRequestMax=50,requestsAtOnce=6,ownColumns=["cached","credits_charged"];function rowsOfUrls(args,route7,server2){
let columns2=readFields(args.fields,route7.columns);return rowOfEach(args,columns2,route7,server2).map(row=>columns2.map(
column=>formulaCell(row?.[column])))}function rowOfEach(args,columns2,route7,server2){let urls=readColumn(args.urls,route7.
example),nowMs=server2.network.now(),freshness=readFreshness(args.max_age,nowMs),different=[...new Set(urls.filter(url=>url!==
""))];checkCount(different.length,urlsMax,route7.what);let platform=route7.handles?readPlatform(args.platform,different):
null,handles=route7.handles?different.filter(isHandle):[],sent=[...new Set([...columns2,"retrieved_at"])],oneCell=freshness.
oldest_ms<nowMs&&!ownColumns.some(column=>columns2.includes(column))&&!Array.isArray(args.urls)?route7.formula:null,find=(parameter,values)=>{
let query={path:route7.path,query:"fields=".concat(sent.join(",")).concat(parameter),name:"url",columns:sent,per_request_max:urlsPerRequestMax,
at_once:requestsAtOnce};return findRows({query,freshness,one_cell:oneCell},values,server2)},rows2=find("",different.filter(
url=>!handles.includes(url)));if(platform===null)for(let handle of handles)rows2.set(handle,handleAlone);else for(let[handle,
row]of find(platformParameter(platform.name),handles))rows2.set(handle,guessed(row,platform));return urls.map(url=>rows2.
get(url)??null)}function numbersOf(args,route7,server2){let rows2=rowOfEach(args,["status",route7.field,"message"],route7,server2);return Array.
isArray(args.urls)?rows2.map(row=>[numberOrEmpty(row,route7.field)]):numberIn(rows2[0]??null,route7)}function numberIn(row,{
field,label}){if(row===null)return"";let value=row[field];if(typeof value=="number")return value;if(String(row.status).startsWith(
"OK"))throw new Error("The platform does not show ".concat(label,"."));let failure={code:String(row.status),message:String(
row.message??"")};throw new Error("".concat(failureSentence(failure)," (").concat(failure.code,")"))}function numberOrEmpty(row,field){
let value=row?.[field];return typeof value=="number"?value:""}var route={formula:"SOCIAL_COMMENTS",path:"/v1/workflows/post",columns:postColumns,what:"posts",example:"the URL of a post or a column of them, such as A2:A50",handles:!1,field:"comments",label:"the number of comments"};function SOCIAL_COMMENTS(api,post,maxAge2){
return numbersOf({urls:post,max_age:maxAge2},route,api)}var offer={order:10,label:"Comments, as a number",takes:"Post URLs",args:["area","max_age"],choices:[],usual:[],estimate:{route:"post",unit:"post",per_request_max:50,rows_max:200,most:1},
gives:"the number of comments on a post or video, a plain number",costs:"as SOCIAL_POST; both share the stored data"};function SOCIAL_CREDITS(api,_refresh){return readBalance(api)}function readBalance(api){if(api.key===null)throw failed(noKeyFor(
api));let[answer]=fetchAnswers(["".concat(api.origin,"/v1/credit/balance")],api.key,api.network);if(answer?.ok===!1)throw failed(
answer.failure);let credits=asObject(answer?.data)?.credits_remaining;if(typeof credits!="number")throw failed(unreadable);
return credits}function failed(failure){return new Error("".concat(failureSentence(failure)," (").concat(failure.code,")"))}
var offer2={order:6,label:"Credits left",takes:"",args:[],choices:[],usual:[],estimate:null,gives:"the balance, a number",
costs:"0"};var route2={formula:"SOCIAL_FOLLOWERS",path:"/v1/workflows/profile",columns:profileColumns,what:"profiles",example:"a profile URL or a column of them, such as A2:A50",handles:!0,field:"followers",label:"the number of followers"};function SOCIAL_FOLLOWERS(api,profile,platform,maxAge2){
return numbersOf({urls:profile,platform,max_age:maxAge2},route2,api)}var offer3={order:7,label:"Followers, as a number",
takes:"Profile URLs",args:["area","platform","max_age"],choices:[],usual:[],estimate:{route:"profile",unit:"profile",per_request_max:50,
rows_max:200,most:1},gives:"the number of followers or subscribers, a plain number",costs:"as SOCIAL_PROFILE; both share the stored data"};var route3={formula:"SOCIAL_LIKES",path:"/v1/workflows/post",columns:postColumns,what:"posts",example:"the URL of a post or a column of them, such as A2:A50",handles:!1,field:"likes",label:"the number of likes"};function SOCIAL_LIKES(api,post,maxAge2){
return numbersOf({urls:post,max_age:maxAge2},route3,api)}var offer4={order:9,label:"Likes, as a number",takes:"Post URLs",
args:["area","max_age"],choices:[],usual:[],estimate:{route:"post",unit:"post",per_request_max:50,rows_max:200,most:1},gives:"the number of likes of a post or video, a plain number",costs:"as SOCIAL_POST; both share the stored data"};var route4={formula:"SOCIAL_POST",path:"/v1/workflows/post",columns:postColumns,what:"posts",example:"the URL of a post or a column of them, such as A2:A50",handles:!1};function SOCIAL_POST(api,urls,fields,maxAge2){return rowsOfUrls({urls,fields,
max_age:maxAge2},route4,api)}var offer5={order:3,label:"Single posts and videos",takes:"Post URLs",args:["area","fields",
"max_age"],choices:postColumns.known,usual:postColumns.usual,estimate:{route:"post",unit:"post",per_request_max:50,rows_max:200,
most:1},gives:"one row for each URL of a post or video",costs:"1 credit for each URL that is fetched again; 0 while the stored data is young enough"};var profilesMax=40,postsMax=20;function SOCIAL_POSTS(api,profile,limit,fields,maxAge2,platform){return latestPosts({profiles:profile,
limit,fields,max_age:maxAge2,platform},api)}function latestPosts(args,api){let profiles=readList(args.profiles,"a profile URL or a range of them, such as A2:A20"),limit=readWhole(args.limit,"limit",1,postsMax),columns2=readFields(args.fields,
postColumns),maxAge2=maxAgeParameter(args.max_age,api.network.now());checkCount(profiles.length,profilesMax,"profiles");
let platform=readPlatform(args.platform,profiles),ageAndLimit="".concat(maxAge2).concat(limit===null?"":"&limit=".concat(
limit)),latest=(parameter,values)=>{let query={path:"/v1/workflows/posts",query:"".concat(ageAndLimit,"&fields=").concat(
columns2.join(",")).concat(parameter),name:"url",per_request_max:1,columns:columns2};return fetchStack(query,values,api)},
handles=profiles.filter(isHandle),urls=profiles.filter(profile=>!isHandle(profile)),ofHandles=platform===null||handles.length===
0?handles.map(url=>({url,...handleAlone})):latest(platformParameter(platform.name),handles).map(row=>guessed(row,platform)),
rows2=[...latest("",urls),...ofHandles];return rows2.length===0?[columns2.map(()=>"")]:rows2.map(row=>columns2.map(column=>formulaCell(
row[column])))}var offer6={order:2,label:"Latest posts of profiles",takes:"Profile URLs, up to 40",args:["area","limit",
"fields","max_age","platform"],choices:postColumns.known,usual:postColumns.usual,estimate:{route:"posts",unit:"profile",
per_request_max:1,rows_max:10,most:4},gives:"the latest posts of up to 40 profiles, one row for each post. limit is 1 to 20 posts for each profile; without it you get 3",costs:"for each profile that is fetched again: 2 credits. On YouTube 3, or 4 when the link has no channel ID (such as /@name) and the channel was not looked up in the last day"};var route5={formula:"SOCIAL_PROFILE",path:"/v1/workflows/profile",columns:profileColumns,what:"profiles",example:"a profile URL or a column of them, such as A2:A50",handles:!0};function SOCIAL_PROFILE(api,urls,fields,maxAge2,platform){return rowsOfUrls(
{urls,fields,max_age:maxAge2,platform},route5,api)}var offer7={order:1,label:"Profiles",takes:"Profile URLs",args:["area",
"fields","max_age","platform"],choices:profileColumns.known,usual:profileColumns.usual,estimate:{route:"profile",unit:"profile",per_request_max:50,rows_max:200,most:1},gives:"one row for each profile URL",costs:"1 credit for each profile that is fetched again; 0 while the stored data is young enough (see max_age)"};var reportSections=["totals","items","series","notes","coverage"],sectionTables={totals:totalsTable,items:itemsTable,series:seriesTable,
notes:notesTable,coverage:coverageTable};function isReport(data){return[data.campaign,data.totals,data.coverage].every(part=>asObject(
part)!==null)&&[data.items,data.series,data.notes].every(Array.isArray)}function reportTable(section,report){return sectionTables[section](
report)}var totalColumns=["start","end","change","change_percent","items","items_missing","quality"];function totalsTable(report){
let totals=Object.entries(asObject(report.totals)??{});return{columns:["metric",...totalColumns],rows:totals.map(([metric,
total])=>[metric,...pick(total,totalColumns)])}}var itemColumns=["name","platform","kind","url","item_id"],valueColumns=[
"start","end","change","change_percent","quality"];function itemsTable(report){let items=objects(report.items),metrics2=[
...new Set(items.flatMap(item=>Object.keys(asObject(item.metrics)??{})))];return{columns:[...itemColumns,"item_status","first_observed_at (UTC)","last_observed_at (UTC)",...metrics2.flatMap(metric=>valueColumns.map(column=>"".concat(metric,
"_").concat(column))),"engagement_rate_by_views_percent","engagement_rate_formula","gaps"],rows:items.map(item=>[...pick(
item,itemColumns),item.status,isoTime(item.first_observed_at),isoTime(item.last_observed_at),...metrics2.flatMap(metric=>pick(
asObject(item.metrics)?.[metric],valueColumns)),...pick(objects(item.rates)[0],["percent","formula"]),objects(item.gaps).
map(gapText).join("; ")])}}function gapText({from,to,cause}){return"".concat(isoTime(from),"/").concat(isoTime(to)," ").
concat(cause)}function seriesTable(report){let pointColumns=["value","items","items_missing","quality"];return{columns:[
"platform","metric","step","at (UTC)",...pointColumns],rows:objects(report.series).flatMap(series=>objects(series.points).
map(point=>[...pick(series,["platform","metric","step"]),isoTime(point.at)?.slice(0,10),...pick(point,pointColumns)]))}}
function notesTable(report){let notes=Array.isArray(report.notes)?report.notes:[],method=report.method===void 0?[]:[["method",report.method]];return{columns:["kind","text"],rows:[...notes.map(note2=>["note",note2]),...method]}}function coverageTable(report){
let counts=["expected_observations","observations","items","items_never_observed"],{campaign,coverage}=report;return{columns:[
"campaign","campaign_id","campaign_status","report_name","report_id","final","period_start (UTC)","period_end (UTC)","generated_at (UTC)","history_days","partial_period",...counts],rows:[[...pick(campaign,["name","id","status"]),...pick(report,
["report_name","report_id","final"]),isoTime(report.period_start),isoTime(report.period_end),isoTime(report.generated_at),
...pick(report,["history_days","partial_period"]),...pick(coverage,counts)]]}}function pick(value,names2){let object=asObject(
value);return names2.map(name=>object?.[name])}function objects(value){return Array.isArray(value)?value.map(item=>asObject(
item)??{}):[]}function isoTime(at){return typeof at=="number"&&Math.abs(at)<=timeMaxMs?new Date(at).toISOString():void 0}
var timeMaxMs=864e13;function SOCIAL_REPORT(api,campaign,section,_refresh){return reportSection(campaign,section,api)}function reportSection(campaignCell,sectionCell,api){
let campaign=readCampaign(campaignCell),[word="totals",second]=readWords(sectionCell);if(second!==void 0)throw new Error(
"Enter one section.");let section=knownWord(word,reportSections,"section");if(campaign==="")return[[""]];let{report,failure}=fetchReport(
campaign,api),table=reportTable(section,report??{});return failure!==void 0?failedTable(table,failure):table.rows.length===
0?failedTable(table,noData):[heading(table),...table.rows.map(row=>["OK",...row.map(formulaCell)])]}function readCampaign(argument){
let cells=[argument].flat(2),[cell]=cells;if(cells.length!==1||cell===void 0||cell instanceof Date)throw new Error("Enter one campaign by its ID or its exact name, as text.");return String(cell??"").trim()}function heading({columns:columns2}){
return["status",...columns2]}function failedTable(table,{code,message}){let headings2=heading(table);return[headings2,headings2.
map((_,index)=>[code,message][index]??"")]}function fetchReport(campaign,server2){let{key,network:network2,origin}=server2;
if(key===null)return{failure:noKeyFor(server2)};let deadlineMs=deadlineOf(network2),get=path=>fetchAnswers(["".concat(origin).
concat(path)],key,network2,{deadline_ms:deadlineMs})[0]??noAnswer,id=isId(campaign)?campaign:findCampaign(campaign,get("/v1/workflows/campaigns"));if(typeof id!="string")return{failure:id};let answer=get("/v1/workflows/campaign-report?id=".
concat(encodeURIComponent(id)));if(!answer.ok)return{failure:answer.failure};let report=asObject(answer.data);return report!==
null&&isReport(report)?{report}:{failure:unreadable}}var noAnswer={ok:!1,failure:unreadable};function findCampaign(name,answer){
if(!answer.ok)return answer.failure;let items=asObject(answer.data)?.items;if(!Array.isArray(items))return unreadable;let campaigns=items.
map(item=>({id:String(asObject(item)?.id),name:String(asObject(item)?.name).trim()})),ids=campaigns.flatMap(campaign=>campaign.
name===name?[campaign.id]:[]),[id]=ids;return id===void 0?unknownCampaign(name,campaigns.map(campaign=>campaign.name)):ids.
length===1?id:{code:"CAMPAIGN_NAME_NOT_UNIQUE",message:"".concat(ids.length," campaigns have this name. Enter the ID of one, such as ").concat(id,".")}}function unknownCampaign(name,names2){let hint=names2.length===0?"The workspace has no campaigns yet.":'Did you mean "'.concat(nearest(name,names2),'"?');return{code:"CAMPAIGN_NOT_FOUND",message:"There is no campaign of this name. ".concat(hint)}}var offer8={order:5,label:"Campaign report",takes:"",args:["campaign","section"],
choices:[],usual:[],estimate:null,gives:"one part of the newest weekly report, with headings: totals, items, series (numbers over time), notes or coverage (which numbers exist). Your workspace must have bought a credit pack once",costs:"0"};var trackedMetrics={followers:1,following:null,posts:null,views:2,likes:4,comments:null,shares:null,favorites:null,total_views:3};var itemsMax=200,itemsPerRequestMax=20,daysMax=365,metrics=Object.keys(trackedMetrics),columns=["status","name","metric",
"observed_at","value","quality","item_id","url","source","message"];function SOCIAL_TRACKED(api,item,metric,days,_refresh){
return trackedHistory({items:item,metrics:metric,days},api)}function trackedHistory(args,api){let items=readList(args.items,
"a tracked item by its ID or URL, or a range of them"),named=readWords(args.metrics).map(word=>knownWord(word,metrics,"metric")),days=readWhole(args.days,"days",1,daysMax);checkCount(items.length,itemsMax,"items");let metric=named.length===
0?"":"&metric=".concat([...new Set(named)].join(",")),query={path:"/v1/workflows/tracked",query:"fields=".concat(columns.
join(",")).concat(metric).concat(days===null?"":"&days=".concat(days)),name:"item",per_request_max:itemsPerRequestMax,columns},
rows2=fetchStack(query,items,api);return[columns.map(column=>column==="observed_at"?"observed_at (UTC)":column),...rows2.
map(row=>columns.map(column=>formulaCell(row[column])))]}var offer9={order:4,label:"History of tracked items",takes:"IDs or URLs of tracked items",args:["area","metrics","days"],choices:metrics,usual:["followers"],estimate:null,gives:"the daily history of up to 200 items that you track, with headings. Start under *Tracking* in the [dashboard](tracking.md)",costs:"0; each successful daily check costs 1 credit"};var route6={formula:"SOCIAL_VIEWS",path:"/v1/workflows/post",columns:postColumns,what:"posts",example:"the URL of a post or a column of them, such as A2:A50",handles:!1,field:"views",label:"the number of views"};function SOCIAL_VIEWS(api,post,maxAge2){
return numbersOf({urls:post,max_age:maxAge2},route6,api)}var offer10={order:8,label:"Views, as a number",takes:"Post URLs",args:["area","max_age"],choices:[],usual:[],estimate:{route:"post",unit:"post",per_request_max:50,rows_max:200,most:1},
gives:"the number of views of a post or video, a plain number",costs:"as SOCIAL_POST; both share the stored data"};function formulaText(name,args){let last=args.reduce((found,argument,index)=>argument===null?found:index,-1);return"=".concat(
name,"(").concat(args.slice(0,last+1).map(argumentText).join("; "),")")}function argumentText(argument){return argument===
null?"":"area"in argument?argument.area:"number"in argument?String(argument.number):'"'.concat(argument.text.replace(/"/g,
'""'),'"')}function areaOf(sheet,a1){return"'".concat(sheet.replace(/'/g,"''"),"'!").concat(a1)}var builderFormulas=Object.entries(all_exports).map(([name,offer11])=>({name,...offer11})).sort((a,b)=>a.order-b.order),
agePositions=Object.fromEntries(builderFormulas.map(({name,args})=>[name,args.includes("max_age")?args.indexOf("max_age"):
args.length]));function findFormula(name){return builderFormulas.find(formula=>formula.name===name)}function buildFormula(choice,sheet){
let formula=findFormula(choice.name);if(formula===void 0)return{missing:"Choose a function."};let args=[];for(let kind of formula.
args){let argument=readArgument2(kind,choice,formula,sheet);if(argument!==null&&"missing"in argument)return argument;args.
push(argument)}return{formula:formulaText(formula.name,args)}}function readArgument2(kind,choice,formula,sheet){let{area}=choice;
if(kind==="area")return area===null||!/^[A-Z]{1,3}\d+(:[A-Z]{1,3}\d+)?$/.test(area.a1)?{missing:"Pick the cells first."}:
{area:area.sheet===sheet?area.a1:areaOf(area.sheet,area.a1)};if(kind==="limit")return wholeNumber(choice.limit,20,"Posts of each profile");if(kind==="days")return wholeNumber(choice.days,365,"Days back");if(kind==="campaign")return choice.campaign===
""?{missing:"Choose a campaign."}:{text:choice.campaign};if(kind==="section")return knownOr(choice.section,reportSections,
"Choose a section.");if(kind==="max_age")return maxAge(choice.max_age);if(kind==="platform")return null;let ticked=formula.
choices.filter(name=>choice.ticked.includes(name));return ticked.length===0?{missing:"Tick at least one ".concat(kind===
"metrics"?"metric":"field",".")}:{text:ticked.join(",")}}function maxAge(word){return word===usualMaxAge?null:word===refreshName?
{area:refreshName}:knownOr(word,maxAges,"Choose an age.")}function knownOr(word,known,missing){return known.includes(word)?
{text:word}:{missing}}function wholeNumber(text2,max,label){if(text2==="")return null;let whole=/^\d{1,3}$/.test(text2)?
Number(text2):0;return whole>=1&&whole<=max?{number:whole}:{missing:"".concat(label," must be a whole number from 1 to ").
concat(max,".")}}var textOrSocial=/"(?:[^"]|"")*"|(?<![\w!'.])SOCIAL_[A-Z_]+(?=\s*\()/gi,textOrRefresh=/"(?:[^"]|"")*"|(?<![\w!'.])SOCIAL_REFRESH(?![\w(])(?:\s*&\s*" fresh [0-9TZ:.-]+")?/gi;
function callsSocial(formula){return(formula.match(textOrSocial)??[]).some(part=>!part.startsWith('"'))}function stamped(formula,stamp){
return formula.replace(textOrRefresh,part=>part.startsWith('"')?part:refreshName+stamp)}function usesRefreshCell(formula){
return(formula.match(textOrRefresh)??[]).some(part=>!part.startsWith('"'))}var addedTime=/ [0-9-]+T[0-9:.]+Z"$/;function timed(formula,time){
return[...formula.matchAll(textOrSocial)].filter(([part])=>!part.startsWith('"')).reverse().reduce((text2,{0:name,index})=>{
let position=agePositions[name.toUpperCase()],open=text2.indexOf("(",index+name.length)+1,args=argumentsFrom(text2,open);
if(position===void 0||args===null)return text2;let separator=text2[open+(args[0]?.length??0)]===","?",":";",padded2=[...args,
...Array.from({length:Math.max(0,position+1-args.length)},()=>"")];padded2[position]=withTime(padded2[position]??"",time);
let end=open+args.join(" ").length;return text2.slice(0,open)+padded2.join(separator)+text2.slice(end)},formula)}function withTime(argument,time){
let[,space="",content=""]=/^(\s*)([\s\S]*)$/.exec(argument)??[];return content===""?"".concat(space,'"').concat(usualMaxAge,
" ").concat(time,'"'):/^"[^"]*"$/.test(content)?"".concat(space).concat(content.replace(addedTime,'"').slice(0,-1)," ").
concat(time,'"'):"".concat(space).concat(content.replace(/\s*&\s*" [0-9-]+T[0-9:.]+Z"$/,""),'&" ').concat(time,'"')}function argumentsFrom(text2,begin){
let args=[],token=/"(?:[^"]|"")*"|'(?:[^']|'')*'|[({})]|[,;]/g,[depth,from]=[0,begin];token.lastIndex=begin;for(let match=token.
exec(text2);match!==null;match=token.exec(text2)){let[mark]=match;if(mark==="("||mark==="{")depth+=1;else if(depth===0&&
(mark===","||mark===";"||mark===")")){if(args.push(text2.slice(from,match.index)),from=match.index+1,mark===")")return args}else
(mark===")"||mark==="}")&&(depth-=1)}return null}var scopes=["selection","sheet","file"];function socialFormulas(scope){let file=SpreadsheetApp.getActiveSpreadsheet();if(scope===
"file")return file.getSheets().flatMap(sheet=>formulasIn(sheet.getDataRange()));if(scope==="sheet")return formulasIn(file.
getActiveSheet().getDataRange());let cells=(file.getActiveRangeList()?.getRanges()??[]).flatMap(usedPart).flatMap(formulasIn),
seen=new Set;return cells.filter(({row,column})=>seen.size<seen.add("".concat(row,",").concat(column)).size)}function usedPart(range){
let sheet=range.getSheet(),rows2=Math.min(range.getLastRow(),sheet.getLastRow())-range.getRow()+1,columns2=Math.min(range.
getLastColumn(),sheet.getLastColumn())-range.getColumn()+1;return rows2<1||columns2<1?[]:[range.offset(0,0,rows2,columns2)]}
function formulasIn(range){let sheet=range.getSheet();return range.getFormulas().flatMap((formulas,down)=>formulas.flatMap(
(formula,right)=>callsSocial(formula)?[{sheet,row:range.getRow()+down,column:range.getColumn()+right,formula}]:[]))}function runsOf(cells){
let ordered=[...cells].sort((a,b)=>a.sheet.getSheetId()-b.sheet.getSheetId()||a.column-b.column||a.row-b.row),runs=[];for(let{
sheet,row,column,formula}of ordered){let last=runs[runs.length-1];last!==void 0&&last.sheet.getSheetId()===sheet.getSheetId()&&
last.column===column&&last.row+last.formulas.length===row?last.formulas.push(formula):runs.push({sheet,row,column,formulas:[
formula]})}return runs}function areaOf2({sheet,row,column,formulas}){return sheet.getRange(row,column,formulas.length,1)}
function setRun(run){areaOf2(run).setFormulas(run.formulas.map(formula=>[formula]))}function refreshPart(input){let scope=scopes.find(known=>known===input);if(scope===void 0)throw new PlainError("Choose the selection, the sheet or the file.");let{message,formulas}=holdLock(()=>scope==="file"?refreshFile():refreshCells(scope));
return recordRun({what:"Refresh of the ".concat(scope),rows:formulas,ok:formulas,failed:0,credits:null,message}),{ok:!0,
message}}function refreshFile(){if(!rewriteRefreshCell())throw new PlainError("This file has no refresh cell. Select an empty cell, choose Refresh in the menu, and use ".concat(refreshName," as max_age in your formulas."));let formulas=socialFormulas(
"file").filter(({formula})=>usesRefreshCell(formula)).length;return{message:"".concat(counted(formulas)," with ").concat(
refreshName," refreshed ").concat(costHint()),formulas}}function rewriteRefreshCell(){let cell=SpreadsheetApp.getActiveSpreadsheet().
getRangeByName(refreshName);return cell?.setValue(writtenText(refreshedText(cell.getValue(),network.now()))),cell!==null}
function refreshCells(scope){let cells=socialFormulas(scope);if(cells.length===0)throw new PlainError(noFormulaIn(scope));
let time=new Date(network.now()).toISOString(),stamp='&" fresh '.concat(time,'"'),withCell=cells.filter(({formula})=>usesRefreshCell(
formula));withCell.length>0&&requireMaxAge();let others=cells.filter(cell=>!withCell.includes(cell));for(let run of runsOf(
withCell.map(cell=>({...cell,formula:stamped(cell.formula,stamp)}))))setRun(run);for(let run of runsOf(others.map(cell=>({
...cell,formula:timed(cell.formula,time)}))))setRun(run);SpreadsheetApp.flush();let parts=[];return withCell.length>0&&parts.
push("".concat(counted(withCell.length)," refreshed ").concat(costHint())),others.length>0&&parts.push("".concat(counted(
others.length)," refreshed: only data older than the formula's own max_age (1d when empty) is replaced.")),{message:parts.
join(" "),formulas:cells.length}}function requireMaxAge(){let content=refreshCellContent(),[word=""]=String(content).trim().
toLowerCase().split(/\s+/);if(!(word===""||maxAges.some(known=>known===word)))throw new PlainError("The refresh cell does not contain a max_age such as fresh or 7d. Refresh the whole file once to reset it.")}function refreshCellContent(){return SpreadsheetApp.
getActiveSpreadsheet().getRangeByName(refreshName)?.getValue()??""}function costHint(){let[word=""]=String(refreshCellContent()).
trim().split(/\s+/),replaced=word===""||word==="fresh"?"with new data":"with new data for rows older than ".concat(word);
return"".concat(replaced,", which may cost credits.")}function counted(formulas){return formulas===1?"1 formula":"".concat(
formulas," formulas")}function noFormulaIn(scope){return scope==="selection"?"The selection has no SOCIAL_ formula. Select the cell that holds the formula, not only the rows it fills.":"This ".concat(scope," has no SOCIAL_ formula.")}var locationLabels={file:"in this file",account:"with your account"};function showMenu(){SpreadsheetApp.getUi().createAddonMenu().
addItem("Open sidebar","openSidebar_").addItem("Refresh","refresh_").addSeparator().addItem("Set API key…","setKey_").
addItem("Forget API key","forgetKey_").addItem("About and balance","showBalance_").addToUi()}function openSidebar(){let ui=SpreadsheetApp.
getUi();askForPermissions(basicPermissions);let page=HtmlService.createHtmlOutputFromFile("Sidebar").setTitle("Tidemark");
ui.showSidebar(page.append('<p id="opened-by" hidden>'.concat(activeAccount(),"</p>")))}function promptForKey(){let ui=SpreadsheetApp.
getUi(),prompt=ui.prompt("Set API key",installKind()==="bound"?"Paste a sheet key from your dashboard. It is saved in this file, and everyone who can edit the file can use it up to its monthly limit.":"Paste an API key from your dashboard. We recommend a sheet key.",ui.ButtonSet.OK_CANCEL);if(prompt.getSelectedButton()!==ui.Button.OK)return;let key=readKey(prompt.
getResponseText());if(key===null){showAlert(ui,"This is not an API key","Copy the whole key from your dashboard and try again.");return}let answer=fetchBalance(key),refusal=refusalOf(answer);if(refusal!==null){showAlert(ui,"The key was not saved",failureSentence({code:refusal,message:""}));return}let location=installKind()==="bound"?"file":promptForLocation(
ui);location!==null&&(saveKey(keyStores(),location,key),location==="account"&&allowFormulas(keyStores(),!0),showAlert(ui,
"The key was saved","".concat(lastFour(key)," is saved ").concat(locationLabels[location],". ").concat(balanceSentence(answer))))}
function refusalOf(answer){if(answer?.ok===!0)return isAllowed(answer.data)?null:"SHEET_KEY_NEEDED";let code=answer?.failure.
code??"SERVER_UNREACHABLE";return code==="INVALID_API_KEY"||installKind()==="bound"?code:null}function promptForLocation(ui){
let answer=ui.alert("Save the key in this file?","Yes: everyone who can edit this file can use its credits in formulas. No: the key is saved with your account. If you own this file, formulas in it use the key too, including those of other editors.",ui.ButtonSet.YES_NO_CANCEL);return answer===ui.Button.YES?"file":answer===ui.Button.NO?"account":null}function forgetSavedKey(){
let ui=SpreadsheetApp.getUi(),location=forgetKey(keyStores());showAlert(ui,"Forget API key",location===null?"No API key is saved.":"The key saved ".concat(locationLabels[location]," was removed."))}function refreshFormulas(){let ui=SpreadsheetApp.
getUi(),file=SpreadsheetApp.getActiveSpreadsheet();file.getRangeByName(refreshName)===null&&!createRefreshCell(ui,file)||
rewriteRefreshCell()}function createRefreshCell(ui,file){let cell=file.getCurrentCell();return cell===null||cell.getValue()!==
""?(showAlert(ui,"There is no refresh cell yet","Select an empty cell and choose Refresh again."),!1):ui.alert("There is no refresh cell yet","Make ".concat(cell.getA1Notation()," the refresh cell? Then use ").concat(refreshName," as the last argument of your formulas. ")+"Refresh gets new data for them, which costs credits. Type 7d into the cell to replace only data older than 7 days.",ui.ButtonSet.OK_CANCEL)!==ui.Button.OK?!1:(file.setNamedRange(refreshName,cell),!0)}function showAbout(){
let ui=SpreadsheetApp.getUi(),found=findActionKey(keyStores()),sentence=found===null?"No API key is saved.":"API key ".concat(
lastFour(found.key),", saved ").concat(locationLabels[found.location],". ").concat(balanceSentence(fetchBalance(found.key)));
showAlert(ui,"About","".concat(sentence," Server: https://address-of-the-server.invalid"))}function balanceSentence(answer){
if(answer===void 0||!answer.ok){let failure=answer?.failure??{code:"SERVER_UNREACHABLE",message:""};return"The balance could not be read: ".concat(failureSentence(failure)," (").concat(failure.code,")")}let credits=asObject(answer.data)?.credits_remaining;
return typeof credits!="number"?"The server did not return the balance.":credits===1?"1 credit is left.":"".concat(credits,
" credits are left.")}function showAlert(ui,title,text2){ui.alert(title,text2,ui.ButtonSet.OK)}var otherTimes=["created_at_platform","period_start","period_end","day"];function isTimeColumn(column){return column.endsWith(
"_at")||otherTimes.includes(column)}var uppercaseWords={url:"URL",id:"ID",utc:"UTC"};function fieldLabel(column){let label=column.
replace(/^created_at_platform$/,"created_on_platform").replace(/_percent$/," (%)").split(/[_ ]/).map(word=>uppercaseWords[word]??
word).join(" ");return"".concat(label.charAt(0).toUpperCase()).concat(label.slice(1)).concat(isTimeColumn(column)?" (UTC)":"")}var rowsMax=1e3,urlCharactersMax2=1e3;function readSelection(area=null){let range=area===null?SpreadsheetApp.getActiveSpreadsheet().
getActiveRange():rangeOf(area);if(range===null)throw new PlainError("Select the cells with the profile URLs in the sheet.");let sheet=range.getSheet(),rows2=Math.min(range.getNumRows(),sheet.getLastRow()-range.getRow()+1);if(range.getNumColumns()>
1)throw new PlainError("Select one column of profile URLs, such as A2:A50.");if(rows2<1)throw new PlainError("The selected cells are empty. Select the cells with the profile URLs.");let cells=sheet.getRange(range.getRow(),range.getColumn(),
rows2,1).getValues().map(([value])=>String(value??"").trim());if(cells.every(cell=>cell===""))throw new PlainError("The selected cells are empty. Select the cells with the profile URLs.");return{sheet,row:range.getRow(),column:range.getColumn(),
cells}}function rangeOf(area){let{sheet:name,a1}=asObject(area)??{},sheet=SpreadsheetApp.getActiveSpreadsheet().getSheetByName(
String(name));if(sheet===null)throw new PlainError("The picked cells are no longer there. Pick them again.");return sheet.
getRange(String(a1))}function profilesIn(cells){let profiles=[...new Set(cells.filter(cell=>cell!==""))];if(profiles.length>
rowsMax)throw new PlainError("".concat(profiles.length," profiles are selected; the limit is ").concat(rowsMax,". Select fewer rows."));return profiles}function viewSelection(){let{sheet,row,column,cells}=readSelection(),urls=profilesIn(cells);
return{ok:!0,sheet:sheet.getName(),a1:sheet.getRange(row,column,cells.length,1).getA1Notation(),urls:urls.length,blank:cells.
filter(cell=>cell==="").length,first:(urls[0]??"").slice(0,urlCharactersMax2)}}function estimateSelection(maxAge2,area,formula="SOCIAL_PROFILE",limit=""){let kind=findFormula(String(formula))?.estimate??null;if(kind===null)throw new PlainError("This formula costs no credits.");return estimateEntries(kind,profilesIn(readSelection(area).cells),maxAge2,limit,null)}function estimateEntries(kind,entries,maxAge2,limit,platform){
let server2=actionServer(),sent=entries.slice(0,kind.rows_max),head=headOf(kind,server2.origin,maxAge2,limit),ask=(values,more)=>packRequests(
head+more,{...kind,name:"url"},values),isHandle2=entry=>platform!==null&&!/[/:]/.test(entry),requests=[...ask(sent.filter(
entry=>!isHandle2(entry)),"").requests,...ask(sent.filter(isHandle2),"&platform=".concat(platform)).requests],urls=requests.
map(({url})=>url),answers=server2.key===null?[]:fetchAnswers(urls,server2.key,server2.network),sum={cost_min:0,cost_max:entries.
length*kind.most,cached_rows:0,unreadable_rows:0},note2=server2.key===null?"Connect a key to see which rows are already paid for.":null;return answers.forEach((answer,index)=>{let data=answer.ok?asObject(answer.data):null;if(typeof data?.cost!=
"number"){note2=answer.ok?"The server did not return the cost.":failureSentence(answer.failure);return}sum.cost_min+=data.
cost,sum.cost_max+=data.cost-(requests[index]?.values.length??0)*kind.most,sum.cached_rows+=Number(data.cached_rows??0),
sum.unreadable_rows+=Number(data.unreadable_rows??0)}),entries.length>sent.length&&(note2??(note2="Only the first ".concat(
kind.rows_max," rows were checked."))),{ok:!0,rows:entries.length,...sum,note:note2}}function headOf({route:route7},origin,maxAge2,limit){
let ofPosts=route7==="posts"&&/^\d{1,2}$/.test(String(limit))?"&limit=".concat(String(limit)):"";return"".concat(origin,
"/v1/workflows/").concat(route7,"?estimate=true&").concat(maxAgeParameter(maxAge2,network.now())).concat(ofPosts)}var formulaName="SOCIAL_PROFILE",loadingText="Loading...",noKeyCodes=["API_KEY_NOT_SET","FORMULAS_NOT_ALLOWED"];function insertFirstRows(area){
let selection=readSelection(area);if(findKey(keyStores())===null)throw new FailureError({code:"FORMULAS_NOT_ALLOWED",message:""});
let{sheet,row,column,cells}=selection,ticked=usualFields(),at=freeColumn(selection,ticked.length+1),a1=sheet.getRange(row,
column,cells.length,1).getA1Notation(),built=buildFormula({...{limit:"",days:"",campaign:"",section:""},name:formulaName,
area:{sheet:sheet.getName(),a1},ticked,max_age:usualMaxAge},sheet.getName());if("missing"in built)throw new PlainError(built.
missing);let cell=sheet.getRange(row,at);return cell.setFormula(built.formula),{ok:!0,place:{sheet:sheet.getName(),a1:cell.
getA1Notation(),rows:cells.length}}}function usualFields(){return findFormula(formulaName)?.usual??[]}function freeColumn({
sheet,row,column,cells},width){let beside=column+1,inside=beside+width-1<=sheet.getMaxColumns(),top=Math.max(1,row-1),at=inside&&
sheet.getRange(top,beside,row-top+cells.length,width).isBlank()?beside:Math.max(beside,sheet.getLastColumn()+1),missing=at+
width-1-sheet.getMaxColumns();return missing>0&&sheet.insertColumnsAfter(sheet.getMaxColumns(),missing),at}function readFirstRows(input){
let place=asObject(input)??{},sheet=SpreadsheetApp.getActiveSpreadsheet().getSheetByName(String(place.sheet)),cell=sheet?.
getRange(String(place.a1));if(sheet===null||cell===void 0||!cell.getFormula().startsWith("=".concat(formulaName,"(")))throw new PlainError(
"The formula is no longer in its cell.");let rows2=Math.max(1,Math.min(Number(place.rows),sheet.getMaxRows()-cell.getRow()+
1)),statuses=cell.offset(0,0,rows2,1).getDisplayValues().flat(),[first=""]=statuses;if(statuses.some(status=>noKeyCodes.
includes(status)))return cell.clearContent(),{ok:!0,state:"no_key",good:0,failed:0};if(first==="#REF!")return{ok:!0,state:"no_space",good:0,failed:0};if(first===loadingText||statuses.every(status=>status===""))return{ok:!0,state:"loading",good:0,
failed:0};writeHeadings(sheet,cell.getRow(),cell.getColumn());let good=statuses.filter(status=>status==="OK").length;return{
ok:!0,state:"ready",good,failed:statuses.filter(status=>status!=="").length-good}}function writeHeadings(sheet,row,column){
if(row===1)return;let labels=["status",...usualFields()].map(field=>fieldLabel(field)),headings2=sheet.getRange(row-1,column,
1,labels.length);headings2.isBlank()&&headings2.setValues([labels])}var choicesProperty="sidebar_choices",choicesCharactersMax=6e3;function readChoices(){try{let text2=PropertiesService.getUserProperties().
getProperty(choicesProperty);return checkedChoices(text2===null?null:JSON.parse(text2))}catch{return{}}}function saveChoices(input){
let text2=JSON.stringify(checkedChoices(input));if(text2.length>choicesCharactersMax)throw new PlainError("The choices are too long to be remembered.");return PropertiesService.getUserProperties().setProperty(choicesProperty,text2),{ok:!0}}
function checkedChoices(input){let{tab,asked,samples,fields,ages}=asObject(input)??{};return{...typeof tab=="string"?{tab}:
{},...asked===!0?{asked}:{},...samples===!0?{samples}:{},fields:entriesOf(fields,names2=>Array.isArray(names2)&&names2.every(
isText)),ages:entriesOf(ages,isText)}}function isText(value){return typeof value=="string"}function entriesOf(input,isRight){
let right={};for(let[name,value]of Object.entries(asObject(input)??{}))isRight(value)&&(right[name]=value);return right}var recentMax=3;function openSidebarPage(){let account=readAccount();return{ok:!0,opened_by:account.opened_by,account,choices:readChoices(),
selection:selectionOrNull(),runs:lastRuns().slice(0,recentMax)}}function selectionOrNull(){try{return viewSelection()}catch(error){
if(error instanceof PlainError)return null;throw error}}function insertFormula(input){let file=SpreadsheetApp.getActiveSpreadsheet(),cell=file.getCurrentCell();if(cell===null)throw new PlainError(
"Select the cell for the formula.");let sheet=cell.getSheet(),choice=readChoice(input),built=buildFormula(choice,sheet.getName());
if("missing"in built)throw new PlainError(built.missing);if(choice.max_age===refreshName&&file.getRangeByName(refreshName)===
null)throw new PlainError("There is no refresh cell yet. To create one, choose Refresh in the menu of the add-on.");let a1=cell.
getA1Notation();if(choice.area?.sheet===sheet.getName()&&covers(sheet.getRange(choice.area.a1),cell))throw new PlainError(
"".concat(a1," is one of the cells that the formula reads. Select an empty cell beside them."));if(cell.getValue()!==""||
cell.getFormula()!=="")throw new PlainError("".concat(a1," is not empty. Select an empty cell with empty cells to its right and below."));let headings2=headingsOf(choice),result=resultArea(cell,choice,headings2.length);requireEmpty(result,cell);
let headed=writeHeadings2(cell,headings2);if(cell.setFormula(built.formula),SpreadsheetApp.flush(),cell.getDisplayValue()===
"#REF!")throw cell.clearContent(),new PlainError("There is no space for the result in ".concat(a1,". Select a cell with empty cells to its right and below."));let above=headed||headings2.length===0?"":" There was no space for headings above it.";return{ok:!0,message:"The formula is in ".concat(a1,".").concat(above)}}function headingsOf({name,ticked}){let formula=findFormula(
name);return formula===void 0||!formula.args.includes("fields")?[]:["Status",...formula.choices.filter(field=>ticked.includes(
field)&&field!=="status").map(fieldLabel)]}function resultArea(cell,{name,area},width){let rows2=findFormula(name)?.estimate?.
per_request_max!==1&&area!==null?areaRows.exec(area.a1)?.slice(1).map(Number)??[]:[],[first=1,last=first]=rows2,sheet=cell.
getSheet(),height=Math.min(last-first+1,sheet.getMaxRows()-cell.getRow()+1);return cell.offset(0,0,height,Math.min(Math.
max(1,width),sheet.getMaxColumns()-cell.getColumn()+1))}var areaRows=/^[A-Z]+(\d+):[A-Z]+(\d+)$/;function requireEmpty(result,cell){
let values=result.getValues(),row=values.findIndex(line=>line.some(value=>value!==""));if(row<0)return;let column=values[row]?.
findIndex(value=>value!=="")??0,used=cell.offset(row,column).getA1Notation();throw new PlainError("The result needs ".concat(
result.getA1Notation(),", and ").concat(used," is not empty. Select a cell with empty cells to its right and below."))}function writeHeadings2(cell,headings2){
let columnsLeft=cell.getSheet().getMaxColumns()-cell.getColumn()+1;if(headings2.length===0||cell.getRow()===1||headings2.
length>columnsLeft)return!1;let above=cell.offset(-1,0,1,headings2.length);return above.isBlank()?(above.setValues([headings2.
map(writtenText)]),!0):!1}function covers(range,cell){let[row,column]=[cell.getRow()-range.getRow(),cell.getColumn()-range.
getColumn()];return row>=0&&row<range.getNumRows()&&column>=0&&column<range.getNumColumns()}function readChoice(input){let values=asObject(
input)??{},text2=name=>typeof values[name]=="string"?values[name]:"",area=asObject(values.area),ticked=Array.isArray(values.
ticked)?values.ticked.map(String):[];return{name:text2("name"),limit:text2("limit"),days:text2("days"),campaign:text2("campaign"),section:text2("section"),max_age:text2("max_age"),ticked,area:area===null?null:{sheet:String(area.sheet),a1:String(
area.a1)}}}function fileStore(store=keyStores().document){if(store===null)throw new PlainError("Open a file first.");return store}function utf8Bytes(text2){
return[...text2].reduce((sum,character)=>sum+characterBytes(character.codePointAt(0)??0),0)}function characterBytes(codePoint){
return codePoint<128?1:codePoint<2048?2:codePoint<65536?3:4}var allowedHours=[1,2,4,6,8,12,24],hourMs=36e5,savedPrefix="schedule_in_",ranProperty="schedule_ran_ms",sameRunMs=30*6e4,
reliableWay="For reports that must always arrive, let the server write them into a spreadsheet: see Spreadsheets on your dashboard.";function readSchedule(){let saved=readSaved();if(saved===null||saved.every_hours===null||ownTriggers().length===
0)return{ok:!0,schedule:null};let{every_hours,last_ms}=saved;return{ok:!0,schedule:{every_hours,next:last_ms+every_hours*
hourMs}}}function setSchedule(hours){let everyHours=allowedHours.find(known=>known===hours);if(everyHours===void 0&&hours!==
null)throw new PlainError("Choose an interval of ".concat(allowedHours.join(", ")," hours. Google offers no others."));if(replaceTrigger(
{every_hours:everyHours??null,imports:readSaved()?.imports??!1}),everyHours===void 0)return{ok:!0,message:"The schedule of this file is off."};let interval=everyHours===24?"every day":everyHours===1?"every hour":"every ".concat(everyHours," hours");return{ok:!0,message:"Reports and the refresh cell of this file are refreshed ".concat(interval,", with your key. ")+"Formulas may not run until someone opens the file. ".concat(reliableWay)}}function setImportTrigger(imports){let saved=readSaved();
(saved?.imports??!1)===imports&&(!imports||ownTriggers().length>0)||replaceTrigger({every_hours:saved?.every_hours??null,
imports})}function replaceTrigger({every_hours,imports}){requirePermission("schedule");for(let trigger of ownTriggers())
ScriptApp.deleteTrigger(trigger);let{user}=keyStores();if(user.deleteProperty(propertyName()),every_hours===null&&!imports)
return;let triggerId=createTrigger(imports?1:every_hours??1),saved={every_hours,imports,last_ms:network.now(),trigger_id:triggerId};
user.setProperty(propertyName(),JSON.stringify(saved))}function refreshIsDue(){let saved=readSaved();return saved===null?
!0:saved.every_hours!==null&&network.now()>=saved.last_ms+saved.every_hours*hourMs-sameRunMs}function noteScheduledRun(){
let saved=readSaved();saved!==null&&keyStores().user.setProperty(propertyName(),JSON.stringify({...saved,last_ms:network.
now()}))}function isAuthorized(){return ScriptApp.getAuthorizationInfo(ScriptApp.AuthMode.FULL).getAuthorizationStatus()!==
ScriptApp.AuthorizationStatus.REQUIRED}function createTrigger(everyHours){let trigger=ScriptApp.newTrigger("refreshOnSchedule_").timeBased();try{return(everyHours===24?trigger.everyDays(1):trigger.everyHours(everyHours)).create().getUniqueId()}catch(error){
throw network.log("The trigger could not be created: ".concat(String(error))),new PlainError("Google refused the schedule. It always does in a test deployment of the add-on. ".concat(reliableWay))}}function ownTriggers(){let saved=readSaved(),
ofProject=ScriptApp.getProjectTriggers().filter(trigger=>trigger.getUniqueId()===saved?.trigger_id);return ofProject.length>
0?ofProject:ScriptApp.getUserTriggers(SpreadsheetApp.getActiveSpreadsheet()).filter(trigger=>trigger.getHandlerFunction()===
"refreshOnSchedule_")}function propertyName(){return savedPrefix+SpreadsheetApp.getActiveSpreadsheet().getId()}function readSaved(){
let text2=keyStores().user.getProperty(propertyName()),saved=text2===null?null:asObject(JSON.parse(text2));return(typeof saved?.
every_hours=="number"||saved?.imports===!0)&&typeof saved.last_ms=="number"?saved:null}function claimScheduledRun(){return holdLock(
()=>{let store=fileStore(keyStores().document),lastMs=Number(store.getProperty(ranProperty)??Number.NEGATIVE_INFINITY);return network.
now()-lastMs<sameRunMs?!1:(store.setProperty(ranProperty,String(network.now())),!0)})}var hourMs2=36e5,dayMs2=24*hourMs2,weeklyHour=5,earlyMs=hourMs2/2,lateMs=3*hourMs2;function ownUserId(){let{user}=keyStores(),
saved=user.getProperty("import_user");if(saved!==null)return saved;let made=Math.floor(network.random()*2**52).toString(
36);return user.setProperty("import_user",made),made}function nextRun({every_hours,weekday,last_ms}){if(every_hours<168)
return last_ms+every_hours*hourMs2;let day=Math.floor(last_ms/dayMs2)*dayMs2;return Array.from({length:8},(_,index)=>day+
index*dayMs2+weeklyHour*hourMs2).find(time=>time>last_ms+earlyMs&&new Date(time).getUTCDay()===weekday)??last_ms+7*dayMs2}
function isDue({schedule}){return schedule!==null&&schedule.by===ownUserId()&&network.now()>=nextRun(schedule)-earlyMs}function lateSentence({
schedule}){if(schedule===null||network.now()<nextRun(schedule)+lateMs)return null;let since=new Date(schedule.last_ms).toISOString().
slice(0,16).replace("T"," "),whose=schedule.by===ownUserId()?"Perhaps Google needs your permission again, or your time for triggers is used up.":"The user who scheduled it may have left or lost access.";return"This import has not run on its schedule since ".concat(since," UTC. ").concat(whose," Choose “Schedule with my account” to start it again.")}var importKinds={profiles:{label:"Profiles",unit:"profile",formula:"SOCIAL_PROFILE",path:"/v1/workflows/profile",columns:profileColumns,
usual:[...profileColumns.usual,"followers_quality","retrieved_at"],id:"account_id",per_request_max:50,at_once:2,step_max:20},
posts:{label:"Posts and videos",unit:"post",formula:"SOCIAL_POST",path:"/v1/workflows/post",columns:postColumns,usual:postColumns.
usual,id:"id",per_request_max:50,at_once:2,step_max:20},latest:{label:"Latest posts of profiles",unit:"profile",formula:"SOCIAL_POSTS",path:"/v1/workflows/posts",columns:postColumns,usual:postColumns.usual,id:"id",per_request_max:1,at_once:5,
step_max:10}},kindNames=Object.keys(importKinds);function kindOf(name){return importKinds[name]}function choosableFields(name){
return kindOf(name).columns.known.filter(field=>!["url","status","credits_charged"].includes(field))}var importModes=["replace","append","update"],platformNames=["photo","shortvideo","longvideo"],scheduleHours=[1,2,4,6,8,
12,24,168];var nameCharactersMax=80,postsMax2=20;function readChoice2(input){let given=asObject(input)??{},kind=oneOf(given.kind,kindNames,
"Choose what to import."),source=readSource(given.source),target=readTarget(given.target),mode=oneOf(given.mode,importModes,
"Choose how to write the rows.");if(target==="beside"&&(kind==="latest"||"list"in source||mode!=="replace"))throw new PlainError(
"Rows beside the URLs need URLs in cells, one row for each. Choose a cell for the table instead.");let fields=(Array.isArray(
given.fields)?[...new Set(given.fields.map(String))]:[]).filter(field=>choosableFields(kind).includes(field));if(fields.
length===0)throw new PlainError("Tick at least one field.");let platform=given.platform===""||given.platform===null?null:
given.platform;return{name:String(given.name??"").trim().slice(0,nameCharactersMax)||"Import",kind,source,target,mode,fields,
platform:platform===null?null:oneOf(platform,platformNames,"Choose the platform of the handles."),limit:kind==="latest"?
readLimit(given.limit):null,max_age:oneOf(given.max_age,maxAges,"Choose the maximum age of the data."),with_hidden:given.
with_hidden===!0}}function oneOf(value,known,sentence){let found=known.find(one=>one===value);if(found===void 0)throw new PlainError(
sentence);return found}function readSource(input){let given=asObject(input)??{};if(Array.isArray(given.list)){let list=given.
list.map(entry=>String(entry).trim()).filter(entry=>entry!=="");if(list.length===0)throw new PlainError("Type at least one URL, one on each line.");return{list:[...new Set(list)]}}let cells=asObject(given.cells);if(cells===null)throw new PlainError(
"Pick the cells with the URLs, or type a list.");return{cells:{sheet:String(cells.sheet),a1:String(cells.a1),open:cells.
open===!0},heading:given.heading===!0}}function readTarget(input){let given=asObject(input);if(given===null)return"beside";let[sheet,a1]=[String(given.sheet??"").trim(),String(given.a1??"A1").toUpperCase()];if(sheet==="")throw new PlainError(
"Name the sheet for the rows.");if(!/^[A-Z]{1,3}[1-9]\d{0,6}$/.test(a1))throw new PlainError("Name one cell for the first heading, such as A1.");return{sheet,a1}}function readLimit(input){let text2=String(input??"").trim();if(text2==="")return null;
let limit=/^\d{1,2}$/.test(text2)?Number(text2):0;if(limit<1||limit>postsMax2)throw new PlainError("Posts of each profile must be a whole number from 1 to ".concat(postsMax2,"."));return limit}function readScheduleChoice(input){let given=asObject(
input);return given===null?null:{every_hours:oneOf(given.every_hours,scheduleHours,"Choose an interval of ".concat(scheduleHours.
join(", ")," hours.")),weekday:oneOf(given.weekday??1,[0,1,2,3,4,5,6],"Choose a weekday.")}}function markOf(entry){let{imul}=Math,[high,low]=[3735928559,1103547991];for(let index=0;index<entry.length;index++){let code=entry.
charCodeAt(index);high=imul(high^code,2654435761),low=imul(low^code,1597334677)}return high=imul(high^high>>>16,2246822507)^
imul(low^low>>>13,3266489909),low=imul(low^low>>>16,2246822507)^imul(high^high>>>13,3266489909),(((high&2097151)*2**32+(low>>>
0))%36**9).toString(36).padStart(9,"0")}var partBytesMax=8e3,listBytesMax=1e5,importsMax=30,prefix="import_";function propertyOf(id,part=""){return part===""?prefix+
id:"".concat(prefix).concat(id,"_").concat(part)}function newId(){return"".concat(network.now().toString(36)).concat(Math.
floor(network.random()*1e6).toString(36))}function savedImports(){return propertyNames().filter(name=>/^import_[a-z0-9]+$/.
test(name)).map(name=>name.slice(prefix.length)).sort().flatMap(id=>findImport(id)??[]).sort((a,b)=>a.name.localeCompare(
b.name))}function propertyNames(){return PropertiesService.getDocumentProperties().getKeys()}function findImport(id){let store=fileStore(),
text2=store.getProperty(propertyOf(String(id))),saved=text2===null?null:asObject(JSON.parse(text2));if(saved===null||!("list"in saved.source))return saved;let list=[];for(let part=0;;part++){let entries=JSON.parse(store.getProperty(propertyOf(
saved.id,"list_".concat(part)))??"null");if(!Array.isArray(entries))break;list.push(...entries.map(String))}return{...saved,
source:{list}}}function requireImport(id){let saved=findImport(id);if(saved===null)throw new PlainError("This import was deleted in another window.");return saved}function saveImport(saved){if(findImport(saved.id)===null&&savedImports().length>=
importsMax)throw new PlainError("This file has ".concat(importsMax," imports, which is the limit. Delete one first."));let{
source}=saved,parts="list"in source?listParts(source.list):[],values=Object.fromEntries(parts.map((part,index)=>[propertyOf(
saved.id,"list_".concat(index)),JSON.stringify(part)])),slim="list"in source?{...saved,source:{list:[]}}:saved;dropProperties(
name=>/^fill(_\d+)?$/.test(name)),dropProperties(name=>name.startsWith(propertyOf(saved.id,"list_"))&&!(name in values)),
setAll({...values,[propertyOf(saved.id)]:JSON.stringify(slim)})}function updateImport(id,change){let text2=fileStore().getProperty(
propertyOf(id));text2!==null&&fileStore().setProperty(propertyOf(id),JSON.stringify({...JSON.parse(text2),...change}))}function setAll(values){
try{PropertiesService.getDocumentProperties().setProperties(values)}catch(error){throw network.log("The properties of the file were refused: ".concat(String(error))),new PlainError("This file has no space left for imports. Delete an import, or put long lists into a sheet.")}}function dropImport(id){dropProperties(name=>name===propertyOf(id)||name.startsWith(
propertyOf(id,"list_"))),dropRun(id)}function dropRun(id){dropProperties(name=>name.startsWith(propertyOf(id,"run")))}function dropProperties(isDropped){
for(let name of propertyNames().filter(isDropped))fileStore().deleteProperty(name)}function listParts(list){if(utf8Bytes(
JSON.stringify(list))>listBytesMax)throw new PlainError("This list is too long to be saved. Put it into a sheet and pick its cells.");return partsOf(list,partBytesMax)}function partsOf(texts,bytesMax){let parts=[],bytes=0;for(let text2 of texts){
let size=utf8Bytes(JSON.stringify(text2))+1,last=parts[parts.length-1];bytes=last===void 0||bytes+size>bytesMax?size:bytes+
size,last===void 0||bytes===size?parts.push([text2]):last.push(text2)}return parts}var marksPerProperty=900;function findRun(importId){let text2=fileStore().getProperty(propertyOf(importId,"run"));return text2===
null?null:JSON.parse(text2)}function saveRun(importId,run,newMarks=[]){let values={},marks=run.marks;for(let mark of newMarks){
let name=marksProperty(importId,marks);values[name]=(values[name]??(marks%marksPerProperty===0?"":savedMarks(name)))+mark,
marks+=1}setAll({...values,[propertyOf(importId,"run")]:JSON.stringify({...run,marks})})}function finishedMarks(importId,{
marks}){let finished=new Set;for(let first=0;first<marks;first+=marksPerProperty){let text2=savedMarks(marksProperty(importId,
first));for(let at=0;at<text2.length;at+=9)finished.add(text2.slice(at,at+9))}return finished}function marksProperty(importId,index){
return propertyOf(importId,"run_".concat(Math.floor(index/marksPerProperty)))}function savedMarks(name){return fileStore().
getProperty(name)??""}var entriesMax=1e4,entryCharactersMax=1e3,skippedShownMax=3,errorCell=/^#(N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|ERROR!)/;
function rangeName(id,what2){return"SOCIAL_IMPORT_".concat(id.toUpperCase(),"_").concat(what2)}function pickedRange(file,{
sheet:name,a1}){let sheet=file.getSheetByName(name);if(sheet===null)throw new PlainError("There is no sheet “".concat(
name,"” any more. Pick the cells with the URLs again."));return sheet.getRange(a1)}function readEntries(saved){if("list"in saved.source)return entriesOfList(saved.source.list);let range=SpreadsheetApp.getActiveSpreadsheet().getRangeByName(
rangeName(saved.id,"SOURCE"));if(range===null)throw new PlainError("The cells with the URLs were deleted. Edit the import and pick the cells again.");return entriesOfRange(range,saved)}function readDraft(choice){return"list"in choice.source?
entriesOfList(choice.source.list):entriesOfRange(pickedRange(SpreadsheetApp.getActiveSpreadsheet(),choice.source.cells),
choice)}function entriesOfList(list){let entries=list.filter(entry=>entry.length<=entryCharactersMax);return{entries:limited(
entries),hidden:[],skipped:"",place:null}}function entriesOfRange(range,choice){if(!("cells"in choice.source))throw new Error(
"The source is not a range.");let{cells,heading:heading2}=choice.source,sheet=range.getSheet(),row=range.getRow()+(heading2?
1:0),column=range.getColumn(),lastRow=Math.min(sheet.getLastRow(),cells.open?sheet.getLastRow():range.getLastRow()),place={
sheet,row,column,last_row:Math.max(lastRow,row)};if(lastRow<row)return{entries:[],hidden:[],skipped:"",place};let isHidden=choice.
with_hidden?()=>!1:hiddenRows(sheet),shown=new Set,hidden=new Set,skipped=[];sheet.getRange(row,column,lastRow-row+1,1).
getValues().forEach(([value],index)=>{let text2=String(value??"").trim(),fault=text2===""?null:faultOf(value,text2,choice);
fault!==null?skipped.push("".concat(sheet.getRange(row+index,column).getA1Notation()," (").concat(fault,")")):text2!==""&&
!shown.has(text2)&&(isHidden(row+index)?hidden:shown).add(text2)});let left=[...hidden].filter(entry=>!shown.has(entry));
return{entries:limited([...shown]),hidden:left,skipped:skippedSentence(skipped),place}}function faultOf(value,text2,{platform}){
return value instanceof Date?"a date":typeof value=="boolean"?"a checkbox":typeof value=="number"&&platform===null?"a number":errorCell.test(text2)?"an error":text2.length>entryCharactersMax?"a text that is too long":null}function skippedSentence(skipped){
if(skipped.length===0)return"";let more=skipped.length-skippedShownMax,shown=skipped.slice(0,skippedShownMax).join(", ");
return"Skipped, because they are no URL or handle: ".concat(shown).concat(more>0?" and ".concat(more," more"):"",".")}function hiddenRows(sheet){
let hasFilter=sheet.getFilter()!==null;return row=>hasFilter&&sheet.isRowHiddenByFilter(row)||sheet.isRowHiddenByUser(row)}
function limited(entries){if(entries.length<=entriesMax)return entries;let count2=entries.length.toLocaleString("en-US");
throw new PlainError("There are ".concat(count2," entries; the limit of one import is 10,000. Make two imports."))}function pickCells(){
let range=SpreadsheetApp.getActiveSpreadsheet().getActiveRange();if(range===null)throw new PlainError("Select cells in the sheet first.");if(range.getNumColumns()>1)throw new PlainError("Select one column, such as A2:A50 or the whole column A.");let sheet=range.getSheet(),open=range.getNumRows()>1&&range.getLastRow()>=sheet.getMaxRows(),rows2=Math.min(range.
getNumRows(),Math.max(1,sheet.getLastRow()-range.getRow()+1)),texts=sheet.getRange(range.getRow(),range.getColumn(),rows2,
1).getValues().map(([value])=>String(value??"").trim()),first=(texts[0]??"").slice(0,entryCharactersMax);return{ok:!0,cells:{
sheet:sheet.getName(),a1:range.getA1Notation(),open},entries:new Set(texts.filter(text2=>text2!=="")).size,first,heading:guessHeading(
first)}}var headingWords=/^(accounts?|channels?|creators?|handles?|influencers?|links?|names?|pages?|posts?|profiles?|urls?|user ?names?|videos?)( (accounts?|handles?|links?|names?|urls?))?$/i;
function guessHeading(text2){return headingWords.test(text2)||text2===""?!0:/[./@:]/.test(text2)?!1:/\s/.test(text2)?!0:
null}var takenAt="taken_at",dayMs3=864e5,epochSerial=25569;function tableFields({kind,mode,target,fields}){let{id}=kindOf(kind),
update2=["status",takenAt,"platform",id,"url"],append=kind==="latest"?[takenAt,"url","status",id]:[takenAt,"url","status"],
replace=target==="beside"?["status"]:["url","status"];return[...new Set([...{replace,append,update:update2}[mode],...fields])]}
function headingOf(field){return fieldLabel(field)}var urlHeadings=["link","profile","profile_link","post","post_link","video","video_link","handle","account"];function meansField(heading2,field){let plain=plainHeading(heading2);return plain===
field||plain===plainHeading(headingOf(field))||field==="url"&&urlHeadings.includes(plain)}function plainHeading(text2){return text2.
toLowerCase().replace("(utc)","").trim().replace(/[\s_-]+/g,"_")}function requestedFields(choice){let{id}=kindOf(choice.
kind);return[...new Set(["status","url","platform",id,...tableFields(choice),"message","credits_charged"])].filter(field=>field!==
takenAt)}function writtenValue(field,row,takenAtMs){if(field===takenAt)return serialOf(takenAtMs);let value=row[field],timeMs=isTimeColumn(
field)&&typeof value=="string"?Date.parse(value):Number.NaN;if(Number.isFinite(timeMs))return serialOf(timeMs);let cell=formulaCell(
value);return typeof cell=="string"&&cell!==""?writtenText(cell):cell}function formatFor(field,current){let isDate=isTimeColumn(
field);return current!=="@"&&!(isDate&&["General","0.###############"].includes(current))?current:isDate?"yyyy-mm-dd hh:mm":"General"}function serialOf(timeMs){return timeMs/dayMs3+epochSerial}function targetCell(file,target){let sheet=file.getSheetByName(target.sheet)??newSheet(file,target.sheet),[,letters="A",
row="1"]=/^([A-Z]+)(\d+)$/.exec(target.a1)??[],column=[...letters].reduce((sum,letter)=>sum*26+letter.charCodeAt(0)-64,0);
return growTo(sheet,Number(row),column),sheet.getRange(target.a1)}function newSheet(file,name){let activeSheet=file.getActiveSheet();
try{return file.insertSheet(name)}catch{throw new PlainError("Google Sheets refused the sheet name “".concat(name,"”. Choose another name."))}finally{file.setActiveSheet(activeSheet,!0)}}function bindTable(saved,place){let at=headingPlace(
saved,place),fields=tableFields(saved),texts=headingTexts(at),free=texts.findIndex(text2=>text2===""),used=free===-1?texts:
texts.slice(0,free),found=fields.map(field=>used.find(text2=>meansField(text2,field))??null),missing=fields.filter((_,index)=>found[index]===
null);missing.length>0&&addHeadings(at,at.column+used.length,missing.map(headingOf));let bound=fields.map((field,index)=>({
field,heading:found[index]??headingOf(field)}));return saved.mode==="replace"&&saved.target!=="beside"&&requireEmptyBody(
saved,at,bound,found),bound}function addHeadings({sheet,row},column,headings2){growTo(sheet,row,column+headings2.length-
1);let depth=Math.max(1,sheet.getLastRow()-row+1),block=sheet.getRange(row,column,depth,headings2.length);if(!block.getValues().
flat().every(cell=>cell===""))throw new PlainError("The results need ".concat(block.getA1Notation(),", but these cells are not empty. Clear or move them first, or choose another place."));let range=sheet.getRange(row,column,1,headings2.length);
tryToWrite(range,()=>{range.setNumberFormats([headings2.map(()=>"General")]),range.setValues([headings2.map(writtenText)]),
range.setFontWeight("bold")}),row===1&&sheet.getLastRow()<=1&&sheet.setFrozenRows(1)}function requireEmptyBody(saved,at,bound,found){
if(saved.last!==null)return;let texts=headingTexts(at),depth=at.sheet.getLastRow()-at.row;if(!(depth<1)){for(let{heading:heading2}of bound.
filter((_,index)=>found[index]!==null))if(!at.sheet.getRange(at.row+1,at.column+texts.indexOf(heading2),depth,1).getValues().
flat().every(cell=>cell===""))throw new PlainError("The cells below the heading “".concat(heading2,"” are not empty. Clear them, or choose to update rows or to add rows below."))}}function locateTable(saved,place){let at=headingPlace(saved,
place),texts=headingTexts(at),columns2=new Map;for(let{field,heading:heading2}of saved.columns??[]){let index=texts.indexOf(
heading2);if(index===-1)throw new PlainError("The heading “".concat(heading2,"” is no longer in row ").concat(at.row,
" of the sheet “").concat(at.sheet.getName(),"”. Restore it and resume, or edit the import."));columns2.set(field,at.
column+index)}if(place!==null&&place.sheet.getSheetId()===at.sheet.getSheetId()&&[...columns2.values()].includes(place.column)&&
place.last_row>=at.row)throw new PlainError("The results would cover the cells with the URLs. Write them beside the URLs, or choose another place.");return{sheet:at.sheet,row:at.row,columns:columns2}}function headingPlace(saved,place){if(saved.
target==="beside"){if(place===null)throw new PlainError("The cells with the URLs were deleted. Edit the import.");if(place.
row<2)throw new PlainError("The headings need a row above the URLs. Insert one, then pick the URLs again.");return{sheet:place.
sheet,row:place.row-1,column:place.column+1}}let cell=SpreadsheetApp.getActiveSpreadsheet().getRangeByName(rangeName(saved.
id,"TARGET"));if(cell===null)throw new PlainError("The sheet of this import was deleted. Edit the import and choose another place.");return{sheet:cell.getSheet(),row:cell.getRow(),column:cell.getColumn()}}function headingTexts({sheet,row,column}){
let width=sheet.getLastColumn()-column+1;if(width<1||row>sheet.getMaxRows())return[];let[texts=[]]=sheet.getRange(row,column,
1,width).getValues();return texts.map(text2=>String(text2??"").trim())}function growTo(sheet,row,column){let rows2=sheet.
getMaxRows();row>rows2&&sheet.insertRowsAfter(rows2,row-rows2);let columns2=sheet.getMaxColumns();column>columns2&&sheet.
insertColumnsAfter(columns2,column-columns2)}function tryToWrite(range,write){try{write()}catch(error){let cells="".concat(
range.getSheet().getName(),"!").concat(range.getA1Notation()),reason=String(error);throw/protect/i.test(reason)?new PlainError(
protectedSentence(cells)):/validation/i.test(reason)?new PlainError("A data validation rule refuses the values for ".concat(
cells,". Remove the rule from these cells, then resume.")):new PlainError("Google Sheets refused to write into ".concat(
cells,". Check these cells, then resume. (").concat(reason,")"))}}function protectedSentence(cells){return"The cells ".concat(
cells," are protected, and you may not change them. Ask the owner of the file, then resume.")}function requireWritable({
sheet,row,columns:columns2}){for(let column of columns2.values()){let range=sheet.getRange(row,column,Math.max(1,sheet.getLastRow()-
row+1),1),cells="".concat(sheet.getName(),"!").concat(range.getA1Notation());if(!range.canEdit())throw new PlainError(protectedSentence(
cells));if(range.isPartOfMerge())throw new PlainError("Some of the cells ".concat(cells," are merged, so rows do not fit. Split them, then resume."))}}function writeRows(job,answered){let{table}=job,lines=linesOf(job,answered).sort((a,b)=>a.row-b.row),last=lines[lines.length-
1];if(last===void 0)return;growTo(table.sheet,last.row,1);let unique=new Map(lines.map(line=>[line.row,line]));for(let fields of new Set(
lines.map(line=>line.fields))){let same=[...unique.values()].filter(line=>line.fields===fields);for(let segment of segmentsOf(
table,fields))for(let block of blocksOf(same))writeBlock(job,segment,block)}SpreadsheetApp.flush()}function linesOf(job,answered){
let{saved,run,table,place}=job,fields=[...table.columns.keys()],all=answered.flatMap(({entry,rows:rows2})=>rows2.map(row=>({
entry,values:{...row,url:entry}})));if(saved.target==="beside"){let rowsOf3=place===null?new Map:rowsByText(place.sheet,
place.row,place.column);return all.flatMap(({entry,values:values2})=>(rowsOf3.get(entry)??[]).map(row=>({row,values:values2,
fields})))}if(saved.mode==="replace")return all.map(({values:values2},index)=>({row:table.row+1+run.rows+index,values:values2,
fields}));let values=all.map(one=>one.values);return saved.mode==="append"?appendedLines(job,values,fields):updatedLines(
saved,table,values,fields)}function rowsByText(sheet,row,column){let found=new Map;return textsOf(sheet,row,column).forEach(
(text2,index)=>{text2!==""&&found.set(text2,[...found.get(text2)??[],row+index])}),found}function valuesOf(sheet,row,column){
let depth=sheet.getLastRow()-row+1;return depth<1||column===void 0?[]:sheet.getRange(row,column,depth,1).getValues().map(
([value])=>value)}function textsOf(sheet,row,column){return valuesOf(sheet,row,column).map(value=>String(value??"").trim())}
function appendedLines({saved,run,table,again},values,fields){let{sheet,row,columns:columns2}=table,idField=kindOf(saved.
kind).id,keyOf=(url,id)=>"".concat(String(url)," ").concat(saved.kind==="latest"?String(id??""):""),written2=new Set;if(again){
let wanted=new Set(values.map(value=>keyOf(value.url,value[idField]))),ids=textsOf(sheet,row+1,columns2.get(idField)),times=valuesOf(
sheet,row+1,columns2.get(takenAt));textsOf(sheet,row+1,columns2.get("url")).forEach((url,index)=>{let key=keyOf(url,ids[index]);
wanted.has(key)&&isTime(times[index],run.started_ms)&&written2.add(key)})}let missing=values.filter(value=>!written2.has(
keyOf(value.url,value[idField]))),next=Math.max(sheet.getLastRow(),row)+1;return missing.map((value,index)=>({row:next+index,
values:value,fields}))}function isTime(value,timeMs){if(typeof value=="number")return Math.abs(value-serialOf(timeMs))<1e-5;
if(!(value instanceof Date))return!1;let zone=SpreadsheetApp.getActiveSpreadsheet().getSpreadsheetTimeZone();return Math.
abs(Date.parse(Utilities.formatDate(value,zone,"yyyy-MM-dd'T'HH:mm:ss'Z'"))-timeMs)<1e3}function updatedLines(saved,table,values,fields){
let known=knownRows(saved,table),failedFields=fields.filter(field=>field==="status"||field===takenAt),isLatest=saved.kind===
"latest",freeRow=Math.max(table.sheet.getLastRow(),table.row)+1;return values.map(row=>{let id=rowKey(row.platform,row[kindOf(
saved.kind).id]),url=String(row.url),byUrl=isLatest&&id!==null?void 0:(id===null?known.by_url:known.by_url_without_id).get(
url),existing2=(id===null?void 0:known.by_id.get(id))??byUrl,at=existing2??freeRow++;return existing2===void 0&&!isLatest&&
known.by_url.set(url,at),id!==null&&known.by_id.set(id,at),{row:at,values:row,fields:existing2!==void 0&&row.status!=="OK"?failedFields:fields}})}function knownRows(saved,{sheet,row,columns:columns2}){let column=field=>textsOf(sheet,row+1,columns2.
get(field)),[ids,platforms2,urls]=[column(kindOf(saved.kind).id),column("platform"),column("url")],known={by_id:new Map,
by_url:new Map,by_url_without_id:new Map};return urls.forEach((url,index)=>{let at=row+1+index,id=rowKey(platforms2[index],
ids[index]);id!==null&&known.by_id.set(id,at),url!==""&&(saved.kind!=="latest"||id===null)&&known.by_url.set(url,at),url!==
""&&id===null&&known.by_url_without_id.set(url,at)}),known}function rowKey(platform,id){let isEmpty=value=>value==null||
value==="";return isEmpty(platform)||isEmpty(id)?null:"".concat(String(platform)," ").concat(String(id))}function segmentsOf({
columns:columns2},fields){let sorted=[...fields].sort((a,b)=>(columns2.get(a)??0)-(columns2.get(b)??0)),segments=[];for(let field of sorted){
let column=columns2.get(field)??0,last=segments[segments.length-1];last!==void 0&&last.column+last.fields.length===column?
last.fields.push(field):segments.push({column,fields:[field]})}return segments}function blocksOf(lines){let blocks=[];for(let line of lines){
let block=blocks[blocks.length-1],last=block?.[block.length-1];block!==void 0&&last!==void 0&&last.row+1===line.row?block.
push(line):blocks.push([line])}return blocks}function writeBlock({run,table},{column,fields},block){let[first]=block;if(first===
void 0)return;let range=table.sheet.getRange(first.row,column,block.length,fields.length);tryToWrite(range,()=>{let formats=range.
getNumberFormats();range.setNumberFormats(formats.map(row=>row.map((format,index)=>formatFor(fields[index]??"",format)))),
range.setValues(block.map(({values})=>fields.map(field=>writtenValue(field,values,run.started_ms))))})}function clearLeftovers(saved,{
sheet,row,columns:columns2},rows2){let first=row+rows2+1,depth=Math.min(row+(saved.last?.rows??0),sheet.getLastRow())-first+
1;if(!(depth<1))for(let column of columns2.values())sheet.getRange(first,column,depth,1).clearContent()}var leaseMs=6e4,windowMs=6e4,stepCharactersMax=8e3,stoppingCodes=["INSUFFICIENT_CREDITS","RATE_LIMITED","INVALID_API_KEY",
"API_KEY_NOT_SET"],waitingCodes=["RATE_LIMITED","SOURCE_CAPACITY"];function runStep(id){let by="".concat(network.now(),"-").concat(network.random()),claim=holdLock(()=>claimStep(id,by));if("finished"in claim)return claim;let parts=requestRows(
claim);return holdLock(()=>completeStep(claim,parts))}function requireRun(id){let run=findRun(id);if(run===null)throw new PlainError(
"This run was finished or cancelled in another window.");return run}function claimStep(id,by){let saved=requireImport(id),
run=requireRun(id);if(run.lease!==null&&run.lease.until_ms>network.now()){let waitMs=run.lease.until_ms-network.now();return{
saved,run,finished:!1,wait_ms:waitMs,reason:"This import is running in another window."}}try{let{entries,uncertain}=nextEntries(
saved,run);if(entries.length===0)return{saved,run,finished:!0,wait_ms:null,reason:""};let lease={by,until_ms:network.now()+
leaseMs},claimed={...run,lease,uncertain:entries.map(markOf),stopped:null};return saveRun(id,claimed),{saved,run:claimed,
by,entries,uncertain}}catch(error){return stopRun(saved,run,error)}}function nextEntries(saved,run){let{entries,place}=readEntries(
saved);requireWritable(locateTable(saved,place));let finished=finishedMarks(saved.id,run),left=entries.filter(entry=>!finished.
has(markOf(entry))),uncertain=left.filter(entry=>run.uncertain.includes(markOf(entry))),allowed=Math.min(kindOf(saved.kind).
step_max,run.total-run.entries),next=[],characters=0;for(let entry of uncertain.length>0?uncertain:left){if(characters+=
encodeURIComponent(entry.replace(/\p{Surrogate}/gu,"")).length,next.length>=allowed||next.length>0&&characters>stepCharactersMax)
break;next.push(entry)}return{entries:next,uncertain:uncertain.length>0}}function requestRows({saved,entries,uncertain}){
let kind=kindOf(saved.kind),columns2=requestedFields(saved),maxAge2=saved.max_age==="fresh"&&uncertain?"1d":saved.max_age,
age=maxAge2==="fresh"?"fresh=true":"cache_max_age=".concat(maxAge2),query="".concat(age).concat(saved.limit===null?"":"&limit=".concat(saved.limit),"&fields=").concat(columns2.join(",")),ask=(values,more)=>fetchTables({...kind,name:"url",query:query+
more,columns:columns2},values,actionServer());if(saved.platform===null)return ask(entries,"");let isHandle2=entry=>!/[/:]/.
test(entry);return[...ask(entries.filter(entry=>!isHandle2(entry)),""),...ask(entries.filter(isHandle2),"&platform=".concat(
saved.platform))]}function completeStep(claim,parts){let saved=requireImport(claim.saved.id),run=requireRun(saved.id);if(run.
lease?.by!==claim.by)return{saved,run,finished:!1,wait_ms:null,reason:""};let{answered,failure}=sortParts(parts),rows2=answered.
flatMap(one=>one.rows);try{let{place}=readEntries(saved);writeRows({saved,run,place,table:locateTable(saved,place),again:claim.
uncertain},answered)}catch(error){return stopRun(saved,run,error)}let done=new Set(answered.map(({entry})=>entry)),rest=claim.
entries.filter(entry=>!done.has(entry)),failed2=rows2.filter(({status})=>status!=="OK").length,waits=failure!==null&&waitingCodes.
includes(failure.code),stopped=failure===null||waits?null:"".concat(failureSentence(failure)," The finished rows stay in the sheet. Choose Resume to continue."),updated={...run,ok:run.ok+rows2.length-failed2,failed:run.failed+failed2,rows:run.
rows+rows2.length,entries:run.entries+answered.length,credits:run.credits+rows2.reduce((sum,row)=>sum+Number(row.credits_charged??
0),0),lease:null,uncertain:failure!==null&&mayBeCharged(failure.code)?rest.map(markOf):[],stopped},marks=answered.map(({
entry})=>markOf(entry));saveRun(saved.id,updated,marks);let after={...updated,marks:updated.marks+marks.length},waitMs=waits?
failure.retry_after_ms??windowMs:null,finished=failure===null&&after.entries>=after.total;return{saved,run:after,finished,
wait_ms:waitMs,reason:waits?failureSentence(failure):""}}function stopRun(saved,run,error){if(!(error instanceof PlainError))
throw error;let stopped={...run,lease:null,stopped:error.message};return saveRun(saved.id,stopped),{saved,run:stopped,finished:!1,
wait_ms:null,reason:""}}function sortParts(parts){let answered=[],failure=null;for(let{values,rows:rows2}of parts)if(!(!Array.
isArray(rows2)&&rows2.code==="NOT_IN_TIME")){if(!Array.isArray(rows2)&&rows2.code!=="INVALID_INPUT"){failure??(failure=rows2);
continue}values.forEach((entry,index)=>{let own=rowsOf(rows2,values.length,index),stopping=own===null?unreadable:own.map(
stoppingFailure).find(one=>one!==null)??null;own===null||stopping!==null?failure??(failure=stopping):answered.push({entry,
rows:own})})}return{answered,failure}}function rowsOf(rows2,sent,index){return Array.isArray(rows2)?sent>1?rows2[index]===
void 0?null:[rows2[index]]:rows2.length===0?[{status:"NO_DATA",message:"There are no posts.",credits_charged:0}]:[...rows2]:
[{status:rows2.code,message:rows2.message,credits_charged:0}]}function stoppingFailure({status,message}){let code=String(
status);return stoppingCodes.includes(code)?{code,message:String(message??"")}:null}function startRun(id,bySchedule){if(actionServer().key===null)throw new PlainError("No API key is connected. Connect one under Account.");return holdLock(()=>{let unfinished=findRun(id);if(unfinished!==null)return unfinished;let saved=requireImport(
id),{entries,hidden,skipped,place}=readEntries(saved);if(entries.length===0)throw new PlainError(nothingToDo(hidden.length,
skipped));let columns2=saved.columns??bindTable(saved,place);requireWritable(locateTable({...saved,columns:columns2},place)),
saved.columns===null&&updateImport(id,{columns:columns2});let run={id:newId(),by_schedule:bySchedule,started_ms:network.
now(),total:entries.length,hidden:hidden.length,skipped,ok:0,failed:0,credits:0,rows:0,entries:0,marks:0,lease:null,uncertain:[],
stopped:null};return saveRun(id,run,hidden.map(markOf)),{...run,marks:hidden.length}})}function nothingToDo(hidden,skipped){
return hidden>0?"All rows with URLs are hidden. Show them, or tick “Include hidden rows”.":"There are no URLs or handles in the cells of this import. ".concat(skipped).trim()}function continueRun(id){let result=runStep(id);return result.
finished&&endRun(result.saved.id,"Finished"),result}function endRun(id,end){holdLock(()=>{let saved=requireImport(id),run=findRun(
id);if(run===null)return;let replaces=saved.mode==="replace"&&saved.target!=="beside";end==="Finished"&&replaces&&clearOldRows(
saved,run);let rows2=replaces?Math.max(run.rows,end==="Finished"?0:saved.last?.rows??0):0,{ok,failed:failed2,credits}=run,
message=endSentence(run,end);updateImport(id,{last:{at:network.now(),ok,failed:failed2,credits,message,rows:rows2}}),dropRun(
id),recordRun({what:"Import “".concat(saved.name,"”"),rows:ok+failed2,ok,failed:failed2,credits,message})})}function clearOldRows(saved,run){
try{clearLeftovers(saved,locateTable(saved,readEntries(saved).place),run.rows)}catch(error){if(!(error instanceof PlainError))
throw error}}function endSentence({total,entries,hidden,skipped},end){let left=total-entries,words=end==="Finished"?"no longer in the sheet":"not requested",parts=[end,left>0?"".concat(left," ").concat(words):"",hidden>0?"".concat(hidden," hidden left out"):""];return"".concat(parts.filter(part=>part!=="").join(", "),". ").concat(skipped).trim()}var changed="Another user changed this import meanwhile. Your changes were not saved: open it again.";function listImports(){
return{ok:!0,imports:savedImports().map(viewOf2)}}function readImport(id){let saved=requireImport(id),file=SpreadsheetApp.
getActiveSpreadsheet(),source=file.getRangeByName(rangeName(saved.id,"SOURCE")),target=file.getRangeByName(rangeName(saved.
id,"TARGET")),now=range=>({sheet:range.getSheet().getName(),a1:range.getA1Notation()}),movedSource="cells"in saved.source&&
source!==null?{...saved.source,cells:{...saved.source.cells,...now(source)}}:saved.source,movedTarget=saved.target!=="beside"&&target!==null?now(target):saved.target;return{ok:!0,saved:{...saved,source:movedSource,target:movedTarget}}}function saveChoice(input){
let given=asObject(input)??{},choice=readChoice2(given),schedule=scheduleOf(readScheduleChoice(given.schedule),findImport(
given.id)?.schedule??null);schedule?.by===ownUserId()&&setImportTrigger(!0);try{let id=holdLock(()=>save(given,choice,schedule));
return{...listImports(),id}}finally{updateTrigger()}}function save(given,choice,schedule){let before=findImport(given.id),
opened=typeof given.id=="string"?given.version:null;if((before?.version??null)!==opened)throw new PlainError(changed);if(before!==
null&&findRun(before.id)!==null)throw new PlainError("This import is not finished. Resume or cancel its run first.");let file=SpreadsheetApp.
getActiveSpreadsheet(),source="cells"in choice.source?pickedRange(file,choice.source.cells):null,target=choice.target===
"beside"?null:targetCell(file,choice.target),id=before?.id??newId(),last=before!==null&&isSameTarget(before,choice.target)?
before.last:null;return saveImport({...choice,id,version:(before?.version??0)+1,columns:null,schedule,last}),setName(file,
rangeName(id,"SOURCE"),source),setName(file,rangeName(id,"TARGET"),target),id}function isSameTarget(before,target){return JSON.
stringify(readImport(before.id).saved.target)===JSON.stringify(target)}function scheduleOf(wanted,before){return wanted===
null?null:before!==null&&before.every_hours===wanted.every_hours&&before.weekday===wanted.weekday?before:{...wanted,by:ownUserId(),
last_ms:network.now()}}function setName(file,name,range){range!==null?file.setNamedRange(name,range):file.getRangeByName(
name)!==null&&file.removeNamedRange(name)}function updateTrigger(){setImportTrigger(savedImports().some(({schedule})=>schedule?.
by===ownUserId()))}function changeImport(id,version,change,name=""){return holdLock(()=>{let saved=requireImport(id);if(saved.
version!==version)throw new PlainError(changed);if(change==="delete")deleteImport(saved.id);else if(change==="duplicate")
duplicateImport(saved);else if(change==="rename")renameImport(saved,String(name).trim().slice(0,80));else if(change==="schedule"&&saved.schedule!==null){let schedule={...saved.schedule,by:ownUserId(),last_ms:network.now()};updateImport(saved.
id,{schedule,version:saved.version+1})}}),updateTrigger(),listImports()}function deleteImport(id){dropImport(id);let file=SpreadsheetApp.
getActiveSpreadsheet();for(let what2 of["SOURCE","TARGET"])setName(file,rangeName(id,what2),null)}function duplicateImport(saved){
let copy={...saved,id:newId(),name:"".concat(saved.name," (copy)"),version:1,schedule:null,last:null};saveImport({...copy,
columns:null});let file=SpreadsheetApp.getActiveSpreadsheet();for(let what2 of["SOURCE","TARGET"])setName(file,rangeName(
copy.id,what2),file.getRangeByName(rangeName(saved.id,what2)))}function renameImport(saved,name){if(name==="")throw new PlainError(
"Type a name for the import.");updateImport(saved.id,{name,version:saved.version+1})}function estimateImport(input){let saved=typeof input==
"string"?requireImport(input):null,choice=saved??readChoice2(input),{entries,hidden,skipped}=saved===null?readDraft(choice):
readEntries(saved),{formula}=kindOf(choice.kind),kind=findFormula(formula)?.estimate??null;if(kind===null)throw new Error(
"".concat(formula," has no estimate."));let limit=String(choice.limit??"");return{...estimateEntries(kind,entries,choice.
max_age,limit,choice.platform),formula,hidden:hidden.length,skipped}}function startImport(id){return replyOf(startRun(String(
id),!1),!1)}function stepImport(id){let{run,finished,wait_ms,reason}=continueRun(String(id)),waitS=wait_ms===null?null:Math.
max(1,Math.ceil(wait_ms/1e3));return{...replyOf(run,finished),wait_s:waitS,wait_reason:reason}}function cancelImport(id){
return endRun(String(id),"Cancelled"),listImports()}function replyOf(run,finished){return{ok:!0,run:runView(run,finished),
wait_s:null,wait_reason:"",stopped:run.stopped}}function runView({total,entries,ok,failed:failed2,credits,hidden,skipped},finished){
let removed=finished?total-entries:0;return{total,done:entries,ok,failed:failed2,removed,credits,hidden,skipped,finished}}
function viewOf2(saved){let{id,version,name,kind,schedule,last}=saved,run=findRun(id);return{id,version,name,kind,last,target:saved.
target==="beside"?"beside the URLs":"in the sheet “".concat(saved.target.sheet,"”"),schedule:schedule===null?null:{every_hours:schedule.
every_hours,weekday:schedule.weekday},next:schedule===null?null:nextRun(schedule),late:lateSentence(saved),run:run===null?
null:runView(run,!1),stopped:run?.stopped??null}}var sheetName="Tidemark samples",note="Sample data of invented accounts. Connect a key to get real numbers.",headings=["Profile URL","Status","Platform","Display name","Followers","Posts","Verified"],rows=[["https://instagram.example/harbour.bakery","SAMPLE","Instagram","Harbour Bakery",48200,1312,!1],["https://instagram.example/north.trails","SAMPLE","Instagram","North Trails",1275e3,2904,!0],["https://tiktok.example/@cello.daily","SAMPLE","TikTok","Cello Daily",362400,518,!1],
["https://tiktok.example/@tiny.kitchen","SAMPLE","TikTok","Tiny Kitchen",543e4,1086,!0],["https://youtube.example/@openbench","SAMPLE","YouTube","Open Bench",91700,233,!1]];function writeSamples(){let file=SpreadsheetApp.getActiveSpreadsheet(),
existing2=file.getSheetByName(sheetName),sheet=existing2??file.insertSheet(sheetName);if(existing2===null){let cells=[headings,
...rows].map(row=>row.map(cell=>typeof cell=="string"?writtenText(cell):cell));sheet.getRange(1,1).setValue(writtenText(
note)),sheet.getRange(2,1,cells.length,headings.length).setValues(cells),sheet.getRange(2,1,1,headings.length).setFontWeight(
"bold")}return sheet.activate(),{ok:!0,message:"Five sample rows are in the sheet “".concat(sheetName,"”."),sheet:sheetName}}var sidebarOpen=forPage(openSidebarPage),sidebarRemember=forPage(saveChoices),sidebarFirstRows=forPage(insertFirstRows),
sidebarFirstRowsResult=forPage(readFirstRows),sidebarAccount=forPage(readAccount),sidebarConnect=forPage(connect),sidebarDisconnect=forPage(
disconnect),sidebarAllowFormulas=forPage(setFormulasAllowed),sidebarSamples=forPage(writeSamples),sidebarSelection=forPage(
viewSelection),sidebarEstimate=forPage(estimateSelection),sidebarInsertFormula=forPage(insertFormula),sidebarPickCells=forPage(
pickCells),sidebarImports=forPage(listImports),sidebarImport=forPage(readImport),sidebarImportSave=forPage(saveChoice),sidebarImportChange=forPage(
changeImport),sidebarImportEstimate=forPage(estimateImport),sidebarImportStart=forPage(startImport),sidebarImportStep=forPage(
stepImport),sidebarImportCancel=forPage(cancelImport);function emptiedCells(change){let{before,after,formulas,frozen}=change,isFrozen=new Set(frozen.map(({row,column})=>"".concat(
row,",").concat(column))),otherFormulas=[],emptied=[],obstacles=before.map((values,row)=>values.map((value,column)=>{let hasFormula=(formulas[row]?.[column]??
"")!=="";hasFormula&&!isFrozen.has("".concat(row,",").concat(column))&&otherFormulas.push({row,column});let isEmptied=!hasFormula&&
value!==""&&after[row]?.[column]==="";return isEmptied&&emptied.push({row,column}),hasFormula||value!==""&&!isEmptied?1:
0})),count2=createCounter(obstacles),reaches=(from,to)=>from.row<=to.row&&from.column<=to.column&&count2(from,to)===1,filled=emptied.
filter(cell=>frozen.some(from=>reaches(from,cell))),doubtful=filled.filter(cell=>otherFormulas.some(from=>reaches(from,cell)));
return{sure:filled.filter(cell=>!doubtful.includes(cell)),doubtful}}function createCounter(obstacles){let width=obstacles[0]?.
length??0,sums=[Array.from({length:width+1},()=>0)],sum=(row,column)=>sums[row]?.[column]??0;return obstacles.forEach((cells,row)=>{
let line=[0];cells.forEach((cell,column)=>{line.push(cell+sum(row,column+1)+(line[column]??0)-sum(row,column))}),sums.push(
line)}),(from,to)=>sum(to.row+1,to.column+1)-sum(from.row,to.column+1)-sum(to.row+1,from.column)+sum(from.row,from.column)}var noValue=/^(#(ERROR!|REF!|N\/A|NAME\?|VALUE!|NUM!|DIV\/0!|NULL!)|Loading)/;function freeze(input){let scope=["selection","sheet"].find(known=>known===input);if(scope===void 0)throw new PlainError("Choose the selection or the sheet.");let{
frozen,left}=holdLock(()=>{let cells=socialFormulas(scope),[first]=cells;if(first===void 0)throw new PlainError(noFormulaIn(
scope));return freezeCells(first.sheet,cells)}),message="".concat(frozen===1?"1 formula was":"".concat(frozen," formulas were")," replaced with values, which do not change again.")+(left===0?"":" ".concat(left===1?"1 formula stays":"".concat(
left," formulas stay"),", because an error or a loading cell has no value."));return recordRun({what:"Freeze of the ".concat(
scope),rows:frozen,ok:frozen,failed:left,credits:0,message}),{ok:!0,message}}function freezeCells(sheet,cells){let used=sheet.
getDataRange(),before=used.getValues(),formulas=used.getFormulas(),ready=cells.filter(({row,column})=>!noValue.test(String(
before[row-1]?.[column-1]))),positions=ready.map(({row,column})=>({row:row-1,column:column-1})),rows2=before.length,columns2=before[0]?.
length??0,written2=[];try{writeBack(sheet,before,positions),SpreadsheetApp.flush();let now=()=>sheet.getRange(1,1,rows2,
columns2).getValues(),{sure,doubtful}=emptiedCells({before,after:now(),formulas,frozen:positions});written2=sure,writeBack(
sheet,before,sure);for(let column of[...new Set(doubtful.map(cell=>cell.column))].sort((a,b)=>a-b)){SpreadsheetApp.flush();
let after=now(),missing=doubtful.filter(cell=>cell.column===column&&after[cell.row]?.[column]==="");written2=[...written2,
...missing],writeBack(sheet,before,missing)}SpreadsheetApp.flush()}catch(error){for(let{row,column}of written2)sheet.getRange(
row+1,column+1).clearContent();for(let run of runsOf(ready))setRun(run);throw error}return{frozen:ready.length,left:cells.
length-ready.length}}function writeBack(sheet,values,positions){let cells=positions.map(({row,column})=>({sheet,row:row+
1,column:column+1,formula:""}));for(let run of runsOf(cells)){let area=areaOf2(run),formats=area.getNumberFormats();formats.
some(([format])=>format==="@")&&area.setNumberFormats(formats.map(([format=""])=>[format==="@"?"General":format])),area.
setValues(run.formulas.map((_,down)=>[written(values[run.row-1+down]?.[run.column-1])]))}}function written(value){if(typeof value==
"number"||typeof value=="boolean"||value instanceof Date)return value;let text2=String(value??"");return text2===""?"":writtenText(
text2)}function listCampaigns(){let{key,network:network2,origin}=actionServer();if(key===null)throw new FailureError(noKey);let[
answer]=fetchAnswers(["".concat(origin,"/v1/workflows/campaigns")],key,network2);if(answer?.ok===!1)throw new FailureError(
answer.failure);let items=asObject(answer?.data)?.items;if(!Array.isArray(items))throw new FailureError(unreadable);return{
ok:!0,campaigns:items.flatMap(item=>{let{id,name,status}=asObject(item)??{};return typeof id=="string"?[{id,name:String(
name??""),status:String(status??"")}]:[]})}}var columnWidthPx={name:240,other:130};function drawCharts(sheet,charts,known){let existing2=new Map(sheet.getCharts().map(
chart=>[chart.getChartId(),chart])),found=key=>existing2.get(known[key]??null);for(let key of Object.keys(known)){let obsolete=charts.
some(chart=>chart.key===key)?void 0:found(key);obsolete!==void 0&&sheet.removeChart(obsolete)}let ids={};for(let chart of charts){
let old=found(chart.key),id=old===void 0?insert(sheet,chart):update(sheet,old,chart);id!==null&&(ids[chart.key]=id)}return ids}
function update(sheet,old,chart){let{column,x}=columnAt(chart.index*345),builder=old.modify().clearRanges().setPosition(
chart.row,column,x,0);for(let range of rangesOf(sheet,chart))builder.addRange(range);return sheet.updateChart(builder.build()),
old.getChartId()}function insert(sheet,chart){let before=sheet.getCharts().map(chart2=>chart2.getChartId()),{column,x}=columnAt(
chart.index*345),builder=chart.type==="bar"?sheet.newChart().asBarChart():sheet.newChart().asLineChart();builder.setNumHeaders(
1).setPosition(chart.row,column,x,0);for(let range of rangesOf(sheet,chart))builder.addRange(range);let built=builder.setOption(
"title",chart.title).setOption("width",335).setOption("height",230).setOption("pointSize",4).setOption("interpolateNulls",
!1).setOption("legend",{position:chart.type==="bar"?"none":"bottom"}).build();return sheet.insertChart(built),sheet.getCharts().
find(one=>!before.includes(one.getChartId()))?.getChartId()??null}function rangesOf(sheet,{first_row,rows:rows2,columns:columns2}){
return columns2.map(({first,count:count2})=>sheet.getRange(first_row,first,rows2,count2))}function columnAt(fromLeftPx){
if(fromLeftPx<columnWidthPx.name)return{column:1,x:fromLeftPx};let beyondPx=fromLeftPx-columnWidthPx.name;return{column:2+
Math.floor(beyondPx/columnWidthPx.other),x:beyondPx%columnWidthPx.other}}function objects2(value){return Array.isArray(value)?value.map(item=>asObject(item)??{}):[]}function numberOf(value){return typeof value==
"number"?value:null}function textOf2(value){return typeof value=="string"&&value!==""?value:null}function timeOf(value){
return typeof value=="number"&&Math.abs(value)<=timeMaxMs2?value:null}var timeMaxMs2=864e13;var platformNames2={photo:"Instagram",shortvideo:"TikTok",longvideo:"YouTube"},kindNames2={profile:"Account"},qualityWords={
rounded:"rounded",hidden:"hidden by the account",not_exposed:"not published"},statusWords={active:"Checked daily",paused:"Paused",identity_changed:"The handle now belongs to another account"},monthNames=["January","February","March","April","May","June","July","August","September","October","November","December"];function platformName(platform){return platformNames2[String(
platform)]??fieldLabel(String(platform))}function kindName(kind){return kindNames2[String(kind)]??fieldLabel(String(kind))}
function statusWord(status){return statusWords[String(status)]??fieldLabel(String(status))}function qualityWord(quality){
return qualityWords[String(quality)]??"unknown"}function grouped(value){return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g,
",")}function periodWords(startAt,endAt){let first=new Date(startAt),last=new Date(endAt-1),firstParts=[dayAndMonth(first),
first.getUTCFullYear()];first.getUTCFullYear()===last.getUTCFullYear()&&firstParts.pop();let from=firstParts.length===1&&
first.getUTCMonth()===last.getUTCMonth()?first.getUTCDate():firstParts.join(" ");return"".concat(from," to ").concat(dayAndMonth(
last)," ").concat(last.getUTCFullYear()," (UTC)")}function dayAndMonth(date){return"".concat(date.getUTCDate()," ").concat(
monthNames[date.getUTCMonth()])}function linesOf2(text2){let lines=[];for(let word of text2.split(/\s+/)){let last=lines[lines.
length-1];last!==void 0&&last.length+word.length<lineCharactersMax?lines[lines.length-1]="".concat(last," ").concat(word):
lines.push(word)}return lines}var lineCharactersMax=125;var weekMs=7*864e5,accountKinds=["profile","channel"];function keyNumbers(report){return Object.entries(asObject(report.
totals)??{}).map(([metric,value])=>{let total=asObject(value)??{};return{metric,end:numberOf(total.end),start:numberOf(total.
start),change:numberOf(total.change),change_percent:numberOf(total.change_percent),change_before:changeBefore(report,metric),
rounded:total.quality==="rounded",items:numberOf(total.items)??0,items_missing:numberOf(total.items_missing)??0,unknown:unknownWord(
report,metric)}})}function unknownWord(report,metric){let values=objects2(report.items).filter(item=>asObject(asObject(item.
metrics)?.[metric])!==null).map(item=>itemNumber(item,metric)),reasons=new Set(values.flatMap(({end,quality})=>end===null?
[qualityWord(quality)]:[])),[reason="unknown"]=reasons;return reasons.size===1?reason:"unknown"}function changeBefore(report,metric){
let weeks=objects2(report.series).filter(series=>series.metric===metric&&series.step==="week"),startAt=numberOf(report.period_start);
if(weeks.length===0||startAt===null)return null;let sum=0;for(let series of weeks){let valueAt=at=>numberOf(objects2(series.
points).find(point=>point.at===at)?.value),[end,start]=[valueAt(startAt-weekMs),valueAt(startAt-2*weekMs)];if(end===null||
start===null)return null;sum+=end-start}return sum}function itemNumber(item,metric){let value=asObject(asObject(item.metrics)?.[metric])??
{},{end,change,change_percent,quality}=value;return{end:numberOf(end),change:numberOf(change),change_percent:numberOf(change_percent),
quality}}function itemName({name,url}){return String(name??url??"")}function isAccount({kind}){return accountKinds.includes(
String(kind))}function accountsByFollowers(report){let accounts=objects2(report.items).filter(item=>isAccount(item)&&item.
status!=="identity_changed");return sortedBy(accounts,item=>itemNumber(item,"followers").end)}function movers(report,direction){
let change=item=>(itemNumber(item,"followers").change??0)*direction,moved=accountsByFollowers(report).filter(item=>change(
item)>0);return sortedBy(moved,change)}function bestPosts(report){let posts=objects2(report.items).filter(item=>!isAccount(
item)&&item.status!=="identity_changed"),viewed=sortedBy(posts,item=>itemNumber(item,"views").change),liked=posts.filter(
item=>!viewed.includes(item));return[...viewed,...sortedBy(liked,item=>itemNumber(item,"likes").change)]}function sortedBy(items,value){
return items.flatMap(item=>{let number=value(item);return number===null?[]:[{item,number}]}).sort((a,b)=>b.number-a.number).
map(({item})=>item)}var dayMs4=864e5,daysBeforeUnix=25569,numberFormats={text:"General",count:"#,##0",change:"[Color10]+#,##0;[Red]-#,##0;0",
share:"0.0%",growth:"[Color10]+0.0%;[Red]-0.0%;0.0%",day:"yyyy-mm-dd",time:"yyyy-mm-dd hh:mm"};function numberFormat(kind){
return numberFormats[kind]}function sheetCell(kind,value){return value==null||value===""?"":typeof value=="boolean"?value:
typeof value!="number"?writtenText(typeof value=="string"?value:JSON.stringify(value)):kind==="day"||kind==="time"?value/
dayMs4+daysBeforeUnix:kind==="share"||kind==="growth"?value/100:value}var chartRows=12,chartsPerRow=3,endMark="End of the report.",endBlock={lines:[{text:"".concat(endMark," A refresh replaces everything above this line, in the columns that the report uses. ")+"Anything you write below this line or to the right stays, and moves when the report grows.",style:"quiet"}],columns:[],rows:[]},textColumn={heading:"",kind:"text"},emptyRow=rowOf(
[""],[textColumn]);function placeBlocks(top,below){let plans=[...top,...below].flatMap(({charts:charts2=[]})=>charts2),order=[
...plans.filter(({type})=>type==="line"),...plans.filter(({type})=>type==="bar")],rows2=[],styles=[],charts=[],bandRow=1,
place=block=>{let firstRow=rows2.length+1;styles.push(...stylesOf(block,firstRow)),rows2.push(...rowsOf2(block),emptyRow);
let headingRow=firstRow+block.lines.length;for(let plan of block.charts??[])charts.push({...plan,row:0,index:order.indexOf(
plan),first_row:headingRow,rows:block.rows.length+1})};for(let block of top)place(block);bandRow=rows2.length+1;for(let row=0;row<
Math.ceil(order.length/chartsPerRow)*chartRows;row++)rows2.push(emptyRow);for(let block of below)place(block);return rows2.
pop(),{...padded(rows2),styles,charts:charts.sort((a,b)=>a.index-b.index).map(chart=>({...chart,row:bandRow+Math.floor(chart.
index/chartsPerRow)*chartRows,index:chart.index%chartsPerRow}))}}function rowsOf2({lines,columns:columns2,rows:rows2}){let texts=lines.
map(({text:text2})=>rowOf([text2],[textColumn]));if(columns2.length===0)return texts;let headings2=columns2.map(({heading:heading2})=>heading2);
return[...texts,rowOf(headings2,columns2),...rows2.map(row=>rowOf(row,columns2))]}function rowOf(values,columns2){return{
cells:columns2.map(({kind},index)=>sheetCell(kind,values[index])),formats:columns2.map(({kind})=>numberFormat(kind)),alignments:columns2.
map(({kind})=>kind==="text"||kind==="day"?"left":"right")}}function stylesOf({lines,columns:columns2},firstRow){let styles=lines.
map(({style},index)=>({style,row:firstRow+index,width:1}));return columns2.length===0?styles:[...styles,{style:"heading",
row:firstRow+lines.length,width:columns2.length}]}function padded(rows2){let width=Math.max(...rows2.map(({cells})=>cells.
length)),indexes=Array.from({length:width},(_,index)=>index);return{cells:rows2.map(({cells})=>indexes.map(index=>cells[index]??
"")),formats:rows2.map(({formats})=>indexes.map(index=>formats[index]??numberFormat("text"))),alignments:rows2.map(({alignments})=>indexes.
map(index=>alignments[index]??"left"))}}var dayMs5=864e5;function arrangeDetails(report){let items=objects2(report.items),metrics2=[...new Set(items.flatMap(item=>Object.
keys(asObject(item.metrics)??{})))],table={lines:[],columns:[...nameColumns,...metrics2.flatMap(metricColumns),...factColumns],
rows:items.map(item=>[itemName(item),platformName(item.platform),kindName(item.kind),...metrics2.flatMap(metric=>{let{end,
change,change_percent}=itemNumber(item,metric);return[end,change,change_percent]}),numberOf(objects2(item.rates)[0]?.percent),
remarks(item,metrics2),statusWord(item.status),timeOf(item.first_observed_at),timeOf(item.last_observed_at),missingDays(
item),String(item.item_id??""),item.url])};return placeBlocks([],[table,endBlock])}var nameColumns=[{heading:"Name",kind:"text"},{heading:"Platform",kind:"text"},{heading:"Type",kind:"text"}],factColumns=[{heading:"Engagement rate",kind:"share"},{heading:"Remarks",kind:"text"},{heading:"Status",kind:"text"},{heading:"First check (UTC)",kind:"time"},{heading:"Last check (UTC)",kind:"time"},{heading:"Days missing (UTC)",kind:"text"},{heading:"Item ID",kind:"text"},{heading:"Link",
kind:"text"}];function metricColumns(metric){let label=fieldLabel(metric);return[{heading:label,kind:"count"},{heading:"".
concat(label," change"),kind:"change"},{heading:"".concat(label," change %"),kind:"growth"}]}function remarks(item,metrics2){
return metrics2.flatMap(metric=>{if(asObject(asObject(item.metrics)?.[metric])===null)return[];let{end,quality}=itemNumber(
item,metric);return end!==null&&quality!=="rounded"?[]:["".concat(fieldLabel(metric)," ").concat(qualityWord(quality))]}).
join(", ")}function missingDays(item){return objects2(item.gaps).flatMap(({from,to})=>{let[first,end]=[timeOf(from),timeOf(
to)];return first===null||end===null?[]:[[...new Set([dayOf(first),dayOf(end-dayMs5)])].join(" to ")]}).join(", ")}function dayOf(at){
return new Date(at).toISOString().slice(0,10)}var legendLines=["Rounded: the platform shows a rounded number, so small changes are not visible.","Hidden or not published: the account or the platform does not show the number. That does not mean 0.","An empty cell is an unknown number; only a 0 means zero. In a table by day or week, it means that at least one item has no number for that day or week."];var stepLabels={day:{title:"Day by day",heading:"Day (UTC)"},week:{title:"Week by week",heading:"Week from (UTC)"}},fewestWeeks=4,
fewestDays=2,chartedMetrics=Object.keys(trackedMetrics).filter(metric=>trackedMetrics[metric]!==null).sort((a,b)=>Number(
trackedMetrics[a])-Number(trackedMetrics[b]));function seriesTables(report){let days=readTable2(report,"day"),weeks=readTable2(
report,"week"),byWeek=weeks.times.length>=fewestWeeks;return[days,weeks].filter(({lines,times})=>lines.length>0&&times.length>
0).map(table=>blockOf(table,table===weeks===byWeek&&table.times.length>=fewestDays))}function blockOf({step,lines,times},charted){
let{title,heading:heading2}=stepLabels[step];return{lines:[{text:title,style:"section"},{text:"The last number of each item, added up over all items of the platform.",style:"quiet"}],columns:[{heading:heading2,kind:"day"},...lines.map(line=>({
heading:headingOf2(line),kind:"count"}))],rows:times.map(at=>[at,...lines.map(({points})=>points.get(at)??null)]),charts:charted?
chartsOf(lines,step):[]}}function readTable2(report,step){let times=new Set,lines=objects2(report.series).filter(series=>series.
step===step).map(({platform,metric,points})=>{let known=objects2(points).flatMap(point=>{let at=timeOf(point.at);if(at===
null)return[];times.add(at);let value=numberOf(point.value);return value===null?[]:[[at,value]]}),rounded=objects2(points).
some(({quality})=>quality==="rounded");return{platform:String(platform),metric:String(metric),points:new Map(known),rounded}}),
metrics2=[...new Set(lines.map(({metric})=>metric))];return{step,lines:metrics2.flatMap(metric=>lines.filter(line=>line.
metric===metric)),times:[...times].sort((a,b)=>a-b)}}function headingOf2({platform,metric,rounded}){return"".concat(platformName(
platform)," ").concat(fieldLabel(metric).toLowerCase()).concat(rounded?" (rounded)":"")}function chartsOf(lines,step){return chartedMetrics.
filter(metric=>lines.some(line=>line.metric===metric)).map(metric=>({key:"".concat(metric,"_by_").concat(step),title:"".
concat(fieldLabel(metric)," by ").concat(step," (UTC)"),type:"line",columns:[{first:1,count:1},{first:lines.findIndex(line=>line.
metric===metric)+2,count:lines.filter(line=>line.metric===metric).length}]}))}var moversMax=5,postsMax3=10,accountsMax=10,headlineNumbersMax=3,fewestBars=2;function arrangeSummary(report,workspace){
let numbers=keyNumbers(report),top=[headBlock(report,workspace,numbers),keyNumbersBlock(numbers)],filled=[moversBlock("Accounts that gained the most followers",movers(report,1)),moversBlock("Accounts that lost the most followers",movers(report,
-1)),postsBlock(report),ratesBlock(report),notesBlock(report),accountsBlock(report),...seriesTables(report)].filter(({columns:columns2,
rows:rows2})=>columns2.length===0||rows2.length>0);return placeBlocks(top,[...filled,endBlock])}function headBlock(report,workspace,numbers){
let[start,end]=[timeOf(report.period_start),timeOf(report.period_end)],created=timeOf(report.generated_at),period=start===
null||end===null?[]:["Week from ".concat(periodWords(start,end))],state=report.final===!0?"final":"so far, not final",facts=[
...workspace===null?[]:["Workspace: ".concat(workspace)],...created===null?[]:["Created ".concat(new Date(created).toISOString().
slice(0,16).replace("T"," ")," (UTC)")]];return{lines:[{text:textOf2(report.report_name)??textOf2(asObject(report.campaign)?.
name)??"Campaign report",style:"title"},{text:[...period,state].join(", "),style:"quiet"},{text:facts.join(" · "),style:"quiet"},...styled(linesOf2(headline(report,numbers)),"headline")],columns:[],rows:[]}}function headline(report,numbers){
let changes=chartedMetrics.flatMap(metric=>{let{end,change,change_percent}=numbers.find(one=>one.metric===metric)??{};if(typeof end!=
"number"||typeof change!="number")return[];let label=fieldLabel(metric).toLowerCase();if(change===0)return["".concat(label,
" unchanged at ").concat(grouped(end))];let percent=typeof change_percent=="number"?" (".concat(oneDecimal(Math.abs(change_percent)),
"%)"):"";return["".concat(label," ").concat(change>0?"up":"down"," ").concat(grouped(Math.abs(change))).concat(percent," to ").concat(grouped(end))]});if(changes.length===0)return"No change can be shown: no number is known at both ends of this week.";let when=report.final===!0?"This week":"This week so far";return"".concat(when,": ").concat(changes.slice(0,headlineNumbersMax).
join(", "),".")}function oneDecimal(value){return(Math.round(value*10)/10).toFixed(1)}var keyColumns=[{heading:"Key number",kind:"text"},{heading:"This week",kind:"count"},{heading:"Previous week",kind:"count"},{heading:"Change",kind:"change"},{heading:"Change %",kind:"growth"},{heading:"Previous change",kind:"change"},{heading:"Remarks",kind:"text"}];function keyNumbersBlock(numbers){
let rows2=[...numbers].sort((a,b)=>+(a.end===null)-+(b.end===null)).map(number=>{let{metric,end,start,change,change_percent,
change_before,unknown}=number,changes=[change??unknown,change_percent??(change===null?unknown:"from zero")];return[fieldLabel(
metric),end??unknown,start??unknown,...changes,change_before??"unknown",remarks2(number)]});return{lines:[{text:"Key numbers",style:"section"},...styled(keyCaptions,"quiet")],columns:keyColumns,rows:rows2}}var keyCaptions=["Counts at the end of each week, added up over all items. Previous change: the change in the week before.","For an item without a count before this week, its first count in the week stands for the previous week."];function remarks2({rounded,items,items_missing}){
let of=items+items_missing;return[...rounded?["rounded by the platform"]:[],...items_missing>0?["".concat(items," of ").
concat(of," ").concat(of===1?"item":"items"," counted")]:[]].join(", ")}function moversBlock(title,items){return{...followersTable(
items.slice(0,moversMax)),lines:[{text:title,style:"section"}]}}function accountsBlock(report){let table=followersTable(
accountsByFollowers(report).slice(0,accountsMax)),chart={key:"accounts_bar",title:"Followers by account",type:"bar",columns:[
{first:1,count:1},{first:3,count:1}]};return{...table,lines:[{text:"Accounts with the most followers",style:"section"}],
charts:table.rows.length<fewestBars?[]:[chart]}}function followersTable(items){return{lines:[],columns:[{heading:"Account",kind:"text"},{heading:"Platform",kind:"text"},{heading:"Followers",kind:"count"},{heading:"Change",kind:"change"},{heading:"Change %",kind:"growth"},{heading:"Remarks",kind:"text"}],rows:items.map(item=>{let{end,change,change_percent,quality}=itemNumber(
item,"followers"),remark=quality==="rounded"?"rounded by the platform":"";return[itemName(item),platformName(item.platform),
end,change,change_percent,remark]})}}function postsBlock(report){let rows2=bestPosts(report).slice(0,postsMax3).map(item=>[
itemName(item),platformName(item.platform),itemNumber(item,"views").change,itemNumber(item,"views").end,itemNumber(item,
"likes").change,itemNumber(item,"likes").end,itemNumber(item,"comments").end,objects2(item.rates)[0]?.percent,item.url]),
seen=rows2.some(row=>typeof row[2]=="number"),columns2=[{first:1,count:1},{first:seen?3:5,count:1}],title="".concat(seen?
"New views":"New likes"," by post");return{lines:[{text:"Best posts",style:"section"},{text:"Sorted by new views in this week; posts without a number of views follow, by new likes.",style:"quiet"}],columns:postColumns2,rows:rows2,charts:rows2.
length<fewestBars?[]:[{key:"posts_bar",title,type:"bar",columns:columns2}]}}var postColumns2=[{heading:"Post",kind:"text"},
{heading:"Platform",kind:"text"},{heading:"New views",kind:"change"},{heading:"Views",kind:"count"},{heading:"New likes",
kind:"change"},{heading:"Likes",kind:"count"},{heading:"Comments",kind:"count"},{heading:"Engagement rate",kind:"share"},
{heading:"Link",kind:"text"}];function ratesBlock(report){let rows2=objects2(report.by_platform).flatMap(({platform,rates})=>objects2(
rates).map(({percent,items,items_missing,formula})=>[platformName(platform),percent??"unknown",items,items_missing,formula]));
return{lines:[{text:"Engagement rates",style:"section"}],columns:[{heading:"Platform",kind:"text"},{heading:"Engagement rate",kind:"share"},{heading:"Posts counted",kind:"count"},{heading:"Not counted",kind:"count"},{heading:"Formula",kind:"text"}],rows:rows2}}function notesBlock(report){let lines=[...(Array.isArray(report.notes)?report.notes:[]).map(String),
...legendLines,textOf2(report.method)??""].filter(note2=>note2!=="").flatMap(note2=>linesOf2(note2).map((line,index)=>index===
0?"• ".concat(line):"   ".concat(line)));return{lines:[{text:"Notes",style:"section"},...styled(lines,"plain")],columns:[],
rows:[]}}function styled(texts,style){return texts.map(text2=>({text:text2,style}))}var savedPrefix2="report_sheet_",sheetNameCharactersMax=90;function readSaved2(store,campaignId){let text2=store.getProperty(
savedPrefix2+campaignId),saved=text2===null?null:asObject(JSON.parse(text2));return saved===null||typeof saved.sheet_id!=
"number"||asObject(saved.charts)===null?null:saved}function writeSaved(store,campaignId,saved){store.setProperty(savedPrefix2+
campaignId,JSON.stringify(saved))}function forgetSaved(store,campaignId){store.deleteProperty(savedPrefix2+campaignId)}function savedCampaigns(names2){
return names2.flatMap(name=>name.startsWith(savedPrefix2)?[name.slice(savedPrefix2.length)]:[])}function sheetById(file,id){
return file.getSheets().find(sheet=>sheet.getSheetId()===id)??null}function newReportSheet(file,campaignName,what2){let baseName="".
concat(plainName(campaignName)," ").concat(what2).trim(),taken=file.getSheets().map(sheet=>sheet.getName().toLowerCase()),
name=baseName;for(let number=2;taken.includes(name.toLowerCase());number++)name="".concat(baseName," (").concat(number,")");return file.insertSheet(name,taken.length)}function plainName(text2){return[...text2.replace(/[\p{C}\s]+/gu," ").replace(
/['"!:*?/\\[\]]/g," ").replace(/ +/g," ").trim()].slice(0,sheetNameCharactersMax/2).join("")}function prepareSheet(sheet,saved,{
cells}){let rows2=cells.length,columns2=cells[0]?.length??0,earlier=saved===null?{rows:0,columns:0}:reportArea(sheet,saved);
earlier.rows>0&&rows2>earlier.rows&&sheet.getLastRow()>earlier.rows&&sheet.insertRowsAfter(earlier.rows,rows2-earlier.rows),
earlier.columns>0&&columns2>earlier.columns&&sheet.getLastColumn()>earlier.columns&&sheet.insertColumnsAfter(earlier.columns,
columns2-earlier.columns),sheet.getMaxRows()<rows2&&sheet.insertRowsAfter(sheet.getMaxRows(),rows2-sheet.getMaxRows()),sheet.
getMaxColumns()<columns2&&sheet.insertColumnsAfter(sheet.getMaxColumns(),columns2-sheet.getMaxColumns());let height=Math.
max(rows2,earlier.rows),width=Math.max(columns2,earlier.columns);sheet.getRange(1,1,height,width).clear().clearDataValidations()}
function reportArea(sheet,saved){let lastRow=sheet.getLastRow(),marked=(lastRow===0?[]:sheet.getRange(1,1,lastRow,1).getValues()).
findIndex(([cell])=>String(cell).startsWith(endMark));return{rows:marked===-1?Math.min(saved.rows,sheet.getMaxRows()):marked+
1,columns:Math.min(saved.columns,sheet.getMaxColumns())}}function checkProtection(sheet,{cells}){let rows2=Math.min(cells.
length,sheet.getMaxRows()),columns2=Math.min(cells[0]?.length??0,sheet.getMaxColumns());if(!sheet.getRange(1,1,rows2,columns2).
canEdit())throw new PlainError('The sheet "'.concat(sheet.getName(),'" is protected, so the report was not changed. Ask its owner to let you edit it, or delete the sheet to get a new one.'))}var idForm2=/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,headingColor="#e8eef4",accentColor="#1f4e79",quietColor="#5f6368",titlePoints=20,headlinePoints=12,sectionPoints=13,ReportError=class extends FailureError{};function insertReport(campaignId,reportId){
if(!isId2(campaignId))throw new PlainError("Choose a campaign.");let week=reportId==null||reportId===""?null:reportId;if(week!==
null&&!isId2(week))throw new PlainError("Choose a report from the list.");let written2=writeReport(campaignId,week),message="".
concat(written2.sheet,": ").concat(written2.state,". It cost 0 credits.");return recordRun({what:"Campaign report",rows:written2.
items,ok:written2.items,failed:0,credits:0,message}),{ok:!0,message,sheet:written2.sheet}}function writeReport(campaignId,reportId,activate=!0){
let{report,workspace}=loadReport(campaignId,reportId),summary=arrangeSummary(report,workspace),details=arrangeDetails(report);
return holdLock(()=>{let file=SpreadsheetApp.getActiveSpreadsheet(),store=fileStore(keyStores().document),saved=readSaved2(
store,campaignId),name=textOf2(asObject(report.campaign)?.name)??"",old={summary:existing(file,saved),details:existing(file,
saved?.details??null)};old.summary!==null&&checkProtection(old.summary,summary),old.details!==null&&checkProtection(old.
details,details);let sheet=old.summary??newReportSheet(file,name,"report"),detailsSheet=old.details??newReportSheet(file,
name,"details");prepareSheet(sheet,old.summary&&saved,summary),prepareSheet(detailsSheet,(old.details&&saved?.details)??
null,details),writePlan(sheet,summary),writePlan(detailsSheet,details),old.summary===null&&sheet.setHiddenGridlines(!0),
old.summary===null&&setWidths(sheet,summary),old.details===null&&setWidths(detailsSheet,details),detailsSheet.setFrozenRows(
1);let charts=drawCharts(sheet,summary.charts,(old.summary&&saved?.charts)??{}),sizes={...sizeOf(sheet,summary),details:sizeOf(
detailsSheet,details)};writeSaved(store,campaignId,{...sizes,report_id:reportId,charts}),activate&&file.setActiveSheet(sheet),
SpreadsheetApp.flush();let items=objects2(report.items).length;return{sheet:sheet.getName(),items,state:stateOf(report,items)}})}
function existing(file,saved){return saved===null?null:sheetById(file,saved.sheet_id)}function sizeOf(sheet,{cells}){return{
sheet_id:sheet.getSheetId(),columns:cells[0]?.length??0,rows:cells.length}}function isId2(value){return typeof value=="string"&&idForm2.test(value)}function loadReport(campaignId,reportId){let{key,network:network2,origin}=actionServer();if(key===
null)throw new ReportError(noKey);let week=reportId===null?"":"&report_id=".concat(encodeURIComponent(reportId)),url="".
concat(origin,"/v1/workflows/campaign-report?id=").concat(encodeURIComponent(campaignId)).concat(week),[answer,balance]=fetchAnswers(
[url,"".concat(origin,"/v1/credit/balance")],key,network2);if(answer?.ok===!1)throw new ReportError(answer.failure);let report=asObject(
answer?.data);if(report===null||!isReport(report))throw new ReportError(unreadable);return{report,workspace:balance?.ok===
!0?textOf2(asObject(balance.data)?.workspace):null}}function stateOf(report,items){let from=dayOf2(report.period_start),
count2=items===1?"1 item":"".concat(items," items");return report.final===!0?"the finished week from ".concat(from,", ").
concat(count2):"the week from ".concat(from," so far, which is not final, ").concat(count2)}function dayOf2(at){let date=new Date(
typeof at=="number"?at:Number.NaN);return Number.isNaN(date.getTime())?"an unknown day":date.toISOString().slice(0,10)}function writePlan(sheet,{
cells,formats,alignments,styles}){sheet.getRange(1,1,cells.length,cells[0]?.length??0).setValues(cells).setNumberFormats(
formats).setHorizontalAlignments(alignments);for(let{style,row,width}of styles)setStyle(sheet.getRange(row,1,1,width),style)}
function setStyle(range,style){style==="title"&&range.setFontWeight("bold").setFontSize(titlePoints).setFontColor(accentColor),
style==="headline"&&range.setFontWeight("bold").setFontSize(headlinePoints),style==="quiet"&&range.setFontColor(quietColor),
style==="section"&&range.setFontWeight("bold").setFontSize(sectionPoints).setFontColor(accentColor),style==="heading"&&range.
setFontWeight("bold").setBackground(headingColor).setWrap(!0).setVerticalAlignment("bottom")}function setWidths(sheet,{cells}){
sheet.setColumnWidth(1,columnWidthPx.name);let others=(cells[0]?.length??0)-1;others>0&&sheet.setColumnWidths(2,others,columnWidthPx.
other)}var what="Scheduled refresh",budgetMs2=4*6e4,stoppingCodes2=["API_KEY_NOT_SET","INVALID_API_KEY","PRODUCTION_KEY_REQUIRED","PAID_ACCESS_REQUIRED"];function refreshOnSchedule(){try{if(!isAuthorized()){recordRun({what,rows:0,ok:0,failed:1,credits:0,
message:"Google needs your permission again. Open the sidebar once."});return}if(!claimScheduledRun())return;noteScheduledRun();
let tally=refreshReports(),cellRewritten=holdLock(rewriteRefreshCell),{ok,failed:failed2,messages}=tally,reports=ok===1?
"1 report":"".concat(ok," reports"),formulas=cellRewritten?" Formulas with the refresh cell run again.":"",message=["".concat(
reports," refreshed.").concat(formulas),...new Set(messages)].join(" ");recordRun({what,rows:ok+failed2,ok,failed:failed2,
credits:cellRewritten?null:0,message})}catch(error){recordRun({what,rows:0,ok:0,failed:1,credits:null,message:failureOf(
error).message})}}function refreshReports(){let untilMs=network.now()+budgetMs2,tally={ok:0,failed:0,messages:[]};for(let campaignId of reportsToRefresh()){
if(network.now()>untilMs){tally.failed+=1,tally.messages.push("There was not enough time for all reports. To update the others now, insert them again under Report.");continue}try{writeReport(campaignId,null,!1),tally.ok+=1}catch(error){if(!(error instanceof
PlainError))throw error;if(tally.failed+=1,tally.messages.push(error.message),error instanceof ReportError&&stoppingCodes2.
includes(error.code??""))break}}return tally}function reportsToRefresh(){let file=SpreadsheetApp.getActiveSpreadsheet(),
store=fileStore(keyStores().document),names2=PropertiesService.getDocumentProperties().getKeys();return savedCampaigns(names2).
filter(campaignId=>{let saved=readSaved2(store,campaignId),exists=sheet=>!!sheet&&sheetById(file,sheet.sheet_id)!==null;
return!exists(saved)&&!exists(saved?.details)&&forgetSaved(store,campaignId),exists(saved)&&saved?.report_id===null})}var stepMs=4e4;function runDueImports(untilMs){if(!isAuthorized())return[];let failures=[];for(let saved of savedImports().
filter(mustRun)){let failure=runImport(saved,untilMs);if(failure===null)continue;let message=failure.slice(0,200);recordRun(
{what:"Import “".concat(saved.name,"”"),rows:0,ok:0,failed:1,credits:null,message}),failures.push("".concat(saved.name,
": ").concat(failure))}return failures}function mustRun(saved){if(saved.schedule?.by!==ownUserId())return!1;let run=findRun(
saved.id);return isDue(saved)||run?.by_schedule===!0&&run.stopped===null}function runImport(saved,untilMs){try{let{schedule}=saved;
for(schedule!==null&&isDue(saved)&&holdLock(()=>updateImport(saved.id,{schedule:{...schedule,last_ms:network.now()}})),startRun(
saved.id,!0);network.now()+stepMs<untilMs;){let{run,finished,wait_ms}=continueRun(saved.id);if(finished)return null;if(run.
stopped!==null)return run.stopped;wait_ms!==null&&network.sleep(Math.min(wait_ms,Math.max(0,untilMs-network.now())))}return noteContinuation(
saved),null}catch(error){return error instanceof PlainError?error.message:failureSentence({code:"INTERNAL",message:String(
error)})}}function noteContinuation({id,name}){let run=findRun(id);if(run===null)return;let{ok,failed:failed2,credits,entries,
total}=run,message="".concat(entries," of ").concat(total," are done. The import continues with the next run, in about an hour.");recordRun({what:"Import “".concat(name,"”"),rows:ok+failed2,ok,failed:failed2,credits,message})}var triggerMs=5.5*6e4;function runOnSchedule(){let untilMs=network.now()+triggerMs;refreshIsDue()&&refreshOnSchedule();let failures=runDueImports(
untilMs);if(failures.length>0)throw new Error(failures.join("\n"))}var sidebarCampaigns=forPage(listCampaigns),sidebarInsertReport=forPage(insertReport),sidebarRefreshFormulas=forPage(refreshPart),
sidebarFreeze=forPage(freeze),sidebarSchedule=forPage(readSchedule),sidebarSetSchedule=forPage(setSchedule),sidebarRuns=forPage(
()=>({ok:!0,runs:lastRuns()}));function onOpen(){showMenu()}function onInstall(){showMenu()}var setKey=forMenu(promptForKey),forgetKey2=forMenu(forgetSavedKey),refresh=forMenu(refreshFormulas),showBalance=forMenu(
showAbout);function SOCIAL_COMMENTS2(post,maxAge2){return SOCIAL_COMMENTS(server(),post,maxAge2)}function SOCIAL_CREDITS2(refresh2){
return SOCIAL_CREDITS(server(),refresh2)}function SOCIAL_FOLLOWERS2(profile,platform,maxAge2){return SOCIAL_FOLLOWERS(server(),
profile,platform,maxAge2)}function SOCIAL_LIKES2(post,maxAge2){return SOCIAL_LIKES(server(),post,maxAge2)}function SOCIAL_POST2(urls,fields,maxAge2){
return SOCIAL_POST(server(),urls,fields,maxAge2)}function SOCIAL_POSTS2(profile,limit,fields,maxAge2,platform){return SOCIAL_POSTS(
server(),profile,limit,fields,maxAge2,platform)}function SOCIAL_PROFILE2(urls,fields,maxAge2,platform){return SOCIAL_PROFILE(
server(),urls,fields,maxAge2,platform)}function SOCIAL_REPORT2(campaign,section,refresh2){return SOCIAL_REPORT(server(),
campaign,section,refresh2)}function SOCIAL_TRACKED2(item,metric,days,refresh2){return SOCIAL_TRACKED(server(),item,metric,
days,refresh2)}function SOCIAL_VIEWS2(post,maxAge2){return SOCIAL_VIEWS(server(),post,maxAge2)}return __toCommonJS(stdin_exports);})();
