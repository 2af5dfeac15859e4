import { type Metric, metrics } from '../../../db/schema/metrics.ts';
import type { ItemReport } from '../items.ts';
import type { Report } from '../report.ts';
import type { Total } from '../totals.ts';

/** Maximum number of items that rose, of items that fell, and of best posts. */
const maxListed = 5;

/** The total of one metric with the change of the previous week. */
export interface Tile {
  metric: Metric;
  total: Total;
  /** Null when the change of the previous week is unknown. */
  previous_change: number | null;
}

/** An item whose number changed in the period. */
export interface Mover {
  item: ItemReport;
  change: number;
  change_percent: number | null;
}

/** The most important numbers of a report, with the most important metrics first. They are computed only from the report. */
export interface ReportSummary {
  /** The metric of the headline, the movers and the chart. Null when no change is known. */
  metric: Metric | null;
  tiles: Tile[];
  up: Mover[];
  down: Mover[];
  /** The posts and videos with the most views. */
  best: ItemReport[];
}

/** The metrics that the headline can be about, in order of preference. The first one whose change is known is used. */
const headlineMetrics: readonly Metric[] = ['views', 'followers', 'total_views', 'likes'];
/** The metrics that have a tile. `following` is only in the tables, because it says little about success. */
const tileMetrics = metrics.filter((metric) => metric !== 'following');

/** Returns the summary of a report. It also works for stored reports. */
export function summarize(report: Report): ReportSummary {
  const metric = headlineMetrics.find((one) => typeof report.totals[one]?.change === 'number') ?? null;
  const order = [...new Set([...headlineMetrics, ...tileMetrics])];
  const tiles = order.flatMap((one): Tile[] => {
    const total = report.totals[one];
    return total && total.end !== null ? [{ metric: one, total, previous_change: previousChange(report, one) }] : [];
  });
  return { metric, tiles, ...(metric ? moversOf(report, metric) : { up: [], down: [] }), best: bestPosts(report) };
}

function moversOf({ items }: Report, metric: Metric): Pick<ReportSummary, 'up' | 'down'> {
  const moved = items.flatMap((item): Mover[] => {
    const value = item.metrics[metric];
    if (item.status === 'identity_changed' || !value || value.change === null) return [];
    return [{ item, change: value.change, change_percent: value.change_percent }];
  });
  const sorted = moved.toSorted((a, b) => b.change - a.change);
  return {
    up: sorted.filter(({ change }) => change > 0).slice(0, maxListed),
    down: sorted
      .filter(({ change }) => change < 0)
      .toReversed()
      .slice(0, maxListed),
  };
}

function bestPosts({ items }: Report): ItemReport[] {
  const seen = items.filter(
    ({ kind, status, metrics: { views } }) =>
      (kind === 'post' || kind === 'video') && status !== 'identity_changed' && typeof views?.end === 'number',
  );
  return seen.toSorted((a, b) => (b.metrics.views?.end ?? 0) - (a.metrics.views?.end ?? 0)).slice(0, maxListed);
}

/**
 * Returns the change of a total in the week before the report, from the weekly numbers of all platforms. Null when one of them
 * is unknown.
 */
function previousChange({ series, by_platform, period_start }: Report, metric: Metric): number | null {
  const having = by_platform.filter(({ totals }) => (totals[metric]?.items ?? 0) > 0);
  const weekly = series.filter((one) => one.metric === metric && one.step === 'week');
  if (having.length === 0 || weekly.length !== having.length) return null;
  let sum = 0;
  for (const { points } of weekly) {
    const before = points.filter(({ at }) => at < period_start);
    const [last, earlier] = [before.at(-1)?.value, before.at(-2)?.value];
    if (typeof last !== 'number' || typeof earlier !== 'number') return null;
    sum += last - earlier;
  }
  return sum;
}
