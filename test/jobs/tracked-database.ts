import { PgBoss } from 'pg-boss';
import type { Sql } from 'postgres';
import { expect } from 'vitest';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { readDistribution } from '../../db/distribution/distributed.ts';
import { checkLedger } from '../../db/money/ledger.ts';
import { connectionOf, queueSchema } from '../../db/queue.ts';
import { addItem } from '../../db/tracking/items.ts';
import { inTransaction } from '../../db/transaction.ts';
import { listJobs } from '../../pipeline/jobs/all.ts';
import { startQueue } from '../../pipeline/queue/queue.ts';
import { until } from '../setup/processes.ts';
import { silentLog } from '../setup/test-database.ts';

export interface Wanted {
  workspaces: number;
  items_each: number;
  credits: number;
}

/**
 * Creates workspaces of the highest tier with items that were last checked 25 hours ago. The handle of item `n` begins
 * with `p<n modulo 4>`.
 */
export async function trackItems(sql: Sql, { workspaces, items_each, credits }: Wanted): Promise<string[]> {
  const workspaceIds = [];
  for (let count = 0; count < workspaces; count += 1) {
    const workspace = { name: 'tracked', tier: 'air', credits } as const;
    const { workspace_id } = await inTransaction(sql, (tx) => createWorkspace(tx, workspace));
    for (let n = 0; n < items_each; n += 1) {
      const handle = `p${n % 4}.${count}.${n}`;
      const url = `https://www.instagram.com/${handle}/`;
      await addItem(sql, workspace_id, { platform: 'photo', kind: 'profile', url, identifier: handle }, items_each);
    }
    workspaceIds.push(workspace_id);
  }
  await makeDue(sql);
  // Sets the tier last, so that no scheduled check starts before all items are complete.
  await sql`update workspaces set tier = 'ultra'`;
  return workspaceIds;
}

/** Sets the last tracking attempt of every item to this many hours ago. */
export async function makeDue(sql: Sql, hours = 25): Promise<void> {
  await sql`update tracked_items set last_attempt_at = now() - ${hours} * interval '1 hour'`;
}

const noteClaim = `
  create function note_claim() returns trigger language plpgsql as $$ begin
    execute format('insert into %s values ($1, $2, $3)', tg_argv[0]) using new.workspace_id, new.item_id, new.attempt_id;
    return null;
  end $$`;
/** Returns the SQL of a trigger on a table (or on a shard of it) that copies every claim into another table. */
const claimTrigger = (from: string, to: string) => `
  create trigger claims after update of last_attempt_at on ${from}
  for each row when (new.attempt_id is not null) execute function note_claim('${to}')`;

/**
 * Records every claim of an item (the start of a check) in the table `claims_seen`. Each claim leads to at most one
 * request to the source.
 */
export async function watchClaims(sql: Sql): Promise<void> {
  await sql`create table claims_seen (workspace_id uuid not null, item_id uuid not null, attempt_id uuid not null)`;
  await sql.unsafe(noteClaim);
  if (!(await readDistribution(sql))) {
    await sql.unsafe(claimTrigger('tracked_items', 'claims_seen'));
    return;
  }
  // Citus has no triggers on distributed tables, so the triggers are created on the shards, which are plain tables.
  // Both shards of a workspace are on the same node.
  await sql`select create_distributed_table('claims_seen', 'workspace_id', colocate_with => 'tracked_items')`;
  const made = await sql<{ success: boolean }[]>`
    select * from run_command_on_colocated_placements('tracked_items', 'claims_seen', ${claimTrigger('%s', '%s')})`;
  expect(made.filter(({ success }) => !success)).toEqual([]);
}

export interface Ticks {
  /** Starts the job that enqueues due tracking checks now, instead of at its next scheduled minute. */
  sweep(): Promise<void>;
  stop(): Promise<void>;
}

export async function startTicks(sql: Sql): Promise<Ticks> {
  const { send, stop } = await startQueue({ sql, jobs: listJobs(), log: silentLog, work: null });
  return { sweep: () => send('track-sweep', [{ key: 'track-sweep', data: {} }]), stop };
}

/**
 * Moves the queue's times back by an hour, so that the queue returns the jobs of dead processes. The processes under
 * test keep the time limits of production, but the test does not have to wait that long.
 */
export async function anHourPasses(sql: Sql): Promise<void> {
  // Waits, because PostgreSQL may still be running the last statement of a killed process.
  await until(async () => (await othersAtWork(sql)) === 0);
  const jobsTable = sql(`${queueSchema}.job`);
  await sql`update ${jobsTable} set started_on = started_on - interval '1 hour' where state = 'active'`;
  await sql`update ${sql(`${queueSchema}.queue`)} set monitor_claim_on = null, monitor_on = null`;
  const boss = new PgBoss({ ...connectionOf(sql), schema: queueSchema, supervise: false, schedule: false, max: 1 });
  await boss.start();
  await boss.supervise();
  await boss.stop({ graceful: false });
}

/** Waits until the queue has no jobs left to run. */
export function untilQuiet(sql: Sql): Promise<void> {
  const jobsTable = sql(`${queueSchema}.job`);
  return until(async () => (await sql`select from ${jobsTable} where state < 'completed' limit 1`).length === 0);
}

async function othersAtWork(sql: Sql): Promise<number> {
  const others = await sql`
    select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`;
  return others.length;
}

export const countOf = async (sql: Sql, table: string): Promise<number> => {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from ${sql(table)}`;
  return row?.n ?? Number.NaN;
};

/** Counts the tracked items by number of attempts. Keys are numbers of attempts; values are numbers of items. */
export async function attemptsPerItem(sql: Sql): Promise<Record<number, number>> {
  const rows = await sql<{ attempts: number; items: number }[]>`
    select attempts, count(*)::int as items from (
      select count(a.attempt_id)::int as attempts from tracked_items i
      left join check_attempts a on a.workspace_id = i.workspace_id and a.item_id = i.item_id
      group by i.workspace_id, i.item_id
    ) per_item group by attempts`;
  return Object.fromEntries(rows.map(({ attempts, items }) => [attempts, items]));
}

export interface Claimed {
  /** The largest number of claims (started checks) of one item. */
  most_claims: number;
  /** The largest number of different attempt ids among the claims of one item. */
  most_attempts: number;
}

export async function claimsPerItem(sql: Sql): Promise<Claimed> {
  const [row] = await sql<Claimed[]>`
    select max(claims)::int as most_claims, max(attempts)::int as most_attempts from (
      select count(*) as claims, count(distinct attempt_id) as attempts from claims_seen group by item_id
    ) per_item`;
  if (!row) throw new Error('no row');
  return row;
}

/** Expects one charge and one observation for every paid attempt, and balances that match the ledger. */
export async function expectExact(
  sql: Sql,
  { workspaces, items_each, credits }: Wanted,
  rounds: number,
): Promise<void> {
  const charged = items_each * rounds;
  const balances = await sql`select balance from credit_balances`;
  expect(balances.map(({ balance }) => balance)).toEqual(Array(workspaces).fill(credits - charged));
  const [sums] = await sql`
    select (select count(*)::int from check_attempts where outcome = 'OK' and credits = 1) as attempts,
      (select count(distinct charge_id)::int from ledger_entries where kind = 'charge') as charges,
      (select count(*)::int from ledger_entries where kind = 'charge') as entries,
      (select count(*)::int from observations) as observations`;
  const all = workspaces * charged;
  expect(sums).toEqual({ attempts: all, charges: all, entries: all, observations: all });
  expect((await checkLedger(sql)).mismatches).toEqual([]);
}
