import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { connect } from '../../../db/accounts/connections.ts';
import { type Allowance, throttle } from '../../../db/accounts/throttle.ts';
import { errorTable } from '../../../pipeline/errors.ts';
import { boundedJson } from '../../../pipeline/parse/bounded-json.ts';
import { asRequestError } from '../../http/errors.ts';
import { limitBody } from '../../http/limit-body.ts';
import { answerRequest, type Exchange } from '../../http/request-log.ts';
import type { SectionDeps } from '../deps.ts';
import { notice, type Piece } from '../ui/components.ts';
import { type FormVisit, type Page, redirect, type Section, text, type Visit } from '../ui/section.ts';
import { clientAddressOf } from './sign-in.ts';

type OAuthDeps = Pick<SectionDeps, 'db' | 'now' | 'base_url' | 'accounts' | 'log'>;

const maxBodyBytes = 64 * 1024;
/** The endpoints of the sign-in library that clients can reach. */
const endpoints = ['authorize', 'token', 'register', 'revoke'] as const;
const basePath = '/api/auth';
/** Limits registrations, because anyone can register a client. */
const registrations: Allowance = { limit: 30, window_seconds: 3600 };
/** Clients may run in a browser on another origin. */
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
    scopes_supported: ['mcp'],
    bearer_methods_supported: ['header'],
    resource_documentation: `${base_url}/docs`,
  };
  for (const path of ['', '/mcp']) {
    app.get(`/.well-known/oauth-protected-resource${path}`, () => Response.json(resource, { headers: cors }));
  }
  const answer = (c: Context, route: string, work: () => Promise<Response>) =>
    answerRequest({ request: c.req.raw, route, log: deps.log, answer: work, failed: failedAnswer });
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
        if (name === 'register' && (await tooMany(c, deps)))
          return oauthError('slow_down', 429, 'Too many registrations from this address. Try again in an hour.');
        const request = name === 'register' ? await withApplicationType(c.req.raw) : c.req.raw;
        const response = await accounts.handle(request);
        return name === 'authorize' ? response : withCors(response);
      }),
    );
  }
}

/** Returns an error as RFC 6749 and RFC 7591 describe it. */
function oauthError(error: string, status: number, description: string): Response {
  const headers = { ...cors, 'cache-control': 'no-store' };
  return Response.json({ error, error_description: description }, { status, headers });
}

function failedAnswer(error: unknown, { request_id }: Exchange): Response {
  const { code, message, retry_after_seconds } = asRequestError(error);
  if (code === 'BODY_TOO_LARGE') return oauthError('invalid_request', errorTable[code].status, message);
  const away = code === 'SERVICE_UNAVAILABLE';
  const description = `This is an error on our side. Try again in a moment. Request ID: ${request_id}`;
  const response = oauthError(away ? 'temporarily_unavailable' : 'server_error', away ? 503 : 500, description);
  if (retry_after_seconds !== null) response.headers.set('retry-after', String(retry_after_seconds));
  return response;
}

/** Marks a client as native when all its redirect addresses are on the user's own computer. Most native clients do not say so. */
async function withApplicationType(request: Request): Promise<Request> {
  const body: unknown = await request
    .text()
    .then(boundedJson)
    .catch(() => null);
  const parsed = registration.safeParse(body);
  const native =
    parsed.success && parsed.data.application_type === undefined && parsed.data.redirect_uris.every(isLocal);
  const completed = native ? { ...parsed.data, application_type: 'native' } : body;
  return new Request(request.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(completed),
  });
}

const registration = z.looseObject({
  redirect_uris: z.array(z.string()).min(1),
  application_type: z.string().optional(),
});

/** Returns true when a redirect address leads to a program on the user's computer. */
function isLocal(uri: string): boolean {
  const url = URL.parse(uri);
  if (!url || url.protocol === 'https:') return false;
  return url.protocol !== 'http:' || /^(?:127\.0\.0\.1|localhost|\[::1\])$/.test(url.hostname);
}

function withCors(answer: Response): Response {
  const headers = new Headers(answer.headers);
  for (const [name, value] of Object.entries(cors)) headers.set(name, value);
  return new Response(answer.body, { status: answer.status, headers });
}

async function tooMany(c: Context, { db, now }: OAuthDeps): Promise<boolean> {
  return (await throttle(db.sql, `register ${clientAddressOf(c)}`, registrations, now())) !== null;
}

/** Creates the consent page, where a member allows or refuses an app. */
export function connectSection(deps: OAuthDeps): Section {
  return {
    pages: { '/dashboard/connect': (visit) => connectPage(visit, deps, visit.url.search.slice(1), null) },
    forms: { '/dashboard/connect': (visit) => submitConsent(visit, deps) },
  };
}

async function connectPage(
  visit: Visit,
  { accounts }: OAuthDeps,
  oauthQuery: string,
  problem: string | null,
): Promise<Page> {
  const query = new URLSearchParams(oauthQuery);
  const client = await accounts.client(query.get('client_id') ?? '', visit.request.headers);
  const target = URL.parse(query.get('redirect_uri') ?? '');
  if (!client || !target) {
    const content = html`${notice(problem, 'bad')}<p>No app has asked to connect. Start in the app that you want to connect: it sends you to this page.</p>`;
    return { title: 'Connect an app', content, status: 400 };
  }
  const { visitor } = visit;
  const content = html`${notice(problem, 'bad')}
<p><b>${client.name}</b> wants access to <b>${visitor.workspace_name}</b>. You will then return to <code>${target.host || target.protocol}</code>.</p>
<ul><li>It can use every tool of the MCP server: public data, your balance, tracked items and campaign reports.</li>
<li>Its requests are charged to this workspace. You have ${visitor.balance} credits.</li>
<li>It cannot see your keys, buy credits or change settings.</li>
<li>Your <a href="/dashboard/keys">keys</a> list it as "Connected: ${client.name}". Revoke it there to end its access at once.</li></ul>
<p class="hint">Anyone can register an app under any name. Continue only if you started this connection yourself.</p>
<div class="row">${choice(oauthQuery, 'yes', 'Allow access', '')}${choice(oauthQuery, 'no', 'Refuse', 'quiet')}</div>`;
  return { title: 'Connect an app', content, form_targets: targetsOf(target) };
}

/** Returns the addresses that the browser may be redirected to. Native apps use their own URL scheme. */
function targetsOf({ protocol, origin }: URL): string[] {
  if (protocol === 'https:' || protocol === 'http:') return [origin];
  return protocol === 'javascript:' || protocol === 'data:' ? [] : [protocol];
}

function choice(oauthQuery: string, accept: string, label: string, tone: string): Piece {
  return html`<form method="post" action="/dashboard/connect"><input type="hidden" name="oauth_query" value="${oauthQuery}"><input type="hidden" name="accept" value="${accept}"><button class="${tone}">${label}</button></form>`;
}

async function submitConsent(visit: FormVisit, deps: OAuthDeps): Promise<Page | Response> {
  const { request, form, visitor } = visit;
  const oauthQuery = text(form, 'oauth_query');
  const accept = text(form, 'accept') === 'yes';
  const client = await deps.accounts.client(new URLSearchParams(oauthQuery).get('client_id') ?? '', request.headers);
  const consented = await deps.accounts.consent({ accept, oauth_query: oauthQuery }, request.headers);
  if (!client || !consented.ok) return connectPage(visit, deps, '', consented.ok ? null : consented.message);
  if (accept) await connect(deps.db.sql, visitor.workspace_id, client, deps.now());
  return redirect(consented.location);
}
