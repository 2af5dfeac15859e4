import type { TrackingDeps } from '../deps.ts';
import { joinSections, type Section } from '../ui/section.ts';
import { addItems } from './add.ts';
import { changeMany } from './bulk.ts';
import { changeOne, checkNotices, checkNow, moveOne, removalPage, remove } from './changes.ts';
import { itemPage, itemTable } from './item.ts';
import { trackingPage } from './list.ts';
import { listSheetsSection } from './list-sheets.ts';
import { createList, deleteList, listsPage, submitListName } from './lists.ts';

/** Creates the tracking pages: add, list, check, chart and remove accounts, posts and videos. */
export function trackingSection(deps: TrackingDeps): Section {
  return joinSections([itemsSection(deps), listSheetsSection(deps)]);
}

function itemsSection(deps: TrackingDeps): Section {
  return {
    menu: { path: '/dashboard/tracking', label: 'Tracking' },
    pages: {
      '/dashboard/tracking': (visit) => trackingPage(visit, deps),
      '/dashboard/tracking/lists': (visit) => listsPage(visit, deps, null),
      '/dashboard/tracking/:item_id': (visit) => itemPage(visit, deps),
      '/dashboard/tracking/:item_id/remove': (visit) => removalPage(visit, deps),
      '/dashboard/tracking/:item_id/observations.csv': (visit) => itemTable(visit, deps, 'csv'),
      '/dashboard/tracking/:item_id/observations.xlsx': (visit) => itemTable(visit, deps, 'xlsx'),
    },
    forms: {
      '/dashboard/tracking': (visit) => addItems(visit, deps),
      '/dashboard/tracking/change': (visit) => changeMany(visit, deps),
      '/dashboard/tracking/lists': (visit) => createList(visit, deps),
      '/dashboard/tracking/lists/:list_id/rename': (visit) => submitListName(visit, deps),
      '/dashboard/tracking/lists/:list_id/remove': (visit) => deleteList(visit, deps),
      '/dashboard/tracking/:item_id/check': (visit) => checkNow(visit, deps),
      '/dashboard/tracking/:item_id/pause': (visit) => changeOne(visit, deps, 'paused'),
      '/dashboard/tracking/:item_id/resume': (visit) => changeOne(visit, deps, 'active'),
      '/dashboard/tracking/:item_id/move': (visit) => moveOne(visit, deps),
      '/dashboard/tracking/:item_id/remove': (visit) => remove(visit, deps),
    },
    notices: {
      ...checkNotices,
      'item-added': 'Items added.',
      'item-removed': 'Item and history removed.',
      'item-paused': 'Item paused. It is not checked until you resume it.',
      'item-active': 'Item resumed.',
      'item-moved': 'Item moved.',
      'items-paused': 'Items paused. They are not checked until you resume them.',
      'items-active': 'Items resumed.',
      'items-moved': 'Items moved.',
      'list-made': 'List created.',
      'list-named': 'List renamed.',
      'list-removed': 'List removed. Its items are still tracked.',
    },
  };
}
