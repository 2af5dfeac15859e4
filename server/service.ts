import type { Hono } from 'hono';
import { keyHashOfToken } from '../db/accounts/connections.ts';
import { throttle } from '../db/accounts/throttle.ts';
import type { Database } from '../db/connect.ts';
import { createReturns, type Returns } from '../db/money/returned-charges.ts';
import { createReadiness } from '../db/readiness.ts';
import { createAdmission } from '../db/requests/admission.ts';
import { createCharger } from '../db/requests/charges.ts';
import { createReplays } from '../db/requests/replays.ts';
import { createCacheReader, readBufferedPage, storeAnswer, storeBufferedPage } from '../db/requests/responses.ts';
import { createUsageWriter } from '../db/requests/usage.ts';
import { type CollectContext, collect } from '../pipeline/collect/collect.ts';
import { cursorSecret } from '../pipeline/collect/list-cursor.ts';
import { createLinkResolver } from '../pipeline/collect/short-links.ts';
import { openMediaAddresses } from '../pipeline/media/addresses.ts';
import { createPictureFetcher } from '../pipeline/media/pictures.ts';
import { createMetricsReader, type ReadMetrics, type SharedMetrics } from '../pipeline/metrics/metrics.ts';
import { createApp, type OpenPages } from './app.ts';
import { demoAllowance } from './dashboard/demo-route.ts';
import type { Operator } from './dashboard/legal.ts';
import { createCache } from './data/cache.ts';
import { type CursorSeal, createCursorSeal } from './data/cursor.ts';
import { freshAnswer, type LiveDeps, prepaidAnswer } from './data/fresh-answer.ts';
import type { DataDeps } from './data/handler.ts';
import { createMeter } from './data/meter.ts';
import { unservableError } from './data/servable.ts';
import { createAuthentication, windowSeconds } from './http/authenticate.ts';
import { type ClientAddress, createClientAddress, networkOf } from './http/client-address.ts';
import type { WriteLog } from './http/handle-request.ts';
import { createRequestMetrics } from './http/request-metrics.ts';
import { createMediaProxy } from './media/proxy.ts';
import type { MediaRouteDeps } from './media/route.ts';
import type { Payments } from './payments/payments.ts';
import { sampleOf } from './sandbox/sandbox.ts';
import { createFieldFigures } from './status/field-figures.ts';
import { createHealth, type Health } from './status/health.ts';
import { requestFamilies } from './status/metrics.ts';
import { statusOf } from './status/status.ts';

/** The setting METRICS_TOKEN and the metrics in the database. With null, the route /metrics does not exist. */
interface MetricsAccess extends SharedMetrics {
  token: string | null;
}

export interface ServiceDeps {
  db: Pick<Database, 'sql' | 'pipelined' | 'apart'>;
  now: () => Date;
  base_url: string;
  requests_per_minute: number;
  /** Maximum bytes of the answer cache in the memory of this process. Default: 16 MB. */
  memory_cache_bytes?: number;
  /** Maximum milliseconds for which a charge is retried when the database does not answer. Default: 10 seconds. */
  charge_limit_ms?: number;
  /**
   * The settings and clients that all requests to the data sources (Instagram, TikTok, YouTube) share. Each request
   * adds its own signal, which cancels it.
   */
  sources: Omit<CollectContext, 'signal'>;
  log: WriteLog;
  on_error(error: unknown): void;
  sleep: (milliseconds: number) => Promise<void>;
  /** Reads the IP address of the client. Default: the IP address of the connection. */
  client_address?: ClientAddress;
  security_contact?: string | null;
  operator?: Operator;
  /** Returns true while the server is stopping. Default: never. */
  stopping?: () => boolean;
  /**
   * The bearer token of the route /metrics, and functions that read values for the metrics, such as those of the job
   * queue. By default, the route does not exist.
   */
  metrics_access?: MetricsAccess;
  /** Loads the web pages for people. Default: null, which means that the server has only the API. */
  openPages?: OpenPages | null;
  /**
   * Sells packs of credits. Default: null, which means that online payment is off and no endpoint for Stripe events
   * exists.
   */
  payments?: Payments | null;
}

export interface Service {
  app: Hono;
  /** Reads the metrics that the route /metrics shows for this process. */
  readMetrics: ReadMetrics;
  /**
   * Stops the service within five seconds. Writes the usage counts that are still in memory, and gives back the credits
   * of charges that the database did not confirm.
   */
  close(): Promise<void>;
}

const noMetricsAccess: MetricsAccess = {
  token: null,
  queue_states: async () => [],
  canaries: async () => [],
  can_store: async () => undefined,
};

/** Creates the service: connects the HTTP routes with the database, the answer cache and the data sources. */
export async function createService(deps: ServiceDeps): Promise<Service> {
  const { db, now, on_error } = deps;
  const secret = await cursorSecret(db.sql);
  const usage = createUsageWriter(db.sql, { now, on_error });
  const returns = createReturns(db.sql, { now, on_error });
  const health = createHealth(db.sql, { now, on_error });
  const metrics = createRequestMetrics();
  const access = deps.metrics_access ?? noMetricsAccess;
  const breakers = deps.sources.breakers;
  const readCommon = createMetricsReader({ ...access, breakers, on_error });
  const readMetrics = async () => [...requestFamilies(metrics.read()), ...(await readCommon())];
  const app = createApp({
    ...deps,
    ...createDataDeps(deps, { cursors: createCursorSeal(secret, now), health, returns }),
    media: await openMedia(deps),
    ...createAuthentication({ ...deps, admit: createAdmission(db, { window_seconds: windowSeconds, now }) }),
    client_address: deps.client_address ?? createClientAddress(0),
    count: usage.count,
    metrics,
    metrics_token: access.token,
    readMetrics,
    openPages: deps.openPages ?? null,
    payments: deps.payments ?? null,
    stopping: deps.stopping ?? (() => false),
    ready: createReadiness(db.pipelined),
    hashOfToken: (token) => keyHashOfToken(db.pipelined, token, now()),
    history: () => health.history(),
    field_figures: createFieldFigures(db.sql, now),
    demo_wait: (address) => throttle(db.sql, `demo ${networkOf(address)}`, demoAllowance, now()),
    status: async () => statusOf(await health.read(), breakers.state(), now()),
  });
  return {
    app,
    readMetrics,
    async close() {
      await Promise.all([usage.close(), health.close(), returns.close()]);
    },
  };
}

interface DataParts {
  cursors: CursorSeal;
  health: Health;
  returns: Returns;
}

/** Creates the dependencies of the data routes, such as the meter, the answer cache and the resolver of short links. */
function createDataDeps(deps: ServiceDeps, { cursors, health, returns }: DataParts): DataDeps {
  const { db, now, sources } = deps;
  const cache = createCache(createCacheReader(db.pipelined), now, deps.memory_cache_bytes);
  const live: LiveDeps = {
    now,
    cursors,
    collect: ({ path, collector }, params, signal) =>
      health.watch(path, signal, () =>
        collect(collector, params, { ...sources, signal: signal ?? new AbortController().signal }),
      ),
    storePage: (pageId, page) => storeBufferedPage(db.sql, pageId, page, now()),
    readPage: (pageId) => readBufferedPage(db.sql, pageId),
  };
  const shared: Pick<DataDeps, 'now' | 'prepaid' | 'unservableError'> = {
    now,
    prepaid: (request, workspaceId) => prepaidAnswer(request, workspaceId, live),
    unservableError: (route) => unservableError(route, sources.config),
  };
  const replays = createReplays(db.sql, now);
  const meter = createMeter({
    ...shared,
    ...cache,
    charge: createCharger(db, now, deps.charge_limit_ms),
    returnLater: returns.add,
    readReplay: replays.read,
    storeReplay: replays.store,
    sample: (request, admission) => sampleOf(request, admission, { cursors, sleep: deps.sleep }),
    storeAnswer: (cacheKey, route, answer) => storeAnswer(db.sql, cacheKey, route, answer),
    fetchAnswer: (request, workspaceId, signal) => freshAnswer(request, { workspace_id: workspaceId, signal }, live),
  });
  return { ...shared, meter, cursors, cached: cache.cached, links: createLinkResolver(sources) };
}

async function openMedia({ db, now, sources, on_error }: ServiceDeps): Promise<MediaRouteDeps> {
  const fetchPicture = createPictureFetcher(sources.fetch);
  return {
    addresses: await openMediaAddresses(db.sql),
    proxy: createMediaProxy({ sql: db.sql, now, fetchPicture }),
    on_error,
  };
}
