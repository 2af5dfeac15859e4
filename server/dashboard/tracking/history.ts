import { html } from 'hono/html';
import { dayOf } from '../../../db/calendar.ts';
import type { MissedCheck, Span } from '../../../db/campaigns/reports.ts';
import { dayMs } from '../../../db/durations.ts';
import type { Observed } from '../../../db/observations/observed.ts';
import type { Metric } from '../../../db/schema/metrics.ts';
import type { Tier } from '../../../db/tier.ts';
import type { NotedItem } from '../../../db/tracking/tracked-pages.ts';
import { type Gap, presenceOf } from '../../../pipeline/report/gaps.ts';
import { dayStart } from '../../../pipeline/report/period.ts';
import { metricTitle } from '../../../pipeline/report/summary/headline.ts';
import { tiers } from '../../../pipeline/tiers.ts';
import { metricsOf, qualityOf } from '../../../pipeline/tracking/metrics.ts';
import { dayText } from '../../design/dates.ts';
import { type ChartPoint, chartTable, lineChart } from '../ui/chart.ts';
import { card, count, markedCount, type Piece, period, table } from '../ui/components.ts';
import { segments, tabs, tiles } from '../ui/parts/blocks.ts';
import { withParameter } from '../ui/parts/data-table.ts';
import { change } from '../ui/parts/numbers.ts';
import { chartViewOf, chartViews, viewPoints } from './chart-views.ts';
import { type Compared, comparedDays, comparedPoints } from './compare.ts';
import { itemName, outcomeLabel } from './labels.ts';
import { differenceOf, qualityText } from './values.ts';

/** A tracked item with its observations (results of successful checks) and its missed checks in a period. */
export interface History {
  item: NotedItem;
  tier: Tier;
  /** The observations in the period, oldest first. */
  observations: readonly Observed[];
  missed: readonly MissedCheck[];
  span: Span;
  /** Other tracked items, which are drawn in the same chart for comparison. */
  compared: readonly Compared[];
}

/**
 * Returns the newest numbers of an item, one large chart of the metric that the page's URL names, links to the other
 * metrics, and the days without data with their causes.
 */
export function historyCharts(history: History, url: URL, comparison: Piece): Piece {
  const { item, observations } = history;
  if (observations.length === 0)
    return html`<p class="notice plain">No data in this period. The log below shows the checks.</p>${comparison}`;
  const { gaps } = presenceOf(item, observations, history.missed, windowOf(history), history.span.to.getTime());
  const days = daysOf(history, gaps);
  const metrics = metricsOf(item.platform, item.kind, observations);
  const known = metrics.filter((metric) => observations.some((one) => one[metric] !== null));
  return html`${figures(item.platform, observations, metrics)}${metricChart(known, days, { history, url, comparison })}${gapCard(gaps, history.tier)}`;
}

/**
 * Returns the chart of one metric, drawn in the view (totals, percentages or daily changes) that the page's URL names,
 * with links to the other metrics and views.
 */
function metricChart(known: readonly Metric[], days: readonly Day[], { history, url, comparison }: Shown): Piece {
  // The metric `following` (the number of accounts that an account follows) says little, so all other metrics come
  // before it.
  const metrics = [
    ...known.filter((metric) => metric !== 'following'),
    ...known.filter((metric) => metric === 'following'),
  ];
  const metric = metrics.find((name) => name === url.searchParams.get('metric')) ?? metrics[0];
  if (metric === undefined) return null;
  const view = chartViewOf(url.searchParams.get('view'));
  const path = (name: string, value: string) => withParameter(url, name, value);
  const labels = days.map(({ label }) => label);
  const chart = {
    id: `chart-${metric}`,
    title: view.title(metricTitle(metric, [history.item.platform])),
    points: viewPoints(view.name, pointsOf(metric, days, history.tier)),
    others: history.compared.map((one) => {
      const points = comparedPoints(one, metric, labels);
      return { name: itemName(one.item), points: viewPoints(view.name, points) };
    }),
    name: itemName(history.item),
    large: true,
    headed: true,
  };
  const metricTabs = tabs(
    'Metric',
    metrics.map((name) => [metricTitle(name, [history.item.platform]), path('metric', name)] as const),
    path('metric', metric),
  );
  const views = segments(
    'View',
    chartViews.map(({ name, label }) => [label, path('view', name)] as const),
    path('view', view.name),
  );
  return html`<section class="card">${metricTabs}<div class="view-head"><h2>${chart.title}</h2>${views}</div>${lineChart(chart)}${chartTable(chart, 'Day', view.unit)}${comparison}</section>`;
}

interface Shown {
  history: History;
  url: URL;
  /** The form with which the user chooses items for a comparison. */
  comparison: Piece;
}

/** Returns the part of the period in which the item was tracked. Earlier days do not count as missing. */
function windowOf({ item, observations, span }: History): { from: number; to: number } {
  const first = Math.min(item.created_at.getTime(), observations[0]?.observed_at.getTime() ?? Number.POSITIVE_INFINITY);
  return { from: Math.max(dayStart(span.from.getTime()), dayStart(first)), to: span.to.getTime() };
}

interface Day {
  label: string;
  observation: Observed | null;
  cause: string | null;
}

/**
 * Returns the days of a chart in order of date: days with an observation, days without one for a known reason, and the
 * days of the compared items.
 */
function daysOf(history: History, gaps: readonly Gap[]): Day[] {
  const { from, to } = windowOf(history);
  const seen = new Map(history.observations.map((one) => [dayStart(one.observed_at.getTime()), one]));
  const days: Day[] = [];
  for (let at = from; at < to; at += dayMs) {
    const observation = seen.get(at) ?? null;
    const gap = gaps.find((one) => at >= one.from && at < one.to);
    if (observation || gap) days.push({ label: dayOf(at), observation, cause: gap?.cause ?? null });
  }
  const known = new Set(days.map(({ label }) => label));
  const others = [...new Set(comparedDays(history.compared))].filter((label) => !known.has(label));
  const added = others.map((label) => ({ label, observation: null, cause: null }));
  return [...days, ...added].sort((a, b) => a.label.localeCompare(b.label));
}

function pointsOf(metric: Metric, days: readonly Day[], tier: Tier): ChartPoint[] {
  return days.map(({ label, observation, cause }): ChartPoint => {
    if (!observation) return { label, value: null, note: cause ? gapLabel(cause, tier) : '' };
    const value = observation[metric];
    if (value === null) return { label, value, note: qualityText(value, observation, metric) };
    return { label, value, rounded: qualityOf(observation, metric) === 'rounded' };
  });
}

function figures(platform: string, observations: readonly Observed[], metrics: readonly Metric[]): Piece {
  const [first, last] = [observations[0], observations.at(-1)];
  if (!first || !last) return null;
  const shown = metrics.map((metric) => {
    const difference = first === last ? null : differenceOf(first[metric], last[metric]);
    const isRounded = (one: Observed) => qualityOf(one, metric) === 'rounded';
    const rounded = isRounded(first) || isRounded(last);
    const quality = qualityText(last[metric], last, metric);
    const since = `since ${dayText(first.observed_at).replaceAll(' ', '\u00a0')}`;
    const growth = difference === 0 && !rounded ? 'no change' : change(difference, { rounded });
    return {
      label: metricTitle(metric, [platform]),
      value: markedCount(last[metric], isRounded(last)),
      ...(difference === null ? {} : { change: html`${growth} ${since}` }),
      ...(quality === '' ? {} : { hint: quality }),
    };
  });
  return tiles(shown);
}

/** Returns why a day has no numbers. In a tier without automatic checks, a day without a check is not a failure. */
function gapLabel(cause: string, tier: Tier): string {
  return cause === 'NOT_CHECKED' && !tiers[tier].daily_checks ? 'no check was started' : outcomeLabel(cause);
}

function gapCard(gaps: readonly Gap[], tier: Tier): Piece {
  if (gaps.length === 0) return null;
  const rows = gaps.toReversed().map(({ from, to, cause }) => {
    return [period(from, to), count((to - from) / dayMs), gapLabel(cause, tier)];
  });
  return card(
    'Missing days',
    table('Missing days', ['Period (UTC)', { heading: 'Days', number: true }, 'Cause'], rows),
  );
}
