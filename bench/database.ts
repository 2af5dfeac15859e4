import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectClients, parseDatabaseUrl } from '../db/connect.ts';
import { startEmbedded } from '../db/embedded/embedded.ts';
import type { Log } from '../db/log.ts';
import { migrate } from '../db/migrate.ts';
import { parentOf } from './cpu-time.ts';

const silent: Log = { info() {}, warn() {}, error() {} };

export interface BenchServer extends AsyncDisposable {
  /** Creates a database with all migrations and returns its DATABASE_URL. */
  createDatabase(name: string): Promise<string>;
  /** Process id of the server. Null for a server of BENCH_DATABASE_URL, and where `/proc` does not exist. */
  pid: number | null;
  /**
   * Stops the server and removes its folder. A server of BENCH_DATABASE_URL is not stopped; only the created databases
   * are dropped.
   */
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL server in a temporary folder, with the same durability as `npm start`. When BENCH_DATABASE_URL is
 * set, uses that server instead and creates separate databases there.
 */
export async function startBenchServer(): Promise<BenchServer> {
  const externalUrl = process.env.BENCH_DATABASE_URL;
  const { url, stop } = externalUrl ? { url: externalUrl, stop: async () => {} } : await startPrivateServer();
  const admin = connectClients(parseDatabaseUrl(url), 'bench', { after_close: stop });
  const prefix = `tidemark_bench_${randomBytes(4).toString('hex')}_`;
  const created: string[] = [];
  const addressOf = (database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).href;
  const create = async (database: string, template: string) => {
    await admin.sql`create database ${admin.sql(database)} template ${admin.sql(template)}`;
    created.push(database);
  };
  let migrated: Promise<string> | null = null;
  // Runs the migrations once, in a template, because copying a database takes less time than its migrations.
  const makeTemplate = async () => {
    const name = `${prefix}template`;
    await create(name, 'template1');
    const database = connectClients(parseDatabaseUrl(addressOf(name)), 'bench');
    await migrate(database.sql);
    await database.close();
    return name;
  };
  const stopAll = async () => {
    for (const name of externalUrl ? created : []) await admin.sql`drop database ${admin.sql(name)} with (force)`;
    await admin.close();
  };
  const [backend] = await admin.sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return {
    pid: externalUrl || !backend ? null : parentOf(backend.pid),
    async createDatabase(name) {
      migrated ??= makeTemplate();
      await create(prefix + name, await migrated);
      return addressOf(prefix + name);
    },
    stop: stopAll,
    [Symbol.asyncDispose]: stopAll,
  };
}

async function startPrivateServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-bench-'));
  await chmod(folder, 0o711);
  const embedded = await startEmbedded({ data_dir: folder, log: silent, durability: 'on' });
  const { host, user, database } = embedded.connection;
  return {
    url: `postgres:///${database}?${new URLSearchParams({ host, user })}`,
    async stop() {
      await embedded.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
