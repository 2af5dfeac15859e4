import type { Sql } from 'postgres';
import { joinCalls } from '../batcher.ts';

/** An answer to be charged: charge, ledger entry, cached answer and kept replay move together or not at all. */
export interface Settlement {
  charge_id: string;
  workspace_id: string;
  key_id: string;
  request_id: string;
  route: string;
  /** Credits, at least 1. */
  cost: number;
  cache_key: string;
  body: string;
  meta: string;
  retrieved_at: Date;
  replay: { idempotency_key: string; mode: string; fingerprint: string } | null;
}

export type Settled =
  | { outcome: 'charged'; balance: number }
  /** The balance, or the monthly cap of the key, is below the cost: nothing was charged and nothing kept. */
  | { outcome: 'refused'; reason: 'balance' | 'key_cap'; balance: number }
  /** Another request with the same Idempotency-Key was charged first: read its answer instead. */
  | { outcome: 'replayed' };

interface SettleRow {
  charge_id: string;
  charged: boolean;
  balance: number;
  over_cap: boolean;
}

const maxAttempts = 5;
const retryDelayMs = 200;

type Verdict = Settled | { outcome: 'failed'; error: unknown };

/** The one place where credits are taken. See {@link Settlement}; safe to call again with the same charge_id. */
export function createSettlement(hot: Sql, now: () => Date): (item: Settlement) => Promise<Settled> {
  const join = joinCalls((items: Settlement[]) => settleTogether(hot, items, now), { slots: 2, max_calls: 200 });
  return async (item) => {
    const verdict = await join(item);
    if (verdict.outcome === 'failed') throw verdict.error;
    return verdict;
  };
}

// A workspace whose balance cannot carry its whole group is served row by row: balance 3 and five requests serve three.
async function settleTogether(hot: Sql, items: Settlement[], now: () => Date): Promise<Verdict[]> {
  const verdicts = new Map<string, Verdict>();
  const groups = Map.groupBy(items, (item) => item.workspace_id);
  const rows = await settle(hot, items, now()).catch(() => null);
  for (const item of rows ? items : []) {
    const row = rows?.get(item.charge_id);
    if (row?.charged || groups.get(item.workspace_id)?.length === 1) verdicts.set(item.charge_id, asSettled(row));
  }
  // Whatever made the joined statement fail is met again, and told, by the one row that causes it.
  await Promise.all([...groups.values()].map((group) => settleInTurn(hot, group, now, verdicts)));
  return items.map((item) => verdicts.get(item.charge_id) as Verdict);
}

async function settleInTurn(hot: Sql, group: Settlement[], now: () => Date, verdicts: Map<string, Verdict>) {
  for (const item of group) {
    if (verdicts.has(item.charge_id)) continue;
    const verdict = await settleAlone(hot, item, now).catch((error: unknown) => ({
      outcome: 'failed' as const,
      error,
    }));
    verdicts.set(item.charge_id, verdict);
  }
}

// A broken connection leaves open whether the statement was committed; the same charge_id again cannot be charged twice.
async function settleAlone(hot: Sql, item: Settlement, now: () => Date): Promise<Verdict> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await settleOnce(hot, item, now());
    } catch (error) {
      if (!isAmbiguous(error) || attempt === maxAttempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs * attempt));
    }
  }
}

// Whatever stands in the way of a charge may be the charge itself: an attempt whose answer was lost takes the last credits, too.
async function settleOnce(hot: Sql, item: Settlement, now: Date): Promise<Verdict> {
  const verdict = await settle(hot, [item], now).then(
    (rows) => asSettled(rows.get(item.charge_id)),
    (error: unknown): Verdict => {
      if (!isDuplicate(error)) throw error;
      return { outcome: 'replayed' };
    },
  );
  return verdict.outcome === 'charged' ? verdict : ((await chargedBefore(hot, item)) ?? verdict);
}

async function chargedBefore(hot: Sql, item: Settlement): Promise<Settled | null> {
  const [entry] = await hot<{ balance_after: number }[]>`
    select balance_after from ledger_entries
    where workspace_id = ${item.workspace_id} and charge_id = ${item.charge_id}`;
  return entry ? { outcome: 'charged', balance: entry.balance_after } : null;
}

function asSettled(row: SettleRow | undefined): Verdict {
  if (!row) return { outcome: 'failed', error: new Error('a charge names a workspace that does not exist') };
  if (row.charged) return { outcome: 'charged', balance: row.balance };
  return { outcome: 'refused', reason: row.over_cap ? 'key_cap' : 'balance', balance: row.balance };
}

function isDuplicate(error: unknown): boolean {
  return (error as { code?: unknown }).code === '23505';
}

const ambiguousCodes: ReadonlySet<unknown> = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
]);

function isAmbiguous(error: unknown): boolean {
  return ambiguousCodes.has((error as { code?: unknown }).code);
}

// JSON text holds no control character: so joined, large bodies need not be escaped as the elements of an array must be.
const betweenTexts = '\u001f';

function texts(items: Settlement[], member: 'body' | 'meta'): string {
  return items.map((item) => item[member]).join(betweenTexts);
}

// Locks are taken in one order everywhere: balances, keys, answers, each sorted.
// A plain insert of replays lets a second use of one Idempotency-Key abort its own charge.
async function settle(hot: Sql, items: Settlement[], now: Date): Promise<Map<string, SettleRow>> {
  const month = `${now.toISOString().slice(0, 7)}-01`;
  const rows = await hot<SettleRow[]>`
    with asked as materialized (
      select * from unnest(
        ${items.map((item) => item.charge_id)}::uuid[], ${items.map((item) => item.workspace_id)}::uuid[],
        ${items.map((item) => item.key_id)}::uuid[], ${items.map((item) => item.request_id)}::text[],
        ${items.map((item) => item.route)}::text[], ${items.map((item) => item.cost)}::bigint[],
        ${items.map((item) => item.cache_key)}::uuid[],
        string_to_array(${texts(items, 'body')}, ${betweenTexts}), string_to_array(${texts(items, 'meta')}, ${betweenTexts}),
        ${items.map((item) => item.retrieved_at.toISOString())}::timestamptz[],
        ${items.map((item) => item.replay?.idempotency_key ?? null)}::text[],
        ${items.map((item) => item.replay?.mode ?? null)}::text[],
        ${items.map((item) => item.replay?.fingerprint ?? null)}::uuid[]
      ) with ordinality as a (charge_id, workspace_id, key_id, request_id, route, cost, cache_key, body, meta,
                              retrieved_at, idempotency_key, mode, fingerprint, place)
    ), held as materialized (
      select workspace_id, balance, entries from credit_balances
      where workspace_id in (select workspace_id from asked) order by workspace_id for no key update
    ), capped as materialized (
      select key_id, monthly_cap - case when cap_month = ${month}::date then cap_used else 0 end as left_over
      from api_keys
      where monthly_cap is not null and (workspace_id, key_id) in (select workspace_id, key_id from asked)
        and (select count(*) from held) > 0
      order by key_id for no key update
    ), running as materialized (
      select a.*, h.balance, h.entries,
        sum(a.cost) over (partition by a.workspace_id order by a.place) as spent,
        row_number() over (partition by a.workspace_id order by a.place) as entry,
        sum(a.cost) over (partition by a.workspace_id) > h.balance as over_balance,
        coalesce(sum(a.cost) over (partition by a.key_id) > c.left_over, false) as over_key
      from asked a join held h on h.workspace_id = a.workspace_id left join capped c on c.key_id = a.key_id
    ), judged as materialized (
      select *, not bool_or(over_balance or over_key) over (partition by workspace_id) as carried from running
    ), charged as (
      update credit_balances b set balance = b.balance - t.cost, entries = b.entries + t.entries
      from (select workspace_id, sum(cost) as cost, count(*) as entries from judged where carried group by workspace_id) t
      where b.workspace_id = t.workspace_id
      returning b.workspace_id
    ), entered as (
      insert into ledger_entries
        (workspace_id, entry_no, kind, credits, balance_after, charge_id, request_id, key_id, route, created_at)
      select j.workspace_id, j.entries + j.entry, 'charge', -j.cost, j.balance - j.spent, j.charge_id, j.request_id,
             j.key_id, j.route, ${now}
      from judged j join charged c on c.workspace_id = j.workspace_id where j.carried
      returning charge_id
    ), counted as (
      update api_keys k set cap_month = ${month}::date,
        cap_used = case when k.cap_month = ${month}::date then k.cap_used else 0 end + t.cost
      from (select key_id, sum(cost) as cost from judged where carried and key_id in (select key_id from capped)
            group by key_id) t
      where k.key_id = t.key_id
    ), kept as (
      insert into responses as r (cache_key, route, body, meta, retrieved_at)
      select distinct on (cache_key) cache_key, route, body, meta, retrieved_at
      from judged where carried order by cache_key, retrieved_at desc
      on conflict (cache_key) do update set body = excluded.body, meta = excluded.meta,
        retrieved_at = excluded.retrieved_at where r.retrieved_at <= excluded.retrieved_at
    ), repeatable as (
      insert into replays (workspace_id, mode, idempotency_key, fingerprint, body, meta, retrieved_at, created_at)
      select workspace_id, mode, idempotency_key, fingerprint, body, meta, retrieved_at, ${now}
      from judged where carried and idempotency_key is not null
    )
    select j.charge_id, j.carried as charged, j.over_key as over_cap,
      (j.balance - case when j.carried then j.spent else 0 end)::bigint as balance
    from judged j`;
  return new Map(rows.map((row) => [row.charge_id, row]));
}
