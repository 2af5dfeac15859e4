import { html, raw } from 'hono/html';
import { count, type Piece, shortCount, table } from './ui.ts';

export interface ChartPoint {
  /** The day as `YYYY-MM-DD`, or the name of another equal step. */
  label: string;
  /** Null is "not known": it is drawn as a gap and never as 0. */
  value: number | null;
  /** The source gave a rounded number. */
  rounded?: boolean;
  /** Why it is not known, or whatever else is to be said of it in the table. */
  note?: string;
}

export interface Chart {
  /** Unique on the page. */
  id: string;
  title: string;
  /** Every step in order: those without a value too. */
  points: readonly ChartPoint[];
  /** A heading of the same words stands above it. */
  headed?: boolean;
}

/** The drawing is stretched to its place: lines and marks keep their width, and the labels stand beside it as text. */
const width = 1_000;
const height = 200;
/** More points than this are drawn without a dot on each. */
const few_points = 32;
/** From here on the middle one of an even number of steps stands near enough to the middle. */
const many_points = 14;
const most_intervals = 4;
/** What the power of ten below a quarter of the range is multiplied by, until few enough steps hold it. */
const step_factors = [1, 2, 5, 10, 20];

/** A line over equal steps with a break where nothing is known. Two milliseconds hold a year many times over. */
export function lineChart(chart: Chart): Piece {
  const known = valuesOf(chart.points);
  const [lowest, highest] = [Math.min(...known), Math.max(...known)];
  // A course that never changes runs through the middle.
  const ticks = lowest === highest ? ticksOf(Math.max(0, lowest - 1), highest + 1) : ticksOf(lowest, highest);
  return figure(chart, ticks, (place) => {
    const few = chart.points.length <= few_points;
    const rounded = place.filter((at) => at?.point.rounded);
    const dots = place.filter((at, index) => at && !at.point.rounded && (few || isAlone(place, index)));
    return `<path class="line" d="${linePath(place)}"/>${marks('dots', dots)}${marks(few ? 'squares' : 'squares small', rounded)}`;
  });
}

/** A bar for each step from 0; a step whose value is 0 has none, and one that is not known is grey. */
export function barChart(chart: Chart): Piece {
  const ticks = ticksOf(0, Math.max(1, ...valuesOf(chart.points)));
  const slot = width / Math.max(1, chart.points.length);
  const bar = slot * 0.72;
  return figure(chart, ticks, (place) => {
    const bars = place.map((at) =>
      at && at.y < height ? `M${short(at.x - bar / 2)} ${height}V${short(at.y)}h${short(bar)}V${height}z` : '',
    );
    return `<path class="bars" d="${bars.join('')}"/>`;
  });
}

/** The numbers behind a chart, newest first, for whoever cannot or would rather not read a drawing. */
export function chartTable({ title, points }: Chart, step = 'Day', unit = 'Count'): Piece {
  const noted = points.some(({ note, rounded }) => note || rounded);
  const columns = [step, { heading: unit, number: true }, ...(noted ? ['Note'] : [])];
  const rows = points.toReversed().map((point) => [point.label, count(point.value), ...(noted ? [noteOf(point)] : [])]);
  return html`<details><summary>Numbers behind the chart<span class="hidden">: ${title}</span></summary>${table(title, columns, rows)}</details>`;
}

function noteOf({ rounded, note, value }: ChartPoint): string {
  return [rounded && value !== null ? 'rounded by the source' : '', note ?? ''].filter(Boolean).join('; ');
}

/** Where a known point is drawn, in the units of the drawing. */
interface Placed {
  x: number;
  y: number;
  point: ChartPoint;
}

type Place = (Placed | null)[];

function figure({ id, title, points, headed }: Chart, ticks: number[], draw: (place: Place) => string): Piece {
  const known = points.filter(({ value }) => value !== null).length;
  const description = descriptionOf(points);
  const caption = html`<figcaption${raw(headed ? ' class="hidden"' : '')}>${title}</figcaption>`;
  if (known === 0) return html`<figure class="chart">${caption}<p class="hint">${description}</p></figure>`;
  const place = placesOf(points, ticks);
  const inside = raw(`${gapBands(place)}${gridLines(ticks.length)}${draw(place)}`);
  return html`<figure class="chart">${caption}
<div class="plot"><div class="y" aria-hidden="true">${tickLabels(ticks).map((label) => html`<span>${label}</span>`)}</div>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-labelledby="${id}-title ${id}-desc"><title id="${id}-title">${title}</title><desc id="${id}-desc">${description}</desc>${inside}</svg>
<div class="x" aria-hidden="true">${edgeLabels(points).map((label) => html`<span>${label}</span>`)}</div></div>${keyOf(points, known)}</figure>`;
}

/** What the marks mean, where there are any. */
function keyOf(points: readonly ChartPoint[], known: number): Piece {
  const words = [
    ...(known < points.length ? ['grey: not known'] : []),
    ...(points.some(({ rounded, value }) => rounded && value !== null) ? ['squares: rounded by the source'] : []),
  ];
  return words.length > 0 ? html`<p class="hint">${words.join(' · ')}</p>` : null;
}

/** The chart in words. */
function descriptionOf(points: readonly ChartPoint[]): string {
  const known = points.filter(({ value }) => value !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last) return 'No number is known for this time.';
  const values = valuesOf(known);
  const sentences = [
    `${count(first.value)} on ${first.label}, ${count(last.value)} on ${last.label}; lowest ${count(Math.min(...values))}, highest ${count(Math.max(...values))}.`,
  ];
  const open = points.length - known.length;
  if (open > 0) sentences.push(`${open} of ${points.length} are not known.`);
  if (known.some(({ rounded }) => rounded)) sentences.push('Rounded by the source where marked.');
  return sentences.join(' ');
}

function valuesOf(points: readonly ChartPoint[]): number[] {
  return points.flatMap(({ value }) => (value === null ? [] : [value]));
}

/** Two to four equal whole steps around the values, lowest first. */
function ticksOf(lowest: number, highest: number): number[] {
  if (!Number.isFinite(lowest) || !Number.isFinite(highest)) return [0, 1];
  const span = Math.max(highest - lowest, 2);
  const power = 10 ** Math.floor(Math.log10(span / most_intervals));
  for (const factor of step_factors) {
    const step = Math.max(1, Math.round(factor * power));
    const first = Math.floor(lowest / step) * step;
    const intervals = Math.max(1, Math.ceil((highest - first) / step));
    if (intervals <= most_intervals) return Array.from({ length: intervals + 1 }, (_, index) => first + index * step);
  }
  return [lowest, highest];
}

/** Highest first; in full where the short form would not tell them apart. */
function tickLabels(ticks: readonly number[]): string[] {
  const labels = ticks.map(shortCount);
  return (new Set(labels).size === ticks.length ? labels : ticks.map(count)).toReversed();
}

function edgeLabels(points: readonly ChartPoint[]): string[] {
  const last = points.length - 1;
  const middle = last > 1 && (last % 2 === 0 || last > many_points) ? [Math.floor(last / 2)] : [];
  return [0, ...middle, ...(last > 0 ? [last] : [])].map((index) => points[index]?.label ?? '');
}

function placesOf(points: readonly ChartPoint[], ticks: readonly number[]): Place {
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const slot = width / points.length;
  return points.map((point, index) =>
    point.value === null
      ? null
      : { x: (index + 0.5) * slot, y: height - ((point.value - low) / (high - low)) * height, point },
  );
}

function gridLines(ticks: number): string {
  const lines = Array.from({ length: ticks }, (_, index) => `M0 ${short((height * index) / (ticks - 1))}H${width}`);
  return `<path class="grid" d="${lines.join('')}"/>`;
}

/** Grey over the steps that are not known: a break of one day in a year would hardly be seen. */
function gapBands(place: Place): string {
  const slot = width / place.length;
  const bands = place.map((at, index) =>
    at ? '' : `M${short(index * slot)} 0h${short(slot)}v${height}h-${short(slot)}z`,
  );
  const path = bands.join('');
  return path === '' ? '' : `<path class="gap" d="${path}"/>`;
}

function linePath(place: Place): string {
  return place.map((at, index) => (at ? `${place[index - 1] ? 'L' : 'M'}${short(at.x)} ${short(at.y)}` : '')).join('');
}

/** Points without length: the style gives them their form. */
function marks(name: string, place: Place): string {
  const path = place.map((at) => (at ? `M${short(at.x)} ${short(at.y)}h0` : '')).join('');
  return path === '' ? '' : `<path class="${name}" d="${path}"/>`;
}

function isAlone(place: Place, index: number): boolean {
  return !place[index - 1] && !place[index + 1];
}

function short(value: number): string {
  return String(Math.round(value * 10) / 10);
}
