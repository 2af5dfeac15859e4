import type { Sql } from 'postgres';
import type { Database } from '../db/connect.ts';
import { createQuotaLedger, type QuotaLedger } from '../db/requests/quota.ts';
import { codeOf } from '../db/start-error.ts';
import { createBreakers } from './collect/breaker.ts';
import type { CollectContext } from './collect/collect.ts';
import type { SourcesConfig } from './collect/sources.ts';
import { ConfigError } from './config.ts';
import { createJobs } from './jobs/all.ts';
import { createFetcher } from './network/fetcher.ts';
import { createReplayFetcher } from './network/replay.ts';
import { createMailer, type SendMail } from './notify/mail.ts';
import type { JobContext, JobLog } from './queue/job.ts';
import { type RunningQueue, startQueue } from './queue/queue.ts';

export interface SourcesStart {
  sources: SourcesConfig;
  /** A manifest of recorded answers; then the network is never used. */
  upstream_replay: string | null;
}

/** What collecting needs of a running process: the one network door and a breaker for each source. Throws ConfigError when UPSTREAM_REPLAY names no manifest. */
export function createSources(config: SourcesStart, now: () => Date): Omit<CollectContext, 'signal'> {
  const replay = config.upstream_replay;
  return {
    fetch: replay === null ? createFetcher() : openReplay(replay),
    config: config.sources,
    now,
    breakers: createBreakers({ now, enabled: replay === null }),
  };
}

/**
 * Where this process counts daily quotas: in the database, with all others. Recorded answers use no quota: they are counted
 * apart, and a recorded "quota spent" belongs to its request and spends no bucket.
 */
export function openQuota(config: SourcesStart, sql: Sql): QuotaLedger {
  const ledger = createQuotaLedger(sql);
  if (config.upstream_replay === null) return ledger;
  return {
    spend: (use) => ledger.spend({ ...use, source: quotaSource(config, use.source) }),
    exhaust: async () => undefined,
  };
}

/** The name that the quota of a source is counted under. */
export function quotaSource({ upstream_replay }: SourcesStart, source: string): string {
  return upstream_replay === null ? source : `${source} (replay)`;
}

function openReplay(manifest: string) {
  try {
    return createReplayFetcher(manifest);
  } catch (error) {
    const problem = codeOf(error) === 'ENOENT' ? 'is not there' : 'is none';
    const message = `UPSTREAM_REPLAY must name a manifest of recorded answers, and ${manifest} ${problem}.`;
    throw new ConfigError(message, { cause: error });
  }
}

export interface PipelineDeps extends Pick<JobContext, 'db' | 'now' | 'sources' | 'base_url'> {
  db: Database;
  log: JobLog;
  /** False for a process that only sends jobs. */
  work: boolean;
  /** Path of a Google service account's credentials, for pushes to spreadsheets. */
  google_service_account: string | null;
  smtp_url: string | null;
  mail_from: string;
}

export interface Pipeline {
  queue: RunningQueue;
  /** Lets the work under way finish. */
  stop(): Promise<void>;
}

/** How mail leaves this process: through the operator's mail server, or as a line in the log. */
export function openMail(config: Pick<PipelineDeps, 'smtp_url' | 'mail_from'>, log: JobLog): SendMail {
  return createMailer({ smtp_url: config.smtp_url, from: config.mail_from, log: (mail) => log.info(mail, 'mail') });
}

/** Starts the jobs of this process, beside however many others. */
export async function startPipeline(settings: PipelineDeps): Promise<Pipeline> {
  const { work, google_service_account, smtp_url, mail_from, ...deps } = settings;
  const mail = openMail(settings, deps.log);
  const stopping = new AbortController();
  const queue = await startQueue({
    sql: deps.db.sql,
    jobs: createJobs({ google_service_account, mail }),
    log: deps.log,
    work: work ? (queue) => ({ ...deps, queue, signal: stopping.signal }) : null,
  });
  return {
    queue,
    async stop() {
      stopping.abort();
      await queue.stop();
    },
  };
}
