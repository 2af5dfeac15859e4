import cron from 'node-cron';
import { dayMs } from '../../db/durations.ts';
import type { Job } from './job.ts';

/** Milliseconds between two looks at the clock. */
const lookMs = 10_000;
/**
 * The clock was set back when it lost more than this many milliseconds between two looks. Usual corrections of the
 * system time are smaller.
 */
const setBackMs = 30_000;

/**
 * Options of the scheduling library. By default, it skips a scheduled time when the process is a second late. It also
 * writes a line that is not JSON for each skipped time, for example for every minute by which the clock was set ahead.
 */
const options = { timezone: 'UTC', missedExecutionTolerance: dayMs, suppressMissedWarning: true };

interface ScheduleOptions {
  /** Called at each scheduled time of a job. */
  tick(job: Job): Promise<void>;
  /** Called after the clock was set back. The schedules then already follow the new time. */
  onClockSetBack(): Promise<void>;
}

/** Starts the schedules of jobs. Returns the function that stops them. */
export function startSchedules(jobs: readonly Job[], { tick, onClockSetBack }: ScheduleOptions): () => Promise<void> {
  let tasks = startTasks(jobs, tick);
  let ahead = aheadOfMonotonicClock();
  const watch = setInterval(async () => {
    const before = ahead;
    ahead = aheadOfMonotonicClock();
    if (ahead >= before - setBackMs) return;
    // The library computes the next time of a schedule only when the last one was reached. Schedules that were started
    // before the clock was set back would therefore wait until the clock shows that time again.
    const outdated = tasks;
    tasks = startTasks(jobs, tick);
    await stopTasks(outdated);
    await onClockSetBack();
  }, lookMs);
  return async () => {
    clearInterval(watch);
    await stopTasks(tasks);
  };
}

/** Returns the milliseconds by which the clock is ahead of one that is never set. */
function aheadOfMonotonicClock(): number {
  return Date.now() - performance.now();
}

type Tasks = { stop(): unknown }[];

function startTasks(jobs: readonly Job[], tick: ScheduleOptions['tick']): Tasks {
  return jobs.flatMap((job) => (job.schedule === null ? [] : [cron.schedule(job.schedule, () => tick(job), options)]));
}

async function stopTasks(tasks: Tasks): Promise<void> {
  for (const task of tasks) await task.stop();
}
