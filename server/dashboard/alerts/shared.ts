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
