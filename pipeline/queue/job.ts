import type { Sql } from 'postgres';
import type { Database } from '../../db/connect.ts';
import type { CollectContext } from '../collect/collect.ts';

export interface JobQueue {
  /**
   * Adds items to the queue of a job. With `tx`, they are added when that transaction commits. Throws when there is no job with
   * this name.
   */
  send(job: string, items: readonly JobItem[], options?: { tx?: Sql; start_after?: Date }): Promise<void>;
}

export interface JobItem {
  /** At most one item with this key is queued or running at a time. A second one is not added. */
  key: string;
  data: Record<string, string | number | boolean | null>;
}

/** Everything that a job uses: it reads the time from `now` and uses the network only through `sources`. */
export interface JobContext {
  db: Database;
  now: () => Date;
  queue: JobQueue;
  sources: Omit<CollectContext, 'signal'>;
  base_url: string;
  log: JobLog;
  /** Aborts when the process must stop. Work in progress may still finish. */
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
  /** Cron expression (UTC) of the schedule that queues an item of this job (a tick). Null for a job that only other code queues. */
  tick: string | null;
  /** Maximum number of items in one call of `run`. */
  batch_size: number;
  /** Number of seconds after which an unfinished item returns to the queue, even when its process still works on it. */
  expire_seconds: number;
  /** Number of attempts after the first one. The pauses between attempts grow. */
  retries: number;
  /**
   * Processes items. The schedule (`tick`) passes one item without data. When this function throws, the queue tries all of the
   * items again.
   */
  run(items: readonly JobItem[], context: JobContext): Promise<void>;
}
