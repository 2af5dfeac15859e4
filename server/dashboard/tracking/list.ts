import { html } from 'hono/html';
import { type Campaign, listCampaigns } from '../../../db/campaigns/campaigns.ts';
import { itemsWithPicture } from '../../../db/media/pictures.ts';
import { listLists, type TrackingList } from '../../../db/tracking/lists.ts';
import type { NotedItem } from '../../../db/tracking/tracked-pages.ts';
import { tiers } from '../../../pipeline/tiers.ts';
import { recentValues } from '../../../pipeline/tracking/growth.ts';
import type { TrackingPageDeps } from '../deps.ts';
import { sparkline } from '../ui/charts/sparkline.ts';
import { count, notice, type Piece, select, tag } from '../ui/components.ts';
import type { Problem } from '../ui/forms/field-problem.ts';
import { avatar } from '../ui/parts/avatar.ts';
import { opener } from '../ui/parts/blocks.ts';
import { type DataColumn, dataTable } from '../ui/parts/data-table.ts';
import { ago, until } from '../ui/parts/numbers.ts';
import { kindName, platformNames } from '../ui/platform-names.ts';
import { may, whoCan } from '../ui/rules.ts';
import type { Page, Visit } from '../ui/section.ts';
import { addForm, listChoices } from './add.ts';
import { itemName, mainMetric, nextCheck, outcomeLabel } from './labels.ts';
import { removalsPiece } from './removals.ts';
import { type Filter, type ItemRow, itemFilterIn, readItemRows, shownItems, states } from './rows.ts';
import { changeCell, valueCell } from './values.ts';

export const trackingPath = '/dashboard/tracking';
const pageSize = 50;

/** Returns the page that lists the tracked items of a workspace with their newest numbers and changes. */
export async function trackingPage(
  visit: Visit,
  deps: TrackingPageDeps,
  problem: Problem | null = null,
): Promise<Page> {
  const { visitor, url } = visit;
  const { workspace_id, tier } = visitor;
  const { sql } = deps.db;
  const [all, lists, campaigns, removals] = await Promise.all([
    readItemRows(visitor, deps),
    listLists(sql, workspace_id),
    listCampaigns(sql, workspace_id),
    removalsPiece(visitor, deps),
  ]);
  const filter = itemFilterIn(url, lists);
  const found = shownItems(all, filter);
  const first = (pageIn(url, found.length) - 1) * pageSize;
  const rows = found.slice(first, first + pageSize);
  const ids = rows.map(({ item }) => item.item_id);
  const pictured = await itemsWithPicture(deps.db.sql, workspace_id, ids);
  const pictureOf = (itemId: string) =>
    pictured.has(itemId) ? deps.media.itemPictureAddress({ workspace_id, item_id: itemId }) : null;
  const add = addForm({ visitor, used: all.length, lists, list_id: filter.list });
  const open = campaigns.filter(({ status }) => status !== 'archived');
  const shown = {
    rows,
    total: found.length,
    all,
    lists,
    campaigns: open,
    filter,
    url,
    visit,
    pictureOf,
    now: deps.now(),
  };
  const mayAdd = may(visitor, 'POST', trackingPath);
  const addPart = opener(
    `Track accounts and posts (${all.length} of ${tiers[tier].tracked_items} used)`,
    add,
    all.length === 0,
  );
  const start = 'Paste a profile link above. Each check adds a point to its chart.';
  const none = `Nothing is tracked in this workspace yet. ${whoCan(visitor, trackingPath, start, 'track accounts and posts')}`;
  const content = html`${notice(problem, 'bad')}${removals}${mayAdd ? addPart : null}
${all.length === 0 ? html`<p>${none}</p>` : itemTable(shown)}`;
  return { title: 'Tracking', content, status: problem ? 400 : 200 };
}

/** Returns the page number in the URL, limited to the last page. */
function pageIn({ searchParams }: URL, total: number): number {
  const requested = Math.trunc(Number(searchParams.get('page'))) || 1;
  return Math.min(Math.max(1, requested), Math.max(1, Math.ceil(total / pageSize)));
}

interface Shown {
  rows: readonly ItemRow[];
  /** Number of rows on all pages. */
  total: number;
  all: readonly ItemRow[];
  lists: readonly TrackingList[];
  campaigns: readonly Pick<Campaign, 'campaign_id' | 'name'>[];
  filter: Filter;
  url: URL;
  visit: Visit;
  pictureOf(itemId: string): string | null;
  now: Date;
}

const columns: DataColumn[] = [
  { heading: 'Item', sort: 'name', title: true },
  { heading: 'Newest', number: true, sort: 'newest' },
  { heading: '7 days', number: true, sort: 'week' },
  { heading: '30 days', number: true, sort: 'month' },
  { heading: 'Last 30 days', extra: true },
  { heading: 'Last check', sort: 'checked' },
  { heading: 'Next check' },
];

function itemTable(shown: Shown): Piece {
  const { rows, total, all, lists, visit, now, url } = shown;
  const names = new Map(lists.map(({ list_id, name }) => [list_id, name]));
  const address = new URL(trackingPath + url.search, url);
  address.searchParams.set('page', String(pageIn(url, total)));
  return dataTable({
    ...{ id: 'items', caption: 'Tracked items', columns, url: address, total, page_size: pageSize },
    rows: rows.map((row) => {
      const { item, newest, series } = row;
      const cells = [
        itemCell(item, names.get(item.list_id ?? ''), shown.pictureOf(item.item_id)),
        valueCell(newest, mainMetric(item), item.platform),
        changeCell(row, 7, now),
        changeCell(row, 30, now),
        sparkline(recentValues(series, now)),
        lastCheck(item, now),
        nextCell(item, visit.visitor.tier, now),
      ];
      return { id: item.item_id, label: itemName(item), cells };
    }),
    filters: filters(shown),
    search: 'Search items',
    bulk: {
      action: `${trackingPath}/change${address.search}`,
      buttons: bulkButtons(shown),
      visitor: visit.visitor,
    },
    facts: html`<p class="hint">Showing ${total} of ${all.length} items. Times in UTC. <a href="${trackingPath}/lists">Manage lists</a></p>`,
    empty: html`<p>No items match this filter. <a href="${trackingPath}">Show all items</a></p>`,
  });
}

function filters({ all, lists, filter }: Shown): Piece {
  const platforms = [...new Set(all.map(({ item }) => item.platform))].sort();
  const named = platforms.map((code): [string, string] => [code, platformNames[code] ?? code]);
  const list = select('List', 'list', [['', 'All lists'], ...listChoices(lists).slice(1)], {
    value: filter.list ?? '',
  });
  return html`${select('Platform', 'platform', [['', 'All platforms'], ...named], { value: filter.platform })}${lists.length > 0 ? list : null}${select('Status', 'state', states, { value: filter.state })}`;
}

function bulkButtons({ lists, campaigns, rows, total }: Shown): Piece {
  const scopes: [string, string][] = [
    ['selected', 'Selected items'],
    ['shown', `All ${count(total)} that match`],
  ];
  const move = html`${select('List', 'to', listChoices(lists))}<button name="act" value="move" class="quiet">Move to list</button>`;
  const campaignChoices = [['', 'Choose a campaign'], ...campaigns.map(({ campaign_id, name }) => [campaign_id, name])];
  const campaign = html`${select('Campaign', 'campaign', campaignChoices as [string, string][])}<button name="act" value="campaign" class="quiet">Add to campaign</button>`;
  // The disabled button is the first of the form, so that pressing Enter in a check box does not send the form.
  return html`<button disabled hidden></button>${total > rows.length ? select('Apply to', 'scope', scopes) : null}
<button name="act" value="check" class="quiet">Check now…</button><button name="act" value="compare" class="quiet">Compare</button><button name="act" value="paused" class="quiet">Pause</button><button name="act" value="active" class="quiet">Resume</button>${lists.length > 0 ? move : null}${campaigns.length > 0 ? campaign : null}<button name="act" value="csv" class="quiet" data-download>Export CSV</button><button name="act" value="xlsx" class="quiet" data-download>Export Excel</button><button name="act" value="remove" class="danger">Remove</button>`;
}

function itemCell(item: NotedItem, list: string | undefined, picture: string | null): Piece {
  const about = [kindName(item), ...(list ? [list] : [])].join(' · ');
  const state = item.status === 'paused' || item.identity_changed ? html`<br>${itemTags(item)}` : null;
  return html`<div class="who">${avatar(itemName(item), picture)}<span><a class="item" href="${trackingPath}/${item.item_id}">${itemName(item)}</a><br><span class="hint">${about}</span>${state}</span></div>`;
}

/** Returns a table cell with the time of the last check of a tracked item, and the reason when the check failed. */
export function lastCheck({ noted_at, outcome }: NotedItem, now: Date): Piece {
  if (noted_at === null || outcome === null) return 'not checked yet';
  return html`<div>${ago(noted_at, now)}${outcome === 'OK' ? null : html`<br><span class="error">${outcomeLabel(outcome)}</span>`}</div>`;
}

/** Returns a table cell with the time of the next automatic check of a tracked item. */
function nextCell(item: NotedItem, tier: Visit['visitor']['tier'], now: Date): Piece {
  if (item.attempt_id !== null) return 'running';
  if (item.status === 'paused') return 'paused';
  const due = nextCheck(item, tier, now);
  return due ? until(due, now) : 'manual';
}

/**
 * Returns the labels for the state of a tracked item: active or paused, and a warning when the item's address now
 * belongs to another account.
 */
export function itemTags({ status, identity_changed }: Pick<NotedItem, 'status' | 'identity_changed'>): Piece {
  const state = status === 'paused' ? tag('paused', 'warn') : tag('active', 'good');
  return identity_changed ? html`${state} ${tag('other account', 'bad')}` : state;
}
