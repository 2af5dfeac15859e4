import type { RaisedAlert } from '../../db/alerts/evaluate.ts';
import { hourMs } from '../../db/durations.ts';
import { lazy } from '../lazy.ts';
import type { Message } from '../notify/message.ts';
import type { WebhookData } from '../notify/webhooks.ts';
import { beginningOf } from '../parse/text.ts';
import { describeAlert } from './sentences.ts';

/** Maximum number of alerts that one message lists. The dashboard shows all alerts. */
const maxRows = 30;
const maxSubject = 150;
const roundedNote =
  '≈ Rounded by the platform, so small changes are not visible. Rounded numbers are compared only with each other.';
/**
 * Age in milliseconds from which an alert counts as late. The message of a late alert says when the check took place.
 */
const lateMs = hourMs;
const timeFormat = lazy(
  () => new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
);

/**
 * Returns one message with all alerts that were raised for a recipient at the same time. Throws when the list of alerts
 * is empty.
 */
export function alertMessage(alerts: readonly RaisedAlert[], now: Date): Message {
  const [first] = alerts;
  if (!first) throw new Error('The list of alerts for a message is empty.');
  const notes = alerts.some(({ rounded }) => rounded) ? [roundedNote] : [];
  if (alerts.length > maxRows) notes.push(`And ${alerts.length - maxRows} more.`);
  const rules = [...new Set(alerts.map(({ rule_name }) => rule_name))];
  const subject =
    alerts.length === 1 ? `${nameOf(first)}: ${whatHappened(first, now)}` : `${alerts.length} alerts: ${rules[0]}`;
  const table = {
    columns: ['Item', 'What happened'],
    rows: alerts.slice(0, maxRows).map((alert) => [nameOf(alert), whatHappened(alert, now)]),
    texts: true,
  };
  return {
    subject: beginningOf(subject, maxSubject),
    lines: [rules.length === 1 ? `Your alert rule: ${rules[0]}` : `Your alert rules: ${rules.join(', ')}`],
    // The subject of a single alert already says what happened, unless the subject was shortened.
    tables: alerts.length === 1 && subject.length <= maxSubject ? [] : [table],
    notes,
    action:
      alerts.length === 1
        ? { label: 'Open item', path: `/dashboard/tracking/${first.item_id}` }
        : { label: 'Open tracking', path: '/dashboard/tracking' },
  };
}

/** Returns what happened in an alert as text, with the time of its check when the alert is late. */
function whatHappened(alert: RaisedAlert, now: Date): string {
  const text = describeAlert(alert);
  const isLate = now.getTime() - alert.attempted_at.getTime() > lateMs;
  return isLate ? `${text} (${timeFormat().format(alert.attempted_at)} UTC)` : text;
}

const nameOf = ({ item_name, item_url }: RaisedAlert) => item_name ?? item_url;

/** Returns the data of the webhook event `alert.raised`. */
export function alertData(alert: RaisedAlert): WebhookData {
  const { alert_id, rule_id, rule_name, item_id, item_name, item_url, condition, metric, value, previous, rounded } =
    alert;
  const item = { item_id, item_name, item_url };
  const attemptedAt = alert.attempted_at.toISOString();
  return {
    alert_id,
    rule_id,
    rule_name,
    ...item,
    condition,
    metric,
    value,
    previous,
    rounded,
    attempted_at: attemptedAt,
  };
}
