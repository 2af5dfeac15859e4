import { area, line } from 'd3-shape';
import type { Piece } from '../components.ts';
import { type Axis, axisOf, height, short, xOf } from './axis.ts';
import { chartFigure } from './figure.ts';
import { type Chart, type ChartPoint, valuesOf } from './points.ts';

/**
 * Maximum number of points of a chart in which every known point is marked. In a longer chart, only rounded points and
 * points between two gaps are marked.
 */
const fewPoints = 32;

/** Returns a line chart. Unknown values are gaps in the line. */
export function lineChart(chart: Chart): Piece {
  const { points, others = [] } = chart;
  const axis = () => axisOf([...valuesOf(points), ...others.flatMap((other) => valuesOf(other.points))]);
  return chartFigure(chart, axis, (used) => {
    const more = others.map((other, index) => drawLine(other.points, used, `line series-${index + 2}`));
    return `${others.length === 0 ? drawArea(points, used) : ''}${more.join('')}${drawLine(points, used, 'line')}${drawMarks(points, used)}`;
  });
}

/** Returns a bar chart. A value of 0 has no bar, and an unknown value has a gray band. */
export function barChart(chart: Chart): Piece {
  const { points } = chart;
  const axis = () => axisOf([...valuesOf(points), 1], { from_zero: true });
  return chartFigure(chart, axis, ({ scale }) => {
    const bar = xOf(0, points.length) * 1.44;
    const bars = points.map(({ value }, index) =>
      value
        ? `M${short(xOf(index, points.length) - bar / 2)} ${height}V${short(scale(value))}h${short(bar)}V${height}z`
        : '',
    );
    return `<path class="bars" d="${bars.join('')}"/>`;
  });
}

function drawLine(points: readonly ChartPoint[], { scale }: Axis, name: string): string {
  const path = line<ChartPoint>()
    .defined(({ value }) => value !== null)
    .x((_, index) => xOf(index, points.length))
    .y(({ value }) => scale(value ?? 0))
    .digits(1);
  return `<path class="${name}" d="${path(points) ?? ''}"/>`;
}

function drawArea(points: readonly ChartPoint[], { scale }: Axis): string {
  const path = area<ChartPoint>()
    .defined(({ value }) => value !== null)
    .x((_, index) => xOf(index, points.length))
    .y0(height)
    .y1(({ value }) => scale(value ?? 0))
    .digits(1);
  return `<path class="area" d="${path(points) ?? ''}"/>`;
}

function drawMarks(points: readonly ChartPoint[], { scale }: Axis): string {
  const few = points.length <= fewPoints;
  const at = (wanted: (point: ChartPoint, index: number) => boolean | undefined) =>
    points
      .map((point, index) =>
        point.value !== null && wanted(point, index)
          ? `M${short(xOf(index, points.length))} ${short(scale(point.value))}h0`
          : '',
      )
      .join('');
  const alone = (index: number) =>
    (points[index - 1]?.value ?? null) === null && (points[index + 1]?.value ?? null) === null;
  const dots = at(({ rounded }, index) => !rounded && (few || alone(index)));
  const squares = at(({ rounded }) => rounded);
  return `${dots && `<path class="dots" d="${dots}"/>`}${squares && `<path class="${few ? 'squares' : 'squares small'}" d="${squares}"/>`}`;
}
