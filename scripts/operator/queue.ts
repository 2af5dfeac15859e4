import { createSources, openQuota } from '../../pipeline/create-sources.ts';
import { listJobs } from '../../pipeline/jobs/all.ts';
import type { JobContext, JobLog } from '../../pipeline/queue/job.ts';
import { startQueue } from '../../pipeline/queue/queue.ts';
import type { Context } from './command.ts';

/** Runs `work` with the context of a pipeline job. Other processes run the jobs that `work` enqueues. */
export async function withJobContext<T>(
  { db, config, now }: Context,
  log: JobLog,
  work: (context: JobContext) => Promise<T>,
): Promise<T> {
  const sources = { ...createSources(config, now), quota: openQuota(config, db.sql) };
  const queue = await startQueue({ sql: db.sql, jobs: listJobs(), log, work: null });
  const { base_url } = config;
  const { signal } = new AbortController();
  return work({ db, now, queue, sources, base_url, log, signal }).finally(() => queue.stop());
}
