import type { CampaignItem } from '../../../db/campaigns/reports.ts';
import { dayMs, weekMs } from '../../../db/durations.ts';
import type { Observed } from '../../../db/observations/observed.ts';
import { type Metric, metrics } from '../../../db/schema/metrics.ts';
import type { ReportInput } from '../../../pipeline/report/input.ts';
import type { Report } from '../../../pipeline/report/report.ts';

/** The metrics of each kind of item, as listed in docs/reports.md. */
export const metricsByKind: Readonly<Record<string, readonly Metric[]>> = {
  'photo profile': ['followers', 'following', 'posts'],
  'photo post': ['views', 'likes', 'comments'],
  'shortvideo profile': ['followers', 'following', 'posts', 'likes'],
  'shortvideo video': ['views', 'likes', 'comments', 'shares', 'favorites'],
  'longvideo channel': ['followers', 'posts', 'total_views'],
  'longvideo video': ['views', 'likes', 'comments'],
};

type Span = Record<'from' | 'to', number>;
type Measured = ReturnType<typeof itemOf>;

const isPost = ({ kind }: CampaignItem) => kind === 'post' || kind === 'video';
const timeOf = (row: Observed) => row.observed_at.getTime();
const startOfDay = (at: number) => at - (at % dayMs);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const percent = (part: number, whole: number) => (whole === 0 ? null : Math.round((part / whole) * 10_000) / 100 + 0);
const exactness = (rounded: boolean) => (rounded ? 'rounded' : 'exact');
const qualityOf = (row: Observed | undefined, metric: Metric) =>
  row && ['exact', 'rounded', 'hidden', 'not_exposed'][(row.quality >> (2 * metrics.indexOf(metric))) & 3];
const inside = (rows: readonly Observed[], { from, to }: Span) =>
  rows.filter((row) => timeOf(row) >= from && timeOf(row) < to);
const timesBetween = ({ from, to }: Span, step: number) =>
  Array.from({ length: Math.max(0, Math.ceil((to - from) / step)) }, (_, index) => from + index * step);

/**
 * Computes the numbers of a report in the simplest way, from the rules in docs/reports.md alone. Shares no code with
 * the product's report.
 */
export function recompute(input: ReportInput) {
  const { campaign, period_start, generated_at, history_days } = input;
  const dayIn = (text: string) => Date.parse(`${text}T00:00:00Z`);
  const history = Math.ceil((generated_at - history_days * dayMs) / dayMs) * dayMs;
  const start = Math.max(dayIn(campaign.starts_on), history);
  const last = campaign.ends_on === null ? Number.POSITIVE_INFINITY : dayIn(campaign.ends_on) + dayMs;
  const from = Math.max(period_start, start);
  const to = Math.max(from, Math.min(period_start + weekMs, last, generated_at));
  const items = input.items.map((item) => itemOf(item, input, { history, from, to }));
  const likesOfPosts = input.items.some(isPost);
  const adds = ({ item, values }: Measured, metric: Metric) =>
    values[metric] !== undefined && !(metric === 'likes' && likesOfPosts && !isPost(item));
  const counts = (one: Measured, metric: Metric) =>
    adds(one, metric) && !one.item.identity_changed && one.values[metric]?.change !== null;
  const totals = metrics.flatMap((metric) => {
    const having = items.filter((one) => adds(one, metric));
    const counted = having.filter((one) => counts(one, metric)).flatMap(({ values }) => values[metric] ?? []);
    return having.length === 0 ? [] : [[metric, totalOf(counted, having.length)] as const];
  });
  const firstWeek = period_start - Math.max(0, Math.ceil((period_start - start) / weekMs)) * weekMs;
  const seriesOf = (platform: string, metric: Metric) => {
    const counted = items.filter((one) => one.item.platform === platform && counts(one, metric));
    const points = (span: Span, length: number) =>
      timesBetween(span, length).map((at) =>
        pointOf(counted, metric, { at, from: Math.max(at, start), to: Math.min(at + length, to) }),
      );
    const [days, weeks] = [points({ from, to }, dayMs), points({ from: firstWeek, to }, weekMs)];
    const lists = [['day', days] as const, ...(weeks.length < 2 ? [] : [['week', weeks] as const])];
    return counted.length === 0 ? [] : lists.map(([step, list]) => [`${platform} ${metric} ${step}`, list] as const);
  };
  const platforms = [...new Set(input.items.map(({ platform }) => platform))];
  return {
    partial_period: from > period_start || to < period_start + weekMs || items.some(({ late }) => late),
    coverage: {
      expected_observations: sum(items.map(({ expected }) => expected)),
      observations: sum(items.map(({ observed }) => observed)),
      items: items.length,
      items_never_observed: items.filter(({ observed }) => observed === 0).length,
    },
    totals: Object.fromEntries(totals),
    items: Object.fromEntries(items.map(({ item, values }) => [item.item_id, values])),
    series: Object.fromEntries(
      platforms.flatMap((platform) => metrics.flatMap((metric) => seriesOf(platform, metric))),
    ),
  };
}

/** Returns those numbers of a report that {@link recompute} computes too. */
export function numbersOf({ partial_period, coverage, totals, items, series }: Report) {
  const points = series.map((one) => [`${one.platform} ${one.metric} ${one.step}`, one.points] as const);
  const values = items.map((one) => [one.item_id, one.metrics] as const);
  return { partial_period, coverage, totals, items: Object.fromEntries(values), series: Object.fromEntries(points) };
}

function itemOf(item: CampaignItem, input: ReportInput, { history, ...span }: Span & { history: number }) {
  const own = input.observations.filter(({ item_id }) => item_id === item.item_id);
  const rows = inside(own, { from: history, to: span.to }).sort((a, b) => timeOf(a) - timeOf(b));
  const week = inside(rows, span);
  const known = (list: readonly Observed[], metric: Metric) => list.filter((row) => row[metric] !== null);
  const startOf = (metric: Metric) =>
    known(rows, metric).findLast((row) => timeOf(row) <= span.from) ?? known(week, metric)[0];
  const measure = (metric: Metric) => {
    const ends = [startOf(metric), known(week, metric).at(-1)];
    const [start = null, end = null] = ends.map((row) => row?.[metric] ?? null);
    const rounded = ends.some((row) => qualityOf(row, metric) === 'rounded');
    const reason = qualityOf(week.at(-1), metric) === 'hidden' ? 'hidden' : 'not_exposed';
    const unknown = week.length > 0 ? reason : rounded ? 'rounded' : null;
    const change = start === null || end === null ? null : end - start;
    const share = change === null || start === null ? null : percent(change, start);
    return { start, end, change, change_percent: share, quality: end === null ? unknown : exactness(rounded) };
  };
  const ownMetrics = metricsByKind[`${item.platform} ${item.kind}`] ?? [];
  const values: Partial<Record<Metric, ReturnType<typeof measure>>> = Object.fromEntries(
    ownMetrics.map((metric) => [metric, measure(metric)]),
  );
  const seen = new Set(week.map((row) => startOfDay(timeOf(row))));
  const isDue = (day: number) => day >= startOfDay(item.created_at.getTime()) && day + dayMs <= input.generated_at;
  const expected = new Set([...seen, ...timesBetween(span, dayMs).filter(isDue)]).size;
  const late = ownMetrics.map(startOf).some((row) => row && timeOf(row) > span.from);
  return { item, rows, values, late, expected, observed: seen.size };
}

function totalOf(counted: readonly NonNullable<Measured['values'][Metric]>[], having: number) {
  const missing = { items: counted.length, items_missing: having - counted.length };
  const unknown = { start: null, end: null, change: null, change_percent: null, quality: null };
  if (counted.length === 0) return { ...unknown, ...missing };
  const [start, end] = [sum(counted.map((one) => one.start ?? 0)), sum(counted.map((one) => one.end ?? 0))];
  const quality = exactness(counted.some((one) => one.quality === 'rounded'));
  return { start, end, change: end - start, change_percent: percent(end - start, start), ...missing, quality };
}

function pointOf(counted: readonly Measured[], metric: Metric, { at, ...span }: Span & { at: number }) {
  const lasts = counted.flatMap(({ rows }) => inside(rows, span).findLast((row) => row[metric] !== null) ?? []);
  const missing = { items: lasts.length, items_missing: counted.length - lasts.length };
  if (missing.items_missing > 0) return { at, value: null, ...missing, quality: null };
  const quality = exactness(lasts.some((row) => qualityOf(row, metric) === 'rounded'));
  return { at, value: sum(lasts.map((row) => row[metric] ?? 0)), ...missing, quality };
}
