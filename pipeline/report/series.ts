import { dayMs, weekMs } from '../../db/durations.ts';
import type { Observed } from '../../db/observations/observed.ts';
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
  const first = begin(span.from);
  const count = Math.max(0, Math.ceil((span.to - first) / length_ms));
  const sums = Array.from({ length: count }, (): Sum => ({ value: 0, items: 0, rounded: false }));
  const indexOf = (observation: Observed) => Math.floor((observation.observed_at.getTime() - first) / length_ms);
  for (const { observations } of counted) addLastValues(sums, observations, { metric, span, indexOf });
  return sums.map(({ value, items, rounded }, index) => {
    const complete = items === counted.length;
    return {
      at: first + index * length_ms,
      value: complete ? value : null,
      items,
      items_missing: counted.length - items,
      quality: complete ? (rounded ? 'rounded' : 'exact') : null,
    };
  });
}

interface Steps {
  metric: Metric;
  span: Window;
  /** Returns the position of an observation's day or week in the list of sums. */
  indexOf(observation: Observed): number;
}

/**
 * Adds the last known value of an item in each day or week to the sum of this day or week. `observations` must be
 * sorted by time, and are read from the newest to the oldest, without a list for each item: a report of a year has
 * thousands of them for each metric.
 */
function addLastValues(sums: readonly Sum[], observations: readonly Observed[], { metric, span, indexOf }: Steps) {
  let added = sums.length;
  for (let position = observations.length - 1; position >= 0; position -= 1) {
    const observation = observations[position] as Observed;
    const value = observation[metric];
    if (value === null || !isInside(observation, span)) continue;
    const index = indexOf(observation);
    const sum = sums[index];
    if (index >= added || !sum) continue;
    sum.value += value;
    sum.items += 1;
    sum.rounded ||= qualityOf(observation, metric) === 'rounded';
    added = index;
  }
}
