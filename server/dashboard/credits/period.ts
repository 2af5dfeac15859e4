import { dayOf } from '../../../db/calendar.ts';
import { dayMs } from '../../../db/durations.ts';
import { lazy } from '../../../pipeline/lazy.ts';
import { PageNotFound } from '../ui/section.ts';

/** The days that the usage page shows. */
export interface Period {
  /** Name of the period in the page's URL: a month such as `2026-11`, or a key of `lastDays` such as `30d`. */
  name: string;
  /** The first day, and the day after the last day, as `YYYY-MM-DD` in UTC. */
  from: string;
  until: string;
}

const lastDays: Readonly<Record<string, readonly [days: number, label: string]>> = {
  '30d': [30, 'Last 30 days'],
  '90d': [90, 'Last 90 days'],
  '365d': [365, 'Last 365 days'],
};

const monthName = lazy(() => new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }));

/** Number of months that the user can choose from, including the current month. */
const maxMonths = 24;

/**
 * Returns the period with this name. An empty name means the current month. Throws PageNotFound for a period that does
 * not exist.
 */
export function periodOf(name: string, now: Date): Period {
  const currentMonth = now.toISOString().slice(0, 7);
  const [days] = Object.hasOwn(lastDays, name) ? (lastDays[name] ?? []) : [];
  if (days !== undefined)
    return { name, from: dayOf(now.getTime() - (days - 1) * dayMs), until: dayOf(now.getTime() + dayMs) };
  const month = name || currentMonth;
  if (!/^20\d\d-(0[1-9]|1[0-2])$/.test(month) || month > currentMonth) throw new PageNotFound();
  const [year = 0, number = 1] = month.split('-').map(Number);
  return { name: month, from: `${month}-01`, until: dayOf(Date.UTC(year, number, 1)) };
}

/** Returns the days of a period up to today. */
export function daysOf({ from, until }: Period, now: Date): string[] {
  const end = Math.min(Date.parse(until), now.getTime() + 1);
  const days: string[] = [];
  for (let at = Date.parse(from); at < end; at += dayMs) days.push(dayOf(at));
  return days;
}

/**
 * Returns the periods that the usage page offers: the last days, such as `30d`, then the months back to the workspace's
 * first request.
 */
export function periodChoices(chosen: Period, first: string | null, now: Date): [string, string][] {
  const oldest = (first ?? now.toISOString()).slice(0, 7);
  const months = Array.from({ length: maxMonths }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  ).filter((month, back) => back === 0 || month >= oldest || month === chosen.name);
  const ranges = Object.entries(lastDays).map(([name, [, label]]): [string, string] => [name, label]);
  return [...ranges, ...months.map((month): [string, string] => [month, monthName().format(new Date(month))])];
}
