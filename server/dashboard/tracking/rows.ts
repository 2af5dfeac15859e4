import type { TrackingList } from '../../../db/tracking/lists.ts';
import { type ItemSeries, lastObservations, recentSeries } from '../../../db/tracking/recent-history.ts';
import { type NotedItem, notedItems } from '../../../db/tracking/tracked-pages.ts';
import { historyStart } from '../../../pipeline/report/period.ts';
import { tiers } from '../../../pipeline/tiers.ts';
import { changeWithin, seriesStart } from '../../../pipeline/tracking/growth.ts';
import type { TrackingPageDeps } from '../deps.ts';
import { idOf, PageNotFound } from '../ui/section.ts';
import type { Visitor } from '../ui/visitor.ts';
import { itemName, mainMetric } from './labels.ts';

export const states = [
  ['', 'All states'],
  ['active', 'Active'],
  ['paused', 'Paused'],
  ['failing', 'Last check failed'],
  ['changed', 'Handle has a new owner'],
  ['never', 'No data yet'],
] as const;

/** The newest observation of a tracked item, with the value of its main metric, such as followers. */
export interface Newest {
  observed_at: Date;
  value: number | null;
  /** Bits that say which numbers are rounded or hidden. See `Observed`. */
  quality: number;
}

/** A tracked item with its recent numbers. */
export interface ItemRow {
  item: NotedItem;
  newest: Newest | undefined;
  /** The values of the item's main metric in the last days. */
  series: ItemSeries;
  week: number | null;
  month: number | null;
}

/**
 * Returns all tracked items of a workspace with their newest numbers and the changes of these numbers. The oldest item
 * comes first.
 */
export async function readItemRows(
  { workspace_id, tier }: Pick<Visitor, 'workspace_id' | 'tier'>,
  { db, now }: Pick<TrackingPageDeps, 'db' | 'now'>,
): Promise<ItemRow[]> {
  const moment = now();
  const { history_days } = tiers[tier];
  const items = await notedItems(db.sql, workspace_id);
  const wanted = items.map((item) => ({ item_id: item.item_id, metric: mainMetric(item) }));
  const recent = await recentSeries(db.sql, workspace_id, wanted, seriesStart(history_days, moment));
  const series = new Map(recent.map((one) => [one.item_id, one]));
  // Items without a recent observation, such as items that were paused for weeks, get their last observation from
  // before the series.
  const checked = items.filter(({ item_id, last_attempt_at }) => last_attempt_at !== null && !series.has(item_id));
  const ids = checked.map(({ item_id }) => item_id);
  const from = new Date(historyStart(moment.getTime(), history_days));
  const older = new Map((await lastObservations(db.sql, workspace_id, ids, from)).map((one) => [one.item_id, one]));
  return items.map((item) => {
    const own = series.get(item.item_id) ?? { item_id: item.item_id, moments: [], values: [], qualities: [] };
    const last = older.get(item.item_id);
    const newest = last ? { ...last, value: last[mainMetric(item)] } : newestOf(own, from);
    return { item, newest, series: own, week: changeWithin(own, 7, moment), month: changeWithin(own, 30, moment) };
  });
}

/** Returns the newest observation of a series, or undefined when it is from before `from`. */
function newestOf({ moments, values, qualities }: ItemSeries, from: Date): Newest | undefined {
  const at = moments.at(-1);
  return at === undefined || at < from.getTime()
    ? undefined
    : { observed_at: new Date(at), value: values.at(-1) ?? null, quality: qualities.at(-1) ?? 0 };
}

/**
 * Decides which tracked items the page shows, and in which order. The page's URL contains the filter, so that
 * submitting a form or reloading the page keeps the filter.
 */
export interface Filter {
  q: string;
  platform: string;
  list: string | null;
  state: string;
  /** Name of the column to sort by, such as `week`. With a minus, as in `-week`, the largest value comes first. */
  sort: string;
}

/**
 * Returns the filter for tracked items in the page's URL. Throws PageNotFound for a list that the workspace does not
 * have.
 */
export function itemFilterIn({ searchParams }: URL, lists: readonly TrackingList[]): Filter {
  const requested = searchParams.get('list');
  const list = requested ? idOf(requested) : null;
  if (list !== null && !lists.some(({ list_id }) => list_id === list)) throw new PageNotFound();
  return {
    q: (searchParams.get('q') ?? '').trim().slice(0, 200).toLowerCase(),
    platform: searchParams.get('platform') ?? '',
    list,
    state: states.find(([name]) => name === searchParams.get('state'))?.[0] ?? '',
    sort: searchParams.get('sort') ?? '',
  };
}

/**
 * Returns the tracked items that match the filter, sorted as the filter says. Items without the value to sort by come
 * last.
 */
export function shownItems(rows: readonly ItemRow[], filter: Filter): ItemRow[] {
  const found = rows.filter((row) => isShown(row, filter));
  const [name, direction] = filter.sort.startsWith('-') ? [filter.sort.slice(1), -1] : [filter.sort, 1];
  const keyOf = sortKeys[name];
  if (!keyOf) return found;
  return found.sort((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    if (typeof left === 'string') return direction * left.localeCompare(String(right), 'en');
    return direction * (left - Number(right));
  });
}

const sortKeys: Readonly<Record<string, (row: ItemRow) => string | number | null>> = Object.assign(
  Object.create(null),
  {
    name: ({ item }: ItemRow) => itemName(item).toLowerCase(),
    newest: ({ newest }: ItemRow) => newest?.value ?? null,
    week: ({ week }: ItemRow) => week,
    month: ({ month }: ItemRow) => month,
    checked: ({ item }: ItemRow) => item.noted_at?.getTime() ?? null,
  },
);

function isShown({ item, newest }: ItemRow, { q, platform, list, state }: Filter): boolean {
  if (list !== null && item.list_id !== list) return false;
  if (platform !== '' && item.platform !== platform) return false;
  if (![item.name, item.identifier, item.url].some((text) => text?.toLowerCase().includes(q))) return false;
  if (state === 'failing') return item.outcome !== null && item.outcome !== 'OK';
  if (state === 'changed') return item.identity_changed;
  if (state === 'never') return newest === undefined;
  return state === '' || item.status === state;
}
