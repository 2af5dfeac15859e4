import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { html } from 'hono/html';
import type { Sql } from 'postgres';
import { z } from 'zod';
import { type Allowance, throttle } from '../../db/throttle.ts';
import type { Html } from '../docs/layout.ts';
import { requestIdOf } from '../replies.ts';
import type { Accounts, Entered } from './accounts.ts';
import { password_length } from './auth-limits.ts';
import type { PageLog } from './deps.ts';
import { publicPage } from './layout.ts';
import { answerPage, brokenPage, ownFormsOnly } from './routes.ts';
import { readForm, redirect, text } from './section.ts';
import { field, form, notice, type Piece } from './ui.ts';

export interface SignInDeps {
  db: { sql: Sql };
  now: () => Date;
  base_url: string;
  accounts: Accounts;
  /** Whether mails leave; else the operator finds the links in the log. */
  mails: boolean;
  log(entry: PageLog): void;
}

const max_form_bytes = 16 * 1024;
/** For one address, and for one machine, behind which many people may be. */
const allowances: Record<'address' | 'machine', Allowance> = {
  address: { limit: 10, window_seconds: 15 * 60 },
  machine: { limit: 100, window_seconds: 15 * 60 },
};

const emailForm = z.email().max(254);

/** The pages of people who are not signed in: sign up, sign in, confirm, forgotten password. */
export function mountSignIn(app: Hono, deps: SignInDeps): void {
  const protect = [ownFormsOnly(deps.base_url), bodyLimit({ maxSize: max_form_bytes })] as const;
  const pages: Record<string, (c: Context) => Promise<Html | Response>> = {
    '/sign-in': async (c) => signInPage(nextOf(c), '', null),
    '/sign-up': async () => signUpPage({ name: '', email: '' }, null),
    '/forgot': async () => forgotPage('', null),
    '/reset': async (c) => resetPage(c.req.query('token') ?? '', null),
    '/confirm': (c) => useLink(c, (token) => deps.accounts.confirm(token, c.req.raw.headers)),
    '/enter': (c) => useLink(c, (token) => deps.accounts.enter(token, c.req.raw.headers)),
  };
  const forms: Record<string, (c: Context, form: FormData) => Promise<Html | Response>> = {
    '/sign-in': (c, sent) => signIn(c, sent, deps),
    '/sign-up': (c, sent) => signUp(c, sent, deps),
    '/sign-out': async (c) => redirect('/sign-in', undefined, await deps.accounts.signOut(c.req.raw.headers)),
    '/forgot': (c, sent) => forgot(c, sent, deps),
    '/reset': (c, sent) => reset(c, sent, deps),
  };
  const answer = async (c: Context, route: string, work: () => Promise<Html | Response>) => {
    const started = performance.now();
    const request_id = requestIdOf(c.req.raw.headers);
    let error: unknown;
    const response = await work()
      .then((made) => (made instanceof Response ? made : answerPage(made)))
      .catch((thrown: unknown) => {
        error = thrown;
        return brokenPage(request_id);
      });
    const duration_ms = Math.round((performance.now() - started) * 10) / 10;
    const entry = { request_id, method: c.req.method, route, status: response.status, duration_ms, workspace_id: null };
    deps.log(response.status >= 500 ? { ...entry, error } : entry);
    return response;
  };
  for (const [path, show] of Object.entries(pages)) app.get(path, (c) => answer(c, path, () => show(c)));
  for (const [path, take] of Object.entries(forms)) {
    app.post(path, ...protect, (c) => answer(c, path, async () => take(c, await readForm(c.req.raw))));
  }
}

/** A program that asks to be let in leads here, too; it goes on after signing in. */
const authorize = '/api/auth/oauth2/authorize?';

/** Only a path of our own: anything else would lead people who sign in to another site. */
function nextOf(c: Context): string {
  const { search, searchParams } = new URL(c.req.url);
  if (searchParams.has('client_id')) return `${authorize}${search.slice(1)}`;
  const next = searchParams.get('next') ?? '';
  const own = next.startsWith(authorize) || /^\/dashboard(?:[/?][\w/?=&.%-]*)?$/.test(next);
  return own ? next : '/dashboard';
}

/** The machine that a request came from, as far as the connection tells. */
export function machineOf(c: Context): string {
  const connection = c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined;
  return connection?.incoming?.socket?.remoteAddress ?? '';
}

/** One sentence when too much was tried, null when it may go on. */
async function tooOften(c: Context, email: string, { db, now }: SignInDeps): Promise<string | null> {
  const waits = await Promise.all([
    throttle(db.sql, `sign-in address ${email.toLowerCase()}`, allowances.address, now()),
    throttle(db.sql, `sign-in machine ${machineOf(c)}`, allowances.machine, now()),
  ]);
  const wait = Math.max(...waits.map((seconds) => seconds ?? 0));
  return wait > 0 ? `That was tried too often: wait ${Math.ceil(wait / 60)} minutes.` : null;
}

async function signIn(c: Context, sent: FormData, deps: SignInDeps): Promise<Html | Response> {
  const email = text(sent, 'email');
  const refused = await tooOften(c, email, deps);
  if (refused) return answerPage(signInPage(nextOf(c), email, refused), 429);
  const password = String(sent.get('password') ?? '');
  const wrong =
    'The address or the password is wrong, or the address is not confirmed yet: then a new confirmation is on its way.';
  const entered: Entered = emailForm.safeParse(email).success
    ? await deps.accounts.signIn({ email, password }, c.req.raw.headers)
    : { ok: false, message: wrong };
  if (!entered.ok) return answerPage(signInPage(nextOf(c), email, wrong), 401);
  return redirect(nextOf(c), undefined, entered.cookies);
}

async function signUp(c: Context, sent: FormData, deps: SignInDeps): Promise<Html | Response> {
  const [name, email] = [text(sent, 'name').slice(0, 80), text(sent, 'email')];
  const password = String(sent.get('password') ?? '');
  const problem = personProblem(name, email) ?? passwordProblem(password) ?? (await tooOften(c, email, deps));
  if (problem) return answerPage(signUpPage({ name, email }, problem), 400);
  const made = await deps.accounts.signUp({ name, email, password });
  if (!made.ok) return answerPage(signUpPage({ name, email }, made.message), 400);
  return sentPage(
    'Confirm your address',
    `A link to confirm ${email} is on its way. It signs you in, and your 100 starter credits are there.`,
    deps,
  );
}

async function forgot(c: Context, sent: FormData, deps: SignInDeps): Promise<Html | Response> {
  const email = text(sent, 'email');
  const refused = emailForm.safeParse(email).success
    ? await tooOften(c, email, deps)
    : 'This is not an e-mail address.';
  if (refused) return answerPage(forgotPage(email, refused), 400);
  await deps.accounts.requestReset(email);
  return sentPage(
    'Look into your mail',
    `If ${email} has an account here, a link to choose a new password is on its way.`,
    deps,
  );
}

async function reset(_c: Context, sent: FormData, deps: SignInDeps): Promise<Html | Response> {
  const token = text(sent, 'token');
  const password = String(sent.get('password') ?? '');
  const problem = passwordProblem(password);
  if (problem) return answerPage(resetPage(token, problem), 400);
  const done = await deps.accounts.reset(token, password);
  if (!done.ok) return answerPage(resetPage(token, done.message), 400);
  return signInPage('/dashboard', '', null, 'Your new password is set: sign in with it.');
}

async function useLink(c: Context, use: (token: string) => Promise<Entered>): Promise<Html | Response> {
  const entered = await use(c.req.query('token') ?? '');
  if (entered.ok) return redirect('/dashboard', undefined, entered.cookies);
  return answerPage(signInPage('/dashboard', '', entered.message), 400);
}

function personProblem(name: string, email: string): string | null {
  if (name === '') return 'Say how you want to be called.';
  return emailForm.safeParse(email).success ? null : 'This is not an e-mail address.';
}

function passwordProblem(password: string): string | null {
  const { min, max } = password_length;
  if (password.length >= min && password.length <= max) return null;
  return `A password has ${min} to ${max} characters.`;
}

const box = (heading: string, content: Piece[]) => html`<div class="box"><h1>${heading}</h1>${content}</div>`;

const password = (label: string, autocomplete: string, hint?: string) =>
  field(label, 'password', { type: 'password', required: true, autocomplete, ...(hint ? { hint } : {}) });
const email = (value: string) =>
  field('E-mail', 'email', { type: 'email', value, required: true, autocomplete: 'email', maxlength: 254 });

function signInPage(next: string, address: string, problem: string | null, news: string | null = null) {
  const action = next === '/dashboard' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`;
  const content = box('Sign in', [
    notice(news, 'good'),
    notice(problem, 'bad'),
    form(action, [email(address), password('Password', 'current-password')], 'Sign in'),
    html`<p><a href="/forgot">Forgot the password?</a> · <a href="/sign-up">Sign up</a></p>`,
  ]);
  return publicPage('Sign in', content);
}

function signUpPage(person: { name: string; email: string }, problem: string | null) {
  const name = field('Name', 'name', { value: person.name, required: true, autocomplete: 'name', maxlength: 80 });
  const hint = `At least ${password_length.min} characters.`;
  const content = box('Sign up', [
    html`<p>100 starter credits, no card.</p>`,
    notice(problem, 'bad'),
    form('/sign-up', [name, email(person.email), password('Password', 'new-password', hint)], 'Sign up'),
    html`<p>Have an account? <a href="/sign-in">Sign in</a></p>`,
  ]);
  return publicPage('Sign up', content);
}

function forgotPage(address: string, problem: string | null) {
  const content = box('Forgotten password', [
    html`<p>We send a link to choose a new one.</p>`,
    notice(problem, 'bad'),
    form('/forgot', [email(address)], 'Send the link'),
    html`<p><a href="/sign-in">Back to sign in</a></p>`,
  ]);
  return publicPage('Forgotten password', content);
}

function resetPage(token: string, problem: string | null) {
  const hint = `At least ${password_length.min} characters. Other sessions end.`;
  const content = box('Choose a new password', [
    notice(problem, 'bad'),
    form(
      '/reset',
      [html`<input type="hidden" name="token" value="${token}">`, password('New password', 'new-password', hint)],
      'Set the password',
    ),
  ]);
  return publicPage('Choose a new password', content);
}

function sentPage(heading: string, sentence: string, { mails }: SignInDeps) {
  const operator = 'This server sends no mail: its operator finds the link in the log of the server.';
  return publicPage(heading, box(heading, [html`<p>${sentence}</p>`, notice(mails ? null : operator)]));
}
