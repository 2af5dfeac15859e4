import { html } from 'hono/html';
import { listItems } from '../../../db/tracking/items.ts';
import type { ResolvedLinks } from '../../../pipeline/collect/short-links.ts';
import { quantity } from '../../../pipeline/quantity.ts';
import { tiers } from '../../../pipeline/tiers.ts';
import { trackable } from '../../../pipeline/tracking/tracked-kinds.ts';
import type { TrackingPageDeps } from '../deps.ts';
import { count, type Piece, table, tag, titleColumn } from '../ui/components.ts';
import { tiles } from '../ui/parts/blocks.ts';
import { kindName } from '../ui/platform-names.ts';
import type { Page } from '../ui/section.ts';
import type { Visitor } from '../ui/visitor.ts';
import { upgradeHint } from './labels.ts';

type State = 'new' | 'known' | 'repeated' | 'full' | 'unfollowed' | 'refused';

interface PreviewLine {
  /** The link or handle as the user sent it. */
  sent: string;
  address: string;
  type: Piece;
  state: State;
  note: Piece;
}

const stateTags: Record<State, Piece> = {
  new: tag('new', 'good'),
  known: tag('already tracked'),
  repeated: tag('repeated'),
  full: tag('limit reached', 'warn'),
  unfollowed: tag('not followed', 'warn'),
  refused: tag('cannot be tracked', 'bad'),
};

/**
 * Returns the preview of adding links to tracking: what would happen to each link, in the order of the form. Nothing is
 * stored or fetched.
 */
export async function previewLines(
  urls: readonly string[],
  { texts: addresses, failures }: ResolvedLinks,
  { workspace_id, tier }: Visitor,
  { db }: Pick<TrackingPageDeps, 'db'>,
): Promise<PreviewLine[]> {
  const items = await listItems(db.sql, workspace_id);
  const keyOf = (item: { platform: string; kind: string; identifier: string }) =>
    JSON.stringify([item.platform, item.kind, item.identifier]);
  const known = new Set(items.map(keyOf));
  const added = new Set<string>();
  const free = tiers[tier].tracked_items - items.length;
  return addresses.map((address, index) => {
    const sent = urls[index] ?? address;
    const parsed = trackable(address);
    const failure = failures.get(address);
    if (failure) return { sent, address, type: '–', state: 'unfollowed', note: failure.message };
    if (!parsed.ok) return { sent, address, type: '–', state: 'refused', note: parsed.message };
    const key = keyOf(parsed.item);
    const type = html`${kindName(parsed.item)} <code>${parsed.item.identifier}</code>`;
    const line = { sent, address, type, note: null };
    if (known.has(key)) return { ...line, state: 'known' };
    if (added.has(key)) return { ...line, state: 'repeated' };
    if (added.size >= free) return { ...line, state: 'full' };
    added.add(key);
    return { ...line, state: 'new' };
  });
}

interface Preview {
  visitor: Visitor;
  lines: readonly PreviewLine[];
  list_id: string | null;
  /** The form again, filled with all links that the user entered, for correction. */
  again: Piece;
}

/** Returns the page that shows what would be tracked and what it costs, with the button that adds the items. */
export function previewPage({ visitor, lines, list_id, again }: Preview): Page {
  const of = (state: State) => lines.filter((line) => line.state === state);
  const fresh = of('new');
  const left = lines.length - fresh.length;
  const { daily_checks } = tiers[visitor.tier];
  const cost = daily_checks ? `Up to ${quantity(fresh.length, 'credit')} a day` : 'You start each check yourself';
  const things = fresh.length === 1 ? '1 item' : `${count(fresh.length)} items`;
  const start = html`<form method="post" action="/dashboard/tracking" class="row actions"><input type="hidden" name="addresses" value="${fresh.map(({ address }) => address).join('\n')}"><input type="hidden" name="list" value="${list_id ?? ''}"><button>Track ${things}</button><a class="button quiet" href="/dashboard/tracking">Cancel</a></form>`;
  const order: readonly State[] = ['refused', 'unfollowed', 'full', 'new', 'known', 'repeated'];
  const sorted = lines.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  const rows = sorted.map(({ sent, type, state, note }) => [
    html`<div class="address">${sent}</div>`,
    type,
    html`${stateTags[state]}${note ? html` <span class="hint">${note}</span>` : null}`,
  ]);
  const content = html`${tiles([
    { label: 'New', value: count(fresh.length), hint: cost },
    { label: 'Left out', value: count(left), hint: 'already tracked, repeated, or not usable' },
  ])}
${fresh.length > 0 ? start : html`<p class="notice warn">None of these links can be added.</p>`}
${of('full').length > 0 ? html`<p class="hint">${upgradeHint(visitor.tier, 'tracked_items', 'tracked items')}</p>` : null}
${table('What happens to each link', [titleColumn('Link'), { heading: 'Type', long: true }, { heading: 'Result', long: true }], rows, { as_cards: true })}
<details class="card"><summary>Change the links</summary>${again}</details>`;
  return { title: 'Track these?', content };
}
