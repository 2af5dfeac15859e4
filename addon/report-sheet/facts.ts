import { weekMs } from '../durations.ts';
import { fieldLabel } from '../formulas/field-labels.ts';
import type { Report } from '../formulas/report-tables.ts';
import { asObject } from '../platform/client.ts';
import { bestPosts } from './best-posts.ts';
import { qualityLabel } from './labels.ts';
import { numberOf, objects } from './read-report.ts';

const accountKinds = ['profile', 'channel'];

/**
 * One total of a campaign report: the sum of a metric over all items. `change_before`: the change in the week before
 * the report's week; null when it is unknown. `before_rounded`: true when this change is from rounded numbers.
 * `unknown`: the word that the sheet shows for a missing number.
 */
export type KeyNumber = {
  metric: string;
  end: number | null;
  start: number | null;
  change: number | null;
  change_percent: number | null;
  change_before: number | null;
  before_rounded: boolean;
  rounded: boolean;
  items: number;
  items_missing: number;
  unknown: string;
};

/** Returns the totals of a campaign report, one for each metric. Unknown numbers are null. */
export function keyNumbers(report: Report): KeyNumber[] {
  return Object.entries(asObject(report.totals) ?? {}).map(([metric, value]) => {
    const total = asObject(value) ?? {};
    return {
      metric,
      end: numberOf(total.end),
      start: numberOf(total.start),
      change: numberOf(total.change),
      change_percent: numberOf(total.change_percent),
      ...changeBefore(report, metric),
      rounded: total.quality === 'rounded',
      items: numberOf(total.items) ?? 0,
      items_missing: numberOf(total.items_missing) ?? 0,
      unknown: unknownWord(report, metric),
    };
  });
}

/**
 * Returns the word that the sheet shows for a missing total: the reason that all items without the number have in
 * common, or "unknown" when they have different reasons.
 */
function unknownWord(report: Report, metric: string): string {
  const values = objects(report.items)
    .filter((item) => asObject(asObject(item.metrics)?.[metric]) !== null)
    .map((item) => itemNumber(item, metric));
  const reasons = new Set(values.flatMap(({ end, quality }) => (end === null ? [qualityLabel(quality)] : [])));
  const [reason = 'unknown'] = reasons;
  return reasons.size === 1 ? reason : 'unknown';
}

/**
 * Returns the change of a total in the week before the report's week. The change is null when the number of a platform
 * is unknown at the start or end of that week.
 */
function changeBefore(report: Report, metric: string): Pick<KeyNumber, 'change_before' | 'before_rounded'> {
  const unknown = { change_before: null, before_rounded: false };
  const weeks = objects(report.series).filter((series) => series.metric === metric && series.step === 'week');
  const startAt = numberOf(report.period_start);
  if (weeks.length === 0 || startAt === null) return unknown;
  let sum = 0;
  let rounded = false;
  for (const series of weeks) {
    const ends = [startAt - weekMs, startAt - 2 * weekMs].map((at) =>
      objects(series.points).find((point) => point.at === at),
    );
    const [end = null, start = null] = ends.map((point) => numberOf(point?.value));
    if (end === null || start === null) return unknown;
    sum += end - start;
    rounded = rounded || ends.some((point) => point?.quality === 'rounded');
  }
  return { change_before: sum, before_rounded: rounded };
}

/** The value of one metric of a tracked item, and its change in the report's week. Unknown values are null. */
type ItemNumber = { end: number | null; change: number | null; change_percent: number | null; quality: unknown };

/**
 * Returns the value of a metric of one item in a campaign report, and its change. All numbers are null when the item
 * has no such metric.
 */
export function itemNumber(item: Report, metric: string): ItemNumber {
  const value = asObject(asObject(item.metrics)?.[metric]) ?? {};
  const { end, change, change_percent, quality } = value;
  return { end: numberOf(end), change: numberOf(change), change_percent: numberOf(change_percent), quality };
}

/**
 * Returns a text that says which numbers of a tracked item are rounded or missing and why, such as "Followers ≈ rounded
 * by the platform, Following not shown".
 */
export function itemRemarks(item: Report, metrics: readonly string[]): string {
  const parts = metrics.flatMap((metric) => {
    if (asObject(asObject(item.metrics)?.[metric]) === null) return [];
    const { end, quality } = itemNumber(item, metric);
    return end !== null && quality !== 'rounded' ? [] : [`${fieldLabel(metric)} ${qualityLabel(quality)}`];
  });
  return parts.join(', ');
}

/** Returns the name of a tracked item, or its URL when the item has no name. */
export function itemName({ name, url }: Report): string {
  return String(name ?? url ?? '');
}

function isAccount({ kind }: Report): boolean {
  return accountKinds.includes(String(kind));
}

/**
 * Returns the accounts of a report, those with the most followers first. Leaves out accounts without a known number and
 * accounts whose handle now belongs to another account.
 */
export function accountsByFollowers(report: Report): Report[] {
  const accounts = objects(report.items).filter((item) => isAccount(item) && item.status !== 'identity_changed');
  return sortedBy(accounts, (item) => itemNumber(item, 'followers').end);
}

/**
 * Returns the accounts of a report that gained followers (`direction` 1) or lost followers (`direction` -1), with the
 * largest change first.
 */
export function movers(report: Report, direction: 1 | -1): Report[] {
  const change = (item: Report): number => (itemNumber(item, 'followers').change ?? 0) * direction;
  const moved = accountsByFollowers(report).filter((item) => change(item) > 0);
  return sortedBy(moved, change);
}

/** Returns the best posts and videos of a report, see {@link bestPosts}. */
export function bestPostsOf(report: Report): Report[] {
  return bestPosts(objects(report.items), (item, metric, part) => itemNumber(item, metric)[part]);
}

/** Returns true when the platform rounded a number of a post whose engagement rate is known. */
export function isRateRounded(report: Report, platform: unknown): boolean {
  const rated = bestPostsOf(report).filter(
    (item) => item.platform === platform && numberOf(objects(item.rates)[0]?.percent) !== null,
  );
  return rated.some((item) => objects(Object.values(asObject(item.metrics) ?? {})).some(isRounded));
}

const isRounded = ({ quality }: Report): boolean => quality === 'rounded';

/** Returns tracked items sorted by a number, the largest first. Leaves out items without the number. */
function sortedBy(items: readonly Report[], value: (item: Report) => number | null): Report[] {
  const known = items.flatMap((item) => {
    const number = value(item);
    return number === null ? [] : [{ item, number }];
  });
  return known.sort((a, b) => b.number - a.number).map(({ item }) => item);
}
