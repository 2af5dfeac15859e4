import { html, raw } from 'hono/html';
import type { Observed } from '../../db/reports.ts';
import { type NotedItem, newestObservations, notedItems } from '../../db/tracked-pages.ts';
import { listLists, type TrackingList } from '../../db/tracking.ts';
import { day_ms } from '../../pipeline/report-period.ts';
import { tiers } from '../../pipeline/tiers.ts';
import type { Visitor } from './accounts.ts';
import type { TrackingDeps } from './deps.ts';
import { idOf, type Page, PageNotFound, type Visit } from './section.ts';
import { addForm, listChoices } from './tracking-add.ts';
import { changeCell, valueCell } from './tracking-values.ts';
import { freeAt, itemName, kindName, mainMetric, nextCheck, outcomeWords, waitWords } from './tracking-words.ts';
import { type Piece, select, table, tag, time } from './ui.ts';

const states = [
  ['', 'every state'],
  ['active', 'active'],
  ['paused', 'paused'],
  ['failing', 'last check failed'],
  ['changed', 'taken over by another account'],
  ['never', 'never observed'],
] as const;
type State = (typeof states)[number][0];

interface Row {
  item: NotedItem;
  /** The newest and the one before. */
  seen: readonly Observed[];
}

/** What a workspace tracks, with the newest number of each. */
export async function trackingPage({ visitor, url }: Visit, { db, now }: TrackingDeps): Promise<Page> {
  const { workspace_id, tier } = visitor;
  const moment = now();
  const from = new Date(moment.getTime() - tiers[tier].history_days * day_ms);
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
  const content = html`<details class="card"${raw(items.length === 0 ? ' open' : '')}><summary>Track something: ${items.length} of ${tiers[tier].tracked_items} used</summary>${add}</details>
${items.length === 0 ? html`<p>Nothing is tracked yet. Paste the address of an account above: what each check finds is kept, day by day, and becomes a chart.</p>` : tracked(rows, { items, lists, filter, visitor, now: moment })}`;
  return { title: 'Tracking', content };
}

interface Filter {
  list: string | null;
  state: State;
}

function filterIn({ searchParams }: URL, lists: readonly TrackingList[]): Filter {
  const asked = searchParams.get('list');
  const list = asked ? idOf(asked) : null;
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
      ? select('List', 'list', [['', 'every list'], ...listChoices(lists).slice(1)], { value: filter.list ?? '' })
      : null;
  const state = select('State', 'state', states, { value: filter.state });
  const actions = [
    ['paused', 'Pause'],
    ['active', 'Resume'],
    ...(lists.length > 0 ? listChoices(lists).map(([id, name]) => [`list:${id}`, `Move to ${name}`] as const) : []),
  ] as const;
  const some = html`<form method="post" action="/dashboard/tracking/change">${itemTable(rows, shown)}
<div class="row">${select('With the marked items', 'action', actions)}<button class="quiet">Apply</button></div></form>`;
  return html`<form method="get" class="row filter">${list}${state}<button class="quiet">Show</button></form>
<p class="hint">${rows.length} of ${items.length} shown; times in UTC. <a href="/dashboard/tracking/lists">Lists</a></p>
${rows.length > 0 ? some : html`<p>No item is like that.</p>`}`;
}

function itemTable(rows: readonly Row[], { lists, visitor, now }: Shown): Piece {
  const names = new Map(lists.map(({ list_id, name }) => [list_id, name]));
  const columns = [
    'Mark',
    'Item',
    { heading: 'Newest', number: true },
    { heading: 'Change', number: true },
    'Last check',
    'Next check',
  ];
  const cells = rows.map(({ item, seen }) => {
    const metric = mainMetric(item);
    return [
      html`<input type="checkbox" name="item" value="${item.item_id}" aria-label="Mark ${itemName(item)}">`,
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
  if (noted_at === null || outcome === null) return 'none yet';
  return html`${time(noted_at)}<br><span class="${raw(outcome === 'OK' ? 'hint' : 'error')}">${outcomeWords(outcome)}</span>`;
}

/** When the schedule comes, and a button where a person may come before it. */
function nextCell(item: NotedItem, { tier }: Visitor, now: Date): Piece {
  if (item.attempt_id !== null) return 'under way';
  if (item.status === 'paused') return 'paused';
  const due = nextCheck(item, tier, now);
  const free_at = freeAt(item, now);
  const button = html`<button class="quiet small" formaction="/dashboard/tracking/${item.item_id}/check">Check now<span class="hidden">: ${itemName(item)}</span></button>`;
  const wait = free_at ? html`<span class="hint">in ${waitWords(free_at.getTime() - now.getTime())}</span>` : button;
  return html`${due ? time(due) : 'by hand'}<br>${wait}`;
}

export function stateTag({ status, identity_changed }: Pick<NotedItem, 'status' | 'identity_changed'>): Piece {
  const state = status === 'paused' ? tag('paused', 'warn') : tag('active', 'good');
  return identity_changed ? html`${state} ${tag('other account', 'bad')}` : state;
}
