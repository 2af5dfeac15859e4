import { html } from 'hono/html';
import { newId } from '../../../db/ids.ts';
import { field, form, notice, type Piece, success } from '../ui/components.ts';
import type { Problem } from '../ui/forms/field-problem.ts';
import { pageIdField } from '../ui/forms/form-once.ts';
import { publicPage } from '../ui/layout.ts';
import { canUsePasskeys, passkeyForm } from '../ui/passkey-form.ts';
import { text } from '../ui/section.ts';
import { passwordLength } from './auth-limits.ts';
import { codeField } from './code-field.ts';

const box = (heading: string, content: Piece[]) => html`<div class="box"><h1>${heading}</h1>${content}</div>`;

const backToSignIn = html`<p><a href="/sign-in">Back to sign-in</a></p>`;
/** Tells users of a server without email how they get the link that would be emailed. */
const noMails = 'Email is off on this server. Ask your Tidemark administrator for the link. It is in the server log.';

const password = (label: string, autocomplete: string, hint?: string) =>
  field(label, 'password', { type: 'password', required: true, autocomplete, ...(hint ? { hint } : {}) });
const hiddenToken = (token: string) => html`<input type="hidden" name="token" value="${token}">`;
const email = (value: string) =>
  field('Email', 'email', { type: 'email', value, required: true, autocomplete: 'email', maxlength: 254 });

/** Returns a path with the page to open after sign-in in its query, unless this is the default page. */
export const withNext = (path: string, next: string) =>
  next === '/dashboard' ? path : `${path}${path.includes('?') ? '&' : '?'}next=${encodeURIComponent(next)}`;

interface SignInView {
  /** Path of the page to open after sign-in. */
  next: string;
  /** The email address that the user entered. */
  address?: string;
  problem?: Problem;
  /** Message about the previous step, such as a changed password. */
  done?: string;
}

/**
 * Returns the page with the form for email address and password, and the button for passkeys when browsers allow
 * passkeys at the server's address.
 */
export function signInPage({ next, address = '', problem, done }: SignInView, { base_url }: { base_url: string }) {
  const content = box('Sign in', [
    success(done ?? null),
    notice(problem ?? null, 'bad'),
    form(withNext('/sign-in', next), [email(address), password('Password', 'current-password')], 'Sign in'),
    canUsePasskeys(base_url)
      ? form(
          withNext('/sign-in/passkey', next),
          html`<p class="hint">Use your fingerprint, face or device PIN.</p>`,
          'Sign in with a passkey',
          'quiet',
        )
      : null,
    html`<p><a href="/forgot">Forgot your password, or have none? Get a link to choose one.</a></p>`,
    html`<p>No account yet? <a href="${withNext('/sign-up', next)}">Sign up</a></p>`,
  ]);
  return publicPage('Sign in', content);
}

/** Returns the page whose script asks the browser for a passkey. `options` is the JSON for the WebAuthn API. */
export function passkeyPage(next: string, options: string) {
  const path = withNext('/sign-in/passkey/answer', next);
  const content = box('Sign in with a passkey', [
    html`<p>Press the button, then follow the instructions of your browser.</p>`,
    passkeyForm(path, { action: 'get', options, label: 'Use passkey' }),
    backToSignIn,
  ]);
  return publicPage('Sign in with a passkey', content);
}

/** Returns the page that asks for a two-factor code after the password or the emailed link was accepted. */
export function codePage(next: string, problem: Problem | null) {
  const content = box('Enter your code', [
    notice(problem, 'bad'),
    form(withNext('/sign-in/code', next), codeField('Code'), 'Sign in'),
    backToSignIn,
  ]);
  return publicPage('Enter your code', content);
}

/**
 * Returns the page with the form for a new account. Each page has its own id, so that a form that is sent twice creates
 * only one account.
 */
export function signUpPage(person: { name: string; email: string; next: string }, problem: Problem | null) {
  const { next } = person;
  const name = field('Name', 'name', { value: person.name, required: true, autocomplete: 'name', maxlength: 80 });
  const hint = `At least ${passwordLength.min} characters.`;
  const pageId = html`<input type="hidden" name="${pageIdField}" value="${newId()}">`;
  const content = box('Sign up', [
    html`<p>You get 100 credits, once and free. No payment card needed.</p>`,
    notice(problem, 'bad'),
    form(
      withNext('/sign-up', next),
      [pageId, name, email(person.email), password('Password', 'new-password', hint)],
      'Sign up',
    ),
    html`<p>Already have an account? <a href="${withNext('/sign-in', next)}">Sign in</a></p>`,
  ]);
  return publicPage('Sign up', content);
}

/** Returns the page that asks for the email address to which the link for a new password is sent. */
export function forgotPage(address: string, problem: Problem | null, { mails }: { mails: boolean }) {
  const [sentence, button] = mails
    ? ['We email you a link to choose a new password, even if you never had one.', 'Send link']
    : ['Email is off on this server. Create a link here, then ask your Tidemark administrator for it.', 'Create link'];
  const content = box('Reset your password', [
    html`<p>${sentence}</p>`,
    notice(problem, 'bad'),
    form('/forgot', [email(address)], button),
    backToSignIn,
  ]);
  return publicPage('Reset your password', content);
}

/** Returns the page that asks for a new password. `token` is from the link in the email. */
export function resetPage(token: string, problem: Problem | null) {
  const hint = `At least ${passwordLength.min} characters. You will be signed out on all other devices.`;
  const content = box('Choose a new password', [
    notice(problem, 'bad'),
    form('/reset', [hiddenToken(token), password('New password', 'new-password', hint)], 'Save password'),
  ]);
  return publicPage('Choose a new password', content);
}

/** Returns the page after a new password was refused because the emailed link is no longer valid. */
export function expiredResetPage(message: string) {
  const content = box('Choose a new password', [
    notice(message, 'bad'),
    html`<p><a class="button" href="/forgot">Get a new link</a></p>`,
    backToSignIn,
  ]);
  return publicPage('Choose a new password', content);
}

/**
 * Returns the page that a confirmation link opens. The page asks for the password, so that a stranger cannot get an
 * account with another person's email address.
 */
export function confirmPage({ token, next }: { token: string; next: string }, problem: Problem | null) {
  const content = box('Confirm your email address', [
    html`<p>Enter the password that you chose when you signed up.</p>`,
    notice(problem, 'bad'),
    form(
      withNext('/confirm', next),
      [hiddenToken(token), password('Password', 'current-password')],
      'Confirm and sign in',
    ),
    html`<p>Forgot the password, or did someone else sign up with your email address? <a href="/forgot">Choose a new password.</a></p>`,
  ]);
  return publicPage('Confirm your email address', content);
}

/**
 * Returns the page that a sign-in link opens. Only the button on this page uses up the link, because mail scanners open
 * every link in an email.
 */
export function enterPage(token: string) {
  const content = box('Sign in', [
    html`<p>Press the button to sign in. The link works once.</p>`,
    form('/enter', hiddenToken(token), 'Sign in'),
  ]);
  return publicPage('Sign in', content);
}

/**
 * Returns the page that says that an email was sent, and how to get it again. When the server sends no email, the page
 * says where the administrator finds the link.
 */
export function sentPage(heading: string, sentence: string, again: Piece, { mails }: { mails: boolean }) {
  const lost = html`<p class="hint">Nothing arrived after a few minutes? Look in the spam folder, or ${again}.</p>`;
  const content = [html`<p>${sentence}</p>`, mails ? lost : notice(noMails), backToSignIn];
  return publicPage(heading, box(heading, content));
}

const away = 'The service cannot use its database, so this did not work. Send the form again in a few seconds.';

/**
 * Returns the page of a form that could not be handled, so that the user can send the form again. The form contains the
 * name and email that the user typed, but not the password. Returns null for a path that has no such page.
 */
export function signInFormAgain(
  path: string,
  fields: FormData,
  { next, base_url, mails }: { next: string; base_url: string; mails: boolean },
): ReturnType<typeof publicPage> | null {
  const email = text(fields, 'email');
  switch (path) {
    case '/sign-in':
      return signInPage({ next, address: email, problem: away }, { base_url });
    case '/sign-in/code':
      return codePage(next, away);
    case '/sign-up':
      return signUpPage({ name: text(fields, 'name').slice(0, 80), email, next }, away);
    case '/forgot':
      return forgotPage(email, away, { mails });
    case '/confirm':
      return confirmPage({ token: text(fields, 'token'), next }, away);
    case '/reset':
      return resetPage(text(fields, 'token'), away);
    default:
      return null;
  }
}
