import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { StartError, systemErrorCode } from '../start-error.ts';

const run = promisify(execFile);

/** Returns true when a command line started the main process of PostgreSQL on this database folder. */
export const isServerOf = (folder: string, command: string) => command.includes(` -D ${folder} `);

/** Returns the command line of a process; empty when the process does not exist or is a zombie. */
export async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') return ((await readOrNull(`/proc/${pid}/cmdline`)) ?? '').replaceAll('\0', ' ');
  const listing = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => null);
  return listing?.stdout ?? '';
}

/**
 * Returns the id of a PostgreSQL process that was started on this database folder, even if its files were moved away
 * since then; null when no such process exists.
 */
export async function findServerOf(folder: string): Promise<number | null> {
  for (const pid of await listProcesses()) if (isServerOf(folder, await commandOf(pid))) return pid;
  return null;
}

async function listProcesses(): Promise<number[]> {
  const names =
    process.platform === 'linux'
      ? await readdir('/proc')
      : (await run('ps', ['-axo', 'pid='])).stdout.split('\n').map((line) => line.trim());
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

/**
 * Returns the error for a PostgreSQL process whose database folder was moved away. The process knows the folder by its
 * path, so it would write its state into another database at this path, which could then not be started again. SIGQUIT
 * ends the process without such a write.
 */
export function movedFolderError(folder: string, pid: number): StartError {
  return new StartError(
    `PostgreSQL (process ${pid}) still runs on ${folder}, although its files were moved away, and would destroy another database there: run kill -QUIT ${pid}, and try again when the process has ended. The moved database is not damaged by this.`,
  );
}

/** Returns the text of a file; null when the file, or the process that it describes, does not exist. */
export async function readOrNull(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT' || systemErrorCode(error) === 'ESRCH') return null;
    throw error;
  }
}
