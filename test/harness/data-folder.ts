import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { connectClients } from '../../db/connect.ts';
import { databaseName, databaseUser } from '../../db/embedded/cluster.ts';
import { commandOf } from '../../db/embedded/postmaster.ts';
import { postmasterPid, removeFolder, until } from '../setup/processes.ts';
import { killServices } from './service-process.ts';

/** Works on the database of a data folder while it runs. This process does not attach to it: it neither starts it nor keeps it running. */
export async function withDatabase<T>(dataDir: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const options = { host: join(dataDir, 'postgres'), port: 5432, user: databaseUser, database: databaseName };
  const database = connectClients({ url: '', options }, 'test');
  return work(database.sql).finally(() => database.close());
}

/** The command lines of all processes that name this folder. */
export async function processesOf(folder: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return commands.map((command) => command.replaceAll('\0', ' ')).filter((command) => command.includes(folder));
}

/** Ends what a test started over a data folder, and removes it. PostgreSQL is told to end at once, and takes its children along. */
export async function tidyUp(folder: string, dataDir: string): Promise<void> {
  await killServices();
  const pid = await postmasterPid(dataDir);
  const isRunning = async () => pid !== null && (await commandOf(pid)).includes(folder);
  if (pid !== null && (await isRunning())) process.kill(pid, 'SIGQUIT');
  await until(async () => !(await isRunning()));
  await removeFolder(folder, dataDir);
}
