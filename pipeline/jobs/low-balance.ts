import {
  type LowWorkspace,
  listLowWorkspaces,
  markLowBalanceMailed,
  resetLowBalanceMails,
} from '../../db/money/low-balance.ts';
import type { Mail, SendMail } from '../notify/mail.ts';
import { announceLowBalance } from '../notify/webhooks.ts';
import type { Job } from '../queue/job.ts';

const workspacesAtOnce = 100;

/**
 * Every five minutes: tells the members and endpoints of workspaces whose balance fell below their alert, whatever charged it;
 * once until it was back. A mail that does not leave is tried again at the next tick.
 */
export function createLowBalance(mail: SendMail): Job {
  return {
    name: 'low-balance',
    tick: '*/5 * * * *',
    batch_size: 1,
    expire_seconds: 240,
    retries: 0,
    async run(_, context) {
      const { db, now, log, base_url } = context;
      await resetLowBalanceMails(db.sql);
      for (const low of await listLowWorkspaces(db.sql, workspacesAtOnce)) {
        try {
          await announceLowBalance(context, low.workspace_id);
          for (const to of low.emails) await mail(lowMail(to, low, base_url));
          await markLowBalanceMailed(db.sql, low.workspace_id, now());
        } catch (error) {
          log.error({ err: error, workspace_id: low.workspace_id }, 'a low balance was not told');
        }
      }
    },
  };
}

function lowMail(to: string, { name, balance, threshold }: LowWorkspace, baseUrl: string): Mail {
  const lines = [
    `${balance} credits are left in ${name}: fewer than ${threshold}, where you wanted to be told.`,
    `Credits and alert: ${baseUrl}/dashboard/credits`,
  ];
  return { to, subject: `${balance} credits left`, text: lines.join('\n\n') };
}
