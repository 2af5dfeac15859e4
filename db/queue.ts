import { dirname } from 'node:path';
import type { Sql } from 'postgres';

/** The PostgreSQL schema that contains the tables of the job queue. */
export const queueSchema = 'jobs';

/** Maximum number of database connections of the job queue in one process. */
export const queueConnections = 3;

/** Returns the options that let another database driver connect to the same database as `sql`. */
export function connectionOf(sql: Sql): Record<string, unknown> {
  const { host, port, path, user, pass, database, ssl } = sql.options;
  const address = path ? { host: dirname(String(path)), port: port[0] } : { host: host[0], port: port[0] };
  return { ...address, user, password: pass ?? undefined, database, ssl: ssl || undefined };
}

/**
 * Returns the transaction as an object that the job queue accepts. Jobs that are queued with this object exist only if
 * the transaction is committed.
 */
export function statementsOf(tx: Sql) {
  return {
    async executeSql(text: string, values: unknown[] = []) {
      return { rows: [...(await tx.unsafe(text, values as never[]))] };
    },
  };
}

export interface QueueState {
  job: string;
  queued: number;
  active: number;
  /** Number of jobs that are scheduled for a later time. */
  deferred: number;
  failed: number;
  /** Seconds since the oldest waiting job became due; null when no due job is waiting. */
  lag_seconds: number | null;
  /** The time at which an item last finished without an error; null when none did in the last 24 hours. */
  finished_at: Date | null;
}

/** Returns the number of jobs of each job queue by state. All numbers are 0 until a process has created the queues. */
export async function readQueueStates(sql: Sql, jobs: readonly string[]): Promise<QueueState[]> {
  const [schema] = await sql`select where to_regclass(${`${queueSchema}.job`}) is not null`;
  if (!schema)
    return jobs.map((job) => ({
      job,
      queued: 0,
      active: 0,
      deferred: 0,
      failed: 0,
      lag_seconds: null,
      finished_at: null,
    }));
  return sql<QueueState[]>`
    select n.name as job,
      count(*) filter (where j.state in ('created', 'retry') and j.start_after <= now())::int as queued,
      count(*) filter (where j.state = 'active')::int as active,
      count(*) filter (where j.state in ('created', 'retry') and j.start_after > now())::int as deferred,
      count(*) filter (where j.state = 'failed')::int as failed,
      extract(epoch from now() - min(j.start_after) filter (where j.state in ('created', 'retry')
        and j.start_after <= now()))::float8 as lag_seconds,
      max(j.completed_on) filter (where j.state = 'completed') as finished_at
    from unnest(${[...jobs]}::text[]) with ordinality as n (name, position)
    left join ${sql(queueSchema)}.job j on j.name = n.name
    group by n.name, n.position order by n.position`;
}

/** Returns those of the keys whose items of a job are due or running. */
export async function itemsInProgress(sql: Sql, job: string, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await sql<{ key: string }[]>`
    select singleton_key as key from ${sql(queueSchema)}.job
    where name = ${job} and singleton_key = any(${[...keys]})
      and (state = 'active' or (state in ('created', 'retry') and start_after <= now()))`;
  return new Set(rows.map(({ key }) => key));
}

/**
 * Corrects items of the job queue from the future, which exist after the clock of the database server was set back.
 * Without this, an item would wait until the clock shows its time again, and no other item with its key would be added.
 * Also lets the queue library search for items of dead processes again, which it otherwise does only after that time.
 */
export async function correctQueueTimes(sql: Sql): Promise<void> {
  const job = sql(`${queueSchema}.job`);
  const isFuture = (column: string) => sql`${sql(column)} > now() + interval '1 minute'`;
  await sql`
    with future as (
      select name, id from ${job}
      where state in ('created', 'retry', 'active')
        and (${isFuture('created_on')} or ${isFuture('started_on')} or ${isFuture('heartbeat_on')})
      order by name, id for update skip locked
    )
    update ${job} j set
      start_after = case when ${isFuture('j.created_on')} then now() + greatest(interval '0', j.start_after - j.created_on)
        when j.state = 'retry' then now() else j.start_after end,
      created_on = least(j.created_on, now()), started_on = least(j.started_on, now()),
      heartbeat_on = least(j.heartbeat_on, now())
    from future f where j.name = f.name and j.id = f.id`;
  await sql`
    with future as (
      select name from ${sql(`${queueSchema}.queue`)}
      where ${isFuture('monitor_claim_on')} or ${isFuture('monitor_on')} or ${isFuture('maintain_on')}
      order by name for update skip locked
    )
    update ${sql(`${queueSchema}.queue`)} q set monitor_claim_on = least(q.monitor_claim_on, now()),
      monitor_on = least(q.monitor_on, now()), maintain_on = least(q.maintain_on, now())
    from future f where q.name = f.name`;
}
