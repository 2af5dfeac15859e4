import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { Sql } from 'postgres';
import { addMember } from '../../db/accounts/members.ts';
import { openWorkspace } from '../../db/accounts/workspaces.ts';
import { newId } from '../../db/ids.ts';
import type { Tier } from '../../db/tier.ts';
import { inTransaction } from '../../db/transaction.ts';
import { createBreakers } from '../../pipeline/collect/breaker.ts';
import { readSourcesConfig } from '../../pipeline/collect/sources.ts';
import { listJobs } from '../../pipeline/jobs/all.ts';
import { openMediaAddresses } from '../../pipeline/media/addresses.ts';
import type { Mail } from '../../pipeline/notify/mail.ts';
import { startQueue } from '../../pipeline/queue/queue.ts';
import { createDashboard } from '../../server/dashboard/dashboard.ts';
import type { DashboardDeps } from '../../server/dashboard/deps.ts';
import { createClientAddress, type TrustedProxies } from '../../server/http/client-address.ts';
import type { RequestLog } from '../../server/http/handle-request.ts';
import { createPayments, type PaymentsConfig } from '../../server/payments/payments.ts';
import { createService } from '../../server/service.ts';
import { axeOrigins, axePath, axeScript } from '../harness/browser.ts';
import { listenLocally } from '../harness/local-server.ts';
import { insertUser } from '../harness/users.ts';
import { inventedUpstream } from '../server/invented-upstream.ts';
import { createTestDatabase, silentLog } from '../setup/test-database.ts';
import { password, quickPasswordHash } from './account/test-password.ts';

/** Returns the session of a member as cookies for a browser. */
export function cookiesOf(
  { cookie }: Pick<Member, 'cookie'>,
  url: string,
): { name: string; value: string; url: string }[] {
  return cookie.split('; ').map((pair) => {
    const at = pair.indexOf('=');
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url };
  });
}

/** Returns the name of the notice that an answer stores for the next page; null when it stores none. */
export function noticeOf(answer: Response): string | null {
  return noticeCookie(answer)?.split('=')[1]?.split('.')[0] ?? null;
}

function noticeCookie({ headers }: Response): string | undefined {
  return headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith('tidemark.notice='))
    ?.split(';')[0];
}

function sendAxe(): Response {
  const headers = { 'content-type': 'text/javascript', 'cache-control': 'public, max-age=31536000, immutable' };
  return new Response(axeScript, { headers });
}

export interface Member {
  workspace_id: string;
  user_id: string;
  email: string;
  /** The session of the member, as the value of a Cookie header. */
  cookie: string;
  get(path: string): Promise<Response>;
  /** Sends a form as the page does. A field whose value is a list is sent once for each value. */
  post(path: string, fields: Record<string, string | string[]>): Promise<Response>;
}

interface SetupConfig extends Partial<DashboardDeps['config']> {
  payments?: PaymentsConfig;
  trust_proxy?: TrustedProxies;
  /** The host in the address of the server. Default: 127.0.0.1. */
  host?: string;
}

/** Starts a server on a free port of 127.0.0.1. Returns the server and its address, which contains this host name. */
async function listen(host: string): Promise<{ server: Server; base_url: string }> {
  const server = createServer();
  return { server, base_url: `http://${host}:${await listenLocally(server)}` };
}

/** Returns functions that send requests to the server as a browser does, with or without a session. */
function createRequests(baseUrl: string) {
  function send(path: string, cookie: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${baseUrl}${path}`, { redirect: 'manual', ...init, headers: { cookie, ...init.headers } });
  }

  /**
   * Follows a sign-in or confirmation link: sends the form of its page with the token and the password of test users.
   */
  function follow(link: string, cookie = '', headers: Record<string, string> = {}): Promise<Response> {
    const { pathname, searchParams } = new URL(link, baseUrl);
    const body = new URLSearchParams({ token: searchParams.get('token') ?? '', password });
    return send(pathname, cookie, { method: 'POST', body, headers: { origin: baseUrl, ...headers } });
  }

  /**
   * Returns functions that act as a signed-in member. Sends the notice cookie with the next request, as a browser does.
   */
  function visitor(cookie: string): Pick<Member, 'get' | 'post'> {
    let notice = '';
    const visit = async (path: string, init?: RequestInit) => {
      const answer = await send(path, `${cookie}${notice}`, init);
      const kept = noticeCookie(answer);
      if (kept !== undefined) notice = kept.endsWith('=') ? '' : `; ${kept}`;
      return answer;
    };
    return {
      get: (path) => visit(path),
      post: (path, fields) => {
        const pairs = Object.entries(fields).flatMap(([name, value]) =>
          [value].flat().map((one): [string, string] => [name, one]),
        );
        return visit(path, { method: 'POST', body: new URLSearchParams(pairs), headers: { origin: baseUrl } });
      },
    };
  }

  return { send, follow, visitor };
}

interface MemberOptions {
  tier?: Tier;
  credits?: number;
  name?: string;
}

/** Creates a user with a workspace. */
async function insertMember(
  sql: Sql,
  { tier = 'air', credits = 100, name = 'Ann' }: MemberOptions,
): Promise<Pick<Member, 'workspace_id' | 'user_id' | 'email'>> {
  const email = `${newId()}@example.com`;
  return inTransaction(sql, async (tx) => {
    const userId = await insertUser(tx, name, email);
    const workspaceId = await openWorkspace(tx, { name: `${name}'s workspace`, email, tier, credits });
    await addMember(tx, workspaceId, userId);
    return { workspace_id: workspaceId, user_id: userId, email };
  });
}

/**
 * Starts the whole service with its dashboard on a real socket, with its own database and queue. Only the network, the
 * clock and the email server are fake. Jobs are put into the queue but do not run.
 */
export async function createDashboardSetup({
  payments: stripe,
  trust_proxy: trustProxy = 0,
  host = '127.0.0.1',
  ...config
}: SetupConfig = {}) {
  const db = await createTestDatabase();
  const queue = await startQueue({ sql: db.sql, jobs: listJobs(), log: silentLog, work: null });
  const upstream = inventedUpstream();
  const clock = { now: new Date('2026-11-20T10:00:00.000Z') };
  const now = () => clock.now;
  const mails: Mail[] = [];
  const logs: RequestLog[] = [];
  const errors: unknown[] = [];
  const { server, base_url } = await listen(host);
  const breakers = createBreakers({ now, enabled: false });
  const deps = {
    ...{ db, now, base_url },
    sources: { fetch: upstream.fetch, config: readSourcesConfig({}), now, breakers },
    client_address: createClientAddress(trustProxy),
    log: (entry: RequestLog) => logs.push(entry),
    on_error: (error: unknown) => errors.push(error),
  };
  const payments = stripe ? createPayments(stripe, { db, now, base_url }) : null;
  const dashboardDeps: DashboardDeps = {
    ...{ ...deps, queue, payments },
    config: { session_secret: 'a secret of the test alone, long enough', mails: true, sheets_account: null, ...config },
    mail: async (mail) => {
      mails.push(mail);
    },
    media: await openMediaAddresses(db.sql),
    starter_credits: 100,
    password_hash: quickPasswordHash,
  };
  const dashboard = createDashboard(dashboardDeps);
  const serviceDeps = { ...deps, requests_per_minute: 60, sleep: async () => undefined };
  const service = await createService({ ...serviceDeps, openPages: async () => dashboard, payments });
  server.on(
    'request',
    getRequestListener((request, connection) =>
      new URL(request.url).pathname === axePath ? sendAxe() : service.app.fetch(request, connection),
    ),
  );
  axeOrigins.add(base_url);
  const { send, follow, visitor } = createRequests(base_url);
  const pages = new Hono();
  dashboard.mount(pages, () => Promise.reject(new Error('only the paths of these pages are read')));
  const routes = [service.app, pages].flatMap(({ routes }) =>
    routes.map(({ method, path }) => [`${method} ${path}`, { method, path }] as const),
  );
  return {
    ...{ db, queue, follow, upstream, clock, mails, logs, errors, base_url, dashboard, send },
    ...{ dashboard_deps: dashboardDeps, service_deps: serviceDeps },
    /** Every path that the server handles, with its HTTP method. */
    routes: [...new Map(routes).values()],
    /** Creates a signed-in user with a workspace. */
    async member(options: MemberOptions = {}): Promise<Member> {
      const member = await insertMember(db.sql, options);
      const entered = await follow(await dashboard.accounts.signInLink(member.email));
      const cookies = entered.headers.getSetCookie().map((set) => set.split(';')[0]);
      const cookie = cookies.join('; ');
      return { ...member, cookie, ...visitor(cookie) };
    },
    async close() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      axeOrigins.delete(base_url);
      await service.close();
      await queue.stop();
      await db.close();
    },
  };
}

export type DashboardSetup = Awaited<ReturnType<typeof createDashboardSetup>>;
