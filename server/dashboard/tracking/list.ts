import { html, raw } from 'hono/html';
import type { Observed } from '../../../db/campaigns/reports.ts';
import { listLists, type TrackingList } from '../../../db/tracking/items.ts';
import { type NotedItem, newestObservations, notedItems } from '../../../db/tracking/tracked-pages.ts';
import { dayMs } from '../../../pipeline/report/period.ts';
import { tiers } from '../../../pipeline/tiers.ts';
import type { TrackingDeps } from '../deps.ts';
import { type Piece, select, table, tag, time } from '../ui/components.ts';
import { kindName } from '../ui/platform-names.ts';
import { idOf, type Page, PageNotFound, type Visit } from '../ui/section.ts';
import type { Visitor } from '../ui/visitor.ts';
import { addForm, listChoices } from './add.ts';
import { formatWait, itemName, mainMetric, nextCheck, nextFreeCheck, outcomeLabel } from './labels.ts';
import { changeCell, valueCell } from './values.ts';

const states = [
  ['', 'all'],
  ['active', 'active'],
  ['paused', 'paused'],
  ['failing', 'last check failed'],
  ['changed', 'now another account'],
  ['never', 'no data yet'],
] as const;
type State = (typeof states)[number][0];

interface Row {
  item: NotedItem;
  /** The two newest observations, newest first. */
  seen: readonly Observed[];
}

/** Returns the page that lists the tracked items of a workspace with their newest numbers. */
export async function trackingPage({ visitor, url }: Visit, { db, now }: TrackingDeps): Promise<Page> {
  const { workspace_id, tier } = visitor;
  const moment = now();
  const from = new Date(moment.getTime() - tiers[tier].history_days * dayMs);
  const [items, observations, lists] = await Promise.all([
    notedItems(db.sql, workspace_id),
    newestObservations(db.sql, workspace_id, from, moment),
    listLists(db.sql, workspace_id),
  ]);
  const filter = filterIn(url, lists);
  const seen = Map.groupBy(observations, ({ item_id }) => item_id);
  const rows = items
    .map((item) => ({ item, seen: seen.get(item.item_id) ?? [] }))
    .filter((row) => isShown(row, filter));
  const add = addForm({ visitor, used: items.length, lists, list_id: filter.list });
  const content = html`<details class="card"${raw(items.length === 0 ? ' open' : '')}><summary>Track accounts and posts (${items.length} of ${tiers[tier].tracked_items} used)</summary>${add}</details>
${items.length === 0 ? html`<p>You are not tracking anything yet. Paste a profile link above. Each check adds a point to its chart.</p>` : tracked(rows, { items, lists, filter, visitor, now: moment })}`;
  return { title: 'Tracking', content };
}

interface Filter {
  list: string | null;
  state: State;
}

function filterIn({ searchParams }: URL, lists: readonly TrackingList[]): Filter {
  const requested = searchParams.get('list');
  const list = requested ? idOf(requested) : null;
  if (list !== null && !lists.some(({ list_id }) => list_id === list)) throw new PageNotFound();
  const state = states.find(([name]) => name === searchParams.get('state'))?.[0] ?? '';
  return { list, state };
}

function isShown({ item, seen }: Row, { list, state }: Filter): boolean {
  if (list !== null && item.list_id !== list) return false;
  if (state === 'failing') return item.outcome !== null && item.outcome !== 'OK';
  if (state === 'changed') return item.identity_changed;
  if (state === 'never') return seen.length === 0;
  return state === '' || item.status === state;
}

interface Shown {
  items: readonly NotedItem[];
  lists: readonly TrackingList[];
  filter: Filter;
  visitor: Visitor;
  now: Date;
}

function tracked(rows: readonly Row[], shown: Shown): Piece {
  const { items, lists, filter } = shown;
  const list =
    lists.length > 0
      ? select('List', 'list', [['', 'all lists'], ...listChoices(lists).slice(1)], { value: filter.list ?? '' })
      : null;
  const state = select('Status', 'state', states, { value: filter.state });
  const actions = [
    ['paused', 'Pause'],
    ['active', 'Resume'],
    ...(lists.length > 0
      ? listChoices(lists).map(([id, name]) => [`list:${id}`, id ? `Move to ${name}` : 'Remove from list'] as const)
      : []),
  ] as const;
  const tableForm = html`<form method="post" action="/dashboard/tracking/change">${itemTable(rows, shown)}
<div class="row">${select('With selected items', 'action', actions)}<button class="quiet">Apply</button></div></form>`;
  return html`<form method="get" class="row filter">${list}${state}<button class="quiet">Show</button></form>
<p class="hint">Showing ${rows.length} of ${items.length} items. Times in UTC. <a href="/dashboard/tracking/lists">Manage lists</a></p>
${rows.length > 0 ? tableForm : html`<p>No items match this filter.</p>`}`;
}

function itemTable(rows: readonly Row[], { lists, visitor, now }: Shown): Piece {
  const names = new Map(lists.map(({ list_id, name }) => [list_id, name]));
  const columns = [
    'Select',
    'Item',
    { heading: 'Newest', number: true },
    { heading: 'Change', number: true },
    'Last check',
    'Next check',
  ];
  const cells = rows.map(({ item, seen }) => {
    const metric = mainMetric(item);
    return [
      html`<input type="checkbox" name="item" value="${item.item_id}" aria-label="Select ${itemName(item)}">`,
      itemCell(item, names.get(item.list_id ?? '')),
      valueCell(seen[0], metric),
      changeCell(seen, metric),
      lastCheck(item),
      nextCell(item, visitor, now),
    ];
  });
  return table('Tracked items', columns, cells);
}

function itemCell(item: NotedItem, list: string | undefined): Piece {
  const about = [kindName(item), ...(list ? [list] : [])].join(' · ');
  const state = item.status === 'paused' || item.identity_changed ? html`<br>${stateTag(item)}` : null;
  return html`<a class="item" href="/dashboard/tracking/${item.item_id}">${itemName(item)}</a><br><span class="hint">${about}</span>${state}`;
}

function lastCheck({ noted_at, outcome }: NotedItem): Piece {
  if (noted_at === null || outcome === null) return 'not checked yet';
  return html`${time(noted_at)}<br><span class="${raw(outcome === 'OK' ? 'hint' : 'error')}">${outcomeLabel(outcome)}</span>`;
}

/** Returns a table cell with the time of the next automatic check. It has a button when the item can be checked now. */
function nextCell(item: NotedItem, { tier }: Visitor, now: Date): Piece {
  if (item.attempt_id !== null) return 'running';
  if (item.status === 'paused') return 'paused';
  const due = nextCheck(item, tier, now);
  const freeAt = nextFreeCheck(item, now);
  const button = html`<button class="quiet small" formaction="/dashboard/tracking/${item.item_id}/check">Check now<span class="hidden">: ${itemName(item)}</span></button>`;
  const wait = freeAt ? html`<span class="hint">in ${formatWait(freeAt.getTime() - now.getTime())}</span>` : button;
  return html`${due ? time(due) : 'manual'}<br>${wait}`;
}

export function stateTag({ status, identity_changed }: Pick<NotedItem, 'status' | 'identity_changed'>): Piece {
  const state = status === 'paused' ? tag('paused', 'warn') : tag('active', 'good');
  return identity_changed ? html`${state} ${tag('other account', 'bad')}` : state;
}
