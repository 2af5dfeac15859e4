import type { Observed } from '../../db/campaigns/reports.ts';
import type { Metric } from '../../db/schema/metrics.ts';
import { type Quality, qualityOf } from '../tracking/metrics.ts';
import type { Window } from './period.ts';

/** A count at the start and the end of the period. An unknown count is null. */
export interface Change {
  start: number | null;
  end: number | null;
  change: number | null;
  change_percent: number | null;
}

export interface MetricValue extends Change {
  /**
   * `rounded` when the count at the start or the end is rounded. `hidden` or `not_exposed` when the count at the end is missing
   * for this reason. Null without observations.
   */
  quality: Quality | null;
}

/** A value with the times (Unix ms) of the two observations from which it comes. */
export interface Measured {
  value: MetricValue;
  start_at: number | null;
  end_at: number | null;
}

/**
 * Returns the value of a metric in the period. The start is the last known count at or before the beginning of the period, or
 * else the first known count in it. The end is the last known count in the period. `observations` must be sorted by time.
 */
export function measure(observations: readonly Observed[], metric: Metric, window: Window): Measured {
  const isKnown = (observation: Observed) => observation[metric] !== null;
  const last = observations.findLast((one) => isInside(one, window) && isKnown(one)) ?? null;
  const first =
    observations.findLast((one) => one.observed_at.getTime() <= window.from && isKnown(one)) ??
    observations.find((one) => isInside(one, window) && isKnown(one)) ??
    null;
  const rounded = [first, last].some((end) => end !== null && qualityOf(end, metric) === 'rounded');
  const quality = last ? (rounded ? 'rounded' : 'exact') : reasonOf(observations, metric, window);
  return {
    value: {
      ...changeOf(first?.[metric] ?? null, last?.[metric] ?? null),
      quality: quality ?? (rounded ? 'rounded' : null),
    },
    start_at: first?.observed_at.getTime() ?? null,
    end_at: last?.observed_at.getTime() ?? null,
  };
}

/** Returns the reason why a metric has no count in the period. Null when the period has no observations. */
function reasonOf(observations: readonly Observed[], metric: Metric, window: Window): Quality | null {
  const last = observations.findLast((observation) => isInside(observation, window));
  if (!last) return null;
  return qualityOf(last, metric) === 'hidden' ? 'hidden' : 'not_exposed';
}

export function isInside({ observed_at }: Observed, { from, to }: Window): boolean {
  return observed_at.getTime() >= from && observed_at.getTime() < to;
}

/** Returns the difference as a number and in percent of the start. The percentage is null when the start is 0. */
export function changeOf(start: number | null, end: number | null): Change {
  const change = start === null || end === null ? null : end - start;
  return { start, end, change, change_percent: change === null ? null : percentOf(change, start) };
}

/** Returns how many percent of `whole` the value `part` is, with two decimals. Null when one of them is unknown or `whole` is 0. */
export function percentOf(part: number | null, whole: number | null): number | null {
  if (part === null || whole === null || whole === 0) return null;
  // Adding 0 changes -0 to 0, because number formatting would show -0 as "-0".
  return Math.round((part / whole) * 10_000) / 100 + 0;
}
