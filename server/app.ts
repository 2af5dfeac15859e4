import { Hono } from 'hono';
import { routePath } from 'hono/route';
import { isTestKey } from '../db/accounts/key-text.ts';
import type { KeyScope } from '../db/accounts/keys.ts';
import { loadOnce } from '../pipeline/lazy.ts';
import type { ReadMetrics } from '../pipeline/metrics/metrics.ts';
import { brokenPage, unknownPage } from './dashboard/ui/failure-pages.ts';
import { catalog } from './data/catalog.ts';
import { type DataDeps, dataHandler } from './data/handler.ts';
import { mountAssets } from './design/assets.ts';
import { type Authentication, type Counts, keyOf } from './http/authenticate.ts';
import type { ClientAddress } from './http/client-address.ts';
import { asRequestError } from './http/errors.ts';
import { answerRequest, type Exchange } from './http/handle-request.ts';
import { answerKeyed, type CallAs, keyedResponse, type ReplyDeps, serveKeyed } from './http/keyed.ts';
import { answerKeyless, type KeylessHandler } from './http/keyless.ts';
import { type KnownRoutes, methodsOf, unknownRouteError } from './http/refusals.ts';
import type { KeyedHandler } from './http/reply.ts';
import { errorResponse } from './http/responses.ts';
import { mountDataLinks } from './links/route.ts';
import type { McpDeps } from './mcp/service.ts';
import { type MediaRouteDeps, mountMedia } from './media/route.ts';
import { mountPaymentEvents } from './payments/events.ts';
import type { Payments } from './payments/payments.ts';
import { type PublicDeps, publicRoutes } from './public-routes.ts';
import { countsOf, countsOfQuery, createCountFirst, dataPaths, needsNewData } from './request-counts.ts';
import { metricsRoute } from './status/metrics.ts';
import { wantsPage } from './status/status.ts';
import type { WorkflowDeps } from './workflows/answer-rows.ts';
import { type AccountDeps, balance } from './workflows/balance.ts';
import { type CampaignDeps, campaignReport, campaignsWorkflow } from './workflows/campaigns.ts';
import { workflows } from './workflows/catalog.ts';
import type { TrackedDeps } from './workflows/tracked-rows.ts';

type AppDeps = ReplyDeps &
  AccountDeps &
  DataDeps &
  PublicDeps &
  CampaignDeps &
  WorkflowDeps &
  TrackedDeps &
  Authentication &
  Pick<McpDeps, 'hashOfToken'> & {
    client_address: ClientAddress;
    media: MediaRouteDeps;
    /**
     * Bearer token that a client must send for `GET /metrics`. When the token is null, the server has no such route.
     */
    metrics_token: string | null;
    readMetrics: ReadMetrics;
    /** Sells packs of credits through Stripe. Null when online payment is off. */
    payments: Payments | null;
    /** Loads the web pages for people. Null when the server has only the API. */
    openPages: OpenPages | null;
  };

/**
 * Loads the web pages for people: sign-in, shared reports and the dashboard. `callAs` calls the API with a key of a
 * workspace.
 */
export type OpenPages = () => Promise<{ mount(app: Hono, callAs: CallAs): void }>;

/**
 * Returns the whole service as one HTTP application. Routes of the API answer GET. Pages, files, the credit balance and
 * the status also answer HEAD.
 */
export function createApp(deps: AppDeps): Hono {
  const app = new Hono();
  const keyed: Record<string, KeyedHandler> = {
    '/v1/credit/balance': balance(deps),
    '/v1/workflows/campaigns': campaignsWorkflow(deps),
    '/v1/workflows/campaign-report': campaignReport(deps),
  };
  for (const { path, handler } of workflows) keyed[path] = handler(deps);
  for (const route of catalog) keyed[route.path] = dataHandler(route, deps);
  const countFirst = createCountFirst();
  for (const [path, handler] of Object.entries(keyed)) {
    const scope = scopeOf(path);
    const methods = methodsOf(path);
    app.get(path, (c) => {
      const request = c.req.raw;
      const { headers, url } = request;
      if (!methods.includes(request.method)) return refuse(request, path, known, deps);
      const access = { scope, address: () => deps.client_address(c) };
      const answer = (counts: Counts, admitted?: () => void) => {
        const authenticate = () => {
          const authenticated = deps.authenticate(headers, access, counts);
          return admitted ? authenticated.finally(admitted) : authenticated;
        };
        return answerKeyed({ request, route: path, authenticate }, handler, deps);
      };
      const counts = countsOf(path, url);
      const key = counts === 'free' && needsNewData(path, url, headers) ? keyOf(headers) : null;
      return key === null || isTestKey(key) ? answer(counts) : countFirst(`${key} ${url}`, answer);
    });
  }
  const { logged, quiet } = publicRoutes(deps);
  const unlogged = { ...quiet, ...metricsRoute(deps.metrics_token, deps.readMetrics) };
  mountKeyless(app, logged, false, deps);
  mountKeyless(app, unlogged, true, deps);

  const paths = [keyed, logged, unlogged].flatMap((routes) => Object.keys(routes));
  const known: KnownRoutes = { paths, apps: [app] };
  const callAs: CallAs = async (keyHash, { path, query, request_id, idempotency_key, address }, bodyOf) => {
    const access = { scope: scopeOf(path), address: () => address };
    const authenticate = () => deps.authenticateHash(keyHash, access, countsOfQuery(path, query));
    const headers = new Headers({ 'idempotency-key': idempotency_key });
    const request = { request_id, method: 'GET', route: path, query: () => query, headers, authenticate };
    const handler = keyed[path];
    if (handler === undefined) throw new Error(`The dashboard calls ${path}, which is no route with a key.`);
    const answer = await serveKeyed(request, handler, bodyOf, deps);
    return { answer, response: keyedResponse(answer, deps) };
  };
  // Imports the MCP library only at the first request to /mcp, so that the server starts faster.
  const openMcp = loadOnce(async () => (await import('./mcp/service.ts')).createMcp({ ...deps, handlers: keyed }));
  app.all('/mcp', async (c) => (await openMcp())(c.req.raw, () => deps.client_address(c)));
  mountAssets(app, deps);
  mountDataLinks(app, deps);
  mountMedia(app, deps);
  if (deps.payments) mountPaymentEvents(app, { ...deps, payments: deps.payments });

  mountFailures(app, known, deps);
  if (deps.openPages) mountPages(app, deps.openPages, { callAs, known, deps });
  return app;
}

/** Adds the error answers for unknown paths and for requests whose handler throws. */
function mountFailures(app: Hono, known: KnownRoutes, deps: AppDeps): void {
  app.notFound((c) => refuseOrShow(c.req.raw, c.req.path, known, deps));
  app.onError((error, c) => fail(c.req.raw, routePath(c), error, deps));
}

interface PagesAccess {
  callAs: CallAs;
  known: KnownRoutes;
  deps: AppDeps;
}

/**
 * Adds the web pages for people. The pages are loaded at the first request for a path outside of the API, so that the
 * server starts faster and uses less memory until then.
 */
function mountPages(app: Hono, open: OpenPages, { callAs, known, deps }: PagesAccess): void {
  const load = loadOnce(async () => {
    const pages = new Hono();
    (await open()).mount(pages, callAs);
    mountFailures(pages, known, deps);
    known.apps.push(pages);
    return pages;
  });
  app.notFound(async (c) => {
    const { raw, path } = c.req;
    return apiPaths.test(path) ? refuse(raw, path, known, deps) : (await load()).fetch(raw, c.env);
  });
}

/** Adds routes that need no API key. Requests to `quiet` routes are logged and counted only when the server fails. */
function mountKeyless(app: Hono, routes: Record<string, KeylessHandler>, quiet: boolean, deps: AppDeps): void {
  for (const [path, handler] of Object.entries(routes)) {
    app.get(path, (c) => {
      const request = c.req.raw;
      const answer = (exchange: Exchange) => handler(request, () => deps.client_address(c), exchange);
      return answerKeyless({ request, route: path, quiet, answer }, deps);
    });
  }
}

/** Returns the scope that an API key must have for requests to this path. */
function scopeOf(path: string): KeyScope {
  return dataPaths.has(path) ? 'data' : 'workflows';
}

/** Matches the paths of the API. The errors of these paths are JSON, even when a browser sends the request. */
const apiPaths = /^\/(?:v\d+|mcp)(?:\/|$)/;

/**
 * Answers a request for an unknown path: with an HTML page when a browser asks for a page, else with the error as JSON.
 */
function refuseOrShow(request: Request, path: string, known: KnownRoutes, deps: AppDeps): Promise<Response> {
  if (request.method !== 'GET' || apiPaths.test(path) || !wantsPage(request)) return refuse(request, path, known, deps);
  const failed = (error: unknown, { request_id }: { request_id: string }) => brokenPage(error, request_id);
  return answerRequest({
    request,
    route: 'unknown',
    log: deps.log,
    metrics: deps.metrics,
    answer: unknownPage,
    failed,
  });
}

function refuse(request: Request, path: string, known: KnownRoutes, deps: AppDeps): Promise<Response> {
  return fail(request, 'unknown', unknownRouteError(request.method, path, known), deps);
}

/** Returns the error response for a request, and logs the request. */
function fail(request: Request, route: string, error: Error, deps: AppDeps): Promise<Response> {
  const { log, metrics } = deps;
  return answerRequest({
    request,
    route,
    log,
    metrics,
    answer: () => Promise.reject(error),
    failed: (thrown, { request_id }) => errorResponse(asRequestError(thrown), request_id, null, deps),
  });
}
