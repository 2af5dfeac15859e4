import { html } from 'hono/html';
import { withNext } from '../account/sign-in-pages.ts';
import { code, notice } from '../ui/components.ts';
import type { Problem } from '../ui/forms/field-problem.ts';
import type { Visitor } from '../ui/visitor.ts';
import type { Reach } from './reach.ts';
import { capForm, type WayContent } from './ways.ts';

/** Returns the section of the add-on page about secret data links. */
export function linkContent(reach: Reach): WayContent {
  const paste =
    reach === 'public'
      ? html`Paste it into a cell of Google Sheets as <code>=IMPORTDATA("the link")</code>, or into Excel under <b>Data → From Web</b>.`
      : html`Paste it into Excel under <b>Data → From Web</b>. Google Sheets cannot reach this server yet.`;
  return {
    heading: 'Secret data link: no script at all',
    content: html`<ol><li>Choose a tracking list, a bulk analysis, a report or profiles, and create a link.</li><li>${paste}</li></ol>
<p>Looker Studio, Airtable, pandas and everything else that reads CSV can use it too. The link is a password for this one table. It never contains an API key, and you can revoke it.</p>
<p><a class="button" href="/dashboard/links">Create a link</a></p>`,
  };
}

/** Returns the section of the add-on page about the Excel workbook. */
export function excelContent(visitor: Visitor | null, problem: Problem | null): WayContent {
  const withKey = visitor
    ? html`<p>Or let us put a new sheet key into the file, so that you can skip step 2. <b>Everyone who gets this file can spend the key</b>, up to its monthly cap: the most credits that it can spend in a month. You can revoke it under <a href="/dashboard/keys">Keys</a>.</p>
${notice(problem, 'bad')}${capForm('/addon/excel', 'file_cap', 'Download with a new sheet key')}`
    : html`<p><a href="${withNext('/sign-up', '/addon#excel')}">Sign up</a> or <a href="${withNext('/sign-in', '/addon#excel')}">sign in</a> to download it with a sheet key already inside.</p>`;
  return {
    heading: 'Excel workbook',
    content: html`<ol><li>Download the file and open it in Excel for Windows. Choose <b>Enable editing</b> and <b>Enable content</b>.</li>
<li>On the sheet <i>Profiles</i>, paste a sheet key into B2.</li>
<li>Paste your profile links below <i>url</i>, and choose <b>Data → Refresh All</b>. The numbers are on the sheet <i>Result</i>.</li>
<li>Excel asks two things the first time: choose <b>Anonymous</b>, then <b>Organizational</b> for both. Excel sends your key only to this server.</li></ol>
<p><a class="button" href="/addon/Tidemark.xlsx" download>Download Tidemark.xlsx</a></p>
${withKey}
<p>For posts, tracked items and reports, use the <a href="/docs/excel">Power Query templates</a>. On a Mac, the workbook and the templates work only in some versions of Excel: <a href="/docs/excel#on-a-mac">check yours</a>. On every computer, you can download lists, bulk analyses and reports from the dashboard as Excel files.</p>`,
  };
}

/** Returns the section of the add-on page about spreadsheets that the server itself reads and writes. */
export function pushContent(account: string | null): WayContent {
  const share = account
    ? html`Share your spreadsheet with <code>${account}</code> as an editor.`
    : html`This server has no Google service account yet. Ask your Tidemark administrator to <a href="/docs/sheets-push#set-up-once-administrator">set one up</a>, then share your spreadsheet with it as an editor.`;
  return {
    heading: 'Write to Google Sheets',
    content: html`<ol><li>${share}</li><li>For the links in your spreadsheet, create a <a href="/dashboard/imports">sheet import</a>. For a report or list, open the <a href="/dashboard/campaigns">campaign</a> or <a href="/dashboard/tracking/lists">list</a>, and enter the link of the spreadsheet under <i>Write to Google Sheets</i>. The page names a tab to add, which shows that you may use the spreadsheet.</li></ol>
<p>This server writes by itself, even while the file is closed and this computer’s address is not public. <a href="/docs/sheets-push">More about it</a>.</p>`,
  };
}

/** Returns the section of the add-on page about uploading the add-on with clasp, for developers. */
export function claspContent(reach: Reach, baseUrl: string): WayContent {
  const origin = reach === 'public' ? baseUrl : 'https://social.example';
  const commands = `cd addon && npm install && npm run login\necho '{ "scriptId": "ID of your script project", "rootDir": "dist" }' > .clasp.json\ncd .. && npm run addon:push -- ${origin}`;
  return {
    heading: 'Upload with clasp, for developers',
    content: html`<p>In a checkout of Tidemark. clasp is Google’s upload tool (about 400 MB). <a href="/docs/addon#install-your-own-add-on">All steps</a>.</p>
${code('clasp-commands', 'Terminal', commands)}`,
  };
}

const scopes: readonly (readonly [scope: string, why: string])[] = [
  [
    'spreadsheets.currentonly',
    'Reads the profile links in the spreadsheet in which a person uses the add-on, and writes results into it. It cannot open other files.',
  ],
  ['script.container.ui', 'Shows the menu, dialogs and the sidebar.'],
  [
    'script.external_request',
    'Sends profile links to this server and receives the numbers. The manifest allows no other server.',
  ],
  ['script.scriptapp', 'Runs the schedule that a person sets up, and deletes it again.'],
];

/** Returns the section of the add-on page about an organization's own listing in the Google Workspace Marketplace. */
export function listingContent(baseUrl: string): WayContent {
  const address = (path: string) => html`<code>${baseUrl}${path}</code>`;
  return {
    heading: 'Your own Marketplace listing',
    content: html`<p>For everyone in a Google Workspace organization. A private listing needs no verification by Google and shows no warning.</p>
<ol><li>Make a standalone project at <a href="https://script.google.com">script.google.com</a> and put the three files into it, as above or with clasp.</li>
<li>In <a href="https://console.cloud.google.com">Google Cloud</a>, make a standard project. Enter its project number in the script’s <b>Project Settings</b>.</li>
<li>Under <b>Google Auth Platform</b>, choose the audience <b>Internal</b>. Enter the privacy page ${address('/privacy')} and the terms ${address('/terms')}, and the four scopes below.</li>
<li>In the script editor, choose <b>Deploy → New deployment → Add-on</b>. Note the version number.</li>
<li>Turn on the <b>Google Workspace Marketplace SDK</b>. Choose <b>Private</b>, an <b>Editor add-on for Sheets</b>, and enter the script ID, the version number and the same scopes.</li>
<li>Fill in the store listing: a name of at most 30 characters without “Google”, icons, and a help page (${address('/docs/addon')}). Publish it.</li>
<li>Your Google administrator installs it for everyone, and adds ${address('/')} to the allowed addresses if your organization limits them.</li></ol>
<h3>The scopes, with the text that Google asks for</h3>
<dl class="scopes">${scopes.map(([scope, why]) => html`<div><dt><code>https://www.googleapis.com/auth/${scope}</code></dt><dd>${why}</dd></div>`)}</dl>
<p>Consent, warnings, several accounts, shared drives: <a href="/docs/addon-admin">the guide for administrators</a>.</p>`,
  };
}
