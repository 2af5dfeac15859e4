import { type Metric, metrics } from '../../../db/schema/metrics.ts';
import type { ItemReport } from '../items.ts';
import type { Report } from '../report.ts';
import type { Total } from '../totals.ts';
import { bestPosts } from './best-posts.ts';

/** Maximum length of each list in a report summary: items that rose most, items that fell most, and best posts. */
const maxListed = 5;

/**
 * The total of one metric, and the change of this total in the week before the report's week. Pages show both in one
 * tile.
 */
export interface MetricTotal {
  metric: Metric;
  total: Total;
  /** The change of the total in the week before the report's week. Null when it is unknown. */
  previous_change: number | null;
  /** True when the platform rounded a number from which `previous_change` was computed. */
  previous_rounded: boolean;
}

/** An account, post or video whose number changed in the report's period. */
export interface ReportMover {
  item: ItemReport;
  change: number;
  change_percent: number | null;
}

/**
 * The most important numbers of a campaign report, with the most important metrics first. All numbers are computed from
 * the report alone.
 */
export interface ReportSummary {
  /**
   * The metric that the headline, the lists `up` and `down` and the chart show. Null when no change of a total is
   * known.
   */
  metric: Metric | null;
  tiles: MetricTotal[];
  up: ReportMover[];
  down: ReportMover[];
  /** The posts and videos with the most new views in the report's week. */
  best: ItemReport[];
}

/**
 * The metrics that the headline of a report can be about, in order of preference. The headline uses the first metric
 * whose change is known.
 */
const headlineMetrics: readonly Metric[] = ['views', 'followers', 'total_views', 'likes'];
/**
 * The metrics that a report page shows as tiles. `following` (number of followed accounts) is only in the tables,
 * because it says little about success.
 */
const tileMetrics = metrics.filter((metric) => metric !== 'following');

/** Returns the summary of a campaign report, which may be a current report or a stored one. */
export function summarize(report: Report): ReportSummary {
  const metric = headlineMetrics.find((one) => typeof report.totals[one]?.change === 'number') ?? null;
  const order = [...new Set([...headlineMetrics, ...tileMetrics])];
  const tiles = order.flatMap((one): MetricTotal[] => {
    const total = report.totals[one];
    return total && total.end !== null ? [{ metric: one, total, ...previousChange(report, one) }] : [];
  });
  return {
    metric,
    tiles,
    ...(metric ? moversOf(report, metric) : { up: [], down: [] }),
    best: bestPostsOf(report).slice(0, maxListed),
  };
}

/** Returns the best posts and videos of a report, see {@link bestPosts}. */
const bestPostsOf = ({ items }: Report) =>
  bestPosts(items, ({ metrics: numbers }, metric, part) => numbers[metric]?.[part] ?? null);

function moversOf({ items }: Report, metric: Metric): Pick<ReportSummary, 'up' | 'down'> {
  const moved = items.flatMap((item): ReportMover[] => {
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

type PreviousChange = Pick<MetricTotal, 'previous_change' | 'previous_rounded'>;
const unknown: PreviousChange = { previous_change: null, previous_rounded: false };

/**
 * Returns the change of a total in the week before the report's week, computed from the weekly chart series of all
 * platforms. The change is null when it is unknown for one of the platforms.
 */
function previousChange({ series, by_platform, period_start }: Report, metric: Metric): PreviousChange {
  const having = by_platform.filter(({ totals }) => (totals[metric]?.items ?? 0) > 0);
  const weekly = series.filter((one) => one.metric === metric && one.step === 'week');
  if (having.length === 0 || weekly.length !== having.length) return unknown;
  let sum = 0;
  let rounded = false;
  for (const { points } of weekly) {
    const [earlier, last] = points.filter(({ at }) => at < period_start).slice(-2);
    if (typeof last?.value !== 'number' || typeof earlier?.value !== 'number') return unknown;
    sum += last.value - earlier.value;
    rounded ||= last.quality === 'rounded' || earlier.quality === 'rounded';
  }
  return { previous_change: sum, previous_rounded: rounded };
}
