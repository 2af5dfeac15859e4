import { html } from 'hono/html';
import { excelWorkbook } from '../../addon/workbook.ts';
import { attachmentResponse } from '../../http/attachment.ts';
import type { SectionDeps } from '../deps.ts';
import { addKey } from '../settings/new-key.ts';
import { at } from '../ui/forms/field-problem.ts';
import { type FormVisit, type Page, type Section, text } from '../ui/section.ts';
import type { Visitor } from '../ui/visitor.ts';
import { copyPasteContent } from './copy-paste.ts';
import { claspContent, excelContent, linkContent, listingContent, pushContent } from './more-ways.ts';
import { reachOf } from './reach.ts';
import { orderedWays, type WayContent, type WayId, way, waysContent, worksHere } from './ways.ts';

type AddonDeps = Pick<SectionDeps, 'db' | 'now' | 'base_url' | 'config' | 'mail' | 'on_error'>;

/**
 * Creates the page that shows every way to get data into a spreadsheet. Everyone may open the page. Only creating an
 * API key needs a sign-in.
 */
export function addonSection(deps: AddonDeps): Section {
  const audit = (name: string) => ({ action: 'created a key', subject: () => name });
  return {
    menu: { path: '/addon', label: 'Get the add-on' },
    pages: {},
    open_pages: { '/addon': async (visitor) => addonPage({ visitor }, deps) },
    forms: {
      '/addon/key': (visit) => makeKey(visit, deps),
      '/addon/excel': (visit) => makeWorkbook(visit, deps),
    },
    once: { '/addon/key': '/dashboard/keys', '/addon/excel': '/dashboard/keys' },
    audits: { '/addon/key': audit(keyNames.sheets), '/addon/excel': audit(keyNames.excel) },
  };
}

const keyNames = { sheets: 'Google Sheets', excel: 'Excel' };

interface Shown {
  visitor: Visitor | null;
  key?: string;
  /**
   * The reason why no API key was created. `form` is the name of the monthly cap's field, which differs between the two
   * forms of the page.
   */
  problem?: { form: 'cap' | 'file_cap'; text: string };
}

function addonPage({ visitor, key, problem }: Shown, { base_url, config }: AddonDeps): Page {
  const reach = reachOf(base_url);
  const here = { reach, sheets_account: config.sheets_account };
  const problemOf = (form: 'cap' | 'file_cap') => (problem?.form === form ? at(form, problem.text) : null);
  const sections: Record<WayId, WayContent> = {
    link: linkContent(reach),
    copy: copyPasteContent(reach, { visitor, key: key ?? null, problem: problemOf('cap') }),
    excel: excelContent(visitor, problemOf('file_cap')),
    push: pushContent(config.sheets_account),
    clasp: claspContent(reach, base_url),
    listing: listingContent(base_url),
  };
  // Expands the copy-and-paste section when it contains a new API key, which is shown only once, or the reason why a
  // monthly cap was refused.
  const isAboutKey = key !== undefined || problem?.form === 'cap';
  const content = html`<p class="lead">Public numbers from Instagram, TikTok and YouTube, in the spreadsheet you already use.</p>
${waysContent(here, base_url)}
${orderedWays(here).map(({ id }) => way(id, sections[id], worksHere(id, here) || (id === 'copy' && isAboutKey)))}
${visitor ? html`<p class="hint"><a href="/privacy">Privacy</a> · <a href="/terms">Terms</a></p>` : null}`;
  return { title: 'Get the add-on', content, status: problem ? 400 : 200 };
}

async function makeKey({ form, visitor }: FormVisit, deps: AddonDeps): Promise<Page> {
  const made = await sheetKey(visitor, keyNames.sheets, text(form, 'cap'), deps);
  return 'problem' in made
    ? addonPage({ visitor, problem: { form: 'cap', text: made.problem } }, deps)
    : addonPage({ visitor, key: made.key }, deps);
}

async function makeWorkbook({ form, visitor }: FormVisit, deps: AddonDeps): Promise<Page | Response> {
  const made = await sheetKey(visitor, keyNames.excel, text(form, 'file_cap'), deps);
  if ('problem' in made) return addonPage({ visitor, problem: { form: 'file_cap', text: made.problem } }, deps);
  return attachmentResponse('Tidemark', 'xlsx', excelWorkbook(deps.base_url, made.key));
}

/**
 * Creates an API key for spreadsheets with a monthly cap in credits, and informs every member of the workspace by
 * email.
 */
async function sheetKey(
  visitor: Visitor,
  name: string,
  cap: string,
  deps: AddonDeps,
): Promise<{ key: string } | { problem: string }> {
  if (!/^[1-9]\d{0,8}$/.test(cap)) return { problem: 'The monthly cap must be a whole number of credits, at least 1.' };
  const input = {
    kind: 'sheet' as const,
    name,
    expires_at: null,
    monthly_cap: Number(cap),
    scopes: null,
    networks: null,
  };
  return addKey(visitor, input, deps);
}
