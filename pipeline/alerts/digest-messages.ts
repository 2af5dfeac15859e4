import type { DigestMover, FailedCheck, FailedWork } from '../../db/alerts/digests.ts';
import type { Message } from '../notify/message.ts';
import { numberText, quantity } from '../quantity.ts';
import { causeLabels } from '../report/notes.ts';
import { signedPercent } from './sentences.ts';

/**
 * Returns the message that summarizes the last `days` days (1 or 7) of tracked accounts and posts. Returns null when no
 * number changed and no check failed.
 */
export function digestMessage(
  days: number,
  movers: readonly DigestMover[],
  failing: readonly FailedCheck[],
): Message | null {
  if (movers.length + failing.length === 0) return null;
  const period = days === 1 ? 'day' : 'week';
  const [changes, failures] = [movers[0]?.found ?? 0, failing[0]?.found ?? 0];
  const kind = failing.some(isSkipped) ? 'failed or skipped check' : 'failed check';
  const more = failures - failing.length;
  return {
    subject: `Your ${days === 1 ? 'daily' : 'weekly'} summary: ${quantity(changes, 'change')}, ${quantity(failures, kind)}`,
    lines: [
      movers.length === 0
        ? `No changes are known for the last ${period}.`
        : `The ${changes > movers.length ? `${movers.length} biggest` : 'biggest'} changes of the last ${period}:`,
    ],
    ...(movers.length > 0 ? { tables: [{ columns: ['Item', 'Now', 'Change'], rows: movers.map(rowOf) }] } : {}),
    notes: [...failing.map(failureLine), ...(more > 0 ? [`And ${quantity(more, `more ${kind}`)}.`] : [])],
    action: { label: 'Open tracking', path: '/dashboard/tracking' },
  };
}

function rowOf({ name, metric, value, previous, rounded }: DigestMover): string[] {
  const mark = rounded ? '≈' : '';
  return [name, `${mark}${numberText(value)} ${metric}`, `${mark}${signedPercent(previous, value)}`];
}

const isSkipped = ({ outcome }: FailedCheck) => outcome.startsWith('SKIPPED_');

function failureLine(check: FailedCheck): string {
  const { name, outcome, message } = check;
  const cause = causeLabels[outcome] ?? outcome;
  const reason = message ?? `${cause.charAt(0).toUpperCase()}${cause.slice(1)}.`;
  return `${isSkipped(check) ? 'Skipped' : 'Failed'}: ${name}. ${reason}`;
}

/**
 * Returns the message that lists the sheet imports, spreadsheet writes and webhooks that failed in the last 24 hours.
 * Returns null when none failed.
 */
export function failureMessage(failures: readonly FailedWork[]): Message | null {
  if (failures.length === 0) return null;
  const found = failures[0]?.found ?? 0;
  return {
    subject: `${numberText(found)} ${found === 1 ? 'import, spreadsheet or webhook' : 'imports, spreadsheets or webhooks'} failed`,
    lines: ['These failed in the last 24 hours:'],
    tables: [
      { columns: ['What failed', 'Reason'], rows: failures.map(({ what, reason }) => [what, reason]), texts: true },
    ],
    action: { label: 'Open dashboard', path: '/dashboard' },
  };
}
