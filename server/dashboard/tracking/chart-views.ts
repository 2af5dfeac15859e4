import { dayMs } from '../../../db/durations.ts';
import type { ChartPoint } from '../ui/chart.ts';

/**
 * A way to draw a metric in a chart: its numbers, their change since the first day in percent, or their change from day
 * to day.
 */
interface ChartView {
  name: 'total' | 'percent' | 'daily';
  label: string;
  /** Column heading of the values in the chart's table. */
  unit: string;
  title: (metric: string) => string;
}

const total: ChartView = { name: 'total', label: 'Total', unit: 'Count', title: (metric) => metric };

export const chartViews: readonly ChartView[] = [
  total,
  {
    name: 'percent',
    label: 'Percent',
    unit: 'Change in %',
    title: (metric) => `${metric}: change in % since the first day`,
  },
  { name: 'daily', label: 'Daily change', unit: 'Change', title: (metric) => `${metric}: change from the day before` },
];

/** Returns the chart view that the page's URL names. By default, returns the view `total`. */
export function chartViewOf(name: string | null): ChartView {
  return chartViews.find((view) => view.name === name) ?? total;
}

/** Returns the points of a chart in the chosen view. A change that cannot be computed is unknown, never 0. */
export function viewPoints(view: ChartView['name'], points: readonly ChartPoint[]): readonly ChartPoint[] {
  if (view === 'total') return points;
  return view === 'percent' ? percentPoints(points) : dailyPoints(points);
}

function percentPoints(points: readonly ChartPoint[]): ChartPoint[] {
  const base = points.find(({ value }) => value !== null);
  return points.map((point) => {
    if (point.value === null || !base || base.value === null) return point;
    if (base.value === 0) return { ...point, value: null, note: 'the first value is 0' };
    const rounded = point.rounded === true || base.rounded === true;
    // Adding 0 changes -0 to 0, because number formatting would show -0 as "-0".
    return { ...point, value: Math.round((point.value / base.value - 1) * 1_000) / 10 + 0, rounded };
  });
}

function dailyPoints(points: readonly ChartPoint[]): ChartPoint[] {
  return points.map((point, index) => {
    const before = points[index - 1];
    if (point.value === null) return point;
    if (!before || before.value === null || Date.parse(point.label) - Date.parse(before.label) !== dayMs)
      return { label: point.label, value: null, note: 'no value on the day before' };
    const rounded = point.rounded === true || before.rounded === true;
    return { ...point, value: point.value - before.value, rounded };
  });
}
