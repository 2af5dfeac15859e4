import { html } from 'hono/html';
import type { Access } from '../../db/members.ts';
import { type Allowance, throttle } from '../../db/throttle.ts';
import { password_length } from './auth-limits.ts';
import type { SettingsDeps } from './deps.ts';
import { type FormVisit, type Page, redirect, type TakeForm } from './section.ts';
import type { ShowSettings } from './settings-problem.ts';
import { card, field, form, type Piece } from './ui.ts';

/** Whoever finds an open session must not guess the password behind it. */
const password_tries: Allowance = { limit: 10, window_seconds: 15 * 60 };
const link_tries: Allowance = { limit: 3, window_seconds: 15 * 60 };

export const accessNotices = {
  'password-set': 'The new password is set; other sessions were signed out.',
  'password-link': 'A link to choose a password is on its way; it works for an hour.',
  'signed-out-elsewhere': 'Every other session is signed out.',
} as const;

/** Password and sessions of the person. `mails`: whether the server sends mail. */
export function accessPieces(email: string, access: Access, mails: boolean, problem: Piece): Piece {
  return html`<div class="columns">${card('Password', [problem, access.has_password ? passwordForm(email) : linkForm(email, mails)])}
${card('Sessions', sessionsForm(access.sessions - 1))}</div>`;
}

function passwordForm(email: string): Piece {
  const hint = `At least ${password_length.min} characters. Other sessions are signed out.`;
  return form(
    '/dashboard/settings/password',
    [
      html`<input class="hidden" type="email" name="username" value="${email}" autocomplete="username" readonly tabindex="-1" aria-hidden="true">`,
      field('Current password', 'current', { type: 'password', required: true, autocomplete: 'current-password' }),
      field('New password', 'chosen', { type: 'password', required: true, autocomplete: 'new-password', hint }),
    ],
    'Change the password',
  );
}

function linkForm(email: string, mails: boolean): Piece {
  const where = mails ? `We mail a link to ${email}.` : 'This server sends no mail: the link stands in its log.';
  const why = html`<p>You came by a link and have no password yet. ${where}</p>`;
  return form('/dashboard/settings/password-link', why, 'Choose a password');
}

function sessionsForm(others: number): Piece {
  if (others <= 0) return html`<p>You are signed in here alone.</p>`;
  const sentence = others === 1 ? 'one other place' : `${others} other places`;
  return form(
    '/dashboard/settings/sessions',
    html`<p>You are signed in at ${sentence}, too.</p>`,
    'Sign out everywhere else',
    'quiet',
  );
}

/** The forms of {@link accessPieces}. */
export function accessForms(deps: SettingsDeps, show: ShowSettings): Record<string, TakeForm> {
  return {
    '/dashboard/settings/password': (visit) => changePassword(visit, deps, show),
    '/dashboard/settings/password-link': (visit) => sendLink(visit, deps, show),
    '/dashboard/settings/sessions': async ({ request }) => {
      await deps.accounts.signOutElsewhere(request.headers);
      return redirect('/dashboard/settings', 'signed-out-elsewhere');
    },
  };
}

async function changePassword(visit: FormVisit, deps: SettingsDeps, show: ShowSettings): Promise<Page | Response> {
  const { form: sent, request, visitor } = visit;
  const [current, chosen] = [String(sent.get('current') ?? ''), String(sent.get('chosen') ?? '')];
  const { min, max } = password_length;
  if (chosen.length < min || chosen.length > max || current.length > max) {
    return show(visit, { card: 'access', message: `A password has ${min} to ${max} characters.` });
  }
  const wait = await throttle(deps.db.sql, `password ${visitor.user_id}`, password_tries, deps.now());
  if (wait !== null) return show(visit, tooOften(wait));
  const entered = await deps.accounts.changePassword({ current, chosen }, request.headers);
  if (!entered.ok) return show(visit, { card: 'access', message: entered.message });
  return redirect('/dashboard/settings', 'password-set', entered.cookies);
}

async function sendLink(visit: FormVisit, deps: SettingsDeps, show: ShowSettings): Promise<Page | Response> {
  const { user_id, email } = visit.visitor;
  const wait = await throttle(deps.db.sql, `password link ${user_id}`, link_tries, deps.now());
  if (wait !== null) return show(visit, tooOften(wait));
  await deps.accounts.requestReset(email);
  return redirect('/dashboard/settings', 'password-link');
}

function tooOften(wait_seconds: number) {
  const message = `That was tried too often: wait ${Math.ceil(wait_seconds / 60)} minutes.`;
  return { card: 'access', message, status: 429 } as const;
}
