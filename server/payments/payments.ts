import type { Sql } from 'postgres';
import type { Stripe } from 'stripe';
import { z } from 'zod';
import { digestId } from '../../db/ids.ts';
import { type Pack, type PaymentOutcome, recordPurchase, recordReversal } from '../../db/money/purchases.ts';
import type { Reversal, ReversalStage } from '../../db/money/reversals.ts';
import { loadOnce } from '../../pipeline/lazy.ts';
import {
  chargeShape,
  disputeShape,
  eventShape,
  OrderError,
  readEvent,
  refundShape,
  sessionShape,
} from './event-shapes.ts';
import { invoiceUrl } from './invoices.ts';
import { isPack, packs } from './packs.ts';

export interface PaymentsConfig {
  secret_key: string;
  webhook_secret: string;
  /** Address of a fake payment service for tests. Default: Stripe. */
  api?: { protocol: 'http'; host: string; port: number };
}

interface PaymentsDeps {
  db: { sql: Sql };
  now: () => Date;
  base_url: string;
}

interface Order {
  workspace_id: string;
  email: string;
  pack: Pack;
  /**
   * Id of the page on which the user pressed the button; '' when it is unknown. For 24 hours, the same order from the
   * same page gets the same payment page of Stripe.
   */
  page_id: string;
  /** Id of the newest payment before this order. The page after the payment waits for a newer one. */
  newest_payment: string | null;
}

export interface Payments {
  /** Returns the URL of the payment page for one pack. The credits are added when Stripe reports the payment. */
  checkout(order: Order): Promise<string>;
  /** Returns the URL of the page with the invoice or receipt of a payment. Null when it has neither. */
  invoice(paymentId: string): Promise<string | null>;
  /**
   * Processes an event that Stripe posted. An event that was processed before changes nothing. Throws SignatureError
   * when the signature is wrong.
   */
  handleEvent(body: string, signature: string): Promise<PaymentOutcome | 'ignored'>;
}

/** Thrown when an event does not have a valid signature of Stripe. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}

const timeoutMs = 20_000;
const retries = 2;

/** Creates payments through Stripe Checkout. The Stripe library is loaded when it is first used. */
export function createPayments(config: PaymentsConfig, deps: PaymentsDeps): Payments {
  const open = loadOnce(() => openStripe(config));
  return {
    async checkout(order) {
      const stripe = await open();
      const params = orderOf(order, deps.base_url);
      const key = digestId(JSON.stringify([order.page_id, params]));
      const options = order.page_id === '' ? {} : { idempotencyKey: `checkout-${key}` };
      const session = await stripe.checkout.sessions.create(params, options);
      if (session.url === null) throw new Error(`Stripe returned no payment page for workspace ${order.workspace_id}.`);
      return session.url;
    },
    invoice: async (paymentId) => invoiceUrl(await open(), paymentId),
    async handleEvent(body, signature) {
      const stripe = await open();
      let event: unknown;
      try {
        event = await stripe.webhooks.constructEventAsync(body, signature, config.webhook_secret);
      } catch {
        throw new SignatureError('The signature of this event is wrong: check STRIPE_WEBHOOK_SECRET.');
      }
      return processEvent(event, deps);
    },
  };
}

async function openStripe({ secret_key, api }: PaymentsConfig): Promise<Stripe> {
  const stripe = await import('stripe');
  return new stripe.default(secret_key, { timeout: timeoutMs, maxNetworkRetries: retries, telemetry: false, ...api });
}

function orderOf(
  { workspace_id, email, pack, newest_payment }: Order,
  baseUrl: string,
): Stripe.Checkout.SessionCreateParams {
  const { name, price_usd, credits } = packs[pack];
  // The metadata stores the number of credits that the user buys. When the pack has a different number at the time of
  // payment, the event is refused and the operator decides.
  const metadata = { workspace_id, pack, credits: String(credits) };
  return {
    mode: 'payment',
    client_reference_id: workspace_id,
    customer_email: email,
    metadata,
    payment_intent_data: { metadata },
    // Companies need an invoice with their name and tax ID for their bookkeeping.
    invoice_creation: { enabled: true },
    tax_id_collection: { enabled: true },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'usd',
          unit_amount: price_usd * 100,
          tax_behavior: 'exclusive',
          product_data: { name: `Tidemark ${name}: ${credits.toLocaleString('en-US')} credits` },
        },
      },
    ],
    success_url: `${baseUrl}/dashboard/credits/paid?${new URLSearchParams({ after: newest_payment ?? '' })}`,
    cancel_url: `${baseUrl}/dashboard/credits`,
  };
}

const orderMetadata = z.object({
  workspace_id: z.uuid(),
  pack: z.string().refine(isPack),
  credits: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
});

async function processEvent(event: unknown, { db, now }: PaymentsDeps): Promise<PaymentOutcome | 'ignored'> {
  const { id, type, data } = readEvent(eventShape, event);
  const at = { event_id: id, type };
  const reversal = reversalOf(type, data.object);
  if (reversal) return recordReversal(db.sql, at, reversal, now());
  if (type === 'checkout.session.completed' || type === 'checkout.session.async_payment_succeeded') {
    const session = readEvent(sessionShape, data.object);
    // With a bank transfer, Stripe reports the completed order days before the money arrives.
    if (session.payment_status !== 'paid') return 'ignored';
    const order = orderMetadata.safeParse(session.metadata);
    // Without this metadata, the payment is for another product that is sold with the same Stripe account.
    if (!order.success) return 'ignored';
    const { workspace_id, credits } = order.data;
    const pack = order.data.pack as Pack;
    refuseOtherCredits(pack, credits);
    const paid = { payment_id: session.payment_intent ?? session.id, amount: session.amount_total ?? 0 };
    return recordPurchase(
      db.sql,
      at,
      { workspace_id, credits, pack, ...paid, currency: session.currency ?? 'usd' },
      now(),
    );
  }
  return 'ignored';
}

/** The events about one refund. Their status says whether the refund has failed. */
const refundEvents = ['refund.created', 'refund.updated', 'refund.failed', 'charge.refund.updated'];

/** Returns the refund or dispute that an event reports. Returns null for other events and other kinds of payment. */
function reversalOf(type: string, object: unknown): Reversal | null {
  if (type === 'charge.refunded') {
    const { payment_intent, amount_refunded } = readEvent(chargeShape, object);
    if (!payment_intent) return null;
    return { payment_id: payment_intent, source: 'refund', amount: amount_refunded, stage: 'open' };
  }
  if (refundEvents.includes(type)) {
    const { id, payment_intent, amount, status } = readEvent(refundShape, object);
    if (!payment_intent) return null;
    const stage = status === 'failed' || status === 'canceled' ? 'won' : 'open';
    return { payment_id: payment_intent, source: `refund:${id}`, amount, stage };
  }
  if (!type.startsWith('charge.dispute.')) return null;
  const dispute = readEvent(disputeShape, object);
  if (!dispute.payment_intent) return null;
  const stage = stageOf(dispute.status);
  // In a dispute with a status that begins with "warning", the bank only asks about the payment and takes no money.
  // When a dispute is won, the bank returns the money.
  const taken = stage === 'won' || dispute.status.startsWith('warning') ? 0 : dispute.amount;
  return { payment_id: dispute.payment_intent, source: dispute.id, amount: taken, stage };
}

function refuseOtherCredits(pack: Pack, credits: number): void {
  const offered = packs[pack].credits;
  if (credits === offered) return;
  throw new OrderError(
    `The ${pack} pack has ${offered} credits, but the metadata of this payment says ${credits}: refund it, or add credits with the operator command.`,
  );
}

function stageOf(status: string): ReversalStage {
  if (status === 'lost') return 'lost';
  return status === 'won' || status === 'warning_closed' || status === 'prevented' ? 'won' : 'open';
}
