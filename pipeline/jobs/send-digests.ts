import { type DueDigest, dueDigests, failedWork, itemsThatFailed, topMovers } from '../../db/alerts/digests.ts';
import { dayOf } from '../../db/calendar.ts';
import { dayMs } from '../../db/durations.ts';
import { inTransaction } from '../../db/transaction.ts';
import { digestMessage, failureMessage } from '../alerts/digest-messages.ts';
import type { Message } from '../notify/message.ts';
import { notify } from '../notify/notify.ts';
import type { RecipientTopic } from '../notify/topics.ts';
import type { Job, JobContext } from '../queue/job.ts';

/** Hour of the day (UTC) after which daily and weekly summaries are sent. */
const firstHour = 7;
const monday = 1;
const [maxMovers, maxFailures] = [10, 20];

/** Number of past days that each kind of summary message covers. */
const covered = { failures: 1, daily_digest: 1, weekly_digest: 7 } as const satisfies Partial<
  Record<RecipientTopic, number>
>;
type Digest = keyof typeof covered;

/**
 * Sends daily or weekly summaries of tracked accounts and posts, and a daily list of failed tasks, to the recipients
 * who subscribed to these messages. Sends no empty summary. Runs every hour, so that a later run of the same day sends
 * a missed summary.
 */
export const sendDigests: Job = {
  name: 'send-digests',
  schedule: '10 * * * *',
  items_per_run: 1,
  expire_seconds: 900,
  retries: 0,
  async run(_, context) {
    const at = context.now();
    if (at.getUTCHours() < firstHour) return;
    const topics: Digest[] = ['failures', 'daily_digest'];
    if (at.getUTCDay() === monday) topics.push('weekly_digest');
    const today = dayOf(at.getTime());
    let failed = 0;
    for (const due of await dueDigests(context.db.sql, topics, today)) {
      if (context.signal.aborted) return;
      try {
        await sendDigest(due, today, context);
      } catch (error) {
        failed += 1;
        context.log.error({ err: error, ...due }, 'a summary could not be created');
      }
    }
    if (failed > 0) throw new Error(`${failed} summaries could not be created. The next run of this job tries again.`);
  },
};

async function sendDigest({ workspace_id, topic }: DueDigest, today: string, context: JobContext): Promise<void> {
  const message = await messageOf(topic as Digest, workspace_id, context);
  if (message === null) return;
  await inTransaction(context.db.sql, (tx) =>
    notify(context, tx, workspace_id, { topic, campaign_id: null }, { kind: topic, subject_key: today, message }),
  );
}

async function messageOf(topic: Digest, workspaceId: string, { db, now }: JobContext): Promise<Message | null> {
  const since = new Date(now().getTime() - covered[topic] * dayMs);
  if (topic === 'failures') return failureMessage(await failedWork(db.sql, workspaceId, since, maxFailures));
  const [movers, failing] = await Promise.all([
    topMovers(db.sql, workspaceId, since, maxMovers),
    itemsThatFailed(db.sql, workspaceId, since, maxFailures),
  ]);
  return digestMessage(covered[topic], movers, failing);
}
