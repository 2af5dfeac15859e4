import { type CanarySettings, runCanary } from '../canary/canary.ts';
import type { SendMail } from '../notify/mail.ts';
import type { Job } from '../queue/job.ts';

/**
 * Creates the job that requests well-known public profiles, posts and lists, to notice a change of a platform before
 * customers do. These requests cost no credits. With `settings` null, the job does nothing.
 */
export function createCanary(settings: CanarySettings | null, mail: SendMail): Job {
  return {
    name: 'canary',
    schedule: '*/10 * * * *',
    items_per_run: 1,
    expire_seconds: 300,
    retries: 0,
    async run(_, context) {
      if (settings !== null) await runCanary(settings, context, mail);
    },
  };
}
