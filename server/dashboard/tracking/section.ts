import type { TrackingPageDeps } from '../deps.ts';
import { joinSections, type Section } from '../ui/section.ts';
import { addItems } from './add.ts';
import { changeMany } from './bulk.ts';
import { changeOne, checkNotices, checkNow, moveOne, removalPage, remove } from './changes.ts';
import { checkMany } from './check-many.ts';
import { itemPage, itemTable } from './item.ts';
import { trackingPage } from './list.ts';
import { listSheetsSection } from './list-sheets.ts';
import { createList, deleteList, listsPage, submitListName } from './lists.ts';
import { undo } from './removals.ts';

/** Creates the tracking pages: add, list, check, chart and remove accounts, posts and videos. */
export function trackingSection(deps: TrackingPageDeps): Section {
  return joinSections([itemsSection(deps), listSheetsSection(deps)]);
}

function itemsSection(deps: TrackingPageDeps): Section {
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
      '/dashboard/tracking/check': (visit) => checkMany(visit, deps),
      '/dashboard/tracking/undo': (visit) => undo(visit, deps),
      '/dashboard/tracking/lists': (visit) => createList(visit, deps),
      '/dashboard/tracking/lists/:list_id/rename': (visit) => submitListName(visit, deps),
      '/dashboard/tracking/lists/:list_id/remove': (visit) => deleteList(visit, deps),
      '/dashboard/tracking/:item_id/check': (visit) => checkNow(visit, deps),
      '/dashboard/tracking/:item_id/pause': (visit) => changeOne(visit, deps, 'paused'),
      '/dashboard/tracking/:item_id/resume': (visit) => changeOne(visit, deps, 'active'),
      '/dashboard/tracking/:item_id/move': (visit) => moveOne(visit, deps),
      '/dashboard/tracking/:item_id/remove': (visit) => remove(visit, deps),
    },
    once: { '/dashboard/tracking/lists': '/dashboard/tracking/lists' },
    notices: {
      ...checkNotices,
      'item-added': 'Items added.',
      'item-paused': 'Item paused. It is not checked until you resume it.',
      'item-active': 'Item resumed.',
      'item-moved': 'Item moved.',
      'items-paused': 'Items paused. They are not checked until you resume them.',
      'items-active': 'Items resumed.',
      'items-moved': 'Items moved.',
      'items-in-campaign': 'Items added to the campaign. Reports of the current and later weeks include them.',
      'items-checking': 'The checks are running. New numbers appear here within a few minutes.',
      'items-restored': 'Items restored with their history.',
      'items-not-restored':
        'Nothing was restored: your tier allows no more items, or you track them again. Remove another item, then undo again.',
      'items-partly-restored':
        'Some items were not restored: your tier allows no more, or you track them again. The others are back with their history.',
      'list-made': 'List created.',
      'list-named': 'List renamed.',
      'list-removed': 'List removed. Its items are still tracked.',
    },
  };
}
