import type { Observed } from '../../db/observations/observed.ts';
import type { Metric } from '../../db/schema/metrics.ts';
import { type MetricQuality, qualityOf } from '../tracking/metrics.ts';
import type { Window } from './period.ts';

/**
 * A count (such as followers) at the start and the end of a report's period, and its change. An unknown count is null.
 */
export interface Change {
  start: number | null;
  end: number | null;
  change: number | null;
  change_percent: number | null;
}

export interface MetricValue extends Change {
  /**
   * `rounded`: the platform rounds the count at the start or the end. `hidden` or `not_exposed`: the reason why the
   * count at the end is missing. Null: nothing was observed in the period.
   */
  quality: MetricQuality | null;
}

/**
 * The value of a metric in a period, with the times (Unix ms) of the first and the last observation from which it is
 * computed.
 */
export interface Measured {
  value: MetricValue;
  start_at: number | null;
  end_at: number | null;
}

/**
 * Returns the value of a metric in a period. The start is the last known count at or before the beginning of the
 * period, or else the first known count in the period. The end is the last known count in the period. `observations`
 * must be sorted by time.
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

/**
 * Returns why a metric has no count in a period: the account hides it, or the platform does not show it. Returns null
 * when nothing was observed in the period.
 */
function reasonOf(observations: readonly Observed[], metric: Metric, window: Window): MetricQuality | null {
  const last = observations.findLast((observation) => isInside(observation, window));
  if (!last) return null;
  return qualityOf(last, metric) === 'hidden' ? 'hidden' : 'not_exposed';
}

/** Returns true when the observation is in the period. The period includes its start and excludes its end. */
export function isInside({ observed_at }: Observed, { from, to }: Window): boolean {
  return observed_at.getTime() >= from && observed_at.getTime() < to;
}

/**
 * Returns the change between two counts as a number and in percent of the start. The percentage is null when the start
 * is 0.
 */
export function changeOf(start: number | null, end: number | null): Change {
  const change = start === null || end === null ? null : end - start;
  return { start, end, change, change_percent: change === null ? null : percentOf(change, start) };
}

/**
 * Returns `part` in percent of `whole`, with two decimals. Returns null when `part` or `whole` is unknown or `whole` is
 * 0.
 */
export function percentOf(part: number | null, whole: number | null): number | null {
  if (part === null || whole === null || whole === 0) return null;
  // Adding 0 turns -0 into 0. Otherwise, number formatting would show "-0".
  return Math.round((part / whole) * 10_000) / 100 + 0;
}
