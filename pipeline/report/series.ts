import { dayMs, weekMs } from '../../db/durations.ts';
import { type Metric, metrics } from '../../db/schema/metrics.ts';
import { qualityOf } from '../tracking/metrics.ts';
import { countedValue, type MeasuredItem } from './items.ts';
import { dayStart, type Window, weekStart } from './period.ts';
import { isInside } from './values.ts';

/**
 * The sum of a metric (such as views) over several items in one day or week. The sum is null when one of the items was
 * not observed in that time.
 */
export interface Point {
  /** Start of the day or week, in Unix ms. */
  at: number;
  value: number | null;
  /** Number of tracked items whose value was observed in this day or week. */
  items: number;
  /** Number of tracked items whose value was not observed in this day or week. */
  items_missing: number;
  quality: 'exact' | 'rounded' | null;
}

/**
 * The history of one metric on one platform, for a chart. Each point is the sum over the items that are counted in the
 * report's total of this metric. There is one point per day of the report's period, or one per week of the campaign's
 * history.
 */
export interface Series {
  platform: string;
  metric: Metric;
  step: 'day' | 'week';
  points: Point[];
}

const steps = {
  day: { length_ms: dayMs, begin: dayStart },
  week: { length_ms: weekMs, begin: weekStart },
} as const;
/**
 * Minimum number of points in a weekly series, because a line chart needs two. With fewer points, no weekly series is
 * returned.
 */
const minWeeks = 2;

/**
 * Returns the daily and weekly chart series of each platform and metric. `window` is the report's period. `history`
 * ends with the period and starts with the campaign, or later when the history limit of the tier requires it.
 */
export function seriesOf(items: readonly MeasuredItem[], window: Window, history: Window): Series[] {
  const byPlatform = Map.groupBy(items, ({ item }) => item.platform);
  return [...byPlatform].flatMap(([platform, group]) =>
    metrics.flatMap((metric): Series[] => {
      const counted = group.filter((item) => countedValue(item, metric) !== null);
      if (counted.length === 0) return [];
      const days = pointsOf(counted, metric, 'day', window);
      const weeks = pointsOf(counted, metric, 'week', history);
      const byDay: Series = { platform, metric, step: 'day', points: days };
      return weeks.length < minWeeks ? [byDay] : [byDay, { platform, metric, step: 'week', points: weeks }];
    }),
  );
}

interface Sum {
  value: number;
  items: number;
  rounded: boolean;
}

function pointsOf(counted: readonly MeasuredItem[], metric: Metric, step: Series['step'], span: Window): Point[] {
  const { length_ms, begin } = steps[step];
  const sums = new Map<number, Sum>();
  for (const { observations } of counted) {
    for (const [at, { value, rounded }] of lastValues(observations, metric, begin, span)) {
      const sum = sums.get(at) ?? { value: 0, items: 0, rounded: false };
      sums.set(at, { value: sum.value + value, items: sum.items + 1, rounded: sum.rounded || rounded });
    }
  }
  const points: Point[] = [];
  for (let at = begin(span.from); at < span.to; at += length_ms) {
    const sum = sums.get(at);
    const items = sum?.items ?? 0;
    const complete = sum !== undefined && items === counted.length;
    points.push({
      at,
      value: complete ? sum.value : null,
      items,
      items_missing: counted.length - items,
      quality: complete ? (sum.rounded ? 'rounded' : 'exact') : null,
    });
  }
  return points;
}

/**
 * Returns the last known value of an item in each day or week that has a value. The keys of the map are the start times
 * of these days or weeks.
 */
function lastValues(
  observations: MeasuredItem['observations'],
  metric: Metric,
  begin: (at: number) => number,
  span: Window,
): Map<number, { value: number; rounded: boolean }> {
  const values = new Map<number, { value: number; rounded: boolean }>();
  for (const observation of observations) {
    const value = observation[metric];
    if (value === null || !isInside(observation, span)) continue;
    values.set(begin(observation.observed_at.getTime()), {
      value,
      rounded: qualityOf(observation, metric) === 'rounded',
    });
  }
  return values;
}
