import type { Sql } from 'postgres';
import { dayMs } from '../../db/durations.ts';
import { isId } from '../../db/ids.ts';
import type { Admission } from '../../db/requests/admission.ts';
import type { Metric } from '../../db/schema/metrics.ts';
import { listItems, type TrackedItem } from '../../db/tracking/items.ts';
import { itemObservations } from '../../db/tracking/tracked-history.ts';
import { type LinkFailures, type LinkResolver, resolveAll, sandboxLinks } from '../../pipeline/collect/short-links.ts';
import { errorTable } from '../../pipeline/errors.ts';
import { visibleText } from '../../pipeline/parse/addresses.ts';
import { historyStart } from '../../pipeline/report/period.ts';
import { tiers } from '../../pipeline/tiers.ts';
import { type TrackableAddress, trackable } from '../../pipeline/tracking/tracked-kinds.ts';
import { refusedItem, type ShownItem, type TrackedRow, trackedRows } from '../../pipeline/tracking/tracked-row.ts';
import { scenarioOf } from '../sandbox/scenarios.ts';

export interface TrackedDeps {
  db: { sql: Sql };
  now: () => Date;
  /** Returns the URL that a short link leads to. */
  links: LinkResolver;
  sleep: (milliseconds: number) => Promise<void>;
}

interface RequestedTracked {
  /** Ids or URLs of tracked items. */
  items: readonly string[];
  /** The requested metrics. Null: all metrics that the item can have. */
  metrics: readonly Metric[] | null;
  days: number;
}

interface AnsweredTracked {
  rows: TrackedRow[];
  warnings: string[];
}

/**
 * Maximum number of observations that one request reads. Twenty items that are checked once a day never have more, even
 * with the longest history.
 */
const maxObservations = 20 * 400;

/**
 * Returns the observations of tracked items, in the order of the request. For an unknown item, returns one row with an
 * error.
 */
export async function trackedTable(
  input: RequestedTracked,
  { workspace_id, tier }: Admission,
  { db, now, links }: TrackedDeps,
): Promise<AnsweredTracked> {
  const tracked = await listItems(db.sql, workspace_id);
  const { texts, failures } = await resolveAll(input.items, links);
  const found = input.items.map((text, index) => ({ text, ...findItem(texts[index] as string, tracked, failures) }));
  const { history_days } = tiers[tier];
  const days = Math.min(input.days, history_days);
  const ids = found.flatMap(({ item }) => (item ? [item.item_id] : []));
  const at = now().getTime();
  const from = new Date(Math.max(at - days * dayMs, historyStart(at, history_days)));
  const observations = await itemObservations(db.sql, workspace_id, ids, from, maxObservations);
  const observationsOf = Map.groupBy(observations, ({ item_id }) => item_id);
  const rows = found.flatMap(({ text, item, refusal }, index) => {
    if (!item) return [refusedItem(idOrUrl(text), refusal)];
    if (found.findIndex((other) => other.item === item) < index) return [];
    return trackedRows(item, observationsOf.get(item.item_id) ?? [], input.metrics);
  });
  const withoutData = found.filter(({ item }) => item && !observationsOf.has(item.item_id));
  const warnings = [...new Set(withoutData.map(({ text }) => `${text} was not observed in the last ${days} days.`))];
  if (days < input.days)
    warnings.unshift(`This tier keeps ${days} days of history, so days=${input.days} was reduced to ${days}.`);
  return { rows, warnings };
}

interface Refusal {
  code: string;
  message: string;
}

type Found = { item: TrackedItem; refusal: null } | { item: null; refusal: Refusal };

const unknown: Refusal = {
  code: 'RESOURCE_NOT_FOUND',
  message: 'This workspace does not track this item: check the ID or URL.',
};

function findItem(text: string, tracked: readonly TrackedItem[], failures: LinkFailures): Found {
  const failure = failures.get(text);
  if (failure) return { item: null, refusal: failure };
  const name = readName(text);
  if ('refusal' in name) return { item: null, refusal: name.refusal };
  const item = tracked.find((row) => row.item_id === name.item_id || (name.address && hasAddress(row, name.address)));
  return item ? { item, refusal: null } : { item: null, refusal: unknown };
}

/**
 * Returns true when a URL leads to this tracked item. The first check of a YouTube channel stores the channel id. From
 * then on, the URL with this id leads to the item too.
 */
function hasAddress(row: TrackedItem, { platform, kind, identifier }: TrackableAddress): boolean {
  if (row.platform !== platform || row.kind !== kind) return false;
  return row.identifier === identifier || (kind === 'channel' && row.platform_id === identifier);
}

type Name = { item_id: string; address: null } | { item_id: null; address: TrackableAddress } | { refusal: Refusal };

function readName(text: string): Name {
  const trimmed = visibleText(text).trim();
  if (isId(trimmed)) return { item_id: trimmed.toLowerCase(), address: null };
  const parsed = trackable(trimmed);
  if (parsed.ok) return { item_id: null, address: parsed.item };
  const message = /[/.]/.test(trimmed) ? parsed.message : 'Use the ID of a tracked item, or its URL.';
  return { refusal: { code: 'INVALID_INPUT', message } };
}

function idOrUrl(text: string) {
  return isId(visibleText(text).trim()) ? { item_id: text, url: null } : { item_id: null, url: text };
}

/**
 * Returns the answer for a development key: the same sample for every item. A reserved handle or id in an item's URL
 * can select an error or a delay.
 */
export async function sampleTable(input: RequestedTracked, { sleep }: TrackedDeps): Promise<AnsweredTracked> {
  const rows: TrackedRow[] = [];
  const { failures } = await resolveAll(input.items, sandboxLinks);
  for (const text of new Set(input.items)) {
    const failure = failures.get(text);
    const name = failure ? { refusal: failure } : readName(text);
    if ('refusal' in name) rows.push(refusedItem(idOrUrl(text), name.refusal));
    else rows.push(...(await sampleRows(text, name.address?.identifier ?? '', input, sleep)));
  }
  return { rows, warnings: [] };
}

async function sampleRows(
  text: string,
  identifier: string,
  { metrics }: RequestedTracked,
  sleep: TrackedDeps['sleep'],
): Promise<TrackedRow[]> {
  const effect = scenarioOf([identifier])?.effect;
  if (effect?.kind === 'slow') await sleep(effect.delay_ms);
  if (effect?.kind !== 'error') {
    const { trackedItem, trackedObservations } = await import('../sandbox/samples/tracked.ts');
    return trackedRows(trackedItem satisfies ShownItem, trackedObservations, metrics);
  }
  const { message } = errorTable[effect.code];
  return [refusedItem(idOrUrl(text), { code: effect.code, message })];
}
