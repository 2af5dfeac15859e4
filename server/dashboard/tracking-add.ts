import { html } from 'hono/html';
import { addItem, listItems, listLists, type TrackingList } from '../../db/tracking.ts';
import { tiers } from '../../pipeline/tiers.ts';
import { type TrackableAddress, trackable } from '../../pipeline/tracked-kinds.ts';
import type { Visitor } from './accounts.ts';
import type { TrackingDeps } from './deps.ts';
import { type FormVisit, idOf, type Page, PageNotFound, redirect, text } from './section.ts';
import { kindName, raiseHint, whatRaises } from './tracking-words.ts';
import { card, form, notice, type Piece, select, table, tag, textarea } from './ui.ts';

/** Addresses that are read at once: as many as the largest tier tracks. */
export const max_addresses = tiers.ultra.tracked_items;

export interface AddForm {
  visitor: Visitor;
  /** Items that are tracked already. */
  used: number;
  lists: readonly TrackingList[];
  list_id?: string | null;
  addresses?: string;
}

/** The form that takes new addresses, with what the tier has room for. */
export function addForm({ visitor, used, lists, list_id, addresses = '' }: AddForm): Piece {
  const { tracked_items, daily_checks } = tiers[visitor.tier];
  const rhythm = daily_checks
    ? 'Each is checked once a day'
    : 'Each is checked when you ask for it, at most once in 24 hours';
  const raise = raiseHint(visitor.tier, 'tracked_items', 'tracked items');
  const room = html`<p>${used} of ${tracked_items} used. ${rhythm}; a check that succeeds costs 1 credit, others nothing. There is no history from before.</p>`;
  if (used >= tracked_items) return html`${room}<p>There is no room for more: remove an item first. ${raise}</p>`;
  const fields = [
    textarea('Addresses', 'addresses', {
      rows: 3,
      required: true,
      value: addresses,
      hint: 'Profiles and posts of the photo platform, profiles and videos of the short-video platform, channels and videos of the long-video platform; one on each line.',
    }),
    lists.length > 0 ? select('Into list', 'list', listChoices(lists), { value: list_id ?? '' }) : null,
  ];
  return html`${room}${form('/dashboard/tracking', fields, 'Track')}${visitor.tier === 'ultra' ? null : html`<p class="hint">${raise}</p>`}`;
}

/** The lists of a workspace and "no list", to choose from. */
export function listChoices(lists: readonly TrackingList[]): [string, string][] {
  return [['', 'no list'], ...lists.map(({ list_id, name }): [string, string] => [list_id, name])];
}

interface Line {
  url: string;
  item: TrackableAddress | null;
  result: Piece;
  added: boolean;
  /** To be written again in the form. */
  refused: boolean;
}

/** Tracks every address that can be, and says of each what became of it. */
export async function addItems(visit: FormVisit, { db }: TrackingDeps): Promise<Page | Response> {
  const { visitor, form: sent } = visit;
  const urls = text(sent, 'addresses')
    .split(/[\s,]+/)
    .filter(Boolean);
  const lists = await listLists(db.sql, visitor.workspace_id);
  const list_id = text(sent, 'list') || null;
  if (list_id !== null && !lists.some((list) => list.list_id === idOf(list_id))) throw new PageNotFound();
  const problem = problemOf(urls);
  const lines: Line[] = [];
  if (!problem) for (const url of urls) lines.push(await addLine({ url, list_id, visitor }, db));
  if (lines.length > 0 && lines.every(({ added }) => added)) return redirect('/dashboard/tracking', 'item-added');

  const used = (await listItems(db.sql, visitor.workspace_id)).length;
  const again = problem ? urls : lines.filter(({ refused }) => refused).map(({ url }) => url);
  const content = html`${notice(problem, 'bad')}${lines.length > 0 ? lineTable(lines) : null}
${card('Track more', addForm({ visitor, used, lists, list_id, addresses: again.slice(0, max_addresses).join('\n') }))}
<p><a href="/dashboard/tracking">Back to what is tracked</a></p>`;
  const nothing = problem !== null || lines.every(({ refused }) => refused);
  return { title: 'Track', content, status: nothing ? 400 : 200 };
}

function problemOf(urls: readonly string[]): string | null {
  if (urls.length === 0) return 'Write at least one address.';
  if (urls.length > max_addresses) return `Send at most ${max_addresses} addresses at once: these are ${urls.length}.`;
  return null;
}

interface Wish {
  url: string;
  list_id: string | null;
  visitor: Visitor;
}

async function addLine({ url, list_id, visitor }: Wish, db: TrackingDeps['db']): Promise<Line> {
  const parsed = trackable(url);
  if (!parsed.ok) return { url, item: null, result: parsed.message, added: false, refused: true };
  const { item } = parsed;
  const { workspace_id, tier } = visitor;
  const made = await addItem(db.sql, workspace_id, { url, ...item, list_id }, tiers[tier].tracked_items);
  if (made.outcome === 'full') {
    const result = `No room. ${whatRaises(tier, 'tracked_items', 'tracked items')}`;
    return { url, item, result, added: false, refused: true };
  }
  const added = made.outcome === 'added';
  const label = added ? tag('tracked now', 'good') : tag('was tracked already');
  const result = html`${label} <a href="/dashboard/tracking/${made.item_id}">Open<span class="hidden"> ${item.identifier}</span></a>`;
  return { url, item, result, added, refused: false };
}

function lineTable(lines: readonly Line[]): Piece {
  const rows = lines.map(({ url, item, result }) => [
    html`<div class="address">${url}</div>`,
    item ? html`${kindName(item)} <code>${item.identifier}</code>` : '–',
    result,
  ]);
  return table('What became of each address', ['Address', 'Recognised as', 'Result'], rows);
}
