import type { TopLevelSpec } from 'vega-lite';
import { day_ms, dayOf, week_ms } from './report-period.ts';
import type { Point, Series } from './report-series.ts';

const width_px = 340;
const height_px = 110;
const most_week_labels = 6;
const ink = '#111';
/** Enough for a million: charts below each other begin at one line. */
const y_axis_px = 74;
/** The room below the lowest count may reach below 0, where no count is. */
const counts_only = "datum.value < 0 ? '' : datum.label";
/** Of the range of values, on either side. */
const label_room = 0.22;
/** More points than this are drawn smaller. */
const few_points = 14;
const paper_grey = '#e4e4e4';
const step_ms = { day: day_ms, week: week_ms };
const platformWords: Readonly<Record<string, string>> = {
  photo: 'photo',
  shortvideo: 'short video',
  longvideo: 'long video',
};
const number = new Intl.NumberFormat('en-US');

/**
 * A small line chart of one series as SVG text, without outside references; the same series gives the same text.
 * What is not known is an open gap on grey; rounded counts are dashed steps with hollow squares instead of dots.
 */
export async function chartSvg(series: Series): Promise<string> {
  // Loaded when first used: that takes a third of a second, and most processes never draw.
  const [{ compile }, { parse, View }] = await Promise.all([import('vega-lite'), import('vega')]);
  const view = new View(parse(compile(specOf(series)).spec), { renderer: 'none' });
  try {
    return labelled(await view.toSVG(), series);
  } finally {
    view.finalize();
  }
}

/** A name and a description for those who cannot see it; ids that are unique on a page with all charts of a report. */
function labelled(svg: string, series: Series): string {
  const id = escaped(`chart-${series.platform}-${series.metric}-${series.step}`);
  const attributes = `role="img" aria-labelledby="${id}-title ${id}-desc"`;
  const title = `<title id="${id}-title">${escaped(titleOf(series))}</title>`;
  const description = `<desc id="${id}-desc">${escaped(descriptionOf(series))}</desc>`;
  return svg.replace(/<svg [^>]*>/, (tag) => `${tag.slice(0, -1)} ${attributes}>${title}${description}`);
}

function titleOf({ platform, metric, step }: Series): string {
  const name = metric.replaceAll('_', ' ');
  return `${name[0]?.toUpperCase()}${name.slice(1)}, ${platformWords[platform] ?? platform}, by ${step}`;
}

/** The chart in words. */
export function descriptionOf({ points, step }: Series): string {
  const known = points.filter(isKnown);
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last) return `Not observed on any ${step}.`;
  const values = known.map(({ value }) => value);
  const sentences = [
    `${number.format(first.value)} on ${dayOf(first.at)}, ${number.format(last.value)} on ${dayOf(last.at)}; lowest ${number.format(Math.min(...values))}, highest ${number.format(Math.max(...values))}.`,
  ];
  const open = points.length - known.length;
  if (open > 0) sentences.push(`${open} of ${points.length} ${step}s are not known.`);
  if (isRounded(points)) sentences.push('Counts are rounded by the source.');
  return sentences.join(' ');
}

type KnownPoint = Point & { value: number };

function isKnown(point: Point): point is KnownPoint {
  return point.value !== null;
}

function isRounded(points: readonly Point[]): boolean {
  return points.some(({ quality }) => quality === 'rounded');
}

function specOf(series: Series): TopLevelSpec {
  const { points, step } = series;
  const rounded = isRounded(points);
  const known = points.filter(isKnown);
  const subtitle = [
    ...(rounded ? ['dashed steps: rounded counts'] : []),
    ...(known.length < points.length ? ['grey: not known'] : []),
  ];
  return {
    width: width_px,
    height: height_px,
    background: 'white',
    padding: 6,
    title: { text: titleOf(series), ...(subtitle.length > 0 ? { subtitle: subtitle.join('; ') } : {}) },
    data: { values: points.map((point) => ({ ...point })) },
    layer: [gapLayer(points, step), lineLayer(series, rounded), pointLayer(points.length), ...labelLayers(known)],
    config: {
      aria: false,
      font: 'system-ui, sans-serif',
      title: { anchor: 'start', fontSize: 12, subtitleFontSize: 10, color: ink, subtitleColor: ink, offset: 10 },
      axis: { labelColor: ink, tickColor: ink, domainColor: ink, gridColor: '#ccc', labelFontSize: 10, title: null },
      view: { stroke: null },
    },
  };
}

type Layer = Extract<TopLevelSpec, { layer: unknown }>['layer'][number];

function timeAxis(points: readonly Point[], step: Series['step']) {
  const every = step === 'day' ? 1 : Math.ceil(points.length / most_week_labels);
  return {
    field: 'at',
    type: 'temporal' as const,
    scale: { type: 'utc' as const, domain: [first(points) - step_ms[step] / 2, last(points) + step_ms[step] / 2] },
    axis: {
      values: points.filter((_, index) => index % every === 0).map(({ at }) => at),
      format: step === 'day' ? '%a %-d' : '%-d %b',
      grid: false,
      labelFlush: false,
    },
  };
}

const first = (points: readonly Point[]) => points[0]?.at ?? 0;
const last = (points: readonly Point[]) => points.at(-1)?.at ?? 0;

/** Grey where nothing is known: seen in print, and on a gap of one day that a broken line alone hardly shows. */
function gapLayer(points: readonly Point[], step: Series['step']): Layer {
  const half = step_ms[step] / 2;
  const gaps: { from: number; to: number }[] = [];
  for (const { at } of points.filter((point) => !isKnown(point))) {
    const before = gaps.at(-1);
    if (before?.to === at - half) before.to = at + half;
    else gaps.push({ from: at - half, to: at + half });
  }
  return {
    data: { values: gaps },
    mark: { type: 'rect', color: paper_grey },
    encoding: { x: { field: 'from', type: 'temporal' }, x2: { field: 'to' } },
  };
}

function valueAxis(known: readonly KnownPoint[]) {
  const axis = { field: 'value', type: 'quantitative' as const };
  if (known.length === 0) return { ...axis, axis: null };
  const values = known.map(({ value }) => value);
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  // Room above and below for the labels; a course that never changes is drawn in the middle.
  const room = Math.max(1, (highest - lowest) * label_room);
  return {
    ...axis,
    scale: { domain: [lowest - room, highest + room] },
    axis: { format: ',d', tickCount: 3, tickMinStep: 1, minExtent: y_axis_px, labelExpr: counts_only },
  };
}

/** The scales of the chart are those of the line: stated in one layer alone, the others share them. */
function lineLayer({ points, step }: Series, rounded: boolean): Layer {
  return {
    mark: {
      type: 'line',
      color: ink,
      strokeWidth: 1.5,
      invalid: 'break-paths-filter-domains',
      ...(rounded ? { interpolate: 'step-after', strokeDash: [4, 2] } : {}),
    },
    encoding: { x: timeAxis(points, step), y: valueAxis(points.filter(isKnown)) },
  };
}

function pointLayer(points: number): Layer {
  const isRoundedPoint = "datum.quality === 'rounded'";
  return {
    transform: [{ filter: 'datum.value !== null' }],
    mark: { type: 'point', stroke: ink, strokeWidth: 1, size: points > few_points ? 10 : 26, opacity: 1 },
    encoding: {
      x: { field: 'at', type: 'temporal' },
      y: { field: 'value', type: 'quantitative' },
      shape: { condition: { test: isRoundedPoint, value: 'square' }, value: 'circle' },
      fill: { condition: { test: isRoundedPoint, value: 'white' }, value: ink },
    },
  };
}

/** The first and the last value stand at their points, so that nobody has to read them off an axis; on the side away from the line. */
function labelLayers(known: readonly KnownPoint[]): Layer[] {
  const [first, second] = known;
  const [before_last, last] = known.slice(-2);
  if (!first) return [];
  if (!second || !before_last || !last) return [labelLayer(first, { align: 'center', above: true })];
  return [
    labelLayer(first, { align: 'left', above: first.value >= second.value }),
    labelLayer(last, { align: 'right', above: last.value >= before_last.value }),
  ];
}

function labelLayer({ at, value }: KnownPoint, place: { align: 'left' | 'center' | 'right'; above: boolean }): Layer {
  const dx = { left: -3, center: 0, right: 3 }[place.align];
  return {
    data: { values: [{ at, value, label: number.format(value) }] },
    mark: {
      type: 'text',
      align: place.align,
      dx,
      dy: place.above ? -9 : 11,
      color: ink,
      fontSize: 10,
      fontWeight: 'bold',
    },
    encoding: {
      x: { field: 'at', type: 'temporal' },
      y: { field: 'value', type: 'quantitative' },
      text: { field: 'label' },
    },
  };
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] as string);
}
