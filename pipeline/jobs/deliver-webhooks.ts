import {
  type AttemptResult,
  overdueDeliveries,
  recordAttempt,
  type WaitingDelivery,
  waitingDelivery,
} from '../../db/deliveries/webhook-deliveries.ts';
import { lockEndpoint, switchEndpoint } from '../../db/deliveries/webhooks.ts';
import { daySeconds, hourSeconds, weekMs } from '../../db/durations.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Outbound, OutboundAnswer } from '../network/outbound.ts';
import { attemptItem, signedHeaders } from '../notify/webhooks.ts';
import type { Job, JobContext, JobItem } from '../queue/job.ts';
import { waitForAll } from '../queue/wait-for-all.ts';

/**
 * Seconds to wait after each failed attempt to deliver a webhook, as the Standard Webhooks specification suggests. The
 * delivery has failed when the attempt after the last wait fails too.
 */
export const retryDelaysS: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000];
/** Maximum number of seconds that the receiver of a webhook can ask us to wait with the header Retry-After. */
const maxWaitS = daySeconds;
/**
 * Number of seconds after the planned time of a delivery attempt at which an attempt without a result counts as lost.
 */
const lostAfterS = hourSeconds;
/** Maximum age in milliseconds of a webhook delivery whose lost attempts are queued again. */
const searchedMs = weekMs;
const httpGone = 410;

/**
 * Ages of a webhook delivery, in seconds, at which its first, second, ... attempt counts as lost. Each is the planned
 * age of the attempt [0, 5, 305, …] plus {@link lostAfterS}.
 */
const dueAgesS = [0, ...retryDelaysS].map(
  (_, attempts) => lostAfterS + retryDelaysS.slice(0, attempts).reduce((sum, delay) => sum + delay, 0),
);

/**
 * Creates the job that sends webhooks by HTTP POST. One entry of the job queue is one delivery attempt. One transaction
 * records an attempt and queues the next one.
 * Each webhook arrives at least once: if the process crashes after sending and before recording, the attempt is
 * repeated with the same `webhook-id`.
 */
export function createDeliverWebhooks(post: Outbound): Job {
  return {
    name: 'deliver-webhooks',
    schedule: '*/10 * * * *',
    items_per_run: 50,
    expire_seconds: 60,
    retries: 3,
    async run(items, context) {
      await waitForAll(
        items.map((item) => (item.data.delivery_id === undefined ? findLost(context) : attempt(item, context, post))),
      );
    },
  };
}

/**
 * Queues webhook deliveries again when their next attempt is overdue, because their entries in the job queue may be
 * lost. An entry that still exists is not added twice, because it has the same key.
 */
async function findLost({ db, queue, now }: JobContext): Promise<void> {
  const at = now();
  const since = new Date(at.getTime() - searchedMs);
  await queue.send('deliver-webhooks', (await overdueDeliveries(db.sql, at, since, dueAgesS)).map(attemptItem));
}

async function attempt({ data }: JobItem, context: JobContext, post: Outbound): Promise<void> {
  const { sql } = context.db;
  const delivery = await waitingDelivery(
    sql,
    String(data.workspace_id),
    String(data.delivery_id),
    Number(data.attempts),
  );
  if (!delivery) return;
  if (!delivery.enabled) {
    await recordAttempt(sql, delivery, switchedOff(context.now()));
    return;
  }
  const { url, body } = delivery;
  const answer = await post({ url, body, headers: signedHeaders(delivery, context.now()) });
  await recordAnswer(delivery, answer, context);
}

function switchedOff(at: Date): AttemptResult {
  return { status: 'failed', attempted: false, last_status: null, last_message: 'The endpoint is switched off.', at };
}

async function recordAnswer(
  delivery: WaitingDelivery,
  answer: OutboundAnswer,
  { db, now, queue }: JobContext,
): Promise<void> {
  const { workspace_id, endpoint_id, attempts } = delivery;
  const at = now();
  const delivered = answer.status !== null && answer.status >= 200 && answer.status < 300;
  const delayS = delivered || answer.status === httpGone ? undefined : retryDelaysS[attempts];
  const status = delivered ? 'delivered' : delayS === undefined ? 'failed' : 'waiting';
  const result = { status, attempted: true, last_status: answer.status, last_message: answer.message, at } as const;
  await inTransaction(db.sql, async (tx) => {
    if (answer.status === httpGone) await lockEndpoint(tx, workspace_id, endpoint_id);
    if (!(await recordAttempt(tx, delivery, result))) return;
    if (answer.status === httpGone) {
      await switchEndpoint(tx, workspace_id, endpoint_id, { at, reason: 'The receiver answered 410 Gone.' });
    }
    if (delayS === undefined) return;
    const waitS = Math.max(delayS, Math.min(answer.retry_after_seconds ?? 0, maxWaitS));
    const startAfter = new Date(at.getTime() + waitS * 1_000);
    const next = { ...attemptItem({ ...delivery, attempts: attempts + 1 }), start_after: startAfter };
    await queue.send('deliver-webhooks', [next], { tx });
  });
}
