import { join } from 'node:path';
import type { Sql } from 'postgres';
import { StartError } from '../start-error.ts';
import { attachedName } from './embedded.ts';

/**
 * Throws StartError when the built-in PostgreSQL accepts too few connections for all Tidemark processes that use it.
 * Otherwise, statements would fail under load. `perProcess` is the maximum number of connections of a process, without
 * the one that every process keeps to the built-in PostgreSQL, whose process id is `attachedPid`.
 *
 * Counts only processes that attached before this one. If two processes start at the same time and only one of them
 * fits, the first one starts.
 */
export async function requireConnections(sql: Sql, perProcess: number, attachedPid: number): Promise<void> {
  const needed = perProcess + 1;
  const [{ allowed = 0, processes = 0, folder = '' } = {}] = await sql<
    { allowed: number; processes: number; folder: string }[]
  >`
    select current_setting('max_connections')::int as allowed, current_setting('data_directory') as folder,
      (select count(*) from pg_stat_activity where application_name = ${attachedName} and (backend_start, pid) <=
        (select backend_start, pid from pg_stat_activity where pid = ${attachedPid}))::int as processes`;
  if (processes * needed <= allowed) return;
  throw new StartError(
    `The built-in PostgreSQL accepts ${allowed} connections, which is enough for ${Math.floor(allowed / needed)} Tidemark processes, and this is number ${processes}: start fewer servers and pipelines, or stop all of them, set max_connections in ${join(folder, 'postgresql.conf')} to at least ${processes * needed}, and start them again.`,
  );
}
