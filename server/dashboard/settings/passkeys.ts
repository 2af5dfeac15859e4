import { html } from 'hono/html';
import { readSignInMethods, type SignInMethods } from '../../../db/accounts/members.ts';
import { type Allowance, throttle } from '../../../db/accounts/throttle.ts';
import { mailAccessChanged } from '../account/auth-mails.ts';
import { codeField, enteredCode } from '../account/code-field.ts';
import type { PasskeyRow } from '../account/passkeys.ts';
import { withAddress } from '../account/session-address.ts';
import type { SettingsDeps } from '../deps.ts';
import { card, controlsColumn, field, form, notice, type Piece, table, time, titleColumn } from '../ui/components.ts';
import { at, type Problem } from '../ui/forms/field-problem.ts';
import { canUsePasskeys, passkeyForm } from '../ui/passkey-form.ts';
import { type FormVisit, type Page, redirect, type Section, text, type Visit } from '../ui/section.ts';

const path = '/dashboard/settings/passkeys';
const title = 'Passkeys';
const maxName = 60;

/** Limits guesses of the password and the two-factor code by someone who finds an unlocked browser. */
const tries: Allowance = { limit: 10, window_seconds: 15 * 60 };

/** Creates the page on which users add and remove the passkeys of their account. */
export function passkeysSection(deps: SettingsDeps): Section {
  return {
    pages: { [path]: (visit) => listPage(visit, deps, null) },
    forms: {
      [`${path}/start`]: (visit) => start(visit, deps),
      [`${path}/add`]: (visit) => add(visit, deps),
      [`${path}/remove`]: (visit) => remove(visit, deps),
    },
    audits: {
      [`${path}/add`]: { action: 'added a passkey', subject: (visit) => text(visit.form, 'name') },
      [`${path}/remove`]: { action: 'removed a passkey', subject: (visit) => text(visit.form, 'name') },
    },
    notices: { 'passkey-added': 'Passkey added.', 'passkey-removed': 'Passkey removed.' },
  };
}

interface Refusal {
  message: Problem;
  status: number;
}

async function listPage(visit: Visit, deps: SettingsDeps, problem: Refusal | null): Promise<Page> {
  const [passkeys, access] = await Promise.all([
    deps.accounts.listPasskeys(headersOf(visit)),
    readSignInMethods(deps.db.sql, visit.visitor.user_id),
  ]);
  const content = html`<p>A passkey is a sign-in by fingerprint, face or device PIN instead of a password. <a href="/dashboard/settings">Back to settings</a></p>
${notice(problem?.message ?? null, 'bad')}
${card('Your passkeys', passkeys.length === 0 ? html`<p>You have no passkeys yet.</p>` : passkeyTable(passkeys))}
${card('Add a passkey', canUsePasskeys(deps.base_url) ? addForm(access) : noPasskeys())}`;
  return { title, content, status: problem?.status ?? 200 };
}

function passkeyTable(passkeys: readonly PasskeyRow[]): Piece {
  const rows = passkeys.map(({ passkey_id, name, created_at }) => [
    name,
    time(created_at),
    removeForm(passkey_id, name),
  ]);
  return table('Your passkeys', [titleColumn('Name'), { heading: 'Added', time: true }, controlsColumn], rows);
}

function removeForm(passkeyId: string, name: string): Piece {
  return form(
    `${path}/remove`,
    html`<input type="hidden" name="passkey_id" value="${passkeyId}"><input type="hidden" name="name" value="${name}">`,
    'Remove',
    'quiet',
  );
}

/**
 * Returns the form that adds a passkey. The form asks for the password and the two-factor code, so that a stolen
 * session cannot add a passkey.
 */
function addForm({ has_password: hasPassword, two_factor: twoFactor }: SignInMethods): Piece {
  const hint = 'For example the device on which you save it.';
  return html`<p>It replaces your password and your two-factor code, and no one can steal it by email.</p>
${form(
  `${path}/start`,
  [
    field('Name', 'name', { value: 'My passkey', required: true, maxlength: maxName, hint }),
    hasPassword
      ? field('Password', 'password', { type: 'password', required: true, autocomplete: 'current-password' })
      : null,
    twoFactor ? codeField('Code') : null,
  ],
  'Continue',
)}`;
}

function noPasskeys(): Piece {
  return html`<p>You cannot add a passkey here: browsers allow passkeys only on servers with a domain name, and the server address is an IP address. Sign in with your password, and turn on <a href="/dashboard/settings/two-factor">two-factor sign-in</a> to protect it. For passkeys, ask your Tidemark administrator for a domain name.</p>`;
}

async function start(visit: FormVisit, deps: SettingsDeps): Promise<Page> {
  const name = text(visit.form, 'name');
  if (name === '' || name.length > maxName) {
    return listPage(visit, deps, { message: at('name', `Enter a name of 1 to ${maxName} characters.`), status: 400 });
  }
  const refused = await passkeyRefusal(visit, deps);
  if (refused) return listPage(visit, deps, refused);
  const started = await deps.accounts.startPasskey(name, headersOf(visit));
  if (!started.ok) return listPage(visit, deps, { message: started.message, status: 403 });
  const hidden = html`<input type="hidden" name="name" value="${name}">`;
  const content = card('Add a passkey', [
    html`<p>Press the button, then follow the instructions of your browser.</p>`,
    passkeyForm(`${path}/add`, { action: 'create', options: started.shown, label: 'Create passkey', hidden }),
    html`<p><a href="${path}">Cancel</a></p>`,
  ]);
  return { title, content: html`${content}`, cookies: started.cookies };
}

async function passkeyRefusal(visit: FormVisit, { db, accounts, now }: SettingsDeps): Promise<Refusal | null> {
  const { user_id: userId } = visit.visitor;
  const wait = await throttle(db.sql, `passkey ${userId}`, tries, now());
  if (wait !== null) return { message: `Too many attempts. Try again in ${Math.ceil(wait / 60)} min.`, status: 429 };
  const access = await readSignInMethods(db.sql, userId);
  if (!access.has_password) return null;
  const password = String(visit.form.get('password') ?? '');
  const proved = access.two_factor
    ? await accounts.proveTwoFactor({ password, code: enteredCode(visit.form) }, userId, headersOf(visit))
    : await accounts.checkPassword(password, headersOf(visit));
  return proved.ok ? null : { message: at(proved.field ?? 'password', proved.message), status: 400 };
}

async function add(visit: FormVisit, deps: SettingsDeps): Promise<Page | Response> {
  const created = { name: text(visit.form, 'name').slice(0, maxName), answer: text(visit.form, 'answer') };
  const result = await deps.accounts.addPasskey(created, headersOf(visit));
  if (!result.ok) return listPage(visit, deps, { message: result.message, status: 400 });
  mailAccessChanged(deps, visit.visitor.email, 'A passkey was added');
  return redirect(path, 'passkey-added', result.cookies);
}

async function remove(visit: FormVisit, deps: SettingsDeps): Promise<Page | Response> {
  const result = await deps.accounts.removePasskey(text(visit.form, 'passkey_id').slice(0, 100), headersOf(visit));
  if (!result.ok) return listPage(visit, deps, { message: result.message, status: 404 });
  mailAccessChanged(deps, visit.visitor.email, 'A passkey was removed');
  return redirect(path, 'passkey-removed');
}

const headersOf = ({ request, address }: Visit) => withAddress(request.headers, address);
