import { getOAuthProviderState, type OAuthOptions, oauthProvider } from '@better-auth/oauth-provider';
import type { BetterAuthPlugin } from 'better-auth';
import { hashSecret } from '../../../../db/accounts/secrets.ts';
import { oauthScopes } from './oauth-registration.ts';

type Provider = ReturnType<typeof oauthProvider<OAuthOptions<string[]>>>;
type UsedEndpoints = 'getOAuthClientPublicPrelogin';

export interface OAuthPluginDeps {
  base_url: string;
  /**
   * Returns the id of the connection between an OAuth client and the user's current workspace. Returns null when the
   * client is not connected to the workspace.
   */
  grantOf(userId: string, clientId: string): Promise<string | null>;
}

/**
 * Returns the OAuth plugin for MCP clients that cannot send an API key. A client registers itself, and a member of a
 * workspace then gives consent.
 */
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
    // Issues opaque tokens, which are looked up in the database at each request, so that a revoked token stops working
    // immediately. A JWT would work until it expires.
    disableJwtPlugin: true,
    storeTokens: { hash: async (token) => hashSecret(token) },
    storeClientSecret: 'encrypted',
    // Lets the consent page read the client's name. The library returns it only for a signed authorization request.
    allowPublicClientPrelogin: true,
    postLogin: {
      page: '/dashboard/connect',
      shouldRedirect: async () => false,
      // The library stores each consent under the id that this function returns: the id of the connection, or 'not
      // connected'. No consent is ever stored under 'not connected', so a member without a connection is always asked.
      consentReferenceId: async ({ user }) => (await grantOf(user.id, await requestingClient())) ?? 'not connected',
    },
  } satisfies OAuthOptions<string[]>);
  // The types of better-auth and of its OAuth plugin disagree about optional properties. The cast keeps only the
  // endpoints that this server calls.
  return provider as unknown as Omit<BetterAuthPlugin, 'endpoints' | 'id'> & {
    id: 'oauth-provider';
    endpoints: Pick<Provider['endpoints'], UsedEndpoints>;
  };
}

/** Returns the client id in the OAuth authorization request that is being handled. */
async function requestingClient(): Promise<string> {
  const state = await getOAuthProviderState();
  return new URLSearchParams(state?.query).get('client_id') ?? '';
}
