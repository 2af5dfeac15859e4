import type { Sql } from 'postgres';
import type { Admission } from '../../db/requests/admission.ts';
import type { Metric } from '../../db/tracking/checks.ts';
import { listItems, type TrackedItem } from '../../db/tracking/items.ts';
import { itemObservations } from '../../db/tracking/tracked-history.ts';
import { isId } from '../../pipeline/campaigns/campaigns.ts';
import { type LinkResolver, resolveAll } from '../../pipeline/collect/share-links.ts';
import { errorTable } from '../../pipeline/errors.ts';
import { tiers } from '../../pipeline/tiers.ts';
import { type TrackableAddress, trackable } from '../../pipeline/tracking/tracked-kinds.ts';
import { refusedItem, type ShownItem, type TrackedRow, trackedRows } from '../../pipeline/tracking/tracked-row.ts';
import { trackedItem, trackedObservations } from '../sandbox/samples/tracked.ts';
import { scenarioOf } from '../sandbox/scenarios.ts';

export interface TrackedDeps {
  db: { sql: Sql };
  now: () => Date;
  /** Follows share links. */
  links: LinkResolver;
  sleep: (milliseconds: number) => Promise<void>;
}

export interface AskedTracked {
  /** Ids or addresses. */
  items: readonly string[];
  /** Null for those that the items can have. */
  metrics: readonly Metric[] | null;
  days: number;
}

export interface AnsweredTracked {
  rows: TrackedRow[];
  warnings: string[];
}

const dayMs = 86_400_000;
/** More than one check a day of twenty items in the longest history: only a fault could pass it. */
const maxObservations = 20 * 400;

/** What tracking observed of the workspace's items: in the order asked, an unknown one as one row that says so. */
export async function trackedTable(
  asked: AskedTracked,
  { workspace_id, tier }: Admission,
  { db, now, links }: TrackedDeps,
): Promise<AnsweredTracked> {
  const own = await listItems(db.sql, workspace_id);
  const followed = await resolveAll(asked.items, links);
  const found = asked.items.map((text, index) => ({ text, ...findAsked(followed[index] as string, own) }));
  const { history_days } = tiers[tier];
  const days = Math.min(asked.days, history_days);
  const ids = found.flatMap(({ item }) => (item ? [item.item_id] : []));
  const from = new Date(now().getTime() - days * dayMs);
  const observations = await itemObservations(db.sql, workspace_id, ids, from, maxObservations);
  const observationsOf = Map.groupBy(observations, ({ item_id }) => item_id);
  const rows = found.flatMap(({ text, item, refusal }, place) => {
    if (!item) return [refusedItem(namedBy(text), refusal)];
    if (found.findIndex((other) => other.item === item) < place) return [];
    return trackedRows(item, observationsOf.get(item.item_id) ?? [], asked.metrics);
  });
  const unseen = found.filter(({ item }) => item && !observationsOf.has(item.item_id));
  const warnings = [...new Set(unseen.map(({ text }) => `${text} was not observed in the last ${days} days.`))];
  if (days < asked.days) warnings.unshift(`This tier keeps ${days} days of history: days was cut from ${asked.days}.`);
  return { rows, warnings };
}

interface Refusal {
  code: string;
  message: string;
}

type Found = { item: TrackedItem; refusal: null } | { item: null; refusal: Refusal };

const unknown: Refusal = { code: 'RESOURCE_NOT_FOUND', message: 'This workspace tracks no such item.' };

function findAsked(text: string, own: readonly TrackedItem[]): Found {
  const named = nameOf(text);
  if ('refusal' in named) return { item: null, refusal: named.refusal };
  const item = own.find((row) => row.item_id === named.item_id || (named.address && isAt(row, named.address)));
  return item ? { item, refusal: null } : { item: null, refusal: unknown };
}

/** A channel is known by its id as well, once a check has seen it. */
function isAt(row: TrackedItem, { platform, kind, identifier }: TrackableAddress): boolean {
  if (row.platform !== platform || row.kind !== kind) return false;
  return row.identifier === identifier || (kind === 'channel' && row.platform_id === identifier);
}

type Named = { item_id: string; address: null } | { item_id: null; address: TrackableAddress } | { refusal: Refusal };

function nameOf(text: string): Named {
  const trimmed = text.trim();
  if (isId(trimmed)) return { item_id: trimmed.toLowerCase(), address: null };
  const named = trackable(trimmed);
  if (named.ok) return { item_id: null, address: named.item };
  const message = /[/.]/.test(trimmed) ? named.message : 'Send the id of a tracked item, or its address.';
  return { refusal: { code: 'INVALID_INPUT', message } };
}

function namedBy(text: string) {
  const is_id = isId(text.trim());
  return { item_id: is_id ? text : null, url: is_id ? null : text };
}

/** What a development key gets: the sample for every item, or the error that a reserved handle or id in an address asks for. */
export async function sampleTable(asked: AskedTracked, { sleep }: TrackedDeps): Promise<AnsweredTracked> {
  const rows: TrackedRow[] = [];
  for (const text of new Set(asked.items)) {
    const named = nameOf(text);
    if ('refusal' in named) rows.push(refusedItem(namedBy(text), named.refusal));
    else rows.push(...(await sampleRows(text, named.address?.identifier ?? '', asked, sleep)));
  }
  return { rows, warnings: [] };
}

async function sampleRows(
  text: string,
  identifier: string,
  { metrics }: AskedTracked,
  sleep: TrackedDeps['sleep'],
): Promise<TrackedRow[]> {
  const effect = scenarioOf([identifier])?.effect;
  if (effect?.kind === 'slow') await sleep(effect.delay_ms);
  if (effect?.kind !== 'error') return trackedRows(trackedItem satisfies ShownItem, trackedObservations, metrics);
  const { message } = errorTable[effect.code];
  return [refusedItem(namedBy(text), { code: effect.code, message })];
}
