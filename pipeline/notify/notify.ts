import type { Sql } from 'postgres';
import { type Audience, addNotifications } from '../../db/alerts/notifications.ts';
import { withoutDirectionChanges } from '../parse/text.ts';
import type { JobContext } from '../queue/job.ts';
import type { Message } from './message.ts';

interface Notice {
  kind: string;
  /**
   * Identifies what the message is about, such as one report. A recipient gets at most one message of each kind about
   * the same subject.
   */
  subject_key: string;
  message: Message;
}

/**
 * Stores a message for each recipient and queues the job that sends it. Uses the transaction `tx`, so that nothing is
 * sent when the reported change is rolled back. Names in the message cannot change the text direction. Returns the
 * number of stored messages.
 */
export async function notify(
  { now, queue }: Pick<JobContext, 'now' | 'queue'>,
  tx: Sql,
  workspaceId: string,
  audience: Audience,
  { message, ...notice }: Notice,
): Promise<number> {
  const stored = { ...notice, message: withoutDirectionChanges(JSON.stringify(message)) };
  const added = await addNotifications(tx, workspaceId, audience, stored, now());
  // Uses the queue key of the job's schedule, so that the job does not run twice at the same time. If an item with this
  // key already exists, the queue does not add another, and the next scheduled run sends the message.
  if (added > 0) await queue.send('send-notifications', [{ key: 'send-notifications', data: {} }], { tx });
  return added;
}
