import { html } from 'hono/html';
import type { Html } from '../docs/layout.ts';
import type { Piece } from './ui/components.ts';
import { publicPage } from './ui/layout.ts';

/**
 * The person or company that runs this server, as shown on the privacy and terms pages. A value that is not configured
 * is null.
 */
export interface Operator {
  name: string | null;
  email: string | null;
}

const stored: readonly (readonly [what: string, why: string, howLong: string])[] = [
  [
    'Name, email address and password of an account; the password only as a hash',
    'sign-in',
    'until you delete the account',
  ],
  ['Sessions: network address and device', 'sign-in, and a list of your sessions', '30 days after the last use'],
  ['API keys and secret links, only as hashes', 'to recognize requests', 'until you delete the account'],
  [
    'Profile and post links that you track or upload, and the public numbers of each check',
    'reports and history',
    'numbers of checks 365 days; the rest until you delete it',
  ],
  ['Charges, with the route and time of each request', 'the credit ledger', 'until you delete the account'],
  ['Audit log: who changed what, network address and device', 'security of the workspace', '365 days'],
  ['Answers of the platforms: public profiles and posts', 'so that a repeated request costs nothing', 'up to 30 days'],
];

const addonData: readonly string[] = [
  'It reads only the spreadsheet in which you use it, and of that only the cells that you select or name in a formula.',
  'It sends the profile links in these cells, and your API key, to this server and to no other.',
  'It writes the public numbers it receives into the spreadsheet.',
  'Your key stays in your Google account or in the spreadsheet, wherever you saved it. Disconnect it in the sidebar at any time.',
  'It uses no Google user data for advertising, does not sell it, and no person reads it. Its use of information received from Google APIs adheres to the Google API Services User Data Policy, including the Limited Use requirements.',
];

/** Returns the privacy page: what this server and its add-on store, and for how long. */
export function privacyPage(operator: Operator): Html | Promise<Html> {
  const content = html`<article class="legal"><h1>Privacy</h1>
<p>This server runs Tidemark, a service for public social data. ${runBy(operator)}</p>
<h2>What the server stores</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Stored data"><table><thead><tr><th scope="col">Data</th><th scope="col">For</th><th scope="col">How long</th></tr></thead>
<tbody>${stored.map(([what, why, howLong]) => html`<tr><td>${what}</td><td>${why}</td><td>${howLong}</td></tr>`)}</tbody></table></div>
<p>The server’s log has the time, route and outcome of each request, but no keys, passwords or contents. Backups and logs are kept as long as the operator decides.</p>
<h2>What the spreadsheet add-on does</h2>
<ul>${addonData.map((sentence) => html`<li>${sentence}</li>`)}</ul>
<h2>Who receives data</h2>
<p>To answer a request, the server asks the platform (Instagram, TikTok or YouTube) for the public page that you named. The platform sees the server, not you. If you buy credits online, Stripe handles the payment; card numbers never reach this server. If you ask for it, the server writes reports to the spreadsheet or web address that you named.</p>
<h2>Cookies</h2><p>One cookie, for the sign-in. No tracking and no advertising.</p>
<h2>Your data</h2>
<p>Download all data of your workspace, or delete your account with its data, under <a href="/dashboard/settings">Settings</a>. For everything else, ${ask(operator)}. If the public data of your own profile should not be processed here, ask there too.</p></article>`;
  return publicPage('Privacy', content);
}

/** Returns the terms page. */
export function termsPage(operator: Operator): Html | Promise<Html> {
  const content = html`<article class="legal"><h1>Terms</h1>
<p>${runBy(operator)} By using it, you agree to the following.</p>
<h2>What you get</h2>
<p>Numbers and texts that platforms show to everyone, as they were at the time of the answer. They can be rounded, late or missing; answers say so where the platform does. The service is not connected with the platforms or with Google. It comes without a promise that a platform’s page stays available.</p>
<h2>Credits</h2>
<p>A successful new answer costs the credits on the <a href="/prices">price page</a>. Errors and cached answers cost nothing. Credits do not expire. Each charge is in your ledger.</p>
<h2>What you must not do</h2>
<ul><li>Use the data to harass, profile or discriminate against people, or against the law that applies to you.</li>
<li>Resell access to this server, or work around its limits.</li>
<li>Pass on keys of other people. You are responsible for the keys and links that you share.</li></ul>
<h2>Personal data</h2>
<p>Public profiles are personal data. You decide what you collect and why, so the duties of the law are yours. See also <a href="/privacy">Privacy</a>.</p>
<h2>End</h2>
<p>You can delete your account at any time. The operator may end access that endangers the service or other people.</p>
<p>Questions: ${ask(operator)}.</p></article>`;
  return publicPage('Terms', content);
}

function runBy({ name }: Operator): Piece {
  return name
    ? html`It is run by <b>${name}</b>.`
    : html`It is run by the person or organization that gave you its address.`;
}

function ask({ email }: Operator): Piece {
  return email
    ? html`write to <a href="mailto:${email}">${email}</a>`
    : html`ask the person or organization that gave you the address of this server`;
}
