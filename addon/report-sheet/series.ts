import type { Report } from '../formulas/report-tables.ts';
import { asObject } from '../platform/client.ts';
import { trackedMetrics } from '../tracked-metrics.ts';

const steps = ['day', 'week'] as const;
type Step = (typeof steps)[number];
const stepLabels = {
  day: { title: 'Day by day', heading: 'day (UTC)' },
  week: { title: 'Week by week', heading: 'week from (UTC)' },
};

/** The metrics with a chart, in the order of the charts. */
const chartedMetrics = Object.keys(trackedMetrics)
  .filter((metric) => trackedMetrics[metric] !== null)
  .sort((a, b) => Number(trackedMetrics[a]) - Number(trackedMetrics[b]));
/** A chart needs two points to show a line. */
const fewestPoints = 2;

/** A chart to draw. `columns` count from 1 within the table. `index`: 0 for the leftmost chart in its row. */
export type ChartPlan = {
  key: string;
  title: string;
  step: Step;
  index: number;
  columns: { first: number; count: number }[];
};

export type SeriesTable = { title: string; columns: string[]; rows: unknown[][]; charts: ChartPlan[] };

type MetricLine = { platform: string; metric: string; points: Map<number, number>; rounded: boolean };

/** Returns one table for days and one for weeks, with a column for each metric and platform. */
export function seriesTables(report: Report): SeriesTable[] {
  return steps.flatMap((step) => {
    const { lines, times } = readLines(report, step);
    if (lines.length === 0 || times.length === 0) return [];
    return [
      {
        title: `${stepLabels[step].title}: sums over the items of each total`,
        columns: [stepLabels[step].heading, ...lines.map(headingOf)],
        rows: times.map((at) => [
          new Date(at).toISOString().slice(0, 10),
          ...lines.map(({ points }) => points.get(at) ?? null),
        ]),
        charts: times.length < fewestPoints ? [] : chartsOf(lines, step),
      },
    ];
  });
}

/** Returns one line for each metric and platform, and the times of all points. Lines of the same metric are next to each other. */
function readLines(report: Report, step: Step): { lines: MetricLine[]; times: number[] } {
  const series = list(report.series).filter((item) => item.step === step);
  const times = new Set<number>();
  const lines = series.map((item) => {
    const points = list(item.points).filter(({ at }) => typeof at === 'number' && Math.abs(at) <= timeMaxMs);
    for (const { at } of points) times.add(Number(at));
    const known = points.flatMap(({ at, value }): [number, number][] =>
      typeof value === 'number' ? [[Number(at), value]] : [],
    );
    const rounded = points.some(({ quality }) => quality === 'rounded');
    return { platform: String(item.platform), metric: String(item.metric), points: new Map(known), rounded };
  });
  const metrics = [...new Set(lines.map(({ metric }) => metric))];
  return {
    lines: metrics.flatMap((metric) => lines.filter((line) => line.metric === metric)),
    times: [...times].sort((a, b) => a - b),
  };
}

/** The latest time that a JavaScript date can have; `toISOString` throws for a later one. */
const timeMaxMs = 8.64e15;

function headingOf({ platform, metric, rounded }: MetricLine): string {
  return `${platform} ${words(metric)}${rounded ? ' (rounded)' : ''}`;
}

function chartsOf(lines: readonly MetricLine[], step: Step): ChartPlan[] {
  const metrics = chartedMetrics.filter((metric) => lines.some((line) => line.metric === metric));
  return metrics.map((metric, index) => {
    const first = lines.findIndex((line) => line.metric === metric);
    const count = lines.filter((line) => line.metric === metric).length;
    const name = words(metric);
    return {
      key: `${metric}_${step}`,
      title: `${name.charAt(0).toUpperCase()}${name.slice(1)} by ${step} (UTC)`,
      step,
      index,
      columns: [
        { first: 1, count: 1 },
        { first: first + 2, count },
      ],
    };
  });
}

function words(metric: string): string {
  return metric.replace(/_/g, ' ');
}

function list(value: unknown): Report[] {
  return Array.isArray(value) ? value.map((item: unknown) => asObject(item) ?? {}) : [];
}
