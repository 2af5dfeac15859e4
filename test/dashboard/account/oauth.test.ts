import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyHashOfToken } from '../../../db/accounts/connections.ts';
import { listKeys } from '../../../db/accounts/keys.ts';
import { readBalance } from '../../../db/money/ledger.ts';
import { createDashboardBench, type DashboardBench, type Member } from '../dashboard-server.ts';

const redirectUri = 'http://127.0.0.1:9/callback';
let bench: DashboardBench;
beforeAll(async () => {
  bench = await createDashboardBench();
});
afterAll(() => bench.close());

async function register() {
  const body = {
    client_name: 'Invented <b>client</b>',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
  };
  const answer = await fetch(`${bench.base_url}/api/auth/oauth2/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, client: (await answer.json()) as { client_id: string } };
}

function authorizePath(clientId: string, verifier: string) {
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'mcp offline_access',
    state: 'a state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: `${bench.base_url}/mcp`,
  });
  return `/api/auth/oauth2/authorize?${query}`;
}

/** Returns the redirect target, from the header or from the body of the library's answer. */
async function redirectOf(answer: Response): Promise<string> {
  const to = answer.headers.get('location') ?? ((await answer.json()) as { url: string }).url;
  return to.replace(bench.base_url, '');
}

/** Gives consent as a member and returns the callback address. */
async function giveConsent(member: Member, clientId: string, verifier: string, accept = 'yes'): Promise<URL> {
  const pagePath = await redirectOf(await member.get(authorizePath(clientId, verifier)));
  expect(pagePath).toContain('/dashboard/connect?');
  const oauthQuery = pagePath.slice(pagePath.indexOf('?') + 1);
  const answered = await member.post('/dashboard/connect', { oauth_query: oauthQuery, accept });
  expect(answered.status).toBe(303);
  return new URL(answered.headers.get('location') ?? '');
}

async function token(fields: Record<string, string>) {
  const answer = await fetch(`${bench.base_url}/api/auth/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams(fields),
  });
  return {
    status: answer.status,
    body: (await answer.json()) as { access_token: string; refresh_token: string; error?: string },
  };
}

const exchange = (clientId: string, codeVerifier: string, code: string) =>
  token({
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: codeVerifier,
    redirect_uri: redirectUri,
    resource: `${bench.base_url}/mcp`,
  });

async function connected(member: Member) {
  const verifier = randomBytes(32).toString('hex');
  const { client } = await register();
  const back = await giveConsent(member, client.client_id, verifier);
  const { body } = await exchange(client.client_id, verifier, back.searchParams.get('code') ?? '');
  return { ...client, ...body };
}
const hashOf = (accessToken: string) => keyHashOfToken(bench.db.sql, accessToken, new Date());

describe('an OAuth client', () => {
  test('OAuth metadata names the endpoints and the resource', async () => {
    const resource = await (await fetch(`${bench.base_url}/.well-known/oauth-protected-resource/mcp`)).json();
    expect(resource).toMatchObject({
      resource: `${bench.base_url}/mcp`,
      authorization_servers: [`${bench.base_url}/api/auth`],
    });
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-authorization-server/api/auth',
    ]) {
      const metadata = await (await fetch(`${bench.base_url}${path}`)).json();
      expect(metadata).toMatchObject({
        issuer: `${bench.base_url}/api/auth`,
        registration_endpoint: `${bench.base_url}/api/auth/oauth2/register`,
        code_challenge_methods_supported: ['S256'],
      });
    }
  });

  test('a registered client gets a token for a key of the workspace after consent', async () => {
    const ann = await bench.member();
    const { access_token } = await connected(ann);
    const [key] = await listKeys(bench.db.sql, ann.workspace_id);
    expect(key).toMatchObject({ kind: 'live', name: 'Connected: Invented <b>client</b>' });
    expect(await hashOf(access_token)).toMatch(/^[0-9a-f]{64}$/);
    expect(await hashOf(`${access_token}x`)).toBeNull();
  });

  test('an authorization request without a session goes to sign-in first and continues after it', async () => {
    const { client } = await register();
    const answer = await bench.send(authorizePath(client.client_id, 'v'.repeat(50)), '');
    const location = new URL(await redirectOf(answer), bench.base_url);
    expect(location.pathname).toBe('/sign-in');
    const page = await (await bench.send(location.pathname + location.search, '')).text();
    expect(page).toContain('action="/sign-in?next=%2Fapi%2Fauth%2Foauth2%2Fauthorize');
  });

  test('the consent page escapes the client name and redirects only to registered addresses', async () => {
    const ann = await bench.member();
    const { client } = await register();
    const page = await ann.get(await redirectOf(await ann.get(authorizePath(client.client_id, 'v'.repeat(50)))));
    expect(await page.text()).toContain('Invented &lt;b&gt;client&lt;/b&gt;');
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' http://127.0.0.1:9 `);
    const elsewhere = authorizePath(client.client_id, 'v'.repeat(50)).replace(
      encodeURIComponent(redirectUri),
      encodeURIComponent('https://evil.example/'),
    );
    expect(await redirectOf(await ann.get(elsewhere))).toMatch(/^\/dashboard\/connect\?error=/);
  });

  test('a client without consent gets no code and no key', async () => {
    const ann = await bench.member();
    const { client } = await register();
    const back = await giveConsent(ann, client.client_id, 'v'.repeat(50), 'no');
    expect([back.searchParams.get('error'), back.searchParams.get('code')]).toEqual(['access_denied', null]);
    expect(await listKeys(bench.db.sql, ann.workspace_id)).toEqual([]);
  });

  test('an authorization code works once and only with its verifier', async () => {
    const ann = await bench.member();
    const { client } = await register();
    const verifier = randomBytes(32).toString('hex');
    const first = await giveConsent(ann, client.client_id, verifier);
    expect(
      (await exchange(client.client_id, 'x'.repeat(64), first.searchParams.get('code') ?? '')).status,
    ).toBeGreaterThanOrEqual(400);
    const second = await consentAgain(ann, client.client_id, verifier);
    const code = second.searchParams.get('code') ?? '';
    expect((await exchange(client.client_id, verifier, code)).status).toBe(200);
    expect((await exchange(client.client_id, verifier, code)).status).toBeGreaterThanOrEqual(400);
  });

  test('a token is renewed by its refresh token and ends when its key is revoked', async () => {
    const ann = await bench.member();
    const { client_id, refresh_token } = await connected(ann);
    const renewed = await token({ grant_type: 'refresh_token', client_id, refresh_token });
    expect(renewed.status).toBe(200);
    expect(await hashOf(renewed.body.access_token)).not.toBeNull();
    const [key] = await listKeys(bench.db.sql, ann.workspace_id);
    await ann.post(`/dashboard/keys/${key?.key_id}/revoke`, {});
    expect((await listKeys(bench.db.sql, ann.workspace_id))[0]?.revoked_at).not.toBeNull();
  });

  test('a token calls tools at the expense of the workspace until its key is revoked', async () => {
    const ann = await bench.member();
    const { access_token } = await connected(ann);
    const initialize = (authorization: string) =>
      fetch(`${bench.base_url}/mcp`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
          params: { name: 'profile', arguments: { what: 'photo', handle: 'paper.kite' } },
        }),
      });
    const answer = await initialize(`Bearer ${access_token}`);
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('paper.kite')]);
    expect(await readBalance(bench.db.sql, ann.workspace_id)).toBe(99);
    const [key] = await listKeys(bench.db.sql, ann.workspace_id);
    await ann.post(`/dashboard/keys/${key?.key_id}/revoke`, {});
    for (const token of [access_token, 'made-up']) {
      const refused = await initialize(`Bearer ${token}`);
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toContain(
        `resource_metadata="${bench.base_url}/.well-known/oauth-protected-resource/mcp"`,
      );
    }
  });

  test('an authorization request that was changed after signing is refused', async () => {
    const ann = await bench.member();
    const { client } = await register();
    const location = await redirectOf(await ann.get(authorizePath(client.client_id, 'v'.repeat(50))));
    const oauthQuery = location.slice(location.indexOf('?') + 1).replace('9%2Fcallback', '9%2Fother');
    const answered = await ann.post('/dashboard/connect', { oauth_query: oauthQuery, accept: 'yes' });
    expect(answered.status).toBe(400);
    expect(await listKeys(bench.db.sql, ann.workspace_id)).toEqual([]);
  });
});

test('no other endpoint of the sign-in library is reachable', async () => {
  for (const path of [
    '/api/auth/sign-in/email',
    '/api/auth/sign-up/email',
    '/api/auth/get-session',
    '/api/auth/oauth2/introspect',
    '/api/auth/magic-link/verify',
    '/api/auth/admin/oauth2/create-client',
  ]) {
    const answer = await fetch(`${bench.base_url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: bench.base_url },
      body: '{}',
    });
    expect([path, answer.status]).toEqual([path, 404]);
  }
});

/** Authorizes again: a member who gave consent before is not asked again. */
async function consentAgain(member: Member, clientId: string, verifier: string): Promise<URL> {
  return new URL(await redirectOf(await member.get(authorizePath(clientId, verifier))));
}
