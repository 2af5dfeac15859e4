import cron from 'node-cron';
import { PgBoss } from 'pg-boss';
import type { Sql } from 'postgres';
import { connectionOf, type QueueState, queueSchema, readQueueStates, statementsOf } from '../../db/queue.ts';
import type { Job, JobContext, JobItem, JobLog, JobName, JobQueue } from './job.ts';

export interface RunningQueue extends JobQueue {
  states(): Promise<QueueState[]>;
  /** Lets the work under way finish, for at most 25 seconds, and leaves the rest to others. */
  stop(): Promise<void>;
}

export interface QueueOptions {
  sql: Sql;
  jobs: readonly Job[];
  log: JobLog;
  /** Null: only sends. Else the jobs are worked and ticked by this process. */
  work: ((queue: JobQueue) => JobContext) | null;
}

const poolConnections = 3;
const stopTimeoutMs = 25_000;
const pollingSeconds = 2;
const keepFinishedSeconds = 24 * 3_600;

/**
 * The queue in PostgreSQL: any number of processes may run it. An item's key is queued or active once at a time; an item taken
 * by a process that died goes back after the job's `expire_seconds`. Ticks of several processes make one item.
 */
export async function startQueue({ sql, jobs, log, work }: QueueOptions): Promise<RunningQueue> {
  const boss = new PgBoss({
    ...connectionOf(sql),
    schema: queueSchema,
    max: poolConnections,
    application_name: 'tidemark-queue',
  });
  boss.on('error', (error) => log.error({ err: error }, 'the queue failed'));
  await boss.start();
  for (const job of jobs) await declare(boss, job);
  const queue = senderOf(boss);
  const ticks = work === null ? [] : await workAll(boss, jobs, work(queue), queue, log);
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
}

async function declare(boss: PgBoss, { name, expire_seconds, retries }: Job): Promise<void> {
  await boss.createQueue(name, {
    policy: 'exclusive',
    expireInSeconds: expire_seconds,
    retryLimit: retries,
    retryBackoff: true,
    deleteAfterSeconds: keepFinishedSeconds,
  });
}

function senderOf(boss: PgBoss): JobQueue {
  return {
    async send(job, items, { tx, start_after } = {}) {
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
    const options = { batchSize: job.batch_size, pollingIntervalSeconds: pollingSeconds, burstWhenBatchFull: true };
    await boss.work<JobItem>(job.name, options, (taken) =>
      run(
        job,
        taken.map(({ data }) => data),
        context,
      ),
    );
    if (job.tick === null) continue;
    ticks.push(cron.schedule(job.tick, () => tick(queue, job.name, log), { timezone: 'UTC' }));
    // Makes up the ticks that did not happen while no process ran.
    await tick(queue, job.name, log);
  }
  return ticks;
}

async function run(job: Job, items: JobItem[], context: JobContext): Promise<void> {
  try {
    await job.run(items, context);
  } catch (error) {
    const details = { err: error, job: job.name, items: items.length };
    if (context.signal.aborted)
      context.log.warn(details, 'a job was not finished before the stop and is left to others');
    else context.log.error(details, 'a job failed and is tried again');
    throw error;
  }
}

/** A tick only enqueues; whatever number of processes ticks, one item waits. */
async function tick(queue: JobQueue, job: JobName, log: JobLog): Promise<void> {
  try {
    await queue.send(job, [{ key: job, data: {} }]);
  } catch (error) {
    log.warn({ err: error, job }, 'a tick could not be enqueued: the next one makes it up');
  }
}
