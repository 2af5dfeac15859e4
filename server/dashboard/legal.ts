import { html } from 'hono/html';
import type { Html } from '../docs/layout.ts';
import type { Piece } from './ui/components.ts';
import { publicPage } from './ui/layout.ts';

/**
 * The person or company that runs this server, as shown on the privacy and terms pages. Each value is null when it is
 * not configured.
 */
export interface Operator {
  name: string | null;
  email: string | null;
}

const stored: readonly (readonly [what: string, why: string, howLong: string])[] = [
  [
    'Name, email address and password of an account; the password only as a hash',
    'sign-in',
    'until the workspace is deleted and its person belongs to no other',
  ],
  ['Sessions: IP address and device', 'sign-in, and a list of your sessions', '30 days after the last use'],
  ['API keys and secret links, only as hashes', 'to recognize requests', 'until the workspace is deleted'],
  [
    'Profile and post links that you track or upload, and the public numbers of each check',
    'reports and history',
    'numbers of checks 365 days; the rest until you delete it',
  ],
  ['Charges, with the route and time of each request', 'the credit ledger', 'until the workspace is deleted'],
  [
    'Recipients of notifications: email addresses, including those of people without an account, and Slack addresses',
    'alerts, reports and summaries that the workspace sends',
    'until the workspace removes them or is deleted; the messages 90 days',
  ],
  [
    'Webhook URLs, and the messages sent to them',
    'messages to the servers of the workspace',
    'until the webhook is removed; the messages 30 days',
  ],
  [
    'Names of Google spreadsheets (their IDs) into which the server writes',
    'sheet imports, lists and reports',
    'until they are removed',
  ],
  ['Audit log: who changed what, IP address and device', 'security of the workspace', '365 days'],
  ['Answers of the platforms: public profiles and posts', 'so that a repeated request costs nothing', 'up to 30 days'],
];

const addonData: readonly string[] = [
  'It reads only cells that you select or name in a formula, and only in the spreadsheet in which you use it.',
  'It sends the profile links in these cells, and your API key, to this server and to no other.',
  'It writes the public numbers it receives into the spreadsheet.',
  'Your key stays in your Google account or in the spreadsheet, wherever you saved it. Disconnect it in the sidebar at any time.',
  'It uses no Google user data for advertising, does not sell it, and no person reads it. Its use of information received from Google APIs adheres to the Google API Services User Data Policy, including the Limited Use requirements.',
];

/** Returns the privacy page: what this server and its add-on store, and for how long. */
export function privacyPage(operator: Operator): Html | Promise<Html> {
  const content = html`<article class="legal"><h1>Privacy</h1>
<p>${runBy(operator)} It offers Tidemark, a service for public social data.</p>
<h2>What the server stores</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Stored data"><table><thead><tr><th scope="col">Data</th><th scope="col">For</th><th scope="col">How long</th></tr></thead>
<tbody>${stored.map(([what, why, howLong]) => html`<tr><td>${what}</td><td>${why}</td><td>${howLong}</td></tr>`)}</tbody></table></div>
<p>The server’s log has the time, route and outcome of each request, but no keys, passwords or contents. Backups and logs are kept as long as the operator decides.</p>
<h2>What the spreadsheet add-on does</h2>
<ul>${addonData.map((sentence) => html`<li>${sentence}</li>`)}</ul>
<h2>Who receives data</h2>
<p>To answer a request, the server asks the platform (Instagram, TikTok or YouTube) for the public page that you named. The platform sees the server, not you. If you buy credits online, Stripe handles the payment; card numbers never reach this server. </p>
<p>If you ask for it, the server also sends data to: the email addresses and Slack channels that you add under <i>Notifications</i> (alerts, reports and summaries; another person must agree first), your webhook URLs, the Google spreadsheets that you name, everyone who opens a share link or data link that you pass on, and apps that you connect. The people of a workspace see its data.</p>
<h2>Cookies</h2><p>One cookie, for the sign-in. No tracking and no advertising.</p>
<h2>Your data</h2>
<p>Under <a href="/dashboard/settings">Settings</a>, an owner can download all data of a workspace, or choose <i>Delete this workspace</i>: it deletes the workspace with its data, and the accounts of all people in it who belong to no other workspace. To remove only yourself, choose <i>Leave this workspace</i> under <a href="/dashboard/people">People</a>. For everything else, ${ask(operator)}. If you do not want this server to process the public data of your own profile, ask there, too.</p></article>`;
  return publicPage('Privacy', content);
}

/** Returns the terms page. */
export function termsPage(operator: Operator): Html | Promise<Html> {
  const content = html`<article class="legal"><h1>Terms</h1>
<p>${runBy(operator)} By using this server, you agree to the following.</p>
<h2>What you get</h2>
<p>Numbers and texts that platforms show to everyone, as they were at the time of the answer. They can be rounded, late or missing; each answer says so if the platform does. The service is not connected with the platforms or with Google. We cannot promise that a platform keeps its pages available.</p>
<h2>Credits</h2>
<p>Newly fetched data costs credits: see the <a href="/prices">prices</a>. <a href="/docs/credits#errors-are-free">Errors are free</a>, and so are numbers that this server already fetched, if they are newer than the age you allow. Credits never expire. Your ledger lists every charge.</p>
<h2>What you must not do</h2>
<ul><li>Do not use the data to harass people, to build profiles of private individuals, or to discriminate against anyone.</li>
<li>Do not break the laws that apply to you.</li>
<li>Do not resell access to this server or get around its limits.</li>
<li>Do not share keys that belong to someone else. You are responsible for the keys and links that you share.</li></ul>
<h2>Personal data</h2>
<p>Public profiles are personal data. You decide what you collect and why, so you have the legal duties that come with it. See also <a href="/privacy">Privacy</a>.</p>
<h2>End</h2>
<p>You can leave a workspace, and an owner can delete it, at any time: see <a href="/privacy">Privacy</a>. The operator may block access that endangers the service or other people.</p>
<p>Questions: ${ask(operator)}.</p></article>`;
  return publicPage('Terms', content);
}

function runBy({ name }: Operator): Piece {
  return name
    ? html`This server is run by <b>${name}</b>.`
    : html`This server is run by the person or organization that gave you its address.`;
}

function ask({ email }: Operator): Piece {
  return email
    ? html`write to <a href="mailto:${email}">${email}</a>`
    : html`ask the person or organization that gave you the address of this server`;
}
