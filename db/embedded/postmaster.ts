import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chown, lstat, mkdtemp, open, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { StartError, systemErrorCode } from '../start-error.ts';
import { isRoot, spawnAs } from './account.ts';
import { type Cluster, upgradedSettings } from './cluster.ts';
import { pathExists } from './folder.ts';
import { commandOf, isServerOf, readOrNull } from './processes.ts';

export const socketPort = 5432;
/**
 * Maximum length in bytes of the path of a Unix socket. The system truncates longer paths: after 104 bytes on macOS,
 * and after 108 on Linux.
 */
const socketPathLimitBytes = 100;
/** A folder for PostgreSQL's socket that exists on every Unix system and has a short enough path. */
const shortFolder = '/tmp';
const logLimitBytes = 10 * 1024 * 1024;
const stopTimeoutMs = 30_000;
const pollMs = 10;

/**
 * The main process of PostgreSQL (postmaster), as described by its file postmaster.pid. After a crash, the file
 * remains, and another program may get the same process id.
 */
export interface Postmaster {
  pid: number;
  running: boolean;
  /** True when PostgreSQL is running and accepts connections. */
  ready: boolean;
}

/** Returns the main process of PostgreSQL that the file postmaster.pid describes; null when the file does not exist. */
export async function findPostmaster(cluster: Cluster): Promise<Postmaster | null> {
  const lines = (await readOrNull(join(cluster.folder, 'postmaster.pid')))?.split('\n');
  const pid = Number(lines?.[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  const running = await isPostmaster(pid, cluster);
  return { pid, running, ready: running && lines?.[7]?.trim() === 'ready' };
}

async function isPostmaster(pid: number, { folder }: Cluster): Promise<boolean> {
  return isServerOf(folder, await commandOf(pid));
}

/**
 * Returns the folder of PostgreSQL's socket: the private database folder, or a folder in /tmp when the path of the
 * database folder is too long or has special characters. The name in /tmp is derived from that path, so that every
 * process finds the same folder.
 */
export function socketFolder({ folder }: Cluster): string {
  const path = `${folder}/.s.PGSQL.${socketPort}`;
  if (Buffer.byteLength(path) <= socketPathLimitBytes && /^[\w./-]+$/.test(folder)) return folder;
  return join(shortFolder, `tidemark-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`);
}

/**
 * Starts PostgreSQL in its own session, so that neither Ctrl-C nor the end of this process stops it. `stale` is the
 * content of a postmaster.pid that remained after a crash. `onerror` is called when the program cannot be run.
 */
export async function launchPostmaster(
  cluster: Cluster,
  stale: Postmaster | null,
  onerror: (error: Error) => void,
): Promise<ChildProcess> {
  const sockets = await makeSocketFolder(cluster);
  const upgraded = await upgradedSettings(cluster.folder);
  const log = await openLog(cluster);
  try {
    const child = spawn(cluster.binaries.postgres, postmasterOptions(cluster, sockets, upgraded), {
      cwd: '/',
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      // PG_GRANDPARENT_PID makes PostgreSQL treat the old pid file as a leftover of a crash. PostgreSQL still checks
      // that no process uses the database.
      env: { LC_ALL: 'C', TZ: 'UTC', ...(stale ? { PG_GRANDPARENT_PID: String(stale.pid) } : {}) },
      ...spawnAs(cluster.account),
    });
    child.once('error', onerror);
    child.unref();
    cluster.on_child('start');
    return child;
  } finally {
    await log.close();
  }
}

function postmasterOptions(
  { folder, durability }: Cluster,
  sockets: string,
  upgraded: Record<string, string>,
): string[] {
  const enforced = {
    listen_addresses: '',
    unix_socket_directories: sockets,
    unix_socket_permissions: '0700',
    port: String(socketPort),
  };
  // Settings that make PostgreSQL faster but unsafe, for tests. Autovacuum almost never runs, because test databases
  // exist too briefly to need it.
  const unsafe = { fsync: 'off', full_page_writes: 'off', autovacuum_naptime: '1d' };
  const settings = Object.entries({ ...upgraded, ...enforced, ...(durability === 'off' ? unsafe : {}) });
  return ['-D', folder, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

async function openLog(cluster: Cluster): ReturnType<typeof open> {
  const { log_file, account } = cluster;
  if ((await logSize(cluster)) > logLimitBytes) await rename(log_file, `${log_file}.old`);
  const log = await open(log_file, 'a', 0o600);
  if (isRoot()) await log.chown(account.uid, account.gid);
  return log;
}

/** Returns the folder of PostgreSQL's socket. Creates a missing folder in /tmp. Throws StartError. */
export async function makeSocketFolder(cluster: Cluster): Promise<string> {
  const { folder, account } = cluster;
  const path = socketFolder(cluster);
  if (path === folder) return path;
  if (!(await pathExists(path))) {
    const unfinished = await mkdtemp(join(shortFolder, 'tidemark-'));
    if (isRoot()) await chown(unfinished, account.uid, account.gid);
    await rename(unfinished, path).catch(() => rm(unfinished, { recursive: true, force: true }));
  }
  const stats = await lstat(path);
  if (stats.isDirectory() && stats.uid === account.uid && (stats.mode & 0o077) === 0) return path;
  throw new StartError(
    `The folder ${path}, which the database needs for its socket, belongs to another user: remove it, or choose a shorter DATA_DIR, because the path of a socket may have about 100 characters.`,
  );
}

/**
 * Shuts down the built-in PostgreSQL and rolls back open transactions. Returns false when PostgreSQL is still running
 * after the time limit.
 */
export async function stopPostmaster(cluster: Cluster): Promise<boolean> {
  const deadline = performance.now() + stopTimeoutMs;
  const first = await findPostmaster(cluster);
  if (!first?.running) return true;
  requestStop(first.pid);
  while (performance.now() < deadline) {
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
  // Ignores errors: the folder may not exist, or a new PostgreSQL may already use it.
  await rmdir(sockets).catch(() => undefined);
}

function requestStop(pid: number): void {
  try {
    process.kill(pid, 'SIGINT');
  } catch (error) {
    if (systemErrorCode(error) !== 'ESRCH') throw error;
  }
}

/** Returns the size of PostgreSQL's log file in bytes; 0 when the file does not exist. */
export async function logSize({ log_file }: Cluster): Promise<number> {
  return stat(log_file).then(
    (stats) => stats.size,
    () => 0,
  );
}

/**
 * Returns the last FATAL or PANIC message after the first `offset` bytes of PostgreSQL's log file; null when there is
 * no such message.
 */
export async function lastFatalMessage({ log_file }: Cluster, offset: number): Promise<string | null> {
  const text = Buffer.from((await readOrNull(log_file)) ?? '')
    .subarray(offset)
    .toString();
  const line = text.split('\n').findLast((line) => /(?:FATAL|PANIC):/.test(line));
  return line?.replace(/^.*(?:FATAL|PANIC):\s*/, '') ?? null;
}
