import { readQueueStates } from '../../db/queue.ts';
import { createJobs, listJobs } from '../../pipeline/jobs/all.ts';
import type { Job } from '../../pipeline/queue/job.ts';
import { openMail } from '../../pipeline/start.ts';
import { type Command, lines, textTable, UsageError } from './command.ts';
import { withJobContext } from './queue.ts';

export const jobsList: Command = {
  name: 'jobs list',
  usage: '',
  does: 'shows the waiting items of each queue, the longest wait in seconds, and when an item last finished',
  args: [],
  options: [],
  async run({ db }) {
    const schedules = new Map(listJobs().map(({ name, schedule }) => [name, schedule]));
    const states = await readQueueStates(db.sql, [...schedules.keys()]);
    const rows = states.map(({ job, lag_seconds, ...counts }) => ({
      job,
      schedule: schedules.get(job) ?? null,
      ...counts,
      lag_seconds: lag_seconds === null ? null : Math.round(lag_seconds),
    }));
    return { json: rows, text: textTable(rows) };
  },
};

export const jobsRun: Command = {
  name: 'jobs run',
  usage: 'NAME',
  does: 'runs a job once, immediately and in this process; the pipeline processes the items that it enqueues',
  args: ['NAME'],
  options: [],
  async run(context) {
    const logged: object[] = [];
    const write = (details: object, message: string) => void logged.push({ message, ...details });
    const log = { info: write, warn: write, error: write };
    const settings = { ...context.config, mail: openMail(context.config, log) };
    const job = scheduledJob(createJobs(settings), context.args[0] as string);
    const started = performance.now();
    await withJobContext(context, log, (own) => job.run([{ key: job.name, data: {} }], own));
    const ran = { job: job.name, duration_ms: Math.round(performance.now() - started) };
    const shown = logged.map((line) => lines(line));
    return { json: { ...ran, log: logged }, text: [lines(ran), ...shown].join('\n\n') };
  },
};

/**
 * Returns the job with this name. Throws UsageError for a job that is not scheduled, because it has no work unless
 * another job enqueues it.
 */
function scheduledJob(all: readonly Job[], name: string): Job {
  const scheduled = all.filter(({ schedule }) => schedule !== null);
  const job = scheduled.find((candidate) => candidate.name === name);
  if (job) return job;
  const names = scheduled.map((candidate) => candidate.name).join(', ');
  const problem = all.some((candidate) => candidate.name === name)
    ? `${name} only runs items that other jobs enqueue`
    : `There is no job ${name}`;
  throw new UsageError(`${problem}: run one of ${names}.`);
}
