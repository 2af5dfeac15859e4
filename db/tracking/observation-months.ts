import type { Sql } from 'postgres';
import { inTransaction } from '../transaction.ts';

const monthsAhead = 2;
// Any number that no other lock of ours has.
const monthsLock = 730_002;

/**
 * Makes the partitions of the month of `now` and of the next ones, each once, whatever number of processes asks. What was
 * observed before its month had one moves in from the default partition, which otherwise would not let go of the month.
 */
export async function ensureMonths(sql: Sql, now: Date): Promise<void> {
  const wanted = Array.from({ length: monthsAhead + 1 }, (_, ahead) => monthAt(now, ahead));
  if ((await missingOf(sql, wanted)).length === 0) return;
  await inTransaction(sql, async (tx) => {
    await tx`select pg_advisory_xact_lock(${monthsLock})`;
    for (const month of await missingOf(tx, wanted)) await makeMonth(tx, month);
  });
}

interface Month {
  name: string;
  from: string;
  to: string;
}

async function missingOf(sql: Sql, wanted: readonly Month[]): Promise<Month[]> {
  const existing = await sql<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'observations'::regclass`;
  return wanted.filter((month) => !existing.some(({ name }) => name === month.name));
}

async function makeMonth(tx: Sql, { name, from, to }: Month): Promise<void> {
  await tx.unsafe(`
    lock table observations_default in access exclusive mode;
    create table ${name} (like observations including defaults including constraints);
    with early as (
      delete from observations_default where observed_at >= '${from}' and observed_at < '${to}' returning *
    ) insert into ${name} select * from early;
    alter table observations attach partition ${name} for values from ('${from}') to ('${to}');`);
}

function monthAt(now: Date, ahead: number): Month {
  const first = (shift: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + shift, 1)).toISOString();
  const from = first(ahead);
  return { name: `observations_${from.slice(0, 7).replace('-', '_')}`, from, to: first(ahead + 1) };
}

/** Removes whole months of observations that end before `before`, and the rest row by row; returns the rows removed row by row. */
export async function removeObservations(sql: Sql, before: Date): Promise<number> {
  const partitions = await sql<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'observations'::regclass and c.relname ~ '^observations_[0-9]{4}_[0-9]{2}$'`;
  const lastKept = `observations_${before.toISOString().slice(0, 7).replace('-', '_')}`;
  for (const { name } of partitions) {
    if (name < lastKept) await sql.unsafe(`drop table if exists ${name}`);
  }
  const removed = await sql`delete from observations where observed_at < ${before}`;
  return removed.count;
}
