import { dirname } from 'node:path';
import type { Sql } from 'postgres';

/** The schema that the queue keeps its own tables in. */
export const queueSchema = 'jobs';

/** Where a pool of another driver reaches the same database as `sql`. */
export function connectionOf(sql: Sql): Record<string, unknown> {
  const { host, port, path, user, pass, database, ssl } = sql.options;
  const place = path ? { host: dirname(String(path)), port: port[0] } : { host: host[0], port: port[0] };
  return { ...place, user, password: pass ?? undefined, database, ssl: ssl || undefined };
}

/** Our transaction as the queue's database, so that an item is there exactly when the transaction commits. */
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
  /** Waiting for their time. */
  deferred: number;
  failed: number;
  /** Seconds that the oldest item that could start has waited; null when none waits. */
  lag_seconds: number | null;
}

/** How much waits in each queue, and for how long. Before the first process with a queue there is nothing in any. */
export async function readQueueStates(sql: Sql, jobs: readonly string[]): Promise<QueueState[]> {
  const [made] = await sql`select where to_regclass(${`${queueSchema}.job`}) is not null`;
  if (!made) return jobs.map((job) => ({ job, queued: 0, active: 0, deferred: 0, failed: 0, lag_seconds: null }));
  return sql<QueueState[]>`
    select n.name as job,
      count(*) filter (where j.state in ('created', 'retry') and j.start_after <= now())::int as queued,
      count(*) filter (where j.state = 'active')::int as active,
      count(*) filter (where j.state in ('created', 'retry') and j.start_after > now())::int as deferred,
      count(*) filter (where j.state = 'failed')::int as failed,
      extract(epoch from now() - min(j.start_after) filter (where j.state in ('created', 'retry')
        and j.start_after <= now()))::float8 as lag_seconds
    from unnest(${[...jobs]}::text[]) with ordinality as n (name, place)
    left join ${sql(queueSchema)}.job j on j.name = n.name
    group by n.name, n.place order by n.place`;
}
