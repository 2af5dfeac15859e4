import type { Sql } from 'postgres';
import type { Database } from '../../db/connect.ts';
import type { CollectContext } from '../collect/collect.ts';

export interface JobQueue {
  /** Adds items to the queue of a job; with `tx` they are added when that transaction commits. Throws for an unknown job. */
  send(job: string, items: readonly JobItem[], options?: { tx?: Sql; start_after?: Date }): Promise<void>;
}

export interface JobItem {
  /** At most one item with this key is queued or running at a time. */
  key: string;
  data: Record<string, string | number | boolean | null>;
}

/** The dependencies of a job: the clock is `now`, the network is in `sources`. */
export interface JobContext {
  db: Database;
  now: () => Date;
  queue: JobQueue;
  sources: Omit<CollectContext, 'signal'>;
  base_url: string;
  log: JobLog;
  /** Aborted when the process must stop; work in progress still finishes. */
  signal: AbortSignal;
}

export interface JobLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** A background job: one file in `pipeline/jobs/` and one entry in `pipeline/jobs/all.ts`. */
export interface Job {
  name: string;
  /** Cron expression (UTC) of the tick that enqueues it; null for jobs that only other jobs enqueue. */
  tick: string | null;
  /** Items per run. */
  batch_size: number;
  /** Seconds after which an unfinished item returns to the queue, although its process still works on it. */
  expire_seconds: number;
  /** Attempts after the first, with growing pauses. */
  retries: number;
  /** Works the items; a tick passes one item without data. When it throws, the queue tries all of them again. */
  run(items: readonly JobItem[], context: JobContext): Promise<void>;
}
