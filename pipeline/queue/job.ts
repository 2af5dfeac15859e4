import type { Sql } from 'postgres';
import type { Database } from '../../db/connect.ts';
import type { CollectContext } from '../collect/collect.ts';

/** Puts jobs into the queue; with `tx` they are there exactly when that transaction commits. */
export interface JobQueue {
  send(job: JobName, items: readonly JobItem[], options?: { tx?: Sql; start_after?: Date }): Promise<void>;
}

export interface JobItem {
  /** Jobs with the same key are queued or active once at a time. */
  key: string;
  data: Record<string, string | number | boolean | null>;
}

/** What a job has: time is `now`, the network is in `sources`. */
export interface JobContext {
  db: Database;
  now: () => Date;
  queue: JobQueue;
  sources: Omit<CollectContext, 'signal'>;
  base_url: string;
  log: JobLog;
  /** Ends when the process is asked to stop; work that is under way finishes. */
  signal: AbortSignal;
}

export interface JobLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export type JobName =
  | 'track-sweep'
  | 'track-check'
  | 'analyse-batch'
  | 'weekly-reports'
  | 'push-sheets'
  | 'deliver-webhooks'
  | 'low-balance'
  | 'cleanup';

/** One kind of work of the pipeline: a file in `pipeline/jobs/`, a name in the list. */
export interface Job {
  name: JobName;
  /** Cron expression in UTC of the tick that enqueues it, null for jobs that are only enqueued by others. */
  tick: string | null;
  /** Items taken at once. */
  batch_size: number;
  /** Seconds after which an item that was taken and not finished goes back into the queue. */
  expire_seconds: number;
  /** Attempts after the first, each later than the one before. */
  retries: number;
  /** Does the work of the items; throwing puts all of them back for another attempt. */
  run(items: readonly JobItem[], context: JobContext): Promise<void>;
}
