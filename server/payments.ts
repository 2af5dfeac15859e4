import type { Sql } from 'postgres';
import type { Stripe } from 'stripe';
import { z } from 'zod';
import { type Pack, recordPurchase, recordRefund, type Settled } from '../db/purchases.ts';
import { isPack, packs } from './packs.ts';

export interface PaymentsConfig {
  secret_key: string;
  webhook_secret: string;
  /** Where the payment service is reached, for tests; by default its own address. */
  api?: { protocol: 'http'; host: string; port: number };
}

export interface PaymentsDeps {
  db: { sql: Sql };
  now: () => Date;
  base_url: string;
}

export interface Payments {
  /** The address of the payment page for one pack; nothing is added before it is paid. */
  checkout(order: { workspace_id: string; email: string; pack: Pack }): Promise<string>;
  /** Deals with an event as it was posted: each once. Throws SignatureError when it was not signed with our secret. */
  handleEvent(body: string, signature: string): Promise<Settled | 'ignored'>;
}

/** An event that the payment service did not sign. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}

const timeout_ms = 20_000;
const retries = 2;

/** Credit packs through Stripe Checkout. Its library is loaded when it is first needed. */
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
      if (session.url === null) throw new Error('the payment service gave no address to pay at');
      return session.url;
    },
    async handleEvent(body, signature) {
      const stripe = await open();
      let event: Stripe.Event;
      try {
        event = await stripe.webhooks.constructEventAsync(body, signature, config.webhook_secret);
      } catch {
        throw new SignatureError('This was not signed with the secret of our endpoint.');
      }
      return processEvent(event, deps);
    },
  };
}

async function openStripe({ secret_key, api }: PaymentsConfig): Promise<Stripe> {
  const { default: Stripe } = await import('stripe');
  return new Stripe(secret_key, { timeout: timeout_ms, maxNetworkRetries: retries, telemetry: false, ...api });
}

function orderOf(
  { workspace_id, email, pack }: { workspace_id: string; email: string; pack: Pack },
  base_url: string,
): Stripe.Checkout.SessionCreateParams {
  const { name, price_usd, credits } = packs[pack];
  // What was promised when it was bought counts, also when prices change before the payment comes.
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
    success_url: `${base_url}/dashboard/credits?notice=paid`,
    cancel_url: `${base_url}/dashboard/credits`,
  };
}

const promised = z.object({
  workspace_id: z.uuid(),
  pack: z.string().refine(isPack),
  credits: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
});

async function processEvent(event: Stripe.Event, { db, now }: PaymentsDeps): Promise<Settled | 'ignored'> {
  const at = { event_id: event.id, type: event.type };
  if (event.type === 'checkout.session.completed' || event.type === 'checkout.session.async_payment_succeeded') {
    const session = event.data.object;
    // Of a bank transfer the session is completed days before its money came.
    if (session.payment_status !== 'paid') return 'ignored';
    const order = promised.safeParse(session.metadata);
    // Another product of the same account.
    if (!order.success) return 'ignored';
    const payment_id = idOf(session.payment_intent) ?? session.id;
    const paid = { payment_id, amount: session.amount_total ?? 0, currency: session.currency ?? 'usd' };
    return recordPurchase(db.sql, at, { ...order.data, pack: order.data.pack as Pack, ...paid }, now());
  }
  if (event.type === 'charge.refunded') {
    const { payment_intent, amount_refunded } = event.data.object;
    const payment_id = idOf(payment_intent);
    if (payment_id === null) return 'ignored';
    return recordRefund(db.sql, at, { payment_id, refunded_amount: amount_refunded }, now());
  }
  return 'ignored';
}

function idOf(reference: string | { id: string } | null): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}
