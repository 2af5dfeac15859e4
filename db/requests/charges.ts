import type { Sql } from 'postgres';
import { combineByOwner, combineUnlessLocked } from '../combine-calls.ts';
import type { Clients } from '../connect.ts';
import { isDistributed } from '../distribution/distributed.ts';
import { sqlStateOf } from '../distribution/error-code.ts';
import { applyMovements, chargeInSteps } from '../money/movements.ts';
import { inTransaction } from '../transaction.ts';
import { isAmbiguous, isLockTimeout, mayBeCommitted } from '../unavailable.ts';
import { inKeyOrder } from './replays.ts';
import { keepNewest, type StoredAnswer, storeAnswers } from './responses.ts';

/**
 * A charge for the answer to one API request. The charge, its ledger entry, the cached answer and the stored
 * Idempotency-Key are all written together or not at all.
 */
interface Charge {
  charge_id: string;
  workspace_id: string;
  key_id: string;
  request_id: string;
  route: string;
  /** Number of credits to charge, at least 1. */
  cost: number;
  cache_key: string;
  answer: StoredAnswer;
  replay: { idempotency_key: string; mode: string; fingerprint: string } | null;
}

export type ChargeOutcome =
  | { outcome: 'charged'; balance: number }
  /** The cost exceeds the balance, or what is left of the monthly cap of the API key. Nothing was charged or stored. */
  | { outcome: 'refused'; reason: 'balance' | 'key_cap'; balance: number }
  /** Another request with the same Idempotency-Key was charged first. The answer of that request must be returned. */
  | { outcome: 'replayed' }
  /** The database did not reply in time, so it is unknown whether the credits were charged. */
  | { outcome: 'unconfirmed' };

interface ChargeRow {
  charge_id: string;
  refusal: 'balance' | 'cap' | null;
  balance: number;
}

/** Milliseconds for which a charge is retried when the database does not answer. */
const maxRetryMs = 10_000;
/** Milliseconds for which a charge is retried when the client no longer waits for the answer. */
const minRetryMs = 2_000;
const retryDelayMs = 200;
const maxRetryDelayMs = 1_000;

type Refused = Extract<ChargeOutcome, { outcome: 'refused' }>;

/** An attempt to charge that failed. `may_be_charged` is false when the statement certainly wrote nothing. */
interface Failed {
  outcome: 'failed';
  error: unknown;
  may_be_charged: boolean;
}

type Result = ChargeOutcome | Failed;

/** Charges one answer. The signal aborts when the client no longer waits for the answer. */
export type Charger = (charge: Charge, signal?: AbortSignal | null) => Promise<ChargeOutcome>;

/**
 * Returns a function that charges one answer. A second call with the same charge_id does not charge again. If the
 * function throws, nothing was charged.
 */
export function createCharger(
  { pipelined, apart }: Pick<Clients, 'pipelined' | 'apart'>,
  now: () => Date,
  limitMs = maxRetryMs,
): Charger {
  const chargeWith = (sql: Sql) => (charges: Charge[]) => chargeTogether(sql, charges, now);
  const options = { slots: 2, max_calls: 200, ownerOf: (charge: Charge) => charge.workspace_id };
  const call = isDistributed(pipelined)
    ? combineByOwner(chargeWith(pipelined), options)
    : combineUnlessLocked(chargeWith(pipelined), chargeWith(apart), options);
  return (charge, signal = null) => {
    const progress: Progress = { over: false, failure: null, may_be_charged: false };
    const first = call(charge).catch(failedBy);
    const charging = confirmCharge(first, () => chargeAlone(pipelined, charge, now), progress);
    return withinLimit(charging, progress, limitMs, signal);
  };
}

/** The progress of a charge and its retries. */
interface Progress {
  /** True when the outcome was returned to the caller. The charge is then not retried. */
  over: boolean;
  /** The error of the last attempt to charge; null while an attempt is in progress. */
  failure: { error: unknown } | null;
  /** True when an earlier attempt may have been committed. */
  may_be_charged: boolean;
}

// Retries a charge until its outcome is known. All attempts have the same charge_id, which is unique in the ledger, so
// at most one of them is committed.
async function confirmCharge(
  first: Promise<Result>,
  retry: () => Promise<Result>,
  progress: Progress,
): Promise<ChargeOutcome> {
  let result = await first;
  for (let attempt = 1; result.outcome === 'failed'; attempt += 1) {
    progress.may_be_charged ||= result.may_be_charged;
    progress.failure = { error: result.error };
    if (progress.over) return { outcome: 'unconfirmed' };
    if (!progress.may_be_charged && !isAmbiguous(result.error)) throw result.error;
    await new Promise((resolve) => setTimeout(resolve, Math.min(retryDelayMs * attempt, maxRetryDelayMs)));
    if (progress.over) return { outcome: 'unconfirmed' };
    progress.failure = null;
    result = await retry();
  }
  return result;
}

async function withinLimit(
  charging: Promise<ChargeOutcome>,
  progress: Progress,
  limitMs: number,
  signal: AbortSignal | null,
): Promise<ChargeOutcome> {
  const { promise: expired, resolve, reject } = Promise.withResolvers<ChargeOutcome>();
  const expire = () => {
    progress.over = true;
    if (progress.failure === null || progress.may_be_charged) resolve({ outcome: 'unconfirmed' });
    else reject(progress.failure.error);
  };
  const firstMs = Math.min(minRetryMs, limitMs);
  let timer = setTimeout(() => {
    if (signal?.aborted) return expire();
    signal?.addEventListener('abort', expire);
    timer = setTimeout(expire, limitMs - firstMs);
  }, firstMs);
  try {
    return await Promise.race([charging, expired]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', expire);
  }
}

// Charges several answers in one SQL statement. Retries refused charges alone, because a refused charge counts against
// the later charges of the same statement.
async function chargeTogether(sql: Sql, charges: Charge[], now: () => Date): Promise<Result[]> {
  const results = new Map<string, Result>();
  const groups = Map.groupBy(charges, (charge) => charge.workspace_id);
  const rows = await insertCharges(sql, charges, now()).catch((error: unknown) => {
    if (isLockTimeout(error)) throw error;
    return failedBy(error);
  });
  if (rows instanceof Map) {
    for (const charge of charges) {
      const row = rows.get(charge.charge_id);
      if (row?.refusal === null || groups.get(charge.workspace_id)?.length === 1)
        results.set(charge.charge_id, toResult(row, charge));
    }
  }
  // Charges the answers without a result one by one, so that after an error of the statement only the faulty charge
  // fails.
  await Promise.all([...groups.values()].map((group) => chargeOneByOne(sql, group, now, results)));
  const mayBeCharged = !(rows instanceof Map) && rows.may_be_charged;
  return charges.map((charge) => {
    const result = results.get(charge.charge_id) as Result;
    return result.outcome === 'failed' && mayBeCharged ? { ...result, may_be_charged: true } : result;
  });
}

async function chargeOneByOne(sql: Sql, group: Charge[], now: () => Date, results: Map<string, Result>): Promise<void> {
  let unanswered: Result | null = null;
  let refused: Refused | null = null;
  for (const charge of group) {
    if (results.has(charge.charge_id)) continue;
    // If the database did not answer an earlier charge of this workspace, fails the remaining charges without sending
    // them.
    const known: Result | null = unanswered ?? (refused !== null && charge.cost > refused.balance ? refused : null);
    const result: Result = known ?? (await chargeAlone(sql, charge, now));
    // Remembers a refusal, because a distributed database (Citus) answers slowly. Later charges above the returned
    // balance are then refused without being sent.
    if (isDistributed(sql) && result.outcome === 'refused' && result.reason === 'balance') refused = result;
    results.set(charge.charge_id, result);
    if (result.outcome === 'failed' && isAmbiguous(result.error)) unanswered = { ...result, may_be_charged: false };
  }
}

async function chargeAlone(sql: Sql, charge: Charge, now: () => Date): Promise<Result> {
  return chargeOnce(sql, charge, now()).catch(failedBy);
}

function failedBy(error: unknown): Failed {
  return { outcome: 'failed', error, may_be_charged: mayBeCommitted(error) };
}

// Charges one answer. If the charge is refused, looks for an earlier attempt that was committed but whose reply was
// lost.
async function chargeOnce(sql: Sql, charge: Charge, now: Date): Promise<Result> {
  const result = await insertCharges(sql, [charge], now).then(
    (rows) => toResult(rows.get(charge.charge_id), charge),
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

function toResult(row: ChargeRow | undefined, { workspace_id }: Charge): Result {
  if (!row) return failedBy(new Error(`The workspace ${workspace_id} cannot be charged, because it does not exist.`));
  const { refusal, balance } = row;
  if (refusal === null) return { outcome: 'charged', balance };
  return { outcome: 'refused', reason: refusal === 'cap' ? 'key_cap' : 'balance', balance };
}

function isDuplicate(error: unknown): boolean {
  return sqlStateOf(error) === '23505';
}

// The character that separates joined JSON texts. JSON texts never contain control characters, so joined texts need no
// escaping. Array elements would need escaping, which is slow for large bodies.
const separator = '\u001f';

function joinTexts(charges: Charge[], member: 'body' | 'meta'): string {
  return charges.map((charge) => charge.answer[member]).join(separator);
}

async function insertCharges(sql: Sql, charges: Charge[], now: Date): Promise<Map<string, ChargeRow>> {
  const rows = await (isDistributed(sql) ? chargeWorkspace(sql, charges, now) : runCharges(sql, charges, now));
  const byId = new Map(rows.map((row) => [row.charge_id, row]));
  if (isDistributed(sql)) {
    const charged = charges.filter(({ charge_id }) => byId.get(charge_id)?.refusal === null);
    await storeAnswers(sql, charged);
  }
  return byId;
}

// Runs the SQL statement that charges several answers. Its insert into `replays` has no "on conflict" clause, so that a
// second use of an Idempotency-Key makes the whole statement fail and charges nothing. Inserts the keys in the order of
// `inKeyOrder`.
function runCharges(sql: Sql, charges: Charge[], now: Date): Promise<ChargeRow[]> {
  const column = <T>(pick: (charge: Charge) => T) => charges.map(pick);
  return sql<ChargeRow[]>`
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
    ), ${applyMovements(sql, { cap: 'key', now, workspace: null })}, cached as (
      insert into responses as r (cache_key, route, body, meta, retrieved_at)
      select distinct on (cache_key) cache_key, route, body, meta, retrieved_at
      from decided where refusal is null order by cache_key, retrieved_at desc
      ${keepNewest(sql)}
    ), new_replays as (
      insert into replays (workspace_id, mode, idempotency_key, fingerprint, body, meta, retrieved_at, created_at)
      select workspace_id, mode, idempotency_key, fingerprint, body, meta, retrieved_at, created_at
      from decided where refusal is null and idempotency_key is not null
      order by workspace_id, mode, idempotency_key collate "C"
    )
    select charge_id, refusal, balance_after as balance from decided`;
}

// Charges one workspace in a distributed database (Citus). The caller caches the answers afterwards, because the cache
// is on other nodes.
function chargeWorkspace(sql: Sql, charges: Charge[], now: Date): Promise<ChargeRow[]> {
  const workspaceId = charges[0]?.workspace_id ?? '';
  return inTransaction(sql, async (tx) => {
    const decided = await chargeInSteps(tx, workspaceId, charges, now);
    const paid = new Set(decided.filter(({ refusal }) => refusal === null).map(({ charge_id }) => charge_id));
    const replays = charges.flatMap(({ charge_id, answer, replay }) =>
      replay && paid.has(charge_id) ? [{ workspace_id: workspaceId, ...replay, ...answer, created_at: now }] : [],
    );
    if (replays.length > 0) await tx`insert into replays ${tx(replays.toSorted(inKeyOrder))}`;
    return decided.map(({ charge_id, refusal, balance_after }) => ({ charge_id, refusal, balance: balance_after }));
  });
}
