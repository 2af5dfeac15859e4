import type { Observed } from '../../db/campaigns/reports.ts';
import type { Metric } from '../../db/schema/metrics.ts';
import { type Quality, qualityOf } from '../tracking/metrics.ts';
import type { Window } from './period.ts';

/** A count at the start and end of the period; null is unknown. */
export interface Change {
  start: number | null;
  end: number | null;
  change: number | null;
  change_percent: number | null;
}

export interface MetricValue extends Change {
  /** `rounded` when start or end is; `hidden` or `not_exposed` when that is the reason for a missing end; null without observations. */
  quality: Quality | null;
}

/** A value with the times (Unix ms) of the observations it comes from. */
export interface Measured {
  value: MetricValue;
  start_at: number | null;
  end_at: number | null;
}

/**
 * Returns a metric over the window. The start is the last known count at or before its beginning, or else the first one in it;
 * the end is the last known count in it. `observations` must be sorted by time.
 */
export function measure(observations: readonly Observed[], metric: Metric, window: Window): Measured {
  const known = observations.filter((observation) => observation[metric] !== null);
  const last = known.findLast((observation) => isInside(observation, window)) ?? null;
  const first =
    known.findLast(({ observed_at }) => observed_at.getTime() <= window.from) ??
    known.find((observation) => isInside(observation, window)) ??
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

/** Returns the reason why a metric has no count in the window; null without observations. */
function reasonOf(observations: readonly Observed[], metric: Metric, window: Window): Quality | null {
  const last = observations.findLast((observation) => isInside(observation, window));
  if (!last) return null;
  return qualityOf(last, metric) === 'hidden' ? 'hidden' : 'not_exposed';
}

export function isInside({ observed_at }: Observed, { from, to }: Window): boolean {
  return observed_at.getTime() >= from && observed_at.getTime() < to;
}

/** Returns the difference as a number and in percent of the start; the percentage is null for a start of 0. */
export function changeOf(start: number | null, end: number | null): Change {
  const change = start === null || end === null ? null : end - start;
  return { start, end, change, change_percent: change === null ? null : percentOf(change, start) };
}

/** Returns `part` in percent of `whole`, with two decimals; null when either is unknown or `whole` is 0. */
export function percentOf(part: number | null, whole: number | null): number | null {
  if (part === null || whole === null || whole === 0) return null;
  // Adding 0 turns -0 into 0.
  return Math.round((part / whole) * 10_000) / 100 + 0;
}
