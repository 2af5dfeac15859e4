import { html, raw } from 'hono/html';
import { markedCount, type Piece, table } from '../components.ts';
import { type Axis, type ChartKind, height, labelledPoints, short, tickLabels, width, xOf } from './axis.ts';
import { axisLabel, type Chart, type ChartPoint, labelText } from './points.ts';

/** Minimum distance of a point from the ends of the horizontal axis, in percent of the axis, for a centered label. */
const endPercent = 4;

/**
 * Returns a chart as a `<figure>` element. When only one value is known, shows this value as a number, because a chart
 * of one value says nothing.
 */
export function chartFigure(chart: Chart, kind: ChartKind, axis: () => Axis, draw: (axis: Axis) => string): Piece {
  const { id, title, points, headed, large, others = [] } = chart;
  const description = descriptionOf(chart);
  const caption = html`<figcaption${raw(headed ? ' class="hidden"' : '')}>${title}</figcaption>`;
  const known = points.filter(({ value }) => value !== null);
  const only = known[0];
  if (!only && others.length === 0)
    return html`<figure class="chart">${caption}<p class="hint">${description}</p></figure>`;
  if (known.length === 1 && only && others.length === 0)
    return html`<figure class="chart">${caption}<p class="only">${shownValue(only)}</p><p class="hint">${pointName(chart, only)}. The chart begins with the second value.</p></figure>`;
  if (kind === 'bars' && points.every(({ value }) => value === 0))
    return html`<figure class="chart">${caption}<p class="hint">All values are 0.</p></figure>`;
  const used = axis();
  const drawing = gapBands(points, kind) + gridLines(used) + draw(used);
  return html`<figure class="chart${large ? ' large' : ''}" data-chart="${dataOf(chart, kind)}">${caption}
<div class="axes"><span class="longest" aria-hidden="true">${longest(tickLabels(used.ticks))}</span><div class="plot"><svg height="200" role="img" aria-labelledby="${id}-title ${id}-desc"><title id="${id}-title">${title}</title><desc id="${id}-desc">${description}</desc><svg class="inner" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" width="100%" height="88%" y="4%" overflow="visible">${raw(drawing)}</svg>${axisTexts(used, points, kind)}</svg></div></div>${legendOf(chart)}</figure>`;
}

/** Returns the values of a chart as a table, newest first, for screen readers and for exact numbers. */
export function chartTable({ title, points, name, others = [] }: Chart, step = 'Day', unit = 'Count'): Piece {
  const noted = points.some(({ note, rounded }) => note || rounded);
  const numbers = others.length === 0 ? [unit] : [name ?? title, ...others.map((line) => line.name)];
  const columns = [step, ...numbers.map((heading) => ({ heading, number: true })), ...(noted ? ['Note'] : [])];
  const row = (point: ChartPoint, index: number) => [
    labelText(point.label),
    shownValue(point),
    ...others.map((line) => shownValue(line.points[index])),
    ...(noted ? [noteOf(point)] : []),
  ];
  const rows = points.map(row).toReversed();
  return html`<details><summary>Show as a table<span class="hidden">: ${title}</span></summary>${table(title, columns, rows)}</details>`;
}

const shownValue = (point: ChartPoint | undefined) => markedCount(point?.value, point?.rounded === true);

function noteOf({ rounded, note, value }: ChartPoint): string {
  return [rounded && value !== null ? 'rounded by the platform' : '', note ?? ''].filter(Boolean).join('; ');
}

/** Returns the longest label. An invisible copy of this label reserves the width of the vertical axis. */
function longest(labels: readonly string[]): string {
  return labels.reduce((found, label) => (label.length > found.length ? label : found), '');
}

/**
 * Returns the data of a chart's tooltip as JSON: the label of each point, then for each line a value, a note, and ≈
 * when the value is rounded.
 */
function dataOf({ title, name = title, points, step, others = [] }: Chart, kind: ChartKind): string {
  const lines = [{ name, points }, ...others];
  return JSON.stringify({
    names: lines.map((line) => line.name),
    bars: kind === 'bars',
    points: points.map((point, index) => [
      step === 'week' ? `Week from ${labelText(point.label)}` : labelText(point.label),
      ...lines.map((line) => {
        const at = line.points[index];
        if (!at) return [null, ''];
        return at.rounded && at.value !== null ? [at.value, noteOf(at), '≈'] : [at.value, noteOf(at)];
      }),
    ]),
  });
}

function axisTexts({ scale, ticks }: Axis, points: readonly ChartPoint[], kind: ChartKind): Piece {
  const labelled = labelledPoints(points.length);
  const day = (index: number, at: number) => {
    const percent = xOf(kind, index, points.length) / 10;
    const anchor = percent < endPercent ? 'start' : percent > 100 - endPercent ? 'end' : 'middle';
    const minor = (labelled.length - at) % 2 === 0 && labelled.length > 3 ? 'minor' : '';
    return html`<text class="${minor}" x="${short(percent)}%" y="100%" text-anchor="${anchor}">${axisLabel(points[index]?.label ?? '', points.length)}</text>`;
  };
  return html`<g class="y" aria-hidden="true">${tickLabels(ticks).map((label, index) => html`<text x="0" y="${short(4 + (scale(ticks[index] ?? 0) / height) * 88)}%" dx="-8" dy="0.35em" text-anchor="end">${label}</text>`)}</g>
<g class="x" aria-hidden="true">${labelled.map(day)}</g>`;
}

/** Returns the legend of a chart. The legend explains only the marks that occur in this chart. */
function legendOf({ title, name = title, points, others = [] }: Chart): Piece {
  const unknown = points.some(({ value }) => value === null);
  const all = [...points, ...others.flatMap((line) => line.points)];
  const rounded = all.some(({ rounded, value }) => rounded && value !== null);
  const notes = [...(unknown ? ['gray: unknown'] : []), ...(rounded ? ['squares (≈): rounded by the platform'] : [])];
  const names = [name, ...others.map((line) => line.name)];
  return html`${others.length > 0 ? html`<ul class="series-legend">${names.map((label, index) => html`<li><svg viewBox="0 0 16 8" aria-hidden="true"><path class="series-${index + 1}" d="M0 4H16"/></svg> ${label}</li>`)}</ul>` : null}${notes.length > 0 ? html`<p class="hint">${notes.join(' · ')}</p>` : null}`;
}

/** Returns the time of a chart's point, such as "on 20 Nov 2026" or "at the end of the week from 16 Nov 2026". */
function pointName({ step }: Pick<Chart, 'step'>, { label }: ChartPoint): string {
  return `${step === 'week' ? 'at the end of the week from' : 'on'} ${labelText(label)}`;
}

/** Returns a description of a chart for screen readers. */
function descriptionOf(chart: Chart): string {
  const { points } = chart;
  const known = points.filter(({ value }) => value !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last) return 'No data for this period.';
  const sorted = known.toSorted((a, b) => (a.value ?? 0) - (b.value ?? 0));
  const sentences = [
    `${shownValue(first)} ${pointName(chart, first)}, ${shownValue(last)} ${pointName(chart, last)}; lowest ${shownValue(sorted[0])}, highest ${shownValue(sorted.at(-1))}.`,
  ];
  const unknown = points.length - known.length;
  if (unknown > 0) sentences.push(`${unknown} of ${points.length} values are unknown.`);
  if (known.some(({ rounded }) => rounded)) sentences.push('Values with ≈ are rounded by the platform.');
  return sentences.join(' ');
}

function gridLines({ scale, ticks }: Axis): string {
  return `<path class="grid" d="${ticks.map((tick) => `M0 ${short(scale(tick))}H${width}`).join('')}"/>`;
}

/**
 * Returns a gray band in a chart for each unknown value, because a gap of one day in a year is hard to see in the line.
 */
function gapBands(points: readonly ChartPoint[], kind: ChartKind): string {
  const half =
    kind === 'bars' || points.length === 1 ? xOf('bars', 0, points.length) : xOf('line', 1, points.length) / 2;
  const bands = points.map(({ value }, index) => {
    if (value !== null) return '';
    const x = xOf(kind, index, points.length);
    const [from, to] = [Math.max(0, x - half), Math.min(width, x + half)];
    return `M${short(from)} 0H${short(to)}V${height}H${short(from)}z`;
  });
  const path = bands.join('');
  return path === '' ? '' : `<path class="gap" d="${path}"/>`;
}
