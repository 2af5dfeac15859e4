import { html } from 'hono/html';
import type { NotClaimed } from '../../db/checks.ts';
import { itemRemains, moveItems, setStatuses } from '../../db/tracked-pages.ts';
import { findItem, type ItemStatus, moveItem, removeItem, setItemStatus } from '../../db/tracking.ts';
import { checkByHand } from '../../pipeline/manual-check.ts';
import type { Checked } from '../../pipeline/tracking.ts';
import type { TrackingDeps } from './deps.ts';
import { type FormVisit, idOf, type Page, PageNotFound, redirect, text, type Visit } from './section.ts';
import { itemName, kindName } from './tracking-words.ts';
import { count, type Piece } from './ui.ts';

const page = '/dashboard/tracking';
/** Longer than all sources of one check may take together; what is still under way then is finished by the schedule. */
const check_limit_ms = 30_000;

/** What a check by hand came to, by the name of its notice. */
export const checkNotices: Readonly<Record<string, string>> = {
  'check-OK': 'Checked: 1 credit was charged, and the new numbers are below.',
  'check-failed':
    'The check gave nothing and cost nothing; the reason stands in the log below. It was the one attempt in 24 hours.',
  'check-late':
    'The check takes longer than this page waits: it is finished in the background. Look again in some minutes.',
  'check-too_early': 'Not checked: an item is attempted once in 24 hours.',
  'check-paused': 'Not checked: the item is paused. Resume it first.',
  'check-workspace_paused': 'Not checked: all scheduled work of this workspace is paused.',
  'check-cap_reached': 'Not checked: the monthly cap is reached.',
  'check-no_credits': 'Not checked: there are no credits left.',
} satisfies Record<`check-${Exclude<NotClaimed, 'unknown'>}`, string> & Record<string, string>;

/** Checks an item while the person waits. */
export async function checkNow({ params, visitor }: FormVisit, deps: TrackingDeps): Promise<Response> {
  const item_id = idOf(params.item_id);
  const signal = AbortSignal.timeout(check_limit_ms);
  try {
    const checked = await checkByHand({ workspace_id: visitor.workspace_id, item_id }, deps, signal);
    if (!checked.attempted && checked.reason === 'unknown') throw new PageNotFound();
    return redirect(`${page}/${item_id}`, noticeOf(checked));
  } catch (error) {
    if (!signal.aborted) throw error;
    return redirect(`${page}/${item_id}`, 'check-late');
  }
}

function noticeOf(checked: Checked): string {
  if (!checked.attempted) return `check-${checked.reason}`;
  if (checked.outcome === 'SKIPPED_NO_CREDITS') return 'check-no_credits';
  if (checked.outcome === 'SKIPPED_CAP_REACHED') return 'check-cap_reached';
  if (checked.outcome === 'NOT_RECORDED') return 'check-late';
  return checked.outcome === 'OK' ? 'check-OK' : 'check-failed';
}

export async function changeOne(
  { params, visitor }: FormVisit,
  { db }: TrackingDeps,
  status: ItemStatus,
): Promise<Response> {
  const item_id = idOf(params.item_id);
  if (!(await setItemStatus(db.sql, visitor.workspace_id, item_id, status))) throw new PageNotFound();
  return redirect(`${page}/${item_id}`, `item-${status}`);
}

export async function moveOne({ params, visitor, form }: FormVisit, { db }: TrackingDeps): Promise<Response> {
  const [item_id, list_id] = [idOf(params.item_id), listOf(text(form, 'list'))];
  if (!(await moveItem(db.sql, visitor.workspace_id, item_id, list_id))) throw new PageNotFound();
  return redirect(`${page}/${item_id}`, 'item-moved');
}

function listOf(value: string): string | null {
  return value === '' ? null : idOf(value);
}

/** Pauses, resumes or moves the items that were marked in the table. */
export async function changeMany({ visitor, form }: FormVisit, { db }: TrackingDeps): Promise<Response> {
  const ids = [...new Set(form.getAll('item').map((value) => idOf(String(value))))];
  if (ids.length === 0) return redirect(page, 'items-none');
  const [action = '', list = ''] = text(form, 'action').split(':');
  const { workspace_id } = visitor;
  const changed =
    action === 'list'
      ? await moveItems(db.sql, workspace_id, ids, listOf(list))
      : await setStatuses(db.sql, workspace_id, ids, statusOf(action));
  if (changed === 0) throw new PageNotFound();
  return redirect(page, 'items-changed');
}

function statusOf(action: string): ItemStatus {
  if (action !== 'active' && action !== 'paused') throw new PageNotFound();
  return action;
}

/** Says what is lost before an item is removed. */
export async function removalPage({ params, visitor }: Visit, { db }: TrackingDeps): Promise<Page> {
  const item_id = idOf(params.item_id);
  const { workspace_id } = visitor;
  const [item, remains] = await Promise.all([
    findItem(db.sql, workspace_id, item_id),
    itemRemains(db.sql, workspace_id, item_id),
  ]);
  if (!item) throw new PageNotFound();
  const { observations, campaigns } = remains;
  const counted: Piece =
    campaigns.length > 0
      ? html`<p>These campaigns count it, and will no longer: ${campaigns.join(', ')}. Reports that are frozen stay as they are.</p>`
      : null;
  const content = html`<p>${kindName(item)} <b>${itemName(item)}</b> with its log and ${observations === 1 ? '1 observation' : `${count(observations)} observations`} will be deleted for good. Nobody can bring the numbers of past days back.</p>${counted}
<p>To keep the history, <a href="${page}/${item_id}">pause it instead</a>.</p>
<form method="post" action="${page}/${item_id}/remove" class="row"><button class="danger">Remove with its history</button><a class="button quiet" href="${page}/${item_id}">Keep it</a></form>`;
  return { title: `Remove ${itemName(item)}?`, content };
}

export async function remove({ params, visitor }: FormVisit, { db }: TrackingDeps): Promise<Response> {
  if (!(await removeItem(db.sql, visitor.workspace_id, idOf(params.item_id)))) throw new PageNotFound();
  return redirect(page, 'item-removed');
}
