import { dayMs } from '../../db/durations.ts';
import type { ItemSeries, MainMetric } from '../../db/tracking/recent-history.ts';
import { qualityOf } from './metrics.ts';

/**
 * Maximum age in days of an observed value that still counts as the value at a given time. Changes are therefore known
 * even when a daily check was missed.
 */
const toleranceDays = 3;
/** Largest number of days for which callers compute a change with {@link changeWithin}. */
const maxDays = 30;

/**
 * Returns the start of the history that must be read to compute changes and {@link recentValues}. `historyDays` is the
 * history limit of the tier.
 */
export function seriesStart(historyDays: number, now: Date): Date {
  return new Date(now.getTime() - (Math.min(historyDays, maxDays) + toleranceDays) * dayMs);
}

/**
 * Returns the last observed value of each UTC day in the last 30 days, oldest first. Days without an observation are
 * left out.
 */
export function recentValues({ moments, values }: Series, now: Date): (number | null)[] {
  const first = now.getTime() - maxDays * dayMs;
  const dayAt = (index: number) => Math.floor((moments[index] ?? 0) / dayMs);
  return values.filter((_, index) => (moments[index] ?? 0) > first && dayAt(index) !== dayAt(index + 1));
}

type Series = Pick<ItemSeries, 'moments' | 'values'>;

/**
 * Returns the newest value that was observed in the three days before the time `at`. Returns null when nothing was
 * observed in these days, or when the newest observation has no value.
 */
function valueAt(series: Series, at: number): number | null {
  return series.values[indexAt(series, at)] ?? null;
}

/**
 * Returns the index of the last observation in the three days before the time `at`, or -1 when nothing was observed in
 * these days.
 */
function indexAt({ moments }: Series, at: number): number {
  const index = moments.findLastIndex((moment) => moment <= at);
  const moment = moments[index];
  return moment === undefined || moment < at - toleranceDays * dayMs ? -1 : index;
}

/**
 * Returns how much the value has changed in the `days` days before `now`. Returns null when one of the two values is
 * unknown.
 */
export function changeWithin(series: Series, days: number, now: Date): number | null {
  const after = valueAt(series, now.getTime());
  const before = valueAt(series, now.getTime() - days * dayMs);
  return after === null || before === null ? null : after - before;
}

/**
 * The sum of the newest values (such as followers) of several tracked items, and the sum of their changes over a
 * period.
 */
export interface AudienceGrowth {
  /** The sum of the newest values. Null when no item has a value. */
  total: number | null;
  /** Number of tracked items that are counted in `total`. */
  items: number;
  /** True when the platform rounded a value that is counted in `total`. */
  rounded: boolean;
  /** The sum of the changes. Null when no item has a value at both ends of the period. */
  change: number | null;
  /** Number of tracked items that are counted in `change`. */
  compared: number;
  /** True when the platform rounded a value from which `change` was computed. */
  change_rounded: boolean;
}

interface PeriodOptions {
  /** The metric of the values, such as followers. */
  metric: MainMetric;
  days: number;
  now: Date;
}

/** Returns true when the platform rounded one of the two values from which {@link changeWithin} computes a change. */
export function isGrowthRounded(series: ItemSeries, { metric, days, now }: PeriodOptions): boolean {
  return [now.getTime(), now.getTime() - days * dayMs].some((at) => isRoundedAt(series, metric, at));
}

function isRoundedAt(series: ItemSeries, metric: MainMetric, at: number): boolean {
  return qualityOf({ quality: series.qualities[indexAt(series, at)] ?? 0 }, metric) === 'rounded';
}

/** Adds up the newest values of several tracked items, and their changes in the `days` days before `now`. */
export function audienceOf(all: readonly ItemSeries[], period: PeriodOptions): AudienceGrowth {
  const { metric, days, now } = period;
  const after = now.getTime();
  const known = all.filter((series) => valueAt(series, after) !== null);
  const compared = known.filter((series) => changeWithin(series, days, now) !== null);
  return {
    total: known.length === 0 ? null : known.reduce((sum, series) => sum + (valueAt(series, after) ?? 0), 0),
    items: known.length,
    rounded: known.some((series) => isRoundedAt(series, metric, after)),
    change:
      compared.length === 0 ? null : compared.reduce((sum, series) => sum + (changeWithin(series, days, now) ?? 0), 0),
    compared: compared.length,
    change_rounded: compared.some((series) => isGrowthRounded(series, period)),
  };
}

/** The sum of the values of several tracked items on one day. */
interface AudienceDay {
  /** The end of the UTC day, or now for today, in milliseconds. */
  at: number;
  value: number;
  /** True when the platform rounded one of the values. */
  rounded: boolean;
}

/**
 * Returns the sum of the values of several tracked items on each of the last `days` days and today, oldest first, and
 * the number of these items. Counts only items with a value on each of these days, so that an item that was added later
 * or not checked does not look like a change.
 */
export function audienceHistory(
  all: readonly ItemSeries[],
  { metric, days, now }: PeriodOptions,
): { items: number; history: AudienceDay[] } {
  const today = Math.floor(now.getTime() / dayMs);
  const ends = Array.from({ length: days + 1 }, (_, index) =>
    Math.min((today - days + index + 1) * dayMs - 1, now.getTime()),
  );
  const counted = all.filter((series) => ends.every((at) => valueAt(series, at) !== null));
  const history = ends.map((at) => ({
    at,
    value: counted.reduce((sum, series) => sum + (valueAt(series, at) ?? 0), 0),
    rounded: counted.some((series) => isRoundedAt(series, metric, at)),
  }));
  return { items: counted.length, history };
}
