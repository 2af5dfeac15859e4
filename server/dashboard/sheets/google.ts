import { html } from 'hono/html';
import { permissionTab } from '../../../pipeline/sheets/permission-tab.ts';
import { reachOf } from '../addon/reach.ts';
import type { SheetsDeps } from '../deps.ts';
import { type Piece, tag } from '../ui/components.ts';

/**
 * Returns the two steps after which the server may use a user's spreadsheet. When the server has no Google service
 * account, returns a text that says so and names the ways that work on this server.
 */
export function sharingHint({ config, base_url }: Pick<SheetsDeps, 'config' | 'base_url'>, workspaceId: string): Piece {
  if (config.sheets_account === null) {
    const cause =
      'This server cannot write to Google Sheets yet: your Tidemark administrator must add a Google service account.';
    return html`<p class="notice warn">${cause} <a href="/docs/sheets-push#set-up-once-administrator">How to set it up</a>. ${otherWays(base_url)}</p>`;
  }
  return html`<p>First, in your spreadsheet:</p><ol>
<li>Share it with this account as an editor: ${copied('sheets-account', config.sheets_account)}</li>
<li>Add an empty tab with this name: ${copied('sheets-permission', permissionTab(workspaceId))}. You can hide it. This tab proves that an editor of the file allows this workspace to read it and write into it.</li></ol>`;
}

/** Names the ways to get data into a spreadsheet that need no Google service account and work on this server. */
function otherWays(baseUrl: string): Piece {
  if (reachOf(baseUrl) === 'public')
    return html`Until then, use <a href="/addon#copy">the add-on</a> or <a href="/dashboard/links">a data link</a>.`;
  return html`Until then, use Excel: <a href="/addon#excel">the Excel workbook</a>, or <a href="/dashboard/links">a data link</a>. The add-on and data links do not work in Google Sheets here, because Google cannot use the address of this server.`;
}

const copied = (id: string, text: string): Piece =>
  html`<code id="${id}">${text}</code> <button type="button" class="link" data-copy="${id}">Copy</button>`;

const outcomeLabels: Readonly<Record<string, string>> = {
  OK: 'done',
  CANCELLED: 'cancelled',
  NOT_SHARED: 'not shared with the service account',
  NOT_ALLOWED: 'the tab tidemark-… is missing: add it',
  SHEET_NOT_FOUND: 'spreadsheet not found',
  TAB_NOT_FOUND: 'tab not found',
  NO_ADDRESSES: 'no links',
  TOO_MANY_ROWS: 'too many links or rows',
  OTHER_TABLE: 'the cells have other content',
  SHEET_CHANGED: 'the sheet was changed during the run',
  REFUSED: 'refused by Google',
  NOT_CONFIGURED: 'not set up on this server',
  NO_ANSWER: 'Google did not answer for a day',
  TRY_AGAIN: 'Google did not answer; we will try again',
  INTERNAL: 'failed on our side',
};

/**
 * Returns a label for the result of reading or writing a spreadsheet, with the sentence that says what the user can do.
 */
export function outcomeTag(outcome: string, message: string | null): Piece {
  const label = outcomeLabels[outcome] ?? outcome;
  const tone = outcome === 'OK' ? 'good' : outcome === 'TRY_AGAIN' || outcome === 'CANCELLED' ? 'warn' : 'bad';
  return html`${tag(label, tone)}${message ? html` <small>${message}</small>` : null}`;
}

/** Returns a link to a spreadsheet. */
export function sheetLink(spreadsheetId: string, label: string): Piece {
  return html`<a href="https://docs.google.com/spreadsheets/d/${spreadsheetId}" rel="noopener noreferrer">${label}</a>`;
}
