import { connectClients, connectionsOf, type Database, distributedConnections, parseDatabaseUrl } from './connect.ts';
import { readDistribution } from './distribution/distributed.ts';
import { warmUp } from './distribution/warm-up.ts';
import { requireConnections } from './embedded/capacity.ts';
import type { OnChild } from './embedded/cluster.ts';
import { startEmbedded } from './embedded/embedded.ts';
import type { Log } from './log.ts';
import { requirePatchedDriver } from './patched-driver.ts';
import { connectionsWarning } from './server/connections.ts';
import { checkServerVersion } from './server/version.ts';

interface DatabaseConfig {
  /** The URL of a PostgreSQL server, 15 or newer. Null uses the built-in server, with its data in `data_dir`. */
  database_url: string | null;
  data_dir: string;
  /**
   * The kind of process: `server`, `pipeline` or `operator`. pg_stat_activity shows the process as `tidemark-<role>`.
   */
  role: string;
  /** Milliseconds that a request waits for the database. Default: 1,500. */
  database_timeout_ms?: number | undefined;
  on_child?: OnChild;
}

/**
 * Opens the database of DATABASE_URL, or starts the built-in PostgreSQL server when no URL is set. Lost connections are
 * reopened automatically. Throws StartError when the database cannot be used.
 */
export async function openDatabase(config: DatabaseConfig, log: Log): Promise<Database> {
  requirePatchedDriver();
  const { role, database_timeout_ms } = config;
  if (config.database_url === null) return openEmbedded(config, log);
  const target = parseDatabaseUrl(config.database_url);
  const database = connectClients(target, role, { database_timeout_ms });
  try {
    await checkServerVersion(database.sql);
    const distributed = await readDistribution(database.sql);
    const warning =
      role === 'operator'
        ? null
        : await connectionsWarning(database.sql, connectionsOf(distributed), { is_starting: true });
    if (warning !== null) log.warn({}, warning);
    if (!distributed) return database;
  } catch (error) {
    await database.close();
    throw error;
  }
  await database.close();
  const cluster = connectClients(target, role, { distributed: true, database_timeout_ms });
  if (role !== 'operator') await warmUp(cluster.pipelined, distributedConnections);
  return cluster;
}

async function openEmbedded(config: DatabaseConfig, log: Log): Promise<Database> {
  const { role, data_dir, on_child, database_timeout_ms } = config;
  const { connection, attached_pid, stop } = await startEmbedded({ data_dir, on_child, log });
  const database = connectClients({ url: '', options: connection }, role, { after_close: stop, database_timeout_ms });
  if (role === 'operator') return database;
  try {
    await requireConnections(database.sql, connectionsOf(false), attached_pid);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
