import { html } from 'hono/html';
import { newId } from '../../../db/ids.ts';
import { readWorkSettings } from '../../../db/tracking/work-settings.ts';
import { quantity } from '../../../pipeline/quantity.ts';
import type { TrackingPageDeps } from '../deps.ts';
import { count, type Piece } from '../ui/components.ts';
import { tiles } from '../ui/parts/blocks.ts';
import { ownerStep } from '../ui/parts/owner-step.ts';
import { type FormVisit, idOf, type Page, PageNotFound, redirect } from '../ui/section.ts';
import { nextFreeCheck } from './labels.ts';
import { type ItemRow, readItemRows } from './rows.ts';

const page = '/dashboard/tracking';

/**
 * Returns the tracked items that can be checked now, and the number of items that cannot: paused items, and items whose
 * last check is too recent.
 */
function checkable(rows: readonly ItemRow[], now: Date) {
  const paused = rows.filter(({ item }) => item.status === 'paused');
  const active = rows.filter(({ item }) => item.status !== 'paused');
  const ready = active.filter(({ item }) => item.attempt_id === null && nextFreeCheck(item, now) === null);
  return { ready, paused: paused.length, early: active.length - ready.length };
}

/** Returns the page that says what the checks of the selected tracked items cost, with the button that starts them. */
export async function confirmChecks(
  { visitor, url }: FormVisit,
  rows: readonly ItemRow[],
  { db, now }: TrackingPageDeps,
): Promise<Page> {
  const { ready, paused, early } = checkable(rows, now());
  const settings = await readWorkSettings(db.sql, visitor.workspace_id, now());
  const left = settings?.monthly_cap == null ? null : Math.max(0, settings.monthly_cap - settings.cap_used);
  const back = page + url.search;
  const content = html`${tiles([
    { label: 'Checked now', value: count(ready.length), hint: 'a successful check costs 1 credit' },
    { label: 'Checked in the last 24 hours', value: count(early), hint: 'left out: once every 24 hours' },
    { label: 'Paused', value: count(paused), hint: 'left out' },
  ])}${limits(ready.length, visitor, left)}
${
  ready.length === 0
    ? html`<p>None of the selected items can be checked now.</p><p><a class="button quiet" href="${back}">Back to tracking</a></p>`
    : html`<form method="post" action="${page}/check${url.search}" class="row actions">${ready.map(({ item }) => html`<input type="hidden" name="id" value="${item.item_id}">`)}<button>Check ${quantity(ready.length, 'item')} for up to ${quantity(ready.length, 'credit')}</button><a class="button quiet" href="${back}">Cancel</a></form>`
}`;
  return { title: 'Check items now', content };
}

/**
 * Returns a warning when the workspace is paused, or when the balance or the rest of the monthly cap is too low for all
 * selected checks. `left` is the number of credits left under the cap, or null without a cap.
 */
function limits(checks: number, visitor: FormVisit['visitor'], left: number | null): Piece {
  const { balance, paused } = visitor;
  if (paused)
    return html`<p class="notice warn">Checks, analyses and imports are paused, so no check starts. ${ownerStep(visitor, 'pause')}</p>`;
  const warn = (name: string, possible: number, link: Piece) =>
    html`<p class="notice warn">${name} is enough for ${count(possible)} of ${count(checks)} checks. The others are not made and cost nothing. ${link}</p>`;
  return html`${balance < checks ? warn('Your balance', balance, ownerStep(visitor, 'credits')) : null}${
    left !== null && left < checks ? warn('The rest of your monthly cap', left, ownerStep(visitor, 'cap')) : null
  }`;
}

/**
 * Queues the checks of the tracked items in the form. The queue runs several checks at a time, by the same rules as
 * scheduled checks.
 */
export async function checkMany({ visitor, form, url }: FormVisit, deps: TrackingPageDeps): Promise<Response> {
  const { workspace_id } = visitor;
  const chosen = new Set(form.getAll('id').map((value) => idOf(String(value))));
  const rows = (await readItemRows(visitor, deps)).filter(({ item }) => chosen.has(item.item_id));
  if (rows.length === 0) throw new PageNotFound();
  const at = deps.now();
  const { ready } = checkable(rows, at);
  const jobs = ready.map(({ item: { item_id } }) => {
    return { key: item_id, data: { workspace_id, item_id, attempt_id: newId(at), trigger: 'manual' } };
  });
  await deps.queue.send('track-check', jobs);
  return redirect(page + url.search, 'items-checking');
}
