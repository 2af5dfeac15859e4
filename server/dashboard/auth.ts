import { drizzleAdapter } from '@better-auth/drizzle-adapter';
import { type OAuthOptions, oauthProvider } from '@better-auth/oauth-provider';
import type { BetterAuthPlugin } from 'better-auth';
import { betterAuth } from 'better-auth/minimal';
import { magicLink } from 'better-auth/plugins/magic-link';
import * as tables from '../../db/auth-schema.ts';
import type { Database } from '../../db/connect.ts';
import { hashToken } from '../../db/connections.ts';
import type { SendMail } from '../../pipeline/mail.ts';
import { password_length } from './auth-limits.ts';

export interface AuthDeps {
  db: Pick<Database, 'drizzle'>;
  base_url: string;
  secret: string;
  mail: SendMail;
  /** The workspace that a user acts for. */
  workspaceOf(user_id: string): Promise<string | undefined>;
  /** Called with what could not be mailed; the page says the same either way. */
  on_error(error: unknown): void;
}

const link_seconds = { verify: 24 * 3600, reset: 3600, sign_in: 24 * 3600 };
const session_seconds = { lasts: 30 * 86_400, renewed_after: 86_400 };

/** The sign-in library over our database: e-mail with password, links by mail, sessions in Postgres. */
export function createAuth(deps: AuthDeps) {
  const { base_url } = deps;
  const link = (path: string, token: string) => `${base_url}${path}?token=${encodeURIComponent(token)}`;
  // Not waited for: how long a mail takes would tell whether an address is known.
  const send = (to: string, subject: string, lines: string[]) => {
    deps.mail({ to, subject, text: lines.join('\n\n') }).catch(deps.on_error);
    return Promise.resolve();
  };
  return betterAuth({
    appName: 'Tidemark',
    baseURL: base_url,
    secret: deps.secret,
    trustedOrigins: [base_url],
    telemetry: { enabled: false },
    onAPIError: { errorURL: `${base_url}/dashboard/connect` },
    logger: { level: 'error', log: (_level, message, ...details) => deps.on_error({ message, details }) },
    database: drizzleAdapter(deps.db.drizzle, {
      provider: 'pg',
      transaction: true,
      schema: {
        user: tables.authUsers,
        session: tables.authSessions,
        account: tables.authAccounts,
        verification: tables.authVerifications,
        oauthClient: tables.oauthClients,
        oauthResource: tables.oauthResources,
        oauthClientResource: tables.oauthClientResources,
        oauthRefreshToken: tables.oauthRefreshTokens,
        oauthAccessToken: tables.oauthAccessTokens,
        oauthConsent: tables.oauthConsents,
        oauthClientAssertion: tables.oauthClientAssertions,
      },
    }),
    // Our own counters in the database throttle each form: the library's count by an address that a proxy may hide.
    rateLimit: { enabled: false },
    session: { expiresIn: session_seconds.lasts, updateAge: session_seconds.renewed_after },
    advanced: { cookiePrefix: 'tidemark' },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: password_length.min,
      maxPasswordLength: password_length.max,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: link_seconds.reset,
      sendResetPassword: ({ user, token }) =>
        send(user.email, 'Choose a new password for Tidemark', [
          'Somebody asked for a new password for this address. Within an hour, choose one here:',
          link('/reset', token),
          'If it was not you, there is nothing to do: the old password still works.',
        ]),
      onExistingUserSignUp: ({ user }) =>
        send(user.email, 'You have a Tidemark account already', [
          'Somebody tried to sign up with this address, which has an account already. Sign in here:',
          `${base_url}/sign-in`,
          `If you forgot the password: ${base_url}/forgot`,
        ]),
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: true,
      autoSignInAfterVerification: true,
      expiresIn: link_seconds.verify,
      sendVerificationEmail: ({ user, token }) =>
        send(user.email, 'Confirm your address for Tidemark', [
          'Welcome to Tidemark. Confirm this address within a day, and you are signed in:',
          link('/confirm', token),
          'If you did not sign up, there is nothing to do.',
        ]),
    },
    plugins: [
      oauthPlugin(deps),
      magicLink({
        disableSignUp: true,
        expiresIn: link_seconds.sign_in,
        storeToken: 'hashed',
        sendMagicLink: ({ token, metadata }) => metadata?.take(link('/enter', token)),
      }),
    ],
  });
}

/** The scope of programs that act for a workspace, and the one that lets them stay. */
const oauth_scopes = ['mcp', 'offline_access'];

type Provider = ReturnType<typeof oauthProvider<OAuthOptions<string[]>>>;
type UsedEndpoints = 'getOAuthClientPublic';

/** OAuth for MCP clients that cannot send a header: they register themselves, and a member consents. */
function oauthPlugin({ base_url, workspaceOf }: AuthDeps) {
  const resource = `${base_url}/mcp`;
  const provider = oauthProvider({
    loginPage: '/sign-in',
    consentPage: '/dashboard/connect',
    scopes: oauth_scopes,
    resources: [{ identifier: resource, name: 'MCP' }],
    clientRegistrationDefaultResources: [resource],
    clientRegistrationAllowedResources: [resource],
    allowDynamicClientRegistration: true,
    allowUnauthenticatedClientRegistration: true,
    // Tokens are opaque and looked up: revoking one holds at once.
    disableJwtPlugin: true,
    storeTokens: { hash: async (token) => hashToken(token) },
    storeClientSecret: 'encrypted',
    postLogin: {
      page: '/dashboard/connect',
      shouldRedirect: async () => false,
      consentReferenceId: ({ user }) => workspaceOf(user.id),
    },
  } satisfies OAuthOptions<string[]>);
  // The two packages' types differ in whether an optional member may be undefined; what is called here is typed as it is.
  return provider as unknown as Omit<BetterAuthPlugin, 'endpoints' | 'id'> & {
    id: 'oauth-provider';
    endpoints: Pick<Provider['endpoints'], UsedEndpoints>;
  };
}
