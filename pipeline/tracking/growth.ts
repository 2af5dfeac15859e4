import type { ItemSeries } from '../../db/tracking/recent-history.ts';

const dayMs = 86_400_000;
/**
 * Maximum age in days of an observed number that still counts as the value at a certain time. A change is therefore
 * known even when a daily check was missed.
 */
const toleranceDays = 3;
/** Largest number of days for which callers compute a change with {@link growth}. */
const longestDays = 30;

/**
 * Returns the start of the history that must be read to compute changes and {@link recentValues}. `historyDays` is the
 * history limit of the tier.
 */
export function seriesStart(historyDays: number, now: Date): Date {
  return new Date(now.getTime() - (Math.min(historyDays, longestDays) + toleranceDays) * dayMs);
}

/**
 * Returns the last observed value of each UTC day in the last 30 days, oldest first. Days without an observation are
 * left out.
 */
export function recentValues({ moments, values }: Series, now: Date): (number | null)[] {
  const first = now.getTime() - longestDays * dayMs;
  const dayAt = (index: number) => Math.floor((moments[index] ?? 0) / dayMs);
  return values.filter((_, index) => (moments[index] ?? 0) > first && dayAt(index) !== dayAt(index + 1));
}

type Series = Pick<ItemSeries, 'moments' | 'values'>;

/**
 * Returns the value at the time `at`: the last observed one of the three days before. Returns null when nothing was
 * observed in these days, or when the observed value is unknown.
 */
function valueAt({ moments, values }: Series, at: number): number | null {
  const index = moments.findLastIndex((moment) => moment <= at);
  const moment = moments[index];
  if (moment === undefined || moment <= at - toleranceDays * dayMs) return null;
  return values[index] ?? null;
}

/**
 * Returns how much the value has changed in the `days` days before `now`. Returns null when one of the two values is
 * unknown.
 */
export function growth(series: Series, days: number, now: Date): number | null {
  const after = valueAt(series, now.getTime());
  const before = valueAt(series, now.getTime() - days * dayMs);
  return after === null || before === null ? null : after - before;
}

/**
 * The sum of the newest values (such as followers) of several tracked items, and the sum of their changes over a
 * period.
 */
export interface Audience {
  /** The sum of the newest values. Null when no item has a value. */
  total: number | null;
  /** Number of tracked items that are counted in `total`. */
  items: number;
  /** The sum of the changes. Null when no item has a value at both ends of the period. */
  change: number | null;
  /** Number of tracked items that are counted in `change`. */
  compared: number;
}

/** Adds up the newest values of several tracked items, and their changes in the `days` days before `now`. */
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
