import { html } from 'hono/html';
import type { NotClaimed } from '../../../db/tracking/checks.ts';
import { findItem, type ItemStatus, setStatuses } from '../../../db/tracking/items.ts';
import { moveItems } from '../../../db/tracking/lists.ts';
import { removeItems } from '../../../db/tracking/removals.ts';
import { itemDependents } from '../../../db/tracking/tracked-pages.ts';
import type { Checked } from '../../../pipeline/tracking/check-item.ts';
import { checkByHand } from '../../../pipeline/tracking/manual-check.ts';
import type { TrackingPageDeps } from '../deps.ts';
import { count, type Piece } from '../ui/components.ts';
import { awaitingPath } from '../ui/parts/awaited.ts';
import { kindName } from '../ui/platform-names.ts';
import { type FormVisit, idOf, type Page, PageNotFound, redirect, text, type Visit } from '../ui/section.ts';
import { itemName } from './labels.ts';

const page = '/dashboard/tracking';
/**
 * Maximum number of milliseconds that the page waits for a manual check of a tracked item. A check normally takes less.
 * The background job finishes a slower check.
 */
const checkLimitMs = 30_000;

/** Messages for the user after a manual check of a tracked item. Each key is the name of a notice. */
export const checkNotices: Readonly<Record<string, string>> = {
  'check-OK': 'Checked for 1 credit. The new numbers are below.',
  'check-failed': 'The check failed and cost nothing. The log below shows the reason. You can check again in 24 hours.',
  'check-too_early': 'Not checked. Each item can be checked once every 24 hours.',
  'check-paused': 'Not checked, because the item is paused. Resume it first.',
  'check-workspace_paused':
    'Not checked, because checks, analyses and imports are paused. Resume them in the settings.',
  'check-cap_reached':
    'Not checked, because your monthly cap is reached. Raise it in the settings, or wait until the 1st (UTC).',
  'check-no_credits': 'Not checked, because you have no credits left. Add credits first.',
} satisfies Record<`check-${Exclude<NotClaimed, 'unknown'>}`, string> & Record<string, string>;

/** Fetches the numbers of a tracked item while the user waits for the page. */
export async function checkNow({ params, visitor }: FormVisit, deps: TrackingPageDeps): Promise<Response> {
  const itemId = idOf(params.item_id);
  const signal = AbortSignal.timeout(checkLimitMs);
  try {
    const checked = await checkByHand({ workspace_id: visitor.workspace_id, item_id: itemId }, deps, signal);
    if (!checked.attempted && checked.reason === 'unknown') throw new PageNotFound();
    const notice = noticeOf(checked);
    if (notice) return redirect(`${page}/${itemId}`, notice);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return redirect(awaitingPath(`${page}/${itemId}`, deps.now()));
}

/** Returns the message about a check. Null for a check that continues in the background. */
function noticeOf(checked: Checked): string | null {
  if (!checked.attempted) return `check-${checked.reason}`;
  if (checked.outcome === 'SKIPPED_NO_CREDITS') return 'check-no_credits';
  if (checked.outcome === 'SKIPPED_CAP_REACHED') return 'check-cap_reached';
  if (checked.outcome === 'NOT_RECORDED') return null;
  return checked.outcome === 'OK' ? 'check-OK' : 'check-failed';
}

/** Pauses or resumes the checks of one tracked item. Throws PageNotFound when the workspace has no such item. */
export async function changeOne(
  { params, visitor }: FormVisit,
  { db }: TrackingPageDeps,
  status: ItemStatus,
): Promise<Response> {
  const itemId = idOf(params.item_id);
  if ((await setStatuses(db.sql, visitor.workspace_id, [itemId], status)) === 0) throw new PageNotFound();
  return redirect(`${page}/${itemId}`, `item-${status}`);
}

/**
 * Moves one tracked item to another list, or out of its list when the field is empty. Throws PageNotFound when the
 * workspace has no such item or list.
 */
export async function moveOne({ params, visitor, form }: FormVisit, { db }: TrackingPageDeps): Promise<Response> {
  const [itemId, listId] = [idOf(params.item_id), listOf(text(form, 'list'))];
  if ((await moveItems(db.sql, visitor.workspace_id, [itemId], listId)) === 0) throw new PageNotFound();
  return redirect(`${page}/${itemId}`, 'item-moved');
}

function listOf(value: string): string | null {
  return value === '' ? null : idOf(value);
}

/** Returns the page that shows what will be deleted when the user removes a tracked item. */
export async function removalPage({ params, visitor }: Visit, { db }: TrackingPageDeps): Promise<Page> {
  const itemId = idOf(params.item_id);
  const { workspace_id } = visitor;
  const [item, remains] = await Promise.all([
    findItem(db.sql, workspace_id, itemId),
    itemDependents(db.sql, workspace_id, itemId),
  ]);
  if (!item) throw new PageNotFound();
  const { observations, campaigns } = remains;
  const affected: Piece =
    campaigns.length > 0
      ? html`<p>It will be removed from these campaigns: ${campaigns.join(', ')}. Finished reports do not change.</p>`
      : null;
  const content = html`<p>${kindName(item)} <b>${itemName(item)}</b> will be deleted with its log and ${observations === 1 ? '1 observation' : `${count(observations)} observations`}. You can undo this on the page Tracking for 24 hours. After that, the numbers of past days cannot be restored, and alert rules that watch only this item are deleted.</p>${affected}
<p>To keep the history, <a href="${page}/${itemId}">pause it instead</a>.</p>
<form method="post" action="${page}/${itemId}/remove" class="row"><button class="danger">Remove item and history</button><a class="button quiet" href="${page}/${itemId}">Cancel</a></form>`;
  return { title: `Remove ${itemName(item)}?`, content };
}

/**
 * Removes one tracked item with its history. The removal can be undone for 24 hours. Throws PageNotFound when the
 * workspace has no such item.
 */
export async function remove({ params, visitor }: FormVisit, { db, now }: TrackingPageDeps): Promise<Response> {
  if (!(await removeItems(db.sql, visitor.workspace_id, [idOf(params.item_id)], now()))) throw new PageNotFound();
  return redirect(page);
}
