import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { StartError, systemErrorCode } from '../start-error.ts';

const run = promisify(execFile);
const maxListBytes = 16 * 1024 * 1024;

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
 * since then; null when no such process exists. A process in another container is left out: the same path leads to
 * other files there.
 */
export async function findServerOf(folder: string): Promise<number | null> {
  const commands = process.platform === 'linux' ? linuxCommands() : await listedCommands();
  for (const [pid, command] of commands) if (isServerOf(folder, command) && (await isInSameContainer(pid))) return pid;
  return null;
}

/** Returns the id and the command line of each process. Reads synchronously, which is much faster for these files. */
function linuxCommands(): [number, string][] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.map((id) => {
    try {
      return [Number(id), readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ')];
    } catch {
      // The process has ended in the meantime.
      return [Number(id), ''];
    }
  });
}

async function listedCommands(): Promise<[number, string][]> {
  const { stdout } = await run('ps', ['-axo', 'pid=,command='], { maxBuffer: maxListBytes });
  return stdout.split('\n').map((line) => [Number.parseInt(line, 10), `${line} `]);
}

/** Returns false for a process in a container that this process is not in. Only Linux has containers. */
async function isInSameContainer(pid: number): Promise<boolean> {
  return process.platform !== 'linux' || (await namespaceDepth(pid)) === (await namespaceDepth('self'));
}

/**
 * Returns in how many nested namespaces for process ids a process is; 0 when it has ended. A process in a container has
 * one more than those outside.
 */
async function namespaceDepth(pid: number | 'self'): Promise<number> {
  const status = (await readOrNull(`/proc/${pid}/status`)) ?? '';
  return /^NSpid:(.*)$/m.exec(status)?.[1]?.trim().split(/\s+/).length ?? 0;
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
