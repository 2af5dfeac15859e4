import { type Metric, metrics } from '../../db/schema/metrics.ts';
import { csvOf } from '../rows/csv.ts';
import type { Cell } from '../rows/profile-row.ts';
import { type ItemReport, isLikesOfAccount, leavesOutAccountLikes } from './items.ts';
import type { TotalRate } from './rates.ts';
import type { Report } from './report.ts';
import type { Total } from './totals.ts';
import type { MetricValue } from './values.ts';

const metricColumns = ['start', 'end', 'change', 'change_percent', 'quality', 'items_missing'] as const;

/**
 * Column names of a campaign report as CSV. All reports have the same columns in the same order, so that users can
 * append several weeks to one sheet.
 */
export const reportColumns: readonly string[] = [
  'row',
  'campaign_id',
  'campaign',
  'report_name',
  'report_id',
  'final',
  'period_start',
  'period_end',
  'item_id',
  'platform',
  'kind',
  'name',
  'url',
  'status',
  'first_observed_at',
  'last_observed_at',
  'gaps',
  ...metrics.flatMap((metric) => metricColumns.map((column) => `${metric}_${column}`)),
  'engagement_rate_by_views_percent',
  'engagement_rate_formula',
];

/**
 * Returns the rows of a campaign report: one row per item and then one row with the totals. The columns are {@link
 * reportColumns}. An unknown value is null. Dates are ISO 8601 in UTC.
 */
export function reportRows(report: Report): Cell[][] {
  const { campaign, report_name, report_id, final, period_start, period_end } = report;
  const common = [campaign.id, campaign.name, report_name, report_id, final, iso(period_start), iso(period_end)];
  const leavesOutLikes = leavesOutAccountLikes(report.items);
  return [
    ...report.items.map((item) => ['item', ...common, ...itemCells(item, leavesOutLikes)]),
    ['totals', ...common, ...totalsCells(report)],
  ];
}

function itemCells(item: ItemReport, leavesOutLikes: boolean): Cell[] {
  const { item_id, platform, kind, name, url, status, first_observed_at, last_observed_at } = item;
  const gaps = item.gaps.map(({ from, to, cause }) => `${iso(from)}/${iso(to)} ${cause}`).join('; ');
  const observed = [iso(first_observed_at), iso(last_observed_at)];
  return [
    ...[item_id, platform, kind, name, url, status, ...observed, gaps === '' ? null : gaps],
    ...metrics.flatMap((metric) => {
      const inTotal = !(leavesOutLikes && isLikesOfAccount(kind, metric));
      return valueCells(item.metrics[metric], inTotal && isMissing(item, metric));
    }),
    ...rateCells(item.rates),
  ];
}

function totalsCells({ totals, by_platform }: Report): Cell[] {
  // The totals row has only one cell for the engagement rate, but platforms have different formulas. The cell is
  // therefore filled only when all platforms together have exactly one rate.
  const rates: TotalRate[] = by_platform.flatMap((platform) => platform.rates);
  return [
    ...Array.from({ length: 9 }, () => null),
    ...metrics.flatMap((metric) => totalCells(totals[metric])),
    ...rateCells(rates.length === 1 ? rates : []),
  ];
}

/**
 * Returns true when a total leaves out an item because its number is unknown or because its handle now belongs to
 * another account.
 */
function isMissing({ status, metrics: values }: ItemReport, metric: Metric): boolean {
  return status === 'identity_changed' || (values[metric]?.change ?? null) === null;
}

function valueCells(value: MetricValue | undefined, missing: boolean): Cell[] {
  if (!value) return metricColumns.map(() => null);
  const { start, end, change, change_percent, quality } = value;
  return [start, end, change, change_percent, quality, missing ? 1 : 0];
}

function totalCells(total: Total | undefined): Cell[] {
  if (!total) return metricColumns.map(() => null);
  const { start, end, change, change_percent, quality, items_missing } = total;
  return [start, end, change, change_percent, quality, items_missing];
}

function rateCells([rate]: readonly { percent: number | null; formula: string }[]): Cell[] {
  return rate ? [rate.percent, rate.formula] : [null, null];
}

function iso(at: number): string;
function iso(at: number | null): string | null;
function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** Returns a campaign report as CSV (RFC 4180). Escapes texts that a spreadsheet would run as a formula. */
export function reportCsv(report: Report): string {
  return csvOf(reportColumns, reportRows(report));
}
