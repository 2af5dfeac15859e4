import { drizzleAdapter } from '@better-auth/drizzle-adapter';
import { type OAuthOptions, oauthProvider } from '@better-auth/oauth-provider';
import type { BetterAuthPlugin } from 'better-auth';
import { betterAuth } from 'better-auth/minimal';
import { magicLink } from 'better-auth/plugins/magic-link';
import { hashToken } from '../../../db/accounts/connections.ts';
import type { Database } from '../../../db/connect.ts';
import * as tables from '../../../db/schema/sign-in.ts';
import type { SendMail } from '../../../pipeline/notify/mail.ts';
import { passwordLength } from './auth-limits.ts';

export interface AuthDeps {
  db: Pick<Database, 'drizzle'>;
  base_url: string;
  secret: string;
  mail: SendMail;
  /** Returns the workspace that a user acts for. */
  workspaceOf(userId: string): Promise<string | undefined>;
  /** Receives errors that the page does not show, such as an email that could not be sent. */
  on_error(error: unknown): void;
}

const linkSeconds = { verify: 24 * 3600, reset: 3600, sign_in: 24 * 3600 };
const sessionSeconds = { lifetime: 30 * 86_400, renewed_after: 86_400 };

/** Creates the sign-in library: email and password, links by email, sessions in PostgreSQL. */
export function createAuth(deps: AuthDeps) {
  const { base_url } = deps;
  const link = (path: string, token: string) => `${base_url}${path}?token=${encodeURIComponent(token)}`;
  // Does not wait for the email: the response time would reveal whether an address has an account.
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
    // Without `throw`, the library prints failed statements with their parameters.
    onAPIError: { errorURL: `${base_url}/dashboard/connect`, throw: true },
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
    // Each form has its own limit in the database. The library's limit would count all users behind a proxy as one.
    rateLimit: { enabled: false },
    session: { expiresIn: sessionSeconds.lifetime, updateAge: sessionSeconds.renewed_after },
    advanced: { cookiePrefix: 'tidemark' },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: linkSeconds.reset,
      sendResetPassword: ({ user, token }) =>
        send(user.email, 'Choose a new password for Tidemark', [
          'You asked to reset the password for this email address. Choose a new one within one hour:',
          link('/reset', token),
          'If this was not you, ignore this email. Your password has not changed.',
        ]),
      onExistingUserSignUp: ({ user }) =>
        send(user.email, 'You already have a Tidemark account', [
          'Someone tried to sign up with this email address, but you already have an account. Sign in here:',
          `${base_url}/sign-in`,
          `Forgot your password? Reset it here: ${base_url}/forgot`,
        ]),
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: true,
      autoSignInAfterVerification: true,
      expiresIn: linkSeconds.verify,
      sendVerificationEmail: ({ user, token }) =>
        send(user.email, 'Confirm your email address for Tidemark', [
          'Welcome to Tidemark. Confirm your email address within 24 hours to sign in:',
          link('/confirm', token),
          'If you did not sign up, ignore this email.',
        ]),
    },
    plugins: [
      oauthPlugin(deps),
      magicLink({
        disableSignUp: true,
        expiresIn: linkSeconds.sign_in,
        storeToken: 'hashed',
        sendMagicLink: ({ token, metadata }) => metadata?.resolve(link('/enter', token)),
      }),
    ],
  });
}

/** OAuth scopes: `mcp` calls the tools of a workspace, `offline_access` allows refresh tokens. */
const oauthScopes = ['mcp', 'offline_access'];

type Provider = ReturnType<typeof oauthProvider<OAuthOptions<string[]>>>;
type UsedEndpoints = 'getOAuthClientPublic';

/** Returns the OAuth plugin for MCP clients that cannot send an API key. They register themselves, and a member gives consent. */
function oauthPlugin({ base_url, workspaceOf }: AuthDeps) {
  const resource = `${base_url}/mcp`;
  const provider = oauthProvider({
    loginPage: '/sign-in',
    consentPage: '/dashboard/connect',
    scopes: oauthScopes,
    resources: [{ identifier: resource, name: 'MCP' }],
    clientRegistrationDefaultResources: [resource],
    clientRegistrationAllowedResources: [resource],
    allowDynamicClientRegistration: true,
    allowUnauthenticatedClientRegistration: true,
    // Opaque tokens are looked up on each request, so revoking one takes effect at once.
    disableJwtPlugin: true,
    storeTokens: { hash: async (token) => hashToken(token) },
    storeClientSecret: 'encrypted',
    postLogin: {
      page: '/dashboard/connect',
      shouldRedirect: async () => false,
      consentReferenceId: ({ user }) => workspaceOf(user.id),
    },
  } satisfies OAuthOptions<string[]>);
  // The types of the two packages disagree about optional members. This keeps only the endpoints that are called here.
  return provider as unknown as Omit<BetterAuthPlugin, 'endpoints' | 'id'> & {
    id: 'oauth-provider';
    endpoints: Pick<Provider['endpoints'], UsedEndpoints>;
  };
}
