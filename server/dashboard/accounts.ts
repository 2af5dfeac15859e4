import { randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';
import { findMembership, giveWorkspace, type Membership } from '../../db/members.ts';
import { settingOnce } from '../../db/settings.ts';
import type { AuthDeps } from './auth.ts';

/** A person who is signed in, and the workspace they act for. */
export interface Visitor extends Membership {
  user_id: string;
  session_id: string;
  name: string;
  email: string;
}

/** What came of a form: cookies to set, or one sentence for the person. */
export type Entered = { ok: true; cookies: string[] } | { ok: false; message: string };

export interface OAuthClientFacts {
  client_id: string;
  name: string;
  uri: string | null;
}

export type Consented = { ok: true; location: string } | { ok: false; message: string };

export interface Credentials {
  email: string;
  password: string;
}

export interface Accounts {
  /** Null when nobody is signed in. A confirmed user's workspace is made when they first come. */
  visitor(headers: Headers): Promise<Visitor | null>;
  /** The same for an address that has an account already: only its mail tells. */
  signUp(person: Credentials & { name: string }): Promise<Entered>;
  signIn(credentials: Credentials, headers: Headers): Promise<Entered>;
  signOut(headers: Headers): Promise<string[]>;
  /** Ends every session of the visitor but this one. */
  signOutElsewhere(headers: Headers): Promise<void>;
  /** Uses the token of a confirmation mail. */
  confirm(token: string, headers: Headers): Promise<Entered>;
  /** Uses a one-time sign-in link. */
  enter(token: string, headers: Headers): Promise<Entered>;
  requestReset(email: string): Promise<void>;
  reset(token: string, password: string): Promise<Entered>;
  changePassword(passwords: { current: string; chosen: string }, headers: Headers): Promise<Entered>;
  /** A one-time sign-in link of a known address. */
  signInLink(email: string): Promise<string>;
  /** What a program that asks to be let in says of itself; null when nobody knows it. */
  client(client_id: string, headers: Headers): Promise<OAuthClientFacts | null>;
  /** Answers a program's request to be let in, as it was signed; the address to lead the person to. */
  consent(answer: { accept: boolean; oauth_query: string }, headers: Headers): Promise<Consented>;
  /** What the library itself answers under /api/auth: OAuth, and nothing that a form does. */
  handle(request: Request): Promise<Response>;
}

export interface AccountsDeps extends Omit<AuthDeps, 'secret' | 'db' | 'workspaceOf'> {
  db: AuthDeps['db'] & { sql: Sql };
  /** Null: one is made and kept in the database. */
  session_secret: string | null;
  starter_credits: number;
}

/** Sign-in and its library, which is loaded when it is first needed: the API needs none of it. */
export function createAccounts(deps: AccountsDeps): Accounts {
  const open = once(() => openAuth(deps));
  return {
    async visitor(headers) {
      // Most requests of strangers carry no cookie: they are answered without asking the database.
      if (!headers.get('cookie')?.includes('tidemark.session_token=')) return null;
      const { api } = await open();
      const found = await api.getSession({ headers });
      if (!found) return null;
      const { id: user_id, name, email } = found.user;
      const membership =
        (await findMembership(deps.db.sql, user_id)) ??
        (await giveWorkspace(deps.db.sql, { user_id, name, email }, deps.starter_credits));
      if (!membership) return null;
      return { ...membership, user_id, session_id: found.session.id, name, email };
    },
    async signUp(body) {
      const { api } = await open();
      return entered(() => api.signUpEmail({ body, returnHeaders: true }), 'This address cannot be used.');
    },
    async signIn(body, headers) {
      const { api } = await open();
      return entered(
        () => api.signInEmail({ body, headers, returnHeaders: true }),
        'The address or the password is wrong, or the address is not confirmed yet. A new confirmation was sent in that case.',
      );
    },
    async signOut(headers) {
      const { api } = await open();
      return (await api.signOut({ headers, returnHeaders: true })).headers.getSetCookie();
    },
    async signOutElsewhere(headers) {
      const { api } = await open();
      // Whoever signed out meanwhile is led to sign in by the next page.
      await api.revokeOtherSessions({ headers }).catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
      });
    },
    async confirm(token, headers) {
      const { api } = await open();
      const message = 'This link is no longer valid: sign in, and a new one is sent.';
      return entered(() => api.verifyEmail({ query: { token }, headers, returnHeaders: true }), message);
    },
    async enter(token, headers) {
      const { api } = await open();
      const message = 'This link was used already or is too old.';
      return entered(() => api.magicLinkVerify({ query: { token }, headers, returnHeaders: true }), message);
    },
    async requestReset(email) {
      const { api } = await open();
      await api.requestPasswordReset({ body: { email } });
    },
    async reset(token, newPassword) {
      const { api } = await open();
      const message = 'This link is no longer valid: ask for a new one.';
      return entered(() => api.resetPassword({ body: { token, newPassword }, returnHeaders: true }), message);
    },
    async changePassword({ current, chosen }, headers) {
      const { api } = await open();
      const body = { currentPassword: current, newPassword: chosen, revokeOtherSessions: true };
      return entered(
        () => api.changePassword({ body, headers, returnHeaders: true }),
        'The current password is wrong.',
      );
    },
    async signInLink(email) {
      const { api } = await open();
      const { promise, resolve } = Promise.withResolvers<string>();
      await api.signInMagicLink({ body: { email, metadata: { take: resolve } }, headers: new Headers() });
      return promise;
    },
    async client(client_id, headers) {
      const { api } = await open();
      try {
        const { client_name, client_uri } = await api.getOAuthClientPublic({ query: { client_id }, headers });
        return { client_id, name: client_name ?? client_id, uri: client_uri ?? null };
      } catch (error) {
        if (isRefusal(error)) return null;
        throw error;
      }
    },
    async consent(body, headers) {
      const { handler } = await open();
      const request = new Request(`${deps.base_url}/api/auth/oauth2/consent`, {
        method: 'POST',
        headers: {
          cookie: headers.get('cookie') ?? '',
          origin: deps.base_url,
          'content-type': 'application/json',
          accept: 'application/json',
        },
        body: JSON.stringify(body),
      });
      const answer = await handler(request);
      const { url } = (await answer.json()) as { url?: string };
      if (answer.ok && url) return { ok: true, location: url };
      return { ok: false, message: 'This request to be let in is too old or was changed: start again in the program.' };
    },
    async handle(request) {
      return (await open()).handler(request);
    },
  };
}

async function openAuth(deps: AccountsDeps) {
  const [{ createAuth }, secret] = await Promise.all([
    import('./auth.ts'),
    deps.session_secret ?? settingOnce(deps.db.sql, 'session_secret', () => randomBytes(32).toString('hex')),
  ]);
  const workspaceOf = async (user_id: string) => (await findMembership(deps.db.sql, user_id))?.workspace_id;
  return createAuth({ ...deps, secret, workspaceOf });
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
}

/** What the library refuses is the person's to mend; everything else is ours. */
async function entered(work: () => Promise<{ headers: Headers }>, refusal: string): Promise<Entered> {
  try {
    return { ok: true, cookies: (await work()).headers.getSetCookie() };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { ok: false, message: refusal };
  }
}

function isRefusal(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'statusCode' in error ? Number(error.statusCode) : 500;
  return code >= 300 && code < 500;
}
