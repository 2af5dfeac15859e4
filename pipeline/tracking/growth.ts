import type { ItemSeries } from '../../db/tracking/recent-history.ts';

const dayMs = 86_400_000;
/** Maximum age in days of an observation that counts as the value at a moment. A change is therefore known after a missed check, too. */
const toleranceDays = 3;
/** Largest number of days that callers pass to {@link growth}. */
const longestDays = 30;

/**
 * Returns the time from which observations are needed to compute changes and {@link recentValues}, for a tier with `historyDays` days of
 * history.
 */
export function seriesStart(historyDays: number, now: Date): Date {
  return new Date(now.getTime() - (Math.min(historyDays, longestDays) + toleranceDays) * dayMs);
}

/** Returns the last value of each UTC day of the last 30 days, oldest first. */
export function recentValues({ moments, values }: Series, now: Date): (number | null)[] {
  const first = now.getTime() - longestDays * dayMs;
  const dayAt = (index: number) => Math.floor((moments[index] ?? 0) / dayMs);
  return values.filter((_, index) => (moments[index] ?? 0) > first && dayAt(index) !== dayAt(index + 1));
}

type Series = Pick<ItemSeries, 'moments' | 'values'>;

/** Returns the last observed value in the three days up to `at`. Returns null without an observation, or when its value is unknown. */
export function valueAt({ moments, values }: Series, at: number): number | null {
  const index = moments.findLastIndex((moment) => moment <= at);
  const moment = moments[index];
  if (moment === undefined || moment <= at - toleranceDays * dayMs) return null;
  return values[index] ?? null;
}

/** Returns the change over a number of days until `now`. Returns null unless both values are known. */
export function growth(series: Series, days: number, now: Date): number | null {
  const after = valueAt(series, now.getTime());
  const before = valueAt(series, now.getTime() - days * dayMs);
  return after === null || before === null ? null : after - before;
}

/** The sum of the newest values of several items, and the sum of their changes over a period. */
export interface Audience {
  /** Null when no item has a value. */
  total: number | null;
  /** Number of items in `total`. */
  items: number;
  /** Null when no item has a value at both ends of the period. */
  change: number | null;
  /** Number of items in `change`. */
  compared: number;
}

/** Adds up the newest values of items, and their changes over a number of days. */
export function audienceOf(all: readonly Series[], days: number, now: Date): Audience {
  const newest = all.map((series) => valueAt(series, now.getTime())).filter((value) => value !== null);
  const changes = all.map((series) => growth(series, days, now)).filter((value) => value !== null);
  return {
    total: newest.length === 0 ? null : newest.reduce((sum, value) => sum + value, 0),
    items: newest.length,
    change: changes.length === 0 ? null : changes.reduce((sum, value) => sum + value, 0),
    compared: changes.length,
  };
}
