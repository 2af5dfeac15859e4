import { randomBytes } from 'node:crypto';
import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyHashOfToken } from '../../../../db/accounts/connections.ts';
import { listKeys } from '../../../../db/accounts/keys.ts';
import { readBalance } from '../../../../db/money/ledger.ts';
import { createDashboardSetup, type DashboardSetup } from '../../dashboard-server.ts';
import { createOAuthFlows, type OAuthFlows, redirectUri } from './oauth-flows.ts';

let setup: DashboardSetup;
let oauth: OAuthFlows;
beforeAll(async () => {
  setup = await createDashboardSetup();
  oauth = createOAuthFlows(setup);
});
afterAll(() => setup.close());

/**
 * Returns the address to which a link redirects a browser without a session. Does not use `fetch`, whose headers
 * identify a script, because the sign-in library does not redirect scripts.
 */
const navigate = (url: URL) =>
  new Promise<string>((resolve, reject) => {
    get(url, (answer) => resolve(answer.resume().headers.location ?? '')).on('error', reject);
  });

const hashOf = (accessToken: string) => keyHashOfToken(setup.db.sql, accessToken, new Date());

describe('an OAuth client', () => {
  test('OAuth metadata names the endpoints and the resource', async () => {
    const answer = await fetch(`${setup.base_url}/.well-known/oauth-protected-resource/mcp`);
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    expect(await answer.json()).toMatchObject({
      resource: `${setup.base_url}/mcp`,
      authorization_servers: [`${setup.base_url}/api/auth`],
    });
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-authorization-server/api/auth',
    ]) {
      const metadata = await (await fetch(`${setup.base_url}${path}`)).json();
      expect(metadata).toMatchObject({
        issuer: `${setup.base_url}/api/auth`,
        registration_endpoint: `${setup.base_url}/api/auth/oauth2/register`,
        code_challenge_methods_supported: ['S256'],
      });
    }
  });

  test('an OAuth client that requests the scopes of the resource metadata stays connected with a refresh token', async () => {
    const ann = await setup.member();
    const metadata = await fetch(`${setup.base_url}/.well-known/oauth-protected-resource/mcp`);
    const { scopes_supported, resource_documentation } = (await metadata.json()) as Record<string, string[]>;
    expect(resource_documentation).toBe(`${setup.base_url}/docs/mcp`);
    const { client } = await oauth.register();
    const verifier = 'v'.repeat(50);
    const back = await oauth.giveConsent(ann, client.client_id, verifier, { scope: scopes_supported?.join(' ') ?? '' });
    const first = await oauth.exchange(client.client_id, verifier, back.searchParams.get('code') ?? '');
    const next = await oauth.refresh(client.client_id, first.body.refresh_token);
    expect([next.status, next.body.error]).toEqual([200, undefined]);
    expect(await hashOf(next.body.access_token)).toBe(await hashOf(first.body.access_token));
  });

  test('a registered OAuth client gets a token for an API key of the workspace after consent', async () => {
    const ann = await setup.member();
    const { access_token } = await oauth.connected(ann);
    const [key] = await listKeys(setup.db.sql, ann.workspace_id);
    expect(key).toMatchObject({ kind: 'live', name: 'Connected: Invented <b>client</b>' });
    expect(await hashOf(access_token)).toMatch(/^[0-9a-f]{64}$/);
    expect(await hashOf(`${access_token}x`)).toBeNull();
  });

  test('the key of a connected app says when the app was connected, what it may do and how to end it', async () => {
    const ann = await setup.member();
    await oauth.connected(ann);
    const page = await (await ann.get('/dashboard/keys')).text();
    expect(page).toMatch(
      /Created when you connected Invented &lt;b&gt;client&lt;\/b&gt; on <time [^>]+>\d{1,2} [A-Z][a-z]+ \d{4}<\/time>\./,
    );
    expect(page).toContain('Revoke the key to disconnect the app.');
    expect(page).not.toContain('Connected: Invented');
    expect(await (await ann.get('/dashboard/credits')).text()).toContain('client&lt;/b&gt; (connected app)');
  });

  test('consent to a request that is much longer than a URL may be is refused immediately', async () => {
    const ann = await setup.member();
    const body = new URLSearchParams({ accept: 'yes', oauth_query: 'a&'.repeat(400_000) });
    const headers = { origin: setup.base_url };
    const before = process.cpuUsage();
    const answer = await setup.send('/dashboard/connect', ann.cookie, { method: 'POST', body, headers });
    // Parsing these parameters would take more than a second of CPU time.
    expect([answer.status, process.cpuUsage(before).user < 1_000_000]).toEqual([400, true]);
  });

  test('an authorization request without a session leads to sign-in first and continues after it', async () => {
    const { client } = await oauth.register();
    const answer = await setup.send(oauth.authorizePath(client.client_id, 'v'.repeat(50)), '');
    const location = new URL(await oauth.redirectOf(answer), setup.base_url);
    expect(location.pathname).toBe('/sign-in');
    const page = await (await setup.send(location.pathname + location.search, '')).text();
    expect(page).toContain('action="/sign-in?next=%2Fapi%2Fauth%2Foauth2%2Fauthorize');
  });

  test('the consent page escapes the client name and redirects only to registered addresses', async () => {
    const ann = await setup.member();
    const { client } = await oauth.register();
    const page = await ann.get(
      await oauth.redirectOf(await ann.get(oauth.authorizePath(client.client_id, 'v'.repeat(50)))),
    );
    expect(await page.text()).toContain('Invented &lt;b&gt;client&lt;/b&gt;');
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' http://127.0.0.1:9 `);
    const elsewhere = oauth
      .authorizePath(client.client_id, 'v'.repeat(50))
      .replace(encodeURIComponent(redirectUri), encodeURIComponent('https://evil.example/'));
    expect(await oauth.redirectOf(await ann.get(elsewhere))).toMatch(/^\/dashboard\/connect\?error=/);
  });

  test.each([
    ['a wrong scope', 'scope', 'admin', 'invalid_scope'],
    ['a wrong response type', 'response_type', 'token', 'unsupported_response_type'],
    ['a request without a dialog', 'prompt', 'none', 'login_required'],
  ])('%s does not send a visitor to the website that a stranger registered', async (_, name, value, error) => {
    const visit = async (target: string) => {
      const { client } = await oauth.register({ redirect_uris: [target] });
      const url = new URL(oauth.authorizePath(client.client_id, 'v'.repeat(50), target), setup.base_url);
      url.searchParams.set(name, value);
      return navigate(url);
    };
    expect(await visit('https://stranger.example/callback')).toBe(`/dashboard/connect?error=${error}`);
    // The visitor's own app receives the error, because it runs on the visitor's computer.
    expect(await visit(redirectUri)).toMatch(new RegExp(`^${redirectUri}[?#]error=${error}&`));
  });

  test('a client name that turns the direction of text does not change how the rest of the consent page reads', async () => {
    const ann = await setup.member();
    const { client } = await oauth.register({ client_name: 'App \u202e' });
    const page = await ann.get(
      await oauth.redirectOf(await ann.get(oauth.authorizePath(client.client_id, 'v'.repeat(50)))),
    );
    expect(await page.text()).toContain('<bdi>App \u202e</bdi></b> wants access to <b><bdi>Ann&#39;s workspace</bdi>');
  });

  test('an OAuth client without consent gets no code and no API key', async () => {
    const ann = await setup.member();
    const { client } = await oauth.register();
    const back = await oauth.giveConsent(ann, client.client_id, 'v'.repeat(50), { accept: 'no' });
    expect([back.searchParams.get('error'), back.searchParams.get('code')]).toEqual(['access_denied', null]);
    expect(await listKeys(setup.db.sql, ann.workspace_id)).toEqual([]);
  });

  test('an OAuth code works once and only with its verifier', async () => {
    const ann = await setup.member();
    const { client } = await oauth.register();
    const verifier = randomBytes(32).toString('hex');
    const first = await oauth.giveConsent(ann, client.client_id, verifier);
    expect(
      (await oauth.exchange(client.client_id, 'x'.repeat(64), first.searchParams.get('code') ?? '')).status,
    ).toBeGreaterThanOrEqual(400);
    const second = await oauth.consentAgain(ann, client.client_id, verifier);
    const code = second.searchParams.get('code') ?? '';
    expect((await oauth.exchange(client.client_id, verifier, code)).status).toBe(200);
    expect((await oauth.exchange(client.client_id, verifier, code)).status).toBeGreaterThanOrEqual(400);
  });

  test('an OAuth code or refresh token that is redeemed several times simultaneously works at most once, without a 500', async () => {
    const ann = await setup.member();
    const { client } = await oauth.register();
    const verifier = randomBytes(32).toString('hex');
    const back = await oauth.giveConsent(ann, client.client_id, verifier);
    const code = back.searchParams.get('code') ?? '';
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => oauth.exchange(client.client_id, verifier, code)),
    );
    // When a code is used twice, the tokens of its first use end (RFC 6749), so even the first request can be refused.
    const refused = answers.map(({ status }) => status).filter((status) => status !== 200);
    expect(refused.length).toBeGreaterThanOrEqual(5);
    expect(new Set(refused)).toEqual(new Set([400]));

    const bob = await setup.member();
    const { client_id, refresh_token } = await oauth.connected(bob);
    const renewals = await Promise.all(
      Array.from({ length: 6 }, () => oauth.token({ grant_type: 'refresh_token', client_id, refresh_token })),
    );
    expect(renewals.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(renewals.filter(({ status }) => status >= 500)).toEqual([]);
    expect(setup.errors).toEqual([]);
  });

  test('an OAuth token is renewed by its refresh token and ends when its API key is revoked', async () => {
    const ann = await setup.member();
    const { client_id, refresh_token } = await oauth.connected(ann);
    const renewed = await oauth.token({ grant_type: 'refresh_token', client_id, refresh_token });
    expect(renewed.status).toBe(200);
    expect(await hashOf(renewed.body.access_token)).not.toBeNull();
    const [key] = await listKeys(setup.db.sql, ann.workspace_id);
    await ann.post(`/dashboard/keys/${key?.key_id}/revoke`, {});
    expect((await listKeys(setup.db.sql, ann.workspace_id))[0]?.revoked_at).not.toBeNull();
  });

  test('an OAuth token calls MCP tools at the expense of the workspace until its API key is revoked', async () => {
    const ann = await setup.member();
    const { access_token } = await oauth.connected(ann);
    const initialize = (authorization: string) =>
      fetch(`${setup.base_url}/mcp`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
          params: { name: 'profile', arguments: { what: 'photo', handle: 'paper.kite' } },
        }),
      });
    const answer = await initialize(`Bearer ${access_token}`);
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('paper.kite')]);
    expect(await readBalance(setup.db.sql, ann.workspace_id)).toBe(99);
    const [key] = await listKeys(setup.db.sql, ann.workspace_id);
    await ann.post(`/dashboard/keys/${key?.key_id}/revoke`, {});
    for (const token of [access_token, 'made-up']) {
      const refused = await initialize(`Bearer ${token}`);
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toContain(
        `resource_metadata="${setup.base_url}/.well-known/oauth-protected-resource/mcp"`,
      );
    }
  });

  test('an authorization request that was changed after signing is refused', async () => {
    const ann = await setup.member();
    const { client } = await oauth.register();
    const location = await oauth.redirectOf(await ann.get(oauth.authorizePath(client.client_id, 'v'.repeat(50))));
    const oauthQuery = location.slice(location.indexOf('?') + 1).replace('9%2Fcallback', '9%2Fother');
    const answered = await ann.post('/dashboard/connect', { oauth_query: oauthQuery, accept: 'yes' });
    expect(answered.status).toBe(400);
    expect(await listKeys(setup.db.sql, ann.workspace_id)).toEqual([]);
  });
});

test('no other endpoint of the sign-in library can be requested', async () => {
  for (const path of [
    '/api/auth/sign-in/email',
    '/api/auth/sign-up/email',
    '/api/auth/get-session',
    '/api/auth/oauth2/introspect',
    '/api/auth/magic-link/verify',
    '/api/auth/admin/oauth2/create-client',
  ]) {
    const answer = await fetch(`${setup.base_url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: setup.base_url },
      body: '{}',
    });
    expect([path, answer.status]).toEqual([path, 404]);
  }
});
