import type { Fragment, Sql } from 'postgres';
import { dayOf } from '../calendar.ts';
import { byWorkspace, inWorkspace, workspaceIdOf } from '../distribution/one-workspace.ts';
import { dayMs } from '../durations.ts';
import { type CounterWriter, createCounterWriter } from './counter-writer.ts';

/** An answered API request, to be counted for the usage statistics. */
export interface UsageEvent {
  workspace_id: string;
  key_id: string;
  route: string;
  /** The outcome of the request: `OK`, `HIT` (answered from the cache), `SANDBOX` (sample data) or an error code. */
  outcome: string;
  credits: number;
}

interface UsageWriter extends Pick<CounterWriter<Counter>, 'close'> {
  count(event: UsageEvent): void;
}

interface UsageOptions {
  now: () => Date;
  on_error: (error: unknown) => void;
}

interface Counter extends UsageEvent {
  /** The UTC day of the requests, as a number of days since 1970-01-01. */
  day: number;
  requests: number;
  last_used_at: Date;
}

/**
 * Creates a writer that counts API requests in memory and writes the counts every second, so that requests do not wait
 * for the database. The counts are only statistics: charged credits are proved by the ledger.
 */
export function createUsageWriter(sql: Sql, { now, on_error }: UsageOptions): UsageWriter {
  const writer = createCounterWriter<Counter>({
    name: 'usage',
    flush_every_ms: 1_000,
    max_counters: 20_000,
    idOf: ({ workspace_id, day, key_id, route, outcome }) => `${workspace_id} ${day} ${key_id} ${route} ${outcome}`,
    merge(counter, more) {
      counter.requests += more.requests;
      counter.credits += more.credits;
      if (more.last_used_at > counter.last_used_at) counter.last_used_at = more.last_used_at;
    },
    statements: (counters) =>
      byWorkspace(sql, counters).map(({ workspace, items }) => ({
        counters: items,
        run: () => write(sql, items, workspace),
      })),
    on_error,
  });
  return {
    count(event) {
      const at = now();
      writer.add([{ ...event, day: Math.floor(at.getTime() / dayMs), requests: 1, last_used_at: at }]);
    },
    close: writer.close,
  };
}

// Locks API keys and usage rows, each in the order of their ids. Charges lock API keys in the same order.
async function write(sql: Sql, counters: Counter[], workspace: string | null): Promise<void> {
  const column = <K extends keyof Counter>(name: K) => counters.map((counter) => counter[name]);
  const days = counters.map(({ day }) => dayOf(day * dayMs));
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
 * Returns the SQL condition that selects the API keys of the counters. With `workspace` (Citus), uses constants,
 * because Citus cannot lock rows of a join.
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
    from usage where workspace_id = ${workspaceId} and day >= ${dayOf(since)}
    group by route, outcome order by route, outcome`;
}

/** Returns the number of requests and credits since a UTC day of each workspace that has sent requests, by its id. */
export async function usageByWorkspace(
  sql: Sql,
  since: Date,
): Promise<Map<string, Omit<UsageRow, 'route' | 'outcome'>>> {
  const rows = await sql<(UsageRow & { workspace_id: string })[]>`
    select workspace_id, sum(requests)::bigint as requests, sum(credits)::bigint as credits
    from usage where day >= ${dayOf(since)} group by workspace_id`;
  return new Map(rows.map(({ workspace_id, requests, credits }) => [workspace_id, { requests, credits }]));
}
