import { html, raw } from 'hono/html';
import type { CampaignItem } from '../../../db/campaigns/reports.ts';
import { listItems, type TrackedItem } from '../../../db/tracking/items.ts';
import type { TrackingList } from '../../../db/tracking/lists.ts';
import { attachToCampaign, detachFromCampaign } from '../../../pipeline/campaigns/campaigns.ts';
import { recentValues } from '../../../pipeline/tracking/growth.ts';
import type { CampaignPageDeps } from '../deps.ts';
import { itemLink, shownName } from '../reports/figures.ts';
import { itemName, mainMetric } from '../tracking/labels.ts';
import { itemTags, lastCheck } from '../tracking/list.ts';
import type { ItemRow } from '../tracking/rows.ts';
import { changeCell, valueCell } from '../tracking/values.ts';
import { sparkline } from '../ui/charts/sparkline.ts';
import { card, count, type Piece, select } from '../ui/components.ts';
import { at } from '../ui/forms/field-problem.ts';
import { avatar } from '../ui/parts/avatar.ts';
import { type DataColumn, dataTable } from '../ui/parts/data-table.ts';
import { pageOfRows, type SortKey, searchIn, sortRows } from '../ui/parts/sort-rows.ts';
import { kindName } from '../ui/platform-names.ts';
import { whoCan } from '../ui/rules.ts';
import { type FormVisit, idOf, type Page, redirect, type Section, text } from '../ui/section.ts';
import type { Visitor } from '../ui/visitor.ts';
import { attempt } from './forms.ts';
import { readCampaignId, type ShowCampaign } from './request.ts';

const path = '/dashboard/campaigns/:campaign_id';

/** Creates the forms that add tracked items to a campaign and remove them. */
export function campaignItemsSection(deps: CampaignPageDeps, show: ShowCampaign): Section {
  return {
    pages: {},
    forms: {
      [`${path}/attach`]: (visit) => attach(visit, deps, show),
      [`${path}/detach`]: (visit) => detach(visit, deps, show),
    },
    notices: {
      'items-attached': 'Items added. Reports of the current and later weeks include them.',
      'items-detached': 'Items removed from the campaign. They are still tracked, and finished reports keep them.',
    },
  };
}

interface ItemsCard {
  campaign_id: string;
  items: readonly CampaignItem[];
  /** All tracked items of the workspace with their newest numbers. */
  tracked: readonly ItemRow[];
  lists: readonly TrackingList[];
  /** URL of the page, whose query contains the search text and the sort order of the items. */
  url: URL;
  visitor: Visitor;
  now: Date;
}

/** Returns the card with the items of a campaign and the items that can be added. */
export function itemsCard(page: ItemsCard): Piece {
  const { campaign_id, items, tracked, lists, visitor } = page;
  const attached = new Set(items.map(({ item_id }) => item_id));
  const others = tracked.flatMap(({ item }) => (attached.has(item.item_id) ? [] : item));
  const own = tracked.filter(({ item }) => attached.has(item.item_id));
  const attach = `/dashboard/campaigns/${campaign_id}/attach`;
  const none = `This campaign has no items yet, so its reports are empty. ${whoCan(visitor, attach, 'Add items below.', 'add items')}`;
  return card('Items', [
    items.length === 0 ? html`<p>${none}</p>` : attachedTable(own, page),
    others.length === 0
      ? html`<p class="hint">${tracked.length === 0 ? 'Nothing is tracked in this workspace yet.' : 'All tracked items are in this campaign.'} <a data-needs="/dashboard/tracking" href="/dashboard/tracking">Track more accounts</a></p>`
      : html`<details><summary>Add items</summary><form method="post" action="${attach}">${itemChoice(others, lists, new Set())}<button class="quiet">Add items</button></form></details>`,
  ]);
}

const pageSize = 50;
const columns: DataColumn[] = [
  { heading: 'Item', sort: 'name', title: true },
  { heading: 'Newest', number: true, sort: 'newest' },
  { heading: '7 days', number: true, sort: 'week' },
  { heading: '30 days', number: true, sort: 'month' },
  { heading: 'Last 30 days', extra: true },
  { heading: 'Last check', sort: 'checked' },
];
const sortKeys: Record<string, SortKey<ItemRow>> = {
  name: ({ item }) => itemName(item),
  newest: ({ newest }) => newest?.value ?? null,
  week: ({ week }) => week,
  month: ({ month }) => month,
  checked: ({ item }) => item.noted_at?.getTime() ?? null,
};

/** Returns a table of the items of a campaign, by name, with a search and a form for removing selected items. */
function attachedTable(items: readonly ItemRow[], { campaign_id, url, visitor, now }: ItemsCard): Piece {
  const path = `/dashboard/campaigns/${campaign_id}`;
  const searched = searchIn(url);
  const found = items.filter(({ item }) => `${itemName(item)}\n${item.url}`.toLowerCase().includes(searched));
  const sorted = sortRows(found, url.searchParams.get('sort') ?? 'name', sortKeys);
  const page = pageOfRows(sorted, new URL(path + url.search, url), pageSize);
  return dataTable({
    ...{ id: 'campaign-items', caption: 'Items of this campaign', columns, url: page.url },
    ...{ total: found.length, page_size: pageSize },
    rows: page.rows.map((row) => ({ id: row.item.item_id, label: itemName(row.item), cells: cellsOf(row, now) })),
    search: 'Search items',
    // The disabled button is the first of the form, so that pressing Enter in a check box does not send the form.
    bulk: {
      action: `${path}/detach`,
      buttons: html`<button disabled hidden></button><button class="quiet">Take selected items out of the campaign</button>`,
      visitor,
    },
    facts: html`<p class="hint">Showing ${count(found.length)} of ${count(items.length)} items.</p>`,
    empty: html`<p>No items match this search. <a href="${path}">Show all items</a></p>`,
  });
}

function cellsOf(row: ItemRow, now: Date): Piece[] {
  const { item, newest, series } = row;
  const state = item.status === 'paused' || item.identity_changed ? html`<br>${itemTags(item)}` : null;
  const name = html`<a class="item" href="/dashboard/tracking/${item.item_id}">${shownName(itemName(item))}</a>`;
  const kind = html`<span class="hint">${itemLink({ name: kindName(item), url: item.url })}</span>`;
  return [
    html`<div class="who">${avatar(itemName(item))}<span>${name}<br>${kind}${state}</span></div>`,
    valueCell(newest, mainMetric(item), item.platform),
    changeCell(row, 7, now),
    changeCell(row, 30, now),
    sparkline(recentValues(series, now)),
    lastCheck(item, now),
  ];
}

/**
 * Returns a searchable list of checkboxes, one for each tracked item, and a select field for adding a whole tracking
 * list.
 */
export function itemChoice(
  items: readonly TrackedItem[],
  lists: readonly TrackingList[],
  chosen: ReadonlySet<string>,
): Piece {
  const choices: [string, string][] = [
    ['', 'No list'],
    ...lists.map(({ list_id, name, items: inside }): [string, string] => [list_id, `${name} (${inside})`]),
  ];
  return html`${lists.length > 0 ? select('Whole list', 'list', choices, { hint: 'Adds everything that is in this list today, and what you select below. Later additions to the list are not included.' }) : null}
<fieldset class="choice" data-filtered><legend>Items</legend><input type="search" data-filter placeholder="Search" aria-label="Search the items below" hidden>${sortRows(
    items,
    'name',
    { name: itemName },
  ).map(
    (item) =>
      html`<label class="check"><input type="checkbox" name="items" value="${item.item_id}"${raw(chosen.has(item.item_id) ? ' checked' : '')}><span>${shownName(itemName(item))} <small class="hint">${kindName(item)}</small></span></label>`,
  )}</fieldset>`;
}

/** The reason why a form is refused when one of its selected items no longer exists. */
export const removedItem = at(
  'items',
  'An item that you selected was removed. Check your selection and send the form again.',
);

/** Returns the ids of the items that are selected in a form. */
export function chosenItems(form: FormData): string[] {
  return [...form.getAll('items'), ...form.getAll('id')].filter((id) => typeof id === 'string');
}

/**
 * Returns the ids of the items that are selected in a form, together with the items of the tracking list that is chosen
 * there.
 */
export async function itemsIn({ form, visitor }: FormVisit, { db }: Pick<CampaignPageDeps, 'db'>): Promise<string[]> {
  const list = text(form, 'list');
  const ofList = list === '' ? [] : await listItems(db.sql, visitor.workspace_id, idOf(list));
  return [...new Set([...chosenItems(form), ...ofList.map(({ item_id }) => item_id)])];
}

async function attach(visit: FormVisit, { db }: CampaignPageDeps, show: ShowCampaign): Promise<Page | Response> {
  const campaignId = readCampaignId(visit.params);
  const ids = await itemsIn(visit, { db });
  if (ids.length === 0) return show(visit, { problem: at('items', 'Select the items to add, or a list with items.') });
  const problem = await attempt(
    () => attachToCampaign(db.sql, visit.visitor.workspace_id, campaignId, ids),
    removedItem,
  );
  return problem === null ? redirect(`/dashboard/campaigns/${campaignId}`, 'items-attached') : show(visit, { problem });
}

async function detach(visit: FormVisit, { db }: CampaignPageDeps, show: ShowCampaign): Promise<Page | Response> {
  const campaignId = readCampaignId(visit.params);
  const ids = chosenItems(visit.form);
  if (ids.length === 0) return show(visit, { problem: 'Select the items to remove.' });
  const problem = await attempt(() => detachFromCampaign(db.sql, visit.visitor.workspace_id, campaignId, ids));
  return problem === null ? redirect(`/dashboard/campaigns/${campaignId}`, 'items-detached') : show(visit, { problem });
}
