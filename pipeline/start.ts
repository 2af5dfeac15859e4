import type { Database } from '../db/connect.ts';
import type { CanarySettings } from './canary/canary.ts';
import { createJobs } from './jobs/all.ts';
import { createMailer, type SendMail } from './notify/mail.ts';
import type { JobContext, JobLog } from './queue/job.ts';
import { type RunningQueue, startQueue } from './queue/queue.ts';

interface PipelineDeps extends Pick<JobContext, 'db' | 'now' | 'sources' | 'base_url'> {
  db: Database;
  log: JobLog;
  /** True when this process runs the background jobs. False when it only adds work to their queue. */
  work: boolean;
  /** Path of the key file of the Google service account that writes to spreadsheets; null when it is not set. */
  google_service_account: string | null;
  smtp_url: string | null;
  mail_from: string;
  canary: CanarySettings | null;
}

interface Pipeline {
  queue: RunningQueue;
  /** Waits for the jobs in progress, then stops the job queue in this process. */
  stop(): Promise<void>;
}

/**
 * Returns a function that sends an email through the SMTP server of the operator. When no server is set, or
 * no email can reach the address, the function writes the email to the log.
 */
export function openMail(config: Pick<PipelineDeps, 'smtp_url' | 'mail_from'>, log: JobLog): SendMail {
  return createMailer({
    smtp_url: config.smtp_url,
    from: config.mail_from,
    log: ({ to, subject, text }, reason) => log.info({ to, subject, text }, `email, not sent because ${reason}`),
  });
}

/** Starts the background job queue in this process. Any number of processes may do so at the same time. */
export async function startPipeline(settings: PipelineDeps): Promise<Pipeline> {
  const { work, google_service_account, smtp_url, mail_from, canary, ...deps } = settings;
  const mail = openMail(settings, deps.log);
  const stopping = new AbortController();
  const queue = await startQueue({
    sql: deps.db.sql,
    jobs: createJobs({ google_service_account, mail, smtp_url, canary }),
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
