import { dayMs } from '../../../db/durations.ts';
import type { Overview } from '../../../db/workspace-data/overview.ts';
import { quantity } from '../../../pipeline/quantity.ts';
import { count } from '../ui/components.ts';

/**
 * Minimum number of days since the start of the month for a forecast of how long the credits last. Fewer days say too
 * little about a usual day.
 */
const minDays = 3;
const daysPerMonth = 30;
const monthsPerYear = 12;
/** Maximum number of years in the forecast of how long credits last. A longer time is shown as "more than 5 years". */
const maxYears = 5;

/**
 * Returns the text after the balance, which says how long the credits last if spending continues at this month's rate.
 * Returns null when nothing was spent this month, or when the month has just begun.
 */
export function creditForecast(
  { request_credits, scheduled_credits }: Pick<Overview, 'request_credits' | 'scheduled_credits'>,
  balance: number,
  now: Date,
): string | null {
  const passed = (now.getTime() - Date.UTC(now.getUTCFullYear(), now.getUTCMonth())) / dayMs;
  const spent = request_credits + scheduled_credits;
  if (spent === 0 || passed < minDays) return null;
  const perDay = spent / passed;
  const used = perDay < 1 ? 'less than 1' : count(Math.round(perDay));
  return `credits; you use ${used} a day, so they last ${durationText(balance / perDay)}`;
}

function durationText(days: number): string {
  if (days > maxYears * monthsPerYear * daysPerMonth) return `more than ${maxYears} years`;
  const [number, unit] =
    days < 2 * daysPerMonth
      ? [Math.floor(days), 'day']
      : days < 2 * monthsPerYear * daysPerMonth
        ? [Math.floor(days / daysPerMonth), 'month']
        : [Math.floor(days / daysPerMonth / monthsPerYear), 'year'];
  return number === 0 ? 'less than a day' : quantity(number, unit);
}
