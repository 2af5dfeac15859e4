import { fieldLabel } from '../formulas/field-labels.ts';
import type { Report } from '../formulas/report-tables.ts';
import { trackedMetrics } from '../tracked-metrics.ts';
import { platformName } from './labels.ts';
import type { Block, ChartPlan } from './layout.ts';
import { numberOf, objects, timeOf } from './read-report.ts';

type Step = 'day' | 'week';
const stepLabels = {
  day: { title: 'Counts at the end of each day', heading: 'Day (UTC)' },
  week: { title: 'Counts at the end of each week', heading: 'Week from (UTC)' },
};
/** Metrics of a current state, which can also fall. All other metrics are running totals, such as likes. */
const levels: readonly string[] = ['followers', 'following'];
/** Minimum number of weeks for charts by week. A report with fewer weeks has charts by day. */
const minWeeks = 4;
/** Minimum number of days or weeks for a line chart, because a line needs two points. */
const minDays = 2;

/** The metrics that have a chart in the report sheet, in the order of the charts. */
export const chartedMetrics = Object.keys(trackedMetrics)
  .filter((metric) => trackedMetrics[metric] !== null)
  .sort((a, b) => Number(trackedMetrics[a]) - Number(trackedMetrics[b]));

type MetricLine = { platform: string; metric: string; points: Map<number, number>; rounded: boolean };
type Table = { step: Step; lines: MetricLine[]; times: number[] };

/**
 * Returns the tables of a report with numbers over time: one by day and one by week, with a column for each metric and
 * platform. At most one of the two tables has charts.
 */
export function seriesTables(report: Report): Block[] {
  const days = readTable(report, 'day');
  const weeks = readTable(report, 'week');
  const byWeek = weeks.times.length >= minWeeks;
  return [days, weeks]
    .filter(({ lines, times }) => lines.length > 0 && times.length > 0)
    .map((table) => blockOf(table, (table === weeks) === byWeek && table.times.length >= minDays));
}

function blockOf({ step, lines, times }: Table, charted: boolean): Block {
  const { title, heading } = stepLabels[step];
  return {
    lines: [
      { text: title, style: 'section' },
      {
        text: `The whole count so far, not the growth of the ${step}: the last number of each item, added up over all items of the platform.`,
        style: 'quiet',
      },
    ],
    columns: [{ heading, kind: 'day' }, ...lines.map((line) => ({ heading: headingOf(line), kind: 'count' as const }))],
    rows: times.map((at) => [at, ...lines.map(({ points }) => points.get(at) ?? null)]),
    charts: charted ? chartsOf(lines, step) : [],
  };
}

/**
 * Returns the numbers of a report by day or by week: one list of points for each metric and platform, and the times of
 * all points. Lists of the same metric are next to each other.
 */
function readTable(report: Report, step: Step): Table {
  const times = new Set<number>();
  const lines = objects(report.series)
    .filter((series) => series.step === step)
    .map(({ platform, metric, points }): MetricLine => {
      const known = objects(points).flatMap((point) => {
        const at = timeOf(point.at);
        if (at === null) return [];
        times.add(at);
        const value = numberOf(point.value);
        return value === null ? [] : [[at, value] as const];
      });
      const rounded = objects(points).some(({ quality }) => quality === 'rounded');
      return { platform: String(platform), metric: String(metric), points: new Map(known), rounded };
    });
  const metrics = [...new Set(lines.map(({ metric }) => metric))];
  return {
    step,
    lines: metrics.flatMap((metric) => lines.filter((line) => line.metric === metric)),
    times: [...times].sort((a, b) => a - b),
  };
}

function headingOf({ platform, metric, rounded }: MetricLine): string {
  return `${platformName(platform)} ${fieldLabel(metric).toLowerCase()}${rounded ? ' (≈)' : ''}`;
}

function chartsOf(lines: readonly MetricLine[], step: Step): ChartPlan[] {
  const metrics = chartedMetrics.filter((metric) => lines.some((line) => line.metric === metric));
  return metrics.map((metric) => ({
    key: `${metric}_by_${step}`,
    title: `${fieldLabel(metric)}${levels.includes(metric) ? '' : ' so far'}, at the end of each ${step}`,
    type: 'line',
    columns: [
      { first: 1, count: 1 },
      {
        first: lines.findIndex((line) => line.metric === metric) + 2,
        count: lines.filter((line) => line.metric === metric).length,
      },
    ],
  }));
}
