import { html } from 'hono/html';
import { addAudit } from '../../../db/accounts/audit.ts';
import { type AdminRow, adminPageSize, searchWorkspaces } from '../../../db/accounts/operators.ts';
import { listColleagues } from '../../../db/accounts/team.ts';
import { findWorkspace, setTier } from '../../../db/accounts/workspaces.ts';
import { dayMs } from '../../../db/durations.ts';
import { moveCredits } from '../../../db/money/ledger.ts';
import { isTier } from '../../../db/tier.ts';
import { tiers } from '../../../pipeline/tiers.ts';
import type { SectionDeps } from '../deps.ts';
import { roleNames } from '../people/roles.ts';
import { card, count, field, form, notice, type Piece, select, table, time, titleColumn } from '../ui/components.ts';
import { at, type Problem } from '../ui/forms/field-problem.ts';
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

import { galleryPage, galleryPath } from './gallery.ts';

const area = '/dashboard/admin';
const one = `${area}/:workspace_id`;
const daysShown = 30;
const maxGrant = 1_000_000_000;
const maxReason = 200;

type AdminDeps = Pick<SectionDeps, 'db' | 'now'>;

/** Creates the pages for the operators of this server: all workspaces, their tiers and credits. */
export function adminSection(deps: AdminDeps): Section {
  return {
    menu: { path: area, label: 'Admin' },
    pages: {
      [area]: (visit) => listPage(visit, deps),
      [galleryPath]: galleryPage,
      [one]: (visit) => workspacePage(visit, deps, null),
    },
    forms: {
      [`${one}/tier`]: (visit) => changeTier(visit, deps),
      [`${one}/credits`]: (visit) => grantCredits(visit, deps),
    },
    once: { [`${one}/credits`]: one },
    notices: {
      'tier-set': 'Tier changed.',
      'credits-granted': 'Credits changed. The workspace sees it in its ledger.',
    },
  };
}

async function listPage({ url }: Visit, { db, now }: AdminDeps): Promise<Page> {
  const search = (url.searchParams.get('q') ?? '').slice(0, 100);
  const page = Math.min(Math.max(Math.trunc(Number(url.searchParams.get('page'))) || 1, 1), 100_000);
  const since = new Date(now().getTime() - daysShown * dayMs);
  const { rows, total } = await searchWorkspaces(db.sql, { search, page, since });
  const find = html`<form method="get" action="${area}" class="row filter">${field('Search', 'q', { value: search, hint: 'Name, email of a member, or workspace ID.' })}<button class="quiet">Search</button></form>`;
  const found = rows.length === 0 ? html`<p>No workspace matches.</p>` : workspaceTable(rows);
  const content = html`${card('Workspaces', [find, found, pages(search, page, total)])}
<p>Health of the sources: <a href="/status">status</a>. All commands: <code>npm run operator -- --help</code> · <a href="${galleryPath}">Design system</a></p>`;
  return { title: 'Admin', content };
}

function workspaceTable(rows: readonly AdminRow[]): Piece {
  const number = (heading: string) => ({ heading, number: true });
  const columns = [
    titleColumn('Workspace'),
    { heading: 'Tier', long: true },
    number('Credits'),
    number('People'),
    number('Tracked'),
    number('Requests'),
    number('Spent'),
    { heading: 'Last key use', time: true },
  ];
  const cells = rows.map((row) => [
    html`<a href="${area}/${row.workspace_id}">${row.name}</a><small>${row.owner ?? 'no owner'}</small>`,
    isTier(row.tier) ? tiers[row.tier].name : row.tier,
    count(row.balance),
    count(row.people),
    count(row.tracked_items),
    count(row.requests),
    count(row.credits),
    time(row.last_used_at),
  ]);
  return table(`Workspaces, newest first. Requests and spent credits: last ${daysShown} days`, columns, cells, {
    as_cards: true,
  });
}

function pages(search: string, page: number, total: number): Piece {
  const link = (to: number, label: string) =>
    html` <a href="${area}?q=${encodeURIComponent(search)}&amp;page=${to}">${label}</a>`;
  if (total === 0) return null;
  const first = (page - 1) * adminPageSize + 1;
  return html`<p>${count(first)} to ${count(Math.min(page * adminPageSize, total))} of ${count(total)}.${page > 1 ? link(page - 1, 'Newer') : null}${page * adminPageSize < total ? link(page + 1, 'Older') : null}</p>`;
}

async function workspacePage(visit: Visit | FormVisit, { db }: AdminDeps, problem: Problem | null): Promise<Page> {
  const workspaceId = idOf(visit.params.workspace_id);
  const typed = 'form' in visit ? visit.form : new FormData();
  const [workspace, people] = await Promise.all([
    findWorkspace(db.sql, workspaceId),
    listColleagues(db.sql, workspaceId),
  ]);
  if (!workspace) throw new PageNotFound();
  const path = `${area}/${workspaceId}`;
  const choices = Object.entries(tiers).map(([tier, { name }]): [string, string] => [tier, name]);
  const rows = people.map(({ name, email, role, last_used_at }) => [
    html`${name}<small>${email}</small>`,
    roleNames[role],
    time(last_used_at),
  ]);
  const content = html`${notice(problem, 'bad')}<p>Workspace ID <code>${workspaceId}</code>, created ${time(workspace.created_at)}.</p>
<div class="columns">${card('Tier', form(`${path}/tier`, select('Tier', 'tier', choices, { value: workspace.tier }), 'Set tier'))}
${card(`Credits: ${count(workspace.balance)}`, form(`${path}/credits`, [field('Credits to add', 'credits', { type: 'number', required: true, value: text(typed, 'credits'), hint: 'A negative number takes credits away.' }), field('Reason', 'reason', { required: true, maxlength: maxReason, value: text(typed, 'reason'), hint: 'The workspace sees it in its ledger.' })], 'Change credits'))}</div>
${card('People', table('People of the workspace', [titleColumn('Name'), 'Role', { heading: 'Last active', time: true }], rows, { as_cards: true }))}
<p><a href="${area}">All workspaces</a></p>`;
  return { title: workspace.name, content, status: problem ? 400 : 200 };
}

async function changeTier(visit: FormVisit, deps: AdminDeps): Promise<Page | Response> {
  const workspaceId = idOf(visit.params.workspace_id);
  const tier = text(visit.form, 'tier');
  if (!isTier(tier)) return workspacePage(visit, deps, 'Choose a tier.');
  if (!(await setTier(deps.db.sql, workspaceId, tier))) throw new PageNotFound();
  await record(visit, deps, workspaceId, 'set the tier', tiers[tier].name);
  return redirect(`${area}/${workspaceId}`, 'tier-set');
}

async function grantCredits(visit: FormVisit, deps: AdminDeps): Promise<Page | Response> {
  const workspaceId = idOf(visit.params.workspace_id);
  const [credits, reason] = [Number(text(visit.form, 'credits')), text(visit.form, 'reason').slice(0, maxReason)];
  if (!Number.isSafeInteger(credits) || credits === 0 || Math.abs(credits) > maxGrant) {
    const message = `Enter a whole number of credits up to ${count(maxGrant)}, not 0.`;
    return workspacePage(visit, deps, at('credits', message));
  }
  if (reason === '') return workspacePage(visit, deps, at('reason', 'Enter a reason.'));
  const balance = await moveCredits(deps.db.sql, workspaceId, { kind: 'adjustment', credits, reason });
  if (balance === null)
    return workspacePage(visit, deps, at('credits', 'Nothing was changed: the balance cannot fall below 0.'));
  await record(visit, deps, workspaceId, 'changed the credits', `${credits}: ${reason}`);
  return redirect(`${area}/${workspaceId}`, 'credits-granted');
}

/** Writes an administrator's change to the audit log of the workspace that was changed. */
function record(
  { visitor, address }: FormVisit,
  { db, now }: AdminDeps,
  workspaceId: string,
  action: string,
  subject: string,
): Promise<void> {
  return addAudit(db.sql, workspaceId, { actor: `${visitor.email} (operator)`, action, subject, address }, now());
}
