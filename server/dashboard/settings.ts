import { html } from 'hono/html';
import { readAccess } from '../../db/members.ts';
import { changeWorkSettings, readWorkSettings, refusedChange, type WorkSettings } from '../../db/work-settings.ts';
import { renameWorkspace } from '../../db/workspaces.ts';
import type { SettingsDeps } from './deps.ts';
import { type FormVisit, type Page, redirect, type Section, text, type Visit } from './section.ts';
import { accessForms, accessNotices, accessPieces } from './settings-access.ts';
import { deletePage, deleteWhenNamed } from './settings-delete.ts';
import { exportDownload } from './settings-export.ts';
import type { Problem, ShowSettings } from './settings-problem.ts';
import { card, count, field, form, notice, type Piece, tag } from './ui.ts';

export const max_workspace_name = 80;

/** Cap, pause, name, password and sessions, and the way out: the export and the deletion of everything. */
export function settingsSection(deps: SettingsDeps): Section {
  const show: ShowSettings = (visit, problem) => settingsPage(visit, deps, problem);
  return {
    menu: { path: '/dashboard/settings', label: 'Settings' },
    pages: {
      '/dashboard/settings': (visit) => show(visit, null),
      '/dashboard/settings/export': async (visit) => (await exportDownload(visit, deps)) ?? show(visit, exported_often),
      '/dashboard/settings/delete': (visit) => deletePage(visit, deps, null),
    },
    forms: {
      '/dashboard/settings/name': (visit) => rename(visit, deps, show),
      '/dashboard/settings/cap': (visit) => setCap(visit, deps, show),
      '/dashboard/settings/pause': (visit) => pause(visit, deps, true),
      '/dashboard/settings/resume': (visit) => pause(visit, deps, false),
      '/dashboard/settings/delete': (visit) => deleteWhenNamed(visit, deps),
      ...accessForms(deps, show),
    },
    notices: {
      'workspace-renamed': 'The workspace has its new name.',
      'cap-set': 'The monthly cap is set.',
      'work-paused': 'Scheduled work is paused: no check and no batch begins.',
      'work-resumed': 'Scheduled work goes on.',
      ...accessNotices,
    },
  };
}

const exported_often: Problem = {
  card: 'data',
  message: 'That was downloaded too often: try again in an hour.',
  status: 429,
};

async function settingsPage(visit: Visit, deps: SettingsDeps, problem: Problem | null): Promise<Page> {
  const { db, now, config } = deps;
  const { visitor } = visit;
  const [settings, access] = await Promise.all([
    readWorkSettings(db.sql, visitor.workspace_id, now()),
    readAccess(db.sql, visitor.user_id, now()),
  ]);
  const wrong = (of: Problem['card']) => notice(problem?.card === of ? problem.message : null, 'bad');
  const typed = (of: Problem['card']) => (problem?.card === of ? problem.typed : undefined);
  const content = html`<div class="columns">
${card('Monthly cap', [wrong('cap'), ...capForm(settings, typed('cap'))])}
${card('Scheduled work', pauseForm(visitor.paused))}
</div>
<div class="columns">
${card('Workspace', [wrong('name'), nameForm(typed('name') ?? visitor.workspace_name)])}
${card('Notices', links())}
</div>
${accessPieces(visitor.email, access, config.mails, wrong('access'))}
${card('Your data', [wrong('data'), dataLinks()])}`;
  return { title: 'Settings', content, status: problem ? (problem.status ?? 400) : 200 };
}

function capForm(settings: WorkSettings | null, typed: string | undefined): Piece[] {
  const cap = settings?.monthly_cap ?? null;
  const used = settings?.cap_used ?? 0;
  const hint =
    'Credits that tracking and bulk analysis together may use in a calendar month; it counts anew from 00:00 UTC on the 1st. Empty: no cap. 0: nothing is bought.';
  const value = typed ?? (cap === null ? '' : String(cap));
  const reached = cap !== null && used >= cap;
  return [
    html`<p>Used this month: <b>${count(used)}</b> ${cap === null ? 'credits; there is no cap.' : `of ${count(cap)} credits.`} ${reached ? tag('cap reached', 'warn') : null}</p>`,
    form(
      '/dashboard/settings/cap',
      field('Credits a month', 'cap', { type: 'number', min: '0', value, hint }),
      'Set the cap',
    ),
  ];
}

function pauseForm(paused: boolean): Piece[] {
  const state = paused
    ? html`<p>${tag('paused', 'warn')} No check and no batch begins until you resume.</p>`
    : html`<p>${tag('runs', 'good')} Daily checks and bulk analyses run when they are due.</p>`;
  const hint = html`<p>While paused, the history gets no new days. The API and weekly reports go on.</p>`;
  const button = paused
    ? form('/dashboard/settings/resume', null, 'Resume')
    : form('/dashboard/settings/pause', null, 'Pause everything', 'quiet');
  return [state, hint, button];
}

function nameForm(name: string): Piece {
  const hint = 'How pages and mails call it.';
  const value = field('Name', 'name', { value: name, required: true, maxlength: max_workspace_name, hint });
  return form('/dashboard/settings/name', value, 'Rename', 'quiet');
}

function links(): Piece {
  return html`<ul><li><a href="/dashboard/credits">Low-balance alert</a>: by mail and webhook, with the credits.</li>
<li><a href="/dashboard/settings/webhooks">Webhooks</a>: your servers are told of checks, reports, batches and a low balance.</li></ul>`;
}

function dataLinks(): Piece {
  return html`<p>One JSON file with everything this workspace holds, without keys and secrets.</p>
<p class="row"><a class="button quiet" href="/dashboard/settings/export" download>Download all data</a> <a class="button danger" href="/dashboard/settings/delete">Delete the account…</a></p>`;
}

async function setCap(visit: FormVisit, deps: SettingsDeps, show: ShowSettings): Promise<Page | Response> {
  const typed = text(visit.form, 'cap');
  const monthly_cap = typed === '' ? null : /^\d{1,12}$/.test(typed) ? Number(typed) : Number.NaN;
  const message = refusedChange({ monthly_cap });
  if (message) return show(visit, { card: 'cap', message, typed });
  await changeWorkSettings(deps.db.sql, visit.visitor.workspace_id, { monthly_cap }, deps.now());
  return redirect('/dashboard/settings', 'cap-set');
}

async function pause({ visitor }: FormVisit, { db, now }: SettingsDeps, paused: boolean): Promise<Response> {
  await changeWorkSettings(db.sql, visitor.workspace_id, { paused }, now());
  return redirect('/dashboard/settings', paused ? 'work-paused' : 'work-resumed');
}

async function rename(visit: FormVisit, deps: SettingsDeps, show: ShowSettings): Promise<Page | Response> {
  const name = text(visit.form, 'name');
  if (name === '' || name.length > max_workspace_name || /\p{Cc}/u.test(name)) {
    const message = `Give the workspace a name of at most ${max_workspace_name} characters, in one line.`;
    return show(visit, { card: 'name', message, typed: name });
  }
  await renameWorkspace(deps.db.sql, visit.visitor.workspace_id, name);
  return redirect('/dashboard/settings', 'workspace-renamed');
}
