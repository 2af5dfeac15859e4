import { setTimeout } from 'node:timers/promises';
import type { Database } from '../db/connect.ts';
import type { Log } from '../db/log.ts';
import { migrate } from '../db/migrate.ts';
import type { CollectContext } from '../pipeline/collect/collect.ts';
import { openFieldCounts, openQuota } from '../pipeline/create-sources.ts';
import { loadOnce } from '../pipeline/lazy.ts';
import { openMediaAddresses } from '../pipeline/media/addresses.ts';
import { sharedMetrics } from '../pipeline/metrics/metrics.ts';
import { openMetricsPort } from '../pipeline/metrics/port.ts';
import { firstOperatorEmail } from '../pipeline/notify/mail.ts';
import type { JobQueue } from '../pipeline/queue/job.ts';
import { isQueueAway } from '../pipeline/queue/queue.ts';
import { sheetsAccount } from '../pipeline/sheets/client.ts';
import { openMail, startPipeline } from '../pipeline/start.ts';
import { releaseStartMemory } from '../pipeline/start-memory.ts';
import { startTelemetry } from '../pipeline/telemetry/start.ts';
import type { Config } from './config.ts';
import { firstWorkspace, starterCredits, welcome } from './first-start.ts';
import { createClientAddress } from './http/client-address.ts';
import type { WriteLog } from './http/handle-request.ts';
import type { HttpServer } from './listen.ts';
import { createPayments } from './payments/payments.ts';
import { createService, type Service, type ServiceDeps } from './service.ts';

const requestsPerMinute = 60;
const jobsRetryMs = 1_000;

/** The parts of the server that are open before the rest of the program is loaded. */
interface Started {
  db: Database;
  http_server: HttpServer;
  /** Resolves at the first SIGINT or SIGTERM. */
  stop_requested: Promise<NodeJS.Signals>;
  sources: Omit<CollectContext, 'signal'>;
  now: () => Date;
  log: Log;
  write_log: WriteLog;
}

/**
 * Answers requests and runs the background jobs until the stop signal, and then stops both. Throws when the start
 * fails.
 */
export async function run(config: Config, started: Started): Promise<void> {
  const { db, http_server, stop_requested, now, log } = started;
  const baseUrl = config.base_url.replace(/:0$/, `:${http_server.port}`);
  await migrate(db.sql);
  const fieldCounts = openFieldCounts(config, db.sql, { now, log });
  const sources = { ...started.sources, quota: openQuota(config, db.sql), ...fieldCounts.hook };
  const queue = Promise.withResolvers<JobQueue>();
  const opened = { ...started, sources, queue: queue.promise };
  const service = await openService({ ...config, base_url: baseUrl }, opened);
  const families = service.readMetrics;
  const closeMetrics = config.metrics_port && (await openMetricsPort(config.metrics_port, families));
  const telemetry = await startTelemetry(process.env, { service: 'tidemark-server', families, log });
  const work = config.pipeline === 'embedded';
  const jobs = { ...db, sql: db.background };
  const startJobs = () => startPipeline({ ...config, db: jobs, now, sources, base_url: baseUrl, log, work });
  const pipeline = await retryWhileAway(startJobs, stop_requested, log);
  if (pipeline) queue.resolve(pipeline.queue);
  releaseStartMemory();
  const signal = await stop_requested;
  // After SIGTERM, a load balancer needs time to notice the stop. Ctrl-C (SIGINT) comes from a person at a terminal and
  // needs no delay.
  await http_server.close(signal === 'SIGTERM' ? config.stop_delay_seconds * 1000 : 0);
  await pipeline?.stop();
  await service.close();
  await fieldCounts.close();
  closeMetrics?.();
  await telemetry.stop();
}

/**
 * Starts the background jobs. While the database cannot be reached, tries again every second, because the server
 * already answers requests and must not end. Returns null when the server receives a stop signal first. Throws every
 * other error.
 */
async function retryWhileAway<T>(
  start: () => Promise<T>,
  stopRequested: Promise<unknown>,
  log: Log,
): Promise<T | null> {
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

interface Opened extends Started {
  sources: ServiceDeps['sources'];
  /** Resolves when the background jobs have started. The server answers requests even before. */
  queue: Promise<JobQueue>;
}

async function openService(config: Config, opened: Opened): Promise<Service> {
  const { db, http_server, sources, queue, now, log, write_log } = opened;
  const { base_url } = config;
  const first = await firstWorkspace(db.sql, now());
  const onError = (error: unknown) => log.error({ err: error }, 'background task failed');
  const clientAddress = createClientAddress(config.trust_proxy);
  const payments = config.payments && createPayments(config.payments, { db, now, base_url });
  const dashboardDeps = {
    db,
    now,
    base_url,
    sources,
    queue: { send: async (...job: Parameters<JobQueue['send']>) => (await queue).send(...job) },
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
    log: write_log,
    on_error: onError,
  };
  const openDashboard = loadOnce(async () => (await import('./dashboard/dashboard.ts')).createDashboard(dashboardDeps));
  const service = await createService({
    db,
    now,
    base_url,
    requests_per_minute: requestsPerMinute,
    sources,
    metrics_access: { token: config.metrics_token, ...sharedMetrics(db.sql) },
    client_address: clientAddress,
    security_contact: config.security_contact,
    operator: config.operator,
    stopping: http_server.stopping,
    openPages: openDashboard,
    payments,
    log: write_log,
    on_error: onError,
    sleep: (milliseconds) => setTimeout(milliseconds),
  });
  http_server.serve(service);
  const signInLink = first && (await (await openDashboard()).accounts.signInLink(firstOperatorEmail));
  console.log(welcome(base_url, first && signInLink ? { ...first, sign_in_link: signInLink } : null));
  return service;
}
