import type { Sql } from 'postgres';
import { isDistributed } from '../distribution/distributed.ts';
import { type Tier, tierNames } from '../tier.ts';
import { inTransaction } from '../transaction.ts';
import { moveCredits } from './ledger.ts';
import { type Reversal, reversedAmount, storeReversal } from './reversals.ts';

export type Pack = Exclude<Tier, 'air'>;

interface Purchase {
  workspace_id: string;
  payment_id: string;
  pack: Pack;
  credits: number;
  /** The paid amount including tax, in the smallest unit of the currency. */
  amount: number;
  currency: string;
}

export interface PurchaseRow extends Purchase {
  refunded_amount: number;
  /** Number of credits that refunds and disputes actually took. The balance limits this number. */
  taken_credits: number;
  created_at: Date;
}

interface PaymentEvent {
  event_id: string;
  type: string;
}

/**
 * The result of processing an event of the payment service. `repeated`: the event or payment was processed before, so
 * nothing changed. `unknown`: the workspace does not exist. `waiting`: the payment of a refund or dispute has not
 * arrived yet.
 */
export type PaymentOutcome = 'done' | 'repeated' | 'unknown' | 'waiting';

/**
 * Adds the credits of a paid pack and raises the tier of the workspace, in one transaction. Does nothing when the event
 * or payment was processed before.
 */
export async function recordPurchase(
  sql: Sql,
  event: PaymentEvent,
  purchase: Purchase,
  now: Date,
): Promise<PaymentOutcome> {
  return inTransaction(sql, async (tx) => {
    const { workspace_id, payment_id, pack, credits, amount, currency } = purchase;
    await lockPayment(tx, payment_id);
    if (!(await isNewEvent(tx, event, now))) return 'repeated';
    const [inserted] = await tx`
      insert into purchases as made (workspace_id, payment_id, pack, credits, amount, currency, created_at)
      select workspace_id, ${payment_id}, ${pack}, ${credits}, ${amount}, ${currency}, ${now}
      from workspaces where workspace_id = ${workspace_id} for key share
      on conflict do nothing returning made.payment_id`;
    if (!inserted) return (await purchaseExists(tx, payment_id)) ? 'repeated' : 'unknown';
    // Locks the workspace before its balance, in the same order as the deletion of a workspace.
    const lowestFirst = [...tierNames];
    await tx`
      update workspaces set tier = ${pack}
      where workspace_id = ${workspace_id}
        and array_position(${lowestFirst}::text[], tier) < array_position(${lowestFirst}::text[], ${pack})`;
    const moved = await moveCredits(tx, workspace_id, {
      kind: 'purchase',
      credits,
      reason: `${pack} pack ${payment_id}`,
    });
    if (moved === null)
      throw new Error(
        `The credits of payment ${payment_id} could not be added, because its workspace has no balance. Nothing was stored.`,
      );
    // Applies refunds and disputes whose events arrived before this payment.
    await applyReversals(tx, payment_id);
    return 'done';
  });
}

/**
 * Stores the state of a refund or dispute. Takes the corresponding share of the pack's credits from the balance, or
 * returns it after a failed refund or a won dispute. Returns `waiting` when the payment has not arrived yet; the
 * credits are then corrected when it arrives. Events may arrive in any order.
 */
export async function recordReversal(
  sql: Sql,
  event: PaymentEvent,
  reversal: Reversal,
  now: Date,
): Promise<PaymentOutcome> {
  return inTransaction(sql, async (tx) => {
    const { payment_id, source } = reversal;
    await lockPayment(tx, payment_id);
    if (!(await isNewEvent(tx, event, now))) return 'repeated';
    await storeReversal(tx, reversal, now);
    return applyReversals(tx, payment_id, source.startsWith('refund') ? 'failed refund' : 'dispute');
  });
}

interface Reversed {
  workspace_id: string;
  balance: number;
  refunded_credits: number;
  taken_credits: number;
  /**
   * The sum of all refunds and disputes of the payment. `due` is the corresponding number of credits: for half of the
   * price, half of the pack's credits.
   */
  amount: number;
  due: number;
}

/**
 * Takes credits of a purchase away or returns credits, so that they match the refunds and disputes of the purchase. The
 * balance never falls below zero. If the balance is too low, the ledger entry states how many credits were due. `ended`
 * is the reason of an entry that returns credits.
 */
async function applyReversals(
  tx: Sql,
  paymentId: string,
  ended: 'failed refund' | 'dispute' = 'dispute',
): Promise<PaymentOutcome> {
  const row = await lockReversed(tx, paymentId);
  if (!row) return 'waiting';
  const { workspace_id, due, amount } = row;
  const credits = creditsToMove(row);
  const missing = due > row.refunded_credits ? due - row.refunded_credits + credits : 0;
  const note = missing > 0 ? `: ${missing - credits} credits due, ${-credits} left` : '';
  const reason = credits > 0 ? `return after a ${ended} of ${paymentId}` : `refund of ${paymentId}${note}`;
  if (credits !== 0) await moveCredits(tx, workspace_id, { kind: 'adjustment', credits, reason });
  await tx`
    update purchases set refunded_amount = ${amount}, refunded_credits = ${due}, taken_credits = taken_credits - ${credits}
    where workspace_id = ${workspace_id} and payment_id = ${paymentId}`;
  return due === row.refunded_credits ? 'repeated' : 'done';
}

/**
 * Locks a purchase and the balance of its workspace. Returns both, together with the amount and the credits of its
 * refunds and disputes.
 */
async function lockReversed(tx: Sql, paymentId: string): Promise<Reversed | undefined> {
  if (isDistributed(tx)) return lockReversedOfWorkspace(tx, paymentId);
  const [row] = await tx<Reversed[]>`
    select p.workspace_id, b.balance, p.refunded_credits, p.taken_credits, least(r.amount, p.amount) as amount,
      p.credits * least(r.amount, p.amount) / greatest(p.amount, 1) as due
    from purchases p join credit_balances b on b.workspace_id = p.workspace_id
    cross join (select ${reversedAmount(tx)} as amount from payment_reversals
      where payment_id = ${paymentId}) r
    where p.payment_id = ${paymentId} for update of p, b`;
  return row;
}

// Locks a purchase in a distributed database (Citus) with several statements, because one statement can lock rows on
// one node only, and refunds and disputes are on the coordinator.
async function lockReversedOfWorkspace(tx: Sql, paymentId: string): Promise<Reversed | undefined> {
  const [purchase] = await tx<{ workspace_id: string }[]>`
    select workspace_id from purchases where payment_id = ${paymentId} limit 1`;
  if (!purchase) return undefined;
  const [reversed] = await tx<{ amount: number }[]>`
    select ${reversedAmount(tx)} as amount from payment_reversals
    where payment_id = ${paymentId}`;
  const amount = reversed?.amount ?? 0;
  const [row] = await tx<Reversed[]>`
    select p.workspace_id, b.balance, p.refunded_credits, p.taken_credits, least(${amount}::bigint, p.amount) as amount,
      p.credits * least(${amount}::bigint, p.amount) / greatest(p.amount, 1) as due
    from purchases p join credit_balances b on b.workspace_id = p.workspace_id
    where p.workspace_id = ${purchase.workspace_id} and p.payment_id = ${paymentId} for update of p, b`;
  return row;
}

// Returns the change of the balance after a refund or dispute: negative when credits are taken, positive when they are
// returned because a refund failed or the seller won a dispute. Takes at most the balance: credits that the workspace
// has already spent are not taken from later purchases. Returns at most the credits that were taken.
function creditsToMove({ due, refunded_credits, taken_credits, balance }: Reversed): number {
  if (due > refunded_credits) return -Math.min(due - refunded_credits, balance);
  return due < refunded_credits ? Math.max(0, taken_credits - due) : 0;
}

/**
 * Takes a lock, so that only one transaction at a time processes events of this payment. The payment need not be stored
 * yet.
 */
async function lockPayment(tx: Sql, paymentId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${paymentId}, 0))`;
}

/**
 * Stores the id of a payment event and returns true when it is new. If another transaction has just stored the same
 * event, waits until that transaction ends.
 */
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

/** Returns the payments in `paymentIds` that bought a credit pack for the workspace. */
export async function knownPayments(
  sql: Sql,
  workspaceId: string,
  paymentIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ payment_id: string }[]>`
    select payment_id from purchases
    where workspace_id = ${workspaceId} and payment_id = any(${[...paymentIds]}::text[])`;
  return new Set(rows.map(({ payment_id }) => payment_id));
}

/** Returns the credit packs that a workspace has bought, newest first, at most `limit`. */
export async function listPurchases(sql: Sql, workspaceId: string, limit: number): Promise<PurchaseRow[]> {
  return sql<PurchaseRow[]>`
    select workspace_id, payment_id, pack, credits, amount, currency, refunded_amount, taken_credits, created_at
    from purchases where workspace_id = ${workspaceId} order by created_at desc, payment_id limit ${limit}`;
}
