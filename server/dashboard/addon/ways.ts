import { html, raw } from 'hono/html';
import { field, form, notice, type Piece, tag } from '../ui/components.ts';
import type { Reach } from './reach.ts';

/** The monthly cap, in credits, that the form for a new sheet key suggests. */
const suggestedCap = 500;

export type WayId = 'link' | 'copy' | 'excel' | 'push' | 'clasp' | 'listing';

interface Way {
  id: WayId;
  name: string;
  takes: string;
  gives: string;
  /** Says how well this way to get data into a spreadsheet works, depending on who can reach the server. */
  works: Record<Reach, Works>;
}

type Works = 'yes' | 'not in Google' | 'not set up' | 'no';

/** Facts about this server that decide which ways to get data into a spreadsheet work. */
interface Here {
  reach: Reach;
  /** Email of the Google service account of this server. Null when none is configured. */
  sheets_account: string | null;
}

const needsGoogle: Way['works'] = { public: 'yes', insecure: 'no', private: 'no' };
const needsNothing: Way['works'] = { public: 'yes', insecure: 'yes', private: 'yes' };

const ways: readonly Way[] = [
  {
    id: 'link',
    name: 'Secret data link',
    takes: 'about 2 minutes',
    gives: 'A list, bulk analysis or report that updates itself. No script, no API key in the spreadsheet.',
    works: { public: 'yes', insecure: 'not in Google', private: 'not in Google' },
  },
  {
    id: 'copy',
    name: 'Add-on in one spreadsheet',
    takes: 'about 10 minutes the first time',
    gives: 'Formulas, sidebar, imports and schedules. Copy and paste, no terminal.',
    works: needsGoogle,
  },
  {
    id: 'excel',
    name: 'Excel workbook',
    takes: 'about 5 minutes the first time',
    gives: 'A ready file: paste profile links, refresh, read the numbers.',
    works: needsNothing,
  },
  {
    id: 'push',
    name: 'Write to Google Sheets',
    takes: 'about 5 minutes',
    gives:
      'This server runs sheet imports, and writes lists and reports into your spreadsheet. No add-on, no public address.',
    works: needsNothing,
  },
  {
    id: 'clasp',
    name: 'For administrators: upload with clasp',
    takes: 'about 30 minutes the first time',
    gives: 'The same add-on, for developers who update several script projects.',
    works: needsGoogle,
  },
  {
    id: 'listing',
    name: 'For administrators: your own Marketplace listing',
    takes: 'about 1 hour',
    gives: 'The add-on for everyone in your organization, installed by your Google administrator.',
    works: needsGoogle,
  },
];

const labels: Record<Works, Piece> = {
  yes: tag('works here', 'good'),
  'not in Google': tag('works in Excel, not in Google Sheets', 'warn'),
  'not set up': tag('your Tidemark administrator must set it up first', 'warn'),
  no: tag('needs a public https address', 'warn'),
};

/**
 * Returns how well a way to get data into a spreadsheet works with this server. The server can write to Google Sheets
 * only with a Google service account.
 */
function works(way: Way, { reach, sheets_account }: Here): Works {
  return way.id === 'push' && sheets_account === null ? 'not set up' : way.works[reach];
}

/**
 * Returns the ways to get data into a spreadsheet in the order of the page: the ones that work on this server come
 * first.
 */
export function orderedWays(here: Here): readonly Way[] {
  const order: readonly Works[] = ['yes', 'not in Google', 'not set up', 'no'];
  return ways.toSorted((a, b) => order.indexOf(works(a, here)) - order.indexOf(works(b, here)));
}

/**
 * Returns the start of the add-on page: one sentence about what works on this server, and a list of all ways to get
 * data into a spreadsheet.
 */
export function waysContent(here: Here, baseUrl: string): Piece {
  const items = orderedWays(here).map((one) => {
    const { id, name, takes, gives } = one;
    return html`<li><a href="#${id}">${name}</a> <span class="hint">${takes}</span><p>${gives}</p>${labels[works(one, here)]}</li>`;
  });
  return html`${reachNotice(here, baseUrl)}<ul class="ways">${items}</ul>`;
}

function reachNotice({ reach, sheets_account }: Here, baseUrl: string): Piece {
  if (reach === 'public') {
    const which = sheets_account === null ? 'the ways marked “works here” work' : 'every way below works';
    return notice(`This server has a public https address, so ${which}.`, 'good');
  }
  const now =
    sheets_account === null
      ? 'The Excel workbook works now.'
      : 'The Excel workbook works now, and this server can write to Google Sheets.';
  const cause =
    reach === 'private'
      ? html`This server is at <code>${baseUrl}</code>, which only this computer or its network can reach. Google’s computers cannot.`
      : html`The address of this server, <code>${baseUrl}</code>, begins with <code>http://</code>. Google lets an add-on call only <code>https://</code> addresses.`;
  return html`<p class="notice warn">${cause} ${now} For formulas in Google Sheets, ask your Tidemark administrator for <a href="/docs/addon-admin#a-public-address">a public https address</a>.</p>`;
}

/** Returns a warning that Google cannot reach this server. Returns null when the server has a public https address. */
export function needsAddress(reach: Reach): Piece {
  if (reach === 'public') return null;
  return html`<p class="notice warn">Google cannot reach this server yet, so formulas would show SERVER_UNREACHABLE. The files below are built for the present address: copy them again after it has changed.</p>`;
}

/** Heading and text of the page section about one way to get data into a spreadsheet. */
export interface WayContent {
  heading: string;
  content: Piece;
}

/**
 * Returns the collapsible page section about one way to get data into a spreadsheet. `open` is true when the section is
 * expanded at first. The id is inside the collapsible part, so that a link to the id expands the section.
 */
export function way(id: WayId, { heading, content }: WayContent, open: boolean): Piece {
  return html`<details class="card way"${raw(open ? ' open' : '')}><summary><h2>${heading}</h2></summary><div id="${id}">${content}</div></details>`;
}

/**
 * Returns true when a way to get data into a spreadsheet works with this server. Also returns true when the way works
 * everywhere except in Google Sheets.
 */
export function worksHere(id: WayId, here: Here): boolean {
  return ways.some((one) => one.id === id && ['yes', 'not in Google'].includes(works(one, here)));
}

/**
 * Returns the form that creates an API key for spreadsheets. `name` is the name of the form field for the key's monthly
 * cap.
 */
export function capForm(action: string, name: string, button: string): Piece {
  const cap = { type: 'number', min: '1', value: String(suggestedCap), required: true };
  return html`<div class="cap">${form(action, field('Monthly cap in credits', name, cap), button)}</div>`;
}
