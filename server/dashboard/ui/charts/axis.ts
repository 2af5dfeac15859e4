import { ticks } from 'd3-array';
import { type ScaleLinear, scaleLinear } from 'd3-scale';
import { count, shortCount } from '../components.ts';

/**
 * Size of a chart in SVG units. The browser stretches the lines to the width of the page, but not their thickness.
 * Labels are not stretched, because their positions are percentages of the width.
 */
export const width = 1_000;
export const height = 200;
/** Intended number of ticks of a chart's vertical axis. */
const wantedTicks = 3;
/** Maximum number of points of a chart that has a label below each point. */
const maxFullyLabelled = 8;
/** Maximum number of labels below a chart with more points than `maxFullyLabelled`. */
const maxLabels = 5;
/**
 * When all values of a chart are equal, its vertical axis extends beyond this value by this share of the value on both
 * sides.
 */
const flatMargin = 0.05;

export interface Axis {
  scale: ScaleLinear<number, number>;
  /** Values with a label on the axis, lowest first. */
  ticks: number[];
}

/**
 * Returns the vertical axis of a chart with these values. All ticks are whole numbers, because all metrics are counts.
 */
export function axisOf(values: readonly number[], { from_zero = false } = {}): Axis {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const margin = lowest === highest ? Math.max(2, Math.round(Math.abs(lowest) * flatMargin)) : 0;
  const low = from_zero ? Math.min(0, lowest) : lowest >= 0 ? Math.max(0, lowest - margin) : lowest - margin;
  const high = Math.max(highest + margin, low + 1);
  const scale = scaleLinear([low, high], [height, 0]).nice(wantedTicks);
  const [first = low, last = high] = scale.domain();
  return { scale, ticks: ticks(first, last, wantedTicks).filter(Number.isInteger) };
}

/** Returns the labels of the ticks of an axis, such as 1.2M. Uses full numbers when two short labels would be equal. */
export function tickLabels(values: readonly number[]): string[] {
  const labels = values.map(shortCount);
  return new Set(labels).size === values.length ? labels : values.map(count);
}

/**
 * Returns the indexes of the points that get a label below a chart: every point of a short chart, otherwise the first,
 * the last, and three evenly spaced points between them.
 */
export function labelledPoints(points: number): number[] {
  if (points <= maxFullyLabelled) return Array.from({ length: points }, (_, index) => index);
  const steps = maxLabels - 1;
  return Array.from({ length: maxLabels }, (_, index) => Math.round((index * (points - 1)) / steps));
}

export type ChartKind = 'line' | 'bars';

/**
 * Returns the horizontal position of a chart's point in SVG units. A line extends from the left end of the chart to the
 * right end. Each bar is in the middle of an equally wide part of the chart.
 */
export function xOf(kind: ChartKind, index: number, points: number): number {
  if (kind === 'bars') return ((index + 0.5) * width) / points;
  return points > 1 ? (index * width) / (points - 1) : width / 2;
}

/** Returns a number for an SVG attribute, rounded to one decimal place. */
export function short(value: number): string {
  return String(Math.round(value * 10) / 10);
}
