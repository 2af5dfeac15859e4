import { readQueueStates } from '../../db/queue.ts';
import { createJobs, jobNames, jobs } from '../../pipeline/jobs/all.ts';
import type { Job } from '../../pipeline/queue/job.ts';
import { openMail } from '../../pipeline/start.ts';
import { type Command, lines, table, UsageError } from './command.ts';
import { withJobContext } from './queue.ts';

export const jobsList: Command = {
  name: 'jobs list',
  usage: '',
  does: 'what waits in each queue, and for how many seconds',
  words: [],
  options: [],
  async run({ db }) {
    const ticks = new Map<string, string | null>(jobs.map(({ name, tick }) => [name, tick]));
    const states = await readQueueStates(db.sql, jobNames);
    const rows = states.map(({ job, lag_seconds, ...counts }) => ({
      job,
      tick: ticks.get(job) ?? null,
      ...counts,
      lag_seconds: lag_seconds === null ? null : Math.round(lag_seconds),
    }));
    return { json: rows, text: table(rows) };
  },
};

export const jobsRun: Command = {
  name: 'jobs run',
  usage: 'NAME',
  does: 'what a tick of a job does, now and in this process; what it enqueues is worked by the pipeline',
  words: ['NAME'],
  options: [],
  async run(context) {
    const told: object[] = [];
    const tell = (details: object, message: string) => void told.push({ message, ...details });
    const log = { info: tell, warn: tell, error: tell };
    const settings = { ...context.config, mail: openMail(context.config, log) };
    const job = tickingJob(createJobs(settings), context.words[0] as string);
    const started = performance.now();
    await withJobContext(context, log, (own) => job.run([{ key: job.name, data: {} }], own));
    const ran = { job: job.name, duration_ms: Math.round(performance.now() - started) };
    const shown = told.map((line) => lines(line));
    return { json: { ...ran, log: told }, text: [lines(ran), ...shown].join('\n\n') };
  },
};

/** Jobs without a tick work items that others enqueue, and have nothing to do by themselves. */
function tickingJob(all: readonly Job[], name: string): Job {
  const ticking = all.filter(({ tick }) => tick !== null);
  const job = ticking.find((one) => one.name === name);
  if (job) return job;
  const names = ticking.map((one) => one.name).join(', ');
  const problem = all.some((one) => one.name === name)
    ? `${name} only works what other jobs enqueue`
    : `There is no job ${name}`;
  throw new UsageError(`${problem}: run one of ${names}.`);
}
