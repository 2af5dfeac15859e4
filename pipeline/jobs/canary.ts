import { type CanarySettings, runCanary } from '../canary/canary.ts';
import type { SendMail } from '../notify/mail.ts';
import type { Job } from '../queue/job.ts';

/**
 * Creates the job that asks the sources for well-known public profiles, posts and lists, so that a changed platform is noticed before a
 * customer notices it. Costs no credits. Null settings: the job does nothing.
 */
export function createCanary(settings: CanarySettings | null, mail: SendMail): Job {
  return {
    name: 'canary',
    tick: '*/10 * * * *',
    batch_size: 1,
    expire_seconds: 300,
    retries: 0,
    async run(_, context) {
      if (settings !== null) await runCanary(settings, context, mail);
    },
  };
}
