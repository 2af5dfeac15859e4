import { createServer, type Server } from 'node:http';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findWorkspace } from '../../../db/accounts/workspaces.ts';
import { checkLedger, readBalance } from '../../../db/money/ledger.ts';
import { listEntries } from '../../../db/money/ledger-entries.ts';
import { createPayments } from '../../../server/payments/payments.ts';
import { createService } from '../../../server/service.ts';
import { createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';

const webhookSecret = 'whsec_invented_for_this_test';
let setup: DashboardSetup;
let fakeStripe: Server;
/** Orders that the fake payment service (Stripe) has received. */
const orders: URLSearchParams[] = [];
/** The header `Idempotency-Key` of each order. */
const orderKeys: (string | undefined)[] = [];
/** Answers of the fake payment service to GET requests, by path. Other GET requests are refused. */
const readable = new Map<string, object>();
let made = 0;

beforeAll(async () => {
  fakeStripe = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    if (request.method === 'GET') {
      const answer = readable.get((request.url ?? '').replace(/\?.*/, ''));
      response.writeHead(answer ? 200 : 400, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? { error: { message: 'invented refusal' } }));
      return;
    }
    orders.push(new URLSearchParams(body));
    orderKeys.push(request.headers['idempotency-key']?.toString());
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        id: 'cs_test_1',
        object: 'checkout.session',
        url: 'https://checkout.stripe.com/c/pay/cs_test_1',
      }),
    );
  });
  await new Promise<void>((resolve) => fakeStripe.listen(0, '127.0.0.1', resolve));
  const address = fakeStripe.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const api = { protocol: 'http', host: '127.0.0.1', port: address.port } as const;
  setup = await createDashboardSetup({
    payments: { secret_key: 'sk_test_invented', webhook_secret: webhookSecret, api },
  });
});
afterAll(async () => {
  expect((await checkLedger(setup.db.sql)).mismatches).toEqual([]);
  await setup.close();
  await new Promise((resolve) => fakeStripe.close(resolve));
});

/** Signs payment events with Stripe's library. */
const signer = new Stripe('sk_test_invented');

interface Signing {
  secret?: string;
  body?: string;
  timestamp?: number;
}

function signed(event: object, { secret = webhookSecret, body = JSON.stringify(event), timestamp }: Signing = {}) {
  const payload = JSON.stringify(event);
  const header = signer.webhooks.generateTestHeaderString({
    payload,
    secret,
    ...(timestamp === undefined ? {} : { timestamp }),
  });
  return { body, headers: { 'stripe-signature': header } };
}

function post(event: object, signing?: Signing) {
  return fetch(`${setup.base_url}/payments/stripe`, { method: 'POST', ...signed(event, signing) });
}

function paid(member: Member, pack: string, credits: number, of: Record<string, unknown> = {}) {
  made += 1;
  const object = {
    id: `cs_${made}`,
    object: 'checkout.session',
    payment_intent: `pi_${made}`,
    payment_status: 'paid',
    amount_total: 2_400,
    currency: 'usd',
    metadata: { workspace_id: member.workspace_id, pack, credits: String(credits) },
    ...of,
  };
  return { id: `evt_${made}`, object: 'event', type: 'checkout.session.completed', data: { object } };
}

function refunded(paymentIntent: string, amountRefunded: number) {
  made += 1;
  return {
    id: `evt_${made}`,
    object: 'event',
    type: 'charge.refunded',
    data: { object: { object: 'charge', payment_intent: paymentIntent, amount_refunded: amountRefunded } },
  };
}

const balance = (member: Member) => readBalance(setup.db.sql, member.workspace_id);
const tier = async (member: Member) => (await findWorkspace(setup.db.sql, member.workspace_id))?.tier;

describe('buying a credit pack', () => {
  test('a pack that is bought by a double click opens one payment page, and another page or pack opens another one', async () => {
    const ann = await setup.member();
    const open = async () =>
      /name="page_id" value="([^"]+)"/.exec(await (await ann.get('/dashboard/credits')).text())?.[1] ??
      expect.fail('no page id');
    const page = await open();
    const buy = (pack: string, pageId: string) => ann.post('/dashboard/credits/buy', { pack, page_id: pageId });
    const from = orderKeys.length;
    const answers = await Promise.all([buy('pro', page), buy('pro', page)]);
    for (const { headers } of answers) expect(headers.get('location')).toContain('https://checkout.stripe.com/');
    await buy('pro_max', page);
    await buy('pro', await open());
    const [first, second, ...others] = orderKeys.slice(from);
    expect(first).toMatch(/^checkout-/);
    expect(second).toBe(first);
    expect(new Set([first, ...others]).size).toBe(3);
  });

  test('buying a credit pack opens the payment page with the price without tax, and adds no credits yet', async () => {
    const ann = await setup.member();
    const answer = await ann.post('/dashboard/credits/buy', { pack: 'pro_max' });
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      'https://checkout.stripe.com/c/pay/cs_test_1',
    ]);
    const order = orders.at(-1);
    expect(order?.get('line_items[0][price_data][unit_amount]')).toBe('4000');
    expect(order?.get('line_items[0][price_data][currency]')).toBe('usd');
    expect(order?.get('line_items[0][price_data][tax_behavior]')).toBe('exclusive');
    expect(order?.get('metadata[workspace_id]')).toBe(ann.workspace_id);
    expect(await balance(ann)).toBe(100);
  });

  test('the page after a payment looks for the payment itself until it is confirmed, and then says which credits were added', async () => {
    const ann = await setup.member();
    await post(paid(ann, 'pro', 10_000));
    await ann.post('/dashboard/credits/buy', { pack: 'pro_max' });
    const success = new URL(orders.at(-1)?.get('success_url') ?? expect.fail('no success_url'));
    const answer = await ann.get(success.pathname + success.search);
    const path = answer.headers.get('location') ?? expect.fail('no location');
    const page = async () => (await ann.get(path)).text();
    const waiting = await page();
    expect(waiting).toContain('Thank you. Your credits appear here when the payment is confirmed');
    expect(waiting).toMatch(/id="payment"[^>]* data-hx-get="[^"]*" data-hx-trigger="every 3000ms"/);
    expect(waiting).toMatch(/<noscript>.*Reload this page.*<\/noscript>/);
    setup.clock.now = new Date(setup.clock.now.getTime() + 1_000);
    await post(paid(ann, 'pro_max', 25_000));
    const confirmed = await page();
    expect(confirmed).toContain('Thank you. Your payment is confirmed: Pro Max pack, 25,000 credits added.');
    expect(confirmed).not.toContain('data-hx-trigger="every');
  });

  test('the page after a payment stops to look for it after 3 minutes, and shows no message after 15 minutes', async () => {
    const ann = await setup.member();
    const path =
      (await ann.get('/dashboard/credits/paid?after=')).headers.get('location') ?? expect.fail('no location');
    const started = setup.clock.now;
    const pageAfter = async (minutes: number) => {
      setup.clock.now = new Date(started.getTime() + minutes * 60_000);
      return (await ann.get(path)).text();
    };
    try {
      expect(await pageAfter(2)).toContain('data-hx-trigger="every');
      const late = await pageAfter(4);
      expect(late).toContain('The payment is not confirmed yet.');
      expect(late).not.toContain('data-hx-trigger="every');
      expect(await pageAfter(16)).not.toContain('Thank you.');
    } finally {
      setup.clock.now = started;
    }
  });

  test('the prices page of a server with online payment shows pack prices, buttons and how long credits last', async () => {
    const page = await (await fetch(`${setup.base_url}/prices?items=10&profiles=700`)).text();
    const words = page.replace(/<[^>]+>/g, ' ');
    expect(words).toMatch(/1,000 credits[\s\S]*Pro\s+\$20\s+10 months/);
    expect(words).toContain('Get Pro');
    expect(words).not.toContain('administrator');
  });

  test('buying an unknown credit pack shows the credits page again', async () => {
    const ann = await setup.member();
    expect((await ann.post('/dashboard/credits/buy', { pack: 'air' })).status).toBe(400);
  });

  test('without online payment, the credits page has no buy buttons and tells the user to ask the administrator', async () => {
    const without = await createDashboardSetup();
    const ann = await without.member();
    const page = await (await ann.get('/dashboard/credits')).text();
    expect(page).toContain('Ask your Tidemark administrator to add credits or to change your tier.');
    expect(page).not.toContain('/dashboard/credits/buy');
    expect((await ann.post('/dashboard/credits/buy', { pack: 'pro' })).status).toBe(400);
    await without.close();
  });
});

describe('the invoice of a purchase', () => {
  const sessions = (invoice: object | null) =>
    readable.set('/v1/checkout/sessions', {
      object: 'list',
      has_more: false,
      data: [{ id: 'cs_1', object: 'checkout.session', invoice }],
    });

  async function invoiceOf(member: Member): Promise<{ open: (by: Member) => Promise<Response>; payment_id: string }> {
    await post(paid(member, 'pro', 10_000));
    const paymentId = `pi_${made}`;
    const link = `/dashboard/credits/invoice?payment=${paymentId}`;
    expect(await (await member.get('/dashboard/credits')).text()).toContain(`href="${link}"`);
    return { open: (by) => by.get(link), payment_id: paymentId };
  }

  test('an order asks the payment service for an invoice and for the tax ID of a company', async () => {
    const ann = await setup.member();
    await ann.post('/dashboard/credits/buy', { pack: 'pro' });
    expect(orders.at(-1)?.get('invoice_creation[enabled]')).toBe('true');
    expect(orders.at(-1)?.get('tax_id_collection[enabled]')).toBe('true');
  });

  test('a purchase leads to its invoice, which only owners of its workspace can open', async () => {
    const ann = await setup.member();
    const { open } = await invoiceOf(ann);
    sessions({ id: 'in_1', object: 'invoice', hosted_invoice_url: 'https://invoice.stripe.com/i/invented' });
    expect((await open(ann)).headers.get('location')).toBe('https://invoice.stripe.com/i/invented');
    expect((await open(await setup.member())).status).toBe(404);
  });

  test('a payment without an invoice leads to its receipt, and without a receipt the page says so', async () => {
    const ann = await setup.member();
    const { open, payment_id } = await invoiceOf(ann);
    const intent = (receiptUrl: string | null) =>
      readable.set(`/v1/payment_intents/${payment_id}`, {
        id: payment_id,
        object: 'payment_intent',
        latest_charge: { id: 'ch_1', object: 'charge', receipt_url: receiptUrl },
      });
    sessions(null);
    intent('https://pay.stripe.com/receipts/invented');
    expect((await open(ann)).headers.get('location')).toBe('https://pay.stripe.com/receipts/invented');
    intent(null);
    const without = await open(ann);
    expect([without.status, await without.text()]).toEqual([404, expect.stringContaining('There is no invoice')]);
  });

  test('an invoice that cannot be opened now keeps the credits page with a message', async () => {
    const ann = await setup.member();
    const { open } = await invoiceOf(ann);
    readable.clear();
    const answer = await open(ann);
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('could not be opened')]);
  });
});

describe('a payment event', () => {
  test('a repeated payment event adds the credits once and raises the tier', async () => {
    const ann = await setup.member();
    const event = paid(ann, 'pro', 10_000);
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(event)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect([await balance(ann), await tier(ann)]).toEqual([10_100, 'pro']);
    const [entry] = await listEntries(setup.db.sql, ann.workspace_id, { before: null, limit: 1 });
    expect(entry).toMatchObject({ kind: 'purchase', credits: 10_000, balance_after: 10_100 });
  });

  test('a second event about the same payment adds no credits', async () => {
    const ann = await setup.member();
    const event = paid(ann, 'pro', 10_000);
    await post(event);
    await post({ ...event, id: `${event.id}_again`, type: 'checkout.session.async_payment_succeeded' });
    expect(await balance(ann)).toBe(10_100);
  });

  test('an unpaid order adds no credits until it is paid', async () => {
    const ann = await setup.member();
    const event = paid(ann, 'pro', 10_000, { payment_status: 'unpaid' });
    expect(await (await post(event)).json()).toEqual({ outcome: 'ignored' });
    expect(await balance(ann)).toBe(100);
    event.data.object.payment_status = 'paid';
    await post({ ...event, id: `${event.id}_later`, type: 'checkout.session.async_payment_succeeded' });
    expect(await balance(ann)).toBe(10_100);
  });

  test('buying a smaller credit pack does not lower the tier', async () => {
    const ann = await setup.member();
    await post(paid(ann, 'ultra', 75_000));
    await post(paid(ann, 'pro', 10_000));
    expect([await tier(ann), await balance(ann)]).toEqual(['ultra', 85_100]);
  });

  test.each([
    ['with a wrong secret', { secret: 'whsec_another' }],
    ['fifteen minutes ago', { timestamp: Math.floor(Date.now() / 1000) - 900 }],
    ['and then changed', { body: '{}' }],
  ])('an event that was signed %s is refused and adds nothing', async (_, forged) => {
    const ann = await setup.member();
    expect((await post(paid(ann, 'pro', 10_000), forged)).status).toBe(400);
    expect(await balance(ann)).toBe(100);
  });

  test('a payment event for another product of the Stripe account is ignored', async () => {
    const ann = await setup.member();
    expect(await (await post(paid(ann, 'pro', 10_000, { metadata: {} }))).json()).toEqual({ outcome: 'ignored' });
    expect(await (await post(paid(ann, 'gold', 10_000))).json()).toEqual({ outcome: 'ignored' });
    expect(await balance(ann)).toBe(100);
  });
});

describe('payment events without the dashboard', () => {
  test('a paid order adds its credits also on a service without the dashboard', async () => {
    const { db, base_url, clock } = setup;
    const now = () => clock.now;
    const config = { secret_key: 'sk_test_invented', webhook_secret: webhookSecret };
    const service = await createService({
      ...setup.service_deps,
      payments: createPayments(config, { db, now, base_url }),
    });
    const ann = await setup.member();
    const { body, headers } = signed(paid(ann, 'pro', 10_000));
    const answer = await service.app.request('/payments/stripe', { method: 'POST', body, headers });
    expect([answer.status, await balance(ann)]).toEqual([200, 10_100]);
    expect((await service.app.request('/dashboard')).status).toBe(404);
    await service.close();
  });
});

describe('a refund of a credit pack', () => {
  test('a partial refund removes its share of the credits once, and a full refund removes the rest', async () => {
    const ann = await setup.member();
    const bought = paid(ann, 'pro', 10_000);
    await post(bought);
    const half = refunded(bought.data.object.payment_intent, 1_200);
    await Promise.all([post(half), post(half)]);
    expect(await balance(ann)).toBe(5_100);
    await post(refunded(bought.data.object.payment_intent, 2_400));
    expect([await balance(ann), await tier(ann)]).toEqual([100, 'pro']);
    const [entry] = await listEntries(setup.db.sql, ann.workspace_id, { before: null, limit: 1 });
    expect(entry).toMatchObject({ kind: 'adjustment', credits: -5_000 });
  });

  test('a refund of spent credits removes the rest of the balance, and the entry names the missing credits', async () => {
    const ann = await setup.member({ credits: 0 });
    const bought = paid(ann, 'pro', 10_000);
    await post(bought);
    await setup.db
      .sql`update credit_balances set balance = balance - 9000, entries = entries + 1 where workspace_id = ${ann.workspace_id}`;
    await setup.db.sql`
      insert into ledger_entries (workspace_id, entry_no, kind, credits, balance_after, reason)
      values (${ann.workspace_id}, 2, 'adjustment', -9000, 1000, 'spent in this test')`;
    await post(refunded(bought.data.object.payment_intent, 2_400));
    expect(await balance(ann)).toBe(0);
    const [entry] = await listEntries(setup.db.sql, ann.workspace_id, { before: null, limit: 1 });
    expect(entry?.reason).toContain('10000 credits due, 1000 left');
  });
});
