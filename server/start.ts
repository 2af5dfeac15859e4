import { setTimeout } from 'node:timers/promises';
import { type Database, openDatabase } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { readQueueStates } from '../db/queue.ts';
import { readCanaries } from '../db/requests/canary.ts';
import { listJobs } from '../pipeline/jobs/all.ts';
import { createLog } from '../pipeline/log.ts';
import { openMediaAddresses } from '../pipeline/media/addresses.ts';
import type { JobQueue } from '../pipeline/queue/job.ts';
import { isQueueAway } from '../pipeline/queue/queue.ts';
import { sheetsAccount } from '../pipeline/sheets/client.ts';
import { createSources, openFieldCounts, openMail, openQuota, startPipeline } from '../pipeline/start.ts';
import { releaseStartMemory } from '../pipeline/start-memory.ts';
import { startTelemetry } from '../pipeline/telemetry/start.ts';
import type { Config } from './config.ts';
import { loadAuth } from './dashboard/account/accounts.ts';
import { createDashboard } from './dashboard/dashboard.ts';
import { firstWorkspace, operatorEmail, starterCredits, welcome } from './first-start.ts';
import { createClientAddress } from './http/client-address.ts';
import { createWriteLog } from './http/write-log.ts';
import { type HttpServer, listen } from './listen.ts';
import { createPayments } from './payments/payments.ts';
import { createService, type Service, type ServiceDeps } from './service.ts';
import type { MetricsAccess } from './status/metrics.ts';

const requestsPerMinute = 60;
/** Number of milliseconds after the first stop signal in which further signals are ignored. With `npm start`, one Ctrl-C arrives twice: from the terminal and from npm. */
const repeatedSignalMs = 3_000;
const jobsRetryMs = 1_000;

const log = createLog();
const writeLog = createWriteLog();
const now = () => new Date();

/** Runs the server. Never resolves, because the process ends after SIGINT or SIGTERM. Throws when the start fails. */
export async function start(config: Config): Promise<void> {
  const stopRequested = stopSignal();
  const upstreams = createSources(config, now);
  // The port is opened before the database, so that a second server on the same port fails before it starts a database.
  const httpServer = await listen(config, writeLog);
  try {
    const db = await openDatabase({ ...config, role: 'server', on_new_database: loadSignIn }, log);
    try {
      const baseUrl = config.base_url.replace(/:0$/, `:${httpServer.port}`);
      await migrate(db.sql);
      const fieldCounts = openFieldCounts(config, db.sql, { now, log });
      const sources = { ...upstreams, quota: openQuota(config, db.sql), ...fieldCounts.hook };
      const queue = Promise.withResolvers<JobQueue>();
      const opened = { db, sources, queue: queue.promise };
      const service = await openService({ ...config, base_url: baseUrl }, httpServer, opened);
      const families = service.readMetrics;
      const telemetry = await startTelemetry(process.env, { service: 'tidemark-server', families, log });
      const work = config.pipeline === 'embedded';
      const jobs = { ...db, sql: db.background };
      const startJobs = () => startPipeline({ ...config, db: jobs, now, sources, base_url: baseUrl, log, work });
      const pipeline = await retryWhileAway(startJobs, stopRequested);
      if (pipeline) queue.resolve(pipeline.queue);
      releaseStartMemory();
      const signal = await stopRequested;
      // After SIGTERM, the delay gives a load balancer time to notice the stop. Ctrl-C (SIGINT) comes from a person at a terminal and needs no delay.
      await httpServer.close(signal === 'SIGTERM' ? config.stop_delay_seconds * 1000 : 0);
      await pipeline?.stop();
      await service.close();
      await fieldCounts.close();
      await telemetry.stop();
    } finally {
      await db.close();
    }
  } catch (error) {
    httpServer.closeNow();
    throw error;
  }
  log.info('stopped');
  process.exit(0);
}

/**
 * Starts the background jobs. When the database cannot be reached, tries again every second until it can, because the server already
 * answers requests and must not end. Returns null when the server receives a stop signal first. Throws every other error.
 */
async function retryWhileAway<T>(start: () => Promise<T>, stopRequested: Promise<unknown>): Promise<T | null> {
  const stopping = new AbortController();
  stopRequested.then(() => stopping.abort());
  while (!stopping.signal.aborted) {
    try {
      return await start();
    } catch (error) {
      if (!isQueueAway(error)) throw error;
      log.warn({ err: error }, 'the database cannot be reached, so the background jobs could not start: trying again');
      await setTimeout(jobsRetryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }
  return null;
}

/**
 * Loads the sign-in library while PostgreSQL creates the database, which saves time: the first start needs the library
 * to print a sign-in link. An error is ignored here, because creating the link throws it again.
 */
function loadSignIn(): void {
  loadAuth().catch(() => undefined);
}

interface Opened {
  db: Database;
  sources: ServiceDeps['sources'];
  /** Resolves when the background jobs have started. The server already answers requests before that. */
  queue: Promise<JobQueue>;
}

async function openService(config: Config, httpServer: HttpServer, opened: Opened): Promise<Service> {
  const { db, sources, queue } = opened;
  const { base_url } = config;
  const first = await firstWorkspace(db.sql, now());
  const onError = (error: unknown) => log.error({ err: error }, 'background task failed');
  const clientAddress = createClientAddress(config.trust_proxy);
  const payments = config.payments && createPayments(config.payments, { db, now, base_url });
  const dashboard = createDashboard({
    db,
    now,
    base_url,
    sources,
    queue: { send: async (...job) => (await queue).send(...job) },
    config: {
      ...config,
      mails: config.smtp_url !== null,
      sheets_account: sheetsAccount(config.google_service_account),
    },
    payments,
    mail: openMail(config, log),
    media: await openMediaAddresses(db.sql),
    starter_credits: starterCredits,
    client_address: clientAddress,
    log: writeLog,
    on_error: onError,
  });
  const service = await createService({
    db,
    now,
    base_url,
    requests_per_minute: requestsPerMinute,
    sources,
    metrics_access: metricsAccess(config, db),
    client_address: clientAddress,
    security_contact: config.security_contact,
    operator: config.operator,
    stopping: httpServer.stopping,
    dashboard,
    payments,
    log: writeLog,
    on_error: onError,
    sleep: (milliseconds) => setTimeout(milliseconds),
  });
  httpServer.serve(service);
  const signInLink = first && (await dashboard.accounts.signInLink(operatorEmail));
  console.log(welcome(base_url, first && signInLink ? { ...first, sign_in_link: signInLink } : null));
  return service;
}

function metricsAccess({ metrics_token: token }: Config, { sql }: Database): MetricsAccess {
  const jobs = listJobs().map(({ name }) => name);
  return { token, queue_states: () => readQueueStates(sql, jobs), canaries: () => readCanaries(sql) };
}

/** Resolves at the first SIGINT or SIGTERM, even while the server is still starting. A signal more than `repeatedSignalMs` later ends the process at once. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let stoppingSince: number | null = null;
    const stop = (signal: NodeJS.Signals) => {
      if (stoppingSince !== null && performance.now() - stoppingSince > repeatedSignalMs) process.exit(1);
      if (stoppingSince !== null) return;
      stoppingSince = performance.now();
      log.info('stopping: requests in progress are finished first');
      resolve(signal);
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
}
