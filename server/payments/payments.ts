import type { Sql } from 'postgres';
import type { Stripe } from 'stripe';
import { z } from 'zod';
import {
  type Pack,
  type PaymentOutcome,
  type ReversalStage,
  recordPurchase,
  recordReversal,
} from '../../db/money/purchases.ts';
import { isPack, packs } from './packs.ts';

export interface PaymentsConfig {
  secret_key: string;
  webhook_secret: string;
  /** Address of a fake payment service in tests. Default: Stripe. */
  api?: { protocol: 'http'; host: string; port: number };
}

export interface PaymentsDeps {
  db: { sql: Sql };
  now: () => Date;
  base_url: string;
}

export interface Payments {
  /** Returns the address of the payment page for one pack. Credits are added after payment. */
  checkout(order: { workspace_id: string; email: string; pack: Pack }): Promise<string>;
  /** Processes an event that Stripe posted; a repeated event changes nothing. Throws SignatureError for a wrong signature. */
  handleEvent(body: string, signature: string): Promise<PaymentOutcome | 'ignored'>;
}

/** The event contradicts what this server sells, so that no credits were added. */
export class OrderError extends Error {
  override readonly name = 'OrderError';
}

/** The event was not signed by the payment service. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}

const timeoutMs = 20_000;
const retries = 2;

/** Creates payments through Stripe Checkout. The Stripe library is loaded on first use. */
export function createPayments(config: PaymentsConfig, deps: PaymentsDeps): Payments {
  let opened: Promise<Stripe> | null = null;
  const open = () => {
    opened ??= openStripe(config);
    return opened;
  };
  return {
    async checkout(order) {
      const stripe = await open();
      const session = await stripe.checkout.sessions.create(orderOf(order, deps.base_url));
      if (session.url === null) throw new Error('the payment service returned no payment page');
      return session.url;
    },
    async handleEvent(body, signature) {
      const stripe = await open();
      let event: Stripe.Event;
      try {
        event = await stripe.webhooks.constructEventAsync(body, signature, config.webhook_secret);
      } catch {
        throw new SignatureError('The signature of this event is wrong: check the webhook secret.');
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
  { workspace_id, email, pack }: { workspace_id: string; email: string; pack: Pack },
  baseUrl: string,
): Stripe.Checkout.SessionCreateParams {
  const { name, price_usd, credits } = packs[pack];
  // Credits are fixed at checkout, even if prices change before the payment arrives.
  const metadata = { workspace_id, pack, credits: String(credits) };
  return {
    mode: 'payment',
    client_reference_id: workspace_id,
    customer_email: email,
    metadata,
    payment_intent_data: { metadata },
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
    success_url: `${baseUrl}/dashboard/credits?notice=paid`,
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

async function processEvent(event: Stripe.Event, { db, now }: PaymentsDeps): Promise<PaymentOutcome | 'ignored'> {
  const at = { event_id: event.id, type: event.type };
  if (event.type === 'checkout.session.completed' || event.type === 'checkout.session.async_payment_succeeded') {
    const session = event.data.object;
    // A bank transfer completes the session days before the money arrives.
    if (session.payment_status !== 'paid') return 'ignored';
    const order = orderMetadata.safeParse(session.metadata);
    // A product of another shop on the same Stripe account.
    if (!order.success) return 'ignored';
    const { pack, credits } = order.data;
    const offered = packs[pack as Pack].credits;
    if (credits !== offered) {
      throw new OrderError(
        `The ${pack} pack has ${offered} credits, but the metadata of this payment says ${credits}: refund it, or add credits with the operator command.`,
      );
    }
    const paymentId = idOf(session.payment_intent) ?? session.id;
    const paid = { payment_id: paymentId, amount: session.amount_total ?? 0, currency: session.currency ?? 'usd' };
    return recordPurchase(db.sql, at, { ...order.data, pack: order.data.pack as Pack, ...paid }, now());
  }
  if (event.type === 'charge.refunded') {
    const { payment_intent, amount_refunded } = event.data.object;
    const paymentId = idOf(payment_intent);
    if (paymentId === null) return 'ignored';
    const refund = { payment_id: paymentId, source: 'refund', amount: amount_refunded, stage: 'open' } as const;
    return recordReversal(db.sql, at, refund, now());
  }
  if (isDisputeEvent(event)) {
    const { id, payment_intent, amount, status } = event.data.object;
    const paymentId = idOf(payment_intent);
    if (paymentId === null) return 'ignored';
    const stage = stageOf(status);
    // While the bank only inquires, and after a dispute was won, the money stays with the seller.
    const taken = stage === 'won' || status.startsWith('warning') ? 0 : amount;
    return recordReversal(db.sql, at, { payment_id: paymentId, source: id, amount: taken, stage }, now());
  }
  return 'ignored';
}

type DisputeEvent = Extract<Stripe.Event, { data: { object: Stripe.Dispute } }>;

function isDisputeEvent(event: Stripe.Event): event is DisputeEvent {
  return event.type.startsWith('charge.dispute.');
}

function stageOf(status: Stripe.Dispute.Status): ReversalStage {
  if (status === 'lost') return 'lost';
  return status === 'won' || status === 'warning_closed' || status === 'prevented' ? 'won' : 'open';
}

function idOf(reference: string | { id: string } | null): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}
