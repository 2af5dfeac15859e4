import { html } from 'hono/html';
import type { LedgerEntry } from '../../../db/money/ledger-entries.ts';
import { listPurchases, type PurchaseRow } from '../../../db/money/purchases.ts';
import { listReversals, type ReversedPayment } from '../../../db/money/reversals.ts';
import { isPack, packs } from '../../payments/packs.ts';
import type { SectionDeps } from '../deps.ts';
import { card, count, type Piece, table, tag, time } from '../ui/components.ts';
import { may } from '../ui/rules.ts';
import type { Visitor } from '../ui/visitor.ts';

const listedPurchases = 20;
/** Path of the page that opens the invoice of a purchase. The parameter `payment` is the id of the payment. */
export const invoicePath = '/dashboard/credits/invoice';

/**
 * Returns the card with the purchases of a workspace, including refunds and disputes. Returns null without purchases.
 * With `has_invoices`, people who may open invoices see links to them.
 */
export async function purchasesCard(
  { sql }: SectionDeps['db'],
  visitor: Visitor,
  { has_invoices }: { has_invoices: boolean },
): Promise<Piece> {
  const purchases = await listPurchases(sql, visitor.workspace_id, listedPurchases);
  if (purchases.length === 0) return null;
  const reversals = await listReversals(
    sql,
    purchases.map(({ payment_id }) => payment_id),
  );
  const reversalsOf = Map.groupBy(reversals, ({ payment_id }) => payment_id);
  const number = (heading: string) => ({ heading, number: true });
  const linked = has_invoices && may(visitor, 'GET', invoicePath);
  const rows = purchases.map((bought) => [
    time(bought.created_at),
    packs[bought.pack].name,
    count(bought.credits),
    money(bought.amount, bought.currency),
    ...(linked ? [invoiceLink(bought)] : []),
    stateOf(bought, reversalsOf.get(bought.payment_id) ?? []),
  ]);
  const columns = [
    { heading: 'Time', time: true },
    'Pack',
    number('Credits'),
    number('Paid, with tax'),
    ...(linked ? ['Invoice'] : []),
    { heading: 'Payment', wide: true },
  ];
  return card('Purchases', table('Purchased packs', columns, rows, { as_cards: true }));
}

const invoiceLink = ({ payment_id }: PurchaseRow) =>
  html`<a href="${invoicePath}?${new URLSearchParams({ payment: payment_id })}">Open invoice</a>`;

/** Returns the state of a purchase, with the returned or disputed amount of money and the credits taken back for it. */
function stateOf(bought: PurchaseRow, reversals: readonly ReversedPayment[]): Piece {
  const { amount, currency, refunded_amount, taken_credits } = bought;
  if (refunded_amount === 0) {
    const isWon = reversals.some(({ stage }) => stage === 'won');
    return html`${tag('paid', 'good')}${isWon ? html`<small>The dispute is over.</small>` : null}`;
  }
  const sumOf = (counts: (reversal: ReversedPayment) => boolean) =>
    reversals.filter(counts).reduce((sum, reversal) => sum + reversal.amount, 0);
  const isOpenDispute = ({ is_dispute, stage }: ReversedPayment) => is_dispute && stage === 'open';
  const disputed = sumOf(isOpenDispute);
  const returned = Math.min(
    amount,
    sumOf((reversal) => !isOpenDispute(reversal)),
  );
  const taken = `${count(taken_credits)} credits taken back`;
  const facts = [
    ...(returned > 0 ? [`${money(returned, currency)} returned`] : []),
    ...(disputed > 0 ? [`${money(disputed, currency)} disputed`] : []),
    disputed > 0 && returned === 0 ? `${taken} until the bank decides` : taken,
  ];
  const isLost = reversals.some(({ is_dispute, stage }) => is_dispute && stage === 'lost');
  const refunded = refunded_amount < amount ? 'partly refunded' : 'refunded';
  const label = disputed > 0 ? 'disputed' : isLost ? 'charged back' : refunded;
  return html`${tag(label, 'warn')}<small>${facts.join(', ')}</small>`;
}

/**
 * Formats an amount of money, such as $28.56 or ¥4,760. `amount` is in the smallest unit of the currency, such as
 * cents.
 */
function money(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

const returnReason = /^return after a (dispute|failed refund) of (\S+)$/;
const refundReason = /^refund of (\S+?)(?:: (\d+) credits due, (\d+) left)?$/;

/** Returns the id of the payment whose refund or dispute a ledger entry seems to be about, else null. */
export function paymentIn({ kind, reason }: Pick<LedgerEntry, 'kind' | 'reason'>): string | null {
  if (kind !== 'adjustment') return null;
  return returnReason.exec(reason ?? '')?.[2] ?? refundReason.exec(reason ?? '')?.[1] ?? null;
}

/**
 * Returns the reason of a ledger entry about a purchase as a sentence with the id of its payment. Returns other reasons
 * as they are, such as one that an operator typed. `payments` has those payments of the workspace that
 * {@link paymentIn} finds.
 */
export function purchaseReason(entry: Pick<LedgerEntry, 'kind' | 'reason'>, payments: ReadonlySet<string>): Piece {
  const { kind, reason } = entry;
  if (kind === 'purchase') {
    const [, pack, bought] = /^(\w+) pack (\S+)$/.exec(reason ?? '') ?? [];
    return pack && isPack(pack) ? html`${packs[pack].name} pack<small>${bought}</small>` : reason;
  }
  const paymentId = paymentIn(entry);
  if (paymentId === null || !payments.has(paymentId)) return reason;
  const [, ended] = returnReason.exec(reason ?? '') ?? [];
  if (ended) return html`Credits returned after a ${ended}<small>${paymentId}</small>`;
  const [, , due, left] = refundReason.exec(reason ?? '') ?? [];
  const rest = due ? `${count(Number(due))} credits were due, but only ${count(Number(left))} were left. ` : '';
  return html`Refund or dispute of a purchase<small>${rest}${paymentId}</small>`;
}
