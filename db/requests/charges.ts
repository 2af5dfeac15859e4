import type { Sql } from 'postgres';
import { batchByOwner } from '../batcher.ts';
import type { Clients } from '../connect.ts';
import { applyMovements } from '../money/movements.ts';
import { isAmbiguous, isLockTimeout } from '../unavailable.ts';
import type { StoredAnswer } from './responses.ts';

/** A charge for an answer. Charge, ledger entry, cached answer and replay are stored together or not at all. */
export interface Charge {
  charge_id: string;
  workspace_id: string;
  key_id: string;
  request_id: string;
  route: string;
  /** Credits, at least 1. */
  cost: number;
  cache_key: string;
  answer: StoredAnswer;
  replay: { idempotency_key: string; mode: string; fingerprint: string } | null;
}

export type ChargeOutcome =
  | { outcome: 'charged'; balance: number }
  /** The cost exceeds the balance or the monthly cap of the key: nothing was charged or stored. */
  | { outcome: 'refused'; reason: 'balance' | 'key_cap'; balance: number }
  /** Another request with the same Idempotency-Key was charged first: read its answer instead. */
  | { outcome: 'replayed' };

interface ChargeRow {
  charge_id: string;
  refusal: 'balance' | 'cap' | null;
  balance: number;
}

const maxAttempts = 5;
const retryDelayMs = 200;

type Result = ChargeOutcome | { outcome: 'failed'; error: unknown };

/** Returns a function that charges one answer. Calling it again with the same charge_id does not charge twice. */
export function createCharger(
  { pipelined, apart }: Pick<Clients, 'pipelined' | 'apart'>,
  now: () => Date,
): (charge: Charge) => Promise<ChargeOutcome> {
  const chargeWith = (sql: Sql) => (charges: Charge[]) => chargeBatch(sql, charges, now);
  const call = batchByOwner(chargeWith(pipelined), chargeWith(apart), {
    slots: 2,
    max_calls: 200,
    ownerOf: (charge) => charge.workspace_id,
  });
  return async (charge) => {
    const result = await call(charge);
    if (result.outcome === 'failed') throw result.error;
    return result;
  };
}

// Charges that the batch refused are retried alone, because a refused charge counts against the later ones of its batch.
async function chargeBatch(sql: Sql, charges: Charge[], now: () => Date): Promise<Result[]> {
  const results = new Map<string, Result>();
  const groups = Map.groupBy(charges, (charge) => charge.workspace_id);
  const rows = await insertCharges(sql, charges, now()).catch((error: unknown) => {
    if (isLockTimeout(error)) throw error;
    return null;
  });
  for (const charge of rows ? charges : []) {
    const row = rows?.get(charge.charge_id);
    if (row?.refusal === null || groups.get(charge.workspace_id)?.length === 1)
      results.set(charge.charge_id, toResult(row));
  }
  // If the batch failed, each charge is retried alone, so that only the faulty one fails.
  await Promise.all([...groups.values()].map((group) => chargeOneByOne(sql, group, now, results)));
  return charges.map((charge) => results.get(charge.charge_id) as Result);
}

async function chargeOneByOne(sql: Sql, group: Charge[], now: () => Date, results: Map<string, Result>): Promise<void> {
  for (const charge of group) {
    if (results.has(charge.charge_id)) continue;
    const result = await chargeWithRetries(sql, charge, now).catch((error: unknown) => ({
      outcome: 'failed' as const,
      error,
    }));
    results.set(charge.charge_id, result);
  }
}

// After a broken connection it is unknown whether the statement was committed; the unique charge_id makes a retry safe.
async function chargeWithRetries(sql: Sql, charge: Charge, now: () => Date): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await chargeOnce(sql, charge, now());
    } catch (error) {
      if (!isAmbiguous(error) || attempt === maxAttempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs * attempt));
    }
  }
}

// Before refusing, looks for a committed charge with this id: the reply to an earlier attempt may have been lost.
async function chargeOnce(sql: Sql, charge: Charge, now: Date): Promise<Result> {
  const result = await insertCharges(sql, [charge], now).then(
    (rows) => toResult(rows.get(charge.charge_id)),
    (error: unknown): Result => {
      if (!isDuplicate(error)) throw error;
      return { outcome: 'replayed' };
    },
  );
  return result.outcome === 'charged' ? result : ((await findCharge(sql, charge)) ?? result);
}

async function findCharge(sql: Sql, charge: Charge): Promise<ChargeOutcome | null> {
  const [entry] = await sql<{ balance_after: number }[]>`
    select balance_after from ledger_entries
    where workspace_id = ${charge.workspace_id} and charge_id = ${charge.charge_id}`;
  return entry ? { outcome: 'charged', balance: entry.balance_after } : null;
}

function toResult(row: ChargeRow | undefined): Result {
  if (!row) return { outcome: 'failed', error: new Error('The workspace to charge does not exist.') };
  const { refusal, balance } = row;
  if (refusal === null) return { outcome: 'charged', balance };
  return { outcome: 'refused', reason: refusal === 'cap' ? 'key_cap' : 'balance', balance };
}

function isDuplicate(error: unknown): boolean {
  return (error as { code?: unknown }).code === '23505';
}

// JSON text has no control characters. Joined by one, large bodies need no escaping, unlike the elements of an array.
const separator = '\u001f';

function joinTexts(charges: Charge[], member: 'body' | 'meta'): string {
  return charges.map((charge) => charge.answer[member]).join(separator);
}

// `replays` has no "on conflict" clause: a second use of an Idempotency-Key fails the statement and so its own charge.
async function insertCharges(sql: Sql, charges: Charge[], now: Date): Promise<Map<string, ChargeRow>> {
  const column = <T>(pick: (charge: Charge) => T) => charges.map(pick);
  const rows = await sql<ChargeRow[]>`
    with movements as materialized (
      select *, 'charge' as kind, -cost as credits, null::text as reason, ${now}::timestamptz as created_at from unnest(
        ${column((c) => c.charge_id)}::uuid[], ${column((c) => c.workspace_id)}::uuid[],
        ${column((c) => c.key_id)}::uuid[], ${column((c) => c.request_id)}::text[],
        ${column((c) => c.route)}::text[], ${column((c) => c.cost)}::bigint[], ${column((c) => c.cache_key)}::uuid[],
        string_to_array(${joinTexts(charges, 'body')}, ${separator}),
        string_to_array(${joinTexts(charges, 'meta')}, ${separator}),
        ${column((c) => c.answer.retrieved_at.toISOString())}::timestamptz[],
        ${column((c) => c.replay?.idempotency_key ?? null)}::text[], ${column((c) => c.replay?.mode ?? null)}::text[],
        ${column((c) => c.replay?.fingerprint ?? null)}::uuid[]
      ) with ordinality as a (charge_id, workspace_id, key_id, request_id, route, cost, cache_key, body, meta,
                              retrieved_at, idempotency_key, mode, fingerprint, position)
    ), ${applyMovements(sql, { cap: 'key', now })}, cached as (
      insert into responses as r (cache_key, route, body, meta, retrieved_at)
      select distinct on (cache_key) cache_key, route, body, meta, retrieved_at
      from decided where refusal is null order by cache_key, retrieved_at desc
      on conflict (cache_key) do update set body = excluded.body, meta = excluded.meta,
        retrieved_at = excluded.retrieved_at where r.retrieved_at <= excluded.retrieved_at
    ), new_replays as (
      insert into replays (workspace_id, mode, idempotency_key, fingerprint, body, meta, retrieved_at, created_at)
      select workspace_id, mode, idempotency_key, fingerprint, body, meta, retrieved_at, created_at
      from decided where refusal is null and idempotency_key is not null
    )
    select charge_id, refusal, balance_after as balance from decided`;
  return new Map(rows.map((row) => [row.charge_id, row]));
}
