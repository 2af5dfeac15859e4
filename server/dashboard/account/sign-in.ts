import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { Html } from '../../docs/layout.ts';
import { answerRequest, type WriteLog } from '../../http/handle-request.ts';
import { limitBody } from '../../http/limit-body.ts';
import { answerPage } from '../ui/answer-page.ts';
import { answerFailure, brokenPage } from '../ui/failure-pages.ts';
import { at } from '../ui/forms/field-problem.ts';
import { pageIdField, runOnce } from '../ui/forms/form-once.ts';
import { readForm, refuseMultipart } from '../ui/forms/read-form.ts';
import { isAway } from '../ui/forms/unavailable-form.ts';
import { ownFormsOnly } from '../ui/own-forms.ts';
import { oneLine, redirect, text } from '../ui/section.ts';
import { type Accounts, wrongCredentials } from './accounts.ts';
import { enteredCode } from './code-field.ts';
import type { FormResult } from './form-result.ts';
import { keptInvitation } from './invitation-cookie.ts';
import { badEmail, emailForm, passwordProblem, personProblem, wrongPassword } from './person-fields.ts';
import { type AttemptDeps, libraryHeaders, recordSignIn, tooManyAttempts } from './sign-in-attempts.ts';
import {
  codePage,
  confirmPage,
  enterPage,
  expiredResetPage,
  forgotPage,
  passkeyPage,
  resetPage,
  sentPage,
  signInFormAgain,
  signInPage,
  signUpPage,
  withNext,
} from './sign-in-pages.ts';

interface SignInDeps extends AttemptDeps {
  base_url: string;
  accounts: Accounts;
  /**
   * True when the server can send email. Otherwise the server writes emails with links to its log, where the operator
   * finds them.
   */
  mails: boolean;
  log: WriteLog;
  /** Receives errors that no page shows, such as a failure to write the audit log. */
  on_error(error: unknown): void;
}

const maxFormBytes = 16 * 1024;
/** Mounts the pages for sign-up, sign-in, email confirmation and password reset. */
export function mountSignIn(app: Hono, deps: SignInDeps): void {
  const ownForms = ownFormsOnly(deps.base_url);
  const pages: Record<string, (c: Context) => Promise<Html | Response>> = {
    '/sign-in': async (c) => signInPage({ next: nextOf(c) }, deps),
    '/sign-in/code': (c) => showCode(c, deps),
    '/sign-up': async (c) => signUpPage({ name: '', email: '', next: nextAfterSignUp(c) }, null),
    '/forgot': async () => forgotPage('', null, deps),
    '/reset': async (c) => resetPage(c.req.query('token') ?? '', null),
    '/confirm': async (c) => confirmPage({ token: tokenOf(c), next: nextOf(c) }, null),
    '/enter': async (c) => enterPage(tokenOf(c)),
  };
  const forms: Record<string, (c: Context, form: FormData) => Promise<Html | Response>> = {
    '/sign-in': (c, fields) => signIn(c, fields, deps),
    '/sign-in/code': (c, fields) => enterCode(c, fields, deps),
    '/sign-in/passkey': (c) => startPasskey(c, deps),
    '/sign-in/passkey/answer': (c, fields) => usePasskey(c, fields, deps),
    '/confirm': (c, fields) => confirm(c, fields, deps),
    '/enter': async (c, fields) =>
      enter(c, await deps.accounts.signInByLink(text(fields, 'token'), libraryHeaders(c, deps)), deps),
    '/sign-up': (c, fields) => signUp(c, fields, deps),
    '/sign-out': async (c) => redirect('/sign-in', undefined, await deps.accounts.signOut(c.req.raw.headers)),
    '/forgot': (c, fields) => forgot(c, fields, deps),
    '/reset': (c, fields) => reset(c, fields, deps),
  };
  const formAgain = async (error: unknown, c: Context, route: string) => {
    if (c.req.method !== 'POST' || !isAway(error)) return null;
    const { base_url, mails } = deps;
    const page = signInFormAgain(route, await readForm(c.req.raw), { next: nextOf(c), base_url, mails });
    return page && answerFailure(error, page);
  };
  const answer = (c: Context, route: string, work: () => Promise<Html | Response>) =>
    answerRequest({
      request: c.req.raw,
      route,
      log: deps.log,
      answer: async () => {
        const result = await work();
        return result instanceof Response ? result : answerPage(result);
      },
      failed: async (error, { request_id }) => (await formAgain(error, c, route)) ?? brokenPage(error, request_id),
    });
  for (const [path, show] of Object.entries(pages)) app.get(path, (c) => answer(c, path, () => show(c)));
  for (const [path, handle] of Object.entries(forms)) {
    const submit = async (c: Context) => {
      await limitBody(c, maxFormBytes);
      refuseMultipart(c.req.raw);
      return handle(c, await readForm(c.req.raw));
    };
    app.post(path, ownForms, (c) => answer(c, path, () => submit(c)));
  }
}

/** Start of the URL at which an OAuth client's authorization request continues after the user signed in. */
const authorize = '/api/auth/oauth2/authorize?';
/** Matches a path that a Location header can contain: printable ASCII characters only. */
const plainPath = /^[\x21-\x7e]*$/;

/**
 * Returns the page to open after sign-in. Accepts only paths of this server, so that a link cannot redirect the user to
 * another site.
 */
function nextOf(c: Context): string {
  const { search, searchParams } = new URL(c.req.url);
  if (searchParams.has('client_id')) return `${authorize}${search.slice(1)}`;
  const next = searchParams.get('next') ?? '';
  const own =
    (next.startsWith(authorize) && plainPath.test(next)) ||
    /^\/(?:dashboard|addon|join)(?:[/?][\w/?=&.%-]*)?(?:#[\w-]+)?$/.test(next);
  return own ? next : '/dashboard';
}

async function signIn(c: Context, fields: FormData, deps: SignInDeps): Promise<Html | Response> {
  const email = text(fields, 'email');
  const refused = await tooManyAttempts(c, 'sign-in', email, deps);
  if (refused) return answerPage(signInPage({ next: nextOf(c), address: email, problem: refused }, deps), 429);
  const password = String(fields.get('password') ?? '');
  const result: FormResult = emailForm.safeParse(email).success
    ? await deps.accounts.signIn({ email, password, next: nextAfterSignUp(c) }, libraryHeaders(c, deps))
    : { ok: false, message: wrongCredentials };
  if (result.ok && result.needs_code) return toCode(nextOf(c), result.cookies);
  if (!result.ok) {
    // Does not wait for the audit log. Otherwise the response time would reveal whether the email address has an
    // account, because each workspace of the account gets an entry.
    recordSignIn(c, email, 'failed to sign in', deps).catch(deps.on_error);
    return answerPage(
      signInPage({ next: nextOf(c), address: email, problem: at('password', wrongCredentials) }, deps),
      401,
    );
  }
  await recordSignIn(c, email, 'signed in', deps);
  return redirect(nextOf(c), undefined, result.cookies);
}

/**
 * Redirects to the page that asks for the two-factor code. Sets only the two-factor cookies, because the other cookies
 * belong to a session that the sign-in library has already ended.
 */
function toCode(next: string, cookies: readonly string[]): Response {
  return redirect(
    withNext('/sign-in/code', next),
    undefined,
    cookies.filter((cookie) => cookie.includes('.two_factor=')),
  );
}

async function showCode(c: Context, deps: SignInDeps): Promise<Html | Response> {
  const user = await deps.accounts.pendingSignIn(libraryHeaders(c, deps));
  return user ? codePage(nextOf(c), null) : redirect(withNext('/sign-in', nextOf(c)));
}

async function enterCode(c: Context, fields: FormData, deps: SignInDeps): Promise<Html | Response> {
  const user = await deps.accounts.pendingSignIn(libraryHeaders(c, deps));
  if (!user)
    return answerPage(signInPage({ next: nextOf(c), problem: 'Your sign-in has expired. Sign in again.' }, deps), 401);
  const refused = await tooManyAttempts(c, 'sign-in code', user.email, deps);
  if (refused) return answerPage(codePage(nextOf(c), refused), 429);
  const result = await deps.accounts.enterCode(enteredCode(fields), user, libraryHeaders(c, deps));
  await recordSignIn(c, user.email, result.ok ? 'signed in with a code' : 'failed to sign in with a code', deps);
  if (!result.ok) return answerPage(codePage(nextOf(c), at('code', result.message)), 401);
  return redirect(nextOf(c), undefined, result.cookies);
}

async function startPasskey(c: Context, deps: SignInDeps): Promise<Html | Response> {
  const refused = await tooManyAttempts(c, 'passkey', null, deps);
  if (refused) return answerPage(signInPage({ next: nextOf(c), problem: refused }, deps), 429);
  const started = await deps.accounts.startPasskeySignIn(libraryHeaders(c, deps));
  if (!started.ok) return answerPage(signInPage({ next: nextOf(c), problem: started.message }, deps), 400);
  const page = await answerPage(passkeyPage(nextOf(c), started.shown));
  for (const cookie of started.cookies) page.headers.append('set-cookie', cookie);
  return page;
}

async function usePasskey(c: Context, fields: FormData, deps: SignInDeps): Promise<Html | Response> {
  const refused = await tooManyAttempts(c, 'passkey answer', null, deps);
  if (refused) return answerPage(signInPage({ next: nextOf(c), problem: refused }, deps), 429);
  const result = await deps.accounts.signInByPasskey(text(fields, 'answer'), libraryHeaders(c, deps));
  if (!result.ok) return answerPage(signInPage({ next: nextOf(c), problem: result.message }, deps), 401);
  if (result.email) await recordSignIn(c, result.email, 'signed in with a passkey', deps);
  return redirect(nextOf(c), undefined, result.cookies);
}

/** Returns the token from the URL of an emailed link, without NUL characters, which PostgreSQL refuses. */
const tokenOf = (c: Context): string => (c.req.query('token') ?? '').replaceAll('\0', '');

async function signUp(c: Context, fields: FormData, deps: SignInDeps): Promise<Html | Response> {
  const [name, email] = [oneLine(fields, 'name').slice(0, 80), text(fields, 'email')];
  const next = nextAfterSignUp(c);
  const password = String(fields.get('password') ?? '');
  const problem = personProblem(name, email) ?? passwordProblem(password);
  if (problem) return answerPage(signUpPage({ name, email, next }, problem), 400);
  const refused = await tooManyAttempts(c, 'sign-up', email, deps);
  if (refused) return answerPage(signUpPage({ name, email, next }, refused), 429);
  const result = await runOnce(
    text(fields, pageIdField),
    ['/sign-up', name, email],
    { sql: deps.db.sql, now: deps.now() },
    { handle: () => deps.accounts.signUp({ name, email, password, next }), isDone: ({ ok }) => ok },
  );
  // `result` is null when the form was sent twice. The user then sees the same page, but gets no second email, which
  // would say that the account already exists.
  if (result && !result.ok) return answerPage(signUpPage({ name, email, next }, result.message), 400);
  return sentPage(
    'Confirm your email address',
    deps.mails
      ? `We sent a confirmation link to ${email}. Open it to sign in and get your 100 starter credits.`
      : `You need the confirmation link for ${email} to sign in and get your 100 starter credits.`,
    html`<a href="${withNext('/sign-in', next)}">sign in</a> with your password: we then send the link again`,
    deps,
  );
}

async function forgot(c: Context, fields: FormData, deps: SignInDeps): Promise<Html | Response> {
  const email = text(fields, 'email');
  if (!emailForm.safeParse(email).success) return answerPage(forgotPage(email, at('email', badEmail), deps), 400);
  const refused = await tooManyAttempts(c, 'forgot', email, deps);
  if (refused) return answerPage(forgotPage(email, refused, deps), 429);
  await deps.accounts.requestReset(email);
  const again = html`<a href="/forgot">send it again</a>`;
  return deps.mails
    ? sentPage('Check your email', `If ${email} has an account, we sent a link to choose a new password.`, again, deps)
    : sentPage(
        'Ask for the link',
        `If ${email} has an account, there is a link to choose a new password.`,
        again,
        deps,
      );
}

async function reset(_c: Context, fields: FormData, deps: SignInDeps): Promise<Html | Response> {
  const token = text(fields, 'token');
  const password = String(fields.get('password') ?? '');
  const problem = passwordProblem(password);
  if (problem) return answerPage(resetPage(token, problem), 400);
  const result = await deps.accounts.reset(token, password);
  if (!result.ok) return answerPage(expiredResetPage(result.message), 400);
  return signInPage({ next: '/dashboard', done: 'Password changed. Sign in with your new password.' }, deps);
}

async function confirm(c: Context, fields: FormData, deps: SignInDeps): Promise<Html | Response> {
  const token = text(fields, 'token');
  const refused = await tooManyAttempts(c, 'confirm', null, deps);
  const next = nextOf(c);
  if (refused) return answerPage(confirmPage({ token, next }, refused), 429);
  const password = String(fields.get('password') ?? '');
  const result = await deps.accounts.confirm({ token, password }, libraryHeaders(c, deps));
  if (result === null) return answerPage(confirmPage({ token, next }, at('password', wrongPassword)), 401);
  // The library does not sign in a user whose address was already confirmed.
  if (result.ok && result.cookies.length === 0)
    return signInPage({ next: nextAfterLink(c), done: 'Your email address is already confirmed. Sign in.' }, deps);
  return enter(c, result, deps);
}

/** Returns the page to open after an emailed link: the invitation that brought the user here, or the link's page. */
const nextAfterLink = (c: Context): string => keptInvitation(c) ?? nextOf(c);

/**
 * Returns the page to open after a new account is confirmed. An OAuth client's request does not wait that long, so it
 * is left out.
 */
function nextAfterSignUp(c: Context): string {
  const next = nextOf(c);
  return next.startsWith(authorize) ? '/dashboard' : next;
}

/** Signs a user in after they used an emailed link. */
async function enter(c: Context, result: FormResult, deps: SignInDeps): Promise<Html | Response> {
  const next = nextAfterLink(c);
  if (result.ok && result.needs_code) return toCode(next, result.cookies);
  if (result.ok && result.email) await recordSignIn(c, result.email, 'signed in by a link', deps);
  if (result.ok) return redirect(next, undefined, result.cookies);
  return answerPage(signInPage({ next: '/dashboard', problem: result.message }, deps), 400);
}
