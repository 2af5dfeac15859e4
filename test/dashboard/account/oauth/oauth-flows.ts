import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { DashboardSetup, Member } from '../../dashboard-server.ts';

export const redirectUri = 'http://127.0.0.1:9/callback';

interface Tokens {
  access_token: string;
  refresh_token: string;
  error?: string;
}

const usualScope = 'mcp offline_access';

function authorizeQuery(
  baseUrl: string,
  clientId: string,
  verifier: string,
  { target, scope }: { target: string; scope: string },
): URLSearchParams {
  return new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: target,
    scope,
    state: 'a state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${baseUrl}/mcp`,
  });
}

/** Returns functions that act as an OAuth client and as its user on this setup's server. */
export function createOAuthFlows(setup: DashboardSetup) {
  async function register(fields: Record<string, unknown> = {}) {
    const body = {
      client_name: 'Invented <b>client</b>',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      ...fields,
    };
    const answer = await fetch(`${setup.base_url}/api/auth/oauth2/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, client: (await answer.json()) as { client_id: string; error?: string } };
  }

  function authorizePath(clientId: string, verifier: string, target = redirectUri, scope = usualScope) {
    return `/api/auth/oauth2/authorize?${authorizeQuery(setup.base_url, clientId, verifier, { target, scope })}`;
  }

  /**
   * Returns the redirect target of an answer, from the Location header or from the JSON body of the sign-in library.
   */
  async function redirectOf(answer: Response): Promise<string> {
    const to = answer.headers.get('location') ?? ((await answer.json()) as { url: string }).url;
    return to.replace(setup.base_url, '');
  }

  /** Answers the consent page of an OAuth client as a member, and returns the callback address. */
  async function giveConsent(
    member: Member,
    clientId: string,
    verifier: string,
    { accept, scope }: { accept?: 'yes' | 'no'; scope?: string } = {},
  ): Promise<URL> {
    const pagePath = await redirectOf(await member.get(authorizePath(clientId, verifier, redirectUri, scope)));
    expect(pagePath).toContain('/dashboard/connect?');
    const oauthQuery = pagePath.slice(pagePath.indexOf('?') + 1);
    const answered = await member.post('/dashboard/connect', { oauth_query: oauthQuery, accept: accept ?? 'yes' });
    expect(answered.status).toBe(303);
    return new URL(answered.headers.get('location') ?? '');
  }

  /** Authorizes an OAuth client again. A member who has already given consent is not asked again. */
  async function consentAgain(member: Member, clientId: string, verifier: string): Promise<URL> {
    return new URL(await redirectOf(await member.get(authorizePath(clientId, verifier))));
  }

  async function token(fields: Record<string, string>) {
    const answer = await fetch(`${setup.base_url}/api/auth/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams(fields),
    });
    return { status: answer.status, body: (await answer.json()) as Tokens };
  }

  const exchange = (clientId: string, codeVerifier: string, code: string) =>
    token({
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      code_verifier: codeVerifier,
      redirect_uri: redirectUri,
      resource: `${setup.base_url}/mcp`,
    });

  const refresh = (clientId: string, refreshToken: string) =>
    token({ grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken });

  /** Connects an OAuth client, a new one by default, and returns its tokens. */
  async function connected(member: Member, known?: string) {
    const verifier = randomBytes(32).toString('hex');
    const clientId = known ?? (await register()).client.client_id;
    const back = await giveConsent(member, clientId, verifier);
    const { body } = await exchange(clientId, verifier, back.searchParams.get('code') ?? '');
    return { client_id: clientId, ...body };
  }

  return { register, authorizePath, redirectOf, giveConsent, consentAgain, token, exchange, refresh, connected };
}

export type OAuthFlows = ReturnType<typeof createOAuthFlows>;
