import { html } from 'hono/html';
import type { SignInMethods } from '../../../db/accounts/members.ts';
import { endSessions } from '../../../db/accounts/sessions.ts';
import { type Allowance, throttle } from '../../../db/accounts/throttle.ts';
import { passwordLength } from '../account/auth-limits.ts';
import { withAddress } from '../account/session-address.ts';
import type { SettingsDeps } from '../deps.ts';
import { card, field, form, type Piece } from '../ui/components.ts';
import { at } from '../ui/forms/field-problem.ts';
import { type FormVisit, type HandleForm, type Page, redirect, text } from '../ui/section.ts';
import type { Visitor } from '../ui/visitor.ts';
import type { ShowSettings } from './problem.ts';

/** Limits attempts at the current password, so that someone who finds an unlocked browser cannot guess the password. */
const passwordTries: Allowance = { limit: 10, window_seconds: 15 * 60 };
const linkTries: Allowance = { limit: 3, window_seconds: 15 * 60 };

export const accessNotices = {
  'password-set': 'Password changed. Your other sessions were signed out.',
  'password-link': 'We sent you a link to choose a password. It works for 1 hour.',
  'signed-out-device': 'The device was signed out.',
  'signed-out-elsewhere': 'All other sessions were signed out.',
} as const;

export const accessAudits = {
  '/dashboard/settings/password': { action: 'changed the password' },
  '/dashboard/settings/password-link': { action: 'requested a password link' },
  '/dashboard/settings/session': { action: 'signed out a device' },
  '/dashboard/settings/sessions': { action: 'signed out all other devices' },
} as const;

/** Returns the card that changes the password. `mails` is true when the server can send email. */
export function accessPieces({ email }: Visitor, access: SignInMethods, mails: boolean, problem: Piece): Piece {
  const state = access.two_factor ? 'on' : 'off';
  return card('Password', [
    problem,
    access.has_password ? passwordForm(email) : linkForm(email, mails),
    html`<p><a href="/dashboard/settings/two-factor">Two-factor sign-in</a>: ${state}. · <a href="/dashboard/settings/passkeys">Passkeys</a>: sign in by fingerprint, face or device PIN</p>`,
  ]);
}

function passwordForm(email: string): Piece {
  const hint = `At least ${passwordLength.min} characters. You will be signed out on all other devices.`;
  return form(
    '/dashboard/settings/password',
    [
      html`<input class="hidden" type="email" name="username" value="${email}" autocomplete="username" readonly tabindex="-1" aria-hidden="true">`,
      field('Current password', 'current', { type: 'password', required: true, autocomplete: 'current-password' }),
      field('New password', 'chosen', { type: 'password', required: true, autocomplete: 'new-password', hint }),
    ],
    'Change password',
  );
}

function linkForm(email: string, mails: boolean): Piece {
  const where = mails
    ? `We will send a link to ${email}.`
    : 'Email is off on this server. Ask your Tidemark administrator for the link. It is in the server log.';
  const why = html`<p>You signed in by a link and have no password yet. Choose one now, so that you can sign in with it. ${where}</p>`;
  return form('/dashboard/settings/password-link', why, 'Send password link');
}

/** Returns the handlers of the forms that change the password or end sessions, by path. */
export function accessForms(deps: SettingsDeps, show: ShowSettings): Record<string, HandleForm> {
  return {
    '/dashboard/settings/password': (visit) => changePassword(visit, deps, show),
    '/dashboard/settings/password-link': (visit) => sendLink(visit, deps, show),
    '/dashboard/settings/session': async ({ visitor, form: fields }) => {
      await endSessions(deps.db.sql, visitor.user_id, { only: text(fields, 'session_id') });
      return redirect('/dashboard/settings', 'signed-out-device');
    },
    '/dashboard/settings/sessions': async ({ visitor }) => {
      await endSessions(deps.db.sql, visitor.user_id, { except: visitor.session_id });
      return redirect('/dashboard/settings', 'signed-out-elsewhere');
    },
  };
}

async function changePassword(visit: FormVisit, deps: SettingsDeps, show: ShowSettings): Promise<Page | Response> {
  const { form: fields, request, visitor } = visit;
  const [current, chosen] = [String(fields.get('current') ?? ''), String(fields.get('chosen') ?? '')];
  const { min, max } = passwordLength;
  if (chosen.length < min || chosen.length > max || current.length > max) {
    return show(visit, { card: 'access', message: at('chosen', `A password must have ${min} to ${max} characters.`) });
  }
  const wait = await throttle(deps.db.sql, `password ${visitor.user_id}`, passwordTries, deps.now());
  if (wait !== null) return show(visit, tooManyAttempts(wait));
  const result = await deps.accounts.changePassword({ current, chosen }, withAddress(request.headers, visit.address));
  if (!result.ok) return show(visit, { card: 'access', message: at('current', result.message) });
  return redirect('/dashboard/settings', 'password-set', result.cookies);
}

async function sendLink(visit: FormVisit, deps: SettingsDeps, show: ShowSettings): Promise<Page | Response> {
  const { user_id, email } = visit.visitor;
  const wait = await throttle(deps.db.sql, `password link ${user_id}`, linkTries, deps.now());
  if (wait !== null) return show(visit, tooManyAttempts(wait));
  await deps.accounts.requestReset(email);
  return redirect('/dashboard/settings', 'password-link');
}

function tooManyAttempts(waitSeconds: number) {
  const message = `Too many attempts. Try again in ${Math.ceil(waitSeconds / 60)} min.`;
  return { card: 'access', message, status: 429 } as const;
}
