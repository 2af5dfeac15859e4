import {
  claimNotifications,
  type DueNotification,
  recordSent,
  type SendResult,
} from '../../db/alerts/notifications.ts';
import type { Outbound } from '../network/outbound.ts';
import { mailFailure, type SendMail } from '../notify/mail.ts';
import { type Footer, type Message, mailHtml, mailText } from '../notify/message.ts';
import { slackBody } from '../notify/slack.ts';
import { subscriptionSecret, subscriptionUrl } from '../notify/subscription-token.ts';
import type { Job, JobContext } from '../queue/job.ts';
import { waitForAll } from '../queue/wait-for-all.ts';

/**
 * Seconds to wait after each failed attempt to send a message. The message has failed when the attempt after the last
 * wait fails too.
 */
export const mailDelaysS: readonly number[] = [60, 300, 1_800, 7_200, 28_800, 86_400];
const messagesAtOnce = 5;
/** Milliseconds after which a receiver counts as slow. */
const slowMs = 1_000;
const notEmailed = 'Not emailed: no mail server is set up.';
const [httpOk, httpNotFound, httpGone] = [200, 404, 410];

interface Senders {
  /** Sends an email. Null when the server has no SMTP server: emails are then only shown in the dashboard. */
  mail: SendMail | null;
  post: Outbound;
}

/**
 * Creates the job that sends the stored messages (alerts, summaries, reports) by email and to Slack. If the process
 * crashes after a message was sent and before this was recorded, the message is sent again. Mail programs can recognize
 * the repeated email by its Message-ID.
 */
export function createSendNotifications(senders: Senders): Job {
  return {
    name: 'send-notifications',
    schedule: '* * * * *',
    items_per_run: 1,
    expire_seconds: 240,
    retries: 0,
    async run(_, context) {
      const { db, now, signal } = context;
      const secret = await subscriptionSecret(db.sql);
      // The workspaces whose receiver was slow in this run. Their messages are sent when no other message is due.
      const slow = new Set<string>();
      const claim = (except: readonly string[]) => claimNotifications(db.sql, now(), messagesAtOnce, except);
      const send = async (notification: DueNotification) => {
        const started = performance.now();
        await attempt(notification, context, senders, secret);
        if (performance.now() - started > slowMs) slow.add(notification.workspace_id);
      };
      while (!signal.aborted) {
        const quick = await claim([...slow]);
        const due = quick.length > 0 || slow.size === 0 ? quick : await claim([]);
        if (due.length === 0) return;
        await waitForAll(due.map(send));
      }
    },
  };
}

async function attempt(notification: DueNotification, context: JobContext, senders: Senders, secret: string) {
  const { db, now, base_url, log } = context;
  const url = subscriptionUrl(base_url, notification, secret);
  const footer = { workspace_name: notification.workspace_name, base_url, unsubscribe_url: url };
  const send = notification.channel === 'slack' ? sendSlack : sendMail;
  const result = await send(notification, footer, senders);
  const { workspace_id, notification_id, attempts } = notification;
  if (result.status === 'failed') log.warn({ workspace_id, notification_id, attempts }, 'a message could not be sent');
  const nextAt = new Date(now().getTime() + (mailDelaysS[attempts - 1] ?? 0) * 1_000);
  await recordSent(db.sql, notification, { ...result, next_at: nextAt }, now());
}

type Outcome = Pick<SendResult, 'status' | 'result'>;

async function sendMail(notification: DueNotification, footer: Footer, { mail }: Senders): Promise<Outcome> {
  if (mail === null) return { status: 'shown', result: notEmailed };
  const message = notification.message as Message;
  try {
    await mail({
      to: notification.address,
      subject: message.subject,
      text: mailText(message, footer),
      html: mailHtml(message, footer),
      unsubscribe_url: footer.unsubscribe_url,
      message_id: `<${notification.notification_id}@${new URL(footer.base_url).hostname}>`,
    });
    return { status: 'sent', result: null };
  } catch (error) {
    const { permanent, reason } = mailFailure(error);
    return refused(notification, permanent, reason);
  }
}

async function sendSlack(notification: DueNotification, footer: Footer, { post }: Senders): Promise<Outcome> {
  const body = slackBody(notification.message as Message, footer);
  const { status, message } = await post({ url: notification.address, headers: {}, body });
  if (status === httpOk) return { status: 'sent', result: null };
  return refused(notification, status === httpNotFound || status === httpGone, `Slack: ${status ?? ''} ${message}`);
}

function refused({ attempts }: DueNotification, permanent: boolean, reason: string): Outcome {
  return { status: permanent || attempts > mailDelaysS.length ? 'failed' : 'waiting', result: reason };
}
