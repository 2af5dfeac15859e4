import type { CampaignItem, MissedCheck, Observed } from '../../db/campaigns/reports.ts';
import type { Metric } from '../../db/tracking/checks.ts';
import { metricsOf } from '../tracking/metrics.ts';
import { type Gap, type Presence, presenceOf } from './gaps.ts';
import type { Window } from './period.ts';
import { type EndCounts, type Rate, ratesOf } from './rates.ts';
import { isInside, type Measured, type MetricValue, measure } from './values.ts';

/** One item of the report; times are Unix ms. */
export interface ItemReport {
  item_id: string;
  platform: string;
  kind: string;
  url: string;
  name: string | null;
  /** Of the first and the last observation that its numbers rest on; the first may lie before the period. */
  first_observed_at: number | null;
  last_observed_at: number | null;
  status: 'active' | 'paused' | 'identity_changed';
  gaps: Gap[];
  metrics: Partial<Record<Metric, MetricValue>>;
  rates: Rate[];
}

/** An item with its own observations and missed checks, each sorted by time. */
export interface ItemHistory {
  item: CampaignItem;
  observations: readonly Observed[];
  missed: readonly MissedCheck[];
}

/** An item with everything that totals, series and notes need of it. */
export interface MeasuredItem extends ItemHistory {
  label: string;
  measured: ReadonlyMap<Metric, Measured>;
  presence: Presence;
  report: ItemReport;
  /** The metrics that totals may add. */
  adds: ReadonlySet<Metric>;
}

/** Works one item out. */
export function measureItem(history: ItemHistory, window: Window, now: number): MeasuredItem {
  const { item, observations, missed } = history;
  const applicable = metricsOf(item.platform, item.kind, observations);
  const measured = new Map(applicable.map((metric) => [metric, measure(observations, metric, window)]));
  const presence = presenceOf(item, observations, missed, window, now);
  const values = [...measured.values()];
  const times = values.flatMap(({ start_at, end_at }) => [start_at, end_at]).filter((at) => at !== null);
  const inside = observations.filter((one) => isInside(one, window)).map((one) => one.observed_at.getTime());
  const report: ItemReport = {
    item_id: item.item_id,
    platform: item.platform,
    kind: item.kind,
    url: item.url,
    name: item.name,
    first_observed_at: leastOf([...times, ...inside]),
    last_observed_at: greatestOf([...times, ...inside]),
    status: item.identity_changed ? 'identity_changed' : item.status,
    gaps: presence.gaps,
    metrics: Object.fromEntries([...measured].map(([metric, { value }]) => [metric, value])),
    rates: ratesOf(endCounts(item, measured)),
  };
  return { ...history, label: item.name ?? item.url, measured, presence, report, adds: new Set(applicable) };
}

/** The counts of an item at the end of the period. */
export function endCounts(item: CampaignItem, measured: ReadonlyMap<Metric, Measured>): EndCounts {
  const counts = Object.fromEntries([...measured].map(([metric, { value }]) => [metric, value.end]));
  return { platform: item.platform, kind: item.kind, counts };
}

/** Both ends of a metric. */
export interface KnownValue {
  start: number;
  end: number;
  rounded: boolean;
}

/** What an item adds to the total of a metric: nothing (null) unless both ends are known and the address is still the same account's. */
export function countedValue({ item, measured, adds }: MeasuredItem, metric: Metric): KnownValue | null {
  const value = measured.get(metric)?.value;
  if (item.identity_changed || !adds.has(metric) || !value || value.start === null || value.end === null) return null;
  return { start: value.start, end: value.end, rounded: value.quality === 'rounded' };
}

const accounts: ReadonlySet<string> = new Set(['profile', 'channel']);

/** The likes of an account are those of all its posts: beside single posts they are shown, but not added, lest likes count twice. */
export function withoutDoubleLikes(items: readonly MeasuredItem[]): MeasuredItem[] {
  const posts = items.some(({ item, adds }) => !accounts.has(item.kind) && adds.has('likes'));
  return items.map((one) => {
    if (!posts || !accounts.has(one.item.kind)) return one;
    return { ...one, adds: new Set([...one.adds].filter((metric) => metric !== 'likes')) };
  });
}

/** Whether a count of the item begins within the window, so that its change covers less than the period. */
export function startsLate({ measured }: MeasuredItem, window: Window): boolean {
  return [...measured.values()].some(({ start_at }) => start_at !== null && start_at > window.from);
}

const leastOf = (times: number[]) => (times.length > 0 ? Math.min(...times) : null);
const greatestOf = (times: number[]) => (times.length > 0 ? Math.max(...times) : null);

const platforms = ['photo', 'shortvideo', 'longvideo'];

/** By platform, kind, name and id, so that a report does not depend on the order in which items were read. */
export function inOrder(a: MeasuredItem, b: MeasuredItem): number {
  return (
    platforms.indexOf(a.item.platform) - platforms.indexOf(b.item.platform) ||
    compare(a.item.kind, b.item.kind) ||
    compare(a.label, b.label) ||
    compare(a.item.item_id, b.item.item_id)
  );
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
