import { type Metric, metrics } from '../../db/tracking/checks.ts';
import { countedValue, endCounts, type MeasuredItem } from './items.ts';
import { type TotalRate, totalRates } from './rates.ts';
import { type Change, changeOf } from './values.ts';

/** The sum over the items of which both ends are known; null when there is none. */
export interface Total extends Change {
  items: number;
  /** Items that have this metric but are not in the sum: a count is unknown, or the address changed hands. */
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

/** The totals of each metric that any of the items has. */
export function totalsOf(items: readonly MeasuredItem[]): Totals {
  const totals: Totals = {};
  for (const metric of metrics) {
    const having = items.filter(({ adds }) => adds.has(metric));
    if (having.length > 0) totals[metric] = totalOf(having, metric);
  }
  return totals;
}

function totalOf(having: readonly MeasuredItem[], metric: Metric): Total {
  const values = having.map((one) => countedValue(one, metric)).filter((value) => value !== null);
  const missing = { items: values.length, items_missing: having.length - values.length };
  if (values.length === 0) return { ...changeOf(null, null), ...missing, quality: null };
  const start = values.reduce((sum, value) => sum + value.start, 0);
  const end = values.reduce((sum, value) => sum + value.end, 0);
  return { ...changeOf(start, end), ...missing, quality: values.some(({ rounded }) => rounded) ? 'rounded' : 'exact' };
}

/** The same for each platform, with its engagement rates. */
export function platformReports(items: readonly MeasuredItem[]): PlatformReport[] {
  const byPlatform = Map.groupBy(items, ({ item }) => item.platform);
  return [...byPlatform].map(([platform, of]) => ({
    platform,
    items: of.length,
    totals: totalsOf(of),
    rates: totalRates(of.map(countsOf)),
  }));
}

/** An account that took an address over is nobody's engagement: its item has no known counts. */
function countsOf({ item, measured }: MeasuredItem) {
  return item.identity_changed ? { ...endCounts(item, measured), counts: {} } : endCounts(item, measured);
}
