import {
  type LowWorkspace,
  listLowWorkspaces,
  markLowBalanceMailed,
  resetLowBalanceMails,
} from '../../db/money/low-balance.ts';
import { type Mail, mailAll, mailFailure, type SendMail } from '../notify/mail.ts';
import { serviceMail } from '../notify/service-mail.ts';
import { announceLowBalance } from '../notify/webhooks.ts';
import { quantity } from '../quantity.ts';
import type { Job } from '../queue/job.ts';

const workspacesAtOnce = 100;

/**
 * Creates the job that sends low-balance alerts every five minutes. Each time the credits of a workspace fall below the
 * value that a user chose, the job emails the members and sends a webhook event once. If no email can be sent, the next
 * run tries again, unless the mail server permanently refuses all of the emails.
 */
export function createLowBalance(mail: SendMail): Job {
  return {
    name: 'low-balance',
    schedule: '*/5 * * * *',
    items_per_run: 1,
    expire_seconds: 240,
    retries: 0,
    async run(_, context) {
      const { db, now, log, base_url } = context;
      await resetLowBalanceMails(db.sql);
      for (const low of await listLowWorkspaces(db.sql, workspacesAtOnce)) {
        try {
          await announceLowBalance(context, low.workspace_id);
          const mails = low.emails.map((to) => lowBalanceMail(to, low, base_url));
          const errors = await mailAll(mails, mail);
          const mayWorkLater = errors.length > 0 && errors.every((error) => !mailFailure(error).permanent);
          // Retries only when no email could be sent. Otherwise members who already got the email would get it again.
          if (errors.length === low.emails.length && mayWorkLater) throw errors[0];
          for (const err of errors)
            log.warn({ err, workspace_id: low.workspace_id }, 'a member got no low balance alert');
          await markLowBalanceMailed(db.sql, low.workspace_id, now());
        } catch (error) {
          log.error(
            { err: error, workspace_id: low.workspace_id },
            'a low balance alert could not be sent; the next run of this job tries again',
          );
        }
      }
    },
  };
}

function lowBalanceMail(to: string, { name, balance, threshold }: LowWorkspace, baseUrl: string): Mail {
  const left = `${quantity(balance, 'credit')} left`;
  return serviceMail(to, {
    subject: left,
    lines: [
      `The workspace ${name} has ${left}. You asked for an alert when its balance falls below ${quantity(threshold, 'credit')}.`,
    ],
    action: { label: 'Add credits or change the alert', url: `${baseUrl}/dashboard/credits` },
  });
}
