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

var Addon_=(()=>{var tt=Object.defineProperty;var ia=Object.getOwnPropertyDescriptor;var aa=Object.getOwnPropertyNames;var la=Object.prototype.hasOwnProperty;var ua=(e,t,n)=>t in e?tt(e,t,{enumerable:!0,configurable:!0,writable:!0,value:n}):e[t]=n;var hr=(e,t)=>{for(var n in t)tt(e,n,{get:t[n],enumerable:!0})},ca=(e,t,n,r)=>{if(t&&typeof t=="object"||typeof t=="func\
tion")for(let o of aa(t))!la.call(e,o)&&o!==n&&tt(e,o,{get:()=>t[o],enumerable:!(r=ia(t,o))||r.enumerable});return e};var ma=e=>ca(tt({},"__esModule",{value:!0}),e);var an=(e,t,n)=>ua(e,typeof t!="symbol"?t+"":t,n);var Yp={};hr(Yp,{SOCIAL_COMMENTS:()=>Dp,SOCIAL_CREDITS:()=>Kp,SOCIAL_FOLLOWERS:()=>Bp,SOCIAL_LIKES:()=>Gp,SOCIAL_POST:()=>Wp,
SOCIAL_POSTS:()=>Vp,SOCIAL_PROFILE:()=>qp,SOCIAL_REPORT:()=>jp,SOCIAL_TRACKED:()=>Hp,SOCIAL_VIEWS:()=>zp,forgetKey:()=>Mp,
onInstall:()=>Pp,onOpen:()=>Np,openSidebar:()=>jo,refresh:()=>$p,refreshOnSchedule:()=>sa,setKey:()=>Fp,showBalance:()=>Up,
sidebarAccount:()=>qc,sidebarAllowFormulas:()=>zc,sidebarCampaigns:()=>Cp,sidebarConnect:()=>jc,sidebarDisconnect:()=>Hc,
sidebarEstimate:()=>Qc,sidebarFirstRows:()=>Wc,sidebarFirstRowsResult:()=>Vc,sidebarFreeze:()=>Tp,sidebarImport:()=>tm,sidebarImportCancel:()=>am,
sidebarImportChange:()=>rm,sidebarImportEstimate:()=>om,sidebarImportSave:()=>nm,sidebarImportStart:()=>sm,sidebarImportStep:()=>im,
sidebarImports:()=>em,sidebarInsertFormula:()=>Zc,sidebarInsertReport:()=>vp,sidebarOpen:()=>Bc,sidebarPickCells:()=>Xc,
sidebarRefreshFormulas:()=>Op,sidebarRemember:()=>Gc,sidebarRuns:()=>Lp,sidebarSamples:()=>Yc,sidebarSchedule:()=>Ip,sidebarSelection:()=>Jc,
sidebarSetSchedule:()=>Ep});var pa=["url","status","platform","account_id","username","display_name","followers","followers_quality","following","po\
sts","likes","total_views","verified","private","category","country","language","bio","external_url","avatar_url","creat\
ed_at_platform","profile_url","retrieved_at","cached","credits_charged","message"],fa=["url","status","platform","id","p\
ermalink","author","author_id","published_at","title","caption","media_type","views","likes","comments","shares","favori\
tes","counts_quality","duration_seconds","hashtags","media_url","retrieved_at","cached","credits_charged","message"],te={
known:pa,usual:["username","display_name","followers","following","posts","likes","total_views","verified"]},v={known:fa,
usual:["url","published_at","title","caption","views","likes","comments","shares","permalink"]};function rt(e,{known:t,usual:n}){
let r=Le(e).map(o=>pe(o,t,"field"));return[...new Set(["status",...r.length===0?n:r])]}function Le(e){return[e].flat(2).
flatMap(t=>t==null?[]:String(t).split(/[,;]/)).map(t=>t.trim().toLowerCase().replace(/\s+/g,"_")).filter(t=>t!=="")}function pe(e,t,n){
let r=t.find(o=>o===e);if(r!==void 0)return r;throw new Error("There is no ".concat(n,' "').concat(e,'". Did you mean "').
concat(Ne(e,t),'"? The ').concat(n,"s are ").concat(t.join(", "),"."))}function Ne(e,t){return t.map(r=>({choice:r,edits:da(
e,r)})).reduce((r,o)=>o.edits<r.edits?o:r).choice}function da(e,t){let n=Array.from({length:t.length+1},(r,o)=>o);for(let r=1;r<=
e.length;r++){let o=[r];for(let s=1;s<=t.length;s++){let i=nt(n,s-1)+(e[r-1]===t[s-1]?0:1);o.push(Math.min(i,nt(n,s)+1,nt(
o,s-1)+1))}n=o}return nt(n,t.length)}function nt(e,t){return e[t]??Number.POSITIVE_INFINITY}var Y=["1d","3d","7d","14d","30d","fresh"],re="1d",T="SOCIAL_REFRESH",ha=2*6e4,gr=24*36e5;function wr(e,t){let n=Pe(e,t),
{word:r,times_ms:o}=yr(e);if(r!=="fresh")return{parameter:n,oldest_ms:t-Number.parseInt(r,10)*gr,refreshed_ms:null};let s=o.
filter(i=>i<=t);return o.length===0?{parameter:n,oldest_ms:t,refreshed_ms:t}:{parameter:n,oldest_ms:t-gr,refreshed_ms:s.
length===0?null:Math.max(...s)}}function ga(e,t){let{word:n,times_ms:r}=yr(e);return n!=="fresh"||r.length===0?n:r.map(s=>t-
s).some(s=>s>=0&&s<=ha)?"fresh":re}var wa=/^(true|false|\d[\d.:tz-]{4,})$/;function yr(e){let t=e!=null&&typeof e!="bool\
ean"&&!(e instanceof Date),[n="",...r]=t?String(e).trim().toLowerCase().split(/\s+/):[];if(n===""||wa.test(n))return{word:re,
times_ms:[]};let o=Y.find(s=>s===n);if(o===void 0)throw new Error('There is no max_age "'.concat(n,'". Did you mean "').
concat(Ne(n,Y),'"? Use one of ').concat(Y.join(", "),"."));return{word:o,times_ms:r.map(s=>Date.parse(s))}}function Pe(e,t){
let n=ga(e,t);return n==="fresh"?"fresh=true":"cache_max_age=".concat(n)}function Sr(e,t){let[n]=String(e).trim().toLowerCase().
split(/\s+/),r=Y.find(o=>o===n)??"fresh";return"".concat(r," ").concat(new Date(t).toISOString())}var ya="Copy the whole key from your dashboard and try again.",_={label:"What this means",path:"/docs/addon#what-the-sta\
tus-means"},Fe={label:"Open your keys",path:"/dashboard/keys"},br={label:"Open your credits",path:"/dashboard/credits"},
kr={INVALID_API_KEY:{sentence:"The server does not know this key, or it was revoked. ".concat(ya),...Fe},API_KEY_NOT_SET:{
sentence:"No API key is connected. Connect one under Keys.",...Fe},FORMULAS_NOT_ALLOWED:{sentence:"A key is connected, b\
ut formulas in this file may not use it yet. The owner of the file allows it in the sidebar under Keys: Formulas in this\
 file may use my credits.",..._},FILE_WITHOUT_OWNER:{sentence:"This file is in a shared drive, so it has no owner whose \
credits its formulas could use. Save a sheet key in the file instead.",label:"Create a sheet key",path:"/dashboard/keys"},
SHEET_KEY_NEEDED:{sentence:"Everyone who can edit this file can also read the key that is saved in it, so this add-on ta\
kes only a sheet key. A sheet key has a monthly limit. Create one on your dashboard and paste it here.",label:"Create a \
sheet key",path:"/dashboard/keys"},INSUFFICIENT_CREDITS:{sentence:"There are not enough credits, or the monthly cap of t\
he key is reached. Add credits or raise the cap on your dashboard.",server_says_more:!0,...br},PAID_ACCESS_REQUIRED:{sentence:"\
Reports open after your workspace has bought a credit pack once.",...br},PRODUCTION_KEY_REQUIRED:{sentence:"A developmen\
t key gives only sample data. Connect a production key or a sheet key.",...Fe},KEY_NOT_ALLOWED:{sentence:"This key is li\
mited to other uses. Connect a key that may be used in spreadsheets.",server_says_more:!0,...Fe},ADDRESS_NOT_ALLOWED:{sentence:"\
This key works only from certain IP addresses, and requests from a spreadsheet come from Google’s computers. Connect a k\
ey without this limit.",...Fe},RATE_LIMITED:{sentence:"Too many requests in this minute. Wait one minute, and use one fo\
rmula for a whole column.",..._},SERVER_UNREACHABLE:{sentence:"Google could not connect to your server. It may be off, o\
r not reachable from the internet. Try again in a minute.",..._},SERVER_NOT_FOUND:{sentence:"The address of your server \
does not exist on the internet (DNS). Tell the person who runs your server.",..._},SERVER_CERTIFICATE:{sentence:"The cer\
tificate (https) of your server is not valid. Tell the person who runs your server.",..._},SERVER_TIMEOUT:{sentence:"You\
r server did not answer in time. Try again: rows that were answered before are free.",..._},SERVER_UNAVAILABLE:{sentence:"\
The server cannot answer at the moment. Try again in a minute.",..._},SERVER_ANSWER_UNREADABLE:{sentence:"The answer did\
 not come from the API, perhaps from a login page. Try again later.",..._},LOGIN_PAGE:{sentence:"A login page or a redir\
ect is in front of your server, so Google cannot reach the API. Tell the person who runs your server: /v1 must be open t\
o the internet.",..._},INTERNAL:{sentence:"The server had an internal error. Nothing was charged. Try again in a minute.",
..._},GOOGLE_DAILY_QUOTA:{sentence:"The daily limit of Google for your account is used up (20,000 requests, with Google \
Workspace 100,000). It works again tomorrow. One formula for a whole column needs far fewer requests.",..._},GOOGLE_BUSY:{
sentence:"Google is busy with too many formulas or scripts of your account at once. Wait a minute, then try again.",..._},
GOOGLE_TIME_LIMIT:{sentence:"This took longer than Google allows (30 seconds for a formula, 6 minutes otherwise). Try it\
 with fewer rows.",..._},ADMIN_BLOCKED:{sentence:"The administrator of your Google Workspace blocks requests to your ser\
ver. Ask the administrator to allow its address for Apps Script (UrlFetch).",..._},ADDON_OUTDATED:{sentence:"The install\
ed add-on is older than this page, or was built for another server address. Reload the file. If that does not help, inst\
all the current files again.",label:"Get the add-on",path:"/addon"},SEVERAL_ACCOUNTS:{sentence:"Your browser is signed i\
n to several Google accounts, and Google used another one than the one that opened this file. Open the file in a private\
 window or in a browser profile with only this account.",..._},PERMISSION_MISSING:{sentence:"The add-on needs a permissi\
on that you have not given. Choose Open sidebar in its menu and allow everything that Google asks for.",..._},NO_CONNECTION:{
sentence:"Your browser could not reach Google Sheets. Check your internet connection, then try again.",..._},PROTECTED_CELLS:{
sentence:"Some of these cells are protected, and you may not edit them. Choose other cells, or ask the owner of the file\
: Data > Protect sheets and ranges.",..._},DATA_VALIDATION:{sentence:"Some of these cells accept only certain values (da\
ta validation), so nothing was written. Choose other cells, or remove the rule: Data > Data validation.",..._},FILE_FULL:{
sentence:"This file has reached the limit of 10 million cells. Delete sheets or empty rows first.",..._},STORAGE_FULL:{sentence:"\
The storage of Google for this add-on and this file is full. Delete imports or schedules that you no longer need.",..._},
GOOGLE_ERROR:{sentence:"Google Sheets refused this. Reload the file and try again.",..._},SHEET_DELETED:{sentence:"The s\
heet was deleted in the meantime. Choose another one.",..._}};function x({code:e,message:t}){let n=kr[e];return n!==void 0&&
(t===""||n.server_says_more!==!0)?n.sentence:t===""?"The server refused this (".concat(e,")."):t}function Rr(e){let{label:t,
path:n}=kr[e]??{label:_.label,path:"/docs/errors#".concat(e)};return{label:t,path:n}}var Sa=["SERVER_UNREACHABLE","SERVE\
R_TIMEOUT","SERVER_UNAVAILABLE","SERVER_ANSWER_UNREADABLE","GOOGLE_BUSY","GOOGLE_DAILY_QUOTA","NO_CONNECTION"];function xr(e){
return Sa.includes(e)}var ba=[[/too many times for one day|computer time for one day/i,"GOOGLE_DAILY_QUOTA"],[/in a short time|per second|running simultaneously|bandwidth quota|LockService operations/i,
"GOOGLE_BUSY"],[/maximum execution time/i,"GOOGLE_TIME_LIMIT"],[/by your admin|domain policy|contact your (domain )?administrator/i,
"ADMIN_BLOCKED"],[/whitelisted in the script manifest|script function not found/i,"ADDON_OUTDATED"],[/error code PERMISSION_DENIED/i,
"SEVERAL_ACCOUNTS"],[/permission to call|permissions are not sufficient|authori[sz]ation is required|access not granted/i,
"PERMISSION_MISSING"],[/protected cell or object/i,"PROTECTED_CELLS"],[/data validation rules/i,"DATA_VALIDATION"],[/number of cells in the workbook/i,
"FILE_FULL"],[/property storage quota/i,"STORAGE_FULL"],[/sheet .+ not found/i,"SHEET_DELETED"],[/service spreadsheets|service error: spreadsheets/i,
"GOOGLE_BUSY"],[/connection failure due to http|network ?error/i,"NO_CONNECTION"],[/dns error/i,"SERVER_NOT_FOUND"],[/ssl error/i,
"SERVER_CERTIFICATE"],[/\btimeout: /i,"SERVER_TIMEOUT"],[/address unavailable/i,"SERVER_UNREACHABLE"]];function ot(e){return ba.
find(([t])=>t.test(e))?.[1]??null}var _r=2082,ka=26e3,Cr=3e3,Ar=4,Ra=8e3,xa=1500;function st(e,{name:t,per_request_max:n},r){let o=[],s=[];for(let i of r){
let a="&".concat(t,"=").concat(encodeURIComponent(_a(i))),l=o[o.length-1];e.length+a.length>_r?s.push(i):l!==void 0&&l.values.
length<n&&l.url.length+a.length<=_r?(l.url+=a,l.values.push(i)):o.push({url:e+a,values:[i]})}return{requests:o,unsent:s}}
function _a(e){return e.replace(/\p{Surrogate}/gu,"�")}function U(e,t,n,{deadline_ms:r=D(n),at_once:o=e.length}={}){let s=new Map,
i=[...e];for(let a=1;a<=Ar&&i.length>0;a++){let l=Aa(i,t,n,{deadline_ms:r,at_once:o}),u=[],c=0;if(i.forEach((m,d)=>{let w=l[d]??
ln;s.set(m,"code"in w?{ok:!1,failure:w}:Ea(w));let h="code"in w?null:Oa(w);h!==null&&(u.push(m),c=Math.max(c,h))}),c+=n.
random()*xa,u.length===0||n.now()+c+Cr>r)break;a<Ar&&n.sleep(c),i=u}return e.map(a=>s.get(a)??{ok:!1,failure:ln})}function D(e){
return e.now()+ka}function Aa(e,t,n,{deadline_ms:r,at_once:o}){let s=[];for(let i=0;i<e.length;i+=o)s.push(...Ca(e.slice(
i,i+o),t,r-n.now(),n));return s}function Ca(e,t,n,r){if(n<Cr)return e.map(()=>Ia);try{return r.fetchAll(e.map(o=>({url:o,
headers:{"x-api-key":t},timeout_ms:n})))}catch(o){r.log("The server could not be reached: ".concat(String(o)));let s=va(
String(o));return e.map(()=>s)}}function va(e){let t=ot(e);return t===null?{code:"SERVER_UNREACHABLE",message:"".concat(
ln.message," Google says: “").concat(e.slice(0,200),"”")}:{code:t,message:x({code:t,message:""})}}function Oa(e){let t=e.
status===429?vr(e):null;return t!==null&&t<=Ra?t:null}function vr(e){let t=Ta(e,"retry-after");return t!==null&&/^\d{1,4}$/.
test(t)?Number(t)*1e3:null}function Ta(e,t){let n=Object.entries(e.headers).find(([r])=>r.toLowerCase()===t);return n===
void 0?null:n[1].trim()}var ln={code:"SERVER_UNREACHABLE",message:"Google could not connect to your server. Try again in\
 a minute."},Ia={code:"NOT_IN_TIME",message:"The formula ran out of time. Run it again: rows that were answered before a\
re free."};function Ea(e){let t=$a(e.text);if(e.status===200&&t!==null&&"data"in t)return{ok:!0,data:t.data,warnings:La(
t.meta)};let n=Na(t)??Fa(e.status),r=vr(e);return{ok:!1,failure:r===null?n:{...n,retry_after_ms:r}}}function La(e){let t=f(
e)?.warnings;return Array.isArray(t)?t.filter(n=>typeof n=="string"):[]}function Na(e){let t=f(e?.error);return t===null||
typeof t.code!="string"||!/^[A-Z][A-Z0-9_]{0,63}$/.test(t.code)?null:{code:t.code,message:typeof t.message=="string"?t.message:
""}}var Pa=[301,302,303,307,308,401,403,407];function Fa(e){let t=Ma(e);return{code:t,message:"".concat(x({code:t,message:""}),
" (status ").concat(e,")")}}function Ma(e){return Pa.includes(e)?"LOGIN_PAGE":e===429?"RATE_LIMITED":e>=500?"SERVER_UNAV\
AILABLE":"SERVER_ANSWER_UNREADABLE"}function $a(e){try{return f(JSON.parse(e))}catch{return null}}function f(e){return typeof e==
"object"&&e!==null?e:null}function G(){return"bound"}function oe(e){let{label:t,path:n}=Rr(e);return{label:t,url:"https://address-of-the-server.invalid"+n}}function Ua(e){return{
ok:!1,message:x(e),code:e.code,link:oe(e.code)}}function Or(e){return Ua({code:e,message:""})}var un={file:{scope:"spreadsheets.currentonly",label:"View and manage spreadsheets that this application has been instal\
led in",use:"to read and write this file"},server:{scope:"script.external_request",label:"Connect to an external service",
use:"to contact your server"},sidebar:{scope:"script.container.ui",label:"Display and run third-party web content in pro\
mpts and sidebars inside Google applications",use:"to show its menu and its sidebar"},schedule:{scope:"script.scriptapp",
label:"Allow this application to run when you are not present",use:"to run on a schedule"}},it=["file","server","sidebar"];
function Tr(e){return e.map(t=>"https://www.googleapis.com/auth/".concat(un[t].scope))}function Ir(e){ScriptApp.requireScopes(
ScriptApp.AuthMode.FULL,Tr(e))}function cn(e){let t=e.filter(o=>Da([o]));if(t.length===0)return null;let n=Er(t).getAuthorizationUrl(),
r=t.map(o=>"".concat(un[o].use," (“").concat(un[o].label,"”)")).join(" and ");return{ok:!1,message:"The add-on needs\
 your permission ".concat(r,". Give it, then try again."),code:"PERMISSION_MISSING",link:n===null?oe("PERMISSION_MISSING"):
{label:"Give permission",url:n}}}function Da(e){return Er(e).getAuthorizationStatus()===ScriptApp.AuthorizationStatus.REQUIRED}
function Er(e){return ScriptApp.getAuthorizationInfo(ScriptApp.AuthMode.FULL,Tr(e))}var Ka=/^$|^Loading|^#NAME\?/,Ba=/\bR(\[-?\d+\])?C/;function Pr(e,t){let n=SpreadsheetApp.getActiveRange(),r=Ga(n?.getFormulaR1C1()??
"",e);if(n===null||r===null)return[];let o=n.getSheet(),s=n.getRow(),i=Math.max(1,s-50,1-r.down),a=Math.min(o.getLastRow()-
Math.max(0,r.down),s+300)-i+1;if(a<1)return[];let l=r.column??n.getColumn()+r.right,u=o.getRange(i,n.getColumn(),a,1),c=u.
getFormulasR1C1(),m=u.getDisplayValues(),d=o.getRange(i+r.down,l,a,1).getValues(),w=s-i;if(Nr(d[w]?.[0])!==t)return[];let h=b=>c[b]?.[0]===
c[w]?.[0]&&Ka.test(m[b]?.[0]??""),y=d.map((b,z)=>z).filter(b=>b!==w&&h(b)),S=[...y.filter(b=>b>w),...y.filter(b=>b<w).reverse()];
return[...new Set(S.map(b=>Nr(d[b]?.[0])))].filter(b=>b!==""&&b!==t)}function Ga(e,t){let[,n="",r="",o=""]=new RegExp("^\
=(?:IFERROR\\()?".concat(t,"\\(\\s*R(\\[-?\\d+\\])?C(\\[-?\\d+\\]|\\d+)?\\s*([,;)].*)$"),"i").exec(e)??[];if(o===""||Ba.
test(o))return null;let s=/^\d+$/.test(r)?Number(r):null;return{down:Lr(n),right:s===null?Lr(r):0,column:s}}function Lr(e){
return e===""?0:Number(e.slice(1,-1))}function Nr(e){return e instanceof Date?"":String(e??"").trim()}var Wa=2e3;function Fr(e){let t=n=>{try{return n()}catch(r){return e("A service of the file could not be used: ".concat(
String(r))),null}};return{read:n=>t(()=>CacheService.getDocumentCache()?.getAll(n))??{},write:(n,r)=>t(()=>CacheService.
getDocumentCache()?.putAll(n,r)),hold(n){let r=t(()=>LockService.getDocumentLock()),o=t(()=>r?.tryLock(Wa))===!0;try{return n()}finally{
o&&t(()=>r?.releaseLock())}},neighbours:(n,r)=>t(()=>Pr(n,r))??[]}}var at="api_key",mn="formulas_in_",Va=/^[A-Za-z]+_[A-Za-z]+_[A-Za-z0-9]{8,200}$/;function ke(e){return se(e,"file")??(fn(
e)?se(e,"account"):null)}function fe(e){return se(e,"account")??se(e,"file")}function se(e,t){if(t==="account"&&!e.personal_keys)
return null;let n=pn(e,t)?.getProperty(at)??null;return n===null?null:{key:n,location:t}}function pn(e,t){return t==="fi\
le"?e.document:e.user}function lt(e){let t=e.trim();return Va.test(t)?t:null}function ut(e,t,n){let r=pn(e,t);if(t==="ac\
count"&&!e.personal_keys)throw new Error("This install keeps no key with an account.");if(r===null)throw new Error("A ke\
y can be saved in a file only while the file is open.");r.setProperty(at,n)}function fn({user:e,file_id:t,personal_keys:n}){
return n&&t!==null&&e.getProperty(mn+t)!==null}function Me({user:e,file_id:t},n){if(t===null)throw new Error("Formulas c\
an be allowed only while a file is open.");n?e.setProperty(mn+t,"allowed"):e.deleteProperty(mn+t)}function Mr(e){return e.
personal_keys||e.user.getProperty(at)===null?!1:($e(e,"account"),!0)}function $r(e){let t=fe(e);return t!==null&&$e(e,t.
location),t?.location??null}function $e(e,t){pn(e,t)?.deleteProperty(at),t==="account"&&e.file_id!==null&&Me(e,!1)}function Ue(e){
return"…".concat(e.slice(-4))}function k(){return{document:PropertiesService.getDocumentProperties(),user:PropertiesService.getUserProperties(),file_id:SpreadsheetApp.
getActiveSpreadsheet()?.getId()??null,personal_keys:G()==="addon"}}function ct(){return Session.getTemporaryActiveUserKey().
replace(/[^\w+/=-]/g,"")}function J(){return{origin:"https://address-of-the-server.invalid",key:fe(k())?.key??null,network:g}}
function W(){let e=k(),t=ke(e)?.key??null,n=se(e,"account")===null?"API_KEY_NOT_SET":"FORMULAS_NOT_ALLOWED";return{origin:"\
https://address-of-the-server.invalid",key:t,no_key:n,network:g,cells:Fr(g.log)}}var g={fetchAll:e=>UrlFetchApp.fetchAll(
e.map(qa)).map(ja),sleep:e=>Utilities.sleep(Math.round(e)),now:()=>Date.now(),random:()=>Math.random(),log:e=>console.error(
e)};function qa(e){return{url:e.url,headers:e.headers,muteHttpExceptions:!0,followRedirects:!1,timeoutSeconds:Math.ceil(
e.timeout_ms/1e3)}}function ja(e){let t=Object.entries(e.getAllHeaders()).map(([n,r])=>[n,String(r)]);return{status:e.getResponseCode(),
headers:Object.fromEntries(t),text:e.getContentText()}}var Ha=200;function R(e){return(...t)=>{SpreadsheetApp.getUi();try{return e(...t)}catch(n){return mt(n)}}}function De(e){
return()=>{let t=SpreadsheetApp.getUi();try{e()}catch(n){let{message:r,link:o}=mt(n),s=o===void 0?r:"".concat(r,"\n\n").
concat(o.label,": ").concat(o.url);t.alert("This did not work",s,t.ButtonSet.OK)}}}function mt(e){let t=e instanceof p?e.
code:ot(String(e)),n=t==="PERMISSION_MISSING"?cn(it):null;if(n!==null)return n;if(e instanceof p){let{message:s,link:i}=e;
return{ok:!1,message:s,...t!==null&&{code:t},...i!==null&&{link:i}}}if(g.log("A function of the add-on failed: ".concat(
String(e))),t!==null)return Or(t);let r=(e instanceof Error?e.message:String(e)).slice(0,Ha);return{ok:!1,message:"Googl\
e Sheets refused this: “".concat(r,"” Reload the file and try again."),code:"GOOGLE_ERROR",link:oe("GOOGLE_ERROR")}}
var p=class extends Error{constructor(n,r=null,o=null){super(n);an(this,"code");an(this,"link");this.code=r,this.link=o??
(r===null?null:oe(r))}},N=class extends p{constructor(t,n=""){super("".concat(x(t)," ").concat(n).trim(),t.code)}};function Ur(e){
let t=cn([e]);if(t!==null)throw new p(t.message,t.code,t.link)}var za=50,Dr="The saved key was removed, because everyone who can edit this file could read it. Connect a sheet key, whi\
ch has a monthly limit.";function de(){let e=k(),t=Mr(e)?Dr:null,r=["account","file"].flatMap(l=>se(e,l)??[]).map(({key:l,
location:u})=>({key:l,location:u,answer:Be(l)})),o=r.filter(({answer:l})=>l?.ok===!0&&!pt(l.data));for(let{location:l}of o)
$e(e,l);let s=r.filter(l=>!o.includes(l)).map(({key:l,location:u,answer:c})=>({location:u,view:Ja(l,c)})),i={account:Kr(
s,"account"),file:Kr(s,"file")},a=fe(e)?.location??null;return{ok:!0,server:"https://address-of-the-server.invalid",install:G(),
opened_by:ct(),notice:o.length>0?Dr:t,keys:i,uses:a,formulas:ke(e)?.location??null,formulas_allowed:fn(e),low:Qa(a===null?
null:i[a]?.credits??null)}}function Kr(e,t){return e.find(n=>n.location===t)?.view??null}function Be(e){return U(["https\
://address-of-the-server.invalid/v1/credit/balance"],e,g)[0]}function Br(e,t){let n=lt(String(t));if(n===null)return{ok:!1,
message:"This is not an API key. Copy the whole key from your dashboard."};let r=Be(n);if(r?.ok!==!0)throw new N(hn(r),"\
The key was not saved.");if(!pt(r.data))throw new N({code:"SHEET_KEY_NEEDED",message:""});return ut(k(),G()==="bound"?"f\
ile":Vr(e),n),de()}function pt(e){if(G()==="addon")return!0;let{kind:t,monthly_cap:n}=f(f(e)?.key)??{};return t==="test"||
t==="sheet"&&typeof n=="number"}function hn(e){return e?.ok===!1?e.failure:{code:"SERVER_UNREACHABLE",message:""}}function Gr(e){
return $e(k(),Vr(e)),de()}function Wr(e){if(G()==="bound")throw new N({code:"SHEET_KEY_NEEDED",message:""});if(e===!0&&Ya())
throw new N({code:"FILE_WITHOUT_OWNER",message:""});return Me(k(),e===!0),de()}function Ya(){try{return SpreadsheetApp.getActiveSpreadsheet().
getOwner()===null}catch(e){return g.log("The owner of the file is unknown: ".concat(String(e))),!1}}function Vr(e){return e===
"file"?"file":"account"}function Ja(e,t){let n=t?.ok===!0?f(t.data):null,r=f(n?.key),o=n?.workspace;return{last_four:Ue(
e),problem:t?.ok===!0?null:x(hn(t)),problem_link:t?.ok===!0?null:oe(hn(t).code),workspace:Ke(o)??Ke(f(o)?.name),tier:Ke(
n?.tier),kind:Ke(r?.kind),name:Ke(r?.name),credits:dn(n?.credits_remaining),monthly_cap:dn(r?.monthly_cap),cap_used:dn(r?.
cap_used)}}function Ke(e){return typeof e=="string"&&e!==""?e:null}function dn(e){return typeof e=="number"?e:null}function Qa(e){
return e===null||e>=za?null:e===0?"No credits are left. Top up on your dashboard.":e===1?"Only 1 credit is left. Top up \
soon.":"Only ".concat(e," credits are left. Top up soon.")}function Q(e){return e==null?"":typeof e=="number"||typeof e=="boolean"?e:qr(typeof e=="string"?e:JSON.stringify(e))}function P(e){
return"'".concat(qr(e))}function qr(e){if(e.length<=5e4)return e;let t=/[\uD800-\uDBFF]/.test(e.charAt(49999));return e.
slice(0,t?49999:5e4)}var Za=2e4;function A(e){let t=LockService.getDocumentLock();if(t===null||!t.tryLock(Za))throw new p("Another user or wi\
ndow is writing to this file. Try again in a minute.");try{return e()}finally{t.releaseLock()}}function he(e){let t=n=>e.match(n)?.length??0;return e.length+t(/[\u0080-\uffff]/g)+t(/[\u0800-\uffff]/g)-2*t(/[\ud800-\udbff][\udc00-\udfff]/g)}
function Re(e){let{imul:t}=Math,[n,r]=[3735928559,1103547991];for(let o=0;o<e.length;o++){let s=e.charCodeAt(o);n=t(n^s,
2654435761),r=t(r^s,1597334677)}return n=t(n^n>>>16,2246822507)^t(r^r>>>13,3266489909),r=t(r^r>>>16,2246822507)^t(n^n>>>
13,3266489909),(n&2097151)*2**32+(r>>>0)}var jr="runs",Xa=20,el=200,tl=8500;function F(e){try{let t=k().document,n=e.message.slice(0,el),r=[{at:g.now(),...e,message:n},
...Ge()].slice(0,Xa);for(;r.length>1&&he(JSON.stringify(r))>tl;)r.pop();t?.setProperty(jr,JSON.stringify(r))}catch(t){g.
log("The run could not be logged: ".concat(String(t)))}}function Ge(){let e=k().document?.getProperty(jr)??null,t=e===null?
[]:nl(e);return Array.isArray(t)?t.filter(rl):[]}function nl(e){try{return JSON.parse(e)}catch{return[]}}function rl(e){
let t=f(e);return typeof t?.at=="number"&&typeof t.what=="string"&&typeof t.message=="string"}var vn={};hr(vn,{SOCIAL_COMMENTS:()=>oo,SOCIAL_CREDITS:()=>io,SOCIAL_FOLLOWERS:()=>lo,SOCIAL_LIKES:()=>co,SOCIAL_POST:()=>po,
SOCIAL_POSTS:()=>ho,SOCIAL_PROFILE:()=>wo,SOCIAL_REPORT:()=>Ao,SOCIAL_TRACKED:()=>Oo,SOCIAL_VIEWS:()=>Io});function Hr(e,t){if(e===void 0)throw new Error("Enter ".concat(t,"."));return(Array.isArray(e)?e.map(r=>ol(r,t)):[e]).map(
r=>zr(r,t))}function ol(e,t){if(!Array.isArray(e))return e;if(e.length>1)throw new Error("This range has more than one c\
olumn. Enter ".concat(t,"."));return e[0]}function ft(e,t){if(e===void 0)throw new Error("Enter ".concat(t,"."));let n=[
e].flat(2).map(r=>zr(r,t));return[...new Set(n.filter(r=>r!==""))]}function zr(e,t){if(e instanceof Date)throw new Error(
"A date cannot be used here. Enter ".concat(t,"."));return String(e??"").trim()}function xe(e,t,n){if(e>t)throw new Error(
"One formula takes at most ".concat(t," ").concat(n,", and this range has ").concat(e,". Split the range."))}function dt(e,t,n,r){
let o=String([e].flat(2)[0]??"").trim();if(o==="")return null;let s=/^\d{1,6}$/.test(o)?Number(o):Number.NaN;if(s>=n&&s<=
r)return s;throw new Error("".concat(t," must be a whole number from ").concat(n," to ").concat(r,"."))}var sl=/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
function ht(e){return sl.test(e)}var wn={instagram:{parameter:"photo",urls:/instagr/i},tiktok:{parameter:"shortvideo",urls:/tiktok/i},youtube:{parameter:"\
longvideo",urls:/youtu/i}},gn=Object.keys(wn);function gt(e,t){let n=String([e].flat(2)[0]??"").trim().toLowerCase();if(n!==
"")return{name:pe(n,gn,"platform"),guessed:!1};let r=t.filter(s=>!V(s)),o=gn.filter(s=>r.some(i=>wn[s].urls.test(i)));return o.
length===1&&o[0]!==void 0?{name:o[0],guessed:!0}:null}function V(e){return/^@?[^@/:?#\s]+$/.test(e)}function wt(e,t){return t===
null?[{texts:[...e],parameter:""}]:[{texts:e.filter(n=>!V(n)),parameter:""},{texts:e.filter(V),parameter:"&platform=".concat(
t)}]}function yt(e){return"&platform=".concat(wn[e].parameter)}function St(e,t){return t.guessed&&e.status==="OK"?{...e,
status:"OK (as ".concat(t.name,")")}:e}var bt={status:"INVALID_INPUT",message:"A handle exists on several platforms. Ent\
er a URL, or the platform as the last argument: ".concat(gn.join(", "),".")};function Rt(e,t,n){if(t.length===0)return[];if(n.key===null)return[{values:[...t],rows:We(n),warnings:[]}];let r="".concat(
n.origin).concat(e.path,"?").concat(e.query),{requests:o,unsent:s}=st(r,e,t),i=U(o.map(({url:m})=>m),n.key,n.network,{at_once:e.
at_once??o.length,deadline_ms:e.deadline_ms??D(n.network)}),a=o.map((m,d)=>{let w=i[d],h=w?.ok===!0?w.warnings:[];return{
values:m.values,rows:il(w,e.columns),warnings:h}}),l=s.map(m=>({values:[m],rows:al,warnings:[]})),u=new Map(t.map((m,d)=>[
m,d])),c=({values:[m=""]})=>u.get(m)??0;return[...a,...l].sort((m,d)=>c(m)-c(d))}function bn(e,t,n){let r=Rt(e,t,n).flatMap(
({values:o,rows:s})=>{let i=yn(s)?s:M,a=yn(s)||s.length!==o.length?[]:s;return o.map((l,u)=>[l,a[u]??Sn(l,i)])});return new Map(
r)}function xt(e,t,n){let r=new Set;return[...Rt(e,t,n).flatMap(({values:s,rows:i,warnings:a})=>{if(yn(i))return s.map(l=>Sn(
l,i));if(i.length===0){let l=a.length===0?kt:{...kt,message:a.join(" ")};return s.map(u=>Sn(u,l))}for(let l of a)r.add(l);
return i}),...[...r].map(s=>({status:"NOTE",message:s}))]}function yn(e){return!Array.isArray(e)}function il(e,t){if(e?.
ok===!1)return e.failure;let n=f(e?.data),r=n?.columns,o=n?.rows;return!Array.isArray(r)||!Array.isArray(o)||!o.every(Array.
isArray)||!t.every(s=>r.includes(s))?M:o.map(s=>Object.fromEntries(t.map(i=>[i,s[r.indexOf(i)]])))}function Sn(e,{code:t,
message:n}){return{[ht(e)?"item_id":"url"]:e,status:t,message:n}}var ge={code:"API_KEY_NOT_SET",message:"Set an API key \
in the menu of the add-on."};function We({no_key:e=ge.code}){return e===ge.code?ge:{code:e,message:x({code:e,message:""})}}
var kt={code:"NO_DATA",message:"There is nothing to show."},al={code:"INVALID_INPUT",message:"This text is too long for \
a request."},M={code:"SERVER_ANSWER_UNREADABLE",message:"The answer of the server does not have the expected form. Try a\
gain later."};var ll=100,kn=21600,ul=95e3,At="claims";function Jr(e,t,n){let r=Re(e).toString(36),o=i=>"".concat(r," ").concat(i),s=i=>Re(
o(i)).toString(36);return{read(i){let a=xn(t,[...new Set(i.map(_t))]);return new Map(i.flatMap(l=>{let u=a[_t(l)]?.[o(l)];
return u===void 0?[]:[[l,u]]}))},write(i){let a=[...new Set([...i.keys()].map(_t))],l=xn(t,a);for(let[c,m]of i){let d=_t(
c);l[d]={...l[d],[o(c)]:m}}let u=Object.entries(l).map(([c,m])=>[c,ml(m)]);t.write(Object.fromEntries(u),kn)},claimed(i){
let a=Rn(t,n());return new Set(i.filter(l=>a[s(l)]!==void 0))},claim(i,a){let l=Rn(t,n());for(let u of i)l[s(u)]=a;t.write(
{[At]:JSON.stringify(l)},kn)},release(i){let a=Rn(t,n());for(let l of i)delete a[s(l)];t.write({[At]:JSON.stringify(a)},
kn)}}}function Rn(e,t){let n=xn(e,[At])[At]??{};return Object.fromEntries(Object.entries(n).filter(([,r])=>r>t))}function _t(e){
return"rows_".concat(Re(e)%ll)}function xn(e,t){let n=Object.entries(e.read(t)).flatMap(([r,o])=>{let s=cl(o);return s===
null?[]:[[r,s]]});return Object.fromEntries(n)}function cl(e){try{return f(JSON.parse(e))}catch{return null}}function ml(e){
let t=Object.entries(e).sort(([,r],[,o])=>Yr(o)-Yr(r)),n=JSON.stringify(Object.fromEntries(t));for(;t.length>0&&he(n)>ul;)
t.splice(Math.floor(t.length*.8)),n=JSON.stringify(Object.fromEntries(t));return n}function Yr({row:e,failure:t}){return e?.
received_ms??t?.received_ms??0}var pl=100,Qr=700,fl=1e4,dl=1e4,hl=6*36e5,gl=6e4,wl=new Set(["RATE_LIMITED","SERVER_UNREACHABLE","SERVER_UNAVAILABLE","S\
ERVICE_UNAVAILABLE","NOT_IN_TIME","SERVER_ANSWER_UNREADABLE","INTERNAL","SOURCE_TIMEOUT","SOURCE_CAPACITY","SOURCE_UNAVA\
ILABLE"]),yl="OK (older)";function Zr(e,t,n){let{network:r,key:o,cells:s,origin:i}=n,{query:a,freshness:l}=e;if(o===null||
s===void 0||t.length===0)return bn(Xr(a,l.parameter),t,n);let u=a.deadline_ms??D(r),c=Jr("".concat(i).concat(a.path,"?").
concat(a.query,"&key=").concat(o),s,r.now),m={plan:e,store:c,cells:s,network:r,deadlineMs:u},d=c.read(t),w=t.filter(b=>!_n(
d.get(b),m)),h=e.one_cell===null?w:Sl(w,e.one_cell,m),y=kl(e,h,n,u);y.size>0&&s.hold(()=>Rl(c,y,r.now()));let S=w.length===
0?d:c.read(t);return new Map(t.map(b=>[b,xl(y.get(b),S.get(b),m)]))}function Sl([e],t,n){let{store:r,cells:o,network:s,deadlineMs:i}=n;
if(e===void 0)return[];let a=null;for(;;){if(r.claimed([e]).size===0){a??(a=o.neighbours(t,e).filter(u=>V(u)===V(e)));let l=o.
hold(()=>bl(e,a??[],n));if(l.length>0)return l}if(_n(r.read([e]).get(e),n))return[];if(s.now()+fl>i)return[e];s.sleep(Qr+
s.random()*Qr)}}function bl(e,t,n){let{store:r,deadlineMs:o}=n,s=[e,...t],i=r.read(s),a=r.claimed(s),l=s.filter(c=>!a.has(
c)&&!_n(i.get(c),n));if(l[0]!==e)return[];let u=l.slice(0,pl);return r.claim(u,o),u}function kl({query:e,freshness:t},n,r,o){
let s=(u,c)=>bn({...Xr(e,u),deadline_ms:o},c,r),i=s(t.parameter,n),{refreshed_ms:a}=t;if(a===null||t.parameter==="fresh=\
true")return i;let l=n.filter(u=>{let c=i.get(u),m=c?.cached===!1;return c?.status==="OK"&&!m&&eo(c,a)<a-gl});return new Map(
[...i,...s("fresh=true",l)])}function Xr(e,t){return{...e,query:"".concat(t,"&").concat(e.query)}}function Rl(e,t,n){let r=[
...t.keys()],o=e.read(r),s=[...t].map(([i,a])=>a.status!=="OK"?[i,{...o.get(i),failure:{received_ms:n,cells:a}}]:[i,{row:{
retrieved_ms:eo(a,n),received_ms:n,cells:a}}]);e.write(new Map(s)),e.release(r)}function eo(e,t){let n=Date.parse(String(
e.retrieved_at));return Number.isNaN(n)?t:n}function _n(e,{plan:t,network:n}){let{row:r,failure:o}=e??{},s=o!==void 0&&n.
now()-o.received_ms<dl;return t.one_cell!==null&&s&&no(o.received_ms,t.freshness)?!0:to(r,t.freshness)}function to(e,t){
return e!==void 0&&e.retrieved_ms>=t.oldest_ms&&no(e.received_ms,t)}function no(e,{refreshed_ms:t}){return t===null||e>=
t}function xl(e,t,{plan:n}){let{row:r,failure:o}=t??{},s=e??(to(r,n.freshness)?void 0:o?.cells);if(s?.status==="OK")return s;
if(r===void 0)return s??{};let i={...r.cells,cached:!0,credits_charged:0};return s===void 0?i:wl.has(String(s.status))&&
r.retrieved_ms>=n.freshness.oldest_ms-hl?{...i,status:yl,message:s.message}:s}var _l=2e3,Al=50,Cl=6,vl=["cached","credits_charged"];function Ct(e,t,n){let r=rt(e.fields,t.columns);return An(e,r,t,n).
map(s=>r.map(i=>Q(s?.[i])))}function An(e,t,n,r){let o=Hr(e.urls,n.example),s=r.network.now(),i=wr(e.max_age,s),a=[...new Set(
o.filter(S=>S!==""))];xe(a.length,_l,n.what);let l=n.handles?gt(e.platform,a):null,u=n.handles?a.filter(V):[],c=[...new Set(
[...t,"retrieved_at","cached"])],m=D(r.network),w=i.oldest_ms<s&&!vl.some(S=>t.includes(S))&&!Array.isArray(e.urls)?n.formula:
null,h=(S,b)=>{let z={path:n.path,query:"fields=".concat(c.join(",")).concat(S),name:"url",columns:c,per_request_max:Al,
at_once:Cl,deadline_ms:m};return Zr({query:z,freshness:i,one_cell:w},b,r)},y=h("",a.filter(S=>!u.includes(S)));if(l===null)
for(let S of u)y.set(S,bt);else for(let[S,b]of h(yt(l.name),u))y.set(S,St(b,l));return o.map(S=>y.get(S)??null)}function ie(e,t,n){let r=An(e,["status",t.field,"message"],t,n);return Array.isArray(e.urls)?r.map(o=>[Tl(o,t.field)]):Ol(
r[0]??null,t)}function Ol(e,{field:t,label:n}){if(e===null)return"";let r=e[t];if(typeof r=="number")return r;if(String(
e.status).startsWith("OK"))throw new Error("The platform does not show ".concat(n,"."));let o={code:String(e.status),message:String(
e.message??"")};throw new Error("".concat(x(o)," (").concat(o.code,")"))}function Tl(e,t){let n=e?.[t];return typeof n==
"number"?n:""}var Il={formula:"SOCIAL_COMMENTS",path:"/v1/workflows/post",columns:v,what:"posts",example:"the URL of a post or a colum\
n of them, such as A2:A50",handles:!1,field:"comments",label:"the number of comments"};function ro(e,t,n){return ie({urls:t,
max_age:n},Il,e)}var oo={order:10,label:"Comments, as a number",takes:"Post URLs",args:["area","max_age"],choices:[],usual:[],
estimate:{route:"post",unit:"post",per_request_max:50,rows_max:200,most:1},gives:"the number of comments on a post or vi\
deo, a plain number",costs:"as SOCIAL_POST; both share the stored data"};function so(e,t){return El(e)}function El(e){if(e.key===null)throw Cn(We(e));let[t]=U(["".concat(e.origin,"/v1/credit/ba\
lance")],e.key,e.network);if(t?.ok===!1)throw Cn(t.failure);let n=f(t?.data)?.credits_remaining;if(typeof n!="number")throw Cn(
M);return n}function Cn(e){return new Error("".concat(x(e)," (").concat(e.code,")"))}var io={order:6,label:"Credits left",
takes:"",args:[],choices:[],usual:[],estimate:null,gives:"the balance, a number",costs:"0"};var Ll={formula:"SOCIAL_FOLLOWERS",path:"/v1/workflows/profile",columns:te,what:"profiles",example:"a profile URL or a c\
olumn of them, such as A2:A50",handles:!0,field:"followers",label:"the number of followers"};function ao(e,t,n,r){return ie(
{urls:t,platform:n,max_age:r},Ll,e)}var lo={order:7,label:"Followers, as a number",takes:"Profile URLs",args:["area","pl\
atform","max_age"],choices:[],usual:[],estimate:{route:"profile",unit:"profile",per_request_max:50,rows_max:200,most:1},
gives:"the number of followers or subscribers, a plain number",costs:"as SOCIAL_PROFILE; both share the stored data"};var Nl={formula:"SOCIAL_LIKES",path:"/v1/workflows/post",columns:v,what:"posts",example:"the URL of a post or a column o\
f them, such as A2:A50",handles:!1,field:"likes",label:"the number of likes"};function uo(e,t,n){return ie({urls:t,max_age:n},
Nl,e)}var co={order:9,label:"Likes, as a number",takes:"Post URLs",args:["area","max_age"],choices:[],usual:[],estimate:{
route:"post",unit:"post",per_request_max:50,rows_max:200,most:1},gives:"the number of likes of a post or video, a plain \
number",costs:"as SOCIAL_POST; both share the stored data"};var Pl={formula:"SOCIAL_POST",path:"/v1/workflows/post",columns:v,what:"posts",example:"the URL of a post or a column of\
 them, such as A2:A50",handles:!1};function mo(e,t,n,r){return Ct({urls:t,fields:n,max_age:r},Pl,e)}var po={order:3,label:"\
Single posts and videos",takes:"Post URLs",args:["area","fields","max_age"],choices:v.known,usual:v.usual,estimate:{route:"\
post",unit:"post",per_request_max:50,rows_max:200,most:1},gives:"one row for each URL of a post or video",costs:"1 credi\
t for each URL that is fetched again; 0 while the stored data is young enough"};var Fl=40,Ml=20;function fo(e,t,n,r,o,s){return $l({profiles:t,limit:n,fields:r,max_age:o,platform:s},e)}function $l(e,t){
let n=ft(e.profiles,"a profile URL or a range of them, such as A2:A20"),r=dt(e.limit,"limit",1,Ml),o=rt(e.fields,v),s=Pe(
e.max_age,t.network.now());xe(n.length,Fl,"profiles");let i=gt(e.platform,n),a=D(t.network),l="".concat(s).concat(r===null?
"":"&limit=".concat(r)),u=(h,y)=>{let S={path:"/v1/workflows/posts",query:"".concat(l,"&fields=").concat(o.join(",")).concat(
h),name:"url",per_request_max:1,columns:o,deadline_ms:a};return xt(S,y,t)},c=n.filter(V),m=n.filter(h=>!V(h)),d=i===null||
c.length===0?c.map(h=>({url:h,...bt})):u(yt(i.name),c).map(h=>St(h,i)),w=[...u("",m),...d];return w.length===0?[o.map(()=>"")]:
w.map(h=>o.map(y=>Q(h[y])))}var ho={order:2,label:"Latest posts of profiles",takes:"Profile URLs, up to 40",args:["area",
"limit","fields","max_age","platform"],choices:v.known,usual:v.usual,estimate:{route:"posts",unit:"profile",per_request_max:1,
rows_max:10,most:4},gives:"the latest posts of up to 40 profiles, one row for each post. limit is 1 to 20 posts for each\
 profile; without it you get 3",costs:"for each profile that is fetched again: 2 credits. On YouTube 3, or 4 when the li\
nk has no channel ID (such as /@name) and the channel was not looked up in the last day"};var Ul={formula:"SOCIAL_PROFILE",path:"/v1/workflows/profile",columns:te,what:"profiles",example:"a profile URL or a col\
umn of them, such as A2:A50",handles:!0};function go(e,t,n,r,o){return Ct({urls:t,fields:n,max_age:r,platform:o},Ul,e)}var wo={
order:1,label:"Profiles",takes:"Profile URLs",args:["area","fields","max_age","platform"],choices:te.known,usual:te.usual,
estimate:{route:"profile",unit:"profile",per_request_max:50,rows_max:200,most:1},gives:"one row for each profile URL",costs:"\
1 credit for each profile that is fetched again; 0 while the stored data is young enough (see max_age)"};var vt=["totals","items","series","notes","coverage"],Dl={totals:Kl,items:Bl,series:Wl,notes:Vl,coverage:ql};function Ot(e){
return[e.campaign,e.totals,e.coverage].every(n=>f(n)!==null)&&[e.items,e.series,e.notes].every(Array.isArray)}function ko(e,t){
return Dl[e](t)}var yo=["start","end","change","change_percent","items","items_missing","quality"];function Kl(e){let t=Object.
entries(f(e.totals)??{});return{columns:["metric",...yo],rows:t.map(([n,r])=>[n,...Z(r,yo)])}}var So=["name","platform",
"kind","url","item_id"],bo=["start","end","change","change_percent","quality"];function Bl(e){let t=Ve(e.items),n=[...new Set(
t.flatMap(r=>Object.keys(f(r.metrics)??{})))];return{columns:[...So,"item_status","first_observed_at (UTC)","last_observ\
ed_at (UTC)",...n.flatMap(r=>bo.map(o=>"".concat(r,"_").concat(o))),"engagement_rate_by_views_percent","engagement_rate_\
formula","gaps"],rows:t.map(r=>[...Z(r,So),r.status,ae(r.first_observed_at),ae(r.last_observed_at),...n.flatMap(o=>Z(f(r.
metrics)?.[o],bo)),...Z(Ve(r.rates)[0],["percent","formula"]),Ve(r.gaps).map(Gl).join("; ")])}}function Gl({from:e,to:t,
cause:n}){return"".concat(ae(e),"/").concat(ae(t)," ").concat(n)}function Wl(e){let t=["value","items","items_missing","\
quality"];return{columns:["platform","metric","step","at (UTC)",...t],rows:Ve(e.series).flatMap(n=>Ve(n.points).map(r=>[
...Z(n,["platform","metric","step"]),ae(r.at)?.slice(0,10),...Z(r,t)]))}}function Vl(e){let t=Array.isArray(e.notes)?e.notes:
[],n=e.method===void 0?[]:[["method",e.method]];return{columns:["kind","text"],rows:[...t.map(r=>["note",r]),...n]}}function ql(e){
let t=["expected_observations","observations","items","items_never_observed"],{campaign:n,coverage:r}=e;return{columns:[
"campaign","campaign_id","campaign_status","report_name","report_id","final","period_start (UTC)","period_end (UTC)","ge\
nerated_at (UTC)","history_days","partial_period",...t],rows:[[...Z(n,["name","id","status"]),...Z(e,["report_name","rep\
ort_id","final"]),ae(e.period_start),ae(e.period_end),ae(e.generated_at),...Z(e,["history_days","partial_period"]),...Z(
r,t)]]}}function Z(e,t){let n=f(e);return t.map(r=>n?.[r])}function Ve(e){return Array.isArray(e)?e.map(t=>f(t)??{}):[]}
function ae(e){return typeof e=="number"&&Math.abs(e)<=jl?new Date(e).toISOString():void 0}var jl=864e13;function xo(e,t,n,r){return Hl(t,n,e)}function Hl(e,t,n){let r=zl(e),[o="totals",s]=Le(t);if(s!==void 0)throw new Error(
"Enter one section.");let i=pe(o,vt,"section");if(r==="")return[[""]];let{report:a,failure:l}=Yl(r,n),u=ko(i,a??{});return l!==
void 0?Ro(u,l):u.rows.length===0?Ro(u,kt):[_o(u),...u.rows.map(c=>["OK",...c.map(Q)])]}function zl(e){let t=[e].flat(2),
[n]=t;if(t.length!==1||n===void 0||n instanceof Date)throw new Error("Enter one campaign by its ID or its exact name, as\
 text.");return String(n??"").trim()}function _o({columns:e}){return["status",...e]}function Ro(e,{code:t,message:n}){let r=_o(
e);return[r,r.map((o,s)=>[t,n][s]??"")]}function Yl(e,t){let{key:n,network:r,origin:o}=t;if(n===null)return{failure:We(t)};
let s=D(r),i=c=>U(["".concat(o).concat(c)],n,r,{deadline_ms:s})[0]??Jl,a=ht(e)?e:Ql(e,i("/v1/workflows/campaigns"));if(typeof a!=
"string")return{failure:a};let l=i("/v1/workflows/campaign-report?id=".concat(encodeURIComponent(a)));if(!l.ok)return{failure:l.
failure};let u=f(l.data);return u!==null&&Ot(u)?{report:u}:{failure:M}}var Jl={ok:!1,failure:M};function Ql(e,t){if(!t.ok)
return t.failure;let n=f(t.data)?.items;if(!Array.isArray(n))return M;let r=n.map(i=>({id:String(f(i)?.id),name:String(f(
i)?.name).trim()})),o=r.flatMap(i=>i.name===e?[i.id]:[]),[s]=o;return s===void 0?Zl(e,r.map(i=>i.name)):o.length===1?s:{
code:"CAMPAIGN_NAME_NOT_UNIQUE",message:"".concat(o.length," campaigns have this name. Enter the ID of one, such as ").concat(
s,".")}}function Zl(e,t){let n=t.length===0?"The workspace has no campaigns yet.":'Did you mean "'.concat(Ne(e,t),'"?');
return{code:"CAMPAIGN_NOT_FOUND",message:"There is no campaign of this name. ".concat(n)}}var Ao={order:5,label:"Campaig\
n report",takes:"",args:["campaign","section"],choices:[],usual:[],estimate:null,gives:"one part of the newest weekly re\
port, with headings: totals, items, series (numbers over time), notes or coverage (which numbers exist). Your workspace \
must have bought a credit pack once",costs:"0"};var we={followers:1,following:null,posts:null,views:2,likes:4,comments:null,shares:null,favorites:null,total_views:3};var Xl=200,eu=20,tu=365,Co=Object.keys(we),Tt=["status","name","metric","observed_at","value","quality","item_id","url",
"source","message"];function vo(e,t,n,r,o){return nu({items:t,metrics:n,days:r},e)}function nu(e,t){let n=ft(e.items,"a \
tracked item by its ID or URL, or a range of them"),r=Le(e.metrics).map(u=>pe(u,Co,"metric")),o=dt(e.days,"days",1,tu);xe(
n.length,Xl,"items");let s=r.length===0?"":"&metric=".concat([...new Set(r)].join(",")),i={path:"/v1/workflows/tracked",
query:"fields=".concat(Tt.join(",")).concat(s).concat(o===null?"":"&days=".concat(o)),name:"item",per_request_max:eu,columns:Tt},
a=xt(i,n,t);return[Tt.map(u=>u==="observed_at"?"observed_at (UTC)":u),...a.map(u=>Tt.map(c=>Q(u[c])))]}var Oo={order:4,label:"\
History of tracked items",takes:"IDs or URLs of tracked items",args:["area","metrics","days"],choices:Co,usual:["followe\
rs"],estimate:null,gives:"the daily history of up to 200 items that you track, with headings. Start under *Tracking* in \
the [dashboard](tracking.md)",costs:"0; each successful daily check costs 1 credit"};var ru={formula:"SOCIAL_VIEWS",path:"/v1/workflows/post",columns:v,what:"posts",example:"the URL of a post or a column o\
f them, such as A2:A50",handles:!1,field:"views",label:"the number of views"};function To(e,t,n){return ie({urls:t,max_age:n},
ru,e)}var Io={order:8,label:"Views, as a number",takes:"Post URLs",args:["area","max_age"],choices:[],usual:[],estimate:{
route:"post",unit:"post",per_request_max:50,rows_max:200,most:1},gives:"the number of views of a post or video, a plain \
number",costs:"as SOCIAL_POST; both share the stored data"};function Eo(e,t){let n=t.reduce((r,o,s)=>o===null?r:s,-1);return"=".concat(e,"(").concat(t.slice(0,n+1).map(ou).join("; "),
")")}function ou(e){return e===null?"":"area"in e?e.area:"number"in e?String(e.number):'"'.concat(e.text.replace(/"/g,'"\
"'),'"')}function Lo(e,t){return"'".concat(e.replace(/'/g,"''"),"'!").concat(t)}var Po=Object.entries(vn).map(([e,t])=>({name:e,...t})).sort((e,t)=>e.order-t.order),Fo=Object.fromEntries(Po.map(({name:e,
args:t})=>[e,t.includes("max_age")?t.indexOf("max_age"):t.length]));function X(e){return Po.find(t=>t.name===e)}function It(e,t){
let n=X(e.name);if(n===void 0)return{missing:"Choose a function."};let r=[];for(let o of n.args){let s=su(o,e,n,t);if(s!==
null&&"missing"in s)return s;r.push(s)}return{formula:Eo(n.name,r)}}function su(e,t,n,r){let{area:o}=t;if(e==="area")return o===
null||!/^[A-Z]{1,3}\d+(:[A-Z]{1,3}\d+)?$/.test(o.a1)?{missing:"Pick the cells first."}:{area:o.sheet===r?o.a1:Lo(o.sheet,
o.a1)};if(e==="limit")return No(t.limit,20,"Posts of each profile");if(e==="days")return No(t.days,365,"Days back");if(e===
"campaign")return t.campaign===""?{missing:"Choose a campaign."}:{text:t.campaign};if(e==="section")return Mo(t.section,
vt,"Choose a section.");if(e==="max_age")return iu(t.max_age);if(e==="platform")return null;let s=n.choices.filter(i=>t.
ticked.includes(i));return s.length===0?{missing:"Tick at least one ".concat(e==="metrics"?"metric":"field",".")}:{text:s.
join(",")}}function iu(e){return e===re?null:e===T?{area:T}:Mo(e,Y,"Choose an age.")}function Mo(e,t,n){return t.includes(
e)?{text:e}:{missing:n}}function No(e,t,n){if(e==="")return null;let r=/^\d{1,3}$/.test(e)?Number(e):0;return r>=1&&r<=t?
{number:r}:{missing:"".concat(n," must be a whole number from 1 to ").concat(t,".")}}var $o=/"(?:[^"]|"")*"|(?<![\w!'.])SOCIAL_[A-Z_]+(?=\s*\()/gi,Uo=/"(?:[^"]|"")*"|(?<![\w!'.])SOCIAL_REFRESH(?![\w(])(?:\s*&\s*" fresh [0-9TZ:.-]+")?/gi;
function Do(e){return(e.match($o)??[]).some(t=>!t.startsWith('"'))}function Ko(e,t){return e.replace(Uo,n=>n.startsWith(
'"')?n:T+t)}function Et(e){return(e.match(Uo)??[]).some(t=>!t.startsWith('"'))}var au=/ [0-9-]+T[0-9:.]+Z"$/;function Bo(e,t){
return[...e.matchAll($o)].filter(([r])=>!r.startsWith('"')).reverse().reduce((r,{0:o,index:s})=>{let i=Fo[o.toUpperCase()],
a=r.indexOf("(",s+o.length)+1,l=uu(r,a);if(i===void 0||l===null)return r;let u=r[a+(l[0]?.length??0)]===","?",":";",c=[...l,
...Array.from({length:Math.max(0,i+1-l.length)},()=>"")];c[i]=lu(c[i]??"",t);let m=a+l.join(" ").length;return r.slice(0,
a)+c.join(u)+r.slice(m)},e)}function lu(e,t){let[,n="",r=""]=/^(\s*)([\s\S]*)$/.exec(e)??[];return r===""?"".concat(n,'"').
concat(re," ").concat(t,'"'):/^"[^"]*"$/.test(r)?"".concat(n).concat(r.replace(au,'"').slice(0,-1)," ").concat(t,'"'):"".
concat(n).concat(r.replace(/\s*&\s*" [0-9-]+T[0-9:.]+Z"$/,""),'&" ').concat(t,'"')}function uu(e,t){let n=[],r=/"(?:[^"]|"")*"|'(?:[^']|'')*'|[({})]|[,;]/g,
[o,s]=[0,t];r.lastIndex=t;for(let i=r.exec(e);i!==null;i=r.exec(e)){let[a]=i;if(a==="("||a==="{")o+=1;else if(o===0&&(a===
","||a===";"||a===")")){if(n.push(e.slice(s,i.index)),s=i.index+1,a===")")return n}else(a===")"||a==="}")&&(o-=1)}return null}var Go=["selection","sheet","file"];function qe(e){let t=SpreadsheetApp.getActiveSpreadsheet();if(e==="file")return t.getSheets().
flatMap(s=>On(s.getDataRange()));if(e==="sheet")return On(t.getActiveSheet().getDataRange());let r=(t.getActiveRangeList()?.
getRanges()??[]).flatMap(cu).flatMap(On),o=new Set;return r.filter(({row:s,column:i})=>o.size<o.add("".concat(s,",").concat(
i)).size)}function cu(e){let t=e.getSheet(),n=Math.min(e.getLastRow(),t.getLastRow())-e.getRow()+1,r=Math.min(e.getLastColumn(),
t.getLastColumn())-e.getColumn()+1;return n<1||r<1?[]:[e.offset(0,0,n,r)]}function On(e){let t=e.getSheet();return e.getFormulas().
flatMap((n,r)=>n.flatMap((o,s)=>Do(o)?[{sheet:t,row:e.getRow()+r,column:e.getColumn()+s,formula:o}]:[]))}function _e(e){
let t=[...e].sort((r,o)=>r.sheet.getSheetId()-o.sheet.getSheetId()||r.column-o.column||r.row-o.row),n=[];for(let{sheet:r,
row:o,column:s,formula:i}of t){let a=n[n.length-1];a!==void 0&&a.sheet.getSheetId()===r.getSheetId()&&a.column===s&&a.row+
a.formulas.length===o?a.formulas.push(i):n.push({sheet:r,row:o,column:s,formulas:[i]})}return n}function Tn({sheet:e,row:t,
column:n,formulas:r}){return e.getRange(t,n,r.length,1)}function je(e){Tn(e).setFormulas(e.formulas.map(t=>[t]))}function Wo(e){let t=Go.find(o=>o===e);if(t===void 0)throw new p("Choose the selection, the sheet or the file.");let{message:n,
formulas:r}=A(()=>t==="file"?mu():pu(t));return F({what:"Refresh of the ".concat(t),rows:r,ok:r,failed:0,credits:null,message:n}),
{ok:!0,message:n}}function mu(){if(!He())throw new p("This file has no refresh cell. Select an empty cell, choose Refres\
h in the menu, and use ".concat(T," as max_age in your formulas."));let e=qe("file").filter(({formula:n})=>Et(n)).length;
return{message:"".concat(In(e)," with ").concat(T," refreshed ").concat(qo()),formulas:e}}function He(){let e=SpreadsheetApp.
getActiveSpreadsheet().getRangeByName(T);return e?.setValue(P(Sr(e.getValue(),g.now()))),e!==null}function pu(e){let t=qe(
e);if(t.length===0)throw new p(En(e));let n=new Date(g.now()).toISOString(),r='&" fresh '.concat(n,'"'),o=t.filter(({formula:a})=>Et(
a));o.length>0&&fu();let s=t.filter(({formula:a})=>!Et(a));for(let a of _e(o.map(l=>({...l,formula:Ko(l.formula,r)}))))je(
a);for(let a of _e(s.map(l=>({...l,formula:Bo(l.formula,n)}))))je(a);SpreadsheetApp.flush();let i=[];return o.length>0&&
i.push("".concat(In(o.length)," refreshed ").concat(qo())),s.length>0&&i.push("".concat(In(s.length)," refreshed: only d\
ata older than the formula's own max_age (1d when empty) is replaced.")),{message:i.join(" "),formulas:t.length}}function fu(){
let e=Vo(),[t=""]=String(e).trim().toLowerCase().split(/\s+/);if(!(t===""||Y.some(n=>n===t)))throw new p("The refresh ce\
ll does not contain a max_age such as fresh or 7d. Refresh the whole file once to reset it.")}function Vo(){return SpreadsheetApp.
getActiveSpreadsheet().getRangeByName(T)?.getValue()??""}function qo(){let[e=""]=String(Vo()).trim().split(/\s+/),t=e===
""||e==="fresh"?"with new data":"with new data for rows older than ".concat(e);return"".concat(t,", which may cost credi\
ts.")}function In(e){return e===1?"1 formula":"".concat(e," formulas")}function En(e){return e==="selection"?"The select\
ion has no SOCIAL_ formula. Select the cell that holds the formula, not only the rows it fills.":"This ".concat(e," has \
no SOCIAL_ formula.")}var Ln={file:"in this file",account:"with your account"};function Nn(){SpreadsheetApp.getUi().createAddonMenu().addItem(
"Open sidebar","openSidebar_").addItem("Refresh","refresh_").addSeparator().addItem("Set API key…","setKey_").addItem(
"Forget API key","forgetKey_").addItem("About and balance","showBalance_").addToUi()}function jo(){let e=SpreadsheetApp.
getUi();Ir(it);let t=HtmlService.createHtmlOutputFromFile("Sidebar").setTitle("Tidemark");e.showSidebar(t.append('<p id=\
"opened-by" hidden>'.concat(ct(),"</p>")))}function Ho(){let e=SpreadsheetApp.getUi(),t=e.prompt("Set API key",G()==="bo\
und"?"Paste a sheet key from your dashboard. It is saved in this file, and everyone who can edit the file can use it up \
to its monthly limit.":"Paste an API key from your dashboard. We recommend a sheet key.",e.ButtonSet.OK_CANCEL);if(t.getSelectedButton()!==
e.Button.OK)return;let n=lt(t.getResponseText());if(n===null){Ae(e,"This is not an API key","Copy the whole key from you\
r dashboard and try again.");return}let r=Be(n),o=du(r);if(o!==null){Ae(e,"The key was not saved",x({code:o,message:""}));
return}let s=G()==="bound"?"file":hu(e);s!==null&&(ut(k(),s,n),s==="account"&&Me(k(),!0),Ae(e,"The key was saved","".concat(
Ue(n)," is saved ").concat(Ln[s],". ").concat(Qo(r))))}function du(e){if(e?.ok===!0)return pt(e.data)?null:"SHEET_KEY_NE\
EDED";let t=e?.failure.code??"SERVER_UNREACHABLE";return t==="INVALID_API_KEY"||G()==="bound"?t:null}function hu(e){let t=e.
alert("Save the key in this file?","Yes: everyone who can edit this file can use its credits in formulas. No: the key is\
 saved with your account. If you own this file, formulas in it use the key too, including those of other editors.",e.ButtonSet.
YES_NO_CANCEL);return t===e.Button.YES?"file":t===e.Button.NO?"account":null}function zo(){let e=SpreadsheetApp.getUi(),
t=$r(k());Ae(e,"Forget API key",t===null?"No API key is saved.":"The key saved ".concat(Ln[t]," was removed."))}function Yo(){
let e=SpreadsheetApp.getUi(),t=SpreadsheetApp.getActiveSpreadsheet();t.getRangeByName(T)===null&&!gu(e,t)||He()}function gu(e,t){
let n=t.getCurrentCell();return n===null||n.getValue()!==""?(Ae(e,"There is no refresh cell yet","Select an empty cell a\
nd choose Refresh again."),!1):e.alert("There is no refresh cell yet","Make ".concat(n.getA1Notation()," the refresh cel\
l? Then use ").concat(T," as the last argument of your formulas. ")+"Refresh gets new data for them, which costs credits\
. Type 7d into the cell to replace only data older than 7 days.",e.ButtonSet.OK_CANCEL)!==e.Button.OK?!1:(t.setNamedRange(
T,n),!0)}function Jo(){let e=SpreadsheetApp.getUi(),t=fe(k()),n=t===null?"No API key is saved.":"API key ".concat(Ue(t.key),
", saved ").concat(Ln[t.location],". ").concat(Qo(Be(t.key)));Ae(e,"About","".concat(n," Server: https://address-of-the-\
server.invalid"))}function Qo(e){if(e===void 0||!e.ok){let n=e?.failure??{code:"SERVER_UNREACHABLE",message:""};return"T\
he balance could not be read: ".concat(x(n)," (").concat(n.code,")")}let t=f(e.data)?.credits_remaining;return typeof t!=
"number"?"The server did not return the balance.":t===1?"1 credit is left.":"".concat(t," credits are left.")}function Ae(e,t,n){
e.alert(t,n,e.ButtonSet.OK)}var Lt=["created_at_platform","published_at","retrieved_at"],wu={url:"URL",account_id:"Account ID",id:"ID",author_id:"Au\
thor ID",profile_url:"Profile URL",external_url:"External URL",avatar_url:"Avatar URL",media_url:"Media URL",created_at_platform:"\
Created on platform"};function O(e){let t=wu[e]??e.charAt(0).toUpperCase()+e.slice(1).replace(/_/g," ");return Lt.includes(
e)?"".concat(t," (UTC)"):t}var Zo=1e3,yu=1e3;function Nt(e=null){let t=e===null?SpreadsheetApp.getActiveSpreadsheet().getActiveRange():Su(e);if(t===
null)throw new p("Select the cells with the profile URLs in the sheet.");let n=t.getSheet(),r=Math.min(t.getNumRows(),n.
getLastRow()-t.getRow()+1);if(t.getNumColumns()>1)throw new p("Select one column of profile URLs, such as A2:A50.");if(r<
1)throw new p("The selected cells are empty. Select the cells with the profile URLs.");let s=n.getRange(t.getRow(),t.getColumn(),
r,1).getValues().map(([i])=>String(i??"").trim());if(s.every(i=>i===""))throw new p("The selected cells are empty. Selec\
t the cells with the profile URLs.");return{sheet:n,row:t.getRow(),column:t.getColumn(),cells:s}}function Su(e){let{sheet:t,
a1:n}=f(e)??{},r=SpreadsheetApp.getActiveSpreadsheet().getSheetByName(String(t));if(r===null)throw new p("The picked cel\
ls are no longer there. Pick them again.");return r.getRange(String(n))}function Xo(e){let t=[...new Set(e.filter(n=>n!==
""))];if(t.length>Zo)throw new p("".concat(t.length," profiles are selected; the limit is ").concat(Zo,". Select fewer r\
ows."));return t}function Pt(){let{sheet:e,row:t,column:n,cells:r}=Nt(),o=Xo(r);return{ok:!0,sheet:e.getName(),a1:e.getRange(
t,n,r.length,1).getA1Notation(),urls:o.length,blank:r.filter(s=>s==="").length,first:(o[0]??"").slice(0,yu)}}function es(e,t,n="\
SOCIAL_PROFILE",r=""){let o=X(String(n))?.estimate??null;if(o===null)throw new p("This formula costs no credits.");return Pn(
o,Xo(Nt(t).cells),e,r,null)}function Pn(e,t,n,r,o){let s=J(),i=t.slice(0,e.rows_max),a=bu(e,s.origin,n,r),l=wt(i,o).flatMap(
({texts:w,parameter:h})=>st(a+h,{...e,name:"url"},w).requests),u=l.map(({url:w})=>w),c=s.key===null?[]:U(u,s.key,s.network),
m={cost_min:0,cost_max:t.length*e.most,cached_rows:0,unreadable_rows:0},d=s.key===null?"Connect a key to see which rows \
are already paid for.":null;return c.forEach((w,h)=>{let y=w.ok?f(w.data):null;if(typeof y?.cost!="number"){d=w.ok?"The \
server did not return the cost.":x(w.failure);return}m.cost_min+=y.cost,m.cost_max+=y.cost-(l[h]?.values.length??0)*e.most,
m.cached_rows+=Number(y.cached_rows??0),m.unreadable_rows+=Number(y.unreadable_rows??0)}),t.length>i.length&&(d??(d="Onl\
y the first ".concat(e.rows_max," rows were checked."))),{ok:!0,rows:t.length,...m,note:d}}function bu({route:e},t,n,r){
let o=e==="posts"&&/^\d{1,2}$/.test(String(r))?"&limit=".concat(String(r)):"";return"".concat(t,"/v1/workflows/").concat(
e,"?estimate=true&").concat(Pe(n,g.now())).concat(o)}var Fn="SOCIAL_PROFILE",ku="Loading...",Ru=["API_KEY_NOT_SET","FORMULAS_NOT_ALLOWED"];function ts(e){let t=Nt(e);if(ke(k())===
null)throw new N({code:"FORMULAS_NOT_ALLOWED",message:""});let{sheet:n,row:r,column:o,cells:s}=t,i=ns(),a=xu(t,i.length+
1),l=n.getRange(r,o,s.length,1).getA1Notation(),c=It({...{limit:"",days:"",campaign:"",section:""},name:Fn,area:{sheet:n.
getName(),a1:l},ticked:i,max_age:re},n.getName());if("missing"in c)throw new p(c.missing);let m=n.getRange(r,a);return m.
setFormula(c.formula),{ok:!0,place:{sheet:n.getName(),a1:m.getA1Notation(),rows:s.length}}}function ns(){return X(Fn)?.usual??
[]}function xu({sheet:e,row:t,column:n,cells:r},o){let s=n+1,i=s+o-1<=e.getMaxColumns(),a=Math.max(1,t-1),u=i&&e.getRange(
a,s,t-a+r.length,o).isBlank()?s:Math.max(s,e.getLastColumn()+1),c=u+o-1-e.getMaxColumns();return c>0&&e.insertColumnsAfter(
e.getMaxColumns(),c),u}function rs(e){let t=f(e)??{},n=SpreadsheetApp.getActiveSpreadsheet().getSheetByName(String(t.sheet)),
r=n?.getRange(String(t.a1));if(n===null||r===void 0||!r.getFormula().startsWith("=".concat(Fn,"(")))throw new p("The for\
mula is no longer in its cell.");let o=Math.max(1,Math.min(Number(t.rows),n.getMaxRows()-r.getRow()+1)),s=r.offset(0,0,o,
1).getDisplayValues().flat(),[i=""]=s;if(s.some(l=>Ru.includes(l)))return r.clearContent(),{ok:!0,state:"no_key",good:0,
failed:0};if(i==="#REF!")return{ok:!0,state:"no_space",good:0,failed:0};if(i===ku||s.every(l=>l===""))return{ok:!0,state:"\
loading",good:0,failed:0};_u(n,r.getRow(),r.getColumn());let a=s.filter(l=>l==="OK").length;return{ok:!0,state:"ready",good:a,
failed:s.filter(l=>l!=="").length-a}}function _u(e,t,n){if(t===1)return;let r=["status",...ns()].map(s=>O(s)),o=e.getRange(
t-1,n,1,r.length);o.isBlank()&&o.setValues([r])}var is="sidebar_choices",Au=6e3;function as(){try{let e=PropertiesService.getUserProperties().getProperty(is);return us(
e===null?null:JSON.parse(e))}catch{return{}}}function ls(e){let t=JSON.stringify(us(e));if(t.length>Au)throw new p("The \
choices are too long to be remembered.");return PropertiesService.getUserProperties().setProperty(is,t),{ok:!0}}function us(e){
let{tab:t,asked:n,samples:r,fields:o,ages:s}=f(e)??{};return{...typeof t=="string"?{tab:t}:{},...n===!0?{asked:n}:{},...r===
!0?{samples:r}:{},fields:ss(o,i=>Array.isArray(i)&&i.every(os)),ages:ss(s,os)}}function os(e){return typeof e=="string"}
function ss(e,t){let n={};for(let[r,o]of Object.entries(f(e)??{}))t(o)&&(n[r]=o);return n}var Cu=3;function cs(){let e=de();return{ok:!0,opened_by:e.opened_by,account:e,choices:as(),selection:vu(),runs:Ge().slice(
0,Cu)}}function vu(){try{return Pt()}catch(e){if(e instanceof p)return null;throw e}}function ms(e){let t=SpreadsheetApp.getActiveSpreadsheet(),n=t.getCurrentCell();if(n===null)throw new p("Select the cell\
 for the formula.");let r=n.getSheet(),o=Pu(e),s=It(o,r.getName());if("missing"in s)throw new p(s.missing);if(o.max_age===
T&&t.getRangeByName(T)===null)throw new p("There is no refresh cell yet. To create one, choose Refresh in the menu of th\
e add-on.");let i=n.getA1Notation();if(o.area?.sheet===r.getName()&&Nu(r.getRange(o.area.a1),n))throw new p("".concat(i,
" is one of the cells that the formula reads. Select an empty cell beside them."));if(n.getValue()!==""||n.getFormula()!==
"")throw new p("".concat(i," is not empty. Select an empty cell with empty cells to its right and below."));let a=Ou(o),
l=Tu(n,o,a.length);Eu(l,n);let u=Lu(n,a);if(n.setFormula(s.formula),SpreadsheetApp.flush(),n.getDisplayValue()==="#REF!")
throw n.clearContent(),new p("There is no space for the result in ".concat(i,". Select a cell with empty cells to its ri\
ght and below."));let c=u||a.length===0?"":" There was no space for headings above it.";return{ok:!0,message:"The formul\
a is in ".concat(i,".").concat(c)}}function Ou({name:e,ticked:t}){let n=X(e);return n===void 0||!n.args.includes("fields")?
[]:["Status",...n.choices.filter(o=>t.includes(o)&&o!=="status").map(O)]}function Tu(e,{name:t,area:n},r){let s=X(t)?.estimate?.
per_request_max!==1&&n!==null?Iu.exec(n.a1)?.slice(1).map(Number)??[]:[],[i=1,a=i]=s,l=e.getSheet(),u=Math.min(a-i+1,l.getMaxRows()-
e.getRow()+1);return e.offset(0,0,u,Math.min(Math.max(1,r),l.getMaxColumns()-e.getColumn()+1))}var Iu=/^[A-Z]+(\d+):[A-Z]+(\d+)$/;
function Eu(e,t){let n=e.getValues(),r=n.findIndex(i=>i.some(a=>a!==""));if(r<0)return;let o=n[r]?.findIndex(i=>i!=="")??
0,s=t.offset(r,o).getA1Notation();throw new p("The result needs ".concat(e.getA1Notation(),", and ").concat(s," is not e\
mpty. Select a cell with empty cells to its right and below."))}function Lu(e,t){let n=e.getSheet().getMaxColumns()-e.getColumn()+
1;if(t.length===0||e.getRow()===1||t.length>n)return!1;let r=e.offset(-1,0,1,t.length);return r.isBlank()?(r.setValues([
t.map(P)]),!0):!1}function Nu(e,t){let[n,r]=[t.getRow()-e.getRow(),t.getColumn()-e.getColumn()];return n>=0&&n<e.getNumRows()&&
r>=0&&r<e.getNumColumns()}function Pu(e){let t=f(e)??{},n=s=>typeof t[s]=="string"?t[s]:"",r=f(t.area),o=Array.isArray(t.
ticked)?t.ticked.map(String):[];return{name:n("name"),limit:n("limit"),days:n("days"),campaign:n("campaign"),section:n("\
section"),max_age:n("max_age"),ticked:o,area:r===null?null:{sheet:String(r.sheet),a1:String(r.a1)}}}function I(e=k().document){if(e===null)throw new p("Open a file first.");return e}var ps=[1,2,4,6,8,12,24],ds=36e5,Fu="schedule_in_",fs="schedule_ran_ms",hs=30*6e4,gs="For reports that must always arriv\
e, let the server write them into a spreadsheet: see Spreadsheets on your dashboard.";function ws(){let e=Ce();if(e===null||
e.every_hours===null||Mn().length===0)return{ok:!0,schedule:null};let{every_hours:t,last_ms:n}=e;return{ok:!0,schedule:{
every_hours:t,next:n+t*ds}}}function ys(e){let t=ps.find(r=>r===e);if(t===void 0&&e!==null)throw new p("Choose an interv\
al of ".concat(ps.join(", ")," hours. Google offers no others."));if(Ss({every_hours:t??null,imports:Ce()?.imports??!1}),
t===void 0)return{ok:!0,message:"The schedule of this file is off."};let n=t===24?"every day":t===1?"every hour":"every ".
concat(t," hours");return{ok:!0,message:"Reports and the refresh cell of this file are refreshed ".concat(n,", with your\
 key. ")+"Formulas may not run until someone opens the file. ".concat(gs)}}function Mt(e){let t=Ce();(t?.imports??!1)===
e&&(!e||Mn().length>0)||Ss({every_hours:t?.every_hours??null,imports:e})}function Ss({every_hours:e,imports:t}){Ur("sche\
dule");for(let s of Mn())ScriptApp.deleteTrigger(s);let{user:n}=k();if(n.deleteProperty(Ft()),e===null&&!t)return;let r=Mu(
t?1:e??1),o={every_hours:e,imports:t,last_ms:g.now(),trigger_id:r};n.setProperty(Ft(),JSON.stringify(o))}function bs(){let e=Ce();
return e===null?!0:e.every_hours!==null&&g.now()>=e.last_ms+e.every_hours*ds-hs}function ks(){let e=Ce();e!==null&&k().user.
setProperty(Ft(),JSON.stringify({...e,last_ms:g.now()}))}function $t(){return ScriptApp.getAuthorizationInfo(ScriptApp.AuthMode.
FULL).getAuthorizationStatus()!==ScriptApp.AuthorizationStatus.REQUIRED}function Mu(e){let t=ScriptApp.newTrigger("refre\
shOnSchedule_").timeBased();try{return(e===24?t.everyDays(1):t.everyHours(e)).create().getUniqueId()}catch(n){throw g.log(
"The trigger could not be created: ".concat(String(n))),new p("Google refused the schedule. It always does in a test dep\
loyment of the add-on. ".concat(gs))}}function Mn(){let e=Ce(),t=ScriptApp.getProjectTriggers().filter(n=>n.getUniqueId()===
e?.trigger_id);return t.length>0?t:ScriptApp.getUserTriggers(SpreadsheetApp.getActiveSpreadsheet()).filter(n=>n.getHandlerFunction()===
"refreshOnSchedule_")}function Ft(){return Fu+SpreadsheetApp.getActiveSpreadsheet().getId()}function Ce(){let e=k().user.
getProperty(Ft()),t=e===null?null:f(JSON.parse(e));return(typeof t?.every_hours=="number"||t?.imports===!0)&&typeof t.last_ms==
"number"?t:null}function Rs(){return A(()=>{let e=I(k().document),t=Number(e.getProperty(fs)??Number.NEGATIVE_INFINITY);
return g.now()-t<hs?!1:(e.setProperty(fs,String(g.now())),!0)})}var $u=8e3,Uu=1e5,xs=30,$n="import_";function E(e,t=""){return t===""?$n+e:"".concat($n).concat(e,"_").concat(t)}function ze(){
return"".concat(g.now().toString(36)).concat(Math.floor(g.random()*1e6).toString(36))}function ve(){return _s().filter(n=>/^import_[a-z0-9]+$/.
test(n)).map(n=>n.slice($n.length)).sort().flatMap(n=>le(n)??[]).sort((n,r)=>n.name.localeCompare(r.name))}function _s(){
return PropertiesService.getDocumentProperties().getKeys()}function le(e){let t=I(),n=t.getProperty(E(String(e))),r=n===
null?null:f(JSON.parse(n));if(r===null||!("list"in r.source))return r;let o=[];for(let s=0;;s++){let i=JSON.parse(t.getProperty(
E(r.id,"list_".concat(s)))??"null");if(!Array.isArray(i))break;o.push(...i.map(String))}return{...r,source:{list:o}}}function q(e){
let t=le(e);if(t===null)throw new p("This import was deleted in another window.");return t}function Un(e){if(le(e.id)===
null&&ve().length>=xs)throw new p("This file has ".concat(xs," imports, which is the limit. Delete one first."));let{source:t}=e,
n="list"in t?Du(t.list):[],r=Object.fromEntries(n.map((i,a)=>[E(e.id,"list_".concat(a)),JSON.stringify(i)])),o={[E(e.id,
"list_".concat(n.length))]:"null"},s="list"in t?{...e,source:{list:[]}}:e;Dn({...r,...o,[E(e.id)]:JSON.stringify(s)}),Ut(
i=>/^fill(_\d+)?$/.test(i)),Ut(i=>i.startsWith(E(e.id,"list_"))&&!(i in r))}function ue(e,t){let n=I().getProperty(E(e));
n!==null&&I().setProperty(E(e),JSON.stringify({...JSON.parse(n),...t}))}function Dn(e){try{PropertiesService.getDocumentProperties().
setProperties(e)}catch(t){throw g.log("The properties of the file were refused: ".concat(String(t))),new p("This file ha\
s no space left for imports. Delete an import, or put long lists into a sheet.")}}function As(e){I().deleteProperty(E(e)),
Ut(t=>t.startsWith(E(e,"list_"))),Kn(e)}function Kn(e){I().deleteProperty(E(e,"run")),Ut(t=>t.startsWith(E(e,"run_")))}function Ut(e){
for(let t of _s().filter(e))I().deleteProperty(t)}function Du(e){if(he(JSON.stringify(e))>Uu)throw new p("This list is t\
oo long to be saved. Put it into a sheet and pick its cells.");return Ku(e,$u)}function Ku(e,t){let n=[],r=0;for(let o of e){
let s=he(JSON.stringify(o))+1,i=n[n.length-1];r=i===void 0||r+s>t?s:r+s,i===void 0||r===s?n.push([o]):i.push(o)}return n}var Ye=36e5,Dt=24*Ye,Bu=5,Cs=Ye/2,Gu=3*Ye;function ne(){let{user:e}=k(),t=e.getProperty("import_user");if(t!==null)return t;
let n=Math.floor(g.random()*2**52).toString(36);return e.setProperty("import_user",n),n}function Kt({every_hours:e,weekday:t,
last_ms:n}){if(e<168)return n+e*Ye;let r=Math.floor(n/Dt)*Dt;return Array.from({length:8},(s,i)=>r+i*Dt+Bu*Ye).find(s=>s>
n+Cs&&new Date(s).getUTCDay()===t)??n+7*Dt}function Bn({schedule:e}){return e!==null&&e.by===ne()&&g.now()>=Kt(e)-Cs}function vs(e){
return A(()=>{let t=le(e);return t===null||t.schedule===null||!Bn(t)?!1:(ue(e,{schedule:{...t.schedule,last_ms:g.now()}}),
!0)})}function Os({schedule:e}){if(e===null||g.now()<Kt(e)+Gu)return null;let t=new Date(e.last_ms).toISOString().slice(
0,16).replace("T"," "),n=e.by===ne()?"Perhaps Google needs your permission again, or your time for triggers is used up.":
"The user who scheduled it may have left or lost access.";return"This import has not run on its schedule since ".concat(
t," UTC. ").concat(n," Choose “Schedule with my account” to start it again.")}var Ts={profiles:{label:"Profiles",unit:"profile",formula:"SOCIAL_PROFILE",path:"/v1/workflows/profile",columns:te,usual:[
...te.usual,"followers_quality","retrieved_at"],id:"account_id",per_request_max:50,at_once:2,step_max:20},posts:{label:"\
Posts and videos",unit:"post",formula:"SOCIAL_POST",path:"/v1/workflows/post",columns:v,usual:v.usual,id:"id",per_request_max:50,
at_once:2,step_max:20},latest:{label:"Latest posts of profiles",unit:"profile",formula:"SOCIAL_POSTS",path:"/v1/workflow\
s/posts",columns:v,usual:v.usual,id:"id",per_request_max:1,at_once:5,step_max:10}},Is=Object.keys(Ts);function K(e){return Ts[e]}
function Es(e){return K(e).columns.known.filter(t=>!["url","status","credits_charged"].includes(t))}var Ls=["replace","append","update"],Ns=["photo","shortvideo","longvideo"],Gn=[1,2,4,6,8,12,24,168];var Wu=80,Ps=20;function Wn(e){let t=f(e)??{},n=Oe(t.kind,Is,"Choose what to import."),r=Vu(t.source),o=qu(t.target),s=Oe(
t.mode,Ls,"Choose how to write the rows.");if(o==="beside"&&(n==="latest"||"list"in r||s!=="replace"))throw new p("Rows \
beside the URLs need URLs in cells, one row for each. Choose a cell for the table instead.");let a=(Array.isArray(t.fields)?
[...new Set(t.fields.map(String))]:[]).filter(u=>Es(n).includes(u));if(a.length===0)throw new p("Tick at least one field\
.");let l=t.platform===""||t.platform===null?null:t.platform;return{name:String(t.name??"").trim().slice(0,Wu)||"Import",
kind:n,source:r,target:o,mode:s,fields:a,platform:l===null?null:Oe(l,Ns,"Choose the platform of the handles."),limit:n===
"latest"?ju(t.limit):null,max_age:Oe(t.max_age,Y,"Choose the maximum age of the data."),with_hidden:t.with_hidden===!0}}
function Oe(e,t,n){let r=t.find(o=>o===e);if(r===void 0)throw new p(n);return r}function Vu(e){let t=f(e)??{};if(Array.isArray(
t.list)){let o=t.list.map(s=>String(s).trim()).filter(s=>s!=="");if(o.length===0)throw new p("Type at least one URL, one\
 on each line.");return{list:[...new Set(o)]}}let n=f(t.cells);if(n===null)throw new p("Pick the cells with the URLs, or\
 type a list.");return{cells:{sheet:String(n.sheet),a1:String(n.a1),open:n.open===!0},heading:t.heading===!0}}function qu(e){
let t=f(e);if(t===null)return"beside";let[n,r]=[String(t.sheet??"").trim(),String(t.a1??"A1").toUpperCase()];if(n==="")throw new p(
"Name the sheet for the rows.");if(!/^[A-Z]{1,3}[1-9]\d{0,6}$/.test(r))throw new p("Name one cell for the first heading,\
 such as A1.");return{sheet:n,a1:r}}function ju(e){let t=String(e??"").trim();if(t==="")return null;let n=/^\d{1,2}$/.test(
t)?Number(t):0;if(n<1||n>Ps)throw new p("Posts of each profile must be a whole number from 1 to ".concat(Ps,"."));return n}
function Fs(e){let t=f(e);return t===null?null:{every_hours:Oe(t.every_hours,Gn,"Choose an interval of ".concat(Gn.join(
", ")," hours.")),weekday:Oe(t.weekday??1,[0,1,2,3,4,5,6],"Choose a weekday.")}}var Je=9;function ce(e){return(Re(e)%36**Je).toString(36).padStart(Je,"0")}var Vn=900;function B(e){let t=I().getProperty(E(e,"run"));return t===null?null:JSON.parse(t)}function Te(e,t,n=[]){let r={},
o=t.marks;for(let s of n){let i=$s(e,o);r[i]=(r[i]??(o%Vn===0?"":Us(i)))+s,o+=1}Dn({...r,[E(e,"run")]:JSON.stringify({...t,
marks:o})})}function Ms(e,{marks:t}){let n=new Set;for(let r=0;r<t;r+=Vn){let o=Us($s(e,r));for(let s=0;s<o.length;s+=Je)
n.add(o.slice(s,s+Je))}return n}function $s(e,t){return E(e,"run_".concat(Math.floor(t/Vn)))}function Us(e){return I().getProperty(
e)??""}var Hu=1e4,qn=1e3,Ds=3,zu=12e4,Yu=/^#(N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|ERROR!)/;function j(e,t){return"SOCIAL_\
IMPORT_".concat(e.toUpperCase(),"_").concat(t)}function jn(e,{sheet:t,a1:n}){let r=e.getSheetByName(t);if(r===null)throw new p(
"There is no sheet “".concat(t,"” any more. Pick the cells with the URLs again."));return r.getRange(n)}function Bt(e){
return"list"in e.source?zn(e.source.list):Gs(Hn(e),e)}function Ks(e){return"list"in e.source?zn(e.source.list):Gs(jn(SpreadsheetApp.
getActiveSpreadsheet(),e.source.cells),e)}function Bs(e){if("list"in e.source)return{entries:zn(e.source.list).entries,place:null};
let{place:t,found:n}=Vs(Hn(e),e);return{entries:[...new Set(n.map(({text:r})=>r))],place:t}}function Qe(e){return"list"in
e.source?null:Ws(Hn(e),e)}function Hn(e){let t=SpreadsheetApp.getActiveSpreadsheet().getRangeByName(j(e.id,"SOURCE"));if(t!==
null)return t;throw new p("The cells with the URLs were deleted. Edit the import and pick the cells again.")}function zn(e){
let t=e.filter(n=>n.length<=qn);return{entries:qs(t),hidden:[],skipped:""}}function Gs(e,t){let{place:n,found:r,faults:o}=Vs(
e,t),s=t.with_hidden?()=>!1:Zu(n.sheet),i=new Set,a=new Set;for(let{row:u,text:c}of r)i.has(c)||(s(u)?a:i).add(c);let l=[
...a].filter(u=>!i.has(u));return{entries:qs([...i]),hidden:l,skipped:Qu(n,o)}}function Ws(e,{source:t}){if(!("cells"in t))
throw new Error("The source is not a range.");let n=e.getSheet(),r=e.getRow()+(t.heading?1:0),o=Math.min(n.getLastRow(),
t.cells.open?n.getLastRow():e.getLastRow());return{sheet:n,row:r,column:e.getColumn(),last_row:Math.max(o,r)}}function Vs(e,t){
let n=Ws(e,t),{sheet:r,row:o,column:s,last_row:i}=n,a={place:n,found:[],faults:[]};return o>r.getMaxRows()||r.getRange(o,
s,i-o+1,1).getValues().forEach(([u],c)=>{let m=String(u??"").trim();if(m==="")return;let d=Ju(u,m,t);d===null?a.found.push(
{row:o+c,text:m}):a.faults.push({row:o+c,fault:d})}),a}function Ju(e,t,{platform:n}){return e instanceof Date?"a date":typeof e==
"boolean"?"a checkbox":typeof e=="number"&&n===null?"a number":Yu.test(t)?"an error":t.length>qn?"a text that is too lon\
g":null}function Qu({sheet:e,column:t},n){if(n.length===0)return"";let r=n.length-Ds,o=n.slice(0,Ds).map(({row:s,fault:i})=>"".
concat(e.getRange(s,t).getA1Notation()," (").concat(i,")"));return"Skipped, because they are no URL or handle: ".concat(
o.join(", ")).concat(r>0?" and ".concat(r," more"):"",".")}function Zu(e){let t=e.getFilter()!==null,n=g.now()+zu;return r=>{
if(g.now()>n)throw new p("Google needs too long to say which of these rows are hidden. Tick “Include hidden rows”, or pi\
ck fewer rows.");return t&&e.isRowHiddenByFilter(r)||e.isRowHiddenByUser(r)}}function qs(e){if(e.length<=Hu)return e;let t=e.
length.toLocaleString("en-US");throw new p("There are ".concat(t," entries; the limit of one import is 10,000. Make two \
imports."))}function js(){let e=SpreadsheetApp.getActiveSpreadsheet().getActiveRange();if(e===null)throw new p("Select c\
ells in the sheet first.");if(e.getNumColumns()>1)throw new p("Select one column, such as A2:A50 or the whole column A.");
let t=e.getSheet(),n=e.getNumRows()>1&&e.getLastRow()>=t.getMaxRows(),r=Math.min(e.getNumRows(),Math.max(1,t.getLastRow()-
e.getRow()+1)),s=t.getRange(e.getRow(),e.getColumn(),r,1).getValues().map(([a])=>String(a??"").trim()),i=(s[0]??"").slice(
0,qn);return{ok:!0,cells:{sheet:t.getName(),a1:e.getA1Notation(),open:n},entries:new Set(s.filter(a=>a!=="")).size,first:i,
heading:ec(i)}}var Xu=/^(accounts?|channels?|creators?|handles?|influencers?|links?|names?|pages?|posts?|profiles?|urls?|user ?names?|videos?)( (accounts?|handles?|links?|names?|urls?))?$/i;
function ec(e){return Xu.test(e)||e===""?!0:/[./@:]/.test(e)?!1:/\s/.test(e)?!0:null}var ee="taken_at",tc=864e5,nc=25569;function Yn({kind:e,mode:t,target:n,fields:r}){let{id:o}=K(e),s=["status",ee,"platfo\
rm",o,"url"],i=e==="latest"?[ee,"url","status",o]:[ee,"url","status"],a=n==="beside"?["status"]:["url","status"];return[
...new Set([...{replace:a,append:i,update:s}[t],...r])]}function Wt(e){return e===ee?"Taken at (UTC)":O(e)}var rc=["link",
"profile","profile_link","post","post_link","video","video_link","handle","account"];function zs(e,t){let n=Hs(e);return n===
t||n===Hs(Wt(t))||t==="url"&&rc.includes(n)}function Hs(e){return e.toLowerCase().replace("(utc)","").trim().replace(/[\s_-]+/g,
"_")}function Ys(e){let{id:t}=K(e.kind);return[...new Set(["status","url","platform",t,...Yn(e),"message","credits_charg\
ed"])].filter(n=>n!==ee)}function Js(e,t,n){if(e===ee)return Gt(n);let r=t[e],o=Lt.includes(e)&&typeof r=="string"?Date.
parse(r):Number.NaN;if(Number.isFinite(o))return Gt(o);let s=Q(r);return typeof s=="string"&&s!==""?P(s):s}function Qs(e,t){
let n=e===ee||Lt.includes(e);return t!=="@"&&!(n&&["General","0.###############"].includes(t))?t:n?"yyyy-mm-dd hh:mm":"G\
eneral"}function Gt(e){return e/tc+nc}function Zs(e,t){let n=e.getSheetByName(t.sheet)??oc(e,t.sheet),[,r="A",o="1"]=/^([A-Z]+)(\d+)$/.exec(t.a1)??[],s=[...r].
reduce((i,a)=>i*26+a.charCodeAt(0)-64,0);return Vt(n,Number(o),s),n.getRange(t.a1)}function oc(e,t){let n=e.getActiveSheet();
try{return e.insertSheet(t)}catch{throw new p("Google Sheets refused the sheet name “".concat(t,"”. Choose another nam\
e."))}finally{e.setActiveSheet(n,!0)}}function Xs(e,t){let n=ei(e,t),r=Yn(e),o=Jn(n),s=o.indexOf(""),i=s===-1?o:o.slice(
0,s),a=r.map(c=>i.find(m=>zs(m,c))??null),l=r.filter((c,m)=>a[m]===null);l.length>0&&sc(n,n.column+i.length,l.map(Wt));let u=r.
map((c,m)=>({field:c,heading:a[m]??Wt(c)}));return e.mode==="replace"&&e.target!=="beside"&&ic(e,n,u,a),u}function sc({sheet:e,
row:t},n,r){Vt(e,t,n+r.length-1);let o=Math.max(1,e.getLastRow()-t+1),s=e.getRange(t,n,o,r.length);if(!s.getValues().flat().
every(a=>a===""))throw new p("The results need ".concat(s.getA1Notation(),", but these cells are not empty. Clear or mov\
e them first, or choose another place."));let i=e.getRange(t,n,1,r.length);Qn(i,()=>{i.setNumberFormats([r.map(()=>"Gene\
ral")]),i.setValues([r.map(P)]),i.setFontWeight("bold")}),t===1&&e.getLastRow()<=1&&e.setFrozenRows(1)}function ic(e,t,n,r){
if(e.last!==null)return;let o=Jn(t),s=t.sheet.getLastRow()-t.row;if(!(s<1)){for(let{heading:i}of n.filter((a,l)=>r[l]!==
null))if(!t.sheet.getRange(t.row+1,t.column+o.indexOf(i),s,1).getValues().flat().every(l=>l===""))throw new p("The cells\
 below the heading “".concat(i,"” are not empty. Clear them, or choose to update rows or to add rows below."))}}function Ie(e,t){
let n=ei(e,t),r=Jn(n),o=new Map;for(let{field:i,heading:a}of e.columns??[]){let l=r.indexOf(a);if(l===-1)throw new p("Th\
e heading “".concat(a,"” is no longer in row ").concat(n.row," of the sheet “").concat(n.sheet.getName(),"”. Resto\
re it and resume, or edit the import."));o.set(i,n.column+l)}if(t!==null&&t.sheet.getSheetId()===n.sheet.getSheetId()&&[
...o.values()].includes(t.column)&&t.last_row>=n.row)throw new p("The results would cover the cells with the URLs. Write\
 them beside the URLs, or choose another place.");return{sheet:n.sheet,row:n.row,columns:o}}function ei(e,t){if(e.target===
"beside"){if(t===null)throw new p("The cells with the URLs were deleted. Edit the import.");if(t.row<2)throw new p("The \
headings need a row above the URLs. Insert one, then pick the URLs again.");return{sheet:t.sheet,row:t.row-1,column:t.column+
1}}let n=SpreadsheetApp.getActiveSpreadsheet().getRangeByName(j(e.id,"TARGET"));if(n===null)throw new p("The sheet of th\
is import was deleted. Edit the import and choose another place.");return{sheet:n.getSheet(),row:n.getRow(),column:n.getColumn()}}
function Jn({sheet:e,row:t,column:n}){let r=e.getLastColumn()-n+1;if(r<1||t>e.getMaxRows())return[];let[o=[]]=e.getRange(
t,n,1,r).getValues();return o.map(s=>String(s??"").trim())}function Vt(e,t,n){let r=e.getMaxRows();t>r&&e.insertRowsAfter(
r,t-r);let o=e.getMaxColumns();n>o&&e.insertColumnsAfter(o,n-o)}function Qn(e,t){try{t()}catch(n){let r="".concat(e.getSheet().
getName(),"!").concat(e.getA1Notation()),o=String(n);throw/protect/i.test(o)?new p(ti(r)):/validation/i.test(o)?new p("A\
 data validation rule refuses the values for ".concat(r,". Remove the rule from these cells, then resume.")):new p("Goog\
le Sheets refused to write into ".concat(r,". Check these cells, then resume. (").concat(o,")"))}}function ti(e){return"\
The cells ".concat(e," are protected, and you may not change them. Ask the owner of the file, then resume.")}function qt(e){
let{sheet:t,row:n}=e,r=Math.max(1,t.getLastRow()-n+1);for(let{column:o,fields:s}of jt(e)){let i=t.getRange(n,o,r,s.length),
a=()=>"".concat(t.getName(),"!").concat(i.getA1Notation());if(!i.canEdit())throw new p(ti(a()));if(i.isPartOfMerge())throw new p(
"Some of the cells ".concat(a()," are merged, so rows do not fit. Split them, then resume."))}}function jt({columns:e},t=[
...e.keys()]){let n=[...t].sort((o,s)=>(e.get(o)??0)-(e.get(s)??0)),r=[];for(let o of n){let s=e.get(o)??0,i=r[r.length-
1];i!==void 0&&i.column+i.fields.length===s?i.fields.push(o):r.push({column:s,fields:[o]})}return r}function ni(e,t){let{table:n}=e,r=ac(e,t).sort((i,a)=>i.row-a.row),o=r[r.length-1];if(o===void 0)return;Vt(n.sheet,o.row,
1);let s=new Map(r.map(i=>[i.row,i]));for(let i of new Set(r.map(a=>a.fields))){let a=[...s.values()].filter(l=>l.fields===
i);for(let l of jt(n,i))for(let u of fc(a))dc(e,l,u)}SpreadsheetApp.flush()}function ac(e,t){let{saved:n,run:r,table:o,place:s}=e,
i=[...o.columns.keys()],a=t.flatMap(({entry:u,rows:c})=>c.map(m=>({entry:u,values:{...m,url:u}})));if(n.target==="beside"){
let u=s===null?new Map:lc(s.sheet,s.row,s.column);return a.flatMap(({entry:c,values:m})=>(u.get(c)??[]).map(d=>({row:d,values:m,
fields:i})))}if(n.mode==="replace")return a.map(({values:u},c)=>({row:o.row+1+r.rows+c,values:u,fields:i}));let l=a.map(
u=>u.values);return n.mode==="append"?uc(e,l,i):mc(n,o,l,i)}function lc(e,t,n){let r=new Map;return Ht(e,t,n).forEach((o,s)=>{
let i=r.get(o);i!==void 0?i.push(t+s):o!==""&&r.set(o,[t+s])}),r}function ri(e,t,n){let r=e.getLastRow()-t+1;return r<1||
n===void 0?[]:e.getRange(t,n,r,1).getValues().map(([o])=>o)}function Ht(e,t,n){return ri(e,t,n).map(r=>String(r??"").trim())}
function uc({saved:e,run:t,table:n,again:r},o,s){let{sheet:i,row:a,columns:l}=n,u=K(e.kind).id,c=(h,y)=>"".concat(String(
h)," ").concat(e.kind==="latest"?String(y??""):""),m=new Set;if(r){let h=new Set(o.map(b=>c(b.url,b[u]))),y=Ht(i,a+1,l.get(
u)),S=ri(i,a+1,l.get(ee));Ht(i,a+1,l.get("url")).forEach((b,z)=>{let Ee=c(b,y[z]);h.has(Ee)&&cc(S[z],t.started_ms)&&m.add(
Ee)})}let d=o.filter(h=>!m.has(c(h.url,h[u]))),w=Math.max(i.getLastRow(),a)+1;return d.map((h,y)=>({row:w+y,values:h,fields:s}))}
function cc(e,t){if(typeof e=="number")return Math.abs(e-Gt(t))<1e-5;if(!(e instanceof Date))return!1;let n=SpreadsheetApp.
getActiveSpreadsheet().getSpreadsheetTimeZone();return Math.abs(Date.parse(Utilities.formatDate(e,n,"yyyy-MM-dd'T'HH:mm:\
ss'Z'"))-t)<1e3}function mc(e,t,n,r){let o=pc(e,t),s=r.filter(l=>l==="status"||l===ee),i=e.kind==="latest",a=Math.max(t.
sheet.getLastRow(),t.row)+1;return n.map(l=>{let u=oi(l.platform,l[K(e.kind).id]),c=String(l.url),m=i&&u!==null?void 0:(u===
null?o.by_url:o.by_url_without_id).get(c),d=(u===null?void 0:o.by_id.get(u))??m,w=d??a++;return d===void 0&&!i&&o.by_url.
set(c,w),u!==null&&o.by_id.set(u,w),{row:w,values:l,fields:d!==void 0&&l.status!=="OK"?s:r}})}function pc(e,{sheet:t,row:n,
columns:r}){let o=u=>Ht(t,n+1,r.get(u)),[s,i,a]=[o(K(e.kind).id),o("platform"),o("url")],l={by_id:new Map,by_url:new Map,
by_url_without_id:new Map};return a.forEach((u,c)=>{let m=n+1+c,d=oi(i[c],s[c]);d!==null&&l.by_id.set(d,m),u!==""&&(e.kind!==
"latest"||d===null)&&l.by_url.set(u,m),u!==""&&d===null&&l.by_url_without_id.set(u,m)}),l}function oi(e,t){let n=r=>r==null||
r==="";return n(e)||n(t)?null:"".concat(String(e)," ").concat(String(t))}function fc(e){let t=[];for(let n of e){let r=t[t.
length-1],o=r?.[r.length-1];r!==void 0&&o!==void 0&&o.row+1===n.row?r.push(n):t.push([n])}return t}function dc({run:e,table:t},{
column:n,fields:r},o){let[s]=o;if(s===void 0)return;let i=t.sheet.getRange(s.row,n,o.length,r.length);Qn(i,()=>{let a=i.
getNumberFormats();i.setNumberFormats(a.map(l=>l.map((u,c)=>Qs(r[c]??"",u)))),i.setValues(o.map(({values:l})=>r.map(u=>Js(
u,l,e.started_ms))))})}function si(e,t,n){let{sheet:r,row:o}=t,s=o+n+1,i=Math.min(o+(e.last?.rows??0),r.getLastRow())-s+
1;if(!(i<1))for(let{column:a,fields:l}of jt(t))r.getRange(s,a,i,l.length).clearContent()}var hc=6e4,gc=6e4,wc=8e3,yc=["INSUFFICIENT_CREDITS","RATE_LIMITED","INVALID_API_KEY","API_KEY_NOT_SET"],Sc=["RATE_LIMITE\
D","SOURCE_CAPACITY"];function ii(e){let t="".concat(g.now(),"-").concat(g.random()),n=A(()=>bc(e,t));if("finished"in n)
return n;let r=Rc(n);return A(()=>xc(n,r))}function ai(e){let t=B(e);if(t===null)throw new p("This run was finished or c\
ancelled in another window.");return t}function bc(e,t){let n=q(e),r=ai(e);if(r.lease!==null&&r.lease.until_ms>g.now()){
let o=r.lease.until_ms-g.now();return{saved:n,run:r,finished:!1,wait_ms:o,reason:"This import is running in another wind\
ow."}}try{let{entries:o,uncertain:s}=kc(n,r);if(o.length===0)return{saved:n,run:r,finished:!0,wait_ms:null,reason:""};let i={
by:t,until_ms:g.now()+hc},a={...r,lease:i,uncertain:o.map(ce),stopped:null};return Te(e,a),{saved:n,run:a,by:t,entries:o,
uncertain:s}}catch(o){return li(n,r,o)}}function kc(e,t){let{entries:n,place:r}=Bs(e);qt(Ie(e,r));let o=Ms(e.id,t),s=n.filter(
c=>!o.has(ce(c))),i=s.filter(c=>t.uncertain.includes(ce(c))),a=Math.min(K(e.kind).step_max,t.total-t.entries),l=[],u=0;for(let c of i.
length>0?i:s){if(u+=encodeURIComponent(c.replace(/\p{Surrogate}/gu,"")).length,l.length>=a||l.length>0&&u>wc)break;l.push(
c)}return{entries:l,uncertain:i.length>0}}function Rc({saved:e,entries:t,uncertain:n}){let r=K(e.kind),o=Ys(e),s=e.max_age===
"fresh"&&n?"1d":e.max_age,i=s==="fresh"?"fresh=true":"cache_max_age=".concat(s),a="".concat(i).concat(e.limit===null?"":
"&limit=".concat(e.limit),"&fields=").concat(o.join(",")),l=J(),u=D(l.network);return wt(t,e.platform).flatMap(({texts:c,
parameter:m})=>Rt({...r,name:"url",query:a+m,columns:o,deadline_ms:u},c,l))}function xc(e,t){let n=q(e.saved.id),r=ai(n.
id);if(r.lease?.by!==e.by)return{saved:n,run:r,finished:!1,wait_ms:null,reason:""};let{answered:o,failure:s,uncertain:i}=_c(
t),a=o.flatMap(S=>S.rows);try{let S=Qe(n);ni({saved:n,run:r,place:S,table:Ie(n,S),again:e.uncertain},o)}catch(S){return li(
n,r,S)}let l=a.filter(({status:S})=>S!=="OK").length,u=s!==null&&Sc.includes(s.code),c=s===null||u?null:"".concat(x(s),"\
 The finished rows stay in the sheet. Choose Resume to continue."),m={...r,ok:r.ok+a.length-l,failed:r.failed+l,rows:r.rows+
a.length,entries:r.entries+o.length,credits:r.credits+a.reduce((S,b)=>S+Number(b.credits_charged??0),0),lease:null,uncertain:i.
map(ce),stopped:c},d=o.map(({entry:S})=>ce(S));Te(n.id,m,d);let w={...m,marks:m.marks+d.length},h=u?s.retry_after_ms??gc:
null,y=s===null&&w.entries>=w.total;return{saved:n,run:w,finished:y,wait_ms:h,reason:u?x(s):""}}function li(e,t,n){if(!(n instanceof
p))throw n;let r={...t,lease:null,stopped:n.message};return Te(e.id,r),{saved:e,run:r,finished:!1,wait_ms:null,reason:""}}
function _c(e){let t={answered:[],failure:null,uncertain:[]},n=(r,o)=>{t.failure??(t.failure=r),xr(r.code)&&t.uncertain.
push(...o)};for(let{values:r,rows:o}of e)if(!(!Array.isArray(o)&&o.code==="NOT_IN_TIME")){if(!Array.isArray(o)&&o.code!==
"INVALID_INPUT"){n(o,r);continue}r.forEach((s,i)=>{let a=Ac(o,r.length,i),l=a===null?M:a.map(Cc).find(u=>u!==null)??null;
a!==null&&l===null?t.answered.push({entry:s,rows:a}):l!==null&&n(l,[s])})}return t}function Ac(e,t,n){return Array.isArray(
e)?t>1?e[n]===void 0?null:[e[n]]:e.length===0?[{status:"NO_DATA",message:"There are no posts.",credits_charged:0}]:[...e]:
[{status:e.code,message:e.message,credits_charged:0}]}function Cc({status:e,message:t}){let n=String(e);return yc.includes(
n)?{code:n,message:String(t??"")}:null}function zt(e,t){if(J().key===null)throw new p("No API key is connected. Connect one under Account.");let n=B(e);if(n!==
null)return n;let r=q(e),o=Bt(r);return A(()=>B(e)??vc(r,o,t))}function vc(e,{entries:t,hidden:n,skipped:r},o){let s=q(e.
id);if(s.version!==e.version)throw new p("Another user changed this import meanwhile. Run it again.");if(t.length===0)throw new p(
Oc(n.length,r));let i=Qe(s),a=s.columns??Xs(s,i);qt(Ie({...s,columns:a},i)),s.columns===null&&ue(s.id,{columns:a});let l={
id:ze(),by_schedule:o,started_ms:g.now(),total:t.length,hidden:n.length,skipped:r,ok:0,failed:0,credits:0,rows:0,entries:0,
marks:0,lease:null,uncertain:[],stopped:null};return Te(s.id,l,n.map(ce)),{...l,marks:n.length}}function Oc(e,t){return e>
0?"All rows with URLs are hidden. Show them, or tick “Include hidden rows”.":"There are no URLs or handles in the ce\
lls of this import. ".concat(t).trim()}function Yt(e){let t=ii(e);return t.finished&&Zn(t.saved.id,"Finished"),t}function Zn(e,t){
A(()=>{let n=q(e),r=B(e);if(r===null)return;let o=n.mode==="replace"&&n.target!=="beside";t==="Finished"&&o&&Tc(n,r);let s=o?
Math.max(r.rows,t==="Finished"?0:n.last?.rows??0):0,{ok:i,failed:a,credits:l}=r,u=Ic(r,t);ue(e,{last:{at:g.now(),ok:i,failed:a,
credits:l,message:u,rows:s}}),Kn(e),F({what:"Import “".concat(n.name,"”"),rows:i+a,ok:i,failed:a,credits:l,message:u})})}
function Tc(e,t){try{si(e,Ie(e,Qe(e)),t.rows)}catch(n){if(!(n instanceof p))throw n}}function Ic({total:e,entries:t,hidden:n,
skipped:r},o){let s=e-t,i=o==="Finished"?"no longer in the sheet":"not requested",a=[o,s>0?"".concat(s," ").concat(i):"",
n>0?"".concat(n," hidden left out"):""];return"".concat(a.filter(l=>l!=="").join(", "),". ").concat(r).trim()}var ui="Another user changed this import meanwhile. Your changes were not saved: open it again.";function Ze(){return{ok:!0,
imports:ve().map(Uc)}}function Xn(e){let t=q(e),n=SpreadsheetApp.getActiveSpreadsheet(),r=n.getRangeByName(j(t.id,"SOURC\
E")),o=n.getRangeByName(j(t.id,"TARGET")),s=l=>({sheet:l.getSheet().getName(),a1:l.getA1Notation()}),i="cells"in t.source&&
r!==null?{...t.source,cells:{...t.source.cells,...s(r)}}:t.source,a=t.target!=="beside"&&o!==null?s(o):t.target;return{ok:!0,
saved:{...t,source:i,target:a}}}function ci(e){let t=f(e)??{},n=Wn(t),r=Nc(Fs(t.schedule),le(t.id)?.schedule??null);r?.by===
ne()&&Mt(!0);try{let o=A(()=>Ec(t,n,r));return{...Ze(),id:o}}finally{mi()}}function Ec(e,t,n){let r=le(e.id),o=typeof e.
id=="string"?e.version:null;if((r?.version??null)!==o)throw new p(ui);if(r!==null&&B(r.id)!==null)throw new p("This impo\
rt is not finished. Resume or cancel its run first.");let s=SpreadsheetApp.getActiveSpreadsheet(),i="cells"in t.source?jn(
s,t.source.cells):null,a=t.target==="beside"?null:Zs(s,t.target),l=r?.id??ze(),u=r!==null&&Lc(r,t.target)?r.last:null;return Un(
{...t,id:l,version:(r?.version??0)+1,columns:null,schedule:n,last:u}),Jt(s,j(l,"SOURCE"),i),Jt(s,j(l,"TARGET"),a),l}function Lc(e,t){
return JSON.stringify(Xn(e.id).saved.target)===JSON.stringify(t)}function Nc(e,t){return e===null?null:t!==null&&t.every_hours===
e.every_hours&&t.weekday===e.weekday?t:{...e,by:ne(),last_ms:g.now()}}function Jt(e,t,n){n!==null?e.setNamedRange(t,n):e.
getRangeByName(t)!==null&&e.removeNamedRange(t)}function mi(){Mt(ve().some(({schedule:e})=>e?.by===ne()))}function pi(e,t,n,r=""){
n==="schedule"&&Mt(!0);try{A(()=>Pc(e,t,n,r))}finally{mi()}return Ze()}function Pc(e,t,n,r){let o=q(e);if(o.version!==t)
throw new p(ui);if(n==="delete")Fc(o.id);else if(n==="duplicate")Mc(o);else if(n==="rename")$c(o,String(r).trim().slice(
0,80));else if(n==="schedule"&&o.schedule!==null){let s={...o.schedule,by:ne(),last_ms:g.now()};ue(o.id,{schedule:s,version:o.
version+1})}}function Fc(e){As(e);let t=SpreadsheetApp.getActiveSpreadsheet();for(let n of["SOURCE","TARGET"])Jt(t,j(e,n),
null)}function Mc(e){let t={...e,id:ze(),name:"".concat(e.name," (copy)"),version:1,schedule:null,last:null};Un({...t,columns:null});
let n=SpreadsheetApp.getActiveSpreadsheet();for(let r of["SOURCE","TARGET"])Jt(n,j(t.id,r),n.getRangeByName(j(e.id,r)))}
function $c(e,t){if(t==="")throw new p("Type a name for the import.");ue(e.id,{name:t,version:e.version+1})}function fi(e){
let t=typeof e=="string"?q(e):null,n=t??Wn(e),{entries:r,hidden:o,skipped:s}=t===null?Ks(n):Bt(t),{formula:i}=K(n.kind),
a=X(i)?.estimate??null;if(a===null)throw new Error("".concat(i," has no estimate."));let l=String(n.limit??"");return{...Pn(
a,r,n.max_age,l,n.platform),formula:i,hidden:o.length,skipped:s}}function di(e){return wi(zt(String(e),!1),!1)}function hi(e){
let{run:t,finished:n,wait_ms:r,reason:o}=Yt(String(e)),s=r===null?null:Math.max(1,Math.ceil(r/1e3));return{...wi(t,n),wait_s:s,
wait_reason:o}}function gi(e){return Zn(String(e),"Cancelled"),Ze()}function wi(e,t){return{ok:!0,run:yi(e,t),wait_s:null,
wait_reason:"",stopped:e.stopped}}function yi({total:e,entries:t,ok:n,failed:r,credits:o,hidden:s,skipped:i},a){let l=a?
e-t:0;return{total:e,done:t,ok:n,failed:r,removed:l,credits:o,hidden:s,skipped:i,finished:a}}function Uc(e){let{id:t,version:n,
name:r,kind:o,schedule:s,last:i}=e,a=B(t);return{id:t,version:n,name:r,kind:o,last:i,target:e.target==="beside"?"beside \
the URLs":"in the sheet “".concat(e.target.sheet,"”"),schedule:s===null?null:{every_hours:s.every_hours,weekday:s.weekday},
next:s===null?null:Kt(s),late:Os(e),run:a===null?null:yi(a,!1),stopped:a?.stopped??null}}var Qt="Tidemark samples",Dc="Sample data of invented accounts. Connect a key to get real numbers.",er=["Profile URL","S\
tatus","Platform","Display name","Followers","Posts","Verified"],Kc=[["https://instagram.example/harbour.bakery","SAMPLE",
"Instagram","Harbour Bakery",48200,1312,!1],["https://instagram.example/north.trails","SAMPLE","Instagram","North Trails",
1275e3,2904,!0],["https://tiktok.example/@cello.daily","SAMPLE","TikTok","Cello Daily",362400,518,!1],["https://tiktok.e\
xample/@tiny.kitchen","SAMPLE","TikTok","Tiny Kitchen",543e4,1086,!0],["https://youtube.example/@openbench","SAMPLE","Yo\
uTube","Open Bench",91700,233,!1]];function Si(){let e=SpreadsheetApp.getActiveSpreadsheet(),t=e.getSheetByName(Qt),n=t??
e.insertSheet(Qt);if(t===null){let r=[er,...Kc].map(o=>o.map(s=>typeof s=="string"?P(s):s));n.getRange(1,1).setValue(P(Dc)),
n.getRange(2,1,r.length,er.length).setValues(r),n.getRange(2,1,1,er.length).setFontWeight("bold")}return n.activate(),{ok:!0,
message:"Five sample rows are in the sheet “".concat(Qt,"”."),sheet:Qt}}var Bc=R(cs),Gc=R(ls),Wc=R(ts),Vc=R(rs),qc=R(de),jc=R(Br),Hc=R(Gr),zc=R(Wr),Yc=R(Si),Jc=R(Pt),Qc=R(es),Zc=R(ms),Xc=R(js),
em=R(Ze),tm=R(Xn),nm=R(ci),rm=R(pi),om=R(fi),sm=R(di),im=R(hi),am=R(gi);function bi(e){let{before:t,after:n,formulas:r,frozen:o}=e,s=new Set(o.map(({row:h,column:y})=>"".concat(h,",").concat(y))),
i=[],a=[],l=t.map((h,y)=>h.map((S,b)=>{let z=(r[y]?.[b]??"")!=="";z&&!s.has("".concat(y,",").concat(b))&&i.push({row:y,column:b});
let Ee=!z&&S!==""&&n[y]?.[b]==="";return Ee&&a.push({row:y,column:b}),z||S!==""&&!Ee?1:0})),u=lm(l),c=(h,y)=>h.row<=y.row&&
h.column<=y.column&&u(h,y)===1,m=a.filter(h=>o.some(y=>c(y,h))),d=h=>i.some(y=>c(y,h)),w=new Set(m.filter(d));return{sure:m.
filter(h=>!w.has(h)),doubtful:[...w]}}function lm(e){let t=e[0]?.length??0,n=[Array.from({length:t+1},()=>0)],r=(o,s)=>n[o]?.[s]??
0;return e.forEach((o,s)=>{let i=[0];o.forEach((a,l)=>{i.push(a+r(s,l+1)+(i[l]??0)-r(s,l))}),n.push(i)}),(o,s)=>r(s.row+
1,s.column+1)-r(o.row,s.column+1)-r(s.row+1,o.column)+r(o.row,o.column)}var um=/^(#(ERROR!|REF!|N\/A|NAME\?|VALUE!|NUM!|DIV\/0!|NULL!)|Loading)/;function ki(e){let t=["selection","sheet"].find(
s=>s===e);if(t===void 0)throw new p("Choose the selection or the sheet.");let{frozen:n,left:r}=A(()=>{let s=qe(t),[i]=s;
if(i===void 0)throw new p(En(t));return cm(i.sheet,s)}),o="".concat(n===1?"1 formula was":"".concat(n," formulas were"),
" replaced with values, which do not change again.")+(r===0?"":" ".concat(r===1?"1 formula stays":"".concat(r," formulas\
 stay"),", because an error or a loading cell has no value."));return F({what:"Freeze of the ".concat(t),rows:n,ok:n,failed:r,
credits:0,message:o}),{ok:!0,message:o}}function cm(e,t){let n=e.getDataRange(),r=n.getValues(),o=n.getFormulas(),s=t.filter(
({row:c,column:m})=>!um.test(String(r[c-1]?.[m-1]))),i=s.map(({row:c,column:m})=>({row:c-1,column:m-1})),a=r.length,l=r[0]?.
length??0,u=[];try{tr(e,r,i),SpreadsheetApp.flush();let c=()=>e.getRange(1,1,a,l).getValues(),{sure:m,doubtful:d}=bi({before:r,
after:c(),formulas:o,frozen:i});u=m,tr(e,r,m);for(let w of[...new Set(d.map(h=>h.column))].sort((h,y)=>h-y)){SpreadsheetApp.
flush();let h=c(),y=d.filter(S=>S.column===w&&h[S.row]?.[w]==="");u=[...u,...y],tr(e,r,y)}SpreadsheetApp.flush()}catch(c){
for(let{row:m,column:d}of u)e.getRange(m+1,d+1).clearContent();for(let m of _e(s))je(m);throw c}return{frozen:s.length,left:t.
length-s.length}}function tr(e,t,n){let r=n.map(({row:o,column:s})=>({sheet:e,row:o+1,column:s+1,formula:""}));for(let o of _e(
r)){let s=Tn(o),i=s.getNumberFormats();i.some(([a])=>a==="@")&&s.setNumberFormats(i.map(([a=""])=>[a==="@"?"General":a])),
s.setValues(o.formulas.map((a,l)=>[mm(t[o.row-1+l]?.[o.column-1])]))}}function mm(e){if(typeof e=="number"||typeof e=="b\
oolean"||e instanceof Date)return e;let t=String(e??"");return t===""?"":P(t)}function Ri(){let{key:e,network:t,origin:n}=J();if(e===null)throw new N(ge);let[r]=U(["".concat(n,"/v1/workflows/campaig\
ns")],e,t);if(r?.ok===!1)throw new N(r.failure);let o=f(r?.data)?.items;if(!Array.isArray(o))throw new N(M);return{ok:!0,
campaigns:o.flatMap(i=>{let{id:a,name:l,status:u}=f(i)??{};return typeof a=="string"?[{id:a,name:String(l??""),status:String(
u??"")}]:[]})}}var ye={name:240,other:130};function xi(e,t,n){let r=new Map(e.getCharts().map(i=>[i.getChartId(),i])),o=i=>r.get(n[i]??
null);for(let i of Object.keys(n)){let a=t.some(l=>l.key===i)?void 0:o(i);a!==void 0&&e.removeChart(a)}let s={};for(let i of t){
let a=o(i.key),l=a===void 0?fm(e,i):pm(e,a,i);l!==null&&(s[i.key]=l)}return s}function pm(e,t,n){let{column:r,x:o}=Ai(n.
index*345),s=t.modify().clearRanges().setPosition(n.row,r,o,0);for(let i of _i(e,n))s.addRange(i);return e.updateChart(s.
build()),t.getChartId()}function fm(e,t){let n=e.getCharts().map(l=>l.getChartId()),{column:r,x:o}=Ai(t.index*345),s=t.type===
"bar"?e.newChart().asBarChart():e.newChart().asLineChart();s.setNumHeaders(1).setPosition(t.row,r,o,0);for(let l of _i(e,
t))s.addRange(l);let i=s.setOption("title",t.title).setOption("width",335).setOption("height",230).setOption("pointSize",
4).setOption("interpolateNulls",!1).setOption("legend",{position:t.type==="bar"?"none":"bottom"}).build();return e.insertChart(
i),e.getCharts().find(l=>!n.includes(l.getChartId()))?.getChartId()??null}function _i(e,{first_row:t,rows:n,columns:r}){
return r.map(({first:o,count:s})=>e.getRange(t,o,n,s))}function Ai(e){if(e<ye.name)return{column:1,x:e};let t=e-ye.name;
return{column:2+Math.floor(t/ye.other),x:t%ye.other}}function C(e){return Array.isArray(e)?e.map(t=>f(t)??{}):[]}function L(e){return typeof e=="number"?e:null}function Se(e){
return typeof e=="string"&&e!==""?e:null}function H(e){return typeof e=="number"&&Math.abs(e)<=dm?e:null}var dm=864e13;var hm={photo:"Instagram",shortvideo:"TikTok",longvideo:"YouTube"},gm={profile:"Account"},wm={rounded:"rounded",hidden:"\
hidden by the account",not_exposed:"not published"},ym={active:"Checked daily",paused:"Paused",identity_changed:"The han\
dle now belongs to another account"},Sm=["January","February","March","April","May","June","July","August","September","\
October","November","December"];function me(e){return hm[String(e)]??O(String(e))}function vi(e){return gm[String(e)]??O(
String(e))}function Oi(e){return ym[String(e)]??O(String(e))}function Zt(e){return wm[String(e)]??"unknown"}function Xt(e){
return String(Math.round(e)).replace(/\B(?=(\d{3})+$)/g,",")}function Ti(e,t){let n=new Date(e),r=new Date(t-1),o=[Ci(n),
n.getUTCFullYear()];n.getUTCFullYear()===r.getUTCFullYear()&&o.pop();let i=o.length===1&&n.getUTCMonth()===r.getUTCMonth()?
n.getUTCDate():o.join(" ");return"".concat(i," to ").concat(Ci(r)," ").concat(r.getUTCFullYear()," (UTC)")}function Ci(e){
return"".concat(e.getUTCDate()," ").concat(Sm[e.getUTCMonth()])}function nr(e){let t=[];for(let n of e.split(/\s+/)){let r=t[t.
length-1];r!==void 0&&r.length+n.length<bm?t[t.length-1]="".concat(r," ").concat(n):t.push(n)}return t}var bm=125;var Ii=7*864e5,km=["profile","channel"];function Ei(e){return Object.entries(f(e.totals)??{}).map(([t,n])=>{let r=f(n)??
{};return{metric:t,end:L(r.end),start:L(r.start),change:L(r.change),change_percent:L(r.change_percent),change_before:xm(
e,t),rounded:r.quality==="rounded",items:L(r.items)??0,items_missing:L(r.items_missing)??0,unknown:Rm(e,t)}})}function Rm(e,t){
let n=C(e.items).filter(s=>f(f(s.metrics)?.[t])!==null).map(s=>$(s,t)),r=new Set(n.flatMap(({end:s,quality:i})=>s===null?
[Zt(i)]:[])),[o="unknown"]=r;return r.size===1?o:"unknown"}function xm(e,t){let n=C(e.series).filter(s=>s.metric===t&&s.
step==="week"),r=L(e.period_start);if(n.length===0||r===null)return null;let o=0;for(let s of n){let i=u=>L(C(s.points).
find(c=>c.at===u)?.value),[a,l]=[i(r-Ii),i(r-2*Ii)];if(a===null||l===null)return null;o+=a-l}return o}function $(e,t){let n=f(
f(e.metrics)?.[t])??{},{end:r,change:o,change_percent:s,quality:i}=n;return{end:L(r),change:L(o),change_percent:L(s),quality:i}}
function Xe({name:e,url:t}){return String(e??t??"")}function Li({kind:e}){return km.includes(String(e))}function rr(e){let t=C(
e.items).filter(n=>Li(n)&&n.status!=="identity_changed");return en(t,n=>$(n,"followers").end)}function or(e,t){let n=o=>($(
o,"followers").change??0)*t,r=rr(e).filter(o=>n(o)>0);return en(r,n)}function Ni(e){let t=C(e.items).filter(o=>!Li(o)&&o.
status!=="identity_changed"),n=en(t,o=>$(o,"views").change),r=t.filter(o=>!n.includes(o));return[...n,...en(r,o=>$(o,"li\
kes").change)]}function en(e,t){return e.flatMap(r=>{let o=t(r);return o===null?[]:[{item:r,number:o}]}).sort((r,o)=>o.number-
r.number).map(({item:r})=>r)}var _m=864e5,Am=25569,Cm={text:"General",count:"#,##0",change:"[Color10]+#,##0;[Red]-#,##0;0",share:"0.0%",growth:"[Colo\
r10]+0.0%;[Red]-0.0%;0.0%",day:"yyyy-mm-dd",time:"yyyy-mm-dd hh:mm"};function sr(e){return Cm[e]}function Pi(e,t){return t==
null||t===""?"":typeof t=="boolean"?t:typeof t!="number"?P(typeof t=="string"?t:JSON.stringify(t)):e==="day"||e==="time"?
t/_m+Am:e==="share"||e==="growth"?t/100:t}var Fi=12,ir=3,ar="End of the report.",nn={lines:[{text:"".concat(ar," A refresh replaces everything above this line, in\
 the columns that the report uses. ")+"Anything you write below this line or to the right stays, and moves when the repo\
rt grows.",style:"quiet"}],columns:[],rows:[]},$i={heading:"",kind:"text"},Mi=tn([""],[$i]);function rn(e,t){let n=[...e,
...t].flatMap(({charts:u=[]})=>u),r=[...n.filter(({type:u})=>u==="line"),...n.filter(({type:u})=>u==="bar")],o=[],s=[],i=[],
a=1,l=u=>{let c=o.length+1;s.push(...Om(u,c)),o.push(...vm(u),Mi);let m=c+u.lines.length;for(let d of u.charts??[])i.push(
{...d,row:0,index:r.indexOf(d),first_row:m,rows:u.rows.length+1})};for(let u of e)l(u);a=o.length+1;for(let u=0;u<Math.ceil(
r.length/ir)*Fi;u++)o.push(Mi);for(let u of t)l(u);return o.pop(),{...Tm(o),styles:s,charts:i.sort((u,c)=>u.index-c.index).
map(u=>({...u,row:a+Math.floor(u.index/ir)*Fi,index:u.index%ir}))}}function vm({lines:e,columns:t,rows:n}){let r=e.map(({
text:s})=>tn([s],[$i]));if(t.length===0)return r;let o=t.map(({heading:s})=>s);return[...r,tn(o,t),...n.map(s=>tn(s,t))]}
function tn(e,t){return{cells:t.map(({kind:n},r)=>Pi(n,e[r])),formats:t.map(({kind:n})=>sr(n)),alignments:t.map(({kind:n})=>n===
"text"||n==="day"?"left":"right")}}function Om({lines:e,columns:t},n){let r=e.map(({style:o},s)=>({style:o,row:n+s,width:1}));
return t.length===0?r:[...r,{style:"heading",row:n+e.length,width:t.length}]}function Tm(e){let t=Math.max(...e.map(({cells:r})=>r.
length)),n=Array.from({length:t},(r,o)=>o);return{cells:e.map(({cells:r})=>n.map(o=>r[o]??"")),formats:e.map(({formats:r})=>n.
map(o=>r[o]??sr("text"))),alignments:e.map(({alignments:r})=>n.map(o=>r[o]??"left"))}}var Im=864e5;function Di(e){let t=C(e.items),n=[...new Set(t.flatMap(o=>Object.keys(f(o.metrics)??{})))],r={lines:[],columns:[
...Em,...n.flatMap(Nm),...Lm],rows:t.map(o=>[Xe(o),me(o.platform),vi(o.kind),...n.flatMap(s=>{let{end:i,change:a,change_percent:l}=$(
o,s);return[i,a,l]}),L(C(o.rates)[0]?.percent),Pm(o,n),Oi(o.status),H(o.first_observed_at),H(o.last_observed_at),Fm(o),String(
o.item_id??""),o.url])};return rn([],[r,nn])}var Em=[{heading:"Name",kind:"text"},{heading:"Platform",kind:"text"},{heading:"\
Type",kind:"text"}],Lm=[{heading:"Engagement rate",kind:"share"},{heading:"Remarks",kind:"text"},{heading:"Status",kind:"\
text"},{heading:"First check (UTC)",kind:"time"},{heading:"Last check (UTC)",kind:"time"},{heading:"Days missing (UTC)",
kind:"text"},{heading:"Item ID",kind:"text"},{heading:"Link",kind:"text"}];function Nm(e){let t=O(e);return[{heading:t,kind:"\
count"},{heading:"".concat(t," change"),kind:"change"},{heading:"".concat(t," change %"),kind:"growth"}]}function Pm(e,t){
return t.flatMap(r=>{if(f(f(e.metrics)?.[r])===null)return[];let{end:o,quality:s}=$(e,r);return o!==null&&s!=="rounded"?
[]:["".concat(O(r)," ").concat(Zt(s))]}).join(", ")}function Fm(e){return C(e.gaps).flatMap(({from:n,to:r})=>{let[o,s]=[
H(n),H(r)];return o===null||s===null?[]:[[...new Set([Ui(o),Ui(s-Im)])].join(" to ")]}).join(", ")}function Ui(e){return new Date(
e).toISOString().slice(0,10)}var Ki=["Rounded: the platform shows a rounded number, so small changes are not visible.","Hidden or not published: the \
account or the platform does not show the number. That does not mean 0.","An empty cell is an unknown number; only a 0 m\
eans zero. In a table by day or week, it means that at least one item has no number for that day or week."];var Mm={day:{title:"Day by day",heading:"Day (UTC)"},week:{title:"Week by week",heading:"Week from (UTC)"}},$m=4,Um=2,lr=Object.
keys(we).filter(e=>we[e]!==null).sort((e,t)=>Number(we[e])-Number(we[t]));function Gi(e){let t=Bi(e,"day"),n=Bi(e,"week"),
r=n.times.length>=$m;return[t,n].filter(({lines:o,times:s})=>o.length>0&&s.length>0).map(o=>Dm(o,o===n===r&&o.times.length>=
Um))}function Dm({step:e,lines:t,times:n},r){let{title:o,heading:s}=Mm[e];return{lines:[{text:o,style:"section"},{text:"\
The last number of each item, added up over all items of the platform.",style:"quiet"}],columns:[{heading:s,kind:"day"},
...t.map(i=>({heading:Km(i),kind:"count"}))],rows:n.map(i=>[i,...t.map(({points:a})=>a.get(i)??null)]),charts:r?Bm(t,e):
[]}}function Bi(e,t){let n=new Set,r=C(e.series).filter(s=>s.step===t).map(({platform:s,metric:i,points:a})=>{let l=C(a).
flatMap(c=>{let m=H(c.at);if(m===null)return[];n.add(m);let d=L(c.value);return d===null?[]:[[m,d]]}),u=C(a).some(({quality:c})=>c===
"rounded");return{platform:String(s),metric:String(i),points:new Map(l),rounded:u}}),o=[...new Set(r.map(({metric:s})=>s))];
return{step:t,lines:o.flatMap(s=>r.filter(i=>i.metric===s)),times:[...n].sort((s,i)=>s-i)}}function Km({platform:e,metric:t,
rounded:n}){return"".concat(me(e)," ").concat(O(t).toLowerCase()).concat(n?" (rounded)":"")}function Bm(e,t){return lr.filter(
r=>e.some(o=>o.metric===r)).map(r=>({key:"".concat(r,"_by_").concat(t),title:"".concat(O(r)," by ").concat(t," (UTC)"),type:"\
line",columns:[{first:1,count:1},{first:e.findIndex(o=>o.metric===r)+2,count:e.filter(o=>o.metric===r).length}]}))}var Gm=5,Wm=10,Vm=10,qm=3,Vi=2;function qi(e,t){let n=Ei(e),r=[jm(e,t,n),Jm(n)],s=[Wi("Accounts that gained the most fol\
lowers",or(e,1)),Wi("Accounts that lost the most followers",or(e,-1)),ep(e),np(e),rp(e),Xm(e),...Gi(e)].filter(({columns:i,
rows:a})=>i.length===0||a.length>0);return rn(r,[...s,nn])}function jm(e,t,n){let[r,o]=[H(e.period_start),H(e.period_end)],
s=H(e.generated_at),i=r===null||o===null?[]:["Week from ".concat(Ti(r,o))],a=e.final===!0?"final":"so far, not final",l=[
...t===null?[]:["Workspace: ".concat(t)],...s===null?[]:["Created ".concat(new Date(s).toISOString().slice(0,16).replace(
"T"," ")," (UTC)")]];return{lines:[{text:Se(e.report_name)??Se(f(e.campaign)?.name)??"Campaign report",style:"title"},{text:[
...i,a].join(", "),style:"quiet"},{text:l.join(" · "),style:"quiet"},...ur(nr(Hm(e,n)),"headline")],columns:[],rows:[]}}
function Hm(e,t){let n=lr.flatMap(o=>{let{end:s,change:i,change_percent:a}=t.find(c=>c.metric===o)??{};if(typeof s!="num\
ber"||typeof i!="number")return[];let l=O(o).toLowerCase();if(i===0)return["".concat(l," unchanged at ").concat(Xt(s))];
let u=typeof a=="number"?" (".concat(zm(Math.abs(a)),"%)"):"";return["".concat(l," ").concat(i>0?"up":"down"," ").concat(
Xt(Math.abs(i))).concat(u," to ").concat(Xt(s))]});if(n.length===0)return"No change can be shown: no number is known at \
both ends of this week.";let r=e.final===!0?"This week":"This week so far";return"".concat(r,": ").concat(n.slice(0,qm).
join(", "),".")}function zm(e){return(Math.round(e*10)/10).toFixed(1)}var Ym=[{heading:"Key number",kind:"text"},{heading:"\
This week",kind:"count"},{heading:"Previous week",kind:"count"},{heading:"Change",kind:"change"},{heading:"Change %",kind:"\
growth"},{heading:"Previous change",kind:"change"},{heading:"Remarks",kind:"text"}];function Jm(e){let n=[...e].sort((r,o)=>+(r.
end===null)-+(o.end===null)).map(r=>{let{metric:o,end:s,start:i,change:a,change_percent:l,change_before:u,unknown:c}=r,m=[
a??c,l??(a===null?c:"from zero")];return[O(o),s??c,i??c,...m,u??"unknown",Zm(r)]});return{lines:[{text:"Key numbers",style:"\
section"},...ur(Qm,"quiet")],columns:Ym,rows:n}}var Qm=["Counts at the end of each week, added up over all items. Previo\
us change: the change in the week before.","For an item without a count before this week, its first count in the week st\
ands for the previous week."];function Zm({rounded:e,items:t,items_missing:n}){let r=t+n;return[...e?["rounded by the pl\
atform"]:[],...n>0?["".concat(t," of ").concat(r," ").concat(r===1?"item":"items"," counted")]:[]].join(", ")}function Wi(e,t){
return{...ji(t.slice(0,Gm)),lines:[{text:e,style:"section"}]}}function Xm(e){let t=ji(rr(e).slice(0,Vm)),r={key:"account\
s_bar",title:"Followers by account",type:"bar",columns:[{first:1,count:1},{first:3,count:1}]};return{...t,lines:[{text:"\
Accounts with the most followers",style:"section"}],charts:t.rows.length<Vi?[]:[r]}}function ji(e){return{lines:[],columns:[
{heading:"Account",kind:"text"},{heading:"Platform",kind:"text"},{heading:"Followers",kind:"count"},{heading:"Change",kind:"\
change"},{heading:"Change %",kind:"growth"},{heading:"Remarks",kind:"text"}],rows:e.map(t=>{let{end:n,change:r,change_percent:o,
quality:s}=$(t,"followers"),i=s==="rounded"?"rounded by the platform":"";return[Xe(t),me(t.platform),n,r,o,i]})}}function ep(e){
let t=Ni(e).slice(0,Wm).map(s=>[Xe(s),me(s.platform),$(s,"views").change,$(s,"views").end,$(s,"likes").change,$(s,"likes").
end,$(s,"comments").end,C(s.rates)[0]?.percent,s.url]),n=t.some(s=>typeof s[2]=="number"),r=[{first:1,count:1},{first:n?
3:5,count:1}],o="".concat(n?"New views":"New likes"," by post");return{lines:[{text:"Best posts",style:"section"},{text:"\
Sorted by new views in this week; posts without a number of views follow, by new likes.",style:"quiet"}],columns:tp,rows:t,
charts:t.length<Vi?[]:[{key:"posts_bar",title:o,type:"bar",columns:r}]}}var tp=[{heading:"Post",kind:"text"},{heading:"P\
latform",kind:"text"},{heading:"New views",kind:"change"},{heading:"Views",kind:"count"},{heading:"New likes",kind:"chan\
ge"},{heading:"Likes",kind:"count"},{heading:"Comments",kind:"count"},{heading:"Engagement rate",kind:"share"},{heading:"\
Link",kind:"text"}];function np(e){let t=C(e.by_platform).flatMap(({platform:n,rates:r})=>C(r).map(({percent:o,items:s,items_missing:i,
formula:a})=>[me(n),o??"unknown",s,i,a]));return{lines:[{text:"Engagement rates",style:"section"}],columns:[{heading:"Pl\
atform",kind:"text"},{heading:"Engagement rate",kind:"share"},{heading:"Posts counted",kind:"count"},{heading:"Not count\
ed",kind:"count"},{heading:"Formula",kind:"text"}],rows:t}}function rp(e){let r=[...(Array.isArray(e.notes)?e.notes:[]).
map(String),...Ki,Se(e.method)??""].filter(o=>o!=="").flatMap(o=>nr(o).map((s,i)=>i===0?"• ".concat(s):"   ".concat(s)));
return{lines:[{text:"Notes",style:"section"},...ur(r,"plain")],columns:[],rows:[]}}function ur(e,t){return e.map(n=>({text:n,
style:t}))}var et="report_sheet_",op=90;function on(e,t){let n=e.getProperty(et+t),r=n===null?null:f(JSON.parse(n));return r===null||
typeof r.sheet_id!="number"||f(r.charts)===null?null:r}function Hi(e,t,n){e.setProperty(et+t,JSON.stringify(n))}function zi(e,t){
e.deleteProperty(et+t)}function Yi(e){return e.flatMap(t=>t.startsWith(et)?[t.slice(et.length)]:[])}function sn(e,t){return e.
getSheets().find(n=>n.getSheetId()===t)??null}function cr(e,t,n){let r="".concat(sp(t)," ").concat(n).trim(),o=e.getSheets().
map(i=>i.getName().toLowerCase()),s=r;for(let i=2;o.includes(s.toLowerCase());i++)s="".concat(r," (").concat(i,")");return e.
insertSheet(s,o.length)}function sp(e){return[...e.replace(/[\p{C}\s]+/gu," ").replace(/['"!:*?/\\[\]]/g," ").replace(/ +/g,
" ").trim()].slice(0,op/2).join("")}function mr(e,t,{cells:n}){let r=n.length,o=n[0]?.length??0,s=t===null?{rows:0,columns:0}:
ip(e,t);s.rows>0&&r>s.rows&&e.getLastRow()>s.rows&&e.insertRowsAfter(s.rows,r-s.rows),s.columns>0&&o>s.columns&&e.getLastColumn()>
s.columns&&e.insertColumnsAfter(s.columns,o-s.columns),e.getMaxRows()<r&&e.insertRowsAfter(e.getMaxRows(),r-e.getMaxRows()),
e.getMaxColumns()<o&&e.insertColumnsAfter(e.getMaxColumns(),o-e.getMaxColumns());let i=Math.max(r,s.rows),a=Math.max(o,s.
columns);e.getRange(1,1,i,a).clear().clearDataValidations()}function ip(e,t){let n=e.getLastRow(),o=(n===0?[]:e.getRange(
1,1,n,1).getValues()).findIndex(([i])=>String(i).startsWith(ar));return{rows:o===-1?Math.min(t.rows,e.getMaxRows()):o+1,
columns:Math.min(t.columns,e.getMaxColumns())}}function pr(e,{cells:t}){let n=Math.min(t.length,e.getMaxRows()),r=Math.min(
t[0]?.length??0,e.getMaxColumns());if(!e.getRange(1,1,n,r).canEdit())throw new p('The sheet "'.concat(e.getName(),'" is \
protected, so the report was not changed. Ask its owner to let you edit it, or delete the sheet to get a new one.'))}var ap=/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,lp="#e8eef4",Ji="#1f4e79",up="#5f6368",cp=20,mp=12,pp=13,be=class extends N{};
function na(e,t){if(!Xi(e))throw new p("Choose a campaign.");let n=t==null||t===""?null:t;if(n!==null&&!Xi(n))throw new p(
"Choose a report from the list.");let r=fr(e,n),o="".concat(r.sheet,": ").concat(r.state,". It cost 0 credits.");return F(
{what:"Campaign report",rows:r.items,ok:r.items,failed:0,credits:0,message:o}),{ok:!0,message:o,sheet:r.sheet}}function fr(e,t,n=!0){
let{report:r,workspace:o}=fp(e,t),s=qi(r,o),i=Di(r);return A(()=>{let a=SpreadsheetApp.getActiveSpreadsheet(),l=I(k().document),
u=on(l,e),c=Se(f(r.campaign)?.name)??"",m={summary:Qi(a,u),details:Qi(a,u?.details??null)};m.summary!==null&&pr(m.summary,
s),m.details!==null&&pr(m.details,i);let d=m.summary??cr(a,c,"report"),w=m.details??cr(a,c,"details");mr(d,m.summary&&u,
s),mr(w,(m.details&&u?.details)??null,i),ea(d,s),ea(w,i),m.summary===null&&d.setHiddenGridlines(!0),m.summary===null&&ta(
d,s),m.details===null&&ta(w,i),w.setFrozenRows(1);let h=xi(d,s.charts,(m.summary&&u?.charts)??{}),y={...Zi(d,s),details:Zi(
w,i)};Hi(l,e,{...y,report_id:t,charts:h}),n&&a.setActiveSheet(d),SpreadsheetApp.flush();let S=C(r.items).length;return{sheet:d.
getName(),items:S,state:dp(r,S)}})}function Qi(e,t){return t===null?null:sn(e,t.sheet_id)}function Zi(e,{cells:t}){return{
sheet_id:e.getSheetId(),columns:t[0]?.length??0,rows:t.length}}function Xi(e){return typeof e=="string"&&ap.test(e)}function fp(e,t){
let{key:n,network:r,origin:o}=J();if(n===null)throw new be(ge);let s=t===null?"":"&report_id=".concat(encodeURIComponent(
t)),i="".concat(o,"/v1/workflows/campaign-report?id=").concat(encodeURIComponent(e)).concat(s),[a,l]=U([i,"".concat(o,"/\
v1/credit/balance")],n,r);if(a?.ok===!1)throw new be(a.failure);let u=f(a?.data);if(u===null||!Ot(u))throw new be(M);return{
report:u,workspace:l?.ok===!0?Se(f(l.data)?.workspace):null}}function dp(e,t){let n=hp(e.period_start),r=t===1?"1 item":
"".concat(t," items");return e.final===!0?"the finished week from ".concat(n,", ").concat(r):"the week from ".concat(n,"\
 so far, which is not final, ").concat(r)}function hp(e){let t=new Date(typeof e=="number"?e:Number.NaN);return Number.isNaN(
t.getTime())?"an unknown day":t.toISOString().slice(0,10)}function ea(e,{cells:t,formats:n,alignments:r,styles:o}){e.getRange(
1,1,t.length,t[0]?.length??0).setValues(t).setNumberFormats(n).setHorizontalAlignments(r);for(let{style:i,row:a,width:l}of o)
gp(e.getRange(a,1,1,l),i)}function gp(e,t){t==="title"&&e.setFontWeight("bold").setFontSize(cp).setFontColor(Ji),t==="he\
adline"&&e.setFontWeight("bold").setFontSize(mp),t==="quiet"&&e.setFontColor(up),t==="section"&&e.setFontWeight("bold").
setFontSize(pp).setFontColor(Ji),t==="heading"&&e.setFontWeight("bold").setBackground(lp).setWrap(!0).setVerticalAlignment(
"bottom")}function ta(e,{cells:t}){e.setColumnWidth(1,ye.name);let n=(t[0]?.length??0)-1;n>0&&e.setColumnWidths(2,n,ye.other)}var dr="Scheduled refresh",wp=4*6e4,yp=["API_KEY_NOT_SET","INVALID_API_KEY","PRODUCTION_KEY_REQUIRED","PAID_ACCESS_REQUI\
RED"];function ra(){try{if(!$t()){F({what:dr,rows:0,ok:0,failed:1,credits:0,message:"Google needs your permission again.\
 Open the sidebar once."});return}if(!Rs())return;ks();let e=Sp(),t=A(He),{ok:n,failed:r,messages:o}=e,s=n===1?"1 report":
"".concat(n," reports"),i=t?" Formulas with the refresh cell run again.":"",a=["".concat(s," refreshed.").concat(i),...new Set(
o)].join(" ");F({what:dr,rows:n+r,ok:n,failed:r,credits:t?null:0,message:a})}catch(e){F({what:dr,rows:0,ok:0,failed:1,credits:null,
message:mt(e).message})}}function Sp(){let e=g.now()+wp,t={ok:0,failed:0,messages:[]};for(let n of bp()){if(g.now()>e){t.
failed+=1,t.messages.push("There was not enough time for all reports. To update the others now, insert them again under \
Report.");continue}try{fr(n,null,!1),t.ok+=1}catch(r){if(!(r instanceof p))throw r;if(t.failed+=1,t.messages.push(r.message),
r instanceof be&&yp.includes(r.code??""))break}}return t}function bp(){let e=SpreadsheetApp.getActiveSpreadsheet(),t=I(k().
document),n=PropertiesService.getDocumentProperties().getKeys();return Yi(n).filter(r=>{let o=on(t,r),s=i=>!!i&&sn(e,i.sheet_id)!==
null;return!s(o)&&!s(o?.details)&&zi(t,r),s(o)&&o?.report_id===null})}var kp=4e4;function oa(e){if(!$t())return[];let t=[];for(let n of ve().filter(Rp)){let r=xp(n,e);if(r===null)continue;let o=r.
slice(0,200);F({what:"Import “".concat(n.name,"”"),rows:0,ok:0,failed:1,credits:null,message:o}),t.push("".concat(n.
name,": ").concat(r))}return t}function Rp(e){if(e.schedule?.by!==ne())return!1;let t=B(e.id);return Bn(e)||t?.by_schedule===
!0&&t.stopped===null}function xp(e,t){try{if(!vs(e.id)&&B(e.id)?.by_schedule!==!0)return null;for(zt(e.id,!0);g.now()+kp<
t;){let{run:n,finished:r,wait_ms:o}=Yt(e.id);if(r)return null;if(n.stopped!==null)return n.stopped;o!==null&&g.sleep(Math.
min(o,Math.max(0,t-g.now())))}return _p(e),null}catch(n){return n instanceof p?n.message:x({code:"INTERNAL",message:String(
n)})}}function _p({id:e,name:t}){let n=B(e);if(n===null)return;let{ok:r,failed:o,credits:s,entries:i,total:a}=n,l="".concat(
i," of ").concat(a," are done. The import continues with the next run, in about an hour.");F({what:"Import “".concat(t,
"”"),rows:r+o,ok:r,failed:o,credits:s,message:l})}var Ap=5.5*6e4;function sa(){let e=g.now()+Ap;bs()&&ra();let t=oa(e);if(t.length>0)throw new Error(t.join("\n"))}var Cp=R(Ri),vp=R(na),Op=R(Wo),Tp=R(ki),Ip=R(ws),Ep=R(ys),Lp=R(()=>({ok:!0,runs:Ge()}));function Np(){Nn()}function Pp(){Nn()}var Fp=De(Ho),Mp=De(zo),$p=De(Yo),Up=De(Jo);function Dp(e,t){return ro(W(),e,t)}function Kp(e){return so(W(),e)}function Bp(e,t,n){return ao(W(),e,t,n)}function Gp(e,t){
return uo(W(),e,t)}function Wp(e,t,n){return mo(W(),e,t,n)}function Vp(e,t,n,r,o){return fo(W(),e,t,n,r,o)}function qp(e,t,n,r){
return go(W(),e,t,n,r)}function jp(e,t,n){return xo(W(),e,t,n)}function Hp(e,t,n,r){return vo(W(),e,t,n,r)}function zp(e,t){
return To(W(),e,t)}return ma(Yp);})();
