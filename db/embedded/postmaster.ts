import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chown, lstat, mkdtemp, open, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { codeOf, StartError } from '../start-error.ts';
import { isRoot, spawnAs } from './account.ts';
import type { Cluster } from './cluster.ts';
import { isThere } from './folder.ts';

export const socketPort = 5432;
/** The system cuts longer socket addresses off: 104 bytes on macOS, 108 on Linux. */
const socketPathLimitBytes = 100;
/** A folder of every Unix system whose name is short enough for a socket's path. */
const shortFolder = '/tmp';
const logLimitBytes = 10 * 1024 * 1024;
const stopTimeoutMs = 30_000;
const pollMs = 10;

/** What postmaster.pid tells: the file outlives a postmaster that was killed, and its process id may be another program's by now. */
export interface Postmaster {
  pid: number;
  running: boolean;
  /** Running, and open for connections. */
  ready: boolean;
}

/** The postmaster of a cluster; null when there is no postmaster.pid. */
export async function findPostmaster(cluster: Cluster): Promise<Postmaster | null> {
  const lines = (await readOrNull(join(cluster.folder, 'postmaster.pid')))?.split('\n');
  const pid = Number(lines?.[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  const running = await isPostmaster(pid, cluster);
  return { pid, running, ready: running && lines?.[7]?.trim() === 'ready' };
}

async function isPostmaster(pid: number, { folder }: Cluster): Promise<boolean> {
  return (await commandOf(pid)).includes(` -D ${folder} `);
}

/** The command line of a process; empty when there is none, also for a killed one that nobody has waited for yet (a zombie). */
export async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') return ((await readOrNull(`/proc/${pid}/cmdline`)) ?? '').replaceAll('\0', ' ');
  const listing = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => null);
  return listing?.stdout ?? '';
}

async function readOrNull(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return null;
    throw error;
  }
}

/**
 * The folder of the cluster's socket: the database folder, which is closed to others already; when its path is too long for a
 * socket, a short one made from it. The same for every process, so that a restarted postmaster is found at the old address.
 */
export function socketFolder({ folder }: Cluster): string {
  const path = `${folder}/.s.PGSQL.${socketPort}`;
  if (Buffer.byteLength(path) <= socketPathLimitBytes && /^[\w./-]+$/.test(folder)) return folder;
  return join(shortFolder, `tidemark-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`);
}

/**
 * Starts a postmaster in a session of its own: neither Ctrl-C nor the death of this process reaches it. `stale` is what
 * postmaster.pid tells of one that is gone; `onerror` hears when the program cannot be run at all.
 */
export async function launchPostmaster(
  cluster: Cluster,
  stale: Postmaster | null,
  onerror: (error: Error) => void,
): Promise<ChildProcess> {
  const sockets = socketFolder(cluster);
  if (sockets !== cluster.folder) await makeSocketFolder(sockets, cluster);
  const log = await openLog(cluster);
  try {
    const child = spawn(cluster.binaries.postgres, postmasterOptions(cluster, sockets), {
      cwd: '/',
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      // PostgreSQL takes a pid file as left over when it names this "grandparent", and then still makes sure that no process uses the database.
      env: { LC_ALL: 'C', TZ: 'UTC', ...(stale ? { PG_GRANDPARENT_PID: String(stale.pid) } : {}) },
      ...spawnAs(cluster.account),
    });
    child.once('error', onerror);
    child.unref();
    return child;
  } finally {
    await log.close();
  }
}

function postmasterOptions({ folder, durability }: Cluster, sockets: string): string[] {
  const enforced = {
    listen_addresses: '',
    unix_socket_directories: sockets,
    unix_socket_permissions: '0700',
    port: String(socketPort),
  };
  const hasty = { fsync: 'off', full_page_writes: 'off' };
  const settings = Object.entries({ ...enforced, ...(durability === 'off' ? hasty : {}) });
  return ['-D', folder, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

async function openLog(cluster: Cluster): ReturnType<typeof open> {
  const { log_file, account } = cluster;
  if ((await logSize(cluster)) > logLimitBytes) await rename(log_file, `${log_file}.old`);
  const log = await open(log_file, 'a', 0o600);
  if (isRoot()) await log.chown(account.uid, account.gid);
  return log;
}

async function makeSocketFolder(path: string, { account }: Cluster): Promise<void> {
  if (!(await isThere(path))) {
    const unfinished = await mkdtemp(join(shortFolder, 'tidemark-'));
    if (isRoot()) await chown(unfinished, account.uid, account.gid);
    await rename(unfinished, path).catch(() => rm(unfinished, { recursive: true, force: true }));
  }
  const stats = await lstat(path);
  if (stats.isDirectory() && stats.uid === account.uid && (stats.mode & 0o077) === 0) return;
  throw new StartError(
    `The folder ${path}, which the database needs for its socket, belongs to somebody else: remove it or choose a shorter DATA_DIR.`,
  );
}

/** Shuts the postmaster down: open transactions are rolled back, everything committed is written. False when it is still there after the time limit. */
export async function stopPostmaster(cluster: Cluster): Promise<boolean> {
  const deadline = Date.now() + stopTimeoutMs;
  const first = await findPostmaster(cluster);
  if (!first?.running) return true;
  askToStop(first.pid);
  while (Date.now() < deadline) {
    if (!(await isPostmaster(first.pid, cluster))) {
      await removeSocketFolder(cluster);
      return true;
    }
    await pause(pollMs);
  }
  return false;
}

async function removeSocketFolder(cluster: Cluster): Promise<void> {
  const sockets = socketFolder(cluster);
  if (sockets === cluster.folder) return;
  // Not empty or gone: the next server uses it already.
  await rmdir(sockets).catch(() => undefined);
}

function askToStop(pid: number): void {
  try {
    process.kill(pid, 'SIGINT');
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

/** The size of PostgreSQL's log in bytes; 0 when there is none. */
export async function logSize({ log_file }: Cluster): Promise<number> {
  return stat(log_file).then(
    (stats) => stats.size,
    () => 0,
  );
}

/** What PostgreSQL last complained of in its log after `offset` bytes; null when it said nothing. */
export async function lastComplaint({ log_file }: Cluster, offset: number): Promise<string | null> {
  const text = Buffer.from((await readOrNull(log_file)) ?? '')
    .subarray(offset)
    .toString();
  const line = text.split('\n').findLast((line) => line.includes('FATAL:'));
  return line?.replace(/^.*FATAL:\s*/, '') ?? null;
}
