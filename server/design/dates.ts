import { dayMs } from '../../db/durations.ts';
import { lazy } from '../../pipeline/lazy.ts';

const format = (options: Intl.DateTimeFormatOptions) =>
  lazy(() => new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }));
const day = format({ dateStyle: 'medium' });
const time = format({ dateStyle: 'medium', timeStyle: 'short' });

/** Returns a day in UTC, such as `20 Nov 2026`. Also accepts a day as `YYYY-MM-DD`. */
export function dayText(moment: Date | number | string): string {
  return day().format(new Date(moment));
}

/** Returns a time in UTC without seconds, such as `20 Nov 2026, 10:00`. */
export function timeText(moment: Date | string): string {
  return time().format(new Date(moment));
}

/** Returns a period in UTC, such as `9–15 Nov 2026`. `to` is exclusive: it is the day after the period. */
export function periodText(from: Date | number, to: Date | number): string {
  const [first, last] = [new Date(from), new Date(new Date(to).getTime() - dayMs)];
  return last <= first ? dayText(first) : day().formatRange(first, last);
}
