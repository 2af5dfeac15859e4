import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, readdir, readFile, readlink, realpath, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Log } from '../log.ts';
import { reasonOf, StartError, systemErrorCode } from '../start-error.ts';
import { blockedFolder, chooseSystemUser, isRoot, type SystemUser, spawnAs } from './account.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { buildFolder, makeFolder, pathExists } from './folder.ts';
import { findServerOf, movedFolderError } from './processes.ts';

const run = promisify(execFile);
const initdbTimeoutMs = 120_000;
const originLength = 24;

export const databaseUser = 'tidemark';
export const databaseName = 'postgres';

/**
 * Number of connections that the built-in PostgreSQL accepts, enough for 13 processes. 200 more connections need 7 MB
 * more memory.
 */
const maxConnections = 300;
/** The number of connections in the postgresql.conf of earlier versions, which was enough for only four processes. */
const formerMaxConnections = 100;

/**
 * Settings for postgresql.conf of the built-in PostgreSQL. The settings keep PostgreSQL's memory small and limit its
 * log to starts, stops and crashes. An operator may change the file afterwards.
 */
const settings = {
  max_connections: String(maxConnections),
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  min_wal_size: '32MB',
  io_method: 'sync',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

/**
 * How safely the built-in PostgreSQL writes to disk. `off` is only for tests: PostgreSQL is faster, but a power failure
 * can destroy the database. A crash of PostgreSQL alone does no harm.
 */
export type Durability = 'on' | 'off';

/**
 * The folder of the built-in database (PostgreSQL calls it a cluster), and everything that is needed to run PostgreSQL
 * on the folder.
 */
export interface Cluster {
  /** The path of the database folder, without symbolic links. */
  folder: string;
  log_file: string;
  account: SystemUser;
  binaries: Binaries;
  durability: Durability;
  on_child: OnChild;
}

/**
 * Called when the built-in PostgreSQL has begun work in a separate process: `create` (creating a new database, which
 * takes about a second) or `start`. This process can do other work in the meantime.
 */
export type OnChild = (work: 'create' | 'start') => void;

export interface ClusterOptions {
  data_dir: string;
  durability: Durability;
  /**
   * The folder for files that must be readable for the user who runs PostgreSQL. Used only when Tidemark runs as root.
   */
  system_folder: string;
  on_child?: OnChild | undefined;
}

/**
 * Returns the database folder inside the data folder. Creates a missing database folder. Several processes may call
 * this at the same time. Throws StartError when the folder cannot be created or used.
 */
export async function prepareCluster(options: ClusterOptions, log: Log): Promise<Cluster> {
  const dataDir = await makeDataFolder(resolve(options.data_dir));
  const logFile = join(dataDir, 'postgres.log');
  const link = join(dataDir, 'postgres');
  if (!(await hasDatabase(link))) {
    await refuseMoved(link);
    await makeDatabase(link, options, log);
  }

  const folder = await realpath(link);
  const { uid, gid } = await stat(folder);
  const account = await chooseSystemUser({ uid, gid });
  await checkOwner(folder, uid, account);
  const binaries = await findBinaries(account, options.system_folder);
  await checkVersion(folder, binaries);
  const { durability, on_child = () => undefined } = options;
  return { folder, log_file: logFile, account, binaries, durability, on_child };
}

async function makeDataFolder(dataDir: string): Promise<string> {
  try {
    // Allows every user to enter the data folder when Tidemark runs as root, because PostgreSQL then runs as a
    // different user. Only the database folder inside is private.
    await makeFolder(dataDir, isRoot() ? 0o711 : 0o700);
    return await realpath(dataDir);
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST')
      throw new StartError(`The data folder ${dataDir} is a file: choose another DATA_DIR.`);
    throw new StartError(
      `The data folder ${dataDir} cannot be used (${reasonOf(error)}): repair the cause, or choose another DATA_DIR.`,
    );
  }
}

async function hasDatabase(link: string): Promise<boolean> {
  try {
    const names = await readdir(link);
    if (names.length === 0 || names.includes('PG_VERSION')) return names.length > 0;
    throw new StartError(
      `The folder ${link} is not empty and has no Tidemark database: move it away or choose another DATA_DIR.`,
    );
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') {
      await refuseDangling(link);
      return false;
    }
    if (systemErrorCode(error) === 'EACCES') throw belongsToOther(link, (await stat(link)).uid);
    throw error;
  }
}

// Throws StartError when PostgreSQL still runs on a database that was in this place and was moved away.
async function refuseMoved(link: string): Promise<void> {
  const running = await findServerOf(link);
  // Another Tidemark process may have created the database and started PostgreSQL in the meantime.
  if (running !== null && !(await hasDatabase(link))) throw movedFolderError(link, running);
}

// Throws StartError when the database folder is a link to a missing folder. Otherwise a new empty database would
// silently replace the missing one.
async function refuseDangling(link: string): Promise<void> {
  // Treats a failed `readlink` as "no link": either nothing exists at this path, or another process has just created a
  // real folder.
  const target = await readlink(link).catch(() => null);
  if (target === null || (await pathExists(resolve(dirname(link), target)))) return;
  throw new StartError(
    `The symbolic link ${link} points to the folder ${target} of a database, which does not exist: restore this folder, or delete ${link} to begin with an empty database.`,
  );
}

async function makeDatabase(link: string, options: ClusterOptions, log: Log): Promise<void> {
  const account = await chooseSystemUser(null);
  const { initdb } = await findBinaries(account, options.system_folder);
  const blocked = await blockedFolder(dirname(link), account);
  try {
    if (blocked === null) await buildFolder(link, (folder) => initialise(folder, initdb, account, options));
    else
      await makeInSystemFolder(link, (folder) => initialise(folder, initdb, account, options), options.system_folder);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(
      `The built-in database could not be created in ${link} (${reasonOf(error)}): repair the cause, or choose another DATA_DIR.`,
      {
        cause: error,
      },
    );
  }
  const folder = await realpath(link);
  log.info(
    { folder },
    blocked === null
      ? 'created a new database'
      : `created a new database outside ${blocked}, because PostgreSQL may not enter that folder`,
  );
}

async function initialise(
  folder: string,
  initdb: string,
  account: SystemUser,
  { durability, on_child }: ClusterOptions,
): Promise<void> {
  if (isRoot()) await chown(folder, account.uid, account.gid);
  const options = [
    ...['-D', folder, '-U', databaseUser, '--auth-local=trust', '--auth-host=reject', '--no-instructions'],
    ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
    ...(durability === 'off' ? ['--no-sync'] : []),
  ];
  const env = { LC_ALL: 'C', TZ: 'UTC' };
  try {
    const created = run(initdb, options, { cwd: '/', env, timeout: initdbTimeoutMs, ...spawnAs(account) });
    on_child?.('create');
    await created;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') throw new StartError(notForThisSystem, { cause: error });
    throw new StartError(
      `PostgreSQL could not create a database in ${dirname(folder)} (${initdbReason(error)}): repair the cause, or choose another DATA_DIR.`,
      {
        cause: error,
      },
    );
  }
}

// The message for the error ENOENT. The system also reports this error for an existing program whose dynamic loader is
// missing, as on Alpine Linux, which has no glibc.
const notForThisSystem =
  'The built-in PostgreSQL does not run on this system, because it needs glibc: set DATABASE_URL to a PostgreSQL server (15 or newer) of your own.';

/**
 * Returns the line of initdb's output that names the cause of the error. The lines after it only list what initdb
 * deletes.
 */
function initdbReason(error: unknown): string {
  const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  const lines = output.split('\n');
  return lines.findLast((line) => /\b(?:FATAL|PANIC|error):/.test(line)) || lines.at(-1) || reasonOf(error);
}

// Creates the database in the system folder, and a link to the database in the data folder. Nothing else stores where
// the database is: if the link is lost, the next start creates a new database.
async function makeInSystemFolder(
  link: string,
  build: (folder: string) => Promise<void>,
  systemFolder: string,
): Promise<void> {
  await makeFolder(systemFolder, 0o755);
  // The name of the database folder includes the path of the data folder, so that an operator sees which data folder it
  // belongs to.
  const origin = dirname(link)
    .replaceAll(/[^\w]+/g, '-')
    .slice(-originLength);
  const target = join(systemFolder, `postgres${origin}-${randomBytes(4).toString('hex')}`);
  await buildFolder(target, build);
  try {
    await symlink(target, link);
  } catch (error) {
    await rm(target, { recursive: true, force: true });
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  }
}

async function checkOwner(folder: string, owner: number, account: SystemUser): Promise<void> {
  if (owner !== account.uid) throw belongsToOther(folder, owner);
  if (owner === 0) {
    throw new StartError(
      `The database ${folder} belongs to root, and PostgreSQL does not run as root: give it to an ordinary user with chown -R USER ${folder}.`,
    );
  }
  const blocked = isRoot() ? await blockedFolder(folder, account) : null;
  if (blocked === null) return;
  throw new StartError(
    `PostgreSQL runs as user ${owner}, who may not enter ${blocked}: run chmod o+x ${blocked}, or move ${folder} to a folder that everyone may enter and put a link to the new folder in its old place.`,
  );
}

function belongsToOther(folder: string, owner: number): StartError {
  return new StartError(
    `The database ${folder} belongs to another user (${owner}): start Tidemark as that user or choose another DATA_DIR.`,
  );
}

async function checkVersion(folder: string, { major }: Binaries): Promise<void> {
  const version = (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim();
  if (version === String(major)) return;
  throw new StartError(
    `The database ${folder} was created by PostgreSQL ${version}, and Tidemark includes PostgreSQL ${major}: run it with your own PostgreSQL ${version} and set DATABASE_URL, or choose another DATA_DIR.`,
  );
}

/**
 * Returns the settings that replace those of postgresql.conf in a database of an earlier version. Every other number of
 * connections is the operator's choice.
 */
export async function upgradedSettings(folder: string): Promise<Record<string, string>> {
  // PostgreSQL itself reports a file that is missing.
  const conf = await readFile(join(folder, 'postgresql.conf'), 'utf8').catch(() => '');
  const isFormer = new RegExp(`^max_connections *= *${formerMaxConnections}\\b`, 'm').test(conf);
  return isFormer ? { max_connections: String(maxConnections) } : {};
}
