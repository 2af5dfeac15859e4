import cron from 'node-cron';
import { PgBoss } from 'pg-boss';
import type { Sql } from 'postgres';
import { connectionOf, type QueueState, queueSchema, readQueueStates, statementsOf } from '../../db/queue.ts';
import { reasonOf, StartError } from '../../db/start-error.ts';
import { isUnavailable } from '../../db/unavailable.ts';
import { traced } from '../telemetry/trace.ts';
import type { Job, JobContext, JobItem, JobLog, JobQueue } from './job.ts';

export interface RunningQueue extends JobQueue {
  states(): Promise<QueueState[]>;
  /** Waits up to 25 seconds for the work in progress. Other processes do the remaining work. */
  stop(): Promise<void>;
}

export interface QueueOptions {
  sql: Sql;
  jobs: readonly Job[];
  log: JobLog;
  /** Creates the context in which this process runs the jobs and their schedules. Null for a process that only adds items. */
  work: ((queue: JobQueue) => JobContext) | null;
}

const poolConnections = 3;
/** Options of the queue's own database driver. A statement fails after `query_timeout` milliseconds without an answer. */
const queueDriver: object = { query_timeout: 35_000 };
const stopTimeoutMs = 25_000;
const pollingSeconds = 2;
const keepFinishedSeconds = 24 * 3_600;
/** Seconds without a report after which an item returns to the queue. The process that works on an item sends a report every 5 seconds. */
const heartbeatSeconds = 20;
const heartbeatRefreshSeconds = 5;
/** How often each process looks for items of dead processes. */
const monitorSeconds = 10;

/**
 * Returns true when {@link startQueue} failed because the database cannot be used now. The queue's own driver reports a lost
 * connection as an error without a code; errors of statements always have one.
 */
export function isQueueAway(error: unknown): boolean {
  const cause = error instanceof StartError ? error.cause : error;
  return (
    isUnavailable(cause) || (cause instanceof Error && !('code' in cause) && /connection|timeout/i.test(cause.message))
  );
}

/**
 * Starts the queue, which is stored in PostgreSQL. Any number of processes may share it. At most one item with the same key is
 * queued or running. If a process dies, its items return to the queue in about half a minute. When several processes
 * run the same schedule, only one item is added.
 */
export async function startQueue({ sql, jobs, log, work }: QueueOptions): Promise<RunningQueue> {
  const boss = new PgBoss({
    ...connectionOf(sql),
    schema: queueSchema,
    max: poolConnections,
    application_name: 'tidemark-queue',
    superviseIntervalSeconds: monitorSeconds,
    monitorIntervalSeconds: monitorSeconds,
    ...queueDriver,
  });
  boss.on('error', (error) => log.error({ err: error }, 'the queue had an error'));
  const queue = senderOf(boss, new Set(jobs.map(({ name }) => name)));
  const ticks = await startWork().catch(async (error: unknown) => {
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw new StartError(`The job queue could not be opened in the database: ${reasonOf(error)}.`, { cause: error });
  });
  return {
    ...queue,
    states: () =>
      readQueueStates(
        sql,
        jobs.map(({ name }) => name),
      ),
    async stop() {
      for (const tick of ticks) await tick.stop();
      await boss.stop({ graceful: true, timeout: stopTimeoutMs });
    },
  };

  async function startWork() {
    await boss.start();
    await declareAll(boss, jobs);
    return work === null ? [] : workAll(boss, jobs, work(queue), queue, log);
  }
}

/** Creates the queues that do not exist, and updates those that an earlier version created with other options. */
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
    // createQueue does not change an existing queue, which another process may have created a moment ago.
    await boss.createQueue(name, { policy: 'exclusive', ...options });
    await boss.updateQueue(name, options);
  }
}

function senderOf(boss: PgBoss, names: ReadonlySet<string>): JobQueue {
  return {
    async send(job, items, { tx, start_after } = {}) {
      if (!names.has(job)) {
        throw new Error(`there is no job "${job}": use the name of a job in pipeline/jobs/all.ts, or add it there`);
      }
      if (items.length === 0) return;
      const rows = items.map(({ key, data }) => ({
        data: { key, data },
        singletonKey: key,
        ...(start_after ? { startAfter: start_after } : {}),
      }));
      await boss.insert(job, rows, tx ? { db: statementsOf(tx) } : {});
    },
  };
}

async function workAll(boss: PgBoss, jobs: readonly Job[], context: JobContext, queue: JobQueue, log: JobLog) {
  const ticks: { stop(): unknown }[] = [];
  for (const job of jobs) {
    const options = {
      batchSize: job.batch_size,
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
    if (job.tick === null) continue;
    ticks.push(cron.schedule(job.tick, () => tick(queue, job.name, log), { timezone: 'UTC' }));
    // Queues an item now, to make up for scheduled times that passed while no process was running.
    await tick(queue, job.name, log);
  }
  return ticks;
}

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

/** Queues one item of a job for its schedule. If several processes queue it, only one item is added, because the key is the same. */
async function tick(queue: JobQueue, job: string, log: JobLog): Promise<void> {
  try {
    await queue.send(job, [{ key: job, data: {} }]);
  } catch (error) {
    log.warn({ err: error, job }, 'a tick could not be enqueued; the next tick replaces it');
  }
}
