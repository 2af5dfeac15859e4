import { type Allowance, throttleMember } from '../../../db/accounts/throttle.ts';
import type { Recipient } from '../../../db/alerts/recipients.ts';
import type { SectionDeps } from '../deps.ts';

export type AlertsDeps = Pick<SectionDeps, 'db' | 'now' | 'queue' | 'config'>;

export const alertsArea = '/dashboard/alerts';

/**
 * Returns the name of a notification recipient for display. The URL of a Slack webhook is a secret, so only its label
 * is shown.
 */
export function recipientName({ channel, label }: Pick<Recipient, 'channel' | 'label'>): string {
  return channel === 'slack' ? `${label} (Slack)` : label;
}

/**
 * Limits the test messages and the messages that are sent again, because a Slack channel can be the URL of anybody's
 * server.
 */
const sentByHand: Allowance = { limit: 20, window_seconds: 600 };

/** Counts a message that a user sends by hand. Returns true when there were too many. */
export async function tooManyByHand(
  visitor: { workspace_id: string; user_id: string },
  { db, now }: Pick<AlertsDeps, 'db' | 'now'>,
): Promise<boolean> {
  return (await throttleMember(db.sql, 'messages by hand', visitor, sentByHand, now())) !== null;
}
