import type { Sql } from 'postgres';
import type { Database } from '../../db/connect.ts';
import type { CollectContext } from '../collect/collect.ts';

export interface JobQueue {
  /**
   * Adds items (units of work) to the queue of a job. With `tx`, they are added when this transaction commits. Throws
   * when no job has this name.
   */
  send(job: string, items: readonly JobItem[], options?: { tx?: Sql }): Promise<void>;
}

export interface JobItem {
  /**
   * Identifies the work, such as the ID of a tracked item. At most one item with the same key is queued or running at a
   * time; further items are not added.
   */
  key: string;
  data: Record<string, string | number | boolean | null>;
  /**
   * Items with a higher priority run first. Items with the same priority run in the order in which they were queued.
   * Default: 0.
   */
  priority?: number;
  /** The time before which the item does not run. Default: it can run immediately. */
  start_after?: Date;
}

/**
 * All services that a job may use. A job must read the time from `now` and call platforms only through `sources`, so
 * that tests can replace both.
 */
export interface JobContext {
  db: Database;
  now: () => Date;
  queue: JobQueue;
  sources: Omit<CollectContext, 'signal'>;
  base_url: string;
  log: JobLog;
  /** Aborts when the process must stop. A job should then start no new work, but may finish the work in progress. */
  signal: AbortSignal;
}

export interface JobLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** A background job. Each job is one file in `pipeline/jobs/` and one entry in `pipeline/jobs/all.ts`. */
export interface Job {
  name: string;
  /**
   * Cron expression (UTC) of the job's schedule. At each of these times, an item without data is queued. Null for a job
   * that has no schedule and is queued only by other code.
   */
  schedule: string | null;
  /** Maximum number of queue items that are passed to one call of `run`. */
  items_per_run: number;
  /**
   * Number of seconds after which an unfinished item returns to the queue, even when a process is still working on it.
   */
  expire_seconds: number;
  /** Number of retries after a failed first attempt. The pauses between attempts become longer. */
  retries: number;
  /**
   * Processes items of the job's queue. An item from the schedule has no data. When this function throws, the
   * queue tries all of these items again.
   */
  run(items: readonly JobItem[], context: JobContext): Promise<void>;
}
