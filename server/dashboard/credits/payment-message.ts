import { html } from 'hono/html';
import { dayMs } from '../../../db/durations.ts';
import { listPurchases, type PurchaseRow } from '../../../db/money/purchases.ts';
import { packs } from '../../payments/packs.ts';
import type { SectionDeps } from '../deps.ts';
import { count, type Piece } from '../ui/components.ts';
import { awaitedIn, awaitedMessage, awaitingPath } from '../ui/parts/awaited.ts';
import type { Visit } from '../ui/section.ts';

/**
 * Returns the URL path of the credits page that waits for the payment from which the user returns. `after` is the id of
 * the newest payment before it.
 */
export function waitingPath({ searchParams }: URL, now: Date): string {
  return awaitingPath('/dashboard/credits', now, { after: searchParams.get('after') ?? '' });
}

/**
 * Returns the message after a payment. Until the payment is confirmed, the page reloads the message, the balance, the
 * purchases and the ledger automatically. Returns null when the user does not come from the payment page.
 */
export async function paymentMessage(
  { url, visitor }: Visit,
  { db, now }: Pick<SectionDeps, 'db' | 'now'>,
): Promise<Piece> {
  const awaited = awaitedIn(url, now());
  if (!awaited || !url.searchParams.has('after')) return null;
  const [newest] = await listPurchases(db.sql, visitor.workspace_id, 1);
  const isNew = newest && newest.created_at.getTime() > awaited.since.getTime() - dayMs;
  if (isNew && newest.payment_id !== url.searchParams.get('after'))
    return html`<p class="notice good" id="payment" role="status" data-announce>${confirmed(newest)}</p>`;
  return awaitedMessage(awaited, {
    ...{ id: 'payment', also: ['balance', 'credits-figures', 'credits-purchases', 'credits-ledger'], url },
    waiting: 'Thank you. Your credits appear here when the payment is confirmed, usually within 1 minute.',
    late: [
      'Thank you. The payment is not confirmed yet. A bank transfer can take several days.',
      'later: the credits are added by themselves.',
    ],
  });
}

const confirmed = ({ pack, credits }: PurchaseRow): string =>
  `Thank you. Your payment is confirmed: ${packs[pack].name} pack, ${count(credits)} credits added.`;
