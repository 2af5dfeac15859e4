import type { Stripe } from 'stripe';

/**
 * Returns the URL of Stripe's page with the invoice of a payment. A payment without an invoice, such as one from before
 * Tidemark requested invoices, has a receipt instead. Returns null when Stripe has neither. The URL is requested each
 * time, because Stripe's pages expire.
 *
 * @param paymentId the id of a payment intent, or of a checkout session without one (see `processEvent`).
 */
export async function invoiceUrl(stripe: Stripe, paymentId: string): Promise<string | null> {
  const { sessions } = stripe.checkout;
  if (paymentId.startsWith('cs_')) return pageOf(await sessions.retrieve(paymentId, { expand: ['invoice'] }));
  const found = await sessions.list({ payment_intent: paymentId, limit: 1, expand: ['data.invoice'] });
  const invoice = pageOf(found.data[0]);
  if (invoice !== null) return invoice;
  const { latest_charge: charge } = await stripe.paymentIntents.retrieve(paymentId, { expand: ['latest_charge'] });
  return charge !== null && typeof charge === 'object' ? charge.receipt_url : null;
}

function pageOf(session: Stripe.Checkout.Session | undefined): string | null {
  const invoice = session?.invoice;
  return invoice && typeof invoice === 'object' ? (invoice.hosted_invoice_url ?? null) : null;
}
