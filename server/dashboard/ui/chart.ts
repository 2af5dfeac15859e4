import { html, raw } from 'hono/html';
import { count, type Piece, shortCount, table } from './components.ts';

export interface ChartPoint {
  /** Label of the point: the day as `YYYY-MM-DD`, or the name of the week. */
  label: string;
  /** Null when the value is unknown. It is drawn as a gap, never as 0. */
  value: number | null;
  /** True when the platform gave a rounded number. */
  rounded?: boolean;
  /** A text for the table below the chart, such as the reason for an unknown value. */
  note?: string;
}

export interface Chart {
  /** HTML id, which must be unique on the page. */
  id: string;
  title: string;
  /** One point for each day or week, in order. A point whose value is null is a gap. */
  points: readonly ChartPoint[];
  /** True when the page already shows the title as a heading. The chart then hides its own. */
  headed?: boolean;
}

/**
 * Width in SVG units. The browser stretches the SVG to the page, but not the thickness of its lines. The labels are HTML, so that they are
 * not stretched.
 */
const width = 1_000;
const height = 200;
/**
 * Maximum number of points at which every known point is marked. In a longer chart, only rounded points and points between two gaps are.
 */
const fewPoints = 32;
/**
 * A chart with an even number of points has a label near the middle only when it has more points than this. In a shorter chart, the label
 * would be visibly off-center.
 */
const manyPoints = 14;
const mostIntervals = 4;
/** Distances between two axis labels to try, each times a power of ten. */
const stepFactors = [1, 2, 5, 10, 20];

/** Returns a line chart. Unknown values are gaps in the line. */
export function lineChart(chart: Chart): Piece {
  const known = valuesOf(chart.points);
  const [lowest, highest] = [Math.min(...known), Math.max(...known)];
  // When all values are equal, the line is drawn in the middle of the chart.
  const ticks = lowest === highest ? ticksOf(Math.max(0, lowest - 1), highest + 1) : ticksOf(lowest, highest);
  return figure(chart, ticks, (plot) => {
    const few = chart.points.length <= fewPoints;
    const rounded = plot.filter((at) => at?.point.rounded);
    const dots = plot.filter((at, index) => at && !at.point.rounded && (few || isAlone(plot, index)));
    return `<path class="line" d="${linePath(plot)}"/>${marks('dots', dots)}${marks(few ? 'squares' : 'squares small', rounded)}`;
  });
}

/** Returns a bar chart. A value of 0 has no bar, and an unknown value has a grey band. */
export function barChart(chart: Chart): Piece {
  const ticks = ticksOf(0, Math.max(1, ...valuesOf(chart.points)));
  const stepWidth = width / Math.max(1, chart.points.length);
  const bar = stepWidth * 0.72;
  return figure(chart, ticks, (plot) => {
    const bars = plot.map((at) =>
      at && at.y < height ? `M${short(at.x - bar / 2)} ${height}V${short(at.y)}h${short(bar)}V${height}z` : '',
    );
    return `<path class="bars" d="${bars.join('')}"/>`;
  });
}

/** Returns the values of a chart as a table, newest first, for screen readers and for exact numbers. */
export function chartTable({ title, points }: Chart, step = 'Day', unit = 'Count'): Piece {
  const noted = points.some(({ note, rounded }) => note || rounded);
  const columns = [step, { heading: unit, number: true }, ...(noted ? ['Note'] : [])];
  const rows = points.toReversed().map((point) => [point.label, count(point.value), ...(noted ? [noteOf(point)] : [])]);
  return html`<details><summary>Show as a table<span class="hidden">: ${title}</span></summary>${table(title, columns, rows)}</details>`;
}

function noteOf({ rounded, note, value }: ChartPoint): string {
  return [rounded && value !== null ? 'rounded by the platform' : '', note ?? ''].filter(Boolean).join('; ');
}

/** Position of a known value in SVG units. */
interface PlottedPoint {
  x: number;
  y: number;
  point: ChartPoint;
}

type Plot = (PlottedPoint | null)[];

function figure({ id, title, points, headed }: Chart, ticks: number[], draw: (plot: Plot) => string): Piece {
  const known = points.filter(({ value }) => value !== null).length;
  const description = descriptionOf(points);
  const caption = html`<figcaption${raw(headed ? ' class="hidden"' : '')}>${title}</figcaption>`;
  if (known === 0) return html`<figure class="chart">${caption}<p class="hint">${description}</p></figure>`;
  const plot = plotOf(points, ticks);
  const inside = raw(`${gapBands(plot)}${gridLines(ticks.length)}${draw(plot)}`);
  return html`<figure class="chart">${caption}
<div class="plot"><div class="y" aria-hidden="true">${tickLabels(ticks).map((label) => html`<span>${label}</span>`)}</div>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-labelledby="${id}-title ${id}-desc"><title id="${id}-title">${title}</title><desc id="${id}-desc">${description}</desc>${inside}</svg>
<div class="x" aria-hidden="true">${edgeLabels(points).map((label) => html`<span>${label}</span>`)}</div></div>${legendOf(points, known)}</figure>`;
}

/** Returns the legend. It explains only the marks that this chart has. */
function legendOf(points: readonly ChartPoint[], known: number): Piece {
  const entries = [
    ...(known < points.length ? ['grey: unknown'] : []),
    ...(points.some(({ rounded, value }) => rounded && value !== null) ? ['squares: rounded by the platform'] : []),
  ];
  return entries.length > 0 ? html`<p class="hint">${entries.join(' · ')}</p>` : null;
}

/** Returns a text about the chart for screen readers. */
function descriptionOf(points: readonly ChartPoint[]): string {
  const known = points.filter(({ value }) => value !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last) return 'No data for this period.';
  const values = valuesOf(known);
  const sentences = [
    `${count(first.value)} on ${first.label}, ${count(last.value)} on ${last.label}; lowest ${count(Math.min(...values))}, highest ${count(Math.max(...values))}.`,
  ];
  const unknown = points.length - known.length;
  if (unknown > 0) sentences.push(`${unknown} of ${points.length} values are unknown.`);
  if (known.some(({ rounded }) => rounded)) sentences.push('Marked values are rounded by the platform.');
  return sentences.join(' ');
}

function valuesOf(points: readonly ChartPoint[]): number[] {
  return points.flatMap(({ value }) => (value === null ? [] : [value]));
}

/** Returns the values of the axis labels, lowest first: two to four equal steps of whole numbers that include all values. */
function ticksOf(lowest: number, highest: number): number[] {
  if (!Number.isFinite(lowest) || !Number.isFinite(highest)) return [0, 1];
  const span = Math.max(highest - lowest, 2);
  const power = 10 ** Math.floor(Math.log10(span / mostIntervals));
  for (const factor of stepFactors) {
    const step = Math.max(1, Math.round(factor * power));
    const first = Math.floor(lowest / step) * step;
    const intervals = Math.max(1, Math.ceil((highest - first) / step));
    if (intervals <= mostIntervals) return Array.from({ length: intervals + 1 }, (_, index) => first + index * step);
  }
  return [lowest, highest];
}

/** Returns the axis labels as text, highest first. Uses full numbers when two short ones would look equal. */
function tickLabels(ticks: readonly number[]): string[] {
  const labels = ticks.map(shortCount);
  return (new Set(labels).size === ticks.length ? labels : ticks.map(count)).toReversed();
}

function edgeLabels(points: readonly ChartPoint[]): string[] {
  const last = points.length - 1;
  const middle = last > 1 && (last % 2 === 0 || last > manyPoints) ? [Math.floor(last / 2)] : [];
  return [0, ...middle, ...(last > 0 ? [last] : [])].map((index) => points[index]?.label ?? '');
}

function plotOf(points: readonly ChartPoint[], ticks: readonly number[]): Plot {
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const stepWidth = width / points.length;
  return points.map((point, index) =>
    point.value === null
      ? null
      : { x: (index + 0.5) * stepWidth, y: height - ((point.value - low) / (high - low)) * height, point },
  );
}

function gridLines(ticks: number): string {
  const lines = Array.from({ length: ticks }, (_, index) => `M0 ${short((height * index) / (ticks - 1))}H${width}`);
  return `<path class="grid" d="${lines.join('')}"/>`;
}

/** Returns a grey band for each unknown value, because a gap of one day in a year is hard to see in the line. */
function gapBands(plot: Plot): string {
  const stepWidth = width / plot.length;
  const bands = plot.map((at, index) =>
    at ? '' : `M${short(index * stepWidth)} 0h${short(stepWidth)}v${height}h-${short(stepWidth)}z`,
  );
  const path = bands.join('');
  return path === '' ? '' : `<path class="gap" d="${path}"/>`;
}

function linePath(plot: Plot): string {
  return plot.map((at, index) => (at ? `${plot[index - 1] ? 'L' : 'M'}${short(at.x)} ${short(at.y)}` : '')).join('');
}

/** Returns an SVG path of lines of length 0. The style sheet draws them as dots or squares. */
function marks(name: string, plot: Plot): string {
  const path = plot.map((at) => (at ? `M${short(at.x)} ${short(at.y)}h0` : '')).join('');
  return path === '' ? '' : `<path class="${name}" d="${path}"/>`;
}

function isAlone(plot: Plot, index: number): boolean {
  return !plot[index - 1] && !plot[index + 1];
}

function short(value: number): string {
  return String(Math.round(value * 10) / 10);
}
