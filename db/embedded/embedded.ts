import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import type { Log } from '../log.ts';
import { reasonOf, StartError } from '../start-error.ts';
import {
  type Cluster,
  type ClusterOptions,
  type Durability,
  databaseName,
  databaseUser,
  prepareCluster,
} from './cluster.ts';
import { defaultSystemFolder } from './folder.ts';
import {
  findPostmaster,
  lastFatalMessage,
  launchPostmaster,
  logSize,
  type Postmaster,
  socketFolder,
  socketPort,
  stopPostmaster,
} from './postmaster.ts';
import { findServerOf, movedFolderError } from './processes.ts';
import { hasUsers, isListening, type Registration, registerUser } from './users.ts';

/**
 * Time limit in milliseconds for starting PostgreSQL. The limit is high, because a start after a crash can take long.
 */
const startTimeoutMs = 60_000;
/**
 * Maximum number of attempts to start PostgreSQL. An attempt fails immediately when another process is starting or
 * stopping PostgreSQL at the same time.
 */
const launchLimit = 20;
const launchPauseMs = 250;
const restartPauseMs = 5_000;
const hiddenServerLimitMs = 5_000;
const pollMs = 10;
const attachConnectTimeoutSeconds = 5;
const attachLockTimeoutMs = 10_000;
/**
 * Number of the advisory lock that prevents a shutdown while processes are attached. Each attached process holds the
 * lock in shared mode, and a process needs the lock in exclusive mode to shut PostgreSQL down.
 */
const attachedLock = 7_428_301;
/** The name of the connection with which each attached process holds the advisory lock. */
export const attachedName = 'tidemark-attached';

interface EmbeddedOptions extends Pick<ClusterOptions, 'data_dir' | 'on_child'> {
  log: Log;
  durability?: Durability;
  system_folder?: string;
}

/** Connection options for postgres.js. `host` is the folder with the Unix socket of PostgreSQL. */
interface SocketAddress {
  host: string;
  port: number;
  user: string;
  database: string;
}

interface Embedded {
  connection: SocketAddress;
  /** Process id of PostgreSQL's end of the connection that registers this process, see `attachedName`. */
  attached_pid: number;
  /**
   * Ends this process's use of the built-in database. The last process to do so shuts down PostgreSQL. Never throws.
   */
  stop(): Promise<void>;
}

/**
 * Starts the built-in PostgreSQL of a data folder if it is not running, and registers this process as one of its users.
 * Creates the database if needed. Restarts PostgreSQL if it is killed while in use. Throws StartError.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { log, durability = 'on', system_folder = defaultSystemFolder } = options;
  const cluster = await prepareCluster({ ...options, durability, system_folder }, log);
  const ending = new AbortController();
  const ended = once(ending.signal, 'abort');
  const user = await registerUser(cluster);
  let attachment: Attachment | null = await attach(cluster, ending.signal).catch(async (error) => {
    await user.leave();
    throw error;
  });
  log.info({ folder: cluster.folder }, 'attached to the built-in database');

  async function keepAttached(): Promise<void> {
    while (attachment !== null) {
      await Promise.race([attachment.closed, ended]);
      if (ending.signal.aborted) return;
      log.warn({ folder: cluster.folder }, 'the built-in database stopped unexpectedly: restarting it');
      await attachment.client.end({ timeout: 0 });
      attachment = await attachAgain(cluster, log, ending.signal);
    }
  }

  const watching = keepAttached();
  return {
    connection: addressOf(cluster),
    attached_pid: attachment.pid,
    async stop() {
      ending.abort();
      await watching;
      if (attachment === null) return user.leave();
      const { client } = attachment;
      attachment = null;
      await detach(cluster, client, user, log);
    },
  };
}

function addressOf(cluster: Cluster): SocketAddress {
  return { host: socketFolder(cluster), port: socketPort, user: databaseUser, database: databaseName };
}

/** The connection that holds the shared advisory lock while this process uses the built-in database. */
interface Attachment {
  client: Sql;
  /** Process id of PostgreSQL's end of the connection. */
  pid: number;
  closed: Promise<void>;
}

// Takes the advisory lock in shared mode, so that no other process shuts down PostgreSQL. Waits while another process
// is shutting it down.
async function lockAttachment(cluster: Cluster): Promise<Attachment> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const client = postgres({
    ...addressOf(cluster),
    max: 1,
    ssl: false,
    fetch_types: false,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: attachConnectTimeoutSeconds,
    connection: { application_name: attachedName, lock_timeout: attachLockTimeoutMs },
    onnotice: () => undefined,
    onclose: () => resolve(),
  });
  try {
    const [row] = await client<{ pid: number }[]>`
      select pg_backend_pid() as pid, pg_advisory_lock_shared(${attachedLock})`;
    return { client, pid: row?.pid ?? 0, closed };
  } catch (error) {
    await client.end({ timeout: 0 });
    throw error;
  }
}

/** Starts the built-in PostgreSQL if it is not running, and waits until this process holds the shared advisory lock. */
async function attach(cluster: Cluster, signal: AbortSignal): Promise<Attachment> {
  const deadline = performance.now() + startTimeoutMs;
  const attempt: Attempt = {
    child: null,
    launches: 0,
    next_launch_at: 0,
    unseen_since: null,
    last_error: null,
    log_size: await logSize(cluster),
  };
  while (performance.now() < deadline && attempt.launches <= launchLimit) {
    const postmaster = await findPostmaster(cluster);
    // Stops waiting when this process is asked to end. But if PostgreSQL has been started, still waits for the lock,
    // because otherwise no process would shut PostgreSQL down.
    if (signal.aborted && !postmaster?.running && !isAlive(attempt.child)) break;
    if (postmaster?.ready) {
      try {
        return await lockAttachment(cluster);
      } catch (error) {
        attempt.last_error = error;
      }
    } else if (!postmaster?.running) {
      await launchWhenDue(cluster, attempt, postmaster);
    }
    await pause(pollMs);
  }
  throw await notStartedError(cluster, attempt);
}

interface Attempt {
  child: ChildProcess | null;
  launches: number;
  next_launch_at: number;
  /**
   * Time at which PostgreSQL's socket first answered, or a PostgreSQL process was first found, although postmaster.pid
   * does not name a running process; null if that did not happen.
   */
  unseen_since: number | null;
  /** The error of the last attempt to start PostgreSQL or connect to it. */
  last_error: unknown;
  /** Size of PostgreSQL's log file in bytes before the start, so that only later lines are read. */
  log_size: number;
}

async function launchWhenDue(cluster: Cluster, attempt: Attempt, stale: Postmaster | null): Promise<void> {
  if (isAlive(attempt.child) || performance.now() < attempt.next_launch_at) return;
  const isHidden = await isListening(join(socketFolder(cluster), `.s.PGSQL.${socketPort}`));
  const other = isHidden ? null : await findServerOf(cluster.folder);
  if (isHidden || other !== null) {
    // Another Tidemark process may be starting PostgreSQL just now. Then its postmaster.pid appears soon.
    attempt.unseen_since ??= performance.now();
    if (performance.now() - attempt.unseen_since < hiddenServerLimitMs) return;
    throw other === null ? hiddenServerError(cluster) : movedFolderError(cluster.folder, other);
  }
  attempt.unseen_since = null;
  attempt.launches += 1;
  attempt.next_launch_at = performance.now() + launchPauseMs;
  attempt.child = await launchPostmaster(cluster, stale, (error) => {
    attempt.last_error = error;
  });
}

// Returns the error for a PostgreSQL server in another container that uses the same folder. PostgreSQL itself cannot
// detect this case. Two servers on one folder would destroy the database.
function hiddenServerError({ folder }: Cluster): StartError {
  return new StartError(
    `The database ${folder} is in use by a PostgreSQL that this process cannot see, perhaps in another container: stop that PostgreSQL first.`,
  );
}

function isAlive(child: ChildProcess | null): boolean {
  return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

async function notStartedError(cluster: Cluster, attempt: Attempt): Promise<StartError> {
  const reason =
    attempt.last_error === null ? await lastFatalMessage(cluster, attempt.log_size) : reasonOf(attempt.last_error);
  return new StartError(
    `The built-in PostgreSQL did not start in ${cluster.folder} (${reason ?? 'no reason in its log'}): see ${cluster.log_file}.`,
  );
}

async function attachAgain(cluster: Cluster, log: Log, signal: AbortSignal): Promise<Attachment | null> {
  while (!signal.aborted) {
    try {
      return await attach(cluster, signal);
    } catch (error) {
      log.error({ reason: reasonOf(error) }, 'the built-in database did not start: trying again');
      await pause(restartPauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
  return null;
}

async function detach(cluster: Cluster, client: Sql, user: Registration, log: Log): Promise<void> {
  try {
    if ((await leaveAsLast(cluster, client, user)) && !(await stopPostmaster(cluster))) {
      log.warn({ folder: cluster.folder }, 'the built-in database is still stopping: not waiting for it any longer');
    }
  } catch (error) {
    log.warn(
      { reason: reasonOf(error) },
      'the built-in database could not be stopped: the next start will attach to it',
    );
  } finally {
    await user.leave();
    await client.end({ timeout: 0 });
  }
}

/**
 * Unregisters this process. Returns true when no other process uses the built-in database; this process then holds the
 * lock in exclusive mode. Releases the shared lock first, so that the last of several processes that stop at the same
 * time finds no lock and no registration of other processes.
 */
async function leaveAsLast(cluster: Cluster, client: Sql, user: Registration): Promise<boolean> {
  await client`select pg_advisory_unlock_shared(${attachedLock})`;
  await user.leave();
  // A process is registered but holds no lock before it attaches, and after PostgreSQL was killed until it attaches
  // again.
  if (await hasUsers(cluster)) return false;
  const [row] = await client<{ alone: boolean }[]>`select pg_try_advisory_lock(${attachedLock}) as alone`;
  return row?.alone === true;
}
