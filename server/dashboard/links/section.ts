import { html } from 'hono/html';
import {
  addDataLink,
  dataLinkLabel,
  type ListedDataLink,
  linkReads,
  listDataLinks,
  maxDataLinks,
  replaceDataLinkSecret,
  revokeDataLink,
} from '../../../db/deliveries/data-links.ts';
import { linkFormats, linkFormula, linkUrl } from '../../../pipeline/links/addresses.ts';
import { LinkInputError, readLinkInput, resolveAddresses } from '../../../pipeline/links/input.ts';
import { quantity } from '../../../pipeline/quantity.ts';
import type { Html } from '../../docs/layout.ts';
import { reachOf } from '../addon/reach.ts';
import type { SectionDeps } from '../deps.ts';
import {
  card,
  code,
  controlsColumn,
  count,
  notice,
  type Piece,
  success,
  table,
  tag,
  time,
  titleColumn,
} from '../ui/components.ts';
import { at, type Problem } from '../ui/forms/field-problem.ts';
import { linksOf } from '../ui/forms/followed-links.ts';
import { listWithForm } from '../ui/parts/blocks.ts';
import { whoCan } from '../ui/rules.ts';
import {
  type FormVisit,
  idOf,
  type Page,
  PageNotFound,
  redirect,
  type Section,
  text,
  type Visit,
} from '../ui/section.ts';
import { validityOf } from '../ui/validity.ts';
import { type ContentChoice, contentLabel, linkChoices } from './choices.ts';
import { linkInputOf, newLinkForm } from './new.ts';

type LinksDeps = Pick<SectionDeps, 'db' | 'now' | 'base_url' | 'links'>;

const area = '/dashboard/links';

/**
 * Creates the pages of data links. A user creates a link, sees its URL once, and can replace its secret or revoke the
 * link.
 */
export function linksSection(deps: LinksDeps): Section {
  const labelOf = ({ params, visitor }: Visit) =>
    dataLinkLabel(deps.db.sql, visitor.workspace_id, idOf(params.link_id));
  return {
    menu: { path: area, label: 'Data links' },
    pages: { [area]: (visit) => linksPage(visit, deps, null) },
    forms: {
      [area]: (visit) => create(visit, deps),
      [`${area}/:link_id/replace`]: (visit) => replace(visit, deps),
      [`${area}/:link_id/revoke`]: (visit) => revoke(visit, deps),
    },
    audits: {
      [area]: { action: 'created a data link', subject: ({ form }) => text(form, 'label') },
      [`${area}/:link_id/replace`]: { action: 'replaced the address of a data link', subject: labelOf },
      [`${area}/:link_id/revoke`]: { action: 'revoked a data link', subject: labelOf },
    },
    once: {
      [area]: area,
      [`${area}/:link_id/replace`]: area,
    },
    notices: { 'link-revoked': 'Data link revoked. It no longer works.' },
  };
}

async function linksPage(
  visit: Visit | FormVisit,
  { db, now, base_url }: LinksDeps,
  problem: Problem | null,
): Promise<Page> {
  const { workspace_id } = visit.visitor;
  const [links, choices] = await Promise.all([
    listDataLinks(db.sql, workspace_id, now()),
    linkChoices(db.sql, workspace_id),
  ]);
  const typed = 'form' in visit ? visit.form : new FormData();
  const shows = text(typed, 'shows') || (visit.url.searchParams.get('show') ?? '');
  const list =
    links.length === 0
      ? html`<p>No data links yet. ${whoCan(visit.visitor, area, 'Create one below.', 'create data links')}</p>`
      : linkTable(links, choices, now());
  const add = {
    label: 'New data link',
    form: newLinkForm(area, choices, shows, typed),
    entries: links.length,
    is_open: problem !== null || shows !== '',
  };
  const content = html`<p>A data link is a secret address from which a program reads one table, again and again and without signing in: ${programs(base_url)}. <a href="/docs/data-links">How to use it</a></p>
<p>To show a report to a person, use a share link on the page of the <a href="/dashboard/campaigns">campaign</a> instead. To have numbers written into your own Google spreadsheet, use a <a href="/dashboard/imports">sheet import</a>.</p>
<p>Data links are free, unless you choose to fetch new values: then the link spends your credits, up to its own monthly cap.</p>
${isReachableByGoogle(base_url) ? null : noGoogle}
${notice(problem, 'bad')}
${listWithForm(card('Your data links', list), add)}`;
  return { title: 'Data links', content, status: problem ? 400 : 200 };
}

/** Says why Google Sheets cannot read the data links of a server without a public https address. */
const noGoogle = html`<p class="notice warn">Google Sheets cannot read data links of this server, because Google cannot use its address. Excel and other programs that reach this server can.</p>`;

const isReachableByGoogle = (baseUrl: string) => reachOf(baseUrl) === 'public';

const programs = (baseUrl: string) =>
  isReachableByGoogle(baseUrl) ? 'Google Sheets, Excel, Looker Studio and others' : 'Excel and other programs';

function linkTable(links: readonly ListedDataLink[], choices: readonly ContentChoice[], now: Date): Piece {
  const columns = [
    titleColumn('Name'),
    'Status',
    'New values',
    { heading: 'Last read', time: true },
    { heading: 'Expires', time: true },
    controlsColumn,
  ];
  const rows = links.map((link) => {
    const state = validityOf(link, now);
    return [
      html`${link.label}<small>${contentLabel(link.content, choices)}</small>`,
      state !== 'active' ? tag(state) : link.content_deleted ? tag('data was deleted', 'warn') : tag(state, 'good'),
      link.refresh === null
        ? 'never (free)'
        : html`when older than ${ageText(link.refresh)}<small>${count(link.cap_used)} of ${count(link.monthly_cap)} credits this month</small>`,
      html`${link.last_read_at ? time(link.last_read_at) : 'never'}<small>${quantity(link.reads, 'read')}</small>`,
      html`${link.expires_at ? time(link.expires_at) : 'never'}<small>created ${time(link.created_at)}</small>`,
      state === 'active' ? linkActions(link) : null,
    ];
  });
  return table('Data links of this workspace', columns, rows, { as_cards: true });
}

function ageText(age: string): string {
  const days = Number.parseInt(age, 10);
  return days === 1 ? '1 day' : `${days} days`;
}

function linkActions({ link_id, label }: ListedDataLink): Piece {
  const path = `${area}/${link_id}`;
  return html`<details><summary>Change<span class="hidden"> ${label}</span></summary>
<form method="post" action="${path}/replace" data-confirm="Make a new address for ${label}? The old address stops working immediately."><button class="quiet">New address</button></form>
<form method="post" action="${path}/revoke" data-confirm="Revoke ${label}? Everything that reads it stops working immediately."><button class="danger">Revoke data link</button></form></details>`;
}

async function create(visit: FormVisit, deps: LinksDeps): Promise<Page> {
  const { db, now, base_url } = deps;
  try {
    const typed = linkInputOf(visit.form);
    const input = readLinkInput(
      { ...typed, urls: await resolveAddresses(typed.urls, linksOf(visit.visitor, deps)) },
      now(),
    );
    const added = await addDataLink(db.sql, visit.visitor.workspace_id, input, now());
    if (added.token !== null) return { title: 'Your new data link', content: newLinkContent(base_url, added.token) };
    const problems = {
      full: `A workspace can have ${maxDataLinks} active data links. Revoke one first.`,
      unknown:
        'This workspace does not have the data that the link should show, or no finished report of that week. Choose other data.',
    };
    return linksPage(visit, deps, problems[added.reason]);
  } catch (error) {
    if (error instanceof LinkInputError) return linksPage(visit, deps, at(error.field, error.message));
    throw error;
  }
}

async function replace({ params, visitor }: FormVisit, { db, now, base_url }: LinksDeps): Promise<Page> {
  const replaced = await replaceDataLinkSecret(db.sql, visitor.workspace_id, idOf(params.link_id), now());
  if (!replaced) throw new PageNotFound();
  return { title: `New address of ${replaced.label}`, content: newLinkContent(base_url, replaced.token) };
}

async function revoke({ params, visitor }: FormVisit, { db, now }: LinksDeps): Promise<Response> {
  const { workspace_id } = visitor;
  if (!(await revokeDataLink(db.sql, { workspace_id, link_id: idOf(params.link_id) }, now()))) throw new PageNotFound();
  return redirect(area, 'link-revoked');
}

const formatLabels = {
  csv: 'Address for Excel (From web), Looker Studio, Airtable, pandas and R',
  json: 'Address of the same table as JSON',
  xlsx: 'Address of the same table as an Excel file',
} as const;

/**
 * Returns the page content with the URLs of a new data link. Contains the formula for Google Sheets only when Google
 * can read the link.
 */
function newLinkContent(baseUrl: string, token: string): Html | Promise<Html> {
  const addresses = linkFormats.map((format) =>
    code(`link-${format}`, formatLabels[format], linkUrl(baseUrl, token, format)),
  );
  return html`${success('Copy the address now. You will not see it again. Everyone who has it can read the table.')}
${isReachableByGoogle(baseUrl) ? code('link-formula', 'Formula for Google Sheets', linkFormula(baseUrl, token)) : noGoogle}
${addresses}
<p>Each link can be read ${linkReads.limit} times an hour. <a href="/docs/data-links">How to use it in each program</a> · <a href="${area}">Back to data links</a></p>`;
}
