import type { Observed } from '../../db/campaigns/reports.ts';
import type { Metric } from '../../db/tracking/checks.ts';
import { type Quality, qualityOf } from '../tracking/metrics.ts';
import type { Window } from './period.ts';

/** A count over the period; null is unknown. */
export interface Change {
  start: number | null;
  end: number | null;
  change: number | null;
  change_percent: number | null;
}

export interface MetricValue extends Change {
  /** `rounded` when either count is; `hidden` or `not_exposed` when that is why there is no end; null when nothing was observed. */
  quality: Quality | null;
}

/** A value with the moments (Unix ms) of the observations it rests on. */
export interface Measured {
  value: MetricValue;
  start_at: number | null;
  end_at: number | null;
}

/**
 * The start is the last count known at or before the beginning of the window, else the first one in it;
 * the end is the last count known in it. `observations` are sorted by time.
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

/** Why observations in the window do not tell a metric; null when there are none. */
function reasonOf(observations: readonly Observed[], metric: Metric, window: Window): Quality | null {
  const last = observations.findLast((observation) => isInside(observation, window));
  if (!last) return null;
  return qualityOf(last, metric) === 'hidden' ? 'hidden' : 'not_exposed';
}

export function isInside({ observed_at }: Observed, { from, to }: Window): boolean {
  return observed_at.getTime() >= from && observed_at.getTime() < to;
}

/** The difference, and in percent of the start, which is unknown for a start of 0. */
export function changeOf(start: number | null, end: number | null): Change {
  const change = start === null || end === null ? null : end - start;
  return { start, end, change, change_percent: change === null ? null : percentOf(change, start) };
}

/** `part` in percent of `whole` to two decimals; null when either is unknown or the whole is 0. */
export function percentOf(part: number | null, whole: number | null): number | null {
  if (part === null || whole === null || whole === 0) return null;
  // Adding 0 makes the -0 of a tiny loss a plain 0.
  return Math.round((part / whole) * 10_000) / 100 + 0;
}
