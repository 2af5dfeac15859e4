import { html, raw } from 'hono/html';
import type { Tier } from '../../db/admission.ts';
import { itemObservations } from '../../db/tracked-history.ts';
import { attemptsOf, missedChecksOf, type NotedItem, notedItems } from '../../db/tracked-pages.ts';
import { listLists, type TrackingList } from '../../db/tracking.ts';
import { csvOf } from '../../pipeline/csv.ts';
import { historyStart } from '../../pipeline/report-period.ts';
import { tiers } from '../../pipeline/tiers.ts';
import { trackedColumns, trackedRows } from '../../pipeline/tracked-row.ts';
import { attachmentResponse } from '../attachment.ts';
import type { TrackingDeps } from './deps.ts';
import { idOf, type Page, PageNotFound, type Visit } from './section.ts';
import { listChoices } from './tracking-add.ts';
import { attemptLog, attempts_a_page } from './tracking-attempts.ts';
import { courseOf, type History } from './tracking-course.ts';
import { stateTag } from './tracking-list.ts';
import { freeAt, itemName, kindName, nextCheck, raiseHint, waitWords } from './tracking-words.ts';
import { card, day, form, type Piece, select, time } from './ui.ts';

const ranges = [7, 30, 90, 365] as const;
const default_range = 30;
/** One a day for the longest history, and room for a change of clocks. */
const max_observations = 400;

/** One item: its numbers over time, what is missing and why, and everything that was attempted. */
export async function itemPage({ visitor, url, params }: Visit, { db, now }: TrackingDeps): Promise<Page> {
  const { workspace_id, tier } = visitor;
  const item_id = idOf(params.item_id);
  const [moment, days, before] = [now(), rangeIn(url, tier), url.searchParams.get('before')];
  const span = { from: new Date(historyStart(moment.getTime(), days)), to: moment };
  const [[item], observations, missed, attempts, lists] = await Promise.all([
    notedItems(db.sql, workspace_id, item_id),
    itemObservations(db.sql, workspace_id, [item_id], span.from, max_observations),
    missedChecksOf(db.sql, workspace_id, item_id, span),
    attemptsOf(db.sql, workspace_id, item_id, { before: before && idOf(before), limit: attempts_a_page + 1 }),
    listLists(db.sql, workspace_id),
  ]);
  if (!item) throw new PageNotFound();
  const history: History = { item, observations, missed, span };
  const content = html`${about(item)}${item.identity_changed ? changedNotice(item) : null}
${actions(item, { lists, visitor, now: moment })}
${rangeChoice(item_id, days, tier)}
${courseOf(history)}
${card('Log', attemptLog(item_id, attempts))}`;
  return { title: itemName(item), content };
}

/** The asked range, never longer than the tier's history. */
function rangeIn({ searchParams }: URL, tier: Tier): number {
  const { history_days } = tiers[tier];
  const asked = ranges.find((days) => String(days) === searchParams.get('days')) ?? default_range;
  return Math.min(asked, history_days);
}

function about(item: NotedItem): Piece {
  const { url, created_at } = item;
  const address = /^https?:\/\//i.test(url) ? url : `https://${url}`;
  return html`<p>${kindName(item)} · <a href="${address}" rel="noopener noreferrer">${item.identifier}</a> · tracked since ${day(created_at)} ${stateTag(item)}</p>`;
}

function changedNotice({ name, identifier }: NotedItem): Piece {
  return html`<p class="notice warn">The address <b>${identifier}</b> now belongs to another account than the one that was observed here${name ? html` as ${name}` : null}. Numbers of the other account are not mixed in and cost nothing; what was observed before stays. If you want the new account, remove this item and track the address again; if the old one was renamed, track its new address.</p>`;
}

interface Acting {
  lists: readonly TrackingList[];
  visitor: Visit['visitor'];
  now: Date;
}

function actions(item: NotedItem, { lists, visitor, now }: Acting): Piece {
  const path = `/dashboard/tracking/${item.item_id}`;
  const paused = item.status === 'paused';
  const switching = html`<form method="post" action="${path}/${paused ? 'resume' : 'pause'}"><button class="quiet">${paused ? 'Resume' : 'Pause'}</button></form>`;
  const moving =
    lists.length > 0
      ? html`<details><summary>Move to a list</summary>${form(`${path}/move`, select('List', 'list', listChoices(lists), { value: item.list_id ?? '' }), 'Move', 'quiet')}</details>`
      : null;
  return html`<div class="row">${checkForm(item, { visitor, now, path })}${switching}<a class="button quiet" href="${path}/remove">Remove…</a></div>
<p class="hint">${nextWords(item, visitor.tier, now)}</p>${moving}`;
}

function checkForm(item: NotedItem, { visitor, now, path }: Pick<Acting, 'visitor' | 'now'> & { path: string }): Piece {
  const free_at = freeAt(item, now);
  const obstacle =
    obstacleOf(item, visitor) ?? (free_at && `possible in ${waitWords(free_at.getTime() - now.getTime())}`);
  const label = obstacle ? `Check now (${obstacle})` : 'Check now (1 credit)';
  return html`<form method="post" action="${path}/check"><button${raw(obstacle ? ' disabled' : '')}>${label}</button></form>`;
}

function obstacleOf({ attempt_id, status }: NotedItem, { paused, balance }: Visit['visitor']): string | null {
  if (attempt_id !== null) return 'under way';
  if (status === 'paused') return 'paused';
  if (paused) return 'all work is paused';
  return balance < 1 ? 'no credits' : null;
}

function nextWords(item: NotedItem, tier: Tier, now: Date): Piece {
  if (item.status === 'paused') return 'It is not checked until it is resumed.';
  const due = nextCheck(item, tier, now);
  if (due) return html`Next check by schedule: ${time(due)} UTC. An item is attempted once in 24 hours, whoever asks.`;
  return 'Air has no daily checks: you ask for each, at most once in 24 hours. With a pack they come by themselves.';
}

function rangeChoice(item_id: string, chosen: number, tier: Tier): Piece {
  const { history_days } = tiers[tier];
  const links = ranges.map((days) =>
    days > history_days
      ? html`<span class="hint">${days} days</span>`
      : html`<a href="/dashboard/tracking/${item_id}?days=${days}"${raw(days === chosen ? ' aria-current="true"' : '')}>${days} days</a>`,
  );
  return html`<nav class="ranges" aria-label="How far back">${links}<a href="/dashboard/tracking/${item_id}/observations.csv">CSV, ${history_days} days</a></nav>
${history_days < Math.max(...ranges) ? html`<p class="hint">${raiseHint(tier, 'history_days', 'days of history')}</p>` : null}`;
}

/** Everything observed of an item within the tier's history, one row for each metric and moment; free. */
export async function itemCsv({ visitor, params }: Visit, { db, now }: TrackingDeps): Promise<Response> {
  const { workspace_id, tier } = visitor;
  const item_id = idOf(params.item_id);
  const from = new Date(historyStart(now().getTime(), tiers[tier].history_days));
  const [[item], observations] = await Promise.all([
    notedItems(db.sql, workspace_id, item_id),
    itemObservations(db.sql, workspace_id, [item_id], from, max_observations),
  ]);
  if (!item) throw new PageNotFound();
  const rows = trackedRows(item, observations, null).map((row) => trackedColumns.map((column) => row[column]));
  return attachmentResponse(`observations-${item_id}`, 'csv', csvOf(trackedColumns, rows));
}
