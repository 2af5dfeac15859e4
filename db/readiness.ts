import type { Sql } from 'postgres';

/**
 * Milliseconds for which the result of a database check is reused, so that frequent health checks do not cause many
 * writes.
 */
const maxAgeMs = 1_000;

/**
 * Returns a function for health checks. The function writes to the database and rejects when the database cannot store
 * data, because it is unreachable, full or read-only.
 */
export function createReadiness(sql: Sql): () => Promise<void> {
  let probedAtMs = Number.NEGATIVE_INFINITY;
  let probe: Promise<void> = Promise.resolve();
  return () => {
    const nowMs = performance.now();
    if (nowMs - probedAtMs >= maxAgeMs) {
      probedAtMs = nowMs;
      probe = writeOnce(sql);
    }
    return probe;
  };
}

async function writeOnce(sql: Sql): Promise<void> {
  await sql`
    insert into settings (name, value) values ('readiness', now()::text)
    on conflict (name) do update set value = excluded.value`;
}

/** Returns the PostgreSQL version, the size of the database in bytes and the current time of the database server. */
export async function readServer(sql: Sql): Promise<{ version: string; bytes: number; clock: Date }> {
  const [row] = await sql<{ version: string; bytes: number; clock: Date }[]>`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
      clock_timestamp() as clock`;
  if (!row) throw new Error('The database returned no row for its version, size and time.');
  return row;
}
