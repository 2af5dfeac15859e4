import type { Report } from '../formulas/report-tables.ts';
import { asObject } from '../platform/client.ts';

const steps = ['day', 'week'] as const;
type Step = (typeof steps)[number];
const stepWords = {
  day: { title: 'Day by day', heading: 'day (UTC)' },
  week: { title: 'Week by week', heading: 'week from (UTC)' },
};

/** The metrics worth a picture, in the order of their charts. */
const chartedMetrics = ['followers', 'views', 'total_views', 'likes'];
/** A single point is no course. */
const fewestPoints = 2;

/** `columns` count from 1 within the table; `place` is the chart's turn in its row. */
export type ChartPlan = {
  key: string;
  title: string;
  step: Step;
  place: number;
  columns: { first: number; count: number }[];
};

export type SeriesTable = { title: string; columns: string[]; rows: unknown[][]; charts: ChartPlan[] };

type Course = { platform: string; metric: string; points: Map<number, number>; rounded: boolean };

/** The series side by side, one table for days and one for weeks: a column a metric and platform, a row a moment. */
export function seriesTables(report: Report): SeriesTable[] {
  return steps.flatMap((step) => {
    const { courses, moments } = readCourses(report, step);
    if (courses.length === 0 || moments.length === 0) return [];
    return [
      {
        title: `${stepWords[step].title}: sums over the items of each total`,
        columns: [stepWords[step].heading, ...courses.map(headingOf)],
        rows: moments.map((at) => [
          new Date(at).toISOString().slice(0, 10),
          ...courses.map(({ points }) => points.get(at) ?? null),
        ]),
        charts: moments.length < fewestPoints ? [] : chartsOf(courses, step),
      },
    ];
  });
}

/** The courses ordered by metric, so that the platforms of one metric stand side by side, and every moment of any. */
function readCourses(report: Report, step: Step): { courses: Course[]; moments: number[] } {
  const series = list(report.series).filter((one) => one.step === step);
  const moments = new Set<number>();
  const courses = series.map((one) => {
    const points = list(one.points).filter(({ at }) => typeof at === 'number' && Math.abs(at) <= momentMaxMs);
    for (const { at } of points) moments.add(Number(at));
    const known = points.flatMap(({ at, value }): [number, number][] =>
      typeof value === 'number' ? [[Number(at), value]] : [],
    );
    const rounded = points.some(({ quality }) => quality === 'rounded');
    return { platform: String(one.platform), metric: String(one.metric), points: new Map(known), rounded };
  });
  const metrics = [...new Set(courses.map(({ metric }) => metric))];
  return {
    courses: metrics.flatMap((metric) => courses.filter((course) => course.metric === metric)),
    moments: [...moments].sort((a, b) => a - b),
  };
}

/** Beyond it no date exists, and `toISOString` throws. */
const momentMaxMs = 8.64e15;

function headingOf({ platform, metric, rounded }: Course): string {
  return `${platform} ${words(metric)}${rounded ? ' (rounded)' : ''}`;
}

function chartsOf(courses: readonly Course[], step: Step): ChartPlan[] {
  const metrics = chartedMetrics.filter((metric) => courses.some((course) => course.metric === metric));
  return metrics.map((metric, place) => {
    const first = courses.findIndex((course) => course.metric === metric);
    const count = courses.filter((course) => course.metric === metric).length;
    const name = words(metric);
    return {
      key: `${metric}_${step}`,
      title: `${name.charAt(0).toUpperCase()}${name.slice(1)} by ${step} (UTC)`,
      step,
      place,
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
  return Array.isArray(value) ? value.map((one: unknown) => asObject(one) ?? {}) : [];
}
