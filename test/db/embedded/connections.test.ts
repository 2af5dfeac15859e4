import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../../db/connect.ts';
import { requireConnections } from '../../../db/embedded/capacity.ts';
import { attachedName } from '../../../db/embedded/embedded.ts';
import { openDatabase } from '../../../db/open.ts';
import { StartError } from '../../../db/start-error.ts';
import { copyDataFolder } from '../../harness/data-folder.ts';
import { openFolder, removeFolder } from '../../setup/processes.ts';
import { silentLog } from '../../setup/test-database.ts';

let folder: string;
let dataDir: string;
let opened: Database[];

beforeEach(async () => {
  folder = await openFolder();
  dataDir = join(folder, 'data');
  opened = [];
  await copyDataFolder(dataDir);
});
afterEach(async () => {
  await Promise.all(opened.map((database) => database.close()));
  await removeFolder(folder, dataDir);
});

async function open(role: string): Promise<Database> {
  const database = await openDatabase({ database_url: null, data_dir: dataDir, role }, silentLog);
  opened.push(database);
  return database;
}

async function setMaxConnections(connections: number): Promise<void> {
  const path = join(dataDir, 'postgres/postgresql.conf');
  const conf = await readFile(path, 'utf8');
  await writeFile(path, conf.replace(/^max_connections *= *\d+/m, `max_connections = ${connections}`));
}

async function maxConnections(): Promise<number> {
  const { sql } = await open('operator');
  const [row] = await sql<{ max_connections: string }[]>`show max_connections`;
  return Number(row?.max_connections);
}

test.each([
  ['a new database accepts 300 connections', null, 300],
  ['a database of an earlier version, with 100 connections, accepts 300', 100, 300],
  ['a database with a number of connections that the operator chose keeps it', 50, 50],
])('%s', async (_, configured, accepted) => {
  if (configured !== null) await setMaxConnections(configured);
  expect(await maxConnections()).toBe(accepted);
});

test('a server or pipeline for which the built-in PostgreSQL has too few connections does not start and says what to do', async () => {
  await setMaxConnections(44);
  await open('server');
  await open('pipeline');
  const third = open('server');
  await expect(third).rejects.toThrow(StartError);
  await expect(third).rejects.toThrow(
    /accepts 44 connections, which is enough for 2 Tidemark processes, and this is number 3: .* set max_connections in .*\/data\/postgres\/postgresql\.conf to at least 66/,
  );
  await expect(open('operator')).resolves.toBeTruthy();
  await opened.pop()?.close();
  await opened.pop()?.close();
  await expect(open('server')).resolves.toBeTruthy();
});

test('when two processes start at the same time and only one of them fits, the first one starts', async () => {
  await setMaxConnections(22);
  const { sql } = await open('operator');
  const { host, port, user, database } = sql.options;
  const connection = { application_name: attachedName };
  const attach = () => postgres({ host: host[0] ?? '', port: port[0] ?? 0, user, database, max: 1, connection });
  const clients = [attach(), attach()];
  const pids: number[] = [];
  for (const client of clients)
    pids.push((await client<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid ?? 0);
  await expect(requireConnections(sql, 10, pids[0] ?? 0)).resolves.toBeUndefined();
  await expect(requireConnections(sql, 10, pids[1] ?? 0)).rejects.toThrow('this is number 3');
  await Promise.all(clients.map((client) => client.end()));
});
