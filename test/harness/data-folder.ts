import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sql } from 'postgres';
import { inject } from 'vitest';
import { connectClients } from '../../db/connect.ts';
import { databaseName, databaseUser } from '../../db/embedded/cluster.ts';
import { isRunningIn, postmasterPid, removeFolder, until } from '../setup/processes.ts';
import { killServices } from './service-process.ts';

/** Creates a data folder with a fully migrated database. Copies a prepared folder, because initdb takes longer. */
export async function copyDataFolder(dataDir: string): Promise<void> {
  const response = await fetch(inject('data_folder'));
  const made = await response.text();
  if (!response.ok) throw new Error(`The data folder of the tests was not made: ${made}`);
  await mkdir(dataDir, { mode: 0o711 });
  // Uses `cp -a` because it keeps the owner of the files, which is not root. fs.cp does not.
  await promisify(execFile)('cp', ['-a', join(made, 'postgres'), dataDir]);
}

/**
 * Runs `work` on the running database of a data folder. Only connects, so this neither starts the database nor keeps it
 * running.
 */
export async function withDatabase<T>(dataDir: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const options = { host: join(dataDir, 'postgres'), port: 5432, user: databaseUser, database: databaseName };
  const database = connectClients({ url: '', options }, 'test');
  return work(database.sql).finally(() => database.close());
}

/** Returns the command lines of all running processes that name this folder. */
export async function processesOf(folder: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return commands.map((command) => command.replaceAll('\0', ' ')).filter((command) => command.includes(folder));
}

/**
 * Ends all processes that a test started on a data folder, and removes the folder. SIGQUIT ends PostgreSQL and its
 * child processes immediately.
 */
export async function tidyUp(folder: string, dataDir: string): Promise<void> {
  await killServices();
  const pid = await postmasterPid(dataDir);
  const isRunning = async () => pid !== null && (await isRunningIn(folder, pid));
  if (pid !== null && (await isRunning())) process.kill(pid, 'SIGQUIT');
  await until(async () => !(await isRunning()));
  await removeFolder(folder, dataDir);
}
