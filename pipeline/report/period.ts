import { dayMs, hourMs, weekMs } from '../../db/durations.ts';

/**
 * Milliseconds after the end of a week in which its last checks may still be stored. After this time, the observed
 * numbers of the week do not change.
 */
export const graceMs = hourMs;
/** The first Monday after 1 January 1970, in Unix ms. */
const firstMondayMs = 4 * dayMs;

/** A time span in Unix ms that includes `from` and excludes `to`. */
export interface Window {
  from: number;
  to: number;
}

/** Returns the start (00:00 UTC) of the day that contains the time `at`. */
export function dayStart(at: number): number {
  return Math.floor(at / dayMs) * dayMs;
}

/** Returns the start (Monday 00:00 UTC) of the week that contains the time `at`. */
export function weekStart(at: number): number {
  return Math.floor((at - firstMondayMs) / weekMs) * weekMs + firstMondayMs;
}

/** Returns the start (00:00 UTC) of the date `YYYY-MM-DD` in Unix ms. NaN for any other text. */
export function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}

/**
 * Returns the start of the oldest full day that a workspace may see, in Unix ms. `historyDays` is the history limit of
 * its tier. All history begins with this day, so that pages, reports and data links agree.
 */
export function historyStart(now: number, historyDays: number): number {
  return Math.ceil(now / dayMs - historyDays) * dayMs;
}

interface PeriodParams {
  period_start: number;
  generated_at: number;
  history_days: number;
  starts_on: string;
  ends_on: string | null;
}

/**
 * Returns the part of a week that a campaign report covers: the days of the campaign that are within the history limit,
 * up to the time at which the report is created (`generated_at`). The period may be empty.
 */
export function windowOf({ period_start, generated_at, history_days, starts_on, ends_on }: PeriodParams): Window {
  const from = Math.max(period_start, startOf(starts_on), historyStart(generated_at, history_days));
  const last = ends_on === null ? Number.POSITIVE_INFINITY : startOf(ends_on) + dayMs;
  return { from, to: Math.max(from, Math.min(period_start + weekMs, last, generated_at)) };
}
