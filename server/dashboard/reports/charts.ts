import { html } from 'hono/html';
import { dayOf } from '../../../db/calendar.ts';
import type { Metric } from '../../../db/schema/metrics.ts';
import { accountsAndPosts } from '../../../pipeline/report/accounts-and-posts.ts';
import type { Report } from '../../../pipeline/report/report.ts';
import type { Point, Series } from '../../../pipeline/report/series.ts';
import { metricTitle } from '../../../pipeline/report/summary/headline.ts';
import { dayText } from '../../design/dates.ts';
import { type Chart, type ChartPoint, chartTable, lineChart } from '../ui/chart.ts';
import { labelText } from '../ui/charts/points.ts';
import { count, markedCount, type Piece, table } from '../ui/components.ts';
import { platformNames } from '../ui/platform-names.ts';

const steps = {
  day: { heading: 'Day', label: 'at the end of each day' },
  week: { heading: 'Week from', label: 'at the end of each week' },
} as const;

/** Metrics that can rise and fall. All other metrics are running totals, such as the views since publication. */
const levels: ReadonlySet<Metric> = new Set(['followers', 'following']);

/**
 * Returns the name of a metric in a chart, such as "Views so far". A chart shows the whole count at the end of each day
 * or week, but "Views" alone would look like the views of that day or week.
 */
function chartedTitle(metric: Metric, platforms: readonly string[]): string {
  const title = metricTitle(metric, platforms);
  return levels.has(metric) ? title : `${title} so far`;
}

/**
 * Returns a line chart for each metric of each platform in a report. Daily charts come before weekly ones. On a screen,
 * each chart has a collapsed table of its values. On paper, the tables of `printedSeries` replace the collapsed ones.
 */
export function reportCharts({ series }: Report, medium: 'screen' | 'paper'): Piece[] {
  const byPlatform = Map.groupBy(series, ({ platform }) => platform);
  return [...byPlatform].map(([platform, of]) => {
    const charts = of
      .toSorted((a, b) => (a.step < b.step ? -1 : a.step > b.step ? 1 : 0))
      .map((one) => chartPart(one, medium === 'screen'));
    return html`<div class="part"><h3>${platformNames[platform] ?? platform}</h3><div class="charts">${charts}</div></div>`;
  });
}

/**
 * Returns the chart of a series (one metric of one platform over time), with or without a collapsed table of its
 * values.
 */
function chartPart(series: Series, withTable: boolean): Piece {
  const { platform, metric, step, points } = series;
  const name = chartedTitle(metric, [platform]);
  const title = `${name}, ${steps[step].label}`;
  const chart = { id: `chart-${platform}-${metric}-${step}`, title, step, points: points.map(chartPoint) };
  return html`<div>${lineChart(chart)}${withTable ? chartTable(chart, steps[step].heading, name) : null}</div>`;
}

/**
 * Returns one large chart with a line for each platform, and a collapsed table of its values. All series have the same
 * metric and the same step (day or week).
 */
export function platformsChart(all: readonly Series[]): Piece {
  const [first] = all;
  if (!first) return null;
  const { metric, step } = first;
  const dates = [...new Set(all.flatMap(({ points }) => points.map(({ at }) => at)))].sort((a, b) => a - b);
  const lines = all.map(({ platform, points }) => {
    const byDate = new Map(points.map((point) => [point.at, chartPoint(point)]));
    const name = platformNames[platform] ?? platform;
    return { name, points: dates.map((at) => byDate.get(at) ?? { label: dayOf(at), value: null }) };
  });
  const name = lines.length === 1 ? ` on ${lines[0]?.name}` : '';
  const title = `${chartedTitle(
    metric,
    all.map(({ platform }) => platform),
  )}${name}, ${steps[step].label}`;
  const [main = { name: '', points: [] }, ...others] = lines;
  const chart: Chart = { id: `main-${metric}-${step}`, title, step, large: true, ...main, others };
  return html`${lineChart(chart)}${platformsTable(title, lines, steps[step].heading)}`;
}

type Line = NonNullable<Chart['others']>[number];

/** Returns the values of several chart lines as one collapsed table, newest first. */
function platformsTable(title: string, lines: readonly Line[], step: string): Piece {
  const columns = [step, ...lines.map(({ name }) => ({ heading: name, number: true }))];
  const dates = lines[0]?.points ?? [];
  const rows = dates.map(({ label }, index) => [
    labelText(label),
    ...lines.map(({ points }) => valueText(points[index])),
  ]);
  return html`<details><summary>Show as a table<span class="hidden">: ${title}</span></summary>${table(title, columns, rows.toReversed())}</details>`;
}

const valueText = (point: ChartPoint | undefined) => markedCount(point?.value, point?.rounded === true);

function chartPoint({ at, value, items, items_missing, quality }: Point) {
  const label = dayOf(at);
  if (value !== null) return { label, value, rounded: quality === 'rounded' };
  const all = items + items_missing;
  return {
    label,
    value,
    note: all === 1 ? 'no number' : `no number for ${count(items_missing)} of ${accountsAndPosts(all)}`,
  };
}

/** Returns the chart values as tables for the printed report, because a collapsed table cannot be opened on paper. */
export function printedSeries({ series }: Report): Piece[] {
  const tables = Map.groupBy(
    series,
    ({ platform, step }) => `${platformNames[platform] ?? platform}: counts so far, ${steps[step].label}`,
  );
  return [...tables].map(([name, of]) => {
    const { heading } = steps[of[0]?.step ?? 'day'];
    const columns = [
      { heading, title: true },
      ...of.map(({ metric, platform }) => ({ heading: metricTitle(metric, [platform]), number: true })),
    ];
    const rows = (of[0]?.points ?? []).map(({ at }, index) => [
      dayText(at),
      ...of.map(({ points }) => markedCount(points[index]?.value, points[index]?.quality === 'rounded')),
    ]);
    return html`<div class="part"><h3>${name}</h3>${table(`Chart values: ${name}`, columns, rows, { as_cards: true })}</div>`;
  });
}
