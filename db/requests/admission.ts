import type { Sql } from 'postgres';
import { capCreditsUsed, isValid } from '../accounts/key-conditions.ts';
import type { KeyKind } from '../accounts/key-text.ts';
import type { KeyLimits } from '../accounts/keys.ts';
import { combineByOwner, combineUnlessLocked } from '../combine-calls.ts';
import type { Clients } from '../connect.ts';
import { isDistributed } from '../distribution/distributed.ts';
import type { Tier } from '../tier.ts';
import { isRemovedMeanwhile } from '../unavailable.ts';
import { createKeyDirectory } from './key-directory.ts';

/**
 * A valid API key that has made a request, with the balance of its workspace and the position of the request in the
 * current rate limit window.
 */
export interface Admission extends KeyLimits {
  workspace_id: string;
  key_id: string;
  kind: KeyKind;
  tier: Tier;
  balance: number;
  /** Credits that the key may still spend in this UTC month; null when it has no monthly cap. */
  cap_left: number | null;
  /**
   * Position of this request among the requests of the rate limit window that count toward the limit. If the position
   * is above the limit, the request must be refused.
   */
  position: number;
  /**
   * Position of this request among all requests of the rate limit window, including free requests, which do not count
   * toward the limit.
   */
  total_position: number;
  window_ends_at: Date;
}

/**
 * An API request to count for the rate limit. `request`: the request counts toward the limit. `free`: the answer may be
 * free, so the request counts only in the total. `fetch`: a request that was first counted as `free` is not free after
 * all and now counts toward the limit. `none`: the request does not count, and only the key is read.
 */
export interface AdmissionStep {
  hash: string;
  counts: 'request' | 'free' | 'fetch' | 'none';
}

interface KeyRow extends KeyLimits {
  hash: string;
  workspace_id: string;
  key_id: string;
  kind: KeyKind;
  tier: Tier;
  balance: number;
  cap_left: number | null;
  used: number;
  total: number;
  /** End of the rate limit window, in milliseconds since 1970-01-01. */
  ends_ms: number;
}

interface AdmissionOptions {
  /** Length of a rate limit window in seconds. */
  window_seconds: number;
  now: () => Date;
}

/**
 * Returns a function that finds the valid API key with a hash and counts its request for the rate limit. The function
 * returns null when the key is unknown, revoked or expired. The counts are in the database, so they are exact for any
 * number of processes. One statement counts all concurrent requests.
 */
export function createAdmission(
  { pipelined, apart }: Pick<Clients, 'pipelined' | 'apart'>,
  options: AdmissionOptions,
): (step: AdmissionStep) => Promise<Admission | null> {
  if (isDistributed(pipelined)) return createDistributedAdmission(pipelined, options);
  const admitWith = (sql: Sql) => (steps: AdmissionStep[]) =>
    admitAll(steps, (counts) => countRequests(sql, counts, options));
  return combineUnlessLocked(admitWith(pipelined), admitWith(apart), {
    slots: 2,
    max_calls: 500,
    ownerOf: ({ hash }) => hash,
  });
}

interface Counts {
  used: number;
  total: number;
}

const steps: Readonly<Record<AdmissionStep['counts'], Counts>> = {
  request: { used: 1, total: 1 },
  free: { used: 0, total: 1 },
  fetch: { used: 1, total: 0 },
  none: { used: 0, total: 0 },
};

const sum = (a: Counts = { used: 0, total: 0 }, b: Counts): Counts => ({
  used: a.used + b.used,
  total: a.total + b.total,
});

/**
 * Counts requests for the rate limit in a distributed database (Citus), in a separate statement for each workspace. The
 * statement contains the workspace id as a constant, so that Citus sends the statement to the node of the workspace.
 */
function createDistributedAdmission(
  sql: Sql,
  options: AdmissionOptions,
): (step: AdmissionStep) => Promise<Admission | null> {
  const workspaceOf = createKeyDirectory(sql);
  const admit = combineByOwner(
    (owned: { workspace_id: string; step: AdmissionStep }[]) =>
      admitAll(
        owned.map(({ step }) => step),
        (counts) => countInWorkspace(sql, owned[0]?.workspace_id ?? '', counts, options),
      ),
    { max_calls: 500, ownerOf: ({ workspace_id }) => workspace_id },
  );
  return async (step) => {
    const workspaceId = await workspaceOf(step.hash);
    return workspaceId === null ? null : admit({ workspace_id: workspaceId, step });
  };
}

async function admitAll(
  requests: AdmissionStep[],
  count: (counts: Map<string, Counts>) => Promise<KeyRow[]>,
): Promise<(Admission | null)[]> {
  const counts = new Map<string, Counts>();
  for (const { hash, counts: step } of requests) counts.set(hash, sum(counts.get(hash), steps[step]));
  // Tries again when a workspace was deleted at the same moment, because the deletion makes the whole statement fail.
  // The second attempt no longer finds the API keys of that workspace.
  const rows = await count(counts).catch((error: unknown) => {
    if (!isRemovedMeanwhile(error)) throw error;
    return count(counts);
  });

  const byHash = new Map(rows.map((row) => [row.hash, row]));
  const positions = new Map<string, Counts>();
  for (const { hash, workspace_id, used, total } of rows) {
    const own = counts.get(hash) as Counts;
    const at = positions.get(workspace_id) ?? { used, total };
    positions.set(workspace_id, { used: at.used - own.used, total: at.total - own.total });
  }

  return requests.map(({ hash, counts: step }) => {
    const row = byHash.get(hash);
    if (!row) return null;
    const at = sum(positions.get(row.workspace_id), steps[step]);
    positions.set(row.workspace_id, at);
    const { workspace_id, key_id, kind, scopes, networks, tier, balance, cap_left, ends_ms } = row;
    const position = { position: at.used, total_position: at.total, window_ends_at: new Date(ends_ms) };
    return { workspace_id, key_id, kind, scopes, networks, tier, balance, cap_left, ...position };
  });
}

// Counts requests for the rate limit. Inserts rows in the order of their workspaces, because otherwise two statements
// could deadlock. synchronous_commit is off, so that counting does not wait for the disk: a crash can lose the counts
// of the last second, but never a credit. `limit 1` makes PostgreSQL use the index of hashes for each API key, even
// with a plan from a time when there were few keys.
function countRequests(sql: Sql, counts: Map<string, Counts>, options: AdmissionOptions): Promise<KeyRow[]> {
  const { now, endsAt, isOver } = windowOf(sql, options);
  const hashes = [...counts.keys()];
  const used = [...counts.values()].map((count) => count.used);
  const total = [...counts.values()].map((count) => count.total);
  return sql<KeyRow[]>`
    with known as materialized (
      select k.hash, a.used, a.total, k.workspace_id, k.key_id, k.kind, k.scopes, k.networks, w.tier, b.balance,
        k.monthly_cap - ${capCreditsUsed(sql, 'k', { now, workspace: null })} as cap_left
      from unnest(${hashes}::text[], ${used}::int[], ${total}::int[]) as a (hash, used, total)
      cross join lateral (select * from api_keys where hash = a.hash limit 1) k
      join workspaces w on w.workspace_id = k.workspace_id
      join credit_balances b on b.workspace_id = k.workspace_id
      cross join (select set_config('synchronous_commit', 'off', true)) as asynchronous
      where ${isValid(sql, 'k', now)}
    ), counted as (
      insert into rate_windows as r (workspace_id, ends_at, used, total)
      select workspace_id, ${endsAt}::timestamptz, sum(used), sum(total) from known group by workspace_id order by workspace_id
      on conflict (workspace_id) do update set
        used = case when ${isOver} then excluded.used else r.used + excluded.used end,
        total = case when ${isOver} then excluded.total else r.total + excluded.total end,
        ends_at = case when ${isOver} then excluded.ends_at else r.ends_at end
      returning workspace_id, used, total, ${endMs(sql)} as ends_ms
    )
    select k.hash, k.workspace_id, k.key_id, k.kind, k.scopes, k.networks, k.tier, k.balance, k.cap_left, c.used, c.total, c.ends_ms
    from known k join counted c on c.workspace_id = k.workspace_id`;
}

/**
 * Returns the time, the end of a rate limit window that begins now, and the SQL condition that the stored window `r` is
 * over. The condition is also true when the stored window ends more than one window length after a window that begins
 * now, because the clock must have been set back. Smaller differences are allowed, because the clocks of processes
 * differ. The condition has no parameters, because it occurs three times in the statement and each copy would add its
 * own. Times are compared in UTC, because Citus allows only immutable functions here.
 */
function windowOf(sql: Sql, { now: clock, window_seconds }: AdmissionOptions) {
  const now = clock();
  const endsAt = new Date(now.getTime() + window_seconds * 1000);
  const [ends, newEnds] = ['r.ends_at', 'excluded.ends_at'].map((time) => `${time} at time zone 'UTC'`);
  const length = `interval '${window_seconds} seconds'`;
  const isOver = sql.unsafe(`(${ends} <= ${newEnds} - ${length} or ${ends} > ${newEnds} + ${length})`);
  return { now, endsAt, isOver };
}

/**
 * Returns the SQL expression for the end of the rate limit window in milliseconds since 1970-01-01. The database driver
 * reads a number faster than a time.
 */
const endMs = (sql: Sql) => sql`(extract(epoch from ends_at at time zone 'UTC') * 1000)::float8`;

// Counts requests of one workspace in a distributed database (Citus). Uses two small statements, because Citus plans
// each part of a large statement separately.
async function countInWorkspace(
  sql: Sql,
  workspaceId: string,
  counts: Map<string, Counts>,
  options: AdmissionOptions,
): Promise<KeyRow[]> {
  const { now, endsAt, isOver } = windowOf(sql, options);
  const keys = await sql<Omit<KeyRow, 'used' | 'total' | 'ends_ms'>[]>`
    select k.hash, k.workspace_id, k.key_id, k.kind, k.scopes, k.networks, w.tier, b.balance,
      k.monthly_cap - ${capCreditsUsed(sql, 'k', { now, workspace: workspaceId })} as cap_left
    from api_keys k
    join workspaces w on w.workspace_id = k.workspace_id
    join credit_balances b on b.workspace_id = k.workspace_id
    where k.workspace_id = ${workspaceId}::uuid and k.hash = any(${[...counts.keys()]}::text[])
      and ${isValid(sql, 'k', now)}`;
  if (keys.length === 0) return [];
  const own = keys.map(({ hash }) => counts.get(hash) as Counts).reduce((one, other) => sum(one, other));
  const [window] = await sql<Pick<KeyRow, 'used' | 'total' | 'ends_ms'>[]>`
    insert into rate_windows as r (workspace_id, ends_at, used, total)
    values (${workspaceId}::uuid, ${endsAt}::timestamptz, ${own.used}::int, ${own.total}::int)
    on conflict (workspace_id) do update set
      used = case when ${isOver} then excluded.used else r.used + excluded.used end,
      total = case when ${isOver} then excluded.total else r.total + excluded.total end,
      ends_at = case when ${isOver} then excluded.ends_at else r.ends_at end
    returning used, total, ${endMs(sql)} as ends_ms`;
  return window ? keys.map((key) => ({ ...key, ...window })) : [];
}
