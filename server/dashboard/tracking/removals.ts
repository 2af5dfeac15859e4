import { html, raw } from 'hono/html';
import { minuteMs } from '../../../db/durations.ts';
import { listRemovals, type Removal, undoRemoval } from '../../../db/tracking/removals.ts';
import { tiers } from '../../../pipeline/tiers.ts';
import type { TrackingPageDeps } from '../deps.ts';
import { count, type Piece } from '../ui/components.ts';
import { ago } from '../ui/parts/numbers.ts';
import { type FormVisit, idOf, PageNotFound, redirect, text } from '../ui/section.ts';
import type { Visitor } from '../ui/visitor.ts';

/**
 * Number of milliseconds for which a removal has its Undo button at the top of the page. Older removals are collapsed.
 */
const freshMs = 10 * minuteMs;
/** Milliseconds after a removal during which its message is announced to users of screen readers. */
const announcedMs = 5_000;
const namesShown = 5;

/** Returns the removals of tracked items in the last 24 hours, each with a button that restores the items. */
export async function removalsPiece(
  { workspace_id }: Visitor,
  { db, now }: Pick<TrackingPageDeps, 'db' | 'now'>,
): Promise<Piece> {
  const at = now();
  const [newest, ...others] = await listRemovals(db.sql, workspace_id, at);
  if (!newest) return null;
  const age = at.getTime() - newest.removed_at.getTime();
  const fresh = age < freshMs;
  const older = fresh ? others : [newest, ...others];
  return html`${fresh ? html`<div class="notice good undo">${line(newest, at, raw(` role="status"${age < announcedMs ? ' data-announce' : ''}`))}</div>` : null}${
    older.length > 0
      ? html`<details class="removed"><summary>Removed in the last 24 hours (${count(older.length)})</summary>${older.map((one) => html`<div class="undo">${line(one, at)}</div>`)}</details>`
      : null
  }`;
}

function line({ removal_id, removed_at, names }: Removal, now: Date, status: Piece = null): Piece {
  const more = names.length > namesShown ? ` and ${count(names.length - namesShown)} more` : '';
  const what = names.length === 1 ? '1 item' : `${count(names.length)} items`;
  return html`<span${status}><b>${what} removed</b> ${ago(removed_at, now)}: <bdi>${names.slice(0, namesShown).join(', ')}</bdi>${more}.${status ? ' You can undo this for 24 hours.' : null}</span>
<form method="post" action="/dashboard/tracking/undo"><input type="hidden" name="removal_id" value="${removal_id}"><button class="quiet">Undo<span class="hidden"> the removal of ${what}</span></button></form>`;
}

/** Restores the tracked items that one removal deleted. */
export async function undo({ visitor, form }: FormVisit, { db, now }: TrackingPageDeps): Promise<Response> {
  const limit = tiers[visitor.tier].tracked_items;
  const removalId = idOf(text(form, 'removal_id'));
  const undone = await undoRemoval(db.sql, visitor.workspace_id, removalId, { limit, now: now() });
  if (!undone) throw new PageNotFound();
  if (undone.left === 0) return redirect('/dashboard/tracking', 'items-restored');
  return redirect('/dashboard/tracking', undone.restored === 0 ? 'items-not-restored' : 'items-partly-restored');
}
