import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import {
  addConnection,
  isConnected,
  isEndedGrant,
  isEndedSession,
  isRefusedText,
  removeConnection,
} from '../../../../db/accounts/connections.ts';
import { type Allowance, throttle } from '../../../../db/accounts/throttle.ts';
import { hourSeconds } from '../../../../db/durations.ts';
import { errorTable } from '../../../../pipeline/errors.ts';
import { boundedJson } from '../../../../pipeline/parse/bounded-json.ts';
import { quantity } from '../../../../pipeline/quantity.ts';
import { networkOf } from '../../../http/client-address.ts';
import { asRequestError } from '../../../http/errors.ts';
import { answerRequest, type Exchange } from '../../../http/handle-request.ts';
import { limitBody } from '../../../http/limit-body.ts';
import type { SectionDeps } from '../../deps.ts';
import { notice, type Piece } from '../../ui/components.ts';
import { type FormVisit, type Page, redirect, type Section, text, type Visit } from '../../ui/section.ts';
import { expiredRequest } from '../accounts.ts';
import { announceKey, type KeyMailDeps, tooManyNewKeys } from '../key-mail.ts';
import { checkRegistration, isLoopback, oauthScopes, redirectOrigin } from './oauth-registration.ts';

type OAuthDeps = KeyMailDeps & Pick<SectionDeps, 'now' | 'accounts' | 'log' | 'client_address'>;

const maxBodyBytes = 64 * 1024;
/** The endpoints of the sign-in library that OAuth clients can call. */
const endpoints = ['authorize', 'token', 'register', 'revoke'] as const;
const basePath = '/api/auth';
/** Path of the page that asks the user for consent. */
const connectPath = '/dashboard/connect';
/** Limits OAuth client registrations from each network, because anyone can register a client. */
const registrations: Allowance = { limit: 30, window_seconds: hourSeconds };
/** CORS headers for OAuth clients that run in a browser on another origin. */
const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'content-type, authorization, mcp-protocol-version',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
};

/** Mounts the OAuth endpoints: metadata, registration, authorization and tokens. */
export function mountOAuth(app: Hono, deps: OAuthDeps): void {
  const { accounts, base_url } = deps;
  const resource = {
    resource: `${base_url}/mcp`,
    authorization_servers: [`${base_url}${basePath}`],
    // Many clients request exactly these scopes. Without offline_access, they would ask for consent every hour.
    scopes_supported: oauthScopes,
    bearer_methods_supported: ['header'],
    resource_documentation: `${base_url}/docs/mcp`,
  };
  const answer = (c: Context, route: string, work: () => Promise<Response>) =>
    answerRequest({ request: c.req.raw, route, log: deps.log, answer: work, failed: failedAnswer });
  for (const path of ['', '/mcp']) {
    const route = `/.well-known/oauth-protected-resource${path}`;
    app.get(route, (c) => answer(c, route, async () => Response.json(resource, { headers: cors })));
  }
  for (const path of ['', basePath]) {
    const route = `/.well-known/oauth-authorization-server${path}`;
    const metadata = new URL(`${basePath}/.well-known/oauth-authorization-server`, base_url);
    app.get(route, (c) => answer(c, route, async () => withCors(await accounts.handle(new Request(metadata)))));
  }
  for (const name of endpoints) {
    const path = `${basePath}/oauth2/${name}`;
    app.options(path, () => new Response(null, { status: 204, headers: cors }));
    app.on(name === 'authorize' ? ['GET'] : ['POST'], path, (c) =>
      answer(c, path, async () => {
        await limitBody(c, maxBodyBytes);
        const response = name === 'register' ? await register(c, deps) : await accounts.handle(c.req.raw);
        if (name === 'authorize') return withOwnErrorPage(response);
        return name === 'token' && (await isOfEndedGrant(response, deps)) ? endedGrant() : withCors(response);
      }),
    );
  }
}

/**
 * Returns the answer to an authorization request. Redirects an error to a page of this server instead of the app's
 * website, because anyone can register an app, and a link to this server could then send visitors to any website (RFC
 * 9700, section 4.11.2). An app on the user's own computer still gets the error.
 */
function withOwnErrorPage(answer: Response): Response {
  const target = URL.parse(answer.headers.get('location') ?? '');
  if (target === null || isLoopback(target.href)) return answer;
  const error = target.searchParams.get('error') ?? new URLSearchParams(target.hash.slice(1)).get('error');
  return error === null ? answer : redirect(`${connectPath}?${new URLSearchParams({ error })}`);
}

/** Returns an OAuth error response in the format of RFC 6749 and RFC 7591. */
function oauthError(error: string, status: number, description: string): Response {
  const headers = { ...cors, 'cache-control': 'no-store' };
  return Response.json({ error, error_description: description }, { status, headers });
}

function endedGrant(): Response {
  return oauthError('invalid_grant', 400, 'The connection was revoked. Connect again.');
}

/**
 * Returns true when the new access token in the response belongs to a connection that was revoked before the token was
 * stored.
 */
async function isOfEndedGrant(answer: Response, { db, now }: OAuthDeps): Promise<boolean> {
  if (!answer.ok) return false;
  const { access_token } = (await answer.clone().json()) as { access_token: string };
  return !(await isConnected(db.sql, access_token, now()));
}

function failedAnswer(error: unknown, { request_id }: Exchange): Response {
  if (isEndedGrant(error) || isEndedSession(error)) return endedGrant();
  if (isRefusedText(error)) {
    return oauthError('invalid_request', 400, 'The request contains a NUL character. Remove it and try again.');
  }
  const { code, message, retry_after_seconds } = asRequestError(error);
  if (code === 'BODY_TOO_LARGE' || code === 'INVALID_INPUT')
    return oauthError('invalid_request', errorTable[code].status, message);
  const away = code === 'SERVICE_UNAVAILABLE';
  const description = `This is an error on our side. Try again in a moment. Request ID: ${request_id}`;
  const response = oauthError(away ? 'temporarily_unavailable' : 'server_error', away ? 503 : 500, description);
  if (retry_after_seconds !== null) response.headers.set('retry-after', String(retry_after_seconds));
  return response;
}

async function register(c: Context, deps: OAuthDeps): Promise<Response> {
  if (await tooMany(c, deps))
    return oauthError('slow_down', 429, 'Too many registrations from this address. Try again in an hour.');
  const request = c.req.raw;
  const sent: unknown = await request
    .text()
    .then(boundedJson)
    .catch(() => null);
  const checked = checkRegistration(sent);
  if (!checked.ok) return oauthError(checked.error, 400, checked.description);
  const headers = { 'content-type': 'application/json' };
  return deps.accounts.handle(
    new Request(request.url, { method: 'POST', headers, body: JSON.stringify(checked.body) }),
  );
}

function withCors(answer: Response): Response {
  const headers = new Headers(answer.headers);
  for (const [name, value] of Object.entries(cors)) headers.set(name, value);
  return new Response(answer.body, { status: answer.status, headers });
}

async function tooMany(c: Context, { db, now, client_address }: OAuthDeps): Promise<boolean> {
  return (await throttle(db.sql, `register ${networkOf(client_address(c))}`, registrations, now())) !== null;
}

/** Creates the consent page, where a member allows or refuses access for an app. */
export function connectSection(deps: OAuthDeps): Section {
  return {
    pages: { [connectPath]: (visit) => connectPage(visit, deps, visit.url.search.slice(1), null) },
    forms: { [connectPath]: (visit) => submitConsent(visit, deps) },
    audits: {
      [connectPath]: {
        action: ({ form }) => (text(form, 'accept') === 'yes' ? 'connected an app' : null),
        subject: async ({ form, request }) =>
          (await deps.accounts.client(text(form, 'oauth_query'), request.headers))?.name ?? null,
      },
    },
  };
}

async function connectPage(
  visit: Visit,
  { accounts }: OAuthDeps,
  oauthQuery: string,
  problem: string | null,
): Promise<Page> {
  const client = await accounts.client(oauthQuery, visit.request.headers);
  const target = URL.parse(new URLSearchParams(oauthQuery).get('redirect_uri') ?? '');
  if (!client || !target) {
    const content = html`${notice(problem, 'bad')}<p>No app has asked to connect, or its request has expired. Start in the app that you want to connect: it sends you to this page.</p>`;
    return { title: 'Connect an app', content, status: 400 };
  }
  const { visitor } = visit;
  const content = html`${notice(problem, 'bad')}
<p><b><bdi>${client.name}</bdi></b> wants access to <b><bdi>${visitor.workspace_name}</bdi></b>. You will then return to <code>${target.host}</code>.</p>
<ul><li>It can use every tool of the MCP server: public data, your balance, tracked items and campaign reports.</li>
<li>Its requests are charged to this workspace. You have ${quantity(visitor.balance, 'credit')}.</li>
<li>It cannot see your keys, buy credits or change settings.</li>
<li>Your <a href="/dashboard/keys">keys</a> list it as a connected app. Revoke its key there to end its access immediately.</li></ul>
<p class="hint">Anyone can register an app under any name. Continue only if you started this connection yourself.</p>
<div class="row">${choice(oauthQuery, 'yes', 'Allow access', '')}${choice(oauthQuery, 'no', 'Refuse', 'quiet')}</div>`;
  const origin = redirectOrigin(target.href);
  return { title: 'Connect an app', content, form_targets: origin ? [origin] : [] };
}

function choice(oauthQuery: string, accept: string, label: string, tone: string): Piece {
  return html`<form method="post" action="${connectPath}"><input type="hidden" name="oauth_query" value="${oauthQuery}"><input type="hidden" name="accept" value="${accept}"><button class="${tone}">${label}</button></form>`;
}

async function submitConsent(visit: FormVisit, deps: OAuthDeps): Promise<Page | Response> {
  const { request, form, visitor } = visit;
  const { sql } = deps.db;
  const oauthQuery = text(form, 'oauth_query');
  const accept = text(form, 'accept') === 'yes';
  const client = await deps.accounts.client(oauthQuery, request.headers);
  if (!client) return connectPage(visit, deps, '', expiredRequest);
  const refused = accept ? await tooManyNewKeys(deps, visitor.workspace_id) : null;
  if (refused !== null) return connectPage(visit, deps, '', refused);
  // Creates the connection first, because the user's consent is stored under the connection's id.
  const created = accept && (await addConnection(sql, visitor.workspace_id, client, deps.now()));
  const consented = await deps.accounts.consent({ accept, oauth_query: oauthQuery }, request.headers);
  if (consented.ok) {
    if (created) await announceKey(deps, visitor, { name: `Connected: ${client.name}`, by: visitor.email });
    return redirect(consented.location);
  }
  if (created) await removeConnection(sql, visitor.workspace_id, client.client_id);
  return connectPage(visit, deps, '', consented.message);
}
