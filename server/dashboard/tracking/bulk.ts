import { type ItemStatus, listLists } from '../../../db/tracking/items.ts';
import { moveItems, setStatuses } from '../../../db/tracking/tracked-pages.ts';
import { tableResponse } from '../../http/attachment.ts';
import type { TrackingDeps } from '../deps.ts';
import { type FormVisit, idOf, type Page, PageNotFound, redirect, text } from '../ui/section.ts';
import { mainMetric } from './labels.ts';
import { trackingPage, trackingPath } from './list.ts';
import { filterIn, type Row, readRows, shownRows } from './rows.ts';

/** Changes or exports the selected items, or all items that the filter in the address shows. The filter stays. */
export async function changeMany(visit: FormVisit, deps: TrackingDeps): Promise<Page | Response> {
  const { visitor, form, url } = visit;
  const { workspace_id } = visitor;
  const chosen = new Set(form.getAll('id').map((value) => idOf(String(value))));
  const all = await readRows(visitor, deps);
  const wholeFilter = text(form, 'scope') === 'shown';
  const rows = wholeFilter
    ? shownRows(all, filterIn(url, await listLists(deps.db.sql, workspace_id)))
    : all.filter(({ item }) => chosen.has(item.item_id));
  if (rows.length === 0 && chosen.size > 0) throw new PageNotFound();
  if (rows.length === 0) return trackingPage(visit, deps, 'Select items first. Nothing was changed.');
  const act = text(form, 'act');
  if (act === 'csv' || act === 'xlsx') return tableResponse('tracked-items', act, exportColumns, rows.map(exportRow));
  const ids = rows.map(({ item }) => item.item_id);
  const list = text(form, 'to');
  const changed =
    act === 'move'
      ? await moveItems(deps.db.sql, workspace_id, ids, list === '' ? null : idOf(list))
      : await setStatuses(deps.db.sql, workspace_id, ids, statusOf(act));
  if (changed === 0) throw new PageNotFound();
  return redirect(trackingPath + url.search, act === 'move' ? 'items-moved' : `items-${act}`);
}

function statusOf(action: string): ItemStatus {
  if (action !== 'active' && action !== 'paused') throw new PageNotFound();
  return action;
}

const exportColumns = [
  'item_id',
  'platform',
  'kind',
  'name',
  'identifier',
  'url',
  'status',
  'metric',
  'value',
  'change_7_days',
  'change_30_days',
  'observed_at',
] as const;

/** Returns the exact numbers of an item. An unknown number is an empty cell. */
function exportRow({ item, newest, week, month }: Row) {
  const metric = mainMetric(item);
  const { item_id, platform, kind, name, identifier, url, status } = item;
  const value = newest?.[metric] ?? null;
  const observedAt = newest?.observed_at.toISOString() ?? null;
  return [item_id, platform, kind, name, identifier, url, status, metric, value, week, month, observedAt];
}
