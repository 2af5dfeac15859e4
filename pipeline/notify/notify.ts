import type { Sql } from 'postgres';
import { type Audience, addNotifications } from '../../db/alerts/notifications.ts';
import type { JobContext } from '../queue/job.ts';
import type { Message } from './message.ts';

export interface Notice {
  kind: string;
  /** Identifies the subject of the message, such as a report. A recipient gets only one message of a kind about a subject. */
  subject_key: string;
  message: Message;
}

/**
 * Adds a message for each recipient to the log and queues the job that sends it. Uses the transaction `tx`, so that nothing is sent unless
 * the reported change is committed. Returns the number of messages.
 */
export async function notify(
  { now, queue }: Pick<JobContext, 'now' | 'queue'>,
  tx: Sql,
  workspaceId: string,
  audience: Audience,
  { message, ...notice }: Notice,
  options: { even_unconfirmed?: boolean } = {},
): Promise<number> {
  const stored = { ...notice, message: JSON.stringify(message) };
  const added = await addNotifications(tx, workspaceId, audience, stored, { now: now(), ...options });
  // The schedule uses the same key, so that the job does not run twice at the same time. If the queue refuses this item, the next tick sends
  // the message.
  if (added > 0) await queue.send('send-notifications', [{ key: 'send-notifications', data: {} }], { tx });
  return added;
}
