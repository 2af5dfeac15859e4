import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { html } from 'hono/html';
import { z } from 'zod';
import { connect } from '../../db/connections.ts';
import { type Allowance, throttle } from '../../db/throttle.ts';
import type { SectionDeps } from './deps.ts';
import { type FormVisit, type Page, redirect, type Section, text, type Visit } from './section.ts';
import { machineOf } from './sign-in.ts';
import { notice, type Piece } from './ui.ts';

type OAuthDeps = Pick<SectionDeps, 'db' | 'now' | 'base_url' | 'accounts'>;

const max_body_bytes = 64 * 1024;
/** What the library answers to programs; nothing else of it is reachable. */
const endpoints = ['authorize', 'token', 'register', 'revoke'] as const;
const base_path = '/api/auth';
/** Anybody may register a program, so that it can ask a member to be let in: not without end. */
const registrations: Allowance = { limit: 30, window_seconds: 3600 };
/** Programs may run in a browser page of their own. */
const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'content-type, authorization, mcp-protocol-version',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
};

/** Where programs find out about us, register, and turn a member's consent into a token. */
export function mountOAuth(app: Hono, deps: OAuthDeps): void {
  const { accounts, base_url } = deps;
  const resource = {
    resource: `${base_url}/mcp`,
    authorization_servers: [`${base_url}${base_path}`],
    scopes_supported: ['mcp'],
    bearer_methods_supported: ['header'],
    resource_documentation: `${base_url}/docs`,
  };
  for (const path of ['', '/mcp']) {
    app.get(`/.well-known/oauth-protected-resource${path}`, () => Response.json(resource, { headers: cors }));
  }
  for (const path of ['', base_path]) {
    const metadata = () =>
      accounts.handle(new Request(`${base_url}${base_path}/.well-known/oauth-authorization-server`));
    app.get(`/.well-known/oauth-authorization-server${path}`, async () => withCors(await metadata()));
  }
  for (const name of endpoints) {
    const path = `${base_path}/oauth2/${name}`;
    app.options(path, () => new Response(null, { status: 204, headers: cors }));
    app.on(name === 'authorize' ? ['GET'] : ['POST'], path, bodyLimit({ maxSize: max_body_bytes }), async (c) => {
      if (name === 'register' && (await tooMany(c, deps)))
        return Response.json({ error: 'slow_down' }, { status: 429, headers: cors });
      const answer = await accounts.handle(name === 'register' ? await registration(c.req.raw) : c.req.raw);
      return name === 'authorize' ? answer : withCors(answer);
    });
  }
}

/** Programs on a person's own machine mostly do not say that they are: where they want to be called back tells. */
async function registration(request: Request): Promise<Request> {
  const body: unknown = await request.json().catch(() => null);
  const wish = wished.safeParse(body);
  const native =
    wish.success && wish.data.application_type === undefined && wish.data.redirect_uris.every(isOwnMachine);
  const sent = native ? { ...wish.data, application_type: 'native' } : body;
  return new Request(request.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(sent),
  });
}

const wished = z.looseObject({ redirect_uris: z.array(z.string()).min(1), application_type: z.string().optional() });

function isOwnMachine(uri: string): boolean {
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
  return (await throttle(db.sql, `register ${machineOf(c)}`, registrations, now())) !== null;
}

/** The page on which a member lets a program act for their workspace, or does not. */
export function connectSection(deps: OAuthDeps): Section {
  return {
    pages: { '/dashboard/connect': (visit) => connectPage(visit, deps, visit.url.search.slice(1), null) },
    forms: { '/dashboard/connect': (visit) => answerProgram(visit, deps) },
  };
}

async function connectPage(
  visit: Visit,
  { accounts }: OAuthDeps,
  oauth_query: string,
  problem: string | null,
): Promise<Page> {
  const asked = new URLSearchParams(oauth_query);
  const client = await accounts.client(asked.get('client_id') ?? '', visit.request.headers);
  const target = URL.parse(asked.get('redirect_uri') ?? '');
  if (!client || !target) {
    const content = html`${notice(problem, 'bad')}<p>No program asks to be let in here. Start the connection in the program itself: it leads you to this page.</p>`;
    return { title: 'Connect a program', content, status: 400 };
  }
  const { visitor } = visit;
  const content = html`${notice(problem, 'bad')}
<p><b>${client.name}</b> asks to act for <b>${visitor.workspace_name}</b>. It will then return to <code>${target.host || target.protocol}</code>.</p>
<ul><li>It may call every tool of the MCP server: public data, the balance, your tracked items and campaign reports.</li>
<li>What it fetches is charged to this workspace: ${visitor.balance} credits are left.</li>
<li>It never sees a key, cannot buy credits and cannot change settings.</li>
<li>It stands among your <a href="/dashboard/keys">keys</a> as "Connected: ${client.name}"; revoking it there ends it at once.</li></ul>
<p class="hint">Anybody can register a program under any name. Go on only if you just started this yourself.</p>
<div class="row">${choice(oauth_query, 'yes', 'Let it in', '')}${choice(oauth_query, 'no', 'Refuse', 'quiet')}</div>`;
  return { title: 'Connect a program', content, form_targets: targetsOf(target) };
}

/** Where the browser may be led after the answer: programs on a machine have a scheme of their own. */
function targetsOf({ protocol, origin }: URL): string[] {
  if (protocol === 'https:' || protocol === 'http:') return [origin];
  return protocol === 'javascript:' || protocol === 'data:' ? [] : [protocol];
}

function choice(oauth_query: string, accept: string, label: string, tone: string): Piece {
  return html`<form method="post" action="/dashboard/connect"><input type="hidden" name="oauth_query" value="${oauth_query}"><input type="hidden" name="accept" value="${accept}"><button class="${tone}">${label}</button></form>`;
}

async function answerProgram(visit: FormVisit, deps: OAuthDeps): Promise<Page | Response> {
  const { request, form, visitor } = visit;
  const oauth_query = text(form, 'oauth_query');
  const accept = text(form, 'accept') === 'yes';
  const client = await deps.accounts.client(new URLSearchParams(oauth_query).get('client_id') ?? '', request.headers);
  const consented = await deps.accounts.consent({ accept, oauth_query }, request.headers);
  if (!client || !consented.ok) return connectPage(visit, deps, '', consented.ok ? null : consented.message);
  if (accept) await connect(deps.db.sql, visitor.workspace_id, client, deps.now());
  return redirect(consented.location);
}
