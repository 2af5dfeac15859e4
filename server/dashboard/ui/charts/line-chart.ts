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
  return chartFigure(chart, 'line', axis, (used) => {
    const more = others.map((other, index) => {
      const series = `series-${index + 2}`;
      return drawLine(other.points, used, `line ${series}`) + drawMarks(other.points, used, series);
    });
    return `${others.length === 0 ? drawArea(points, used) : ''}${more.join('')}${drawLine(points, used, 'line')}${drawMarks(points, used)}`;
  });
}

/** Returns a bar chart. A value of 0 has no bar, and an unknown value has a gray band. */
export function barChart(chart: Chart): Piece {
  const { points } = chart;
  const axis = () => axisOf([...valuesOf(points), 1], { from_zero: true });
  return chartFigure(chart, 'bars', axis, ({ scale }) => {
    const bar = xOf('bars', 0, points.length) * 1.44;
    const bars = points.map(({ value }, index) =>
      value
        ? `M${short(xOf('bars', index, points.length) - bar / 2)} ${height}V${short(scale(value))}h${short(bar)}V${height}z`
        : '',
    );
    return `<path class="bars" d="${bars.join('')}"/>`;
  });
}

function drawLine(points: readonly ChartPoint[], { scale }: Axis, name: string): string {
  const path = line<ChartPoint>()
    .defined(({ value }) => value !== null)
    .x((_, index) => xOf('line', index, points.length))
    .y(({ value }) => scale(value ?? 0))
    .digits(1);
  return `<path class="${name}" d="${path(points) ?? ''}"/>`;
}

function drawArea(points: readonly ChartPoint[], { scale }: Axis): string {
  const path = area<ChartPoint>()
    .defined(({ value }) => value !== null)
    .x((_, index) => xOf('line', index, points.length))
    .y0(height)
    .y1(({ value }) => scale(value ?? 0))
    .digits(1);
  return `<path class="area" d="${path(points) ?? ''}"/>`;
}

/** Draws the marks of a line. `series` is the class of a further line of the chart. */
function drawMarks(points: readonly ChartPoint[], { scale }: Axis, series = ''): string {
  const few = points.length <= fewPoints;
  const at = (wanted: (point: ChartPoint, index: number) => boolean | undefined) =>
    points
      .map((point, index) =>
        point.value !== null && wanted(point, index)
          ? `M${short(xOf('line', index, points.length))} ${short(scale(point.value))}h0`
          : '',
      )
      .join('');
  const alone = (index: number) =>
    (points[index - 1]?.value ?? null) === null && (points[index + 1]?.value ?? null) === null;
  const dots = at(({ rounded }, index) => !rounded && (few || alone(index)));
  const squares = at(({ rounded }) => rounded);
  const path = (d: string, ...names: string[]) =>
    d && `<path class="${[...names, series].filter(Boolean).join(' ')}" d="${d}"/>`;
  const inside = few && squares && `<path class="inside" d="${squares}"/>`;
  return path(dots, 'dots') + path(squares, 'squares', few ? '' : 'small') + inside;
}
