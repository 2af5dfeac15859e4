import { Hono } from 'hono';
import { routePath } from 'hono/route';
import { catalog } from './data/catalog.ts';
import { type DataDeps, dataHandler } from './data/handler.ts';
import type { Authentication } from './http/authenticate.ts';
import { asRequestError } from './http/errors.ts';
import { methodsOf, refusalOf } from './http/refusals.ts';
import type { KeyedHandler } from './http/reply.ts';
import { answerRequest } from './http/request-log.ts';
import { type AnswerAs, answerKeyed, errorResponse, type ReplyDeps } from './http/responses.ts';
import { createMcp, type McpDeps } from './mcp/service.ts';
import { mountPaymentEvents } from './payments/events.ts';
import type { Payments } from './payments/payments.ts';
import { type PublicDeps, publicRoutes } from './public-routes.ts';
import { type MetricsDeps, metricsRoute } from './status/metrics.ts';
import { type AccountDeps, balance } from './workflows/balance.ts';
import { type CampaignDeps, campaignReport, campaignsWorkflow } from './workflows/campaigns.ts';
import { workflows } from './workflows/catalog.ts';
import type { WorkflowDeps } from './workflows/rows.ts';
import type { TrackedDeps } from './workflows/tracked-rows.ts';

export type AppDeps = ReplyDeps &
  AccountDeps &
  DataDeps &
  PublicDeps &
  CampaignDeps &
  MetricsDeps &
  WorkflowDeps &
  TrackedDeps &
  Pick<Authentication, 'authenticateHash'> &
  Pick<McpDeps, 'hashOfToken'> & {
    /** Null when online payment is off. */
    payments: Payments | null;
    /** Null when the server has no web pages, only the API. */
    dashboard: MountedPages | null;
  };

/** The web pages for people, served beside the API: sign-in, shared reports and the dashboard. */
export interface MountedPages {
  mount(app: Hono, answerAs: AnswerAs): void;
}

/** Returns the whole service as one HTTP application. Every route answers GET. A route that never charges credits also answers HEAD. */
export function createApp(deps: AppDeps): Hono {
  const app = new Hono();
  const keyed: Record<string, KeyedHandler> = {
    '/v1/credit/balance': balance(deps),
    '/v1/workflows/campaigns': campaignsWorkflow(deps),
    '/v1/workflows/campaign-report': campaignReport(deps),
  };
  for (const { path, handler } of workflows) keyed[path] = handler(deps);
  for (const route of catalog) keyed[route.path] = dataHandler(route, deps);
  for (const [path, handler] of Object.entries(keyed)) {
    app.get(path, ({ req: { raw } }) =>
      methodsOf(path).includes(raw.method) ? answerKeyed(raw, path, handler, deps) : refuse(raw, path, paths, deps),
    );
  }
  const keyless = { ...publicRoutes(deps), ...metricsRoute(deps) };
  for (const [path, handler] of Object.entries(keyless)) app.get(path, (c) => handler(c.req.raw));

  const paths = [...Object.keys(keyed), ...Object.keys(keyless)];
  const answerAs: AnswerAs = async (keyHash, request) => {
    const { pathname } = new URL(request.url);
    const handler = keyed[pathname];
    if (!handler) return refuse(request, pathname, paths, deps);
    return answerKeyed(request, pathname, handler, {
      ...deps,
      authenticate: () => deps.authenticateHash(keyHash),
    });
  };
  const mcp = createMcp({ ...deps, handlers: keyed });
  app.all('/mcp', (c) => mcp(c.req.raw));
  if (deps.payments) mountPaymentEvents(app, { ...deps, payments: deps.payments });
  deps.dashboard?.mount(app, answerAs);

  app.notFound((c) => refuse(c.req.raw, c.req.path, paths, deps));
  app.onError((error, c) => fail(c.req.raw, routePath(c), error, deps));
  return app;
}

function refuse(request: Request, path: string, paths: string[], deps: AppDeps): Promise<Response> {
  return fail(request, 'unknown', refusalOf(request.method, path, paths), deps);
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
