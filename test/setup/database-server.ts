import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { Sql } from 'postgres';
import type { TestProject } from 'vitest/node';
import { connectClients, parseDatabaseUrl } from '../../db/connect.ts';
import { startEmbedded } from '../../db/embedded/embedded.ts';
import { migrate } from '../../db/migrate.ts';
import { systemErrorCode } from '../../db/start-error.ts';
import { databasesOfNodes, dropOnEveryNode, makeCitusTemplate, readNodes } from './citus.ts';
import { abandonedMemoryFolders, isOfDeadProcess } from './memory-folder.ts';
import { silentLog } from './test-database.ts';
import { databaseName, type TestServer, withDatabase } from './test-server.ts';

const folderPrefix = 'tidemark-test-';
/** PostgreSQL error code for a database that is in use. */
const objectInUse = '55006';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address that returns the {@link TestServer} as JSON. The first request starts the database server. */
    test_server: string;
    /** Address that returns the path of a finished data folder to copy. The first request makes the folder. */
    data_folder: string;
  }
}

interface StartedServer extends TestServer {
  stop(): Promise<void>;
}

/**
 * Starts the database server and prepares the data folder only when a test file needs them, so that a run of unit tests
 * starts no server. With LIST_DATABASE_TESTS, writes the paths of the test files that used the server to the file with
 * that name.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let started: Promise<StartedServer> | null = null;
  let folder: Promise<string> | null = null;
  const usedBy = new Set<string>();
  const path = `/${randomBytes(16).toString('hex')}`;
  const answers: Record<string, (file: string | null) => Promise<string>> = {
    [`${path}/server`]: async (file) => {
      if (file) usedBy.add(relative(process.cwd(), file));
      started ??= startServer();
      const { url, run, nodes } = await started;
      return JSON.stringify({ url, run, nodes } satisfies TestServer);
    },
    [`${path}/data-folder`]: () => {
      folder ??= makeDataFolder();
      return folder;
    },
  };
  const endpoint = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    const answer = answers[pathname];
    if (!answer) return response.writeHead(404).end();
    try {
      response.end(await answer(searchParams.get('file')));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  endpoint.listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  const address = endpoint.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  project.provide('test_server', `http://127.0.0.1:${address.port}${path}/server`);
  project.provide('data_folder', `http://127.0.0.1:${address.port}${path}/data-folder`);
  return async () => {
    endpoint.close();
    endpoint.closeAllConnections();
    // Ignores the error of a failed start, because the tests that waited for the server have already failed.
    await (await started?.catch(() => null))?.stop();
    const made = await folder?.catch(() => null);
    if (made) await rm(made, { recursive: true, force: true });
    const list = process.env.LIST_DATABASE_TESTS;
    if (list) await writeFile(list, [...usedBy].sort().join('\n'));
  };
}

/**
 * Starts one database server for all test files, or uses TEST_CITUS_URL or TEST_DATABASE_URL. Creates the template of
 * all test databases.
 */
async function startServer(): Promise<StartedServer> {
  const citusUrl = process.env.TEST_CITUS_URL;
  const configuredUrl = citusUrl || process.env.TEST_DATABASE_URL;
  const { url, stop } = configuredUrl ? { url: configuredUrl, stop: async () => {} } : await startPrivateServer();
  const run = randomBytes(4).toString('hex');
  const nodes = citusUrl ? await readNodes(citusUrl) : [];
  const admin = connectClients(parseDatabaseUrl(url), `test-${run}`, { after_close: stop });
  const drop = (names: string[]) => dropDatabases(admin.sql, nodes, names);
  try {
    await drop(await oldDatabases(admin.sql, nodes));
    if (nodes.length > 0) await makeCitusTemplate(nodes, databaseName(run, 'template'));
    else await makeTemplate(admin.sql, url, run);
  } catch (error) {
    await admin.close();
    throw error;
  }
  return {
    url,
    run,
    nodes,
    async stop() {
      if (configuredUrl) await drop(await databasesLike(admin.sql, databaseName(run, '%')));
      await admin.close();
    },
  };
}

/** Makes a data folder with all migrations and job queues. Stops its database, so that the folder can be copied. */
async function makeDataFolder(): Promise<string> {
  const folder = await temporaryFolder();
  const embedded = await startEmbedded({ data_dir: folder, log: silentLog, durability: 'off' });
  const database = connectClients({ url: '', options: embedded.connection }, 'test', { after_close: embedded.stop });
  await migrate(database.sql);
  await createQueues(addressOf(embedded));
  await database.close();
  return folder;
}

/** Creates a temporary folder that other users may pass through to reach their own folders. */
async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`));
  await chmod(folder, 0o711);
  return folder;
}

async function startPrivateServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  await removeAbandonedServers();
  const folder = await temporaryFolder();
  const embedded = await startEmbedded({ data_dir: folder, log: silentLog, durability: 'off' });
  return {
    url: addressOf(embedded),
    async stop() {
      await embedded.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function addressOf({ connection: { host, user, database } }: Awaited<ReturnType<typeof startEmbedded>>): string {
  return `postgres:///${database}?${new URLSearchParams({ host, user })}`;
}

/**
 * Creates the job queues in a separate process, once for all tests. Opening existing queues takes half as long as
 * creating them.
 */
async function createQueues(url: string): Promise<void> {
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'create-queues.ts'), url]);
}

// Stops the database servers that killed test runs have left running. A server stops when a process attaches to it and
// detaches again.
async function removeAbandonedServers(): Promise<void> {
  const abandoned = abandonedMemoryFolders();
  for (const folder of [tmpdir(), ...abandoned]) {
    for (const name of await readdir(folder)) {
      if (isOfDeadProcess(name, folderPrefix)) await removeServer(join(folder, name));
    }
  }
  for (const folder of abandoned) await rm(folder, { recursive: true, force: true });
}

async function removeServer(dataDir: string): Promise<void> {
  try {
    await (await startEmbedded({ data_dir: dataDir, log: silentLog })).stop();
    await rm(dataDir, { recursive: true, force: true });
  } catch (error) {
    console.warn(`The database server of a killed test run could not be removed from ${dataDir}: ${error}`);
  }
}

async function makeTemplate(admin: Sql, url: string, run: string): Promise<void> {
  const name = databaseName(run, 'template');
  await admin.unsafe(`create database ${name}`);
  const template = connectClients(parseDatabaseUrl(withDatabase(url, name)), 'test');
  await migrate(template.sql);
  await template.close();
  await createQueues(withDatabase(url, name));
}

// Returns the databases of killed test runs. A running test run has a connection with its name, so databases of other
// runs are old.
async function oldDatabases(admin: Sql, nodes: readonly string[]): Promise<string[]> {
  const rows = await admin<{ name: string }[]>`select application_name as name from pg_stat_activity`;
  const activePrefixes = rows.map(({ name }) => databaseName(name.replace('tidemark-test-', ''), ''));
  const pattern = databaseName('%', '%');
  const databases = nodes.length > 0 ? await databasesOfNodes(nodes, pattern) : await databasesLike(admin, pattern);
  return databases.filter((name) => !activePrefixes.some((prefix) => name.startsWith(prefix)));
}

async function databasesLike(admin: Sql, pattern: string): Promise<string[]> {
  const rows = await admin<{ name: string }[]>`select datname as name from pg_database where datname like ${pattern}`;
  return rows.map(({ name }) => name);
}

// On a plain PostgreSQL server, skips a database that is in use, which the next test run will drop. Dropping it with
// FORCE would make the process that uses it fail.
async function dropDatabases(admin: Sql, nodes: readonly string[], names: string[]): Promise<void> {
  for (const name of names) {
    if (nodes.length > 0) await dropOnEveryNode(nodes, name);
    if (nodes.length > 0) continue;
    await admin.unsafe(`drop database if exists ${name}`).catch((error: unknown) => {
      if (systemErrorCode(error) !== objectInUse) throw error;
    });
  }
}
