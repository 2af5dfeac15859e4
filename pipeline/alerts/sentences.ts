import type { RaisedAlert } from '../../db/alerts/evaluate.ts';
import type { AlertRule } from '../../db/alerts/rules.ts';
import { numberText, roundedText, signedText } from '../quantity.ts';
import { metricName } from '../tracking/metrics.ts';

type Condition = Pick<AlertRule, 'condition' | 'metric' | 'direction' | 'amount' | 'days' | 'checks'>;

/** Returns the name of a metric as people write it, such as `channel views` for `total_views`. */
const metricWord = (metric: string | null) => metricName(metric ?? '');

const directionVerbs = { up: 'rise', down: 'fall', both: 'change' } as const;

/** Returns the condition of an alert rule as text, such as `followers rise by 10% or more in 7 days`. */
export function describeCondition({ condition, metric, direction, amount, days, checks }: Condition): string {
  switch (condition) {
    case 'change':
      return `${metricWord(metric)} ${directionVerbs[direction ?? 'both']} by ${numberText(amount ?? 0)}% or more in ${days === 1 ? '1 day' : `${days} days`}`;
    case 'above':
      return `${metricWord(metric)} rise above ${numberText(amount ?? 0)}`;
    case 'below':
      return `${metricWord(metric)} fall below ${numberText(amount ?? 0)}`;
    case 'not_found':
      return 'not found: deleted or renamed';
    case 'handle_changed':
      return 'the handle belongs to another account';
    case 'failing':
      return checks === 1 ? 'a check fails' : `${checks} checks in a row fail`;
  }
}

/** Returns one line that describes a raised alert, such as `followers +12.3% in 7 days: 1,000 → 1,123`. */
export function describeAlert(alert: RaisedAlert): string {
  const { condition, metric, value, previous, days, amount, checks, rounded } = alert;
  const shown = (number: number | null) => (number === null ? '–' : `${rounded ? '≈' : ''}${numberText(number)}`);
  const numbers = `${shown(previous)} → ${shown(value)}`;
  switch (condition) {
    case 'change':
      return `${metricWord(metric)} ${signedPercent(previous, value)} in ${days === 1 ? '1 day' : `${days} days`}: ${numbers}`;
    case 'above':
    case 'below':
      return `${metricWord(metric)} ${condition} ${numberText(amount ?? 0)}: ${numbers}`;
    case 'not_found':
      return 'Not found: deleted or renamed?';
    case 'handle_changed':
      return 'The handle now belongs to another account, so its numbers are not saved.';
    case 'failing':
      return checks === 1 ? 'The check failed' : `${checks} checks in a row failed`;
  }
}

/**
 * Returns the change between two numbers in percent, such as `+12.3%` or `−4%`. Returns `<0.1%` for a change that would
 * round to 0, and `–` when a number is unknown or `from` is 0.
 */
export function signedPercent(from: number | null, to: number | null): string {
  if (from === null || to === null || from === 0) return '–';
  const change = ((to - from) / from) * 100;
  if (change !== 0 && Math.abs(change) < 0.05) return '<0.1%';
  return `${signedText(change, roundedText)}%`;
}
