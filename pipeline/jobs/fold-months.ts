import { foldPastMonths } from '../../db/observations/fold-months.ts';
import type { Job } from '../queue/job.ts';

/** Number of milliseconds after which a run stops. The next run continues. */
const maxRunMs = 600_000;

/**
 * Every day, moves the observations of past months to a compact table. The first run after an upgrade moves the most.
 */
export const foldMonths: Job = {
  name: 'fold-months',
  schedule: '47 3 * * *',
  items_per_run: 1,
  expire_seconds: 900,
  retries: 1,
  async run(_, { db, now, log, signal }) {
    const stop = AbortSignal.any([signal, AbortSignal.timeout(maxRunMs)]);
    const observations = await foldPastMonths(db.sql, now(), stop);
    if (observations > 0) log.info({ observations }, 'observations of past months moved');
  },
};
