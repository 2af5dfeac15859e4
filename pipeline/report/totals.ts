import { type Metric, metrics } from '../../db/schema/metrics.ts';
import { countedValue, endCounts, type MeasuredItem } from './items.ts';
import { type TotalRate, totalRates } from './rates.ts';
import { type Change, changeOf } from './values.ts';

/**
 * The sum of a metric over all items (accounts and posts) whose counts at the start and the end of the period are
 * known. The values are null when no item has both counts.
 */
export interface Total extends Change {
  items: number;
  /**
   * Number of items that should have this metric but are not in the sum, because a count is unknown or because the
   * item's URL now belongs to another account.
   */
  items_missing: number;
  quality: 'exact' | 'rounded' | null;
}

export type Totals = Partial<Record<Metric, Total>>;

export interface PlatformReport {
  platform: string;
  items: number;
  totals: Totals;
  rates: TotalRate[];
}

/** Returns the total of each metric that at least one item has. Metrics without items are left out. */
export function totalsOf(items: readonly MeasuredItem[]): Totals {
  const totals: Totals = {};
  for (const metric of metrics) {
    const having = items.filter(({ adds }) => adds.has(metric));
    if (having.length > 0) totals[metric] = totalOf(having, metric);
  }
  return totals;
}

function totalOf(having: readonly MeasuredItem[], metric: Metric): Total {
  const values = having.map((item) => countedValue(item, metric)).filter((value) => value !== null);
  const missing = { items: values.length, items_missing: having.length - values.length };
  if (values.length === 0) return { ...changeOf(null, null), ...missing, quality: null };
  const start = values.reduce((sum, value) => sum + value.start, 0);
  const end = values.reduce((sum, value) => sum + value.end, 0);
  return { ...changeOf(start, end), ...missing, quality: values.some(({ rounded }) => rounded) ? 'rounded' : 'exact' };
}

/** Returns the totals and the engagement rates of the items, separately for each platform. */
export function platformReports(items: readonly MeasuredItem[]): PlatformReport[] {
  const byPlatform = Map.groupBy(items, ({ item }) => item.platform);
  return [...byPlatform].map(([platform, group]) => ({
    platform,
    items: group.length,
    totals: totalsOf(group),
    rates: totalRates(group.map(countsOf)),
  }));
}

/**
 * Returns the counts from which the engagement rate of an item is computed. Returns no counts when the item's URL now
 * belongs to another account.
 */
function countsOf({ item, measured }: MeasuredItem) {
  return item.identity_changed ? { ...endCounts(item, measured), counts: {} } : endCounts(item, measured);
}
