import type { Sql } from 'postgres';
import { reasonOf, StartError } from '../start-error.ts';

/**
 * The oldest supported PostgreSQL version, 15, as `server_version_num`. Older versions lack features that the SQL
 * statements use.
 */
const oldestServerVersion = 150_000;

/**
 * Throws StartError when the database cannot be reached or its PostgreSQL is too old. The error never contains the
 * password.
 */
export async function checkServerVersion(sql: Sql): Promise<void> {
  const { host, port, path, database } = sql.options;
  const address = `${path || host.map((name, index) => `${name}:${port[index]}`).join(',')}/${database}`;
  const version = await serverVersion(sql).catch((error: unknown) => {
    throw new StartError(
      `The database ${address} of DATABASE_URL cannot be opened: ${withoutPassword(reasonOf(error), sql)}.`,
    );
  });
  if (version >= oldestServerVersion) return;
  const major = Math.floor(version / 10_000);
  throw new StartError(
    `The database at ${address} (DATABASE_URL) runs PostgreSQL ${major}. Tidemark needs ${oldestServerVersion / 10_000} or newer: upgrade it or use another server.`,
  );
}

async function serverVersion(sql: Sql): Promise<number> {
  const [row] = await sql<{ version: number }[]>`select current_setting('server_version_num')::int as version`;
  if (!row) throw new Error('The database server returned no version.');
  return row.version;
}

function withoutPassword(text: string, sql: Sql): string {
  const { pass } = sql.options;
  return typeof pass === 'string' && pass !== '' ? text.replaceAll(pass, '…') : text;
}
