import type { TrackingDeps } from './deps.ts';
import type { Section } from './section.ts';
import { addItems } from './tracking-add.ts';
import { changeMany, changeOne, checkNotices, checkNow, moveOne, removalPage, remove } from './tracking-changes.ts';
import { itemCsv, itemPage } from './tracking-item.ts';
import { trackingPage } from './tracking-list.ts';
import { listsPage, makeList, nameList, unmakeList } from './tracking-lists.ts';

/** Accounts, posts and videos that are observed day by day: added, listed, checked, charted, removed. */
export function trackingSection(deps: TrackingDeps): Section {
  return {
    menu: { path: '/dashboard/tracking', label: 'Tracking' },
    pages: {
      '/dashboard/tracking': (visit) => trackingPage(visit, deps),
      '/dashboard/tracking/lists': (visit) => listsPage(visit, deps, null),
      '/dashboard/tracking/:item_id': (visit) => itemPage(visit, deps),
      '/dashboard/tracking/:item_id/remove': (visit) => removalPage(visit, deps),
      '/dashboard/tracking/:item_id/observations.csv': (visit) => itemCsv(visit, deps),
    },
    forms: {
      '/dashboard/tracking': (visit) => addItems(visit, deps),
      '/dashboard/tracking/change': (visit) => changeMany(visit, deps),
      '/dashboard/tracking/lists': (visit) => makeList(visit, deps),
      '/dashboard/tracking/lists/:list_id/rename': (visit) => nameList(visit, deps),
      '/dashboard/tracking/lists/:list_id/remove': (visit) => unmakeList(visit, deps),
      '/dashboard/tracking/:item_id/check': (visit) => checkNow(visit, deps),
      '/dashboard/tracking/:item_id/pause': (visit) => changeOne(visit, deps, 'paused'),
      '/dashboard/tracking/:item_id/resume': (visit) => changeOne(visit, deps, 'active'),
      '/dashboard/tracking/:item_id/move': (visit) => moveOne(visit, deps),
      '/dashboard/tracking/:item_id/remove': (visit) => remove(visit, deps),
    },
    notices: {
      ...checkNotices,
      'item-added': 'Everything is tracked now.',
      'item-removed': 'The item is removed with its history.',
      'item-paused': 'Paused: it is not checked until it is resumed.',
      'item-active': 'Resumed.',
      'item-moved': 'Moved.',
      'items-changed': 'The selected items are changed.',
      'items-none': 'Nothing was selected, so nothing was changed.',
      'list-made': 'The list is made.',
      'list-named': 'The list is renamed.',
      'list-removed': 'The list is removed; its items are still tracked, in no list.',
    },
  };
}
