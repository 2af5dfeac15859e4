import { setTimeout as pause } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import type { Sql } from 'postgres';
import { daySeconds, minuteMs } from '../../db/durations.ts';
import {
  connectionOf,
  correctQueueTimes,
  type QueueState,
  queueConnections,
  queueSchema,
  readQueueStates,
  statementsOf,
} from '../../db/queue.ts';
import { reasonOf, StartError } from '../../db/start-error.ts';
import { isUnavailable } from '../../db/unavailable.ts';
import { traced } from '../telemetry/trace.ts';
import type { Job, JobContext, JobItem, JobLog, JobQueue } from './job.ts';
import { startSchedules } from './schedules.ts';

export interface RunningQueue extends JobQueue {
  states(): Promise<QueueState[]>;
  /**
   * Stops the job queue in this process. Waits up to 25 seconds for jobs in progress. Other processes do the remaining
   * work.
   */
  stop(): Promise<void>;
}

interface QueueOptions {
  sql: Sql;
  jobs: readonly Job[];
  log: JobLog;
  /**
   * Creates the context with which this process runs the jobs and their schedules. Null for a process that only adds
   * items to the queue.
   */
  work: ((queue: JobQueue) => JobContext) | null;
}

/**
 * Options of the queue library's database driver. `query_timeout`: milliseconds after which an SQL statement without an
 * answer fails.
 */
const queueDriver: object = { query_timeout: 35_000 };
const stopTimeoutMs = 25_000;
const pollingSeconds = 2;
const keepFinishedSeconds = daySeconds;
/**
 * Number of seconds without a heartbeat after which a queue item is given to another process. A process that works on
 * an item sends a heartbeat every 5 seconds.
 */
const heartbeatSeconds = 20;
const heartbeatRefreshSeconds = 5;
/** Number of seconds between two searches for queue items whose process has died. */
const monitorSeconds = 10;
/** Milliseconds between two corrections of queue items from the future, see {@link correctQueueTimes}. */
const correctionMs = 10 * minuteMs;

/**
 * Returns true when {@link startQueue} failed because the database is unavailable now. The queue library has its own
 * database driver, which reports a lost connection as an error without a code. Errors of SQL statements always have a
 * code.
 */
export function isQueueAway(error: unknown): boolean {
  const cause = error instanceof StartError ? error.cause : error;
  return (
    isUnavailable(cause) || (cause instanceof Error && !('code' in cause) && /connection|timeout/i.test(cause.message))
  );
}

/**
 * Loads the queue library. Loading takes about 50 ms, so a server does this only after it has started to answer
 * requests.
 */
export function loadPgBoss(): Promise<typeof import('pg-boss')> {
  return import('pg-boss');
}

/**
 * Starts the job queue, which is stored in PostgreSQL and shared by any number of processes. At most one item with the
 * same key is queued or running. If a process dies, its items return to the queue after about half a minute. When
 * several processes run the same schedule, only one item is added.
 */
export async function startQueue({ sql, jobs, log, work }: QueueOptions): Promise<RunningQueue> {
  const boss = new (await loadPgBoss()).PgBoss({
    ...connectionOf(sql),
    schema: queueSchema,
    max: queueConnections,
    application_name: 'tidemark-queue',
    superviseIntervalSeconds: monitorSeconds,
    monitorIntervalSeconds: monitorSeconds,
    ...queueDriver,
  });
  boss.on('error', (error) => log.error({ err: error }, 'the job queue had an error'));
  const queue = senderOf(boss, new Set(jobs.map(({ name }) => name)));
  const stopWork = await startWork().catch(async (error: unknown) => {
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw new StartError(
      `The job queue could not be opened in the database (${reasonOf(error)}): check that PostgreSQL runs and that its user may create tables.`,
      { cause: error },
    );
  });
  return {
    ...queue,
    states: () =>
      readQueueStates(
        sql,
        jobs.map(({ name }) => name),
      ),
    async stop() {
      await stopWork();
      // Waits here, because the library's own graceful stop looks only every half a second whether the jobs have ended.
      const ended = Promise.all(jobs.map(({ name }) => boss.offWork(name)));
      await Promise.race([ended, pause(stopTimeoutMs, undefined, { ref: false })]);
      await boss.stop({ graceful: false });
    },
  };

  async function startWork() {
    await boss.start();
    await declareAll(boss, jobs);
    return work === null ? async () => undefined : startWorkers({ boss, sql, jobs, queue, log }, work(queue));
  }
}

/** Creates the missing queues of the jobs, and updates queues that an earlier version created with other options. */
async function declareAll(boss: PgBoss, jobs: readonly Job[]): Promise<void> {
  const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const { name, expire_seconds, retries } of jobs) {
    const options = {
      expireInSeconds: expire_seconds,
      heartbeatSeconds,
      retryLimit: retries,
      retryBackoff: true,
      deleteAfterSeconds: keepFinishedSeconds,
    };
    const queue = existing.get(name);
    if (queue && Object.entries(options).every(([option, value]) => queue[option as keyof typeof options] === value))
      continue;
    // createQueue does not change an existing queue, so updateQueue must follow: another process may have created the
    // queue a moment ago.
    await boss.createQueue(name, { policy: 'exclusive', ...options });
    await boss.updateQueue(name, options);
  }
}

function senderOf(boss: PgBoss, names: ReadonlySet<string>): JobQueue {
  return {
    async send(job, items, { tx } = {}) {
      if (!names.has(job)) {
        throw new Error(`There is no job "${job}". Use the name of a job in pipeline/jobs/all.ts, or add it there.`);
      }
      if (items.length === 0) return;
      const rows = items.map(({ key, data, priority = 0, start_after }) => ({
        data: { key, data },
        singletonKey: key,
        priority,
        ...(start_after ? { startAfter: start_after } : {}),
      }));
      await boss.insert(job, rows, tx ? { db: statementsOf(tx) } : {});
    },
  };
}

interface Workers extends Pick<QueueOptions, 'sql' | 'jobs' | 'log'> {
  boss: PgBoss;
  queue: JobQueue;
}

/** Starts to run the jobs and their schedules. Returns the function that stops the schedules. */
async function startWorkers({ boss, sql, jobs, queue, log }: Workers, context: JobContext) {
  for (const job of jobs) {
    const options = {
      batchSize: job.items_per_run,
      pollingIntervalSeconds: pollingSeconds,
      heartbeatRefreshSeconds,
      burstWhenBatchFull: true,
    };
    await boss.work<JobItem>(job.name, options, (taken) =>
      run(
        job,
        taken.map(({ data }) => data),
        context,
      ),
    );
  }
  const scheduled = jobs.filter(({ schedule }) => schedule !== null);
  const correct = () => correctQueueTimes(sql).catch((error: unknown) => log.warn({ err: error }, notCorrected));
  async function catchUp(): Promise<void> {
    await correct();
    for (const { name } of scheduled) await tick(queue, name, log);
  }
  // Queues an item of each job when the process starts, to make up for scheduled times that passed while no process was
  // running.
  await catchUp();
  const stopSchedules = startSchedules(scheduled, {
    tick: ({ name }) => tick(queue, name, log),
    async onClockSetBack() {
      log.warn({}, 'the clock was set back: all jobs run now; `operator clock show` counts what still waits');
      await catchUp();
    },
  });
  // The clock of the database server can be set back without the clock of this process.
  const correction = setInterval(correct, correctionMs);
  return async () => {
    clearInterval(correction);
    await stopSchedules();
  };
}

const notCorrected = 'queue items from the future could not be corrected; this is tried again in ten minutes';

async function run(job: Job, items: JobItem[], context: JobContext): Promise<void> {
  try {
    const attributes = { 'tidemark.job': job.name, 'tidemark.items': items.length };
    await traced({ name: `job ${job.name}`, kind: 'job', attributes }, () => job.run(items, context));
  } catch (error) {
    const details = { err: error, job: job.name, items: items.length };
    if (context.signal.aborted)
      context.log.warn(details, 'a job did not finish before the stop; another process runs it again');
    else context.log.error(details, 'a job failed; the queue retries it while it has attempts left');
    throw error;
  }
}

/**
 * Queues one item for a scheduled run of a job. When several processes do this at the same time, the queue adds only
 * one item, because the key is the same.
 */
async function tick(queue: JobQueue, job: string, log: JobLog): Promise<void> {
  try {
    await queue.send(job, [{ key: job, data: {} }]);
  } catch (error) {
    log.warn({ err: error, job }, 'a scheduled run of a job could not be queued; the next scheduled run replaces it');
  }
}
