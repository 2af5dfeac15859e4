import { html } from 'hono/html';
import { dayOf } from '../../../pipeline/report/period.ts';
import type { Report } from '../../../pipeline/report/report.ts';
import type { Point, Series } from '../../../pipeline/report/series.ts';
import { type Chart, chartTable, lineChart } from '../ui/chart.ts';
import { count, type Piece, table } from '../ui/components.ts';
import { platformNames } from '../ui/platform-names.ts';
import { metricName } from './figures.ts';

const steps = { day: { heading: 'Day', label: 'per day' }, week: { heading: 'Week from', label: 'per week' } } as const;

/** Returns a line chart and a table for each metric of each platform. Daily charts come before weekly ones. */
export function reportCharts({ series }: Report): Piece[] {
  const byPlatform = Map.groupBy(series, ({ platform }) => platform);
  return [...byPlatform].map(([platform, of]) => {
    const charts = of.toSorted((a, b) => (a.step < b.step ? -1 : a.step > b.step ? 1 : 0)).map((one) => chartPart(one));
    return html`<div class="part"><h3>${platformNames[platform] ?? platform}</h3><div class="charts">${charts}</div></div>`;
  });
}

/** Returns the chart of a series and a folded table of its values. `prefix` makes its id unique when the page shows a series twice. */
export function chartPart(series: Series, prefix = 'chart'): Piece {
  const chart = chartOf(series, prefix);
  return html`<div>${lineChart(chart)}${chartTable(chart, steps[series.step].heading, metricName(series.metric))}</div>`;
}

function chartOf({ platform, metric, step, points }: Series, prefix: string): Chart {
  const name = prefix === 'chart' ? '' : ` on ${platformNames[platform] ?? platform}`;
  const title = `${metricName(metric)}${name}, ${steps[step].label}`;
  return {
    id: `${prefix}-${platform}-${metric}-${step}`,
    title,
    points: points.map(chartPoint),
    large: prefix === 'main',
  };
}

function chartPoint({ at, value, items, items_missing, quality }: Point) {
  const label = dayOf(at);
  if (value !== null) return { label, value, rounded: quality === 'rounded' };
  const all = items + items_missing;
  return {
    label,
    value,
    note: `${count(items_missing)} of ${count(all)} ${all === 1 ? 'item' : 'items'} without data`,
  };
}

/** Returns the chart values as tables for the printed report, because a collapsed table cannot be opened on paper. */
export function seriesTables({ series }: Report): Piece[] {
  const tables = Map.groupBy(
    series,
    ({ platform, step }) => `${platformNames[platform] ?? platform}, ${steps[step].label}`,
  );
  return [...tables].map(([name, of]) => {
    const { heading } = steps[of[0]?.step ?? 'day'];
    const columns = [heading, ...of.map(({ metric }) => ({ heading: metricName(metric), number: true }))];
    const rows = (of[0]?.points ?? []).map(({ at }, index) => [
      dayOf(at),
      ...of.map(({ points }) => printedValue(points[index])),
    ]);
    return html`<div class="part"><h3>${name}</h3>${table(`Chart values: ${name}`, columns, rows)}</div>`;
  });
}

/** Returns a number for the printed report. A rounded number begins with a tilde, which the legend explains. */
function printedValue(point: Point | undefined): string {
  const value = count(point?.value);
  return point?.quality === 'rounded' ? `~${value}` : value;
}
