import type { Sql } from 'postgres';
import { monthOf } from '../calendar.ts';
import { deleteOld, inPortions } from '../delete-old.ts';
import { isDistributed } from '../distribution/distributed.ts';
import { withTableLock } from './table-lock.ts';

const monthsAhead = 2;
// An arbitrary number for the advisory lock around creating monthly partitions. No other lock of Tidemark may use this
// number.
const monthsLock = 730_002;

/**
 * Creates the partitions of the table `observations` for the current and the next two months, if they are missing.
 * Several processes may call this at the same time. Creates none while a long statement uses the table. First moves
 * rows of a new month out of the default partition, because otherwise PostgreSQL refuses to attach the new partition.
 */
export async function ensureMonths(sql: Sql, now: Date): Promise<void> {
  const months = Array.from({ length: monthsAhead + 1 }, (_, ahead) => monthAt(now, ahead));
  if ((await findMissing(sql, months)).length === 0) return;
  await withTableLock(sql, 'share update exclusive', async (tx) => {
    await tx`select pg_advisory_xact_lock(${monthsLock})`;
    for (const month of await findMissing(tx, months)) await createMonth(tx, month);
  });
}

interface Month {
  name: string;
  from: string;
  to: string;
}

async function findMissing(sql: Sql, months: readonly Month[]): Promise<Month[]> {
  const existing = await listPartitions(sql);
  return months.filter(({ name }) => !existing.includes(name));
}

/** Returns the names of the monthly partitions of `observations`, without the default partition. */
async function listPartitions(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'observations'::regclass and c.relname ~ '^observations_[0-9]{4}_[0-9]{2}$'`;
  return rows.map(({ name }) => name);
}

/** Returns the names of the partitions of `observations` for all months (UTC) before the month of `at`. */
export async function partitionsBefore(sql: Sql, at: Date): Promise<string[]> {
  const first = partitionOf(at);
  return (await listPartitions(sql)).filter((name) => name < first);
}

/** Returns the name of the partition of `observations` for the month (UTC) of `at`. */
function partitionOf(at: Date): string {
  return `observations_${monthOf(at).slice(0, 7).replace('-', '_')}`;
}

async function createMonth(tx: Sql, month: Month): Promise<void> {
  if (isDistributed(tx)) return createDistributedMonth(tx, month);
  const { name, from, to } = month;
  await tx.unsafe(`
    lock table observations_default in access exclusive mode;
    create table ${name} (like observations including defaults including constraints);
    with moved as (
      delete from observations_default where observed_at >= '${from}' and observed_at < '${to}' returning *
    ) insert into ${name} select * from moved;
    alter table observations attach partition ${name} for values from ('${from}') to ('${to}');`);
}

// Creates the partition of one month in a distributed database. Citus cannot move rows within one statement, so the
// rows are first copied and then deleted.
async function createDistributedMonth(tx: Sql, { name, from, to }: Month): Promise<void> {
  const range = `observed_at >= '${from}' and observed_at < '${to}'`;
  await tx`lock table observations_default in access exclusive mode`;
  await tx.unsafe(`create table ${name} (like observations including defaults including constraints)`);
  await tx.unsafe(`select create_distributed_table('${name}', 'workspace_id', colocate_with => 'observations')`);
  await tx.unsafe(`insert into ${name} select * from observations_default where ${range}`);
  await tx.unsafe(`delete from observations_default where ${range}`);
  await tx.unsafe(`alter table observations attach partition ${name} for values from ('${from}') to ('${to}')`);
}

function monthAt(now: Date, ahead: number): Month {
  const first = (shift: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + shift, 1));
  const from = first(ahead);
  return { name: partitionOf(from), from: from.toISOString(), to: first(ahead + 1).toISOString() };
}

/**
 * Deletes observations older than `before`. Drops the partitions of whole months, which is fast, and deletes rows from
 * the other partitions. When a long statement uses the table, leaves the drops to the next call. Deletes the months of
 * `observation_months` as a whole, once all of their days are older. Returns the number of deleted rows.
 */
export async function removeObservations(sql: Sql, before: Date): Promise<number> {
  for (const name of await partitionsBefore(sql, before)) {
    const locked = await withTableLock(sql, 'access exclusive', async (tx) => {
      await tx`drop table if exists ${tx(name)}`;
    });
    if (!locked) break;
  }
  const months = await deleteOld(sql, 'observation_months', sql`month < ${monthOf(before)}`);
  return months + (await removeRows(sql, before));
}

// Identifies rows by their primary key, because rows of two partitions can have the same `ctid`.
async function removeRows(sql: Sql, before: Date): Promise<number> {
  if (isDistributed(sql)) return (await sql`delete from observations where observed_at < ${before}`).count;
  return inPortions(
    (limit) => sql`
      with old as materialized (
        select workspace_id, item_id, observed_at from observations
        where observed_at < ${before} limit ${limit} for update skip locked
      )
      delete from observations o using old
      where o.workspace_id = old.workspace_id and o.item_id = old.item_id and o.observed_at = old.observed_at
        and o.observed_at < ${before}`,
  );
}
