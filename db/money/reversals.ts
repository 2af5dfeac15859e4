import type { Fragment, Sql } from 'postgres';
import { isDistributed } from '../distribution/distributed.ts';

/** A refund or dispute: money of a payment that has been or may be returned to the buyer. */
export interface Reversal {
  payment_id: string;
  /**
   * `refund` for all refunds of the payment together, whose `amount` is the total so far. `refund:` and the id of the
   * refund for a single refund. For a dispute, the id of the dispute.
   */
  source: string;
  amount: number;
  stage: ReversalStage;
}

/**
 * The state of a dispute or of a single refund. `won` means that the seller keeps the money: the `amount` of a won
 * dispute is 0, and that of a failed or canceled refund is the amount that was not refunded.
 */
export type ReversalStage = 'open' | 'lost' | 'won';

const stages: readonly ReversalStage[] = ['open', 'lost', 'won'];

/** Stores the state of a refund or dispute, unless a later state is stored already. */
export async function storeReversal(tx: Sql, reversal: Reversal, now: Date): Promise<void> {
  const { payment_id, source, amount, stage } = reversal;
  await tx`
    insert into payment_reversals as r (payment_id, source, amount, stage, updated_at)
    values (${payment_id}, ${source}, ${amount}, ${stages.indexOf(stage)}, ${now})
    on conflict (payment_id, source) do update set
      amount = case when excluded.stage = r.stage then greatest(r.amount, excluded.amount)
        when excluded.stage > r.stage then excluded.amount else r.amount end,
      stage = greatest(r.stage, excluded.stage), updated_at = excluded.updated_at`;
}

/**
 * Returns the SQL aggregate for the money that was refunded and did not come back to the seller. This is the larger of
 * two sums: the total so far without the failed refunds, and the single refunds that did not fail. Each sum is too low
 * while events are missing, and Stripe does not document whether the total so far still contains failed refunds.
 */
const refundedAmount = (sql: Sql): Fragment => sql`greatest(
  coalesce(sum(amount) filter (where source = 'refund'), 0)
    - coalesce(sum(amount) filter (where source like 'refund:%' and stage = ${stages.indexOf('won')}::int), 0),
  coalesce(sum(amount) filter (where source like 'refund:%' and stage < ${stages.indexOf('won')}::int), 0))`;

/** Returns the SQL aggregate for the money that disputes took from the seller. */
const disputedAmount = (sql: Sql): Fragment => sql`coalesce(sum(amount) filter (where source not like 'refund%'), 0)`;

/** Returns the SQL aggregate for the money that the seller lost by refunds and disputes. */
export const reversedAmount = (sql: Sql): Fragment => sql`(${refundedAmount(sql)} + ${disputedAmount(sql)})::bigint`;

/**
 * Deletes refunds and disputes that are older than `before` and whose payment never arrived, because such events belong
 * to other products that use the same payment account. Returns the number of deleted rows.
 */
export async function removeReversals(sql: Sql, before: Date): Promise<number> {
  if (isDistributed(sql)) return removeReversalsWithout(sql, before);
  const { count } = await sql`
    delete from payment_reversals r where updated_at < ${before}
      and not exists (select from purchases p where p.payment_id = r.payment_id)`;
  return count;
}

async function removeReversalsWithout(sql: Sql, before: Date): Promise<number> {
  const old = await sql<{ payment_id: string }[]>`
    select distinct payment_id from payment_reversals where updated_at < ${before}`;
  const ids = old.map(({ payment_id }) => payment_id);
  const known = await sql<{ payment_id: string }[]>`
    select payment_id from purchases where payment_id = any(${ids}::text[])`;
  const { count } = await sql`
    delete from payment_reversals where updated_at < ${before} and payment_id = any(${ids}::text[])
      and payment_id <> all(${known.map(({ payment_id }) => payment_id)}::text[])`;
  return count;
}

export interface ReversedPayment {
  payment_id: string;
  is_dispute: boolean;
  amount: number;
  stage: ReversalStage;
}

/**
 * Returns the refunds of each of these payments together, without failed ones, and the disputes. The amount of a won
 * dispute is 0.
 */
export async function listReversals(sql: Sql, paymentIds: readonly string[]): Promise<ReversedPayment[]> {
  const rows = await sql<(Omit<ReversedPayment, 'stage'> & { stage: number })[]>`
    select payment_id, is_dispute, ${reversedAmount(sql)} as amount,
      case when is_dispute then max(stage) else 0 end as stage
    from (select *, source not like 'refund%' as is_dispute from payment_reversals
      where payment_id = any(${[...paymentIds]}::text[])) r
    group by payment_id, is_dispute, case when is_dispute then source end
    order by payment_id, is_dispute`;
  return rows.map((row) => ({ ...row, stage: stages[row.stage] ?? 'open' }));
}
