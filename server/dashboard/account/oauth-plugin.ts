import { getOAuthProviderState, type OAuthOptions, oauthProvider } from '@better-auth/oauth-provider';
import type { BetterAuthPlugin } from 'better-auth';
import { hashToken } from '../../../db/accounts/connections.ts';

/** OAuth scopes: `mcp` calls the tools of a workspace, `offline_access` allows refresh tokens. */
const oauthScopes = ['mcp', 'offline_access'];

type Provider = ReturnType<typeof oauthProvider<OAuthOptions<string[]>>>;
type UsedEndpoints = 'getOAuthClientPublicPrelogin';

export interface OAuthPluginDeps {
  base_url: string;
  /** Returns the grant of a client in the workspace that a user acts for; null when it is not connected. */
  grantOf(userId: string, clientId: string): Promise<string | null>;
}

/** Returns the OAuth plugin for MCP clients that cannot send an API key. They register themselves, and a member gives consent. */
export function oauthPlugin({ base_url, grantOf }: OAuthPluginDeps) {
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
    // The consent page shows a client only for signed parameters.
    allowPublicClientPrelogin: true,
    postLogin: {
      page: '/dashboard/connect',
      shouldRedirect: async () => false,
      // Without a connection nothing is found under this name, so the member is asked for consent, and nothing can be stored under it.
      consentReferenceId: async ({ user }) => (await grantOf(user.id, await requestingClient())) ?? 'not connected',
    },
  } satisfies OAuthOptions<string[]>);
  // The types of the two packages disagree about optional members. This keeps only the endpoints that are called here.
  return provider as unknown as Omit<BetterAuthPlugin, 'endpoints' | 'id'> & {
    id: 'oauth-provider';
    endpoints: Pick<Provider['endpoints'], UsedEndpoints>;
  };
}

/** Returns the id of the client whose authorization request is being answered. */
async function requestingClient(): Promise<string> {
  const state = await getOAuthProviderState();
  return new URLSearchParams(state?.query).get('client_id') ?? '';
}
