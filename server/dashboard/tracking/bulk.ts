import { type ItemStatus, setStatuses } from '../../../db/tracking/items.ts';
import { listLists, moveItems } from '../../../db/tracking/lists.ts';
import { removeItems } from '../../../db/tracking/removals.ts';
import { CampaignError } from '../../../pipeline/campaigns/campaign-fields.ts';
import { attachToCampaign } from '../../../pipeline/campaigns/campaigns.ts';
import { tableResponse } from '../../http/attachment.ts';
import type { TrackingPageDeps } from '../deps.ts';
import { at } from '../ui/forms/field-problem.ts';
import { type FormVisit, idOf, type Page, PageNotFound, redirect, text } from '../ui/section.ts';
import { confirmChecks } from './check-many.ts';
import { comparisonPath, maxCompared } from './compare.ts';
import { mainMetric } from './labels.ts';
import { trackingPage, trackingPath } from './list.ts';
import { type ItemRow, itemFilterIn, readItemRows, shownItems } from './rows.ts';

/**
 * Changes or exports the selected tracked items, or all items that match the filter in the page's URL. The page after
 * the change keeps this filter.
 */
export async function changeMany(visit: FormVisit, deps: TrackingPageDeps): Promise<Page | Response> {
  const { visitor, form, url } = visit;
  const { workspace_id } = visitor;
  const chosen = new Set(form.getAll('id').map((value) => idOf(String(value))));
  const all = await readItemRows(visitor, deps);
  const wholeFilter = text(form, 'scope') === 'shown';
  const rows = wholeFilter
    ? shownItems(all, itemFilterIn(url, await listLists(deps.db.sql, workspace_id)))
    : all.filter(({ item }) => chosen.has(item.item_id));
  if (rows.length === 0 && chosen.size > 0) throw new PageNotFound();
  if (rows.length === 0) return trackingPage(visit, deps, 'Select items first. Nothing was changed.');
  const act = text(form, 'act');
  const ids = rows.map(({ item }) => item.item_id);
  if (act === 'check') return confirmChecks(visit, rows, deps);
  if (act === 'compare') {
    if (ids.length > 1 && ids.length <= maxCompared + 1) return redirect(comparisonPath(ids));
    return trackingPage(visit, deps, `Select 2 to ${maxCompared + 1} items to compare.`);
  }
  if (act === 'csv' || act === 'xlsx') return tableResponse('tracked-items', act, exportColumns, rows.map(exportRow));
  if (act === 'remove') {
    await removeItems(deps.db.sql, workspace_id, ids, deps.now());
    return redirect(trackingPath + url.search);
  }
  if (act === 'campaign') return addToCampaign(visit, ids, deps);
  const list = text(form, 'to');
  const changed =
    act === 'move'
      ? await moveItems(deps.db.sql, workspace_id, ids, list === '' ? null : idOf(list))
      : await setStatuses(deps.db.sql, workspace_id, ids, statusOf(act));
  if (changed === 0) throw new PageNotFound();
  return redirect(trackingPath + url.search, act === 'move' ? 'items-moved' : `items-${act}`);
}

async function addToCampaign(
  visit: FormVisit,
  ids: readonly string[],
  deps: TrackingPageDeps,
): Promise<Page | Response> {
  const { visitor, form, url } = visit;
  const campaignId = text(form, 'campaign');
  if (campaignId === '') return trackingPage(visit, deps, at('campaign', 'Choose a campaign. Nothing was changed.'));
  try {
    await attachToCampaign(deps.db.sql, visitor.workspace_id, idOf(campaignId), ids);
  } catch (error) {
    throw error instanceof CampaignError && error.code === 'RESOURCE_NOT_FOUND' ? new PageNotFound() : error;
  }
  return redirect(trackingPath + url.search, 'items-in-campaign');
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

/** Returns the row of a tracked item in an export, with exact numbers. An unknown number is an empty cell. */
function exportRow({ item, newest, week, month }: ItemRow) {
  const metric = mainMetric(item);
  const { item_id, platform, kind, name, identifier, url, status } = item;
  const value = newest?.value ?? null;
  const observedAt = newest?.observed_at.toISOString() ?? null;
  return [item_id, platform, kind, name, identifier, url, status, metric, value, week, month, observedAt];
}
