import { html, raw } from 'hono/html';
import { itemsWithPicture } from '../../../db/media/pictures.ts';
import type { Tier } from '../../../db/tier.ts';
import { listLists, type TrackingList } from '../../../db/tracking/lists.ts';
import { itemObservations } from '../../../db/tracking/tracked-history.ts';
import { attemptsOf, missedChecksOf, type NotedItem, notedItems } from '../../../db/tracking/tracked-pages.ts';
import { maxRuleName } from '../../../pipeline/alerts/read-rule.ts';
import { historyStart } from '../../../pipeline/report/period.ts';
import { tiers } from '../../../pipeline/tiers.ts';
import { trackedColumns, trackedRows } from '../../../pipeline/tracking/tracked-row.ts';
import { icon } from '../../design/icons.ts';
import { type TableFormat, tableResponse } from '../../http/attachment.ts';
import type { TrackingPageDeps } from '../deps.ts';
import { day, form, type Piece, select } from '../ui/components.ts';
import { avatar } from '../ui/parts/avatar.ts';
import { menu } from '../ui/parts/blocks.ts';
import { until } from '../ui/parts/numbers.ts';
import { kindName } from '../ui/platform-names.ts';
import { idOf, type Page, PageNotFound, type Visit } from '../ui/section.ts';
import { listChoices } from './add.ts';
import { attemptLog, attemptsAPage } from './attempts.ts';
import { comparedIn, comparisonForm } from './compare.ts';
import { type History, historyCharts } from './history.ts';
import { formatWait, itemName, mainMetric, nextCheck, nextFreeCheck } from './labels.ts';
import { lateCheck } from './late-check.ts';
import { itemTags } from './list.ts';
import { rangeChoice, rangeIn } from './range.ts';

/**
 * Maximum number of observations that the page of a tracked item reads. The longest history has fewer, because an item
 * has at most one observation per day.
 */
const maxObservations = 400;

/** Returns the page of one tracked item: its numbers over time, the days without data, and the log of its checks. */
export async function itemPage({ visitor, url, params }: Visit, { db, now, media }: TrackingPageDeps): Promise<Page> {
  const { workspace_id, tier } = visitor;
  const itemId = idOf(params.item_id);
  const [moment, older] = [now(), url.searchParams.get('before')];
  const before = older === null ? null : idOf(older);
  const range = rangeIn(url, tier, moment);
  const { span } = range;
  const items = await notedItems(db.sql, workspace_id);
  const item = items.find(({ item_id }) => item_id === itemId);
  if (!item) throw new PageNotFound();
  const comparedItems = comparedIn(url, items, itemId);
  const ids = [itemId, ...comparedItems.map(({ item_id }) => item_id)];
  const [observed, missed, attempts, lists, pictured] = await Promise.all([
    itemObservations(db.sql, workspace_id, ids, span.from, maxObservations * ids.length),
    missedChecksOf(db.sql, workspace_id, itemId, span),
    attemptsOf(db.sql, workspace_id, itemId, { before, limit: attemptsAPage + 1 }),
    listLists(db.sql, workspace_id),
    itemsWithPicture(db.sql, workspace_id, [itemId]),
  ]);
  const seen = Map.groupBy(
    observed.filter(({ observed_at }) => observed_at < span.to || span.to >= moment),
    ({ item_id }) => item_id,
  );
  const compared = comparedItems.map((one) => ({ item: one, observations: seen.get(one.item_id) ?? [] }));
  const history: History = { item, tier, observations: seen.get(itemId) ?? [], missed, span, compared };
  const late = before ? null : lateCheck({ url, now: moment }, item, attempts);
  const content = html`${late?.message}${item.identity_changed ? changedNotice(item) : null}
${rangeChoice(url, range, tier)}
${historyCharts(history, url, comparisonForm(url, item, compared, items))}
${moveForm(item, lists)}
<details class="card"${raw(before ? ' open' : '')}><summary>Log</summary><p class="hint">${onceADay}</p>${attemptLog(itemId, attempts)}</details>`;
  const picture = pictured.has(itemId) ? media.itemPictureAddress({ workspace_id, item_id: itemId }) : null;
  const title = itemName(item);
  const status = range.problem ? 400 : 200;
  const head = {
    title,
    picture: html`${avatar(title, picture, 'large')}`,
    facts: html`${about(item)}<br>${nextCheckHint(item, tier, moment)}`,
    actions: html`${actions(item, { visitor, now: moment })}`,
  };
  return { ...head, content, status, reload: late?.ended };
}

function about(item: NotedItem): Piece {
  const { url, created_at } = item;
  const address = /^https?:\/\//i.test(url) ? url : `https://${url}`;
  return html`${kindName(item)} · <a href="${address}" rel="noopener noreferrer">${item.identifier}</a> · tracked since ${day(created_at)} ${itemTags(item)}`;
}

function changedNotice({ name, identifier }: NotedItem): Piece {
  return html`<p class="notice warn"><b>${identifier}</b> now belongs to another account, not the one you tracked${name ? html` as ${name}` : null}. Numbers of the other account are not saved and not charged. Your history stays. To track the other account, remove this item and add its link again. If your account was renamed, add its new link.</p>`;
}

interface ActionContext {
  visitor: Visit['visitor'];
  now: Date;
}

/** Returns the buttons beside the name of the item, and the menu with the other actions. */
function actions(item: NotedItem, { visitor, now }: ActionContext): Piece {
  const path = `/dashboard/tracking/${item.item_id}`;
  const paused = item.status === 'paused';
  const pauseForm = html`<form method="post" action="${path}/${paused ? 'resume' : 'pause'}"><button class="quiet">${paused ? 'Resume' : 'Pause'}</button></form>`;
  const days = tiers[visitor.tier].history_days;
  const entries = [
    html`<a data-needs="/dashboard/alerts/rules" href="${alertPath(item)}">${icon('bell')}New alert for this item</a>`,
    html`<a href="${path}/observations.csv">${icon('file-text')}Download CSV (${days} days)</a>`,
    html`<a href="${path}/observations.xlsx">${icon('file-text')}Download Excel (${days} days)</a>`,
    html`<a data-needs="${path}/remove" href="${path}/remove">${icon('x')}Remove…</a>`,
  ];
  return html`${checkForm(item, { visitor, now, path })}${pauseForm}${menu(`More actions for ${itemName(item)}`, entries)}`;
}

function moveForm({ item_id, list_id }: NotedItem, lists: readonly TrackingList[]): Piece {
  if (lists.length === 0) return null;
  const choice = select('List', 'list', listChoices(lists), { value: list_id ?? '' });
  return html`<details class="card"><summary>Move to a list</summary>${form(`/dashboard/tracking/${item_id}/move`, choice, 'Move', 'quiet')}</details>`;
}

/** Returns the path of the form for a new alert rule, filled in for this tracked item. */
function alertPath(item: NotedItem): string {
  const metric = mainMetric(item);
  const name = `${itemName(item)}: ${metric} change`.slice(0, maxRuleName);
  const rule = { condition: 'change', scope: `item:${item.item_id}`, metric, name };
  return `/dashboard/alerts/rules?${new URLSearchParams(rule)}`;
}

function checkForm(
  item: NotedItem,
  { visitor, now, path }: Pick<ActionContext, 'visitor' | 'now'> & { path: string },
): Piece {
  const freeAt = nextFreeCheck(item, now);
  const reason = disabledReason(item, visitor);
  const wait = freeAt && `Check again in ${formatWait(freeAt.getTime() - now.getTime())}`;
  const label = reason ? `Check now (${reason})` : (wait ?? 'Check now (1 credit)');
  return html`<form method="post" action="${path}/check"><button${raw(reason || wait ? ' disabled' : '')}>${label}</button></form>`;
}

function disabledReason({ attempt_id, status }: NotedItem, { paused, balance }: Visit['visitor']): string | null {
  if (attempt_id !== null) return 'running';
  if (status === 'paused') return 'paused';
  if (paused) return 'all checks are paused';
  return balance < 1 ? 'no credits' : null;
}

function nextCheckHint(item: NotedItem, tier: Tier, now: Date): Piece {
  if (item.status === 'paused') return 'Paused. It is not checked until you resume it.';
  const due = nextCheck(item, tier, now);
  if (due) return html`Next automatic check: ${until(due, now)}`;
  return 'The tier Air has no automatic checks: you start them yourself. Every higher tier checks items each day.';
}

const onceADay =
  'Each item can be checked once every 24 hours. A failed check costs nothing, but the next one is possible only 24 hours later, too.';

/**
 * Returns the observations of a tracked item as a CSV or Excel download. The file has one row for each metric of each
 * observation.
 */
export async function itemTable(
  { visitor, params }: Visit,
  { db, now }: TrackingPageDeps,
  format: TableFormat,
): Promise<Response> {
  const { workspace_id, tier } = visitor;
  const itemId = idOf(params.item_id);
  const from = new Date(historyStart(now().getTime(), tiers[tier].history_days));
  const [[item], observations] = await Promise.all([
    notedItems(db.sql, workspace_id, itemId),
    itemObservations(db.sql, workspace_id, [itemId], from, maxObservations),
  ]);
  if (!item) throw new PageNotFound();
  const rows = trackedRows(item, observations, null).map((row) => trackedColumns.map((column) => row[column]));
  return tableResponse(`observations-${itemId}`, format, trackedColumns, rows);
}
