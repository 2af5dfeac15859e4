import { lazy } from '../../../../pipeline/lazy.ts';
import { dayText } from '../../../design/dates.ts';

export interface ChartPoint {
  /** Label of the point, usually the day or the first day of the week as `YYYY-MM-DD`. */
  label: string;
  /** Null when the value is unknown. The chart then has a gap, never a 0. */
  value: number | null;
  /** True when the platform gave a rounded number. */
  rounded?: boolean;
  /** The reason for an unknown value, or another text for the tooltip and the table. */
  note?: string;
}

export interface Chart {
  /** HTML id, which must be unique on the page. */
  id: string;
  title: string;
  /** One point for each day or week, in order. A point whose value is null is a gap. */
  points: readonly ChartPoint[];
  /** With `week`, each point is a week whose label is its first day. Default: `day`. */
  step?: 'day' | 'week';
  /** True when the page already shows the title of the chart as a heading. The chart then hides its own title. */
  headed?: boolean;
  /**
   * Other lines in the same chart over the same days, at most three. With other lines, `name` is the name of the first
   * line.
   */
  others?: readonly { name: string; points: readonly ChartPoint[] }[];
  name?: string;
  /** True for the main chart of a page. */
  large?: boolean;
}

/** Returns the values of a chart's points without the missing ones. */
export function valuesOf(points: readonly ChartPoint[]): number[] {
  return points.flatMap(({ value }) => (value === null ? [] : [value]));
}

const isDay = (label: string) => /^\d{4}-\d\d-\d\d$/.test(label);

/** Returns the label of a point as a text: a day as `20 Nov 2026`. Other labels are returned unchanged. */
export function labelText(label: string): string {
  return isDay(label) ? dayText(label) : label;
}

const dayFormat = lazy(() => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }));
const yearFormat = lazy(() => new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' }));

/**
 * Returns a short label for the axis of a chart: a day as "20 Nov", or as "Nov 2026" in a period longer than a year.
 * Other labels are returned unchanged.
 */
export function axisLabel(label: string, points: number): string {
  if (!isDay(label)) return label;
  return (points > 366 ? yearFormat() : dayFormat()).format(new Date(label));
}
