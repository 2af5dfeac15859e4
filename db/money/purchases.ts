import type { Sql } from 'postgres';
import type { Tier } from '../tier.ts';
import { inTransaction } from '../transaction.ts';
import { moveCredits } from './ledger.ts';

export type Pack = Exclude<Tier, 'air'>;

export interface Purchase {
  workspace_id: string;
  payment_id: string;
  pack: Pack;
  credits: number;
  /** The paid amount with tax, in the smallest unit of the currency. */
  amount: number;
  currency: string;
}

export interface PurchaseRow extends Purchase {
  refunded_amount: number;
  refunded_credits: number;
  created_at: Date;
}

export interface PaymentEvent {
  event_id: string;
  type: string;
}

/** `repeated`: this event or payment was processed before, and nothing changed. `unknown`: the workspace or payment does not exist. */
export type PaymentOutcome = 'done' | 'repeated' | 'unknown';

/** Adds the credits of a paid pack and raises the tier, once for each event and each payment, in one transaction. */
export async function recordPurchase(
  sql: Sql,
  event: PaymentEvent,
  purchase: Purchase,
  now: Date,
): Promise<PaymentOutcome> {
  return inTransaction(sql, async (tx) => {
    if (!(await isNewEvent(tx, event, now))) return 'repeated';
    const { workspace_id, payment_id, pack, credits, amount, currency } = purchase;
    const [inserted] = await tx`
      insert into purchases (workspace_id, payment_id, pack, credits, amount, currency, created_at)
      select workspace_id, ${payment_id}, ${pack}, ${credits}, ${amount}, ${currency}, ${now}
      from workspaces where workspace_id = ${workspace_id}
      on conflict do nothing returning payment_id`;
    if (!inserted) return (await purchaseExists(tx, payment_id)) ? 'repeated' : 'unknown';
    const moved = await moveCredits(tx, workspace_id, {
      kind: 'purchase',
      credits,
      reason: `${pack} pack ${payment_id}`,
    });
    if (moved === null) throw new Error(`The credits of payment ${payment_id} could not be added.`);
    await tx`
      update workspaces set tier = ${pack}
      where workspace_id = ${workspace_id}
        and array_position(array['air', 'pro', 'pro_max', 'ultra'], tier) < array_position(array['air', 'pro', 'pro_max', 'ultra'], ${pack})`;
    return 'done';
  });
}

/** The total amount of a payment that was refunded so far. */
export interface Refund {
  payment_id: string;
  refunded_amount: number;
}

/**
 * Takes back the refunded share of a pack's credits, once for each event. The balance does not go below zero: if credits were
 * spent, the ledger entry says how many were due.
 */
export async function recordRefund(sql: Sql, event: PaymentEvent, refund: Refund, now: Date): Promise<PaymentOutcome> {
  return inTransaction(sql, async (tx) => {
    const { payment_id, refunded_amount } = refund;
    const [row] = await tx<{ workspace_id: string; due: number; balance: number }[]>`
      select p.workspace_id, b.balance,
        p.credits * least(${refunded_amount}::bigint, p.amount) / greatest(p.amount, 1) - p.refunded_credits as due
      from purchases p join credit_balances b on b.workspace_id = p.workspace_id
      where p.payment_id = ${payment_id} for update of p, b`;
    if (!row) return 'unknown';
    if (!(await isNewEvent(tx, event, now)) || row.due <= 0) return 'repeated';
    const { workspace_id, due, balance } = row;
    const taken = Math.min(due, balance);
    const reason = `refund of ${payment_id}${taken < due ? `: ${due} credits due, ${taken} left` : ''}`;
    if (taken > 0) await moveCredits(tx, workspace_id, { kind: 'adjustment', credits: -taken, reason });
    await tx`
      update purchases set refunded_amount = greatest(refunded_amount, ${refunded_amount}), refunded_credits = refunded_credits + ${due}
      where workspace_id = ${workspace_id} and payment_id = ${payment_id}`;
    return 'done';
  });
}

/** Returns true when the event is new. Another process with the same event waits for this transaction. */
async function isNewEvent(tx: Sql, { event_id, type }: PaymentEvent, now: Date): Promise<boolean> {
  const rows = await tx`
    insert into payment_events (event_id, type, received_at) values (${event_id}, ${type}, ${now})
    on conflict do nothing returning event_id`;
  return rows.length === 1;
}

async function purchaseExists(sql: Sql, paymentId: string): Promise<boolean> {
  const rows = await sql`select from purchases where payment_id = ${paymentId} limit 1`;
  return rows.length === 1;
}

/** Returns the packs that a workspace bought, newest first, at most `limit`. */
export async function listPurchases(sql: Sql, workspaceId: string, limit: number): Promise<PurchaseRow[]> {
  return sql<PurchaseRow[]>`
    select workspace_id, payment_id, pack, credits, amount, currency, refunded_amount, refunded_credits, created_at
    from purchases where workspace_id = ${workspaceId} order by created_at desc, payment_id limit ${limit}`;
}
