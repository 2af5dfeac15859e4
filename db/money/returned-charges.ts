import type { Sql } from 'postgres';
import { ownWorkspace } from '../distribution/one-workspace.ts';
import { isUnavailable } from '../unavailable.ts';
import { applyMovements } from './movements.ts';

/**
 * A charge with an unknown outcome, because the database did not reply. Its answer was never sent to the client, so the
 * credits must be returned if they were charged.
 */
export interface UnconfirmedCharge {
  charge_id: string;
  workspace_id: string;
  key_id: string;
  request_id: string;
  route: string;
  /** Number of credits of the charge. */
  cost: number;
}

/**
 * Returns the credits of a charge whose answer was never sent. A second call changes nothing. If the charge is not
 * stored yet, stores both the charge and its return, so that the original statement fails if it arrives late. Throws
 * when the original statement is committed at the same moment; the caller must then call again.
 */
async function returnCharge(sql: Sql, charge: UnconfirmedCharge, now: Date): Promise<void> {
  const { charge_id, workspace_id, key_id, request_id, route, cost } = charge;
  // Adds the ledger entry of the return before that of the charge (positions 1 and 2). Otherwise, the charge would be
  // refused when the balance is less than its cost.
  await sql`
    with known as materialized (
      select kind, created_at from ledger_entries where workspace_id = ${workspace_id} and charge_id = ${charge_id}
    ), movements as materialized (
      select ${workspace_id}::uuid as workspace_id, position, kind, credits, ${charge_id}::uuid as charge_id,
        ${request_id}::text as request_id, ${key_id}::uuid as key_id, ${route}::text as route,
        'answer not delivered' as reason, ${now}::timestamptz as created_at,
        (select date_trunc('month', created_at at time zone 'UTC')::date from known where kind = 'charge') as charged_month
      from (values (1, 'return', ${cost}::bigint), (2, 'charge', -${cost}::bigint)) as m (position, kind, credits)
      where kind not in (select kind from known)
    ), ${applyMovements(sql, { cap: 'returned', workspace: ownWorkspace(sql, workspace_id) })}
    select entry_no from decided`;
}

const maxWaiting = 10_000;
const pauseMs = 1_000;
/** Maximum number of attempts to return one charge when the database is available but refuses the statement. */
const maxRefusals = 5;
/** Default of `close_limit_ms`: milliseconds that `close` waits for charges whose credits are not returned yet. */
const maxCloseMs = 5_000;

interface WaitingReturn {
  charge: UnconfirmedCharge;
  /** Number of attempts that the database refused. */
  refusals: number;
  /** The error of the last attempt; null until the first attempt has failed. */
  error: unknown;
}

interface ReturnsOptions {
  now: () => Date;
  on_error(error: unknown): void;
  /** Maximum number of milliseconds that `close` waits. Default: 5,000. */
  close_limit_ms?: number;
}

export interface Returns {
  /** Queues a charge. As soon as the database answers, the credits are returned if the charge was made. */
  add(charge: UnconfirmedCharge): void;
  /**
   * Waits a limited time until the credits of all queued charges are returned. Reports the remaining charges as errors.
   */
  close(): Promise<void>;
}

/**
 * Creates the queue of charges whose credits this process must return. The queue is only in memory, so each charge is
 * also logged.
 */
export function createReturns(sql: Sql, options: ReturnsOptions): Returns {
  const { now, on_error, close_limit_ms: closeLimitMs = maxCloseMs } = options;
  const waiting = new Map<string, WaitingReturn>();
  let running: Promise<void> | null = null;
  let closed = false;

  function add(charge: UnconfirmedCharge): void {
    on_error(
      new Error(
        `A request may have been charged without an answer: ${describe(charge)}. Nothing needs to be done: the server returns its credits as soon as the database answers.`,
      ),
    );
    if (closed || waiting.size >= maxWaiting) {
      const reason = closed ? 'because the process stops' : 'because too many charges already wait for their return';
      giveUp({ charge, error: null }, reason);
      return;
    }
    waiting.set(charge.charge_id, { charge, refusals: 0, error: null });
    running ??= run();
  }

  function giveUp({ charge, error }: Pick<WaitingReturn, 'charge' | 'error'>, reason: string): void {
    waiting.delete(charge.charge_id);
    on_error(
      new Error(
        `Credits were not returned, ${reason}: ${describe(charge)}. If the ledger has this charge, grant its credits to the workspace.`,
        { cause: error },
      ),
    );
  }

  async function run(): Promise<void> {
    while (waiting.size > 0 && !closed) {
      await returnAll();
      if (waiting.size > 0) await pause();
    }
    running = null;
  }

  async function returnAll(): Promise<void> {
    for (const entry of waiting.values()) {
      try {
        await returnCharge(sql, entry.charge, now());
        waiting.delete(entry.charge.charge_id);
      } catch (error) {
        entry.error = error;
        if (isUnavailable(error)) return;
        entry.refusals += 1;
        if (entry.refusals === maxRefusals) giveUp(entry, 'because the database refuses the statement');
      }
    }
  }

  return {
    add,
    async close() {
      if (running) await Promise.race([running, new Promise((resolve) => setTimeout(resolve, closeLimitMs).unref())]);
      closed = true;
      for (const entry of [...waiting.values()]) giveUp(entry, 'because the process stops');
    },
  };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, pauseMs));

function describe({ charge_id, workspace_id, request_id, route, cost }: UnconfirmedCharge): string {
  return `charge ${charge_id} of workspace ${workspace_id}, request ${request_id}, ${route}, ${cost} credits`;
}
