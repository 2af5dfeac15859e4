import { drizzleAdapter } from '@better-auth/drizzle-adapter';
import type { AuthContext, Logger } from 'better-auth';
import { betterAuth } from 'better-auth/minimal';
import { magicLink } from 'better-auth/plugins/magic-link';
import { addUserAudit } from '../../../db/accounts/audit.ts';
import { removePendingLinks } from '../../../db/accounts/pending-links.ts';
import type { Database } from '../../../db/connect.ts';
import { daySeconds } from '../../../db/durations.ts';
import * as oauthTables from '../../../db/schema/oauth.ts';
import * as tables from '../../../db/schema/sign-in.ts';
import {
  type AuthMailDeps,
  confirmationOptions,
  linkOf,
  linkSeconds,
  type MailedUser,
  mailPasswordChanged,
  passwordOptions,
} from './auth-mails.ts';
import { createConfirmation } from './confirmation.ts';
import { isDuplicate } from './form-result.ts';
import { withHashedSessions } from './hashed-sessions.ts';
import { withEndedSessions } from './oauth/ended-sessions.ts';
import { type OAuthPluginDeps, oauthPlugin } from './oauth/oauth-plugin.ts';
import { passkeyPlugin } from './passkey-plugin.ts';
import { addressHeader } from './session-address.ts';
import { createSessionReads, type SessionReads } from './session-reads.ts';
import { twoFactorPlugin } from './two-factor-plugin.ts';

/** Hashes passwords and verifies them. */
export interface PasswordHash {
  hash(password: string): Promise<string>;
  verify(stored: { hash: string; password: string }): Promise<boolean>;
}

export interface AuthDeps extends AuthMailDeps, OAuthPluginDeps {
  db: Pick<Database, 'drizzle' | 'sql'>;
  secret: string;
  now: () => Date;
  /** Only tests set this, to make password hashes cheap. Default: scrypt with the cost that the library chose. */
  password_hash?: PasswordHash;
}

/**
 * Messages that the sign-in library logs when a browser sends an invalid passkey. These messages are not reported as
 * errors, because nothing on this server failed.
 */
const invalidAnswers: ReadonlySet<string> = new Set([
  'Failed to verify registration',
  'Failed to verify authentication',
]);

const sessionSeconds = { lifetime: 30 * daySeconds, renewed_after: daySeconds };

/**
 * Returns the configured sign-in library (better-auth). Users sign in with a password or an emailed link, and their
 * sessions are stored in PostgreSQL.
 */
export function createAuth(deps: AuthDeps) {
  const { base_url } = deps;
  const context = async (): Promise<Context> => library.$context;
  const reads = createSessionReads();
  const confirmation = createConfirmation(async (userId, password) => isPasswordOf(await context(), userId, password));
  const passwordReset = async (user: MailedUser): Promise<void> => afterPasswordReset(deps, await context(), user);
  const library = betterAuth({
    appName: 'Tidemark',
    baseURL: base_url,
    secret: deps.secret,
    trustedOrigins: [base_url],
    telemetry: { enabled: false },
    // Without `throw: true`, the sign-in library prints each failed SQL statement with its parameters, which can be
    // personal data.
    onAPIError: { errorURL: `${base_url}/dashboard/connect`, throw: true },
    logger: loggerOf(deps, reads),
    database: withHashedSessions(withEndedSessions(databaseOf(deps))),
    verification: { storeIdentifier: 'hashed' },
    // The rate limit of the sign-in library is off, because it would count all users behind one proxy as one user.
    // Instead, each form has its own limit, which is stored in the database.
    rateLimit: { enabled: false },
    session: { expiresIn: sessionSeconds.lifetime, updateAge: sessionSeconds.renewed_after },
    advanced: { cookiePrefix: 'tidemark', ipAddress: { ipAddressHeaders: [addressHeader], ipv6Subnet: 128 } },
    emailAndPassword: { ...passwordOptions(deps, passwordReset), password: deps.password_hash ?? {} },
    emailVerification: confirmationOptions(deps, confirmation.check),
    plugins: [oauthPlugin(deps), twoFactorPlugin(), passkeyPlugin(base_url), emailedLinkPlugin(base_url)],
  });
  const { api, handler } = library;
  return {
    api,
    handler,
    /** Invalidates all links that were emailed before the password change, and emails the user about the change. */
    passwordChanged: (user: ChangedUser) => afterPasswordChange(deps, user),
    confirm: confirmation.run,
    session: (headers: Headers) => reads.run(() => api.getSession({ headers })),
  };
}

export type Auth = ReturnType<typeof createAuth>;
type ChangedUser = Pick<MailedUser, 'id' | 'email'>;
interface Context extends Pick<AuthContext, 'internalAdapter'> {
  password: Pick<AuthContext['password'], 'verify'>;
}

async function isPasswordOf({ internalAdapter, password: hashing }: Context, userId: string, password: string) {
  const accounts = await internalAdapter.findAccounts(userId);
  const hash = accounts.find(({ providerId }) => providerId === 'credential')?.password;
  return hash ? hashing.verify({ hash, password }) : false;
}

async function afterPasswordChange(deps: AuthDeps, user: ChangedUser): Promise<void> {
  await removePendingLinks(deps.db.sql, user);
  mailPasswordChanged(deps, user);
}

async function afterPasswordReset(deps: AuthDeps, { internalAdapter }: Context, user: MailedUser): Promise<void> {
  await afterPasswordChange(deps, user);
  const action = 'chose a new password by an emailed link';
  await addUserAudit(deps.db.sql, user.email, { actor: user.email, action }, deps.now());
  // The link was in an email to this address, so the address belongs to the user.
  if (!user.emailVerified) await internalAdapter.updateUser(user.id, { emailVerified: true });
}

/** Returns a logger for the sign-in library that reports only errors of this server. */
function loggerOf({ on_error }: AuthDeps, reads: SessionReads): Logger {
  return {
    level: 'error',
    log: (_level, message, ...details) => {
      const [cause] = details;
      // When the same form arrives twice at the same time, a unique index refuses the second one. That is not an error.
      if (reads.keepCause(cause) || invalidAnswers.has(message) || isDuplicate(cause)) return;
      on_error({ message, details });
    },
  };
}

function emailedLinkPlugin(baseUrl: string) {
  return magicLink({
    disableSignUp: true,
    expiresIn: linkSeconds.sign_in,
    storeToken: 'hashed',
    sendMagicLink: ({ token, metadata }) => metadata?.resolve(linkOf(baseUrl, '/enter', token)),
  });
}

/** Returns the adapter through which the sign-in library reads and writes its tables. */
function databaseOf({ db }: AuthDeps) {
  return drizzleAdapter(db.drizzle(), {
    provider: 'pg',
    transaction: true,
    schema: {
      user: tables.authUsers,
      session: tables.authSessions,
      account: tables.authAccounts,
      verification: tables.authVerifications,
      twoFactor: tables.authTwoFactors,
      passkey: tables.authPasskeys,
      oauthClient: oauthTables.oauthClients,
      oauthResource: oauthTables.oauthResources,
      oauthClientResource: oauthTables.oauthClientResources,
      oauthRefreshToken: oauthTables.oauthRefreshTokens,
      oauthAccessToken: oauthTables.oauthAccessTokens,
      oauthConsent: oauthTables.oauthConsents,
      oauthClientAssertion: oauthTables.oauthClientAssertions,
    },
  });
}
