import { html } from 'hono/html';
import { dayOf } from '../../../db/calendar.ts';
import type { Observed } from '../../../db/observations/observed.ts';
import type { Metric } from '../../../db/schema/metrics.ts';
import type { NotedItem } from '../../../db/tracking/tracked-pages.ts';
import { qualityOf } from '../../../pipeline/tracking/metrics.ts';
import { icon } from '../../design/icons.ts';
import type { ChartPoint } from '../ui/chart.ts';
import { type Piece, select } from '../ui/components.ts';
import { platformNames } from '../ui/platform-names.ts';
import { itemName } from './labels.ts';
import { keptParameters } from './range.ts';
import { qualityText } from './values.ts';

/** Maximum number of items that can be compared with the page's own item, because a chart has four colors. */
export const maxCompared = 3;

/** A tracked item whose numbers are drawn in the same chart as those of the page's item. */
export interface Compared {
  item: NotedItem;
  observations: readonly Observed[];
}

/**
 * Returns the items for a comparison that the page's URL names, in the order of the URL. Leaves out items that the
 * workspace does not have.
 */
export function comparedIn({ searchParams }: URL, items: readonly NotedItem[], ownId: string): NotedItem[] {
  const ids = [...new Set(searchParams.getAll('with'))].filter((id) => id !== ownId);
  const found = ids.flatMap((id) => items.filter(({ item_id }) => item_id === id));
  return found.slice(0, maxCompared);
}

/**
 * Returns the path of the first item's page. The query of the path names the other items, which the page compares with
 * the first.
 */
export function comparisonPath(ids: readonly string[]): string {
  const [first, ...others] = ids;
  return `/dashboard/tracking/${first}?${new URLSearchParams(others.map((id): [string, string] => ['with', id]))}`;
}

/** Returns the days on which any of the compared items has an observation. */
export function comparedDays(compared: readonly Compared[]): string[] {
  return compared.flatMap(({ observations }) => observations.map((one) => dayOf(one.observed_at.getTime())));
}

/**
 * Returns the points of a compared item for a chart, one for each of the days. A day without an observation has the
 * value null.
 */
export function comparedPoints({ observations }: Compared, metric: Metric, days: readonly string[]): ChartPoint[] {
  const seen = new Map(observations.map((one) => [dayOf(one.observed_at.getTime()), one]));
  return days.map((label): ChartPoint => {
    const observation = seen.get(label);
    if (!observation) return { label, value: null, note: 'no data' };
    const value = observation[metric];
    if (value === null) return { label, value, note: qualityText(value, observation, metric) };
    return { label, value, rounded: qualityOf(observation, metric) === 'rounded' };
  });
}

/** Returns the items of a comparison, each with a link for removing the item, and a form for adding another one. */
export function comparisonForm(
  url: URL,
  item: NotedItem,
  compared: readonly Compared[],
  items: readonly NotedItem[],
): Piece {
  const ids = new Set([item.item_id, ...compared.map((one) => one.item.item_id)]);
  const others = items.filter(({ item_id }) => !ids.has(item_id));
  const chips = compared.map(
    (one) =>
      html`<li><a href="/dashboard/tracking/${one.item.item_id}"><bdi>${itemName(one.item)}</bdi></a> <a href="${without(url, one.item.item_id)}" class="icon-only" aria-label="Do not compare with ${itemName(one.item)}">${icon('x')}</a></li>`,
  );
  const isFull = compared.length >= maxCompared;
  const add = html`<form method="get" action="${url.pathname}" class="row">${keptParameters(url, [])}${select('Compare with', 'with', [['', 'Choose an item'], ...choicesOf(item, others)])}<button class="quiet">Compare</button></form>`;
  const hint = html`<p class="hint">A chart compares at most ${maxCompared + 1} items. Remove one to add another.</p>`;
  return html`<div class="compare">${chips.length > 0 ? html`<ul class="chips" aria-label="Compared with">${chips}</ul>` : null}${isFull ? hint : others.length > 0 ? add : null}</div>`;
}

/**
 * Returns the items that can be added to a comparison, by name. Items of the same platform and kind come first, because
 * they have the same metrics.
 */
function choicesOf(item: NotedItem, others: readonly NotedItem[]): [string, string][] {
  const isAlike = (other: NotedItem) => other.platform === item.platform && other.kind === item.kind;
  const sorted = others.toSorted(
    (a, b) => Number(isAlike(b)) - Number(isAlike(a)) || itemName(a).localeCompare(itemName(b), 'en'),
  );
  return sorted.map((other) => [
    other.item_id,
    `${itemName(other)} (${platformNames[other.platform] ?? other.platform})`,
  ]);
}

function without(url: URL, itemId: string): string {
  const params = new URLSearchParams(
    [...url.searchParams].filter(([name, value]) => name !== 'with' || value !== itemId),
  );
  return params.size > 0 ? `${url.pathname}?${params}` : url.pathname;
}
