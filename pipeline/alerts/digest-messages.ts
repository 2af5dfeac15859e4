import type { DigestMover, FailedWork } from '../../db/alerts/digests.ts';
import type { Message } from '../notify/message.ts';
import { numberText, quantity } from '../quantity.ts';
import { signedPercent } from './sentences.ts';

/**
 * Returns the message that summarizes the last `days` days (1 or 7) of tracked accounts and posts. Returns null when no
 * number changed and no check failed.
 */
export function digestMessage(
  days: number,
  movers: readonly DigestMover[],
  failing: readonly FailedWork[],
): Message | null {
  if (movers.length + failing.length === 0) return null;
  const period = days === 1 ? 'day' : 'week';
  const failures = failing.map(({ what, reason }) => `Failed: ${what}. ${reason}`);
  return {
    subject: `Your ${days === 1 ? 'daily' : 'weekly'} summary: ${quantity(movers.length, 'change')}, ${quantity(failing.length, 'failed check')}`,
    lines: [
      movers.length > 0 ? `The biggest changes of the last ${period}:` : `No numbers changed in the last ${period}.`,
    ],
    ...(movers.length > 0 ? { tables: [{ columns: ['Item', 'Now', 'Change'], rows: movers.map(rowOf) }] } : {}),
    notes: failures,
    action: { label: 'Open tracking', path: '/dashboard/tracking' },
  };
}

function rowOf({ name, metric, value, previous, rounded }: DigestMover): string[] {
  return [name, `${rounded ? '≈' : ''}${numberText(value)} ${metric}`, signedPercent(previous, value)];
}

/**
 * Returns the message that lists the sheet imports, spreadsheet writes and webhooks that failed in the last 24 hours.
 * Returns null when none failed.
 */
export function failureMessage(failures: readonly FailedWork[]): Message | null {
  if (failures.length === 0) return null;
  return {
    subject: `${failures.length} ${failures.length === 1 ? 'import, spreadsheet or webhook' : 'imports, spreadsheets or webhooks'} failed`,
    lines: ['These failed in the last 24 hours:'],
    tables: [{ columns: ['What failed', 'Reason'], rows: failures.map(({ what, reason }) => [what, reason]) }],
    action: { label: 'Open dashboard', path: '/dashboard' },
  };
}
