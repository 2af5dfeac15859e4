import { html, raw } from 'hono/html';
import { renderSVG } from 'uqr';
import { readSignInMethods } from '../../../db/accounts/members.ts';
import { type Allowance, throttle } from '../../../db/accounts/throttle.ts';
import { mailAccessChanged } from '../account/auth-mails.ts';
import { codeField, enteredCode } from '../account/code-field.ts';
import { withAddress } from '../account/session-address.ts';
import type { SettingsDeps } from '../deps.ts';
import { card, code, field, form, notice, type Piece, secret, success } from '../ui/components.ts';
import { at, type Problem } from '../ui/forms/field-problem.ts';
import { type FormVisit, type Page, redirect, type Section, type Visit } from '../ui/section.ts';

const path = '/dashboard/settings/two-factor';
const title = 'Two-factor sign-in';

/** Limits guesses of the password and the two-factor code by someone who finds an unlocked browser. */
const tries: Allowance = { limit: 10, window_seconds: 15 * 60 };

/** Creates the page that turns two-factor sign-in on and off. */
export function twoFactorSection(deps: SettingsDeps): Section {
  return {
    pages: { [path]: (visit) => statePage(visit, deps, null) },
    forms: {
      [`${path}/start`]: (visit) => start(visit, deps),
      [`${path}/confirm`]: (visit) => confirm(visit, deps),
      [`${path}/codes`]: (visit) => replaceCodes(visit, deps),
      [`${path}/off`]: (visit) => turnOff(visit, deps),
    },
    audits: {
      [`${path}/confirm`]: { action: 'turned on two-factor sign-in' },
      [`${path}/codes`]: { action: 'created new backup codes' },
      [`${path}/off`]: { action: 'turned off two-factor sign-in' },
    },
    notices: { 'two-factor-off': 'Two-factor sign-in is off.' },
  };
}

interface Refusal {
  message: Problem;
  status: number;
}

async function statePage({ visitor }: Visit, { db }: SettingsDeps, refusal: Refusal | null): Promise<Page> {
  const access = await readSignInMethods(db.sql, visitor.user_id);
  const content = access.two_factor ? onContent() : access.has_password ? offContent() : noPasswordContent();
  return { title, content: html`${notice(refusal?.message ?? null, 'bad')}${content}`, status: refusal?.status ?? 200 };
}

const passwordField = () =>
  field('Password', 'password', { type: 'password', required: true, autocomplete: 'current-password' });

function offContent(): Piece {
  const what = html`<p>Two-factor sign-in is <b>off</b>. When it is on, you sign in with a code from an authenticator app as well. A stolen password or sign-in link is then not enough.</p>`;
  return card('Turn on', [what, form(`${path}/start`, passwordField(), 'Continue')]);
}

function noPasswordContent(): Piece {
  return card(
    'Turn on',
    html`<p>Two-factor sign-in needs a password. <a href="/dashboard/settings">Choose a password</a> first.</p>`,
  );
}

function onContent(): Piece {
  return card(
    'Change',
    html`<p>Two-factor sign-in is <b>on</b>.</p>
<form method="post" action="${path}/codes">${passwordField()}${codeField('Code')}
<p class="row"><button class="quiet">Create new backup codes</button> <button class="danger" formaction="${path}/off">Turn off</button></p></form>`,
  );
}

/** Returns the page with the secret for the authenticator app, which is shown once. */
function secretPage(address: string): Page {
  const shown = new URL(address).searchParams.get('secret') ?? '';
  const content = card('Turn on', [
    html`<p>1. Scan this code with an authenticator app, or type the secret into it.</p>
<div class="qr" role="img" aria-label="QR code of the secret below">${raw(renderSVG(address))}</div>`,
    secret('Secret', shown),
    html`<p>2. Enter the code that the app shows.</p>`,
    confirmForm(),
  ]);
  return { title, content: html`${content}` };
}

const confirmForm = () =>
  form(`${path}/confirm`, codeField('Code', 'Six digits from your authenticator app.'), 'Turn on');

/** Returns the page with the backup codes, which are shown once. */
function codesPage(codes: readonly string[], cookies: readonly string[]): Page {
  const content = html`${success('Two-factor sign-in is on. Save these backup codes now: they are shown only once.')}
${card('Backup codes', [
  html`<p>Each code works once, in place of a code from your app. Older backup codes no longer work.</p>`,
  code('codes', 'Ten codes', codes.join('\n')),
  html`<p><a class="button" href="/dashboard/settings">I saved the codes</a></p>`,
])}`;
  return { title, content, cookies };
}

async function start(visit: FormVisit, deps: SettingsDeps): Promise<Page> {
  const refused = await twoFactorRefusal(visit, deps, 'off');
  if (refused) return statePage(visit, deps, refused);
  const result = await deps.accounts.startTwoFactor(passwordOf(visit), headersOf(visit));
  return result.ok
    ? secretPage(result.shown)
    : statePage(visit, deps, { message: at('password', result.message), status: 400 });
}

async function confirm(visit: FormVisit, deps: SettingsDeps): Promise<Page> {
  const refused = await twoFactorRefusal(visit, deps, 'off');
  if (refused) return statePage(visit, deps, refused);
  const result = await deps.accounts.confirmTwoFactor(enteredCode(visit.form), visit.visitor.user_id, headersOf(visit));
  if (result.ok) {
    mailAccessChanged(deps, visit.visitor.email, 'Two-factor sign-in was turned on');
    return codesPage(result.shown, result.cookies);
  }
  const again = html`<p>If your app does not have the secret, <a href="${path}">start again</a>.</p>`;
  const content = html`${notice(at('code', result.message), 'bad')}${card('Turn on', [confirmForm(), again])}`;
  return { title, content, status: 400 };
}

async function replaceCodes(visit: FormVisit, deps: SettingsDeps): Promise<Page> {
  const refused = await twoFactorRefusal(visit, deps, 'on');
  if (refused) return statePage(visit, deps, refused);
  const result = await deps.accounts.newBackupCodes(proofOf(visit), visit.visitor.user_id, headersOf(visit));
  if (result.ok) {
    mailAccessChanged(deps, visit.visitor.email, 'The backup codes of two-factor sign-in were replaced');
    return codesPage(result.shown, result.cookies);
  }
  return statePage(visit, deps, { message: at(result.field ?? 'password', result.message), status: 400 });
}

async function turnOff(visit: FormVisit, deps: SettingsDeps): Promise<Page | Response> {
  const refused = await twoFactorRefusal(visit, deps, 'on');
  if (refused) return statePage(visit, deps, refused);
  const result = await deps.accounts.stopTwoFactor(proofOf(visit), visit.visitor.user_id, headersOf(visit));
  if (result.ok) {
    mailAccessChanged(deps, visit.visitor.email, 'Two-factor sign-in was turned off');
    return redirect(path, 'two-factor-off', result.cookies);
  }
  return statePage(visit, deps, { message: at(result.field ?? 'password', result.message), status: 400 });
}

/**
 * Returns the reason why a form is refused: too many attempts, or two-factor sign-in is already on or off. Returns null
 * when the form is allowed.
 */
async function twoFactorRefusal(
  { visitor }: Visit,
  { db, now }: SettingsDeps,
  needs: 'on' | 'off',
): Promise<Refusal | null> {
  const wait = await throttle(db.sql, `two-factor ${visitor.user_id}`, tries, now());
  if (wait !== null) return { message: `Too many attempts. Try again in ${Math.ceil(wait / 60)} min.`, status: 429 };
  const state = (await readSignInMethods(db.sql, visitor.user_id)).two_factor ? 'on' : 'off';
  return state === needs ? null : { message: `Two-factor sign-in is already ${state}.`, status: 400 };
}

const headersOf = ({ request, address }: Visit) => withAddress(request.headers, address);
const passwordOf = ({ form }: FormVisit) => String(form.get('password') ?? '');
const proofOf = (visit: FormVisit) => ({ password: passwordOf(visit), code: enteredCode(visit.form) });
