import type { Metric } from '../../db/schema/metrics.ts';
import { engagementMetrics } from '../tracking/metrics.ts';
import { percentOf } from './values.ts';

/**
 * An engagement rate in percent, with its formula. `percent` is null when a count in the formula is unknown or the
 * views are 0.
 */
export interface Rate {
  name: string;
  formula: string;
  percent: number | null;
}

/**
 * The engagement rate of several posts or videos together. `items` is the number of counted posts and videos.
 * `items_missing` is the number of those that are not counted, because a count in the formula is unknown.
 */
export interface TotalRate extends Rate {
  items: number;
  items_missing: number;
}

/** The counts of one item (account, post or video) at the end of the period. */
export interface EndCounts {
  platform: string;
  kind: string;
  counts: Readonly<Partial<Record<Metric, number | null>>>;
}

/** Returns the engagement rates of an item: one rate for a post or video, and an empty list for an account. */
export function ratesOf({ platform, kind, counts }: EndCounts): Rate[] {
  const parts = engagementMetrics[`${platform} ${kind}`];
  return parts ? [rateOf(parts, sumOf(parts, counts), counts.views ?? null)] : [];
}

/**
 * Returns the engagement rates of all posts and videos on one platform together. A rate is the sum of all engagement
 * counts (such as likes) divided by the sum of all views. Kinds of posts with different formulas get separate rates.
 */
export function totalRates(items: readonly EndCounts[]): TotalRate[] {
  const byFormula = Map.groupBy(items, ({ platform, kind }) => engagementMetrics[`${platform} ${kind}`]);
  return [...byFormula].flatMap(([parts, group]) => (parts ? [totalRate(parts, group)] : []));
}

function totalRate(parts: readonly Metric[], group: readonly EndCounts[]): TotalRate {
  let engaged = 0;
  let views = 0;
  let items = 0;
  for (const { counts } of group) {
    const sum = sumOf(parts, counts);
    if (sum === null || typeof counts.views !== 'number') continue;
    engaged += sum;
    views += counts.views;
    items += 1;
  }
  const rate = items === 0 ? rateOf(parts, null, null) : rateOf(parts, engaged, views);
  return { ...rate, items, items_missing: group.length - items };
}

function rateOf(parts: readonly Metric[], engaged: number | null, views: number | null): Rate {
  const formula = `(${parts.join(' + ')}) / views × 100`;
  return { name: 'engagement_rate_by_views', formula, percent: percentOf(engaged, views) };
}

function sumOf(parts: readonly Metric[], counts: EndCounts['counts']): number | null {
  let sum = 0;
  for (const part of parts) {
    const count = counts[part] ?? null;
    if (count === null) return null;
    sum += count;
  }
  return sum;
}
