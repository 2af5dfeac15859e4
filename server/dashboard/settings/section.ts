import { html } from 'hono/html';
import { readSignInMethods } from '../../../db/accounts/members.ts';
import { listSessions } from '../../../db/accounts/sessions.ts';
import { renameWorkspace } from '../../../db/accounts/workspaces.ts';
import {
  changeWorkSettings,
  readWorkSettings,
  refusedChange,
  type WorkSettings,
} from '../../../db/tracking/work-settings.ts';
import { isOneLine } from '../../../pipeline/parse/text.ts';
import type { SettingsDeps } from '../deps.ts';
import { card, count, field, form, notice, type Piece, tag } from '../ui/components.ts';
import { at } from '../ui/forms/field-problem.ts';
import { may } from '../ui/rules.ts';
import { type FormVisit, type Page, redirect, type Section, text, type Visit } from '../ui/section.ts';
import type { Visitor } from '../ui/visitor.ts';
import { accessAudits, accessForms, accessNotices, accessPieces } from './access.ts';
import { deleteConfirmed, deletePage } from './delete.ts';
import { exportDownload } from './export.ts';
import type { SettingsProblem, ShowSettings } from './problem.ts';
import { sessionsCard } from './sessions.ts';

const maxWorkspaceName = 80;

/** Creates the settings page: monthly cap, pause, workspace name, password, sessions, export and deletion. */
export function settingsSection(deps: SettingsDeps): Section {
  const show: ShowSettings = (visit, problem) => settingsPage(visit, deps, problem);
  return {
    menu: { path: '/dashboard/settings', label: 'Settings' },
    pages: {
      '/dashboard/settings': (visit) => show(visit, null),
      '/dashboard/settings/export': async (visit) => (await exportDownload(visit, deps)) ?? show(visit, tooManyExports),
      '/dashboard/settings/delete': (visit) => deletePage(visit, deps, null),
    },
    forms: {
      '/dashboard/settings/name': (visit) => rename(visit, deps, show),
      '/dashboard/settings/cap': (visit) => setCap(visit, deps, show),
      '/dashboard/settings/pause': (visit) => pause(visit, deps, true),
      '/dashboard/settings/resume': (visit) => pause(visit, deps, false),
      '/dashboard/settings/delete': (visit) => deleteConfirmed(visit, deps),
      ...accessForms(deps, show),
    },
    audits: {
      '/dashboard/settings/name': { action: 'renamed the workspace', subject: ({ form }) => text(form, 'name') },
      '/dashboard/settings/cap': {
        action: 'set the monthly cap',
        subject: ({ form }) => text(form, 'cap') || 'no cap',
      },
      '/dashboard/settings/pause': { action: 'paused checks, analyses and imports' },
      '/dashboard/settings/resume': { action: 'resumed checks, analyses and imports' },
      ...accessAudits,
    },
    notices: {
      'workspace-renamed': 'Workspace renamed.',
      'cap-set': 'Monthly cap saved.',
      'work-paused': 'Checks, analyses and imports are paused.',
      'work-resumed': 'Checks, analyses and imports are resumed.',
      ...accessNotices,
    },
  };
}

const tooManyExports: SettingsProblem = {
  card: 'data',
  message: 'Too many downloads. Try again in 1 hour.',
  status: 429,
};

async function settingsPage(visit: Visit, deps: SettingsDeps, problem: SettingsProblem | null): Promise<Page> {
  const { db, now, config } = deps;
  const { visitor } = visit;
  const [settings, access, sessions] = await Promise.all([
    readWorkSettings(db.sql, visitor.workspace_id, now()),
    readSignInMethods(db.sql, visitor.user_id),
    listSessions(db.sql, visitor.user_id, now()),
  ]);
  const problemOn = (name: SettingsProblem['card']) => notice(problem?.card === name ? problem.message : null, 'bad');
  const typed = (name: SettingsProblem['card']) => (problem?.card === name ? problem.typed : undefined);
  const content = html`<div class="columns">
${card('Monthly cap', [problemOn('cap'), ...capForm(settings, typed('cap'))])}
${card('Checks, analyses and imports', pauseForm(visitor.paused))}
</div>
<div class="columns">
${card('Workspace', [problemOn('name'), nameForm(typed('name') ?? visitor.workspace_name)])}
${card('Notifications and log', links(visitor))}
</div>
${accessPieces(visitor, access, config.mails, problemOn('access'))}
${sessionsCard(visitor.session_id, sessions)}
${card('Your data', [problemOn('data'), dataLinks(visitor)])}`;
  return { title: 'Settings', content, status: problem ? (problem.status ?? 400) : 200 };
}

function capForm(settings: WorkSettings | null, typed: string | undefined): Piece[] {
  const cap = settings?.monthly_cap ?? null;
  const used = settings?.cap_used ?? 0;
  const hint =
    'The most credits that tracking, bulk analyses and sheet imports together can spend in a month. Formulas, the API and data links can still spend: their keys and links have caps of their own. Resets on the 1st (UTC). Empty = no cap, 0 = none of these three spends anything.';
  const value = typed ?? (cap === null ? '' : String(cap));
  const reached = cap !== null && used >= cap;
  return [
    html`<p>Used this month: <b>${count(used)}</b> ${cap === null ? 'credits (no cap).' : `of ${count(cap)} credits.`} ${reached ? tag('cap reached', 'warn') : null}</p>`,
    form(
      '/dashboard/settings/cap',
      field('Monthly cap of checks, analyses and sheet imports, in credits', 'cap', {
        type: 'number',
        min: '0',
        value,
        hint,
      }),
      'Save cap',
    ),
  ];
}

function pauseForm(paused: boolean): Piece[] {
  const state = paused
    ? html`<p>${tag('paused', 'warn')} No checks, bulk analyses or sheet imports start until you resume.</p>`
    : html`<p>${tag('running', 'good')} Daily checks, bulk analyses and sheet imports run as planned.</p>`;
  const hint = html`<p>While they are paused, days are missing from your history. Formulas, the API, data links and weekly reports continue.</p>`;
  const button = paused
    ? form('/dashboard/settings/resume', null, 'Resume checks, analyses and imports')
    : form('/dashboard/settings/pause', null, 'Pause checks, analyses and imports', 'quiet');
  return [state, hint, button];
}

function nameForm(name: string): Piece {
  const hint = 'Shown on pages and in emails.';
  const value = field('Name', 'name', { value: name, required: true, maxlength: maxWorkspaceName, hint });
  return form('/dashboard/settings/name', value, 'Rename', 'quiet');
}

function links(visitor: Visitor): Piece {
  const audit = html`
<li><a href="/dashboard/settings/audit">Audit log</a>: sign-ins, and changes to keys and settings.</li>`;
  return html`<ul><li><a href="/dashboard/credits">Low-balance alert</a>: by email and webhook.</li>
<li><a href="/dashboard/settings/webhooks">Webhooks</a>: send checks, reports, finished bulk analyses and low balance to your servers.</li>${may(visitor, 'GET', '/dashboard/settings/audit') ? audit : null}</ul>`;
}

function dataLinks(visitor: Visitor): Piece {
  if (!may(visitor, 'GET', '/dashboard/settings/delete'))
    return html`<p>To remove only yourself, <a href="/dashboard/people">leave this workspace</a> under <i>People</i>. An owner can download its data or delete it.</p>`;
  return html`<p>One JSON file with all data of this workspace, without keys and secrets.</p>
<p class="row"><a class="button quiet" href="/dashboard/settings/export" download>Download all data</a></p>
<p>To remove only yourself, <a href="/dashboard/people">leave this workspace</a> under <i>People</i>: the others keep it. Deleting this workspace deletes its data, credits and keys for everyone in it.</p>
<p class="row"><a class="button danger" href="/dashboard/settings/delete">Delete this workspace…</a></p>`;
}

async function setCap(visit: FormVisit, deps: SettingsDeps, show: ShowSettings): Promise<Page | Response> {
  const typed = text(visit.form, 'cap');
  const monthlyCap = typed === '' ? null : /^\d{1,12}$/.test(typed) ? Number(typed) : Number.NaN;
  const message = refusedChange({ monthly_cap: monthlyCap });
  if (message) return show(visit, { card: 'cap', message: at('cap', message), typed });
  await changeWorkSettings(deps.db.sql, visit.visitor.workspace_id, { monthly_cap: monthlyCap }, deps.now());
  return redirect('/dashboard/settings', 'cap-set');
}

async function pause({ visitor }: FormVisit, { db, now }: SettingsDeps, paused: boolean): Promise<Response> {
  await changeWorkSettings(db.sql, visitor.workspace_id, { paused }, now());
  return redirect('/dashboard/settings', paused ? 'work-paused' : 'work-resumed');
}

async function rename(visit: FormVisit, deps: SettingsDeps, show: ShowSettings): Promise<Page | Response> {
  const name = text(visit.form, 'name');
  if (name === '' || name.length > maxWorkspaceName || !isOneLine(name)) {
    const message = `Enter a name of 1 to ${maxWorkspaceName} characters, on one line.`;
    return show(visit, { card: 'name', message: at('name', message), typed: name });
  }
  await renameWorkspace(deps.db.sql, visit.visitor.workspace_id, name);
  return redirect('/dashboard/settings', 'workspace-renamed');
}
