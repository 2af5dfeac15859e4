import type { Sql } from 'postgres';
import type { KeyKind, KeyLimits } from '../accounts/keys.ts';
import { batchByOwner } from '../batcher.ts';
import type { Clients } from '../connect.ts';
import type { Tier } from '../tier.ts';

/** A valid key, with the position of its request in the current rate limit window and the balance of its workspace. */
export interface Admission extends KeyLimits {
  workspace_id: string;
  key_id: string;
  kind: KeyKind;
  tier: Tier;
  balance: number;
  /** Position of this request in the window, from 1. The request must be refused when it is above the limit. */
  position: number;
  window_ends_at: Date;
}

interface KeyRow extends KeyLimits {
  hash: string;
  workspace_id: string;
  key_id: string;
  kind: KeyKind;
  tier: Tier;
  balance: number;
  used: number;
  ends_at: Date;
}

export interface AdmissionOptions {
  /** Length of a rate limit window in seconds. */
  window_seconds: number;
  now: () => Date;
}

/**
 * Returns a function that finds the valid key with this hash and counts its request. It returns null when the key is
 * unknown, revoked or expired. Concurrent requests are counted in one statement, so that the limit is exact over any number
 * of processes.
 */
export function createAdmission(
  { pipelined, apart }: Pick<Clients, 'pipelined' | 'apart'>,
  options: AdmissionOptions,
): (hash: string) => Promise<Admission | null> {
  const admitWith = (sql: Sql) => (hashes: string[]) => admitAll(sql, hashes, options);
  return batchByOwner(admitWith(pipelined), admitWith(apart), {
    slots: 2,
    max_calls: 500,
    ownerOf: (hash) => hash,
  });
}

async function admitAll(sql: Sql, hashes: string[], options: AdmissionOptions): Promise<(Admission | null)[]> {
  const counts = new Map<string, number>();
  for (const hash of hashes) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  // A workspace that is deleted at this moment makes the whole batch fail. In the second attempt its keys no longer exist.
  const rows = await countRequests(sql, counts, options).catch((error: unknown) => {
    if (!isForeignKeyViolation(error)) throw error;
    return countRequests(sql, counts, options);
  });

  const byHash = new Map(rows.map((row) => [row.hash, row]));
  const requested = new Map<string, number>();
  for (const row of rows)
    requested.set(row.workspace_id, (requested.get(row.workspace_id) ?? 0) + (counts.get(row.hash) ?? 0));
  const positions = new Map(rows.map((row) => [row.workspace_id, row.used - (requested.get(row.workspace_id) ?? 0)]));

  return hashes.map((hash) => {
    const row = byHash.get(hash);
    if (!row) return null;
    const position = (positions.get(row.workspace_id) ?? 0) + 1;
    positions.set(row.workspace_id, position);
    const { workspace_id, key_id, kind, scopes, networks, tier, balance, ends_at } = row;
    return { workspace_id, key_id, kind, scopes, networks, tier, balance, position, window_ends_at: ends_at };
  });
}

function isForeignKeyViolation(error: unknown): boolean {
  return (error as { code?: unknown }).code === '23503';
}

// Rows are inserted in the order of their workspace, because two batches could deadlock otherwise. synchronous_commit is off, so
// that counting does not wait for the disk. A crash can then lose the counts of the last second, but never a credit.
function countRequests(sql: Sql, counts: Map<string, number>, options: AdmissionOptions): Promise<KeyRow[]> {
  const now = options.now();
  const endsAt = new Date(now.getTime() + options.window_seconds * 1000);
  const hashes = [...counts.keys()];
  // A window that ends later than this was started before the clock was set back. Clocks of processes may differ by one window length.
  const latest = new Date(endsAt.getTime() + options.window_seconds * 1000);
  const isOver = sql`(r.ends_at <= ${now} or r.ends_at > ${latest})`;
  return sql<KeyRow[]>`
    with known as materialized (
      select k.hash, (${[...counts.values()]}::int[])[array_position(${hashes}::text[], k.hash)] as requests,
        k.workspace_id, k.key_id, k.kind, k.scopes, k.networks, w.tier, b.balance
      from api_keys k
      join workspaces w on w.workspace_id = k.workspace_id
      join credit_balances b on b.workspace_id = k.workspace_id
      cross join (select set_config('synchronous_commit', 'off', true)) as asynchronous
      where k.hash = any(${hashes}::text[]) and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})
    ), counted as (
      insert into rate_windows as r (workspace_id, ends_at, used)
      select workspace_id, ${endsAt}::timestamptz, sum(requests) from known group by workspace_id order by workspace_id
      on conflict (workspace_id) do update set
        used = case when ${isOver} then excluded.used else r.used + excluded.used end,
        ends_at = case when ${isOver} then excluded.ends_at else r.ends_at end
      returning workspace_id, used, ends_at
    )
    select k.hash, k.workspace_id, k.key_id, k.kind, k.scopes, k.networks, k.tier, k.balance, c.used, c.ends_at
    from known k join counted c on c.workspace_id = k.workspace_id`;
}
