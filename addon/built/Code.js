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

var Addon_=(()=>{var Qe=Object.defineProperty;var Zi=Object.getOwnPropertyDescriptor;var Xi=Object.getOwnPropertyNames;var ea=Object.prototype.hasOwnProperty;var ta=(e,t,n)=>t in e?Qe(e,t,{enumerable:!0,configurable:!0,writable:!0,value:n}):e[t]=n;var ur=(e,t)=>{for(var n in t)Qe(e,n,{get:t[n],enumerable:!0})},na=(e,t,n,r)=>{if(t&&typeof t=="object"||typeof t=="func\
tion")for(let o of Xi(t))!ea.call(e,o)&&o!==n&&Qe(e,o,{get:()=>t[o],enumerable:!(r=Zi(t,o))||r.enumerable});return e};var ra=e=>na(Qe({},"__esModule",{value:!0}),e);var Qt=(e,t,n)=>ta(e,typeof t!="symbol"?t+"":t,n);var Bp={};ur(Bp,{SOCIAL_COMMENTS:()=>Ep,SOCIAL_CREDITS:()=>Lp,SOCIAL_FOLLOWERS:()=>Np,SOCIAL_LIKES:()=>Pp,SOCIAL_POST:()=>Mp,
SOCIAL_POSTS:()=>Fp,SOCIAL_PROFILE:()=>$p,SOCIAL_REPORT:()=>Up,SOCIAL_TRACKED:()=>Dp,SOCIAL_VIEWS:()=>Kp,forgetKey:()=>Op,
onInstall:()=>Cp,onOpen:()=>Ap,openSidebar:()=>Ko,refresh:()=>Tp,refreshOnSchedule:()=>Qi,setKey:()=>vp,showBalance:()=>Ip,
sidebarAccount:()=>$c,sidebarAllowFormulas:()=>Kc,sidebarCampaigns:()=>yp,sidebarConnect:()=>Uc,sidebarDisconnect:()=>Dc,
sidebarEstimate:()=>Wc,sidebarFirstRows:()=>Mc,sidebarFirstRowsResult:()=>Fc,sidebarFreeze:()=>kp,sidebarImport:()=>Hc,sidebarImportCancel:()=>Xc,
sidebarImportChange:()=>Yc,sidebarImportEstimate:()=>Jc,sidebarImportSave:()=>zc,sidebarImportStart:()=>Qc,sidebarImportStep:()=>Zc,
sidebarImports:()=>jc,sidebarInsertFormula:()=>qc,sidebarInsertReport:()=>Sp,sidebarOpen:()=>Nc,sidebarPickCells:()=>Vc,
sidebarRefreshFormulas:()=>bp,sidebarRemember:()=>Pc,sidebarRuns:()=>xp,sidebarSamples:()=>Bc,sidebarSchedule:()=>Rp,sidebarSelection:()=>Gc,
sidebarSetSchedule:()=>_p});var oa=["url","status","platform","account_id","username","display_name","followers","followers_quality","following","po\
sts","likes","total_views","verified","private","category","country","language","bio","external_url","avatar_url","creat\
ed_at_platform","profile_url","retrieved_at","cached","credits_charged","message"],sa=["url","status","platform","id","p\
ermalink","author","author_id","published_at","title","caption","media_type","views","likes","comments","shares","favori\
tes","counts_quality","duration_seconds","hashtags","media_url","retrieved_at","cached","credits_charged","message"],ee={
known:oa,usual:["username","display_name","followers","following","posts","likes","total_views","verified"]},v={known:sa,
usual:["url","published_at","title","caption","views","likes","comments","shares","permalink"]};function Xe(e,{known:t,usual:n}){
let r=Ie(e).map(o=>pe(o,t,"field"));return[...new Set(["status",...r.length===0?n:r])]}function Ie(e){return[e].flat(2).
flatMap(t=>t==null?[]:String(t).split(/[,;]/)).map(t=>t.trim().toLowerCase().replace(/\s+/g,"_")).filter(t=>t!=="")}function pe(e,t,n){
let r=t.find(o=>o===e);if(r!==void 0)return r;throw new Error("There is no ".concat(n,' "').concat(e,'". Did you mean "').
concat(Ee(e,t),'"? The ').concat(n,"s are ").concat(t.join(", "),"."))}function Ee(e,t){return t.map(r=>({choice:r,edits:ia(
e,r)})).reduce((r,o)=>o.edits<r.edits?o:r).choice}function ia(e,t){let n=Array.from({length:t.length+1},(r,o)=>o);for(let r=1;r<=
e.length;r++){let o=[r];for(let s=1;s<=t.length;s++){let i=Ze(n,s-1)+(e[r-1]===t[s-1]?0:1);o.push(Math.min(i,Ze(n,s)+1,Ze(
o,s-1)+1))}n=o}return Ze(n,t.length)}function Ze(e,t){return e[t]??Number.POSITIVE_INFINITY}var H=["1d","3d","7d","14d","30d","fresh"],re="1d",T="SOCIAL_REFRESH",aa=2*6e4,cr=24*36e5;function mr(e,t){let n=Le(e,t),
{word:r,times_ms:o}=pr(e);if(r!=="fresh")return{parameter:n,oldest_ms:t-Number.parseInt(r,10)*cr,refreshed_ms:null};let s=o.
filter(i=>i<=t);return o.length===0?{parameter:n,oldest_ms:t,refreshed_ms:t}:{parameter:n,oldest_ms:t-cr,refreshed_ms:s.
length===0?null:Math.max(...s)}}function la(e,t){let{word:n,times_ms:r}=pr(e);return n!=="fresh"||r.length===0?n:r.map(s=>t-
s).some(s=>s>=0&&s<=aa)?"fresh":re}var ua=/^(true|false|\d[\d.:tz-]{4,})$/;function pr(e){let t=e!=null&&typeof e!="bool\
ean"&&!(e instanceof Date),[n="",...r]=t?String(e).trim().toLowerCase().split(/\s+/):[];if(n===""||ua.test(n))return{word:re,
times_ms:[]};let o=H.find(s=>s===n);if(o===void 0)throw new Error('There is no max_age "'.concat(n,'". Did you mean "').
concat(Ee(n,H),'"? Use one of ').concat(H.join(", "),"."));return{word:o,times_ms:r.map(s=>Date.parse(s))}}function Le(e,t){
let n=la(e,t);return n==="fresh"?"fresh=true":"cache_max_age=".concat(n)}function fr(e,t){let[n]=String(e).trim().toLowerCase().
split(/\s+/),r=H.find(o=>o===n)??"fresh";return"".concat(r," ").concat(new Date(t).toISOString())}var ca="Copy the whole key from your dashboard and try again.",x={label:"What this means",path:"/docs/addon#what-the-sta\
tus-means"},Ne={label:"Open your keys",path:"/dashboard/keys"},dr={label:"Open your credits",path:"/dashboard/credits"},
hr={INVALID_API_KEY:{sentence:"The server does not know this key, or it was revoked. ".concat(ca),...Ne},API_KEY_NOT_SET:{
sentence:"No API key is connected. Connect one under Keys.",...Ne},FORMULAS_NOT_ALLOWED:{sentence:"A key is connected, b\
ut formulas in this file may not use it yet. The owner of the file allows it in the sidebar under Keys: Formulas in this\
 file may use my credits.",...x},FILE_WITHOUT_OWNER:{sentence:"This file is in a shared drive, so it has no owner whose \
credits its formulas could use. Save a sheet key in the file instead.",label:"Create a sheet key",path:"/dashboard/keys"},
SHEET_KEY_NEEDED:{sentence:"Everyone who can edit this file can also read the key that is saved in it, so this add-on ta\
kes only a sheet key. A sheet key has a monthly limit. Create one on your dashboard and paste it here.",label:"Create a \
sheet key",path:"/dashboard/keys"},INSUFFICIENT_CREDITS:{sentence:"There are not enough credits, or the monthly cap of t\
he key is reached. Add credits or raise the cap on your dashboard.",server_says_more:!0,...dr},PAID_ACCESS_REQUIRED:{sentence:"\
Reports open after your workspace has bought a credit pack once.",...dr},PRODUCTION_KEY_REQUIRED:{sentence:"A developmen\
t key gives only sample data. Connect a production key or a sheet key.",...Ne},KEY_NOT_ALLOWED:{sentence:"This key is li\
mited to other uses. Connect a key that may be used in spreadsheets.",server_says_more:!0,...Ne},ADDRESS_NOT_ALLOWED:{sentence:"\
This key works only from certain IP addresses, and requests from a spreadsheet come from Google’s computers. Connect a k\
ey without this limit.",...Ne},RATE_LIMITED:{sentence:"Too many requests in this minute. Wait one minute, and use one fo\
rmula for a whole column.",...x},SERVER_UNREACHABLE:{sentence:"Google could not connect to your server. It may be off, o\
r not reachable from the internet. Try again in a minute.",...x},SERVER_NOT_FOUND:{sentence:"The address of your server \
does not exist on the internet (DNS). Tell the person who runs your server.",...x},SERVER_CERTIFICATE:{sentence:"The cer\
tificate (https) of your server is not valid. Tell the person who runs your server.",...x},SERVER_TIMEOUT:{sentence:"You\
r server did not answer in time. Try again: rows that were answered before are free.",...x},SERVER_UNAVAILABLE:{sentence:"\
The server cannot answer at the moment. Try again in a minute.",...x},SERVER_ANSWER_UNREADABLE:{sentence:"The answer did\
 not come from the API, perhaps from a login page. Try again later.",...x},LOGIN_PAGE:{sentence:"A login page or a redir\
ect is in front of your server, so Google cannot reach the API. Tell the person who runs your server: /v1 must be open t\
o the internet.",...x},INTERNAL:{sentence:"The server had an internal error. Nothing was charged. Try again in a minute.",
...x},GOOGLE_DAILY_QUOTA:{sentence:"The daily limit of Google for your account is used up (20,000 requests, with Google \
Workspace 100,000). It works again tomorrow. One formula for a whole column needs far fewer requests.",...x},GOOGLE_BUSY:{
sentence:"Google is busy with too many formulas or scripts of your account at once. Wait a minute, then try again.",...x},
GOOGLE_TIME_LIMIT:{sentence:"This took longer than Google allows (30 seconds for a formula, 6 minutes otherwise). Try it\
 with fewer rows.",...x},ADMIN_BLOCKED:{sentence:"The administrator of your Google Workspace blocks requests to your ser\
ver. Ask the administrator to allow its address for Apps Script (UrlFetch).",...x},ADDON_OUTDATED:{sentence:"The install\
ed add-on is older than this page, or was built for another server address. Reload the file. If that does not help, inst\
all the current files again.",label:"Get the add-on",path:"/addon"},SEVERAL_ACCOUNTS:{sentence:"Your browser is signed i\
n to several Google accounts, and Google used another one than the one that opened this file. Open the file in a private\
 window or in a browser profile with only this account.",...x},PERMISSION_MISSING:{sentence:"The add-on needs a permissi\
on that you have not given. Choose Open sidebar in its menu and allow everything that Google asks for.",...x},NO_CONNECTION:{
sentence:"Your browser could not reach Google Sheets. Check your internet connection, then try again.",...x},PROTECTED_CELLS:{
sentence:"Some of these cells are protected, and you may not edit them. Choose other cells, or ask the owner of the file\
: Data > Protect sheets and ranges.",...x},DATA_VALIDATION:{sentence:"Some of these cells accept only certain values (da\
ta validation), so nothing was written. Choose other cells, or remove the rule: Data > Data validation.",...x},FILE_FULL:{
sentence:"This file has reached the limit of 10 million cells. Delete sheets or empty rows first.",...x},STORAGE_FULL:{sentence:"\
The storage of Google for this add-on and this file is full. Delete imports or schedules that you no longer need.",...x},
GOOGLE_ERROR:{sentence:"Google Sheets refused this. Reload the file and try again.",...x},SHEET_DELETED:{sentence:"The s\
heet was deleted in the meantime. Choose another one.",...x}};function _({code:e,message:t}){let n=hr[e];return n!==void 0&&
(t===""||n.server_says_more!==!0)?n.sentence:t===""?"The server refused this (".concat(e,")."):t}function gr(e){let{label:t,
path:n}=hr[e]??{label:x.label,path:"/docs/errors#".concat(e)};return{label:t,path:n}}function wr(e){return["SERVER_UNREA\
CHABLE","SERVER_TIMEOUT","SERVER_UNAVAILABLE","SERVER_ANSWER_UNREADABLE"].includes(e)}var ma=[[/too many times for one day|computer time for one day/i,"GOOGLE_DAILY_QUOTA"],[/in a short time|per second|running simultaneously|bandwidth quota|LockService operations/i,
"GOOGLE_BUSY"],[/maximum execution time/i,"GOOGLE_TIME_LIMIT"],[/by your admin|domain policy|contact your (domain )?administrator/i,
"ADMIN_BLOCKED"],[/whitelisted in the script manifest|script function not found/i,"ADDON_OUTDATED"],[/error code PERMISSION_DENIED/i,
"SEVERAL_ACCOUNTS"],[/permission to call|permissions are not sufficient|authori[sz]ation is required|access not granted/i,
"PERMISSION_MISSING"],[/protected cell or object/i,"PROTECTED_CELLS"],[/data validation rules/i,"DATA_VALIDATION"],[/number of cells in the workbook/i,
"FILE_FULL"],[/property storage quota/i,"STORAGE_FULL"],[/sheet .+ not found/i,"SHEET_DELETED"],[/service spreadsheets|service error: spreadsheets/i,
"GOOGLE_BUSY"],[/connection failure due to http|network ?error/i,"NO_CONNECTION"],[/dns error/i,"SERVER_NOT_FOUND"],[/ssl error/i,
"SERVER_CERTIFICATE"],[/\btimeout: /i,"SERVER_TIMEOUT"],[/address unavailable/i,"SERVER_UNREACHABLE"]];function et(e){return ma.
find(([t])=>t.test(e))?.[1]??null}var yr=2082,pa=26e3,br=3e3,Sr=4,fa=8e3,da=1500;function tt(e,{name:t,per_request_max:n},r){let o=[],s=[];for(let i of r){
let a="&".concat(t,"=").concat(encodeURIComponent(ha(i))),l=o[o.length-1];e.length+a.length>yr?s.push(i):l!==void 0&&l.values.
length<n&&l.url.length+a.length<=yr?(l.url+=a,l.values.push(i)):o.push({url:e+a,values:[i]})}return{requests:o,unsent:s}}
function ha(e){return e.replace(/\p{Surrogate}/gu,"�")}function F(e,t,n,{deadline_ms:r=B(n),at_once:o=e.length}={}){let s=new Map,
i=[...e];for(let a=1;a<=Sr&&i.length>0;a++){let l=ga(i,t,n,{deadline_ms:r,at_once:o}),u=[],c=0;if(i.forEach((p,h)=>{let g=l[h]??
Zt;s.set(p,"code"in g?{ok:!1,failure:g}:Ra(g));let d="code"in g?null:Sa(g);d!==null&&(u.push(p),c=Math.max(c,d))}),c+=n.
random()*da,u.length===0||n.now()+c+br>r)break;a<Sr&&n.sleep(c),i=u}return e.map(a=>s.get(a)??{ok:!1,failure:Zt})}function B(e){
return e.now()+pa}function ga(e,t,n,{deadline_ms:r,at_once:o}){let s=[];for(let i=0;i<e.length;i+=o)s.push(...wa(e.slice(
i,i+o),t,r-n.now(),n));return s}function wa(e,t,n,r){if(n<br)return e.map(()=>ka);try{return r.fetchAll(e.map(o=>({url:o,
headers:{"x-api-key":t},timeout_ms:n})))}catch(o){r.log("The server could not be reached: ".concat(String(o)));let s=ya(
String(o));return e.map(()=>s)}}function ya(e){let t=et(e);return t===null?{code:"SERVER_UNREACHABLE",message:"".concat(
Zt.message," Google says: “").concat(e.slice(0,200),"”")}:{code:t,message:_({code:t,message:""})}}function Sa(e){let t=e.
status===429?kr(e):null;return t!==null&&t<=fa?t:null}function kr(e){let t=ba(e,"retry-after");return t!==null&&/^\d{1,4}$/.
test(t)?Number(t)*1e3:null}function ba(e,t){let n=Object.entries(e.headers).find(([r])=>r.toLowerCase()===t);return n===
void 0?null:n[1].trim()}var Zt={code:"SERVER_UNREACHABLE",message:"Google could not connect to your server. Try again in\
 a minute."},ka={code:"NOT_IN_TIME",message:"The formula ran out of time. Run it again: rows that were answered before a\
re free."};function Ra(e){let t=Oa(e.text);if(e.status===200&&t!==null&&"data"in t)return{ok:!0,data:t.data,warnings:_a(
t.meta)};let n=xa(t)??Ca(e.status),r=kr(e);return{ok:!1,failure:r===null?n:{...n,retry_after_ms:r}}}function _a(e){let t=f(
e)?.warnings;return Array.isArray(t)?t.filter(n=>typeof n=="string"):[]}function xa(e){let t=f(e?.error);return t===null||
typeof t.code!="string"||!/^[A-Z][A-Z0-9_]{0,63}$/.test(t.code)?null:{code:t.code,message:typeof t.message=="string"?t.message:
""}}var Aa=[301,302,303,307,308,401,403,407];function Ca(e){let t=va(e);return{code:t,message:"".concat(_({code:t,message:""}),
" (status ").concat(e,")")}}function va(e){return Aa.includes(e)?"LOGIN_PAGE":e===429?"RATE_LIMITED":e>=500?"SERVER_UNAV\
AILABLE":"SERVER_ANSWER_UNREADABLE"}function Oa(e){try{return f(JSON.parse(e))}catch{return null}}function f(e){return typeof e==
"object"&&e!==null?e:null}function G(){return"bound"}function oe(e){let{label:t,path:n}=gr(e);return{label:t,url:"https://address-of-the-server.invalid"+n}}function Ta(e){return{
ok:!1,message:_(e),code:e.code,link:oe(e.code)}}function Rr(e){return Ta({code:e,message:""})}var Xt={file:{scope:"spreadsheets.currentonly",label:"View and manage spreadsheets that this application has been instal\
led in",use:"to read and write this file"},server:{scope:"script.external_request",label:"Connect to an external service",
use:"to contact your server"},sidebar:{scope:"script.container.ui",label:"Display and run third-party web content in pro\
mpts and sidebars inside Google applications",use:"to show its menu and its sidebar"},schedule:{scope:"script.scriptapp",
label:"Allow this application to run when you are not present",use:"to run on a schedule"}},nt=["file","server","sidebar"];
function _r(e){return e.map(t=>"https://www.googleapis.com/auth/".concat(Xt[t].scope))}function xr(e){ScriptApp.requireScopes(
ScriptApp.AuthMode.FULL,_r(e))}function en(e){let t=e.filter(o=>Ia([o]));if(t.length===0)return null;let n=Ar(t).getAuthorizationUrl(),
r=t.map(o=>"".concat(Xt[o].use," (“").concat(Xt[o].label,"”)")).join(" and ");return{ok:!1,message:"The add-on needs\
 your permission ".concat(r,". Give it, then try again."),code:"PERMISSION_MISSING",link:n===null?oe("PERMISSION_MISSING"):
{label:"Give permission",url:n}}}function Ia(e){return Ar(e).getAuthorizationStatus()===ScriptApp.AuthorizationStatus.REQUIRED}
function Ar(e){return ScriptApp.getAuthorizationInfo(ScriptApp.AuthMode.FULL,_r(e))}var Ea=/^$|^Loading|^#NAME\?/,La=/\bR(\[-?\d+\])?C/;function Or(e,t){let n=SpreadsheetApp.getActiveRange(),r=Na(n?.getFormulaR1C1()??
"",e);if(n===null||r===null)return[];let o=n.getSheet(),s=n.getRow(),i=Math.max(1,s-50,1-r.down),a=Math.min(o.getLastRow()-
Math.max(0,r.down),s+300)-i+1;if(a<1)return[];let l=r.column??n.getColumn()+r.right,u=o.getRange(i,n.getColumn(),a,1),c=u.
getFormulasR1C1(),p=u.getDisplayValues(),h=o.getRange(i+r.down,l,a,1).getValues(),g=s-i;if(vr(h[g]?.[0])!==t)return[];let d=w=>c[w]?.[0]===
c[g]?.[0]&&Ea.test(p[w]?.[0]??""),S=h.map((w,K)=>K).filter(w=>w!==g&&d(w)),b=[...S.filter(w=>w>g),...S.filter(w=>w<g).reverse()];
return[...new Set(b.map(w=>vr(h[w]?.[0])))].filter(w=>w!==""&&w!==t)}function Na(e,t){let[,n="",r="",o=""]=new RegExp("^\
=(?:IFERROR\\()?".concat(t,"\\(\\s*R(\\[-?\\d+\\])?C(\\[-?\\d+\\]|\\d+)?\\s*([,;)].*)$"),"i").exec(e)??[];if(o===""||La.
test(o))return null;let s=/^\d+$/.test(r)?Number(r):null;return{down:Cr(n),right:s===null?Cr(r):0,column:s}}function Cr(e){
return e===""?0:Number(e.slice(1,-1))}function vr(e){return e instanceof Date?"":String(e??"").trim()}var Pa=2e3;function Tr(e){let t=n=>{try{return n()}catch(r){return e("A service of the file could not be used: ".concat(
String(r))),null}};return{read:n=>t(()=>CacheService.getDocumentCache()?.getAll(n))??{},write:(n,r)=>t(()=>CacheService.
getDocumentCache()?.putAll(n,r)),hold(n){let r=t(()=>LockService.getDocumentLock()),o=t(()=>r?.tryLock(Pa))===!0;try{return n()}finally{
o&&t(()=>r?.releaseLock())}},neighbours:(n,r)=>t(()=>Or(n,r))??[]}}var rt="api_key",tn="formulas_in_",Ma=/^[A-Za-z]+_[A-Za-z]+_[A-Za-z0-9]{8,200}$/;function be(e){return se(e,"file")??(rn(
e)?se(e,"account"):null)}function fe(e){return se(e,"account")??se(e,"file")}function se(e,t){if(t==="account"&&!e.personal_keys)
return null;let n=nn(e,t)?.getProperty(rt)??null;return n===null?null:{key:n,location:t}}function nn(e,t){return t==="fi\
le"?e.document:e.user}function ot(e){let t=e.trim();return Ma.test(t)?t:null}function st(e,t,n){let r=nn(e,t);if(t==="ac\
count"&&!e.personal_keys)throw new Error("This install keeps no key with an account.");if(r===null)throw new Error("A ke\
y can be saved in a file only while the file is open.");r.setProperty(rt,n)}function rn({user:e,file_id:t,personal_keys:n}){
return n&&t!==null&&e.getProperty(tn+t)!==null}function Pe({user:e,file_id:t},n){if(t===null)throw new Error("Formulas c\
an be allowed only while a file is open.");n?e.setProperty(tn+t,"allowed"):e.deleteProperty(tn+t)}function Ir(e){return e.
personal_keys||e.user.getProperty(rt)===null?!1:(Me(e,"account"),!0)}function Er(e){let t=fe(e);return t!==null&&Me(e,t.
location),t?.location??null}function Me(e,t){nn(e,t)?.deleteProperty(rt),t==="account"&&e.file_id!==null&&Pe(e,!1)}function Fe(e){
return"…".concat(e.slice(-4))}function k(){return{document:PropertiesService.getDocumentProperties(),user:PropertiesService.getUserProperties(),file_id:SpreadsheetApp.
getActiveSpreadsheet()?.getId()??null,personal_keys:G()==="addon"}}function it(){return Session.getTemporaryActiveUserKey().
replace(/[^\w+/=-]/g,"")}function z(){return{origin:"https://address-of-the-server.invalid",key:fe(k())?.key??null,network:y}}
function W(){let e=k(),t=be(e)?.key??null,n=se(e,"account")===null?"API_KEY_NOT_SET":"FORMULAS_NOT_ALLOWED";return{origin:"\
https://address-of-the-server.invalid",key:t,no_key:n,network:y,cells:Tr(y.log)}}var y={fetchAll:e=>UrlFetchApp.fetchAll(
e.map(Fa)).map($a),sleep:e=>Utilities.sleep(Math.round(e)),now:()=>Date.now(),random:()=>Math.random(),log:e=>console.error(
e)};function Fa(e){return{url:e.url,headers:e.headers,muteHttpExceptions:!0,followRedirects:!1,timeoutSeconds:Math.ceil(
e.timeout_ms/1e3)}}function $a(e){let t=Object.entries(e.getAllHeaders()).map(([n,r])=>[n,String(r)]);return{status:e.getResponseCode(),
headers:Object.fromEntries(t),text:e.getContentText()}}var Ua=200;function R(e){return(...t)=>{SpreadsheetApp.getUi();try{return e(...t)}catch(n){return at(n)}}}function $e(e){
return()=>{let t=SpreadsheetApp.getUi();try{e()}catch(n){let{message:r,link:o}=at(n),s=o===void 0?r:"".concat(r,"\n\n").
concat(o.label,": ").concat(o.url);t.alert("This did not work",s,t.ButtonSet.OK)}}}function at(e){let t=e instanceof m?e.
code:et(String(e)),n=t==="PERMISSION_MISSING"?en(nt):null;if(n!==null)return n;if(e instanceof m){let{message:s,link:i}=e;
return{ok:!1,message:s,...t!==null&&{code:t},...i!==null&&{link:i}}}if(y.log("A function of the add-on failed: ".concat(
String(e))),t!==null)return Rr(t);let r=(e instanceof Error?e.message:String(e)).slice(0,Ua);return{ok:!1,message:"Googl\
e Sheets refused this: “".concat(r,"” Reload the file and try again."),code:"GOOGLE_ERROR",link:oe("GOOGLE_ERROR")}}
var m=class extends Error{constructor(n,r=null,o=null){super(n);Qt(this,"code");Qt(this,"link");this.code=r,this.link=o??
(r===null?null:oe(r))}},E=class extends m{constructor(t,n=""){super("".concat(_(t)," ").concat(n).trim(),t.code)}};function Lr(e){
let t=en([e]);if(t!==null)throw new m(t.message,t.code,t.link)}var Da=50,Nr="The saved key was removed, because everyone who can edit this file could read it. Connect a sheet key, whi\
ch has a monthly limit.";function de(){let e=k(),t=Ir(e)?Nr:null,r=["account","file"].flatMap(l=>se(e,l)??[]).map(({key:l,
location:u})=>({key:l,location:u,answer:De(l)})),o=r.filter(({answer:l})=>l?.ok===!0&&!lt(l.data));for(let{location:l}of o)
Me(e,l);let s=r.filter(l=>!o.includes(l)).map(({key:l,location:u,answer:c})=>({location:u,view:Ba(l,c)})),i={account:Pr(
s,"account"),file:Pr(s,"file")},a=fe(e)?.location??null;return{ok:!0,server:"https://address-of-the-server.invalid",install:G(),
opened_by:it(),notice:o.length>0?Nr:t,keys:i,uses:a,formulas:be(e)?.location??null,formulas_allowed:rn(e),low:Ga(a===null?
null:i[a]?.credits??null)}}function Pr(e,t){return e.find(n=>n.location===t)?.view??null}function De(e){return F(["https\
://address-of-the-server.invalid/v1/credit/balance"],e,y)[0]}function Mr(e,t){let n=ot(String(t));if(n===null)return{ok:!1,
message:"This is not an API key. Copy the whole key from your dashboard."};let r=De(n);if(r?.ok!==!0)throw new E(sn(r),"\
The key was not saved.");if(!lt(r.data))throw new E({code:"SHEET_KEY_NEEDED",message:""});return st(k(),G()==="bound"?"f\
ile":Ur(e),n),de()}function lt(e){if(G()==="addon")return!0;let{kind:t,monthly_cap:n}=f(f(e)?.key)??{};return t==="test"||
t==="sheet"&&typeof n=="number"}function sn(e){return e?.ok===!1?e.failure:{code:"SERVER_UNREACHABLE",message:""}}function Fr(e){
return Me(k(),Ur(e)),de()}function $r(e){if(G()==="bound")throw new E({code:"SHEET_KEY_NEEDED",message:""});if(e===!0&&Ka())
throw new E({code:"FILE_WITHOUT_OWNER",message:""});return Pe(k(),e===!0),de()}function Ka(){try{return SpreadsheetApp.getActiveSpreadsheet().
getOwner()===null}catch(e){return y.log("The owner of the file is unknown: ".concat(String(e))),!1}}function Ur(e){return e===
"file"?"file":"account"}function Ba(e,t){let n=t?.ok===!0?f(t.data):null,r=f(n?.key),o=n?.workspace;return{last_four:Fe(
e),problem:t?.ok===!0?null:_(sn(t)),problem_link:t?.ok===!0?null:oe(sn(t).code),workspace:Ue(o)??Ue(f(o)?.name),tier:Ue(
n?.tier),kind:Ue(r?.kind),name:Ue(r?.name),credits:on(n?.credits_remaining),monthly_cap:on(r?.monthly_cap),cap_used:on(r?.
cap_used)}}function Ue(e){return typeof e=="string"&&e!==""?e:null}function on(e){return typeof e=="number"?e:null}function Ga(e){
return e===null||e>=Da?null:e===0?"No credits are left. Top up on your dashboard.":e===1?"Only 1 credit is left. Top up \
soon.":"Only ".concat(e," credits are left. Top up soon.")}function Y(e){return e==null?"":typeof e=="number"||typeof e=="boolean"?e:Dr(typeof e=="string"?e:JSON.stringify(e))}function L(e){
return"'".concat(Dr(e))}function Dr(e){if(e.length<=5e4)return e;let t=/[\uD800-\uDBFF]/.test(e.charAt(49999));return e.
slice(0,t?49999:5e4)}var Wa=2e4;function A(e){let t=LockService.getDocumentLock();if(t===null||!t.tryLock(Wa))throw new m("Another user or wi\
ndow is writing to this file. Try again in a minute.");try{return e()}finally{t.releaseLock()}}var Kr="runs",qa=20,Va=200,ja=8500;function N(e){try{let t=k().document,n=e.message.slice(0,Va),r=[{at:y.now(),...e,message:n},
...Ke()].slice(0,qa);for(;r.length>1&&Ya(JSON.stringify(r))>ja;)r.pop();t?.setProperty(Kr,JSON.stringify(r))}catch(t){y.
log("The run could not be logged: ".concat(String(t)))}}function Ke(){let e=k().document?.getProperty(Kr)??null,t=e===null?
[]:Ha(e);return Array.isArray(t)?t.filter(za):[]}function Ha(e){try{return JSON.parse(e)}catch{return[]}}function za(e){
let t=f(e);return typeof t?.at=="number"&&typeof t.what=="string"&&typeof t.message=="string"}function Ya(e){return[...e].
reduce((t,n)=>t+(n<""?1:2*n.length+1),0)}var Sn={};ur(Sn,{SOCIAL_COMMENTS:()=>Zr,SOCIAL_CREDITS:()=>eo,SOCIAL_FOLLOWERS:()=>no,SOCIAL_LIKES:()=>oo,SOCIAL_POST:()=>io,
SOCIAL_POSTS:()=>lo,SOCIAL_PROFILE:()=>co,SOCIAL_REPORT:()=>So,SOCIAL_TRACKED:()=>Ro,SOCIAL_VIEWS:()=>xo});function Br(e,t){if(e===void 0)throw new Error("Enter ".concat(t,"."));return(Array.isArray(e)?e.map(r=>Ja(r,t)):[e]).map(
r=>Gr(r,t))}function Ja(e,t){if(!Array.isArray(e))return e;if(e.length>1)throw new Error("This range has more than one c\
olumn. Enter ".concat(t,"."));return e[0]}function ut(e,t){if(e===void 0)throw new Error("Enter ".concat(t,"."));let n=[
e].flat(2).map(r=>Gr(r,t));return[...new Set(n.filter(r=>r!==""))]}function Gr(e,t){if(e instanceof Date)throw new Error(
"A date cannot be used here. Enter ".concat(t,"."));return String(e??"").trim()}function ke(e,t,n){if(e>t)throw new Error(
"One formula takes at most ".concat(t," ").concat(n,", and this range has ").concat(e,". Split the range."))}function ct(e,t,n,r){
let o=String([e].flat(2)[0]??"").trim();if(o==="")return null;let s=/^\d{1,6}$/.test(o)?Number(o):Number.NaN;if(s>=n&&s<=
r)return s;throw new Error("".concat(t," must be a whole number from ").concat(n," to ").concat(r,"."))}var Qa=/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
function mt(e){return Qa.test(e)}var ln={instagram:{parameter:"photo",urls:/instagr/i},tiktok:{parameter:"shortvideo",urls:/tiktok/i},youtube:{parameter:"\
longvideo",urls:/youtu/i}},an=Object.keys(ln);function pt(e,t){let n=String([e].flat(2)[0]??"").trim().toLowerCase();if(n!==
"")return{name:pe(n,an,"platform"),guessed:!1};let r=t.filter(s=>!te(s)),o=an.filter(s=>r.some(i=>ln[s].urls.test(i)));return o.
length===1&&o[0]!==void 0?{name:o[0],guessed:!0}:null}function te(e){return/^@?[^@/:?#\s]+$/.test(e)}function ft(e){return"\
&platform=".concat(ln[e].parameter)}function dt(e,t){return t.guessed&&e.status==="OK"?{...e,status:"OK (as ".concat(t.name,
")")}:e}var ht={status:"INVALID_INPUT",message:"A handle exists on several platforms. Enter a URL, or the platform as th\
e last argument: ".concat(an.join(", "),".")};function wt(e,t,n){if(t.length===0)return[];if(n.key===null)return[{values:[...t],rows:Be(n),warnings:[]}];let r="".concat(
n.origin).concat(e.path,"?").concat(e.query),{requests:o,unsent:s}=tt(r,e,t),i=F(o.map(({url:p})=>p),n.key,n.network,{at_once:e.
at_once??o.length,deadline_ms:e.deadline_ms??B(n.network)}),a=o.map((p,h)=>{let g=i[h],d=g?.ok===!0?g.warnings:[];return{
values:p.values,rows:Za(g,e.columns),warnings:d}}),l=s.map(p=>({values:[p],rows:Xa,warnings:[]})),u=new Map(t.map((p,h)=>[
p,h])),c=({values:[p=""]})=>u.get(p)??0;return[...a,...l].sort((p,h)=>c(p)-c(h))}function mn(e,t,n){let r=wt(e,t,n).flatMap(
({values:o,rows:s})=>{let i=un(s)?s:P,a=un(s)||s.length!==o.length?[]:s;return o.map((l,u)=>[l,a[u]??cn(l,i)])});return new Map(
r)}function yt(e,t,n){let r=new Set;return[...wt(e,t,n).flatMap(({values:s,rows:i,warnings:a})=>{if(un(i))return s.map(l=>cn(
l,i));if(i.length===0){let l=a.length===0?gt:{...gt,message:a.join(" ")};return s.map(u=>cn(u,l))}for(let l of a)r.add(l);
return i}),...[...r].map(s=>({status:"NOTE",message:s}))]}function un(e){return!Array.isArray(e)}function Za(e,t){if(e?.
ok===!1)return e.failure;let n=f(e?.data),r=n?.columns,o=n?.rows;return!Array.isArray(r)||!Array.isArray(o)||!o.every(Array.
isArray)||!t.every(s=>r.includes(s))?P:o.map(s=>Object.fromEntries(t.map(i=>[i,s[r.indexOf(i)]])))}function cn(e,{code:t,
message:n}){return{[mt(e)?"item_id":"url"]:e,status:t,message:n}}var he={code:"API_KEY_NOT_SET",message:"Set an API key \
in the menu of the add-on."};function Be({no_key:e=he.code}){return e===he.code?he:{code:e,message:_({code:e,message:""})}}
var gt={code:"NO_DATA",message:"There is nothing to show."},Xa={code:"INVALID_INPUT",message:"This text is too long for \
a request."},P={code:"SERVER_ANSWER_UNREADABLE",message:"The answer of the server does not have the expected form. Try a\
gain later."};var el=100,pn=21600,tl=95e3,bt="claims";function qr(e,t,n){let r=hn(e).toString(36),o=i=>"".concat(r," ").concat(i),s=i=>hn(
o(i)).toString(36);return{read(i){let a=dn(t,[...new Set(i.map(St))]);return new Map(i.flatMap(l=>{let u=a[St(l)]?.[o(l)];
return u===void 0?[]:[[l,u]]}))},write(i){let a=[...new Set([...i.keys()].map(St))],l=dn(t,a);for(let[c,p]of i){let h=St(
c);l[h]={...l[h],[o(c)]:p}}let u=Object.entries(l).map(([c,p])=>[c,rl(p)]);t.write(Object.fromEntries(u),pn)},claimed(i){
let a=fn(t,n());return new Set(i.filter(l=>a[s(l)]!==void 0))},claim(i,a){let l=fn(t,n());for(let u of i)l[s(u)]=a;t.write(
{[bt]:JSON.stringify(l)},pn)},release(i){let a=fn(t,n());for(let l of i)delete a[s(l)];t.write({[bt]:JSON.stringify(a)},
pn)}}}function fn(e,t){let n=dn(e,[bt])[bt]??{};return Object.fromEntries(Object.entries(n).filter(([,r])=>r>t))}function St(e){
return"rows_".concat(hn(e)%el)}function dn(e,t){let n=Object.entries(e.read(t)).flatMap(([r,o])=>{let s=nl(o);return s===
null?[]:[[r,s]]});return Object.fromEntries(n)}function nl(e){try{return f(JSON.parse(e))}catch{return null}}function rl(e){
let t=Object.entries(e).sort(([,r],[,o])=>Wr(o)-Wr(r)),n=JSON.stringify(Object.fromEntries(t));for(;t.length>0&&ol(n)>tl;)
t.splice(Math.floor(t.length*.8)),n=JSON.stringify(Object.fromEntries(t));return n}function Wr({row:e,failure:t}){return e?.
received_ms??t?.received_ms??0}function ol(e){return e.length+2*(e.match(/[\u0080-\uffff]/g)?.length??0)}function hn(e){
let t=3735928559,n=1103547991;for(let r=0;r<e.length;r++){let o=e.charCodeAt(r);t=Math.imul(t^o,2654435761),n=Math.imul(
n^o,1597334677)}return t=Math.imul(t^t>>>16,2246822507)^Math.imul(n^n>>>13,3266489909),n=Math.imul(n^n>>>16,2246822507)^
Math.imul(t^t>>>13,3266489909),4294967296*(2097151&n)+(t>>>0)}var sl=100,Vr=700,il=1e4,al=1e4,ll=6*36e5,ul=6e4,cl=new Set(["RATE_LIMITED","SERVER_UNREACHABLE","SERVER_UNAVAILABLE","S\
ERVICE_UNAVAILABLE","NOT_IN_TIME","SERVER_ANSWER_UNREADABLE","INTERNAL","SOURCE_TIMEOUT","SOURCE_CAPACITY","SOURCE_UNAVA\
ILABLE"]),ml="OK (older)";function jr(e,t,n){let{network:r,key:o,cells:s,origin:i}=n,{query:a,freshness:l}=e;if(o===null||
s===void 0||t.length===0)return mn(Hr(a,l.parameter),t,n);let u=a.deadline_ms??B(r),c=qr("".concat(i).concat(a.path,"?").
concat(a.query,"&key=").concat(o),s,r.now),p={plan:e,store:c,cells:s,network:r,deadlineMs:u},h=c.read(t),g=t.filter(w=>!gn(
h.get(w),p)),d=e.one_cell===null?g:pl(g,e.one_cell,p),S=dl(e,d,n,u);S.size>0&&s.hold(()=>hl(c,S,r.now()));let b=g.length===
0?h:c.read(t);return new Map(t.map(w=>[w,gl(S.get(w),b.get(w),p)]))}function pl([e],t,n){let{store:r,cells:o,network:s,deadlineMs:i}=n;
if(e===void 0)return[];let a=null;for(;;){if(r.claimed([e]).size===0){a??(a=o.neighbours(t,e).filter(u=>te(u)===te(e)));
let l=o.hold(()=>fl(e,a??[],n));if(l.length>0)return l}if(gn(r.read([e]).get(e),n))return[];if(s.now()+il>i)return[e];s.
sleep(Vr+s.random()*Vr)}}function fl(e,t,n){let{store:r,deadlineMs:o}=n,s=[e,...t],i=r.read(s),a=r.claimed(s),l=s.filter(
c=>!a.has(c)&&!gn(i.get(c),n));if(l[0]!==e)return[];let u=l.slice(0,sl);return r.claim(u,o),u}function dl({query:e,freshness:t},n,r,o){
let s=(u,c)=>mn({...Hr(e,u),deadline_ms:o},c,r),i=s(t.parameter,n),{refreshed_ms:a}=t;if(a===null||t.parameter==="fresh=\
true")return i;let l=n.filter(u=>{let c=i.get(u),p=c?.cached===!1;return c?.status==="OK"&&!p&&zr(c,a)<a-ul});return new Map(
[...i,...s("fresh=true",l)])}function Hr(e,t){return{...e,query:"".concat(t,"&").concat(e.query)}}function hl(e,t,n){let r=[
...t.keys()],o=e.read(r),s=[...t].map(([i,a])=>a.status!=="OK"?[i,{...o.get(i),failure:{received_ms:n,cells:a}}]:[i,{row:{
retrieved_ms:zr(a,n),received_ms:n,cells:a}}]);e.write(new Map(s)),e.release(r)}function zr(e,t){let n=Date.parse(String(
e.retrieved_at));return Number.isNaN(n)?t:n}function gn(e,{plan:t,network:n}){let{row:r,failure:o}=e??{},s=o!==void 0&&n.
now()-o.received_ms<al;return t.one_cell!==null&&s&&Jr(o.received_ms,t.freshness)?!0:Yr(r,t.freshness)}function Yr(e,t){
return e!==void 0&&e.retrieved_ms>=t.oldest_ms&&Jr(e.received_ms,t)}function Jr(e,{refreshed_ms:t}){return t===null||e>=
t}function gl(e,t,{plan:n}){let{row:r,failure:o}=t??{},s=e??(Yr(r,n.freshness)?void 0:o?.cells);if(s?.status==="OK")return s;
if(r===void 0)return s??{};let i={...r.cells,cached:!0,credits_charged:0};return s===void 0?i:cl.has(String(s.status))&&
r.retrieved_ms>=n.freshness.oldest_ms-ll?{...i,status:ml,message:s.message}:s}var wl=2e3,yl=50,Sl=6,bl=["cached","credits_charged"];function kt(e,t,n){let r=Xe(e.fields,t.columns);return wn(e,r,t,n).
map(s=>r.map(i=>Y(s?.[i])))}function wn(e,t,n,r){let o=Br(e.urls,n.example),s=r.network.now(),i=mr(e.max_age,s),a=[...new Set(
o.filter(b=>b!==""))];ke(a.length,wl,n.what);let l=n.handles?pt(e.platform,a):null,u=n.handles?a.filter(te):[],c=[...new Set(
[...t,"retrieved_at","cached"])],p=B(r.network),g=i.oldest_ms<s&&!bl.some(b=>t.includes(b))&&!Array.isArray(e.urls)?n.formula:
null,d=(b,w)=>{let K={path:n.path,query:"fields=".concat(c.join(",")).concat(b),name:"url",columns:c,per_request_max:yl,
at_once:Sl,deadline_ms:p};return jr({query:K,freshness:i,one_cell:g},w,r)},S=d("",a.filter(b=>!u.includes(b)));if(l===null)
for(let b of u)S.set(b,ht);else for(let[b,w]of d(ft(l.name),u))S.set(b,dt(w,l));return o.map(b=>S.get(b)??null)}function ie(e,t,n){let r=wn(e,["status",t.field,"message"],t,n);return Array.isArray(e.urls)?r.map(o=>[Rl(o,t.field)]):kl(
r[0]??null,t)}function kl(e,{field:t,label:n}){if(e===null)return"";let r=e[t];if(typeof r=="number")return r;if(String(
e.status).startsWith("OK"))throw new Error("The platform does not show ".concat(n,"."));let o={code:String(e.status),message:String(
e.message??"")};throw new Error("".concat(_(o)," (").concat(o.code,")"))}function Rl(e,t){let n=e?.[t];return typeof n==
"number"?n:""}var _l={formula:"SOCIAL_COMMENTS",path:"/v1/workflows/post",columns:v,what:"posts",example:"the URL of a post or a colum\
n of them, such as A2:A50",handles:!1,field:"comments",label:"the number of comments"};function Qr(e,t,n){return ie({urls:t,
max_age:n},_l,e)}var Zr={order:10,label:"Comments, as a number",takes:"Post URLs",args:["area","max_age"],choices:[],usual:[],
estimate:{route:"post",unit:"post",per_request_max:50,rows_max:200,most:1},gives:"the number of comments on a post or vi\
deo, a plain number",costs:"as SOCIAL_POST; both share the stored data"};function Xr(e,t){return xl(e)}function xl(e){if(e.key===null)throw yn(Be(e));let[t]=F(["".concat(e.origin,"/v1/credit/ba\
lance")],e.key,e.network);if(t?.ok===!1)throw yn(t.failure);let n=f(t?.data)?.credits_remaining;if(typeof n!="number")throw yn(
P);return n}function yn(e){return new Error("".concat(_(e)," (").concat(e.code,")"))}var eo={order:6,label:"Credits left",
takes:"",args:[],choices:[],usual:[],estimate:null,gives:"the balance, a number",costs:"0"};var Al={formula:"SOCIAL_FOLLOWERS",path:"/v1/workflows/profile",columns:ee,what:"profiles",example:"a profile URL or a c\
olumn of them, such as A2:A50",handles:!0,field:"followers",label:"the number of followers"};function to(e,t,n,r){return ie(
{urls:t,platform:n,max_age:r},Al,e)}var no={order:7,label:"Followers, as a number",takes:"Profile URLs",args:["area","pl\
atform","max_age"],choices:[],usual:[],estimate:{route:"profile",unit:"profile",per_request_max:50,rows_max:200,most:1},
gives:"the number of followers or subscribers, a plain number",costs:"as SOCIAL_PROFILE; both share the stored data"};var Cl={formula:"SOCIAL_LIKES",path:"/v1/workflows/post",columns:v,what:"posts",example:"the URL of a post or a column o\
f them, such as A2:A50",handles:!1,field:"likes",label:"the number of likes"};function ro(e,t,n){return ie({urls:t,max_age:n},
Cl,e)}var oo={order:9,label:"Likes, as a number",takes:"Post URLs",args:["area","max_age"],choices:[],usual:[],estimate:{
route:"post",unit:"post",per_request_max:50,rows_max:200,most:1},gives:"the number of likes of a post or video, a plain \
number",costs:"as SOCIAL_POST; both share the stored data"};var vl={formula:"SOCIAL_POST",path:"/v1/workflows/post",columns:v,what:"posts",example:"the URL of a post or a column of\
 them, such as A2:A50",handles:!1};function so(e,t,n,r){return kt({urls:t,fields:n,max_age:r},vl,e)}var io={order:3,label:"\
Single posts and videos",takes:"Post URLs",args:["area","fields","max_age"],choices:v.known,usual:v.usual,estimate:{route:"\
post",unit:"post",per_request_max:50,rows_max:200,most:1},gives:"one row for each URL of a post or video",costs:"1 credi\
t for each URL that is fetched again; 0 while the stored data is young enough"};var Ol=40,Tl=20;function ao(e,t,n,r,o,s){return Il({profiles:t,limit:n,fields:r,max_age:o,platform:s},e)}function Il(e,t){
let n=ut(e.profiles,"a profile URL or a range of them, such as A2:A20"),r=ct(e.limit,"limit",1,Tl),o=Xe(e.fields,v),s=Le(
e.max_age,t.network.now());ke(n.length,Ol,"profiles");let i=pt(e.platform,n),a=B(t.network),l="".concat(s).concat(r===null?
"":"&limit=".concat(r)),u=(d,S)=>{let b={path:"/v1/workflows/posts",query:"".concat(l,"&fields=").concat(o.join(",")).concat(
d),name:"url",per_request_max:1,columns:o,deadline_ms:a};return yt(b,S,t)},c=n.filter(te),p=n.filter(d=>!te(d)),h=i===null||
c.length===0?c.map(d=>({url:d,...ht})):u(ft(i.name),c).map(d=>dt(d,i)),g=[...u("",p),...h];return g.length===0?[o.map(()=>"")]:
g.map(d=>o.map(S=>Y(d[S])))}var lo={order:2,label:"Latest posts of profiles",takes:"Profile URLs, up to 40",args:["area",
"limit","fields","max_age","platform"],choices:v.known,usual:v.usual,estimate:{route:"posts",unit:"profile",per_request_max:1,
rows_max:10,most:4},gives:"the latest posts of up to 40 profiles, one row for each post. limit is 1 to 20 posts for each\
 profile; without it you get 3",costs:"for each profile that is fetched again: 2 credits. On YouTube 3, or 4 when the li\
nk has no channel ID (such as /@name) and the channel was not looked up in the last day"};var El={formula:"SOCIAL_PROFILE",path:"/v1/workflows/profile",columns:ee,what:"profiles",example:"a profile URL or a col\
umn of them, such as A2:A50",handles:!0};function uo(e,t,n,r,o){return kt({urls:t,fields:n,max_age:r,platform:o},El,e)}var co={
order:1,label:"Profiles",takes:"Profile URLs",args:["area","fields","max_age","platform"],choices:ee.known,usual:ee.usual,
estimate:{route:"profile",unit:"profile",per_request_max:50,rows_max:200,most:1},gives:"one row for each profile URL",costs:"\
1 credit for each profile that is fetched again; 0 while the stored data is young enough (see max_age)"};var Rt=["totals","items","series","notes","coverage"],Ll={totals:Nl,items:Pl,series:Fl,notes:$l,coverage:Ul};function _t(e){
return[e.campaign,e.totals,e.coverage].every(n=>f(n)!==null)&&[e.items,e.series,e.notes].every(Array.isArray)}function ho(e,t){
return Ll[e](t)}var mo=["start","end","change","change_percent","items","items_missing","quality"];function Nl(e){let t=Object.
entries(f(e.totals)??{});return{columns:["metric",...mo],rows:t.map(([n,r])=>[n,...J(r,mo)])}}var po=["name","platform",
"kind","url","item_id"],fo=["start","end","change","change_percent","quality"];function Pl(e){let t=Ge(e.items),n=[...new Set(
t.flatMap(r=>Object.keys(f(r.metrics)??{})))];return{columns:[...po,"item_status","first_observed_at (UTC)","last_observ\
ed_at (UTC)",...n.flatMap(r=>fo.map(o=>"".concat(r,"_").concat(o))),"engagement_rate_by_views_percent","engagement_rate_\
formula","gaps"],rows:t.map(r=>[...J(r,po),r.status,ae(r.first_observed_at),ae(r.last_observed_at),...n.flatMap(o=>J(f(r.
metrics)?.[o],fo)),...J(Ge(r.rates)[0],["percent","formula"]),Ge(r.gaps).map(Ml).join("; ")])}}function Ml({from:e,to:t,
cause:n}){return"".concat(ae(e),"/").concat(ae(t)," ").concat(n)}function Fl(e){let t=["value","items","items_missing","\
quality"];return{columns:["platform","metric","step","at (UTC)",...t],rows:Ge(e.series).flatMap(n=>Ge(n.points).map(r=>[
...J(n,["platform","metric","step"]),ae(r.at)?.slice(0,10),...J(r,t)]))}}function $l(e){let t=Array.isArray(e.notes)?e.notes:
[],n=e.method===void 0?[]:[["method",e.method]];return{columns:["kind","text"],rows:[...t.map(r=>["note",r]),...n]}}function Ul(e){
let t=["expected_observations","observations","items","items_never_observed"],{campaign:n,coverage:r}=e;return{columns:[
"campaign","campaign_id","campaign_status","report_name","report_id","final","period_start (UTC)","period_end (UTC)","ge\
nerated_at (UTC)","history_days","partial_period",...t],rows:[[...J(n,["name","id","status"]),...J(e,["report_name","rep\
ort_id","final"]),ae(e.period_start),ae(e.period_end),ae(e.generated_at),...J(e,["history_days","partial_period"]),...J(
r,t)]]}}function J(e,t){let n=f(e);return t.map(r=>n?.[r])}function Ge(e){return Array.isArray(e)?e.map(t=>f(t)??{}):[]}
function ae(e){return typeof e=="number"&&Math.abs(e)<=Dl?new Date(e).toISOString():void 0}var Dl=864e13;function wo(e,t,n,r){return Kl(t,n,e)}function Kl(e,t,n){let r=Bl(e),[o="totals",s]=Ie(t);if(s!==void 0)throw new Error(
"Enter one section.");let i=pe(o,Rt,"section");if(r==="")return[[""]];let{report:a,failure:l}=Gl(r,n),u=ho(i,a??{});return l!==
void 0?go(u,l):u.rows.length===0?go(u,gt):[yo(u),...u.rows.map(c=>["OK",...c.map(Y)])]}function Bl(e){let t=[e].flat(2),
[n]=t;if(t.length!==1||n===void 0||n instanceof Date)throw new Error("Enter one campaign by its ID or its exact name, as\
 text.");return String(n??"").trim()}function yo({columns:e}){return["status",...e]}function go(e,{code:t,message:n}){let r=yo(
e);return[r,r.map((o,s)=>[t,n][s]??"")]}function Gl(e,t){let{key:n,network:r,origin:o}=t;if(n===null)return{failure:Be(t)};
let s=B(r),i=c=>F(["".concat(o).concat(c)],n,r,{deadline_ms:s})[0]??Wl,a=mt(e)?e:ql(e,i("/v1/workflows/campaigns"));if(typeof a!=
"string")return{failure:a};let l=i("/v1/workflows/campaign-report?id=".concat(encodeURIComponent(a)));if(!l.ok)return{failure:l.
failure};let u=f(l.data);return u!==null&&_t(u)?{report:u}:{failure:P}}var Wl={ok:!1,failure:P};function ql(e,t){if(!t.ok)
return t.failure;let n=f(t.data)?.items;if(!Array.isArray(n))return P;let r=n.map(i=>({id:String(f(i)?.id),name:String(f(
i)?.name).trim()})),o=r.flatMap(i=>i.name===e?[i.id]:[]),[s]=o;return s===void 0?Vl(e,r.map(i=>i.name)):o.length===1?s:{
code:"CAMPAIGN_NAME_NOT_UNIQUE",message:"".concat(o.length," campaigns have this name. Enter the ID of one, such as ").concat(
s,".")}}function Vl(e,t){let n=t.length===0?"The workspace has no campaigns yet.":'Did you mean "'.concat(Ee(e,t),'"?');
return{code:"CAMPAIGN_NOT_FOUND",message:"There is no campaign of this name. ".concat(n)}}var So={order:5,label:"Campaig\
n report",takes:"",args:["campaign","section"],choices:[],usual:[],estimate:null,gives:"one part of the newest weekly re\
port, with headings: totals, items, series (numbers over time), notes or coverage (which numbers exist). Your workspace \
must have bought a credit pack once",costs:"0"};var ge={followers:1,following:null,posts:null,views:2,likes:4,comments:null,shares:null,favorites:null,total_views:3};var jl=200,Hl=20,zl=365,bo=Object.keys(ge),xt=["status","name","metric","observed_at","value","quality","item_id","url",
"source","message"];function ko(e,t,n,r,o){return Yl({items:t,metrics:n,days:r},e)}function Yl(e,t){let n=ut(e.items,"a \
tracked item by its ID or URL, or a range of them"),r=Ie(e.metrics).map(u=>pe(u,bo,"metric")),o=ct(e.days,"days",1,zl);ke(
n.length,jl,"items");let s=r.length===0?"":"&metric=".concat([...new Set(r)].join(",")),i={path:"/v1/workflows/tracked",
query:"fields=".concat(xt.join(",")).concat(s).concat(o===null?"":"&days=".concat(o)),name:"item",per_request_max:Hl,columns:xt},
a=yt(i,n,t);return[xt.map(u=>u==="observed_at"?"observed_at (UTC)":u),...a.map(u=>xt.map(c=>Y(u[c])))]}var Ro={order:4,label:"\
History of tracked items",takes:"IDs or URLs of tracked items",args:["area","metrics","days"],choices:bo,usual:["followe\
rs"],estimate:null,gives:"the daily history of up to 200 items that you track, with headings. Start under *Tracking* in \
the [dashboard](tracking.md)",costs:"0; each successful daily check costs 1 credit"};var Jl={formula:"SOCIAL_VIEWS",path:"/v1/workflows/post",columns:v,what:"posts",example:"the URL of a post or a column o\
f them, such as A2:A50",handles:!1,field:"views",label:"the number of views"};function _o(e,t,n){return ie({urls:t,max_age:n},
Jl,e)}var xo={order:8,label:"Views, as a number",takes:"Post URLs",args:["area","max_age"],choices:[],usual:[],estimate:{
route:"post",unit:"post",per_request_max:50,rows_max:200,most:1},gives:"the number of views of a post or video, a plain \
number",costs:"as SOCIAL_POST; both share the stored data"};function Ao(e,t){let n=t.reduce((r,o,s)=>o===null?r:s,-1);return"=".concat(e,"(").concat(t.slice(0,n+1).map(Ql).join("; "),
")")}function Ql(e){return e===null?"":"area"in e?e.area:"number"in e?String(e.number):'"'.concat(e.text.replace(/"/g,'"\
"'),'"')}function Co(e,t){return"'".concat(e.replace(/'/g,"''"),"'!").concat(t)}var Oo=Object.entries(Sn).map(([e,t])=>({name:e,...t})).sort((e,t)=>e.order-t.order),To=Object.fromEntries(Oo.map(({name:e,
args:t})=>[e,t.includes("max_age")?t.indexOf("max_age"):t.length]));function Q(e){return Oo.find(t=>t.name===e)}function At(e,t){
let n=Q(e.name);if(n===void 0)return{missing:"Choose a function."};let r=[];for(let o of n.args){let s=Zl(o,e,n,t);if(s!==
null&&"missing"in s)return s;r.push(s)}return{formula:Ao(n.name,r)}}function Zl(e,t,n,r){let{area:o}=t;if(e==="area")return o===
null||!/^[A-Z]{1,3}\d+(:[A-Z]{1,3}\d+)?$/.test(o.a1)?{missing:"Pick the cells first."}:{area:o.sheet===r?o.a1:Co(o.sheet,
o.a1)};if(e==="limit")return vo(t.limit,20,"Posts of each profile");if(e==="days")return vo(t.days,365,"Days back");if(e===
"campaign")return t.campaign===""?{missing:"Choose a campaign."}:{text:t.campaign};if(e==="section")return Io(t.section,
Rt,"Choose a section.");if(e==="max_age")return Xl(t.max_age);if(e==="platform")return null;let s=n.choices.filter(i=>t.
ticked.includes(i));return s.length===0?{missing:"Tick at least one ".concat(e==="metrics"?"metric":"field",".")}:{text:s.
join(",")}}function Xl(e){return e===re?null:e===T?{area:T}:Io(e,H,"Choose an age.")}function Io(e,t,n){return t.includes(
e)?{text:e}:{missing:n}}function vo(e,t,n){if(e==="")return null;let r=/^\d{1,3}$/.test(e)?Number(e):0;return r>=1&&r<=t?
{number:r}:{missing:"".concat(n," must be a whole number from 1 to ").concat(t,".")}}var Eo=/"(?:[^"]|"")*"|(?<![\w!'.])SOCIAL_[A-Z_]+(?=\s*\()/gi,Lo=/"(?:[^"]|"")*"|(?<![\w!'.])SOCIAL_REFRESH(?![\w(])(?:\s*&\s*" fresh [0-9TZ:.-]+")?/gi;
function No(e){return(e.match(Eo)??[]).some(t=>!t.startsWith('"'))}function Po(e,t){return e.replace(Lo,n=>n.startsWith(
'"')?n:T+t)}function bn(e){return(e.match(Lo)??[]).some(t=>!t.startsWith('"'))}var eu=/ [0-9-]+T[0-9:.]+Z"$/;function Mo(e,t){
return[...e.matchAll(Eo)].filter(([r])=>!r.startsWith('"')).reverse().reduce((r,{0:o,index:s})=>{let i=To[o.toUpperCase()],
a=r.indexOf("(",s+o.length)+1,l=nu(r,a);if(i===void 0||l===null)return r;let u=r[a+(l[0]?.length??0)]===","?",":";",c=[...l,
...Array.from({length:Math.max(0,i+1-l.length)},()=>"")];c[i]=tu(c[i]??"",t);let p=a+l.join(" ").length;return r.slice(0,
a)+c.join(u)+r.slice(p)},e)}function tu(e,t){let[,n="",r=""]=/^(\s*)([\s\S]*)$/.exec(e)??[];return r===""?"".concat(n,'"').
concat(re," ").concat(t,'"'):/^"[^"]*"$/.test(r)?"".concat(n).concat(r.replace(eu,'"').slice(0,-1)," ").concat(t,'"'):"".
concat(n).concat(r.replace(/\s*&\s*" [0-9-]+T[0-9:.]+Z"$/,""),'&" ').concat(t,'"')}function nu(e,t){let n=[],r=/"(?:[^"]|"")*"|'(?:[^']|'')*'|[({})]|[,;]/g,
[o,s]=[0,t];r.lastIndex=t;for(let i=r.exec(e);i!==null;i=r.exec(e)){let[a]=i;if(a==="("||a==="{")o+=1;else if(o===0&&(a===
","||a===";"||a===")")){if(n.push(e.slice(s,i.index)),s=i.index+1,a===")")return n}else(a===")"||a==="}")&&(o-=1)}return null}var Fo=["selection","sheet","file"];function We(e){let t=SpreadsheetApp.getActiveSpreadsheet();if(e==="file")return t.getSheets().
flatMap(s=>kn(s.getDataRange()));if(e==="sheet")return kn(t.getActiveSheet().getDataRange());let r=(t.getActiveRangeList()?.
getRanges()??[]).flatMap(ru).flatMap(kn),o=new Set;return r.filter(({row:s,column:i})=>o.size<o.add("".concat(s,",").concat(
i)).size)}function ru(e){let t=e.getSheet(),n=Math.min(e.getLastRow(),t.getLastRow())-e.getRow()+1,r=Math.min(e.getLastColumn(),
t.getLastColumn())-e.getColumn()+1;return n<1||r<1?[]:[e.offset(0,0,n,r)]}function kn(e){let t=e.getSheet();return e.getFormulas().
flatMap((n,r)=>n.flatMap((o,s)=>No(o)?[{sheet:t,row:e.getRow()+r,column:e.getColumn()+s,formula:o}]:[]))}function Re(e){
let t=[...e].sort((r,o)=>r.sheet.getSheetId()-o.sheet.getSheetId()||r.column-o.column||r.row-o.row),n=[];for(let{sheet:r,
row:o,column:s,formula:i}of t){let a=n[n.length-1];a!==void 0&&a.sheet.getSheetId()===r.getSheetId()&&a.column===s&&a.row+
a.formulas.length===o?a.formulas.push(i):n.push({sheet:r,row:o,column:s,formulas:[i]})}return n}function Rn({sheet:e,row:t,
column:n,formulas:r}){return e.getRange(t,n,r.length,1)}function qe(e){Rn(e).setFormulas(e.formulas.map(t=>[t]))}function $o(e){let t=Fo.find(o=>o===e);if(t===void 0)throw new m("Choose the selection, the sheet or the file.");let{message:n,
formulas:r}=A(()=>t==="file"?ou():su(t));return N({what:"Refresh of the ".concat(t),rows:r,ok:r,failed:0,credits:null,message:n}),
{ok:!0,message:n}}function ou(){if(!Ve())throw new m("This file has no refresh cell. Select an empty cell, choose Refres\
h in the menu, and use ".concat(T," as max_age in your formulas."));let e=We("file").filter(({formula:n})=>bn(n)).length;
return{message:"".concat(_n(e)," with ").concat(T," refreshed ").concat(Do()),formulas:e}}function Ve(){let e=SpreadsheetApp.
getActiveSpreadsheet().getRangeByName(T);return e?.setValue(L(fr(e.getValue(),y.now()))),e!==null}function su(e){let t=We(
e);if(t.length===0)throw new m(xn(e));let n=new Date(y.now()).toISOString(),r='&" fresh '.concat(n,'"'),o=t.filter(({formula:a})=>bn(
a));o.length>0&&iu();let s=t.filter(a=>!o.includes(a));for(let a of Re(o.map(l=>({...l,formula:Po(l.formula,r)}))))qe(a);
for(let a of Re(s.map(l=>({...l,formula:Mo(l.formula,n)}))))qe(a);SpreadsheetApp.flush();let i=[];return o.length>0&&i.push(
"".concat(_n(o.length)," refreshed ").concat(Do())),s.length>0&&i.push("".concat(_n(s.length)," refreshed: only data old\
er than the formula's own max_age (1d when empty) is replaced.")),{message:i.join(" "),formulas:t.length}}function iu(){
let e=Uo(),[t=""]=String(e).trim().toLowerCase().split(/\s+/);if(!(t===""||H.some(n=>n===t)))throw new m("The refresh ce\
ll does not contain a max_age such as fresh or 7d. Refresh the whole file once to reset it.")}function Uo(){return SpreadsheetApp.
getActiveSpreadsheet().getRangeByName(T)?.getValue()??""}function Do(){let[e=""]=String(Uo()).trim().split(/\s+/),t=e===
""||e==="fresh"?"with new data":"with new data for rows older than ".concat(e);return"".concat(t,", which may cost credi\
ts.")}function _n(e){return e===1?"1 formula":"".concat(e," formulas")}function xn(e){return e==="selection"?"The select\
ion has no SOCIAL_ formula. Select the cell that holds the formula, not only the rows it fills.":"This ".concat(e," has \
no SOCIAL_ formula.")}var An={file:"in this file",account:"with your account"};function Cn(){SpreadsheetApp.getUi().createAddonMenu().addItem(
"Open sidebar","openSidebar_").addItem("Refresh","refresh_").addSeparator().addItem("Set API key…","setKey_").addItem(
"Forget API key","forgetKey_").addItem("About and balance","showBalance_").addToUi()}function Ko(){let e=SpreadsheetApp.
getUi();xr(nt);let t=HtmlService.createHtmlOutputFromFile("Sidebar").setTitle("Tidemark");e.showSidebar(t.append('<p id=\
"opened-by" hidden>'.concat(it(),"</p>")))}function Bo(){let e=SpreadsheetApp.getUi(),t=e.prompt("Set API key",G()==="bo\
und"?"Paste a sheet key from your dashboard. It is saved in this file, and everyone who can edit the file can use it up \
to its monthly limit.":"Paste an API key from your dashboard. We recommend a sheet key.",e.ButtonSet.OK_CANCEL);if(t.getSelectedButton()!==
e.Button.OK)return;let n=ot(t.getResponseText());if(n===null){_e(e,"This is not an API key","Copy the whole key from you\
r dashboard and try again.");return}let r=De(n),o=au(r);if(o!==null){_e(e,"The key was not saved",_({code:o,message:""}));
return}let s=G()==="bound"?"file":lu(e);s!==null&&(st(k(),s,n),s==="account"&&Pe(k(),!0),_e(e,"The key was saved","".concat(
Fe(n)," is saved ").concat(An[s],". ").concat(Vo(r))))}function au(e){if(e?.ok===!0)return lt(e.data)?null:"SHEET_KEY_NE\
EDED";let t=e?.failure.code??"SERVER_UNREACHABLE";return t==="INVALID_API_KEY"||G()==="bound"?t:null}function lu(e){let t=e.
alert("Save the key in this file?","Yes: everyone who can edit this file can use its credits in formulas. No: the key is\
 saved with your account. If you own this file, formulas in it use the key too, including those of other editors.",e.ButtonSet.
YES_NO_CANCEL);return t===e.Button.YES?"file":t===e.Button.NO?"account":null}function Go(){let e=SpreadsheetApp.getUi(),
t=Er(k());_e(e,"Forget API key",t===null?"No API key is saved.":"The key saved ".concat(An[t]," was removed."))}function Wo(){
let e=SpreadsheetApp.getUi(),t=SpreadsheetApp.getActiveSpreadsheet();t.getRangeByName(T)===null&&!uu(e,t)||Ve()}function uu(e,t){
let n=t.getCurrentCell();return n===null||n.getValue()!==""?(_e(e,"There is no refresh cell yet","Select an empty cell a\
nd choose Refresh again."),!1):e.alert("There is no refresh cell yet","Make ".concat(n.getA1Notation()," the refresh cel\
l? Then use ").concat(T," as the last argument of your formulas. ")+"Refresh gets new data for them, which costs credits\
. Type 7d into the cell to replace only data older than 7 days.",e.ButtonSet.OK_CANCEL)!==e.Button.OK?!1:(t.setNamedRange(
T,n),!0)}function qo(){let e=SpreadsheetApp.getUi(),t=fe(k()),n=t===null?"No API key is saved.":"API key ".concat(Fe(t.key),
", saved ").concat(An[t.location],". ").concat(Vo(De(t.key)));_e(e,"About","".concat(n," Server: https://address-of-the-\
server.invalid"))}function Vo(e){if(e===void 0||!e.ok){let n=e?.failure??{code:"SERVER_UNREACHABLE",message:""};return"T\
he balance could not be read: ".concat(_(n)," (").concat(n.code,")")}let t=f(e.data)?.credits_remaining;return typeof t!=
"number"?"The server did not return the balance.":t===1?"1 credit is left.":"".concat(t," credits are left.")}function _e(e,t,n){
e.alert(t,n,e.ButtonSet.OK)}var Ct=["created_at_platform","published_at","retrieved_at"],cu={url:"URL",account_id:"Account ID",id:"ID",author_id:"Au\
thor ID",profile_url:"Profile URL",external_url:"External URL",avatar_url:"Avatar URL",media_url:"Media URL",created_at_platform:"\
Created on platform"};function O(e){let t=cu[e]??e.charAt(0).toUpperCase()+e.slice(1).replace(/_/g," ");return Ct.includes(
e)?"".concat(t," (UTC)"):t}var jo=1e3,mu=1e3;function vt(e=null){let t=e===null?SpreadsheetApp.getActiveSpreadsheet().getActiveRange():pu(e);if(t===
null)throw new m("Select the cells with the profile URLs in the sheet.");let n=t.getSheet(),r=Math.min(t.getNumRows(),n.
getLastRow()-t.getRow()+1);if(t.getNumColumns()>1)throw new m("Select one column of profile URLs, such as A2:A50.");if(r<
1)throw new m("The selected cells are empty. Select the cells with the profile URLs.");let s=n.getRange(t.getRow(),t.getColumn(),
r,1).getValues().map(([i])=>String(i??"").trim());if(s.every(i=>i===""))throw new m("The selected cells are empty. Selec\
t the cells with the profile URLs.");return{sheet:n,row:t.getRow(),column:t.getColumn(),cells:s}}function pu(e){let{sheet:t,
a1:n}=f(e)??{},r=SpreadsheetApp.getActiveSpreadsheet().getSheetByName(String(t));if(r===null)throw new m("The picked cel\
ls are no longer there. Pick them again.");return r.getRange(String(n))}function Ho(e){let t=[...new Set(e.filter(n=>n!==
""))];if(t.length>jo)throw new m("".concat(t.length," profiles are selected; the limit is ").concat(jo,". Select fewer r\
ows."));return t}function Ot(){let{sheet:e,row:t,column:n,cells:r}=vt(),o=Ho(r);return{ok:!0,sheet:e.getName(),a1:e.getRange(
t,n,r.length,1).getA1Notation(),urls:o.length,blank:r.filter(s=>s==="").length,first:(o[0]??"").slice(0,mu)}}function zo(e,t,n="\
SOCIAL_PROFILE",r=""){let o=Q(String(n))?.estimate??null;if(o===null)throw new m("This formula costs no credits.");return vn(
o,Ho(vt(t).cells),e,r,null)}function vn(e,t,n,r,o){let s=z(),i=t.slice(0,e.rows_max),a=fu(e,s.origin,n,r),l=(S,b)=>tt(a+
b,{...e,name:"url"},S),u=S=>o!==null&&!/[/:]/.test(S),c=[...l(i.filter(S=>!u(S)),"").requests,...l(i.filter(u),"&platfor\
m=".concat(o)).requests],p=c.map(({url:S})=>S),h=s.key===null?[]:F(p,s.key,s.network),g={cost_min:0,cost_max:t.length*e.
most,cached_rows:0,unreadable_rows:0},d=s.key===null?"Connect a key to see which rows are already paid for.":null;return h.
forEach((S,b)=>{let w=S.ok?f(S.data):null;if(typeof w?.cost!="number"){d=S.ok?"The server did not return the cost.":_(S.
failure);return}g.cost_min+=w.cost,g.cost_max+=w.cost-(c[b]?.values.length??0)*e.most,g.cached_rows+=Number(w.cached_rows??
0),g.unreadable_rows+=Number(w.unreadable_rows??0)}),t.length>i.length&&(d??(d="Only the first ".concat(e.rows_max," row\
s were checked."))),{ok:!0,rows:t.length,...g,note:d}}function fu({route:e},t,n,r){let o=e==="posts"&&/^\d{1,2}$/.test(String(
r))?"&limit=".concat(String(r)):"";return"".concat(t,"/v1/workflows/").concat(e,"?estimate=true&").concat(Le(n,y.now())).
concat(o)}var On="SOCIAL_PROFILE",du="Loading...",hu=["API_KEY_NOT_SET","FORMULAS_NOT_ALLOWED"];function Yo(e){let t=vt(e);if(be(k())===
null)throw new E({code:"FORMULAS_NOT_ALLOWED",message:""});let{sheet:n,row:r,column:o,cells:s}=t,i=Jo(),a=gu(t,i.length+
1),l=n.getRange(r,o,s.length,1).getA1Notation(),c=At({...{limit:"",days:"",campaign:"",section:""},name:On,area:{sheet:n.
getName(),a1:l},ticked:i,max_age:re},n.getName());if("missing"in c)throw new m(c.missing);let p=n.getRange(r,a);return p.
setFormula(c.formula),{ok:!0,place:{sheet:n.getName(),a1:p.getA1Notation(),rows:s.length}}}function Jo(){return Q(On)?.usual??
[]}function gu({sheet:e,row:t,column:n,cells:r},o){let s=n+1,i=s+o-1<=e.getMaxColumns(),a=Math.max(1,t-1),u=i&&e.getRange(
a,s,t-a+r.length,o).isBlank()?s:Math.max(s,e.getLastColumn()+1),c=u+o-1-e.getMaxColumns();return c>0&&e.insertColumnsAfter(
e.getMaxColumns(),c),u}function Qo(e){let t=f(e)??{},n=SpreadsheetApp.getActiveSpreadsheet().getSheetByName(String(t.sheet)),
r=n?.getRange(String(t.a1));if(n===null||r===void 0||!r.getFormula().startsWith("=".concat(On,"(")))throw new m("The for\
mula is no longer in its cell.");let o=Math.max(1,Math.min(Number(t.rows),n.getMaxRows()-r.getRow()+1)),s=r.offset(0,0,o,
1).getDisplayValues().flat(),[i=""]=s;if(s.some(l=>hu.includes(l)))return r.clearContent(),{ok:!0,state:"no_key",good:0,
failed:0};if(i==="#REF!")return{ok:!0,state:"no_space",good:0,failed:0};if(i===du||s.every(l=>l===""))return{ok:!0,state:"\
loading",good:0,failed:0};wu(n,r.getRow(),r.getColumn());let a=s.filter(l=>l==="OK").length;return{ok:!0,state:"ready",good:a,
failed:s.filter(l=>l!=="").length-a}}function wu(e,t,n){if(t===1)return;let r=["status",...Jo()].map(s=>O(s)),o=e.getRange(
t-1,n,1,r.length);o.isBlank()&&o.setValues([r])}var es="sidebar_choices",yu=6e3;function ts(){try{let e=PropertiesService.getUserProperties().getProperty(es);return rs(
e===null?null:JSON.parse(e))}catch{return{}}}function ns(e){let t=JSON.stringify(rs(e));if(t.length>yu)throw new m("The \
choices are too long to be remembered.");return PropertiesService.getUserProperties().setProperty(es,t),{ok:!0}}function rs(e){
let{tab:t,asked:n,samples:r,fields:o,ages:s}=f(e)??{};return{...typeof t=="string"?{tab:t}:{},...n===!0?{asked:n}:{},...r===
!0?{samples:r}:{},fields:Xo(o,i=>Array.isArray(i)&&i.every(Zo)),ages:Xo(s,Zo)}}function Zo(e){return typeof e=="string"}
function Xo(e,t){let n={};for(let[r,o]of Object.entries(f(e)??{}))t(o)&&(n[r]=o);return n}var Su=3;function os(){let e=de();return{ok:!0,opened_by:e.opened_by,account:e,choices:ts(),selection:bu(),runs:Ke().slice(
0,Su)}}function bu(){try{return Ot()}catch(e){if(e instanceof m)return null;throw e}}function ss(e){let t=SpreadsheetApp.getActiveSpreadsheet(),n=t.getCurrentCell();if(n===null)throw new m("Select the cell\
 for the formula.");let r=n.getSheet(),o=vu(e),s=At(o,r.getName());if("missing"in s)throw new m(s.missing);if(o.max_age===
T&&t.getRangeByName(T)===null)throw new m("There is no refresh cell yet. To create one, choose Refresh in the menu of th\
e add-on.");let i=n.getA1Notation();if(o.area?.sheet===r.getName()&&Cu(r.getRange(o.area.a1),n))throw new m("".concat(i,
" is one of the cells that the formula reads. Select an empty cell beside them."));if(n.getValue()!==""||n.getFormula()!==
"")throw new m("".concat(i," is not empty. Select an empty cell with empty cells to its right and below."));let a=ku(o),
l=Ru(n,o,a.length);xu(l,n);let u=Au(n,a);if(n.setFormula(s.formula),SpreadsheetApp.flush(),n.getDisplayValue()==="#REF!")
throw n.clearContent(),new m("There is no space for the result in ".concat(i,". Select a cell with empty cells to its ri\
ght and below."));let c=u||a.length===0?"":" There was no space for headings above it.";return{ok:!0,message:"The formul\
a is in ".concat(i,".").concat(c)}}function ku({name:e,ticked:t}){let n=Q(e);return n===void 0||!n.args.includes("fields")?
[]:["Status",...n.choices.filter(o=>t.includes(o)&&o!=="status").map(O)]}function Ru(e,{name:t,area:n},r){let s=Q(t)?.estimate?.
per_request_max!==1&&n!==null?_u.exec(n.a1)?.slice(1).map(Number)??[]:[],[i=1,a=i]=s,l=e.getSheet(),u=Math.min(a-i+1,l.getMaxRows()-
e.getRow()+1);return e.offset(0,0,u,Math.min(Math.max(1,r),l.getMaxColumns()-e.getColumn()+1))}var _u=/^[A-Z]+(\d+):[A-Z]+(\d+)$/;
function xu(e,t){let n=e.getValues(),r=n.findIndex(i=>i.some(a=>a!==""));if(r<0)return;let o=n[r]?.findIndex(i=>i!=="")??
0,s=t.offset(r,o).getA1Notation();throw new m("The result needs ".concat(e.getA1Notation(),", and ").concat(s," is not e\
mpty. Select a cell with empty cells to its right and below."))}function Au(e,t){let n=e.getSheet().getMaxColumns()-e.getColumn()+
1;if(t.length===0||e.getRow()===1||t.length>n)return!1;let r=e.offset(-1,0,1,t.length);return r.isBlank()?(r.setValues([
t.map(L)]),!0):!1}function Cu(e,t){let[n,r]=[t.getRow()-e.getRow(),t.getColumn()-e.getColumn()];return n>=0&&n<e.getNumRows()&&
r>=0&&r<e.getNumColumns()}function vu(e){let t=f(e)??{},n=s=>typeof t[s]=="string"?t[s]:"",r=f(t.area),o=Array.isArray(t.
ticked)?t.ticked.map(String):[];return{name:n("name"),limit:n("limit"),days:n("days"),campaign:n("campaign"),section:n("\
section"),max_age:n("max_age"),ticked:o,area:r===null?null:{sheet:String(r.sheet),a1:String(r.a1)}}}function $(e=k().document){if(e===null)throw new m("Open a file first.");return e}function Tn(e){return[...e].reduce((t,n)=>t+
Ou(n.codePointAt(0)??0),0)}function Ou(e){return e<128?1:e<2048?2:e<65536?3:4}var is=[1,2,4,6,8,12,24],ls=36e5,Tu="schedule_in_",as="schedule_ran_ms",us=30*6e4,cs="For reports that must always arriv\
e, let the server write them into a spreadsheet: see Spreadsheets on your dashboard.";function ms(){let e=xe();if(e===null||
e.every_hours===null||En().length===0)return{ok:!0,schedule:null};let{every_hours:t,last_ms:n}=e;return{ok:!0,schedule:{
every_hours:t,next:n+t*ls}}}function ps(e){let t=is.find(r=>r===e);if(t===void 0&&e!==null)throw new m("Choose an interv\
al of ".concat(is.join(", ")," hours. Google offers no others."));if(fs({every_hours:t??null,imports:xe()?.imports??!1}),
t===void 0)return{ok:!0,message:"The schedule of this file is off."};let n=t===24?"every day":t===1?"every hour":"every ".
concat(t," hours");return{ok:!0,message:"Reports and the refresh cell of this file are refreshed ".concat(n,", with your\
 key. ")+"Formulas may not run until someone opens the file. ".concat(cs)}}function In(e){let t=xe();(t?.imports??!1)===
e&&(!e||En().length>0)||fs({every_hours:t?.every_hours??null,imports:e})}function fs({every_hours:e,imports:t}){Lr("sche\
dule");for(let s of En())ScriptApp.deleteTrigger(s);let{user:n}=k();if(n.deleteProperty(Tt()),e===null&&!t)return;let r=Iu(
t?1:e??1),o={every_hours:e,imports:t,last_ms:y.now(),trigger_id:r};n.setProperty(Tt(),JSON.stringify(o))}function ds(){let e=xe();
return e===null?!0:e.every_hours!==null&&y.now()>=e.last_ms+e.every_hours*ls-us}function hs(){let e=xe();e!==null&&k().user.
setProperty(Tt(),JSON.stringify({...e,last_ms:y.now()}))}function It(){return ScriptApp.getAuthorizationInfo(ScriptApp.AuthMode.
FULL).getAuthorizationStatus()!==ScriptApp.AuthorizationStatus.REQUIRED}function Iu(e){let t=ScriptApp.newTrigger("refre\
shOnSchedule_").timeBased();try{return(e===24?t.everyDays(1):t.everyHours(e)).create().getUniqueId()}catch(n){throw y.log(
"The trigger could not be created: ".concat(String(n))),new m("Google refused the schedule. It always does in a test dep\
loyment of the add-on. ".concat(cs))}}function En(){let e=xe(),t=ScriptApp.getProjectTriggers().filter(n=>n.getUniqueId()===
e?.trigger_id);return t.length>0?t:ScriptApp.getUserTriggers(SpreadsheetApp.getActiveSpreadsheet()).filter(n=>n.getHandlerFunction()===
"refreshOnSchedule_")}function Tt(){return Tu+SpreadsheetApp.getActiveSpreadsheet().getId()}function xe(){let e=k().user.
getProperty(Tt()),t=e===null?null:f(JSON.parse(e));return(typeof t?.every_hours=="number"||t?.imports===!0)&&typeof t.last_ms==
"number"?t:null}function gs(){return A(()=>{let e=$(k().document),t=Number(e.getProperty(as)??Number.NEGATIVE_INFINITY);
return y.now()-t<us?!1:(e.setProperty(as,String(y.now())),!0)})}var je=36e5,Et=24*je,Eu=5,ws=je/2,Lu=3*je;function ne(){let{user:e}=k(),t=e.getProperty("import_user");if(t!==null)return t;
let n=Math.floor(y.random()*2**52).toString(36);return e.setProperty("import_user",n),n}function Lt({every_hours:e,weekday:t,
last_ms:n}){if(e<168)return n+e*je;let r=Math.floor(n/Et)*Et;return Array.from({length:8},(s,i)=>r+i*Et+Eu*je).find(s=>s>
n+ws&&new Date(s).getUTCDay()===t)??n+7*Et}function Ln({schedule:e}){return e!==null&&e.by===ne()&&y.now()>=Lt(e)-ws}function ys({
schedule:e}){if(e===null||y.now()<Lt(e)+Lu)return null;let t=new Date(e.last_ms).toISOString().slice(0,16).replace("T","\
 "),n=e.by===ne()?"Perhaps Google needs your permission again, or your time for triggers is used up.":"The user who sche\
duled it may have left or lost access.";return"This import has not run on its schedule since ".concat(t," UTC. ").concat(
n," Choose “Schedule with my account” to start it again.")}var Ss={profiles:{label:"Profiles",unit:"profile",formula:"SOCIAL_PROFILE",path:"/v1/workflows/profile",columns:ee,usual:[
...ee.usual,"followers_quality","retrieved_at"],id:"account_id",per_request_max:50,at_once:2,step_max:20},posts:{label:"\
Posts and videos",unit:"post",formula:"SOCIAL_POST",path:"/v1/workflows/post",columns:v,usual:v.usual,id:"id",per_request_max:50,
at_once:2,step_max:20},latest:{label:"Latest posts of profiles",unit:"profile",formula:"SOCIAL_POSTS",path:"/v1/workflow\
s/posts",columns:v,usual:v.usual,id:"id",per_request_max:1,at_once:5,step_max:10}},bs=Object.keys(Ss);function D(e){return Ss[e]}
function ks(e){return D(e).columns.known.filter(t=>!["url","status","credits_charged"].includes(t))}var Rs=["replace","append","update"],_s=["photo","shortvideo","longvideo"],Nn=[1,2,4,6,8,12,24,168];var Nu=80,xs=20;function Pn(e){let t=f(e)??{},n=Ae(t.kind,bs,"Choose what to import."),r=Pu(t.source),o=Mu(t.target),s=Ae(
t.mode,Rs,"Choose how to write the rows.");if(o==="beside"&&(n==="latest"||"list"in r||s!=="replace"))throw new m("Rows \
beside the URLs need URLs in cells, one row for each. Choose a cell for the table instead.");let a=(Array.isArray(t.fields)?
[...new Set(t.fields.map(String))]:[]).filter(u=>ks(n).includes(u));if(a.length===0)throw new m("Tick at least one field\
.");let l=t.platform===""||t.platform===null?null:t.platform;return{name:String(t.name??"").trim().slice(0,Nu)||"Import",
kind:n,source:r,target:o,mode:s,fields:a,platform:l===null?null:Ae(l,_s,"Choose the platform of the handles."),limit:n===
"latest"?Fu(t.limit):null,max_age:Ae(t.max_age,H,"Choose the maximum age of the data."),with_hidden:t.with_hidden===!0}}
function Ae(e,t,n){let r=t.find(o=>o===e);if(r===void 0)throw new m(n);return r}function Pu(e){let t=f(e)??{};if(Array.isArray(
t.list)){let o=t.list.map(s=>String(s).trim()).filter(s=>s!=="");if(o.length===0)throw new m("Type at least one URL, one\
 on each line.");return{list:[...new Set(o)]}}let n=f(t.cells);if(n===null)throw new m("Pick the cells with the URLs, or\
 type a list.");return{cells:{sheet:String(n.sheet),a1:String(n.a1),open:n.open===!0},heading:t.heading===!0}}function Mu(e){
let t=f(e);if(t===null)return"beside";let[n,r]=[String(t.sheet??"").trim(),String(t.a1??"A1").toUpperCase()];if(n==="")throw new m(
"Name the sheet for the rows.");if(!/^[A-Z]{1,3}[1-9]\d{0,6}$/.test(r))throw new m("Name one cell for the first heading,\
 such as A1.");return{sheet:n,a1:r}}function Fu(e){let t=String(e??"").trim();if(t==="")return null;let n=/^\d{1,2}$/.test(
t)?Number(t):0;if(n<1||n>xs)throw new m("Posts of each profile must be a whole number from 1 to ".concat(xs,"."));return n}
function As(e){let t=f(e);return t===null?null:{every_hours:Ae(t.every_hours,Nn,"Choose an interval of ".concat(Nn.join(
", ")," hours.")),weekday:Ae(t.weekday??1,[0,1,2,3,4,5,6],"Choose a weekday.")}}function le(e){let{imul:t}=Math,[n,r]=[3735928559,1103547991];for(let s=0;s<e.length;s++){let i=e.charCodeAt(s);n=t(n^i,
2654435761),r=t(r^i,1597334677)}return n=t(n^n>>>16,2246822507)^t(r^r>>>13,3266489909),r=t(r^r>>>16,2246822507)^t(n^n>>>
13,3266489909),(((n&2097151)*2**32+(r>>>0))%36**9).toString(36).padStart(9,"0")}var $u=8e3,Uu=1e5,Cs=30,Mn="import_";function U(e,t=""){return t===""?Mn+e:"".concat(Mn).concat(e,"_").concat(t)}function He(){
return"".concat(y.now().toString(36)).concat(Math.floor(y.random()*1e6).toString(36))}function Ce(){return vs().filter(n=>/^import_[a-z0-9]+$/.
test(n)).map(n=>n.slice(Mn.length)).sort().flatMap(n=>ve(n)??[]).sort((n,r)=>n.name.localeCompare(r.name))}function vs(){
return PropertiesService.getDocumentProperties().getKeys()}function ve(e){let t=$(),n=t.getProperty(U(String(e))),r=n===
null?null:f(JSON.parse(n));if(r===null||!("list"in r.source))return r;let o=[];for(let s=0;;s++){let i=JSON.parse(t.getProperty(
U(r.id,"list_".concat(s)))??"null");if(!Array.isArray(i))break;o.push(...i.map(String))}return{...r,source:{list:o}}}function Z(e){
let t=ve(e);if(t===null)throw new m("This import was deleted in another window.");return t}function Fn(e){if(ve(e.id)===
null&&Ce().length>=Cs)throw new m("This file has ".concat(Cs," imports, which is the limit. Delete one first."));let{source:t}=e,
n="list"in t?Du(t.list):[],r=Object.fromEntries(n.map((s,i)=>[U(e.id,"list_".concat(i)),JSON.stringify(s)])),o="list"in t?
{...e,source:{list:[]}}:e;Nt(s=>/^fill(_\d+)?$/.test(s)),Nt(s=>s.startsWith(U(e.id,"list_"))&&!(s in r)),$n({...r,[U(e.id)]:JSON.
stringify(o)})}function ue(e,t){let n=$().getProperty(U(e));n!==null&&$().setProperty(U(e),JSON.stringify({...JSON.parse(
n),...t}))}function $n(e){try{PropertiesService.getDocumentProperties().setProperties(e)}catch(t){throw y.log("The prope\
rties of the file were refused: ".concat(String(t))),new m("This file has no space left for imports. Delete an import, o\
r put long lists into a sheet.")}}function Os(e){Nt(t=>t===U(e)||t.startsWith(U(e,"list_"))),Un(e)}function Un(e){Nt(t=>t.
startsWith(U(e,"run")))}function Nt(e){for(let t of vs().filter(e))$().deleteProperty(t)}function Du(e){if(Tn(JSON.stringify(
e))>Uu)throw new m("This list is too long to be saved. Put it into a sheet and pick its cells.");return Ku(e,$u)}function Ku(e,t){
let n=[],r=0;for(let o of e){let s=Tn(JSON.stringify(o))+1,i=n[n.length-1];r=i===void 0||r+s>t?s:r+s,i===void 0||r===s?n.
push([o]):i.push(o)}return n}var Dn=900;function q(e){let t=$().getProperty(U(e,"run"));return t===null?null:JSON.parse(t)}function Oe(e,t,n=[]){let r={},
o=t.marks;for(let s of n){let i=Es(e,o);r[i]=(r[i]??(o%Dn===0?"":Ls(i)))+s,o+=1}$n({...r,[U(e,"run")]:JSON.stringify({...t,
marks:o})})}function Is(e,{marks:t}){let n=new Set;for(let r=0;r<t;r+=Dn){let o=Ls(Es(e,r));for(let s=0;s<o.length;s+=9)
n.add(o.slice(s,s+9))}return n}function Es(e,t){return U(e,"run_".concat(Math.floor(t/Dn)))}function Ls(e){return $().getProperty(
e)??""}var Bu=1e4,Kn=1e3,Ns=3,Gu=/^#(N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|ERROR!)/;function V(e,t){return"SOCIAL_IMPORT_".
concat(e.toUpperCase(),"_").concat(t)}function Bn(e,{sheet:t,a1:n}){let r=e.getSheetByName(t);if(r===null)throw new m("T\
here is no sheet “".concat(t,"” any more. Pick the cells with the URLs again."));return r.getRange(n)}function ce(e){
if("list"in e.source)return Ms(e.source.list);let t=SpreadsheetApp.getActiveSpreadsheet().getRangeByName(V(e.id,"SOURCE"));
if(t===null)throw new m("The cells with the URLs were deleted. Edit the import and pick the cells again.");return Fs(t,e)}
function Ps(e){return"list"in e.source?Ms(e.source.list):Fs(Bn(SpreadsheetApp.getActiveSpreadsheet(),e.source.cells),e)}
function Ms(e){let t=e.filter(n=>n.length<=Kn);return{entries:$s(t),hidden:[],skipped:"",place:null}}function Fs(e,t){if(!("\
cells"in t.source))throw new Error("The source is not a range.");let{cells:n,heading:r}=t.source,o=e.getSheet(),s=e.getRow()+
(r?1:0),i=e.getColumn(),a=Math.min(o.getLastRow(),n.open?o.getLastRow():e.getLastRow()),l={sheet:o,row:s,column:i,last_row:Math.
max(a,s)};if(a<s)return{entries:[],hidden:[],skipped:"",place:l};let u=t.with_hidden?()=>!1:Vu(o),c=new Set,p=new Set,h=[];
o.getRange(s,i,a-s+1,1).getValues().forEach(([d],S)=>{let b=String(d??"").trim(),w=b===""?null:Wu(d,b,t);w!==null?h.push(
"".concat(o.getRange(s+S,i).getA1Notation()," (").concat(w,")")):b!==""&&!c.has(b)&&(u(s+S)?p:c).add(b)});let g=[...p].filter(
d=>!c.has(d));return{entries:$s([...c]),hidden:g,skipped:qu(h),place:l}}function Wu(e,t,{platform:n}){return e instanceof
Date?"a date":typeof e=="boolean"?"a checkbox":typeof e=="number"&&n===null?"a number":Gu.test(t)?"an error":t.length>Kn?
"a text that is too long":null}function qu(e){if(e.length===0)return"";let t=e.length-Ns,n=e.slice(0,Ns).join(", ");return"\
Skipped, because they are no URL or handle: ".concat(n).concat(t>0?" and ".concat(t," more"):"",".")}function Vu(e){let t=e.
getFilter()!==null;return n=>t&&e.isRowHiddenByFilter(n)||e.isRowHiddenByUser(n)}function $s(e){if(e.length<=Bu)return e;
let t=e.length.toLocaleString("en-US");throw new m("There are ".concat(t," entries; the limit of one import is 10,000. M\
ake two imports."))}function Us(){let e=SpreadsheetApp.getActiveSpreadsheet().getActiveRange();if(e===null)throw new m("\
Select cells in the sheet first.");if(e.getNumColumns()>1)throw new m("Select one column, such as A2:A50 or the whole co\
lumn A.");let t=e.getSheet(),n=e.getNumRows()>1&&e.getLastRow()>=t.getMaxRows(),r=Math.min(e.getNumRows(),Math.max(1,t.getLastRow()-
e.getRow()+1)),s=t.getRange(e.getRow(),e.getColumn(),r,1).getValues().map(([a])=>String(a??"").trim()),i=(s[0]??"").slice(
0,Kn);return{ok:!0,cells:{sheet:t.getName(),a1:e.getA1Notation(),open:n},entries:new Set(s.filter(a=>a!=="")).size,first:i,
heading:Hu(i)}}var ju=/^(accounts?|channels?|creators?|handles?|influencers?|links?|names?|pages?|posts?|profiles?|urls?|user ?names?|videos?)( (accounts?|handles?|links?|names?|urls?))?$/i;
function Hu(e){return ju.test(e)||e===""?!0:/[./@:]/.test(e)?!1:/\s/.test(e)?!0:null}var X="taken_at",zu=864e5,Yu=25569;function Gn({kind:e,mode:t,target:n,fields:r}){let{id:o}=D(e),s=["status",X,"platform",
o,"url"],i=e==="latest"?[X,"url","status",o]:[X,"url","status"],a=n==="beside"?["status"]:["url","status"];return[...new Set(
[...{replace:a,append:i,update:s}[t],...r])]}function Mt(e){return e===X?"Taken at (UTC)":O(e)}var Ju=["link","profile",
"profile_link","post","post_link","video","video_link","handle","account"];function Ks(e,t){let n=Ds(e);return n===t||n===
Ds(Mt(t))||t==="url"&&Ju.includes(n)}function Ds(e){return e.toLowerCase().replace("(utc)","").trim().replace(/[\s_-]+/g,
"_")}function Bs(e){let{id:t}=D(e.kind);return[...new Set(["status","url","platform",t,...Gn(e),"message","credits_charg\
ed"])].filter(n=>n!==X)}function Gs(e,t,n){if(e===X)return Pt(n);let r=t[e],o=Ct.includes(e)&&typeof r=="string"?Date.parse(
r):Number.NaN;if(Number.isFinite(o))return Pt(o);let s=Y(r);return typeof s=="string"&&s!==""?L(s):s}function Ws(e,t){let n=e===
X||Ct.includes(e);return t!=="@"&&!(n&&["General","0.###############"].includes(t))?t:n?"yyyy-mm-dd hh:mm":"General"}function Pt(e){
return e/zu+Yu}function qs(e,t){let n=e.getSheetByName(t.sheet)??Qu(e,t.sheet),[,r="A",o="1"]=/^([A-Z]+)(\d+)$/.exec(t.a1)??[],s=[...r].
reduce((i,a)=>i*26+a.charCodeAt(0)-64,0);return Ft(n,Number(o),s),n.getRange(t.a1)}function Qu(e,t){let n=e.getActiveSheet();
try{return e.insertSheet(t)}catch{throw new m("Google Sheets refused the sheet name “".concat(t,"”. Choose another nam\
e."))}finally{e.setActiveSheet(n,!0)}}function Vs(e,t){let n=js(e,t),r=Gn(e),o=Wn(n),s=o.findIndex(c=>c===""),i=s===-1?o:
o.slice(0,s),a=r.map(c=>i.find(p=>Ks(p,c))??null),l=r.filter((c,p)=>a[p]===null);l.length>0&&Zu(n,n.column+i.length,l.map(
Mt));let u=r.map((c,p)=>({field:c,heading:a[p]??Mt(c)}));return e.mode==="replace"&&e.target!=="beside"&&Xu(e,n,u,a),u}function Zu({
sheet:e,row:t},n,r){Ft(e,t,n+r.length-1);let o=Math.max(1,e.getLastRow()-t+1),s=e.getRange(t,n,o,r.length);if(!s.getValues().
flat().every(a=>a===""))throw new m("The results need ".concat(s.getA1Notation(),", but these cells are not empty. Clear\
 or move them first, or choose another place."));let i=e.getRange(t,n,1,r.length);qn(i,()=>{i.setNumberFormats([r.map(()=>"\
General")]),i.setValues([r.map(L)]),i.setFontWeight("bold")}),t===1&&e.getLastRow()<=1&&e.setFrozenRows(1)}function Xu(e,t,n,r){
if(e.last!==null)return;let o=Wn(t),s=t.sheet.getLastRow()-t.row;if(!(s<1)){for(let{heading:i}of n.filter((a,l)=>r[l]!==
null))if(!t.sheet.getRange(t.row+1,t.column+o.indexOf(i),s,1).getValues().flat().every(l=>l===""))throw new m("The cells\
 below the heading “".concat(i,"” are not empty. Clear them, or choose to update rows or to add rows below."))}}function Te(e,t){
let n=js(e,t),r=Wn(n),o=new Map;for(let{field:i,heading:a}of e.columns??[]){let l=r.indexOf(a);if(l===-1)throw new m("Th\
e heading “".concat(a,"” is no longer in row ").concat(n.row," of the sheet “").concat(n.sheet.getName(),"”. Resto\
re it and resume, or edit the import."));o.set(i,n.column+l)}if(t!==null&&t.sheet.getSheetId()===n.sheet.getSheetId()&&[
...o.values()].includes(t.column)&&t.last_row>=n.row)throw new m("The results would cover the cells with the URLs. Write\
 them beside the URLs, or choose another place.");return{sheet:n.sheet,row:n.row,columns:o}}function js(e,t){if(e.target===
"beside"){if(t===null)throw new m("The cells with the URLs were deleted. Edit the import.");if(t.row<2)throw new m("The \
headings need a row above the URLs. Insert one, then pick the URLs again.");return{sheet:t.sheet,row:t.row-1,column:t.column+
1}}let n=SpreadsheetApp.getActiveSpreadsheet().getRangeByName(V(e.id,"TARGET"));if(n===null)throw new m("The sheet of th\
is import was deleted. Edit the import and choose another place.");return{sheet:n.getSheet(),row:n.getRow(),column:n.getColumn()}}
function Wn({sheet:e,row:t,column:n}){let r=e.getLastColumn()-n+1;if(r<1||t>e.getMaxRows())return[];let[o=[]]=e.getRange(
t,n,1,r).getValues();return o.map(s=>String(s??"").trim())}function Ft(e,t,n){let r=e.getMaxRows();t>r&&e.insertRowsAfter(
r,t-r);let o=e.getMaxColumns();n>o&&e.insertColumnsAfter(o,n-o)}function qn(e,t){try{t()}catch(n){let r="".concat(e.getSheet().
getName(),"!").concat(e.getA1Notation()),o=String(n);throw/protect/i.test(o)?new m(Hs(r)):/validation/i.test(o)?new m("A\
 data validation rule refuses the values for ".concat(r,". Remove the rule from these cells, then resume.")):new m("Goog\
le Sheets refused to write into ".concat(r,". Check these cells, then resume. (").concat(o,")"))}}function Hs(e){return"\
The cells ".concat(e," are protected, and you may not change them. Ask the owner of the file, then resume.")}function $t({
sheet:e,row:t,columns:n}){for(let r of n.values()){let o=e.getRange(t,r,Math.max(1,e.getLastRow()-t+1),1),s="".concat(e.
getName(),"!").concat(o.getA1Notation());if(!o.canEdit())throw new m(Hs(s));if(o.isPartOfMerge())throw new m("Some of th\
e cells ".concat(s," are merged, so rows do not fit. Split them, then resume."))}}function zs(e,t){let{table:n}=e,r=ec(e,t).sort((i,a)=>i.row-a.row),o=r[r.length-1];if(o===void 0)return;Ft(n.sheet,o.row,
1);let s=new Map(r.map(i=>[i.row,i]));for(let i of new Set(r.map(a=>a.fields))){let a=[...s.values()].filter(l=>l.fields===
i);for(let l of ic(n,i))for(let u of ac(a))lc(e,l,u)}SpreadsheetApp.flush()}function ec(e,t){let{saved:n,run:r,table:o,place:s}=e,
i=[...o.columns.keys()],a=t.flatMap(({entry:u,rows:c})=>c.map(p=>({entry:u,values:{...p,url:u}})));if(n.target==="beside"){
let u=s===null?new Map:tc(s.sheet,s.row,s.column);return a.flatMap(({entry:c,values:p})=>(u.get(c)??[]).map(h=>({row:h,values:p,
fields:i})))}if(n.mode==="replace")return a.map(({values:u},c)=>({row:o.row+1+r.rows+c,values:u,fields:i}));let l=a.map(
u=>u.values);return n.mode==="append"?nc(e,l,i):oc(n,o,l,i)}function tc(e,t,n){let r=new Map;return Ut(e,t,n).forEach((o,s)=>{
o!==""&&r.set(o,[...r.get(o)??[],t+s])}),r}function Ys(e,t,n){let r=e.getLastRow()-t+1;return r<1||n===void 0?[]:e.getRange(
t,n,r,1).getValues().map(([o])=>o)}function Ut(e,t,n){return Ys(e,t,n).map(r=>String(r??"").trim())}function nc({saved:e,
run:t,table:n,again:r},o,s){let{sheet:i,row:a,columns:l}=n,u=D(e.kind).id,c=(d,S)=>"".concat(String(d)," ").concat(e.kind===
"latest"?String(S??""):""),p=new Set;if(r){let d=new Set(o.map(w=>c(w.url,w[u]))),S=Ut(i,a+1,l.get(u)),b=Ys(i,a+1,l.get(
X));Ut(i,a+1,l.get("url")).forEach((w,K)=>{let lr=c(w,S[K]);d.has(lr)&&rc(b[K],t.started_ms)&&p.add(lr)})}let h=o.filter(
d=>!p.has(c(d.url,d[u]))),g=Math.max(i.getLastRow(),a)+1;return h.map((d,S)=>({row:g+S,values:d,fields:s}))}function rc(e,t){
if(typeof e=="number")return Math.abs(e-Pt(t))<1e-5;if(!(e instanceof Date))return!1;let n=SpreadsheetApp.getActiveSpreadsheet().
getSpreadsheetTimeZone();return Math.abs(Date.parse(Utilities.formatDate(e,n,"yyyy-MM-dd'T'HH:mm:ss'Z'"))-t)<1e3}function oc(e,t,n,r){
let o=sc(e,t),s=r.filter(l=>l==="status"||l===X),i=e.kind==="latest",a=Math.max(t.sheet.getLastRow(),t.row)+1;return n.map(
l=>{let u=Js(l.platform,l[D(e.kind).id]),c=String(l.url),p=i&&u!==null?void 0:(u===null?o.by_url:o.by_url_without_id).get(
c),h=(u===null?void 0:o.by_id.get(u))??p,g=h??a++;return h===void 0&&!i&&o.by_url.set(c,g),u!==null&&o.by_id.set(u,g),{row:g,
values:l,fields:h!==void 0&&l.status!=="OK"?s:r}})}function sc(e,{sheet:t,row:n,columns:r}){let o=u=>Ut(t,n+1,r.get(u)),
[s,i,a]=[o(D(e.kind).id),o("platform"),o("url")],l={by_id:new Map,by_url:new Map,by_url_without_id:new Map};return a.forEach(
(u,c)=>{let p=n+1+c,h=Js(i[c],s[c]);h!==null&&l.by_id.set(h,p),u!==""&&(e.kind!=="latest"||h===null)&&l.by_url.set(u,p),
u!==""&&h===null&&l.by_url_without_id.set(u,p)}),l}function Js(e,t){let n=r=>r==null||r==="";return n(e)||n(t)?null:"".concat(
String(e)," ").concat(String(t))}function ic({columns:e},t){let n=[...t].sort((o,s)=>(e.get(o)??0)-(e.get(s)??0)),r=[];for(let o of n){
let s=e.get(o)??0,i=r[r.length-1];i!==void 0&&i.column+i.fields.length===s?i.fields.push(o):r.push({column:s,fields:[o]})}
return r}function ac(e){let t=[];for(let n of e){let r=t[t.length-1],o=r?.[r.length-1];r!==void 0&&o!==void 0&&o.row+1===
n.row?r.push(n):t.push([n])}return t}function lc({run:e,table:t},{column:n,fields:r},o){let[s]=o;if(s===void 0)return;let i=t.
sheet.getRange(s.row,n,o.length,r.length);qn(i,()=>{let a=i.getNumberFormats();i.setNumberFormats(a.map(l=>l.map((u,c)=>Ws(
r[c]??"",u)))),i.setValues(o.map(({values:l})=>r.map(u=>Gs(u,l,e.started_ms))))})}function Qs(e,{sheet:t,row:n,columns:r},o){
let s=n+o+1,i=Math.min(n+(e.last?.rows??0),t.getLastRow())-s+1;if(!(i<1))for(let a of r.values())t.getRange(s,a,i,1).clearContent()}var uc=6e4,cc=6e4,mc=8e3,pc=["INSUFFICIENT_CREDITS","RATE_LIMITED","INVALID_API_KEY","API_KEY_NOT_SET"],fc=["RATE_LIMITE\
D","SOURCE_CAPACITY"];function Zs(e){let t="".concat(y.now(),"-").concat(y.random()),n=A(()=>dc(e,t));if("finished"in n)
return n;let r=gc(n);return A(()=>wc(n,r))}function Xs(e){let t=q(e);if(t===null)throw new m("This run was finished or c\
ancelled in another window.");return t}function dc(e,t){let n=Z(e),r=Xs(e);if(r.lease!==null&&r.lease.until_ms>y.now()){
let o=r.lease.until_ms-y.now();return{saved:n,run:r,finished:!1,wait_ms:o,reason:"This import is running in another wind\
ow."}}try{let{entries:o,uncertain:s}=hc(n,r);if(o.length===0)return{saved:n,run:r,finished:!0,wait_ms:null,reason:""};let i={
by:t,until_ms:y.now()+uc},a={...r,lease:i,uncertain:o.map(le),stopped:null};return Oe(e,a),{saved:n,run:a,by:t,entries:o,
uncertain:s}}catch(o){return ei(n,r,o)}}function hc(e,t){let{entries:n,place:r}=ce(e);$t(Te(e,r));let o=Is(e.id,t),s=n.filter(
c=>!o.has(le(c))),i=s.filter(c=>t.uncertain.includes(le(c))),a=Math.min(D(e.kind).step_max,t.total-t.entries),l=[],u=0;for(let c of i.
length>0?i:s){if(u+=encodeURIComponent(c.replace(/\p{Surrogate}/gu,"")).length,l.length>=a||l.length>0&&u>mc)break;l.push(
c)}return{entries:l,uncertain:i.length>0}}function gc({saved:e,entries:t,uncertain:n}){let r=D(e.kind),o=Bs(e),s=e.max_age===
"fresh"&&n?"1d":e.max_age,i=s==="fresh"?"fresh=true":"cache_max_age=".concat(s),a="".concat(i).concat(e.limit===null?"":
"&limit=".concat(e.limit),"&fields=").concat(o.join(",")),l=(c,p)=>wt({...r,name:"url",query:a+p,columns:o},c,z());if(e.
platform===null)return l(t,"");let u=c=>!/[/:]/.test(c);return[...l(t.filter(c=>!u(c)),""),...l(t.filter(u),"&platform=".
concat(e.platform))]}function wc(e,t){let n=Z(e.saved.id),r=Xs(n.id);if(r.lease?.by!==e.by)return{saved:n,run:r,finished:!1,
wait_ms:null,reason:""};let{answered:o,failure:s}=yc(t),i=o.flatMap(w=>w.rows);try{let{place:w}=ce(n);zs({saved:n,run:r,
place:w,table:Te(n,w),again:e.uncertain},o)}catch(w){return ei(n,r,w)}let a=new Set(o.map(({entry:w})=>w)),l=e.entries.filter(
w=>!a.has(w)),u=i.filter(({status:w})=>w!=="OK").length,c=s!==null&&fc.includes(s.code),p=s===null||c?null:"".concat(_(s),
" The finished rows stay in the sheet. Choose Resume to continue."),h={...r,ok:r.ok+i.length-u,failed:r.failed+u,rows:r.
rows+i.length,entries:r.entries+o.length,credits:r.credits+i.reduce((w,K)=>w+Number(K.credits_charged??0),0),lease:null,
uncertain:s!==null&&wr(s.code)?l.map(le):[],stopped:p},g=o.map(({entry:w})=>le(w));Oe(n.id,h,g);let d={...h,marks:h.marks+
g.length},S=c?s.retry_after_ms??cc:null,b=s===null&&d.entries>=d.total;return{saved:n,run:d,finished:b,wait_ms:S,reason:c?
_(s):""}}function ei(e,t,n){if(!(n instanceof m))throw n;let r={...t,lease:null,stopped:n.message};return Oe(e.id,r),{saved:e,
run:r,finished:!1,wait_ms:null,reason:""}}function yc(e){let t=[],n=null;for(let{values:r,rows:o}of e)if(!(!Array.isArray(
o)&&o.code==="NOT_IN_TIME")){if(!Array.isArray(o)&&o.code!=="INVALID_INPUT"){n??(n=o);continue}r.forEach((s,i)=>{let a=Sc(
o,r.length,i),l=a===null?P:a.map(bc).find(u=>u!==null)??null;a===null||l!==null?n??(n=l):t.push({entry:s,rows:a})})}return{
answered:t,failure:n}}function Sc(e,t,n){return Array.isArray(e)?t>1?e[n]===void 0?null:[e[n]]:e.length===0?[{status:"NO\
_DATA",message:"There are no posts.",credits_charged:0}]:[...e]:[{status:e.code,message:e.message,credits_charged:0}]}function bc({
status:e,message:t}){let n=String(e);return pc.includes(n)?{code:n,message:String(t??"")}:null}function Dt(e,t){if(z().key===null)throw new m("No API key is connected. Connect one under Account.");return A(()=>{let n=q(
e);if(n!==null)return n;let r=Z(e),{entries:o,hidden:s,skipped:i,place:a}=ce(r);if(o.length===0)throw new m(kc(s.length,
i));let l=r.columns??Vs(r,a);$t(Te({...r,columns:l},a)),r.columns===null&&ue(e,{columns:l});let u={id:He(),by_schedule:t,
started_ms:y.now(),total:o.length,hidden:s.length,skipped:i,ok:0,failed:0,credits:0,rows:0,entries:0,marks:0,lease:null,
uncertain:[],stopped:null};return Oe(e,u,s.map(le)),{...u,marks:s.length}})}function kc(e,t){return e>0?"All rows with U\
RLs are hidden. Show them, or tick “Include hidden rows”.":"There are no URLs or handles in the cells of this import\
. ".concat(t).trim()}function Kt(e){let t=Zs(e);return t.finished&&Vn(t.saved.id,"Finished"),t}function Vn(e,t){A(()=>{let n=Z(
e),r=q(e);if(r===null)return;let o=n.mode==="replace"&&n.target!=="beside";t==="Finished"&&o&&Rc(n,r);let s=o?Math.max(r.
rows,t==="Finished"?0:n.last?.rows??0):0,{ok:i,failed:a,credits:l}=r,u=_c(r,t);ue(e,{last:{at:y.now(),ok:i,failed:a,credits:l,
message:u,rows:s}}),Un(e),N({what:"Import “".concat(n.name,"”"),rows:i+a,ok:i,failed:a,credits:l,message:u})})}function Rc(e,t){
try{Qs(e,Te(e,ce(e).place),t.rows)}catch(n){if(!(n instanceof m))throw n}}function _c({total:e,entries:t,hidden:n,skipped:r},o){
let s=e-t,i=o==="Finished"?"no longer in the sheet":"not requested",a=[o,s>0?"".concat(s," ").concat(i):"",n>0?"".concat(
n," hidden left out"):""];return"".concat(a.filter(l=>l!=="").join(", "),". ").concat(r).trim()}var ti="Another user changed this import meanwhile. Your changes were not saved: open it again.";function ze(){return{ok:!0,
imports:Ce().map(Ic)}}function jn(e){let t=Z(e),n=SpreadsheetApp.getActiveSpreadsheet(),r=n.getRangeByName(V(t.id,"SOURC\
E")),o=n.getRangeByName(V(t.id,"TARGET")),s=l=>({sheet:l.getSheet().getName(),a1:l.getA1Notation()}),i="cells"in t.source&&
r!==null?{...t.source,cells:{...t.source.cells,...s(r)}}:t.source,a=t.target!=="beside"&&o!==null?s(o):t.target;return{ok:!0,
saved:{...t,source:i,target:a}}}function ni(e){let t=f(e)??{},n=Pn(t),r=Cc(As(t.schedule),ve(t.id)?.schedule??null);r?.by===
ne()&&In(!0);try{let o=A(()=>xc(t,n,r));return{...ze(),id:o}}finally{ri()}}function xc(e,t,n){let r=ve(e.id),o=typeof e.
id=="string"?e.version:null;if((r?.version??null)!==o)throw new m(ti);if(r!==null&&q(r.id)!==null)throw new m("This impo\
rt is not finished. Resume or cancel its run first.");let s=SpreadsheetApp.getActiveSpreadsheet(),i="cells"in t.source?Bn(
s,t.source.cells):null,a=t.target==="beside"?null:qs(s,t.target),l=r?.id??He(),u=r!==null&&Ac(r,t.target)?r.last:null;return Fn(
{...t,id:l,version:(r?.version??0)+1,columns:null,schedule:n,last:u}),Bt(s,V(l,"SOURCE"),i),Bt(s,V(l,"TARGET"),a),l}function Ac(e,t){
return JSON.stringify(jn(e.id).saved.target)===JSON.stringify(t)}function Cc(e,t){return e===null?null:t!==null&&t.every_hours===
e.every_hours&&t.weekday===e.weekday?t:{...e,by:ne(),last_ms:y.now()}}function Bt(e,t,n){n!==null?e.setNamedRange(t,n):e.
getRangeByName(t)!==null&&e.removeNamedRange(t)}function ri(){In(Ce().some(({schedule:e})=>e?.by===ne()))}function oi(e,t,n,r=""){
return A(()=>{let o=Z(e);if(o.version!==t)throw new m(ti);if(n==="delete")vc(o.id);else if(n==="duplicate")Oc(o);else if(n===
"rename")Tc(o,String(r).trim().slice(0,80));else if(n==="schedule"&&o.schedule!==null){let s={...o.schedule,by:ne(),last_ms:y.
now()};ue(o.id,{schedule:s,version:o.version+1})}}),ri(),ze()}function vc(e){Os(e);let t=SpreadsheetApp.getActiveSpreadsheet();
for(let n of["SOURCE","TARGET"])Bt(t,V(e,n),null)}function Oc(e){let t={...e,id:He(),name:"".concat(e.name," (copy)"),version:1,
schedule:null,last:null};Fn({...t,columns:null});let n=SpreadsheetApp.getActiveSpreadsheet();for(let r of["SOURCE","TARG\
ET"])Bt(n,V(t.id,r),n.getRangeByName(V(e.id,r)))}function Tc(e,t){if(t==="")throw new m("Type a name for the import.");ue(
e.id,{name:t,version:e.version+1})}function si(e){let t=typeof e=="string"?Z(e):null,n=t??Pn(e),{entries:r,hidden:o,skipped:s}=t===
null?Ps(n):ce(t),{formula:i}=D(n.kind),a=Q(i)?.estimate??null;if(a===null)throw new Error("".concat(i," has no estimate."));
let l=String(n.limit??"");return{...vn(a,r,n.max_age,l,n.platform),formula:i,hidden:o.length,skipped:s}}function ii(e){return ui(
Dt(String(e),!1),!1)}function ai(e){let{run:t,finished:n,wait_ms:r,reason:o}=Kt(String(e)),s=r===null?null:Math.max(1,Math.
ceil(r/1e3));return{...ui(t,n),wait_s:s,wait_reason:o}}function li(e){return Vn(String(e),"Cancelled"),ze()}function ui(e,t){
return{ok:!0,run:ci(e,t),wait_s:null,wait_reason:"",stopped:e.stopped}}function ci({total:e,entries:t,ok:n,failed:r,credits:o,
hidden:s,skipped:i},a){let l=a?e-t:0;return{total:e,done:t,ok:n,failed:r,removed:l,credits:o,hidden:s,skipped:i,finished:a}}
function Ic(e){let{id:t,version:n,name:r,kind:o,schedule:s,last:i}=e,a=q(t);return{id:t,version:n,name:r,kind:o,last:i,target:e.
target==="beside"?"beside the URLs":"in the sheet “".concat(e.target.sheet,"”"),schedule:s===null?null:{every_hours:s.
every_hours,weekday:s.weekday},next:s===null?null:Lt(s),late:ys(e),run:a===null?null:ci(a,!1),stopped:a?.stopped??null}}var Gt="Tidemark samples",Ec="Sample data of invented accounts. Connect a key to get real numbers.",Hn=["Profile URL","S\
tatus","Platform","Display name","Followers","Posts","Verified"],Lc=[["https://instagram.example/harbour.bakery","SAMPLE",
"Instagram","Harbour Bakery",48200,1312,!1],["https://instagram.example/north.trails","SAMPLE","Instagram","North Trails",
1275e3,2904,!0],["https://tiktok.example/@cello.daily","SAMPLE","TikTok","Cello Daily",362400,518,!1],["https://tiktok.e\
xample/@tiny.kitchen","SAMPLE","TikTok","Tiny Kitchen",543e4,1086,!0],["https://youtube.example/@openbench","SAMPLE","Yo\
uTube","Open Bench",91700,233,!1]];function mi(){let e=SpreadsheetApp.getActiveSpreadsheet(),t=e.getSheetByName(Gt),n=t??
e.insertSheet(Gt);if(t===null){let r=[Hn,...Lc].map(o=>o.map(s=>typeof s=="string"?L(s):s));n.getRange(1,1).setValue(L(Ec)),
n.getRange(2,1,r.length,Hn.length).setValues(r),n.getRange(2,1,1,Hn.length).setFontWeight("bold")}return n.activate(),{ok:!0,
message:"Five sample rows are in the sheet “".concat(Gt,"”."),sheet:Gt}}var Nc=R(os),Pc=R(ns),Mc=R(Yo),Fc=R(Qo),$c=R(de),Uc=R(Mr),Dc=R(Fr),Kc=R($r),Bc=R(mi),Gc=R(Ot),Wc=R(zo),qc=R(ss),Vc=R(Us),
jc=R(ze),Hc=R(jn),zc=R(ni),Yc=R(oi),Jc=R(si),Qc=R(ii),Zc=R(ai),Xc=R(li);function pi(e){let{before:t,after:n,formulas:r,frozen:o}=e,s=new Set(o.map(({row:g,column:d})=>"".concat(g,",").concat(d))),
i=[],a=[],l=t.map((g,d)=>g.map((S,b)=>{let w=(r[d]?.[b]??"")!=="";w&&!s.has("".concat(d,",").concat(b))&&i.push({row:d,column:b});
let K=!w&&S!==""&&n[d]?.[b]==="";return K&&a.push({row:d,column:b}),w||S!==""&&!K?1:0})),u=em(l),c=(g,d)=>g.row<=d.row&&
g.column<=d.column&&u(g,d)===1,p=a.filter(g=>o.some(d=>c(d,g))),h=p.filter(g=>i.some(d=>c(d,g)));return{sure:p.filter(g=>!h.
includes(g)),doubtful:h}}function em(e){let t=e[0]?.length??0,n=[Array.from({length:t+1},()=>0)],r=(o,s)=>n[o]?.[s]??0;return e.
forEach((o,s)=>{let i=[0];o.forEach((a,l)=>{i.push(a+r(s,l+1)+(i[l]??0)-r(s,l))}),n.push(i)}),(o,s)=>r(s.row+1,s.column+
1)-r(o.row,s.column+1)-r(s.row+1,o.column)+r(o.row,o.column)}var tm=/^(#(ERROR!|REF!|N\/A|NAME\?|VALUE!|NUM!|DIV\/0!|NULL!)|Loading)/;function fi(e){let t=["selection","sheet"].find(
s=>s===e);if(t===void 0)throw new m("Choose the selection or the sheet.");let{frozen:n,left:r}=A(()=>{let s=We(t),[i]=s;
if(i===void 0)throw new m(xn(t));return nm(i.sheet,s)}),o="".concat(n===1?"1 formula was":"".concat(n," formulas were"),
" replaced with values, which do not change again.")+(r===0?"":" ".concat(r===1?"1 formula stays":"".concat(r," formulas\
 stay"),", because an error or a loading cell has no value."));return N({what:"Freeze of the ".concat(t),rows:n,ok:n,failed:r,
credits:0,message:o}),{ok:!0,message:o}}function nm(e,t){let n=e.getDataRange(),r=n.getValues(),o=n.getFormulas(),s=t.filter(
({row:c,column:p})=>!tm.test(String(r[c-1]?.[p-1]))),i=s.map(({row:c,column:p})=>({row:c-1,column:p-1})),a=r.length,l=r[0]?.
length??0,u=[];try{zn(e,r,i),SpreadsheetApp.flush();let c=()=>e.getRange(1,1,a,l).getValues(),{sure:p,doubtful:h}=pi({before:r,
after:c(),formulas:o,frozen:i});u=p,zn(e,r,p);for(let g of[...new Set(h.map(d=>d.column))].sort((d,S)=>d-S)){SpreadsheetApp.
flush();let d=c(),S=h.filter(b=>b.column===g&&d[b.row]?.[g]==="");u=[...u,...S],zn(e,r,S)}SpreadsheetApp.flush()}catch(c){
for(let{row:p,column:h}of u)e.getRange(p+1,h+1).clearContent();for(let p of Re(s))qe(p);throw c}return{frozen:s.length,left:t.
length-s.length}}function zn(e,t,n){let r=n.map(({row:o,column:s})=>({sheet:e,row:o+1,column:s+1,formula:""}));for(let o of Re(
r)){let s=Rn(o),i=s.getNumberFormats();i.some(([a])=>a==="@")&&s.setNumberFormats(i.map(([a=""])=>[a==="@"?"General":a])),
s.setValues(o.formulas.map((a,l)=>[rm(t[o.row-1+l]?.[o.column-1])]))}}function rm(e){if(typeof e=="number"||typeof e=="b\
oolean"||e instanceof Date)return e;let t=String(e??"");return t===""?"":L(t)}function di(){let{key:e,network:t,origin:n}=z();if(e===null)throw new E(he);let[r]=F(["".concat(n,"/v1/workflows/campaig\
ns")],e,t);if(r?.ok===!1)throw new E(r.failure);let o=f(r?.data)?.items;if(!Array.isArray(o))throw new E(P);return{ok:!0,
campaigns:o.flatMap(i=>{let{id:a,name:l,status:u}=f(i)??{};return typeof a=="string"?[{id:a,name:String(l??""),status:String(
u??"")}]:[]})}}var we={name:240,other:130};function hi(e,t,n){let r=new Map(e.getCharts().map(i=>[i.getChartId(),i])),o=i=>r.get(n[i]??
null);for(let i of Object.keys(n)){let a=t.some(l=>l.key===i)?void 0:o(i);a!==void 0&&e.removeChart(a)}let s={};for(let i of t){
let a=o(i.key),l=a===void 0?sm(e,i):om(e,a,i);l!==null&&(s[i.key]=l)}return s}function om(e,t,n){let{column:r,x:o}=wi(n.
index*345),s=t.modify().clearRanges().setPosition(n.row,r,o,0);for(let i of gi(e,n))s.addRange(i);return e.updateChart(s.
build()),t.getChartId()}function sm(e,t){let n=e.getCharts().map(l=>l.getChartId()),{column:r,x:o}=wi(t.index*345),s=t.type===
"bar"?e.newChart().asBarChart():e.newChart().asLineChart();s.setNumHeaders(1).setPosition(t.row,r,o,0);for(let l of gi(e,
t))s.addRange(l);let i=s.setOption("title",t.title).setOption("width",335).setOption("height",230).setOption("pointSize",
4).setOption("interpolateNulls",!1).setOption("legend",{position:t.type==="bar"?"none":"bottom"}).build();return e.insertChart(
i),e.getCharts().find(l=>!n.includes(l.getChartId()))?.getChartId()??null}function gi(e,{first_row:t,rows:n,columns:r}){
return r.map(({first:o,count:s})=>e.getRange(t,o,n,s))}function wi(e){if(e<we.name)return{column:1,x:e};let t=e-we.name;
return{column:2+Math.floor(t/we.other),x:t%we.other}}function C(e){return Array.isArray(e)?e.map(t=>f(t)??{}):[]}function I(e){return typeof e=="number"?e:null}function ye(e){
return typeof e=="string"&&e!==""?e:null}function j(e){return typeof e=="number"&&Math.abs(e)<=im?e:null}var im=864e13;var am={photo:"Instagram",shortvideo:"TikTok",longvideo:"YouTube"},lm={profile:"Account"},um={rounded:"rounded",hidden:"\
hidden by the account",not_exposed:"not published"},cm={active:"Checked daily",paused:"Paused",identity_changed:"The han\
dle now belongs to another account"},mm=["January","February","March","April","May","June","July","August","September","\
October","November","December"];function me(e){return am[String(e)]??O(String(e))}function Si(e){return lm[String(e)]??O(
String(e))}function bi(e){return cm[String(e)]??O(String(e))}function Wt(e){return um[String(e)]??"unknown"}function qt(e){
return String(Math.round(e)).replace(/\B(?=(\d{3})+$)/g,",")}function ki(e,t){let n=new Date(e),r=new Date(t-1),o=[yi(n),
n.getUTCFullYear()];n.getUTCFullYear()===r.getUTCFullYear()&&o.pop();let i=o.length===1&&n.getUTCMonth()===r.getUTCMonth()?
n.getUTCDate():o.join(" ");return"".concat(i," to ").concat(yi(r)," ").concat(r.getUTCFullYear()," (UTC)")}function yi(e){
return"".concat(e.getUTCDate()," ").concat(mm[e.getUTCMonth()])}function Yn(e){let t=[];for(let n of e.split(/\s+/)){let r=t[t.
length-1];r!==void 0&&r.length+n.length<pm?t[t.length-1]="".concat(r," ").concat(n):t.push(n)}return t}var pm=125;var Ri=7*864e5,fm=["profile","channel"];function _i(e){return Object.entries(f(e.totals)??{}).map(([t,n])=>{let r=f(n)??
{};return{metric:t,end:I(r.end),start:I(r.start),change:I(r.change),change_percent:I(r.change_percent),change_before:hm(
e,t),rounded:r.quality==="rounded",items:I(r.items)??0,items_missing:I(r.items_missing)??0,unknown:dm(e,t)}})}function dm(e,t){
let n=C(e.items).filter(s=>f(f(s.metrics)?.[t])!==null).map(s=>M(s,t)),r=new Set(n.flatMap(({end:s,quality:i})=>s===null?
[Wt(i)]:[])),[o="unknown"]=r;return r.size===1?o:"unknown"}function hm(e,t){let n=C(e.series).filter(s=>s.metric===t&&s.
step==="week"),r=I(e.period_start);if(n.length===0||r===null)return null;let o=0;for(let s of n){let i=u=>I(C(s.points).
find(c=>c.at===u)?.value),[a,l]=[i(r-Ri),i(r-2*Ri)];if(a===null||l===null)return null;o+=a-l}return o}function M(e,t){let n=f(
f(e.metrics)?.[t])??{},{end:r,change:o,change_percent:s,quality:i}=n;return{end:I(r),change:I(o),change_percent:I(s),quality:i}}
function Ye({name:e,url:t}){return String(e??t??"")}function xi({kind:e}){return fm.includes(String(e))}function Jn(e){let t=C(
e.items).filter(n=>xi(n)&&n.status!=="identity_changed");return Vt(t,n=>M(n,"followers").end)}function Qn(e,t){let n=o=>(M(
o,"followers").change??0)*t,r=Jn(e).filter(o=>n(o)>0);return Vt(r,n)}function Ai(e){let t=C(e.items).filter(o=>!xi(o)&&o.
status!=="identity_changed"),n=Vt(t,o=>M(o,"views").change),r=t.filter(o=>!n.includes(o));return[...n,...Vt(r,o=>M(o,"li\
kes").change)]}function Vt(e,t){return e.flatMap(r=>{let o=t(r);return o===null?[]:[{item:r,number:o}]}).sort((r,o)=>o.number-
r.number).map(({item:r})=>r)}var gm=864e5,wm=25569,ym={text:"General",count:"#,##0",change:"[Color10]+#,##0;[Red]-#,##0;0",share:"0.0%",growth:"[Colo\
r10]+0.0%;[Red]-0.0%;0.0%",day:"yyyy-mm-dd",time:"yyyy-mm-dd hh:mm"};function Zn(e){return ym[e]}function Ci(e,t){return t==
null||t===""?"":typeof t=="boolean"?t:typeof t!="number"?L(typeof t=="string"?t:JSON.stringify(t)):e==="day"||e==="time"?
t/gm+wm:e==="share"||e==="growth"?t/100:t}var vi=12,Xn=3,er="End of the report.",Ht={lines:[{text:"".concat(er," A refresh replaces everything above this line, in\
 the columns that the report uses. ")+"Anything you write below this line or to the right stays, and moves when the repo\
rt grows.",style:"quiet"}],columns:[],rows:[]},Ti={heading:"",kind:"text"},Oi=jt([""],[Ti]);function zt(e,t){let n=[...e,
...t].flatMap(({charts:u=[]})=>u),r=[...n.filter(({type:u})=>u==="line"),...n.filter(({type:u})=>u==="bar")],o=[],s=[],i=[],
a=1,l=u=>{let c=o.length+1;s.push(...bm(u,c)),o.push(...Sm(u),Oi);let p=c+u.lines.length;for(let h of u.charts??[])i.push(
{...h,row:0,index:r.indexOf(h),first_row:p,rows:u.rows.length+1})};for(let u of e)l(u);a=o.length+1;for(let u=0;u<Math.ceil(
r.length/Xn)*vi;u++)o.push(Oi);for(let u of t)l(u);return o.pop(),{...km(o),styles:s,charts:i.sort((u,c)=>u.index-c.index).
map(u=>({...u,row:a+Math.floor(u.index/Xn)*vi,index:u.index%Xn}))}}function Sm({lines:e,columns:t,rows:n}){let r=e.map(({
text:s})=>jt([s],[Ti]));if(t.length===0)return r;let o=t.map(({heading:s})=>s);return[...r,jt(o,t),...n.map(s=>jt(s,t))]}
function jt(e,t){return{cells:t.map(({kind:n},r)=>Ci(n,e[r])),formats:t.map(({kind:n})=>Zn(n)),alignments:t.map(({kind:n})=>n===
"text"||n==="day"?"left":"right")}}function bm({lines:e,columns:t},n){let r=e.map(({style:o},s)=>({style:o,row:n+s,width:1}));
return t.length===0?r:[...r,{style:"heading",row:n+e.length,width:t.length}]}function km(e){let t=Math.max(...e.map(({cells:r})=>r.
length)),n=Array.from({length:t},(r,o)=>o);return{cells:e.map(({cells:r})=>n.map(o=>r[o]??"")),formats:e.map(({formats:r})=>n.
map(o=>r[o]??Zn("text"))),alignments:e.map(({alignments:r})=>n.map(o=>r[o]??"left"))}}var Rm=864e5;function Ei(e){let t=C(e.items),n=[...new Set(t.flatMap(o=>Object.keys(f(o.metrics)??{})))],r={lines:[],columns:[
..._m,...n.flatMap(Am),...xm],rows:t.map(o=>[Ye(o),me(o.platform),Si(o.kind),...n.flatMap(s=>{let{end:i,change:a,change_percent:l}=M(
o,s);return[i,a,l]}),I(C(o.rates)[0]?.percent),Cm(o,n),bi(o.status),j(o.first_observed_at),j(o.last_observed_at),vm(o),String(
o.item_id??""),o.url])};return zt([],[r,Ht])}var _m=[{heading:"Name",kind:"text"},{heading:"Platform",kind:"text"},{heading:"\
Type",kind:"text"}],xm=[{heading:"Engagement rate",kind:"share"},{heading:"Remarks",kind:"text"},{heading:"Status",kind:"\
text"},{heading:"First check (UTC)",kind:"time"},{heading:"Last check (UTC)",kind:"time"},{heading:"Days missing (UTC)",
kind:"text"},{heading:"Item ID",kind:"text"},{heading:"Link",kind:"text"}];function Am(e){let t=O(e);return[{heading:t,kind:"\
count"},{heading:"".concat(t," change"),kind:"change"},{heading:"".concat(t," change %"),kind:"growth"}]}function Cm(e,t){
return t.flatMap(r=>{if(f(f(e.metrics)?.[r])===null)return[];let{end:o,quality:s}=M(e,r);return o!==null&&s!=="rounded"?
[]:["".concat(O(r)," ").concat(Wt(s))]}).join(", ")}function vm(e){return C(e.gaps).flatMap(({from:n,to:r})=>{let[o,s]=[
j(n),j(r)];return o===null||s===null?[]:[[...new Set([Ii(o),Ii(s-Rm)])].join(" to ")]}).join(", ")}function Ii(e){return new Date(
e).toISOString().slice(0,10)}var Li=["Rounded: the platform shows a rounded number, so small changes are not visible.","Hidden or not published: the \
account or the platform does not show the number. That does not mean 0.","An empty cell is an unknown number; only a 0 m\
eans zero. In a table by day or week, it means that at least one item has no number for that day or week."];var Om={day:{title:"Day by day",heading:"Day (UTC)"},week:{title:"Week by week",heading:"Week from (UTC)"}},Tm=4,Im=2,tr=Object.
keys(ge).filter(e=>ge[e]!==null).sort((e,t)=>Number(ge[e])-Number(ge[t]));function Pi(e){let t=Ni(e,"day"),n=Ni(e,"week"),
r=n.times.length>=Tm;return[t,n].filter(({lines:o,times:s})=>o.length>0&&s.length>0).map(o=>Em(o,o===n===r&&o.times.length>=
Im))}function Em({step:e,lines:t,times:n},r){let{title:o,heading:s}=Om[e];return{lines:[{text:o,style:"section"},{text:"\
The last number of each item, added up over all items of the platform.",style:"quiet"}],columns:[{heading:s,kind:"day"},
...t.map(i=>({heading:Lm(i),kind:"count"}))],rows:n.map(i=>[i,...t.map(({points:a})=>a.get(i)??null)]),charts:r?Nm(t,e):
[]}}function Ni(e,t){let n=new Set,r=C(e.series).filter(s=>s.step===t).map(({platform:s,metric:i,points:a})=>{let l=C(a).
flatMap(c=>{let p=j(c.at);if(p===null)return[];n.add(p);let h=I(c.value);return h===null?[]:[[p,h]]}),u=C(a).some(({quality:c})=>c===
"rounded");return{platform:String(s),metric:String(i),points:new Map(l),rounded:u}}),o=[...new Set(r.map(({metric:s})=>s))];
return{step:t,lines:o.flatMap(s=>r.filter(i=>i.metric===s)),times:[...n].sort((s,i)=>s-i)}}function Lm({platform:e,metric:t,
rounded:n}){return"".concat(me(e)," ").concat(O(t).toLowerCase()).concat(n?" (rounded)":"")}function Nm(e,t){return tr.filter(
r=>e.some(o=>o.metric===r)).map(r=>({key:"".concat(r,"_by_").concat(t),title:"".concat(O(r)," by ").concat(t," (UTC)"),type:"\
line",columns:[{first:1,count:1},{first:e.findIndex(o=>o.metric===r)+2,count:e.filter(o=>o.metric===r).length}]}))}var Pm=5,Mm=10,Fm=10,$m=3,Fi=2;function $i(e,t){let n=_i(e),r=[Um(e,t,n),Gm(n)],s=[Mi("Accounts that gained the most fol\
lowers",Qn(e,1)),Mi("Accounts that lost the most followers",Qn(e,-1)),jm(e),zm(e),Ym(e),Vm(e),...Pi(e)].filter(({columns:i,
rows:a})=>i.length===0||a.length>0);return zt(r,[...s,Ht])}function Um(e,t,n){let[r,o]=[j(e.period_start),j(e.period_end)],
s=j(e.generated_at),i=r===null||o===null?[]:["Week from ".concat(ki(r,o))],a=e.final===!0?"final":"so far, not final",l=[
...t===null?[]:["Workspace: ".concat(t)],...s===null?[]:["Created ".concat(new Date(s).toISOString().slice(0,16).replace(
"T"," ")," (UTC)")]];return{lines:[{text:ye(e.report_name)??ye(f(e.campaign)?.name)??"Campaign report",style:"title"},{text:[
...i,a].join(", "),style:"quiet"},{text:l.join(" · "),style:"quiet"},...nr(Yn(Dm(e,n)),"headline")],columns:[],rows:[]}}
function Dm(e,t){let n=tr.flatMap(o=>{let{end:s,change:i,change_percent:a}=t.find(c=>c.metric===o)??{};if(typeof s!="num\
ber"||typeof i!="number")return[];let l=O(o).toLowerCase();if(i===0)return["".concat(l," unchanged at ").concat(qt(s))];
let u=typeof a=="number"?" (".concat(Km(Math.abs(a)),"%)"):"";return["".concat(l," ").concat(i>0?"up":"down"," ").concat(
qt(Math.abs(i))).concat(u," to ").concat(qt(s))]});if(n.length===0)return"No change can be shown: no number is known at \
both ends of this week.";let r=e.final===!0?"This week":"This week so far";return"".concat(r,": ").concat(n.slice(0,$m).
join(", "),".")}function Km(e){return(Math.round(e*10)/10).toFixed(1)}var Bm=[{heading:"Key number",kind:"text"},{heading:"\
This week",kind:"count"},{heading:"Previous week",kind:"count"},{heading:"Change",kind:"change"},{heading:"Change %",kind:"\
growth"},{heading:"Previous change",kind:"change"},{heading:"Remarks",kind:"text"}];function Gm(e){let n=[...e].sort((r,o)=>+(r.
end===null)-+(o.end===null)).map(r=>{let{metric:o,end:s,start:i,change:a,change_percent:l,change_before:u,unknown:c}=r,p=[
a??c,l??(a===null?c:"from zero")];return[O(o),s??c,i??c,...p,u??"unknown",qm(r)]});return{lines:[{text:"Key numbers",style:"\
section"},...nr(Wm,"quiet")],columns:Bm,rows:n}}var Wm=["Counts at the end of each week, added up over all items. Previo\
us change: the change in the week before.","For an item without a count before this week, its first count in the week st\
ands for the previous week."];function qm({rounded:e,items:t,items_missing:n}){let r=t+n;return[...e?["rounded by the pl\
atform"]:[],...n>0?["".concat(t," of ").concat(r," ").concat(r===1?"item":"items"," counted")]:[]].join(", ")}function Mi(e,t){
return{...Ui(t.slice(0,Pm)),lines:[{text:e,style:"section"}]}}function Vm(e){let t=Ui(Jn(e).slice(0,Fm)),r={key:"account\
s_bar",title:"Followers by account",type:"bar",columns:[{first:1,count:1},{first:3,count:1}]};return{...t,lines:[{text:"\
Accounts with the most followers",style:"section"}],charts:t.rows.length<Fi?[]:[r]}}function Ui(e){return{lines:[],columns:[
{heading:"Account",kind:"text"},{heading:"Platform",kind:"text"},{heading:"Followers",kind:"count"},{heading:"Change",kind:"\
change"},{heading:"Change %",kind:"growth"},{heading:"Remarks",kind:"text"}],rows:e.map(t=>{let{end:n,change:r,change_percent:o,
quality:s}=M(t,"followers"),i=s==="rounded"?"rounded by the platform":"";return[Ye(t),me(t.platform),n,r,o,i]})}}function jm(e){
let t=Ai(e).slice(0,Mm).map(s=>[Ye(s),me(s.platform),M(s,"views").change,M(s,"views").end,M(s,"likes").change,M(s,"likes").
end,M(s,"comments").end,C(s.rates)[0]?.percent,s.url]),n=t.some(s=>typeof s[2]=="number"),r=[{first:1,count:1},{first:n?
3:5,count:1}],o="".concat(n?"New views":"New likes"," by post");return{lines:[{text:"Best posts",style:"section"},{text:"\
Sorted by new views in this week; posts without a number of views follow, by new likes.",style:"quiet"}],columns:Hm,rows:t,
charts:t.length<Fi?[]:[{key:"posts_bar",title:o,type:"bar",columns:r}]}}var Hm=[{heading:"Post",kind:"text"},{heading:"P\
latform",kind:"text"},{heading:"New views",kind:"change"},{heading:"Views",kind:"count"},{heading:"New likes",kind:"chan\
ge"},{heading:"Likes",kind:"count"},{heading:"Comments",kind:"count"},{heading:"Engagement rate",kind:"share"},{heading:"\
Link",kind:"text"}];function zm(e){let t=C(e.by_platform).flatMap(({platform:n,rates:r})=>C(r).map(({percent:o,items:s,items_missing:i,
formula:a})=>[me(n),o??"unknown",s,i,a]));return{lines:[{text:"Engagement rates",style:"section"}],columns:[{heading:"Pl\
atform",kind:"text"},{heading:"Engagement rate",kind:"share"},{heading:"Posts counted",kind:"count"},{heading:"Not count\
ed",kind:"count"},{heading:"Formula",kind:"text"}],rows:t}}function Ym(e){let r=[...(Array.isArray(e.notes)?e.notes:[]).
map(String),...Li,ye(e.method)??""].filter(o=>o!=="").flatMap(o=>Yn(o).map((s,i)=>i===0?"• ".concat(s):"   ".concat(s)));
return{lines:[{text:"Notes",style:"section"},...nr(r,"plain")],columns:[],rows:[]}}function nr(e,t){return e.map(n=>({text:n,
style:t}))}var Je="report_sheet_",Jm=90;function Yt(e,t){let n=e.getProperty(Je+t),r=n===null?null:f(JSON.parse(n));return r===null||
typeof r.sheet_id!="number"||f(r.charts)===null?null:r}function Di(e,t,n){e.setProperty(Je+t,JSON.stringify(n))}function Ki(e,t){
e.deleteProperty(Je+t)}function Bi(e){return e.flatMap(t=>t.startsWith(Je)?[t.slice(Je.length)]:[])}function Jt(e,t){return e.
getSheets().find(n=>n.getSheetId()===t)??null}function rr(e,t,n){let r="".concat(Qm(t)," ").concat(n).trim(),o=e.getSheets().
map(i=>i.getName().toLowerCase()),s=r;for(let i=2;o.includes(s.toLowerCase());i++)s="".concat(r," (").concat(i,")");return e.
insertSheet(s,o.length)}function Qm(e){return[...e.replace(/[\p{C}\s]+/gu," ").replace(/['"!:*?/\\[\]]/g," ").replace(/ +/g,
" ").trim()].slice(0,Jm/2).join("")}function or(e,t,{cells:n}){let r=n.length,o=n[0]?.length??0,s=t===null?{rows:0,columns:0}:
Zm(e,t);s.rows>0&&r>s.rows&&e.getLastRow()>s.rows&&e.insertRowsAfter(s.rows,r-s.rows),s.columns>0&&o>s.columns&&e.getLastColumn()>
s.columns&&e.insertColumnsAfter(s.columns,o-s.columns),e.getMaxRows()<r&&e.insertRowsAfter(e.getMaxRows(),r-e.getMaxRows()),
e.getMaxColumns()<o&&e.insertColumnsAfter(e.getMaxColumns(),o-e.getMaxColumns());let i=Math.max(r,s.rows),a=Math.max(o,s.
columns);e.getRange(1,1,i,a).clear().clearDataValidations()}function Zm(e,t){let n=e.getLastRow(),o=(n===0?[]:e.getRange(
1,1,n,1).getValues()).findIndex(([i])=>String(i).startsWith(er));return{rows:o===-1?Math.min(t.rows,e.getMaxRows()):o+1,
columns:Math.min(t.columns,e.getMaxColumns())}}function sr(e,{cells:t}){let n=Math.min(t.length,e.getMaxRows()),r=Math.min(
t[0]?.length??0,e.getMaxColumns());if(!e.getRange(1,1,n,r).canEdit())throw new m('The sheet "'.concat(e.getName(),'" is \
protected, so the report was not changed. Ask its owner to let you edit it, or delete the sheet to get a new one.'))}var Xm=/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,ep="#e8eef4",Gi="#1f4e79",tp="#5f6368",np=20,rp=12,op=13,Se=class extends E{};
function zi(e,t){if(!Vi(e))throw new m("Choose a campaign.");let n=t==null||t===""?null:t;if(n!==null&&!Vi(n))throw new m(
"Choose a report from the list.");let r=ir(e,n),o="".concat(r.sheet,": ").concat(r.state,". It cost 0 credits.");return N(
{what:"Campaign report",rows:r.items,ok:r.items,failed:0,credits:0,message:o}),{ok:!0,message:o,sheet:r.sheet}}function ir(e,t,n=!0){
let{report:r,workspace:o}=sp(e,t),s=$i(r,o),i=Ei(r);return A(()=>{let a=SpreadsheetApp.getActiveSpreadsheet(),l=$(k().document),
u=Yt(l,e),c=ye(f(r.campaign)?.name)??"",p={summary:Wi(a,u),details:Wi(a,u?.details??null)};p.summary!==null&&sr(p.summary,
s),p.details!==null&&sr(p.details,i);let h=p.summary??rr(a,c,"report"),g=p.details??rr(a,c,"details");or(h,p.summary&&u,
s),or(g,(p.details&&u?.details)??null,i),ji(h,s),ji(g,i),p.summary===null&&h.setHiddenGridlines(!0),p.summary===null&&Hi(
h,s),p.details===null&&Hi(g,i),g.setFrozenRows(1);let d=hi(h,s.charts,(p.summary&&u?.charts)??{}),S={...qi(h,s),details:qi(
g,i)};Di(l,e,{...S,report_id:t,charts:d}),n&&a.setActiveSheet(h),SpreadsheetApp.flush();let b=C(r.items).length;return{sheet:h.
getName(),items:b,state:ip(r,b)}})}function Wi(e,t){return t===null?null:Jt(e,t.sheet_id)}function qi(e,{cells:t}){return{
sheet_id:e.getSheetId(),columns:t[0]?.length??0,rows:t.length}}function Vi(e){return typeof e=="string"&&Xm.test(e)}function sp(e,t){
let{key:n,network:r,origin:o}=z();if(n===null)throw new Se(he);let s=t===null?"":"&report_id=".concat(encodeURIComponent(
t)),i="".concat(o,"/v1/workflows/campaign-report?id=").concat(encodeURIComponent(e)).concat(s),[a,l]=F([i,"".concat(o,"/\
v1/credit/balance")],n,r);if(a?.ok===!1)throw new Se(a.failure);let u=f(a?.data);if(u===null||!_t(u))throw new Se(P);return{
report:u,workspace:l?.ok===!0?ye(f(l.data)?.workspace):null}}function ip(e,t){let n=ap(e.period_start),r=t===1?"1 item":
"".concat(t," items");return e.final===!0?"the finished week from ".concat(n,", ").concat(r):"the week from ".concat(n,"\
 so far, which is not final, ").concat(r)}function ap(e){let t=new Date(typeof e=="number"?e:Number.NaN);return Number.isNaN(
t.getTime())?"an unknown day":t.toISOString().slice(0,10)}function ji(e,{cells:t,formats:n,alignments:r,styles:o}){e.getRange(
1,1,t.length,t[0]?.length??0).setValues(t).setNumberFormats(n).setHorizontalAlignments(r);for(let{style:i,row:a,width:l}of o)
lp(e.getRange(a,1,1,l),i)}function lp(e,t){t==="title"&&e.setFontWeight("bold").setFontSize(np).setFontColor(Gi),t==="he\
adline"&&e.setFontWeight("bold").setFontSize(rp),t==="quiet"&&e.setFontColor(tp),t==="section"&&e.setFontWeight("bold").
setFontSize(op).setFontColor(Gi),t==="heading"&&e.setFontWeight("bold").setBackground(ep).setWrap(!0).setVerticalAlignment(
"bottom")}function Hi(e,{cells:t}){e.setColumnWidth(1,we.name);let n=(t[0]?.length??0)-1;n>0&&e.setColumnWidths(2,n,we.other)}var ar="Scheduled refresh",up=4*6e4,cp=["API_KEY_NOT_SET","INVALID_API_KEY","PRODUCTION_KEY_REQUIRED","PAID_ACCESS_REQUI\
RED"];function Yi(){try{if(!It()){N({what:ar,rows:0,ok:0,failed:1,credits:0,message:"Google needs your permission again.\
 Open the sidebar once."});return}if(!gs())return;hs();let e=mp(),t=A(Ve),{ok:n,failed:r,messages:o}=e,s=n===1?"1 report":
"".concat(n," reports"),i=t?" Formulas with the refresh cell run again.":"",a=["".concat(s," refreshed.").concat(i),...new Set(
o)].join(" ");N({what:ar,rows:n+r,ok:n,failed:r,credits:t?null:0,message:a})}catch(e){N({what:ar,rows:0,ok:0,failed:1,credits:null,
message:at(e).message})}}function mp(){let e=y.now()+up,t={ok:0,failed:0,messages:[]};for(let n of pp()){if(y.now()>e){t.
failed+=1,t.messages.push("There was not enough time for all reports. To update the others now, insert them again under \
Report.");continue}try{ir(n,null,!1),t.ok+=1}catch(r){if(!(r instanceof m))throw r;if(t.failed+=1,t.messages.push(r.message),
r instanceof Se&&cp.includes(r.code??""))break}}return t}function pp(){let e=SpreadsheetApp.getActiveSpreadsheet(),t=$(k().
document),n=PropertiesService.getDocumentProperties().getKeys();return Bi(n).filter(r=>{let o=Yt(t,r),s=i=>!!i&&Jt(e,i.sheet_id)!==
null;return!s(o)&&!s(o?.details)&&Ki(t,r),s(o)&&o?.report_id===null})}var fp=4e4;function Ji(e){if(!It())return[];let t=[];for(let n of Ce().filter(dp)){let r=hp(n,e);if(r===null)continue;let o=r.
slice(0,200);N({what:"Import “".concat(n.name,"”"),rows:0,ok:0,failed:1,credits:null,message:o}),t.push("".concat(n.
name,": ").concat(r))}return t}function dp(e){if(e.schedule?.by!==ne())return!1;let t=q(e.id);return Ln(e)||t?.by_schedule===
!0&&t.stopped===null}function hp(e,t){try{let{schedule:n}=e;for(n!==null&&Ln(e)&&A(()=>ue(e.id,{schedule:{...n,last_ms:y.
now()}})),Dt(e.id,!0);y.now()+fp<t;){let{run:r,finished:o,wait_ms:s}=Kt(e.id);if(o)return null;if(r.stopped!==null)return r.
stopped;s!==null&&y.sleep(Math.min(s,Math.max(0,t-y.now())))}return gp(e),null}catch(n){return n instanceof m?n.message:
_({code:"INTERNAL",message:String(n)})}}function gp({id:e,name:t}){let n=q(e);if(n===null)return;let{ok:r,failed:o,credits:s,
entries:i,total:a}=n,l="".concat(i," of ").concat(a," are done. The import continues with the next run, in about an hour\
.");N({what:"Import “".concat(t,"”"),rows:r+o,ok:r,failed:o,credits:s,message:l})}var wp=5.5*6e4;function Qi(){let e=y.now()+wp;ds()&&Yi();let t=Ji(e);if(t.length>0)throw new Error(t.join("\n"))}var yp=R(di),Sp=R(zi),bp=R($o),kp=R(fi),Rp=R(ms),_p=R(ps),xp=R(()=>({ok:!0,runs:Ke()}));function Ap(){Cn()}function Cp(){Cn()}var vp=$e(Bo),Op=$e(Go),Tp=$e(Wo),Ip=$e(qo);function Ep(e,t){return Qr(W(),e,t)}function Lp(e){return Xr(W(),e)}function Np(e,t,n){return to(W(),e,t,n)}function Pp(e,t){
return ro(W(),e,t)}function Mp(e,t,n){return so(W(),e,t,n)}function Fp(e,t,n,r,o){return ao(W(),e,t,n,r,o)}function $p(e,t,n,r){
return uo(W(),e,t,n,r)}function Up(e,t,n){return wo(W(),e,t,n)}function Dp(e,t,n,r){return ko(W(),e,t,n,r)}function Kp(e,t){
return _o(W(),e,t)}return ra(Bp);})();
