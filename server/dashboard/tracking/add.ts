import { html } from 'hono/html';
import { addItem, countItems } from '../../../db/tracking/items.ts';
import { listLists, type TrackingList } from '../../../db/tracking/lists.ts';
import type { LinkFailures } from '../../../pipeline/collect/short-links.ts';
import { linkText, visibleText } from '../../../pipeline/parse/addresses.ts';
import { handleAlone, hasHandleSign } from '../../../pipeline/rows/profile-address.ts';
import { tiers } from '../../../pipeline/tiers.ts';
import { type TrackableAddress, trackable } from '../../../pipeline/tracking/tracked-kinds.ts';
import type { TrackingPageDeps } from '../deps.ts';
import { card, notice, type Piece, select, table, tag, textarea, titleColumn } from '../ui/components.ts';
import { at, type Problem } from '../ui/forms/field-problem.ts';
import { linksOf } from '../ui/forms/followed-links.ts';
import { addressesIn, handlePlatformSelect } from '../ui/handle-platform.ts';
import { kindName } from '../ui/platform-names.ts';
import { type FormVisit, type Page, redirect, text } from '../ui/section.ts';
import type { Visitor } from '../ui/visitor.ts';
import { previewLines, previewPage } from './add-preview.ts';
import { upgradeHint, upgradeText } from './labels.ts';

/** Maximum number of links in one form: as many as the largest tier can track. */
const maxAddresses = tiers.ultra.tracked_items;

interface AddForm {
  visitor: Visitor;
  /** Number of items that the workspace tracks now. */
  used: number;
  lists: readonly TrackingList[];
  list_id?: string | null;
  addresses?: string;
  /** The platform that the user chose for handles such as `@nasa`. */
  handles_on?: string;
}

/** Returns the form that adds items, with the limit of the workspace's tier. */
export function addForm({ visitor, used, lists, list_id, addresses = '', handles_on }: AddForm): Piece {
  const { tracked_items, daily_checks } = tiers[visitor.tier];
  const schedule = daily_checks
    ? 'Each item is checked once a day.'
    : 'You check each item yourself, at most once every 24 hours.';
  const upgrade = upgradeHint(visitor.tier, 'tracked_items', 'tracked items');
  const usage = html`<p>${used} of ${tracked_items} items used. ${schedule} Each successful check costs 1 credit. History starts with the first check: no numbers from before are imported.</p>`;
  if (used >= tracked_items) return html`${usage}<p>Your limit is reached. Remove an item first. ${upgrade}</p>`;
  const fields = [
    textarea('Links', 'addresses', {
      rows: 3,
      required: true,
      value: addresses,
      hint: 'One per line: Instagram profiles and posts, TikTok profiles and videos, YouTube channels (preview: works, but may still change) and videos.',
    }),
    handlePlatformSelect(handles_on),
    lists.length > 0 ? select('Add to list', 'list', listChoices(lists), { value: list_id ?? '' }) : null,
  ];
  return html`${usage}<form method="post" action="/dashboard/tracking">${fields}<div class="buttons"><button name="act" value="preview">Track</button><span class="hint">One link is tracked immediately. Several links are listed first, and you confirm them.</span></div></form>${visitor.tier === 'ultra' ? null : html`<p class="hint">${upgrade}</p>`}`;
}

/** Returns the options of the select field for a tracking list: "no list", then the lists of the workspace. */
export function listChoices(lists: readonly TrackingList[]): [string, string][] {
  return [['', 'no list'], ...lists.map(({ list_id, name }): [string, string] => [list_id, name])];
}

interface Line {
  /** The link as the user sent it. */
  url: string;
  item: TrackableAddress | null;
  result: Piece;
  added: boolean;
  /** True when the link was refused. The form then shows the link again for correction. */
  refused: boolean;
}

/**
 * Starts to track every valid link of the form. When the user asked for a preview and the form has several links, only
 * shows the preview. Returns a page with the result of each link, or a redirect when all were added.
 */
export async function addItems({ visitor, form }: FormVisit, deps: TrackingPageDeps): Promise<Page | Response> {
  const { db } = deps;
  const urls = linksIn(text(form, 'addresses'), text(form, 'handles_on') !== '');
  const lists = await listLists(db.sql, visitor.workspace_id);
  const chosen = text(form, 'list');
  const listId = lists.find((list) => list.list_id === chosen)?.list_id ?? null;
  const problem =
    chosen !== '' && listId === null ? at('list', 'This list no longer exists. Choose another one.') : problemOf(urls);
  const formWith = async (again: readonly string[]) => {
    const used = await countItems(db.sql, visitor.workspace_id);
    const addresses = again.slice(0, maxAddresses).join('\n');
    return addForm({ visitor, used, lists, list_id: listId, addresses, handles_on: text(form, 'handles_on') });
  };
  if (problem) return resultPage({ problem, form: await formWith(urls) });

  const { texts: addresses, failures } = await addressesIn(form, urls, linksOf(visitor, deps));
  if (text(form, 'act') === 'preview' && addresses.length > 1) {
    const lines = await previewLines(urls, { texts: addresses, failures }, visitor, { db });
    return previewPage({ visitor, lines, list_id: listId, again: await formWith(urls) });
  }
  const lines: Line[] = [];
  for (const [index, address] of addresses.entries()) {
    lines.push(await addLine({ url: urls[index] as string, address, failures, list_id: listId, visitor }, db));
  }
  if (lines.every(({ added }) => added)) return redirect('/dashboard/tracking', 'item-added');
  const refused = lines.filter((line) => line.refused).map(({ url }) => url);
  return resultPage({ lines, form: await formWith(refused) });
}

interface Result {
  problem?: Problem | null;
  lines?: readonly Line[];
  /** The form again, filled with the links that the user can correct. */
  form: Piece;
}

function resultPage({ problem = null, lines = [], form }: Result): Page {
  const content = html`${notice(problem, 'bad')}${lines.length > 0 ? lineTable(lines) : null}
${card('Track more', form)}
<p><a href="/dashboard/tracking">Back to tracking</a></p>`;
  return { title: 'Track accounts', content, status: lines.every(({ refused }) => refused) ? 400 : 200 };
}

/**
 * Returns the links and handles of a pasted list. A line that is not a link, such as a row of a spreadsheet, is split
 * into words, of which only links and words that begin with @ are returned. A line without such words is one entry, or
 * one entry for each word when the user chose a platform for handles.
 */
function linksIn(list: string, hasHandles: boolean): string[] {
  const entriesIn = (line: string): string[] => {
    if (trackable(line).ok || handleAlone(line) !== null) return [line];
    const parts = line.split(/[\s,]+/).filter(Boolean);
    const links = parts.filter((part) => part.includes('/') || hasHandleSign(part));
    return links.length > 0 ? links : hasHandles ? parts : [line];
  };
  return visibleText(list)
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter(Boolean)
    .flatMap(entriesIn);
}

function problemOf(urls: readonly string[]): Problem | null {
  if (urls.length === 0) return at('addresses', 'Enter at least one link.');
  if (urls.length > maxAddresses)
    return at('addresses', `Enter at most ${maxAddresses} links at once. You entered ${urls.length}.`);
  return null;
}

interface LineInput {
  /** The link or handle as the user sent it. */
  url: string;
  /** The URL to track: for a handle the URL of its profile, for a short link the URL that it leads to. */
  address: string;
  failures: LinkFailures;
  list_id: string | null;
  visitor: Visitor;
}

async function addLine(
  { url, address, failures, list_id, visitor }: LineInput,
  db: TrackingPageDeps['db'],
): Promise<Line> {
  const failure = failures.get(address);
  const parsed = trackable(address);
  if (!parsed.ok) return { url, item: null, result: (failure ?? parsed).message, added: false, refused: true };
  const { item } = parsed;
  const { workspace_id, tier } = visitor;
  const saved = await addItem(
    db.sql,
    workspace_id,
    { url: linkText(address), ...item, list_id },
    tiers[tier].tracked_items,
  );
  if (saved.outcome === 'full') {
    const result = `Limit reached. ${upgradeText(tier, 'tracked_items', 'tracked items')}`;
    return { url, item, result, added: false, refused: true };
  }
  const added = saved.outcome === 'added';
  const label = added ? tag('added', 'good') : tag('already tracked');
  const result = html`${label} <a href="/dashboard/tracking/${saved.item_id}">Open<span class="hidden"> ${item.identifier}</span></a>`;
  return { url, item, result, added, refused: false };
}

function lineTable(lines: readonly Line[]): Piece {
  const rows = lines.map(({ url, item, result }) => [
    html`<div class="address">${url}</div>`,
    item ? html`${kindName(item)} <code>${item.identifier}</code>` : '–',
    result,
  ]);
  return table(
    'Result for each link',
    [titleColumn('Link'), { heading: 'Type', long: true }, { heading: 'Result', long: true }],
    rows,
    { as_cards: true },
  );
}
