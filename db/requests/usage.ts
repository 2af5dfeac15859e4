import type { Fragment, Sql } from 'postgres';
import { byWorkspace, inWorkspace, workspaceIdOf } from '../distribution/one-workspace.ts';
import { dayMs } from '../durations.ts';

/** An answered API request, to be counted for the usage statistics. */
export interface UsageEvent {
  workspace_id: string;
  key_id: string;
  route: string;
  /** The outcome of the request: `OK`, `HIT` (answered from the cache), `SANDBOX` (sample data) or an error code. */
  outcome: string;
  credits: number;
}

interface UsageWriter {
  count(event: UsageEvent): void;
  /** Writes all counts to the database and stops the timer. */
  close(): Promise<void>;
}

interface UsageOptions {
  now: () => Date;
  on_error: (error: unknown) => void;
}

const flushEveryMs = 1_000;
/**
 * Maximum number of usage counters in memory. If the database is unavailable so long that the limit is reached, further
 * counts are dropped and an error is reported.
 */
const maxCounters = 20_000;

interface Counter extends UsageEvent {
  /** The UTC day of the requests, as a number of days since 1970-01-01. */
  day: number;
  requests: number;
  last_used_at: Date;
}

/**
 * Creates a writer that counts API requests in memory and writes the counts every second, so that requests do not wait
 * for the database. The counts are statistics. Only the ledger proves which credits were charged.
 */
export function createUsageWriter(sql: Sql, options: UsageOptions): UsageWriter {
  let counters = new Map<string, Counter>();
  let writing: Promise<void> = Promise.resolve();
  const timer = setInterval(flush, flushEveryMs);
  timer.unref();

  function add(counter: Counter): void {
    const id = `${counter.workspace_id} ${counter.day} ${counter.key_id} ${counter.route} ${counter.outcome}`;
    const known = counters.get(id);
    if (known) {
      known.requests += counter.requests;
      known.credits += counter.credits;
      known.last_used_at = counter.last_used_at;
    } else if (counters.size < maxCounters) counters.set(id, counter);
    else options.on_error(new Error('The usage counters are full: some requests are not counted.'));
  }

  function flush(): void {
    if (counters.size === 0) return;
    const unwritten = counters;
    counters = new Map();
    const groups = byWorkspace(sql, [...unwritten.values()]);
    writing = writing.then(async () => {
      await Promise.all(groups.map(writeOrKeep));
    });
  }

  async function writeOrKeep({ workspace, items }: { workspace: string | null; items: Counter[] }): Promise<void> {
    await write(sql, items, workspace).catch((error: unknown) => {
      options.on_error(error);
      for (const counter of items) add(counter);
    });
  }

  return {
    count(event) {
      const now = options.now();
      add({ ...event, day: Math.floor(now.getTime() / dayMs), requests: 1, last_used_at: now });
    },
    async close() {
      clearInterval(timer);
      flush();
      await writing;
    },
  };
}

// Locks usage rows and API keys, each in the order of their ids. Charges lock API keys in the same order.
async function write(sql: Sql, counters: Counter[], workspace: string | null): Promise<void> {
  const column = <K extends keyof Counter>(name: K) => counters.map((counter) => counter[name]);
  const days = counters.map(({ day }) => new Date(day * dayMs).toISOString().slice(0, 10));
  const lastUses = counters.map((counter) => counter.last_used_at.toISOString());
  await sql`
    with counted as materialized (
      select * from unnest(${column('workspace_id')}::uuid[], ${days}::date[], ${column('key_id')}::uuid[],
        ${column('route')}::text[], ${column('outcome')}::text[], ${column('requests')}::bigint[],
        ${column('credits')}::bigint[], ${lastUses}::timestamptz[])
        as c (workspace_id, day, key_id, route, outcome, requests, credits, last_used_at)
    ), keys as materialized (
      select key_id from api_keys k where ${isUsed(sql, counters, workspace)} order by key_id for no key update
    ), used as (
      update api_keys k set last_used_at = c.last_used_at
      from (select workspace_id, key_id, max(last_used_at) as last_used_at from counted
            where key_id in (select key_id from keys) group by 1, 2) c
      where k.workspace_id = c.workspace_id and k.key_id = c.key_id${inWorkspace(sql, 'k', workspace)}
    )
    insert into usage as u (workspace_id, day, key_id, route, outcome, requests, credits)
    select ${workspaceIdOf(sql, workspace)}, day, key_id, route, outcome, requests, credits
    from counted where exists (select from workspaces w where w.workspace_id = counted.workspace_id${inWorkspace(sql, 'w', workspace)})
    order by 1, 2, 3, 4, 5
    on conflict (workspace_id, day, key_id, route, outcome) do update
      set requests = u.requests + excluded.requests, credits = u.credits + excluded.credits`;
}

/**
 * Returns the SQL condition that selects the API keys of the counters. With `workspace` it uses constants, because
 * Citus cannot lock rows of a join.
 */
function isUsed(sql: Sql, counters: Counter[], workspace: string | null): Fragment {
  if (workspace === null) return sql`(workspace_id, key_id) in (select workspace_id, key_id from counted)`;
  return sql`workspace_id = ${workspace}::uuid and key_id = any(${counters.map(({ key_id }) => key_id)}::uuid[])`;
}

interface UsageRow {
  route: string;
  outcome: string;
  requests: number;
  credits: number;
}

/** Returns the number of requests and credits of a workspace since a UTC day, by route and outcome. */
export async function usageSummary(sql: Sql, workspaceId: string, since: Date): Promise<UsageRow[]> {
  return sql<UsageRow[]>`
    select route, outcome, sum(requests)::bigint as requests, sum(credits)::bigint as credits
    from usage where workspace_id = ${workspaceId} and day >= ${since.toISOString().slice(0, 10)}
    group by route, outcome order by route, outcome`;
}
