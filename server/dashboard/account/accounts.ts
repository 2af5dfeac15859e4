import { grantOfUser } from '../../../db/accounts/connections.ts';
import { findMembership, giveWorkspace, isKnownEmail } from '../../../db/accounts/members.ts';
import { touchSession } from '../../../db/accounts/sessions.ts';
import { quickenDrizzle } from '../../../db/drizzle-modules.ts';
import { hourMs } from '../../../db/durations.ts';
import { storedSecret } from '../../../db/settings.ts';
import { loadOnce } from '../../../pipeline/lazy.ts';
import { networkOf } from '../../http/client-address.ts';
import type { Visitors } from '../ui/visitor.ts';
import type { Auth, AuthDeps } from './auth.ts';
import { mayMail } from './auth-mails.ts';
import { type FormResult, formResult, isRefusal } from './form-result.ts';
import { type PasskeyAccounts, passkeyActions } from './passkeys.ts';
import { type TwoFactorAccounts, twoFactorActions } from './two-factor.ts';

interface OAuthClient {
  client_id: string;
  name: string;
  uri: string | null;
}

type ConsentResult = { ok: true; location: string } | { ok: false; message: string };

/** The message for every failed sign-in. One message for all reasons does not reveal which emails have accounts. */
export const wrongCredentials =
  'The email address or the password is wrong. If your address is not confirmed yet, we sent you a new confirmation link.';

export const expiredRequest =
  'This request has expired or was changed. Start again in the app that you want to connect.';

export interface Person {
  user_id: string;
  session_id: string;
  email: string;
}

interface Credentials {
  email: string;
  password: string;
  /** Path of the page that the link in a confirmation email opens after the confirmation. */
  next: string;
}

export interface Accounts extends Visitors, TwoFactorAccounts, PasskeyAccounts {
  /**
   * Creates an account. Returns the same result when the email address already has an account, so that the page does
   * not reveal this. Only the email to that address says that the account exists.
   */
  signUp(person: Credentials & { name: string }): Promise<FormResult>;
  signIn(credentials: Credentials, headers: Headers): Promise<FormResult>;
  /**
   * Returns the signed-in user, without reading or creating a workspace. Returns null when the request has no session.
   */
  person(headers: Headers): Promise<Person | null>;
  signOut(headers: Headers): Promise<string[]>;
  /**
   * Confirms an email address with the token from the confirmation email and the account's password, and signs the user
   * in. Returns null when the password is wrong.
   */
  confirm(entered: { token: string; password: string }, headers: Headers): Promise<FormResult | null>;
  /**
   * Signs a user in with the token from a one-time email link. As after `confirm`, a user with two-factor sign-in must
   * then also enter a code.
   */
  signInByLink(token: string, headers: Headers): Promise<FormResult>;
  requestReset(email: string): Promise<void>;
  reset(token: string, password: string): Promise<FormResult>;
  changePassword(passwords: { current: string; chosen: string }, headers: Headers): Promise<FormResult>;
  /** Returns a one-time sign-in link for the user with this email. */
  signInLink(email: string): Promise<string>;
  /**
   * Returns the OAuth client that sent a signed authorization request. Returns null when the client is unknown, or when
   * the request was changed or has expired.
   */
  client(oauthQuery: string, headers: Headers): Promise<OAuthClient | null>;
  /** Accepts or refuses a signed OAuth authorization request. Returns the redirect URL for the browser. */
  consent(answer: { accept: boolean; oauth_query: string }, headers: Headers): Promise<ConsentResult>;
  /** Passes a request under /api/auth to the sign-in library. Only the OAuth endpoints use this. */
  handle(request: Request): Promise<Response>;
}

interface AccountsDeps extends Omit<AuthDeps, 'secret' | 'grantOf'> {
  /**
   * Secret that signs session cookies. When null, the server uses a secret that it generated and stored in the
   * database.
   */
  session_secret: string | null;
  starter_credits: number;
  now: () => Date;
}

/**
 * Maximum number of characters of a signed OAuth authorization request. The request is sent in a URL, and the server
 * refuses longer URLs.
 */
const maxOAuthQueryCharacters = 16 * 1024;

/** Loads the sign-in library (better-auth) at the first call. Later calls return the same instance. */
type OpenAuth = () => Promise<Auth>;

/**
 * Creates the functions for sign-up, sign-in and sessions. The first call of any of them loads the sign-in library
 * (better-auth), which a server without web pages does not need.
 */
export function createAccounts(deps: AccountsDeps): Accounts {
  const open = loadOnce(() => openAuth(deps));
  return {
    ...sessionActions(open, deps),
    ...passwordActions(open, deps),
    ...linkActions(open),
    ...twoFactorActions(open, deps),
    ...passkeyActions(open),
    ...oauthActions(open, deps.base_url),
  };
}

function sessionActions(open: OpenAuth, deps: AccountsDeps) {
  const { now, starter_credits: credits } = deps;
  const starterOf = (address: string) => ({ credits, network: networkOf(address), now: now() });
  return {
    async visitor(headers, address) {
      // A visitor without a session cookie is not signed in, so no database query is needed.
      if (!headers.get('cookie')?.includes('tidemark.session_token=')) return null;
      const { session } = await open();
      const found = await session(headers);
      if (!found) return null;
      const { id: userId, name, email } = found.user;
      const { id: sessionId, updatedAt } = found.session;
      const used = new Date();
      if (used.getTime() - updatedAt.getTime() > hourMs) await touchSession(deps.db.sql, sessionId, used);
      const membership =
        (await findMembership(deps.db.sql, userId, sessionId)) ??
        (await giveWorkspace(deps.db.sql, { user_id: userId, name, email }, starterOf(address)));
      if (!membership) return null;
      return { ...membership, user_id: userId, session_id: sessionId, name, email };
    },
    async person(headers) {
      const { session } = await open();
      const found = await session(headers);
      return found && { user_id: found.user.id, session_id: found.session.id, email: found.user.email };
    },
    async signOut(headers) {
      const { api } = await open();
      return (await api.signOut({ headers, returnHeaders: true })).headers.getSetCookie();
    },
  } satisfies Partial<Accounts>;
}

function passwordActions(open: OpenAuth, deps: Pick<AccountsDeps, 'db' | 'now'>) {
  return {
    async signUp({ next, ...person }) {
      const { api } = await open();
      const body = { ...person, callbackURL: next };
      const refusal =
        'No account can be created with this email address: check it for typing errors, or use another address.';
      const result = await formResult(() => api.signUpEmail({ body, returnHeaders: true }), refusal);
      // A simultaneous sign-up with this address may have created the account. The result is then the same as for an
      // account that already existed.
      const isTaken = !result.ok && (await isKnownEmail(deps.db.sql, person.email));
      return isTaken ? { ok: true, cookies: [], email: null, needs_code: false } : result;
    },
    async signIn({ next, ...credentials }, headers) {
      const { api } = await open();
      const body = { ...credentials, callbackURL: next };
      return formResult(() => api.signInEmail({ body, headers, returnHeaders: true }), wrongCredentials);
    },
    async requestReset(email) {
      // Counts emails to unknown addresses, too. Otherwise the response time would reveal whether an address has an
      // account.
      if (!(await mayMail(deps, { kind: 'reset', to: email }))) return;
      const { api } = await open();
      await api.requestPasswordReset({ body: { email } });
    },
    async reset(token, newPassword) {
      const { api } = await open();
      const message = 'This link is no longer valid. Request a new one.';
      return formResult(() => api.resetPassword({ body: { token, newPassword }, returnHeaders: true }), message);
    },
    async changePassword({ current, chosen }, headers) {
      const { api, passwordChanged } = await open();
      const body = { currentPassword: current, newPassword: chosen, revokeOtherSessions: true };
      const change = async () => {
        const changed = await api.changePassword({ body, headers, returnHeaders: true });
        await passwordChanged(changed.response.user);
        return changed;
      };
      return formResult(change, 'The current password is wrong.');
    },
  } satisfies Partial<Accounts>;
}

function linkActions(open: OpenAuth) {
  return {
    async confirm({ token, password }, headers) {
      const { api, confirm } = await open();
      const message = 'This link is no longer valid. Sign in to get a new one.';
      const verify = () => api.verifyEmail({ query: { token }, headers, returnHeaders: true });
      return confirm(password, () => formResult(verify, message));
    },
    async signInByLink(token, headers) {
      const { api } = await open();
      const message =
        'This link was already used or has expired. Sign in with your password, or ask your Tidemark administrator for a new link.';
      return formResult(() => api.magicLinkVerify({ query: { token }, headers, returnHeaders: true }), message);
    },
    async signInLink(email) {
      const { api } = await open();
      const { promise, resolve } = Promise.withResolvers<string>();
      await api.signInMagicLink({ body: { email, metadata: { resolve } }, headers: new Headers() });
      return promise;
    },
  } satisfies Partial<Accounts>;
}

function oauthActions(open: OpenAuth, baseUrl: string) {
  return {
    async client(oauthQuery, headers) {
      if (oauthQuery.length > maxOAuthQueryCharacters) return null;
      const clientId = new URLSearchParams(oauthQuery).get('client_id') ?? '';
      // OAuth client ids contain only printable ASCII characters. A NUL character would make PostgreSQL fail.
      if (!/^[\x21-\x7e]{1,200}$/.test(clientId)) return null;
      const { api } = await open();
      try {
        const body = { client_id: clientId, oauth_query: oauthQuery };
        const { client_name, client_uri } = await api.getOAuthClientPublicPrelogin({ body, headers });
        return { client_id: clientId, name: client_name ?? clientId, uri: client_uri ?? null };
      } catch (error) {
        if (isRefusal(error)) return null;
        throw error;
      }
    },
    async consent(body, headers) {
      const { handler } = await open();
      const request = new Request(`${baseUrl}/api/auth/oauth2/consent`, {
        method: 'POST',
        headers: {
          cookie: headers.get('cookie') ?? '',
          origin: baseUrl,
          'content-type': 'application/json',
          accept: 'application/json',
        },
        body: JSON.stringify(body),
      });
      const answer = await handler(request);
      const { url } = (await answer.json()) as { url?: string };
      if (answer.ok && url) return { ok: true, location: url };
      return { ok: false, message: expiredRequest };
    },
    async handle(request) {
      return (await open()).handler(request);
    },
  } satisfies Partial<Accounts>;
}

/** Loads the sign-in library, which takes 0.25 seconds. A process in which no user signs in never loads the library. */
export function loadAuth(): Promise<typeof import('./auth.ts')> {
  quickenDrizzle();
  return import('./auth.ts');
}

async function openAuth(deps: AccountsDeps) {
  const [{ createAuth }, secret] = await Promise.all([
    loadAuth(),
    deps.session_secret ?? storedSecret(deps.db.sql, 'session_secret'),
  ]);
  const grant = (userId: string, clientId: string) => grantOfUser(deps.db.sql, userId, clientId);
  return createAuth({ ...deps, secret, grantOf: grant });
}
