import fc from 'fast-check';
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { checkLedger, moveCredits, readBalance } from '../../db/money/ledger.ts';
import { inTransaction } from '../../db/transaction.ts';
import { createPayments, type Payments } from '../../server/payments/payments.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

const webhookSecret = 'whsec_invented_for_this_test';
const signer = new Stripe('sk_test_invented');
const starter = 100;
const pack = { name: 'pro', credits: 10_000, amount: 2_000 };

let db: TestDatabase;
let payments: Payments;
let made = 0;

beforeAll(async () => {
  db = await createTestDatabase();
  const deps = { db, now: () => new Date('2026-11-20T10:00:00.000Z'), base_url: 'http://tidemark.test' };
  payments = createPayments({ secret_key: 'sk_test_invented', webhook_secret: webhookSecret }, deps);
});
afterAll(async () => {
  expect((await checkLedger(db.sql)).mismatches).toEqual([]);
  await db.close();
});

interface Payment {
  id: string;
  workspace_id: string;
}

async function newPayment(): Promise<Payment> {
  made += 1;
  const workspace = { name: 'payments', credits: starter };
  const { workspace_id } = await inTransaction(db.sql, (tx) => createWorkspace(tx, workspace));
  return { id: `pi_${made}`, workspace_id };
}

type Step =
  | { event: 'paid' }
  | { event: 'refunded'; amount: number }
  | { event: 'refund'; type: string; id: string; status: string; amount: number }
  | { event: 'dispute'; type: string; status: string; amount: number };

const paid: Step = { event: 'paid' };
const partial: Step = { event: 'refunded', amount: 500 };
const full: Step = { event: 'refunded', amount: 2_000 };
const refund = (type: string, id: string, status: string, amount: number): Step => ({
  event: 'refund',
  type,
  id,
  status,
  amount,
});
const first = refund('refund.created', 'first', 'pending', 500);
const firstFailed = refund('refund.failed', 'first', 'failed', 500);
const second = refund('refund.created', 'second', 'succeeded', 1_500);
const secondCanceled = refund('charge.refund.updated', 'second', 'canceled', 1_500);
const dispute = (type: string, status: string, amount = 1_000): Step => ({ event: 'dispute', type, status, amount });
const opened = dispute('created', 'needs_response');
const won = dispute('closed', 'won');
const lost = dispute('closed', 'lost');

function send(payment: Payment, step: Step, position: number, of: Record<string, unknown> = {}) {
  const { id, workspace_id } = payment;
  const bodies = {
    paid: {
      type: 'checkout.session.completed',
      object: {
        id: `cs_${id}`,
        payment_intent: id,
        payment_status: 'paid',
        amount_total: pack.amount,
        currency: 'usd',
        metadata: { workspace_id, pack: pack.name, credits: String(pack.credits), ...of },
      },
    },
    refunded: {
      type: 'charge.refunded',
      object: { payment_intent: id, amount_refunded: 'amount' in step ? step.amount : 0 },
    },
    refund: {
      type: 'type' in step ? step.type : '',
      object: {
        id: `re_${id}_${'id' in step ? step.id : ''}`,
        payment_intent: id,
        ...('status' in step && { status: step.status, amount: step.amount }),
      },
    },
    dispute: {
      type: `charge.dispute.${'type' in step ? step.type : ''}`,
      object: {
        id: `dp_${id}`,
        payment_intent: id,
        ...('status' in step && { status: step.status, amount: step.amount }),
      },
    },
  };
  const { type, object } = bodies[step.event];
  const payload = JSON.stringify({ id: `evt_${id}_${position}`, object: 'event', type, data: { object } });
  const header = signer.webhooks.generateTestHeaderString({ payload, secret: webhookSecret });
  return payments.handleEvent(payload, header);
}

/** Returns the amount that was refunded and did not come back to the seller. */
function refundedIn(steps: readonly Step[]): number {
  const single = steps.filter((step) => step.event === 'refund');
  const failed = new Set(single.filter(({ status }) => /failed|canceled/.test(status)).map(({ id }) => id));
  const amounts = new Map(single.map(({ id, amount }) => [id, amount]));
  const sumOf = (counts: (id: string) => boolean) =>
    [...amounts].reduce((sum, [id, amount]) => sum + (counts(id) ? amount : 0), 0);
  const total = Math.max(0, ...steps.map((step) => (step.event === 'refunded' ? step.amount : 0)));
  return Math.max(
    total - sumOf((id) => failed.has(id)),
    sumOf((id) => !failed.has(id)),
  );
}

/** Returns the credits that should be left of the pack after all steps, whatever their order. */
function creditsLeft(steps: readonly Step[]): number {
  const refund = refundedIn(steps);
  const disputes = steps.filter((step) => step.event === 'dispute');
  const withdrawn = disputes.some(({ status }) => status === 'won') ? 0 : (disputes[0]?.amount ?? 0);
  const share = Math.min(pack.amount, refund + withdrawn) / pack.amount;
  return pack.credits - pack.credits * share;
}

const cases: Step[][] = [
  [paid, partial, full],
  [paid, opened, won],
  [paid, opened, lost],
  [paid, partial, opened, won],
  [paid, partial, opened, lost],
  [paid, partial, full, opened, lost],
  [paid, partial, firstFailed],
  [paid, partial, first, firstFailed],
  [paid, partial, first, firstFailed, full, second],
  // After a failed refund, the total of the payment may or may not contain the failed refund.
  [paid, partial, first, firstFailed, { event: 'refunded', amount: 1_500 }, second],
  [paid, partial, first, full, second, secondCanceled],
  [paid, partial, firstFailed, opened, won],
  [paid, partial, first, opened, lost, firstFailed],
];

test('the events of a payment give the same balance in every order, even when some arrive twice', async () => {
  const orders = fc.constantFrom(...cases).chain((steps) => {
    const numbered = steps.map((step, position) => ({ step, position }));
    const repeated = fc.subarray(numbered);
    return repeated.chain((again) => {
      const all = [...numbered, ...again];
      return fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length });
    });
  });
  const property = fc.asyncProperty(orders, async (events) => {
    const payment = await newPayment();
    for (const { step, position } of events) await send(payment, step, position);
    expect(await readBalance(db.sql, payment.workspace_id)).toBe(starter + creditsLeft(events.map(({ step }) => step)));
  });
  await fc.assert(property, { numRuns: 150 });
}, 120_000);

test('after the credits are partly spent, the balance depends only on the state of the payment, in every order', async () => {
  const inputs = fc.record({
    steps: fc.constantFrom(...cases).chain((steps) => {
      const rest = steps.slice(1).map((step, index) => ({ step, position: index + 1 }));
      return fc.shuffledSubarray(rest, { minLength: rest.length, maxLength: rest.length });
    }),
    spent: fc.integer({ min: 1, max: starter + pack.credits }),
    spentAfter: fc.nat({ max: 5 }),
  });
  const property = fc.asyncProperty(inputs, async ({ steps, spent, spentAfter }) => {
    const payment = await newPayment();
    await send(payment, paid, 0);
    let used = 0;
    for (const [index, { step, position }] of steps.entries()) {
      if (index === Math.min(spentAfter, steps.length - 1)) {
        used = Math.min(spent, (await readBalance(db.sql, payment.workspace_id)) ?? 0);
        const movement = { kind: 'adjustment', credits: -used, reason: 'spent in this test' } as const;
        if (used > 0) await inTransaction(db.sql, (tx) => moveCredits(tx, payment.workspace_id, movement));
      }
      await send(payment, step, position);
    }
    const left = Math.max(0, starter + creditsLeft(steps.map(({ step }) => step)) - used);
    expect(await readBalance(db.sql, payment.workspace_id)).toBe(left);
  });
  await fc.assert(property, { numRuns: 150 });
}, 120_000);

test('a refund that fails later gives back only the credits that it took, and the ledger says why', async () => {
  const payment = await newPayment();
  await send(payment, paid, 0);
  const spent = { kind: 'adjustment', credits: -9_600, reason: 'spent in this test' } as const;
  await inTransaction(db.sql, (tx) => moveCredits(tx, payment.workspace_id, spent));
  await send(payment, full, 1);
  expect(await readBalance(db.sql, payment.workspace_id)).toBe(0);
  expect(await send(payment, refund('refund.failed', 'full', 'failed', 2_000), 2)).toBe('done');
  expect(await readBalance(db.sql, payment.workspace_id)).toBe(500);
  const [entry] = await db.sql<{ reason: string }[]>`
    select reason from ledger_entries where workspace_id = ${payment.workspace_id} order by entry_no desc limit 1`;
  expect(entry?.reason).toBe(`return after a failed refund of ${payment.id}`);
});

test('the events of a payment that arrive at the same moment give the same balance', async () => {
  for (const steps of cases) {
    const payment = await newPayment();
    await Promise.all([...steps, ...steps].map((step, index) => send(payment, step, index % steps.length)));
    expect(await readBalance(db.sql, payment.workspace_id)).toBe(starter + creditsLeft(steps));
  }
}, 60_000);

test('a refund that arrives before its payment leaves the buyer without the credits of the pack', async () => {
  const payment = await newPayment();
  expect(await send(payment, full, 0)).toBe('waiting');
  expect(await send(payment, paid, 1)).toBe('done');
  expect(await readBalance(db.sql, payment.workspace_id)).toBe(starter);
});

test('a bank inquiry takes no credits back, and a won dispute returns only the credits that were taken', async () => {
  const payment = await newPayment();
  await send(payment, paid, 0);
  await send(payment, dispute('created', 'warning_needs_response'), 1);
  expect(await readBalance(db.sql, payment.workspace_id)).toBe(starter + pack.credits);
  const spent = { kind: 'adjustment', credits: -9_100, reason: 'spent in this test' } as const;
  await inTransaction(db.sql, (tx) => moveCredits(tx, payment.workspace_id, spent));
  await send(payment, dispute('updated', 'needs_response', 2_000), 2);
  expect(await readBalance(db.sql, payment.workspace_id)).toBe(0);
  await send(payment, dispute('closed', 'won', 2_000), 3);
  expect(await readBalance(db.sql, payment.workspace_id)).toBe(1_000);
});

test('a payment whose metadata and pack have different numbers of credits is refused and adds nothing', async () => {
  const payment = await newPayment();
  await expect(send(payment, paid, 0, { credits: '999999999' })).rejects.toThrow('The pro pack has 10000 credits');
  expect(await readBalance(db.sql, payment.workspace_id)).toBe(starter);
});
