import type { CampaignItem, MissedCheck } from '../../db/campaigns/reports.ts';
import type { Observed } from '../../db/observations/observed.ts';
import type { Metric } from '../../db/schema/metrics.ts';
import { platforms } from '../rows/profile-address.ts';
import { metricsOf } from '../tracking/metrics.ts';
import { type Gap, type Presence, presenceOf } from './gaps.ts';
import type { Window } from './period.ts';
import { type EndCounts, type Rate, ratesOf } from './rates.ts';
import { isInside, type Measured, type MetricValue, measure } from './values.ts';

/** One account, post or video as a campaign report shows it. Times are Unix ms. */
export interface ItemReport {
  item_id: string;
  platform: string;
  kind: string;
  url: string;
  name: string | null;
  /**
   * Times of the oldest (`first_…`) and the newest (`last_…`) observation from which this item's numbers are computed.
   * The oldest may be before the period.
   */
  first_observed_at: number | null;
  last_observed_at: number | null;
  status: 'active' | 'paused' | 'identity_changed';
  gaps: Gap[];
  metrics: Partial<Record<Metric, MetricValue>>;
  rates: Rate[];
}

/**
 * An item of a campaign with its observed numbers, and with the checks that failed or were skipped (`missed`). Both
 * lists are sorted by time.
 */
interface ItemHistory {
  item: CampaignItem;
  observations: readonly Observed[];
  missed: readonly MissedCheck[];
}

/** An item of a campaign with the values from which the report's totals, charts and notes are computed. */
export interface MeasuredItem extends ItemHistory {
  label: string;
  measured: ReadonlyMap<Metric, Measured>;
  presence: Presence;
  report: ItemReport;
  /**
   * The metrics of this item that are added to the report's totals. An account's `likes` are left out when the report
   * also counts the likes of posts, because an account's likes include those of its posts.
   */
  adds: ReadonlySet<Metric>;
}

/** Computes the values of one item (account, post or video) for the report's period `window`. */
export function measureItem(history: ItemHistory, window: Window, now: number): MeasuredItem {
  const { item, observations, missed } = history;
  const applicable = metricsOf(item.platform, item.kind, observations);
  const measured = new Map(applicable.map((metric) => [metric, measure(observations, metric, window)]));
  const presence = presenceOf(item, observations, missed, window, now);
  const values = [...measured.values()];
  const times = values.flatMap(({ start_at, end_at }) => [start_at, end_at]).filter((at) => at !== null);
  const inside = observations.filter((row) => isInside(row, window)).map((row) => row.observed_at.getTime());
  const report: ItemReport = {
    item_id: item.item_id,
    platform: item.platform,
    kind: item.kind,
    url: item.url,
    name: item.name,
    first_observed_at: earliestOf([...times, ...inside]),
    last_observed_at: latestOf([...times, ...inside]),
    status: item.identity_changed ? 'identity_changed' : item.status,
    gaps: presence.gaps,
    metrics: Object.fromEntries([...measured].map(([metric, { value }]) => [metric, value])),
    rates: ratesOf(endCounts(item, measured)),
  };
  return { ...history, label: item.name ?? item.url, measured, presence, report, adds: new Set(applicable) };
}

/** Returns the counts (likes, views, ...) of an item at the end of the report's period. */
export function endCounts(item: CampaignItem, measured: ReadonlyMap<Metric, Measured>): EndCounts {
  const counts = Object.fromEntries([...measured].map(([metric, { value }]) => [metric, value.end]));
  return { platform: item.platform, kind: item.kind, counts };
}

/**
 * The values of a metric at the start and the end of the report's period. This type is used only when both values are
 * known.
 */
interface KnownValue {
  start: number;
  end: number;
  rounded: boolean;
}

/**
 * Returns the values that an item adds to the total of a metric. Returns null when the value at the start or the end of
 * the period is unknown, or when the item's URL now belongs to another account.
 */
export function countedValue({ item, measured, adds }: MeasuredItem, metric: Metric): KnownValue | null {
  const value = measured.get(metric)?.value;
  if (item.identity_changed || !adds.has(metric) || !value || value.start === null || value.end === null) return null;
  return { start: value.start, end: value.end, rounded: value.quality === 'rounded' };
}

const accounts: ReadonlySet<string> = new Set(['profile', 'channel']);

/**
 * Returns true when the totals of a report leave out the likes of accounts. This is so when the report counts the likes
 * of posts: an account's likes include those of its posts, which would count twice.
 */
export function leavesOutAccountLikes(items: readonly Pick<ItemReport, 'kind' | 'metrics'>[]): boolean {
  return items.some(({ kind, metrics }) => !accounts.has(kind) && metrics.likes !== undefined);
}

/**
 * Returns true when the metric is the likes of an account. No total counts these likes when
 * {@link leavesOutAccountLikes} is true.
 */
export function isLikesOfAccount(kind: string, metric: Metric): boolean {
  return metric === 'likes' && accounts.has(kind);
}

/** Removes the likes of accounts from the totals of a report that also counts the likes of posts. */
export function withoutDoubleLikes(items: readonly MeasuredItem[]): MeasuredItem[] {
  if (!leavesOutAccountLikes(items.map(({ report }) => report))) return [...items];
  return items.map((entry) => ({
    ...entry,
    adds: new Set([...entry.adds].filter((metric) => !isLikesOfAccount(entry.item.kind, metric))),
  }));
}

/**
 * Returns true when one of the item's metrics has its first known count after the start of the report's period. The
 * report's change then covers only a part of the period.
 */
export function startsLate({ measured }: MeasuredItem, window: Window): boolean {
  return [...measured.values()].some(({ start_at }) => start_at !== null && start_at > window.from);
}

const earliestOf = (times: number[]) => (times.length > 0 ? Math.min(...times) : null);
const latestOf = (times: number[]) => (times.length > 0 ? Math.max(...times) : null);

const platformOrder: readonly string[] = platforms;

/**
 * Compares items for sorting, by platform, kind, name and ID. A report therefore does not depend on the order in which
 * the database returns items.
 */
export function compareItems(a: MeasuredItem, b: MeasuredItem): number {
  return (
    platformOrder.indexOf(a.item.platform) - platformOrder.indexOf(b.item.platform) ||
    compare(a.item.kind, b.item.kind) ||
    compare(a.label, b.label) ||
    compare(a.item.item_id, b.item.item_id)
  );
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
