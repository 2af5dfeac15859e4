import { html } from 'hono/html';
import { dayMs, minuteMs } from '../../../db/durations.ts';
import { listPurchases, type PurchaseRow } from '../../../db/money/purchases.ts';
import { packs } from '../../payments/packs.ts';
import type { SectionDeps } from '../deps.ts';
import { count, type Piece } from '../ui/components.ts';
import { liveAttributes } from '../ui/parts/live.ts';
import type { Visit } from '../ui/section.ts';

/** Milliseconds after a payment during which the page looks for it by itself. */
const refreshedMs = 3 * minuteMs;
/** Milliseconds after a payment during which the page shows a message about it. */
const shownMs = 15 * minuteMs;
const everyMs = 3_000;

/**
 * Returns the URL path of the credits page that waits for the payment from which the user returns. `after` is the id of
 * the newest payment before it.
 */
export function waitingPath({ searchParams }: URL, now: Date): string {
  const query = new URLSearchParams({ after: searchParams.get('after') ?? '', since: String(now.getTime()) });
  return `/dashboard/credits?${query}`;
}

/**
 * Returns the message after a payment. Until the payment is confirmed, the page reloads the message, the balance, the
 * purchases and the ledger automatically. Returns null when the user does not come from the payment page.
 */
export async function paymentMessage(
  { url, visitor }: Visit,
  { db, now }: Pick<SectionDeps, 'db' | 'now'>,
): Promise<Piece> {
  const since = Number(url.searchParams.get('since'));
  const waited = now().getTime() - since;
  if (!url.searchParams.has('after') || !(waited >= 0 && waited < shownMs)) return null;
  const [newest] = await listPurchases(db.sql, visitor.workspace_id, 1);
  if (newest && newest.payment_id !== url.searchParams.get('after') && newest.created_at.getTime() > since - dayMs)
    return html`<p class="notice good" id="payment" role="status" data-announce>${confirmed(newest)}</p>`;
  const also = ['balance', 'credits-figures', 'credits-purchases', 'credits-ledger'];
  const path = `${url.pathname}${url.search}`;
  if (waited >= refreshedMs)
    return html`<p class="notice" id="payment" role="status">Thank you. The payment is not confirmed yet. A bank transfer can take several days. <a href="${path}">Reload this page</a> later: the credits are added by themselves.</p>`;
  const follow = liveAttributes({ id: 'payment', path, also, every_ms: everyMs });
  return html`<p class="notice" id="payment" role="status" data-announce${follow}>Thank you. Your credits appear here when the payment is confirmed, usually within 1 minute.<noscript> <a href="${path}">Reload this page</a> to see them.</noscript></p>`;
}

const confirmed = ({ pack, credits }: PurchaseRow): string =>
  `Thank you. Your payment is confirmed: ${packs[pack].name} pack, ${count(credits)} credits added.`;
