import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import type { Log } from '../log.ts';
import { reasonOf, StartError } from '../start-error.ts';
import { type Cluster, type Durability, databaseName, databaseUser, prepareCluster } from './cluster.ts';
import { defaultSystemFolder } from './folder.ts';
import {
  findPostmaster,
  lastComplaint,
  launchPostmaster,
  logSize,
  type Postmaster,
  socketFolder,
  socketPort,
  stopPostmaster,
} from './postmaster.ts';

/** Long enough to recover from a crash. */
const startTimeoutMs = 60_000;
/** A postmaster that ends at once may have met another one going or coming: it is tried again this often. */
const launchLimit = 20;
const launchPauseMs = 250;
const restartPauseMs = 5_000;
const hiddenLimitMs = 5_000;
const pollMs = 10;
const holdConnectTimeoutSeconds = 5;
const holdLockTimeoutMs = 10_000;
/** Held shared by each attached process, exclusively by the one that shuts the database down. */
const attachedLock = 7_428_301;

export interface EmbeddedOptions {
  data_dir: string;
  log: Log;
  durability?: Durability;
  system_folder?: string;
}

/** How to connect, in the words of postgres.js: `host` is the folder of the socket. */
export interface SocketAddress {
  host: string;
  port: number;
  user: string;
  database: string;
}

export interface Embedded {
  connection: SocketAddress;
  /** Detaches; the last process attached shuts the database down. Never throws. */
  stop(): Promise<void>;
}

/**
 * Attaches to the PostgreSQL of a data folder, which is made and started when it is not there: any number of processes may do
 * so at once. While attached, a database that was killed is started again. Throws StartError.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { data_dir, log, durability = 'on', system_folder = defaultSystemFolder } = options;
  const cluster = await prepareCluster({ data_dir, durability, system_folder }, log);
  const ending = new AbortController();
  const ended = once(ending.signal, 'abort');
  let hold: Hold | null = await attach(cluster, ending.signal);
  log.info({ folder: cluster.folder }, 'attached to the built-in database');

  async function keepAttached(): Promise<void> {
    while (hold !== null) {
      await Promise.race([hold.closed, ended]);
      if (ending.signal.aborted) return;
      log.warn({ folder: cluster.folder }, 'the built-in database went away: starting it again');
      await hold.client.end({ timeout: 0 });
      hold = await attachAgain(cluster, log, ending.signal);
    }
  }

  const attached = keepAttached();
  return {
    connection: addressOf(cluster),
    async stop() {
      ending.abort();
      await attached;
      if (hold === null) return;
      const { client } = hold;
      hold = null;
      await detach(cluster, client, log);
    },
  };
}

function addressOf(cluster: Cluster): SocketAddress {
  return { host: socketFolder(cluster), port: socketPort, user: databaseUser, database: databaseName };
}

/** The connection by which a process is counted as attached. */
interface Hold {
  client: Sql;
  closed: Promise<void>;
}

// Whoever shuts down keeps newcomers waiting on the lock, so that none is let in just before its database goes.
async function takeHold(cluster: Cluster): Promise<Hold> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const client = postgres({
    ...addressOf(cluster),
    max: 1,
    ssl: false,
    fetch_types: false,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: holdConnectTimeoutSeconds,
    connection: { application_name: 'tidemark-attached', lock_timeout: holdLockTimeoutMs },
    onnotice: () => undefined,
    onclose: () => resolve(),
  });
  try {
    await client`select pg_advisory_lock_shared(${attachedLock})`;
    return { client, closed };
  } catch (error) {
    await client.end({ timeout: 0 });
    throw error;
  }
}

/** Starts the postmaster when none runs, and waits until this process is let in. */
async function attach(cluster: Cluster, signal: AbortSignal): Promise<Hold> {
  const deadline = Date.now() + startTimeoutMs;
  const attempt: Attempt = {
    child: null,
    launches: 0,
    next_launch_at: 0,
    hidden_since: null,
    refusal: null,
    log_size: await logSize(cluster),
  };
  while (Date.now() < deadline && attempt.launches <= launchLimit) {
    const postmaster = await findPostmaster(cluster);
    // Whoever stops still joins a server that is coming up: else it would be nobody's to shut down.
    if (signal.aborted && !postmaster?.running && !isAlive(attempt.child)) break;
    if (postmaster?.ready) {
      try {
        return await takeHold(cluster);
      } catch (error) {
        attempt.refusal = error;
      }
    } else if (!postmaster?.running) {
      await launchWhenDue(cluster, attempt, postmaster);
    }
    await pause(pollMs);
  }
  throw await notStarted(cluster, attempt);
}

interface Attempt {
  child: ChildProcess | null;
  launches: number;
  next_launch_at: number;
  /** Since when the socket answers although no postmaster is to be seen. */
  hidden_since: number | null;
  /** Why it did not work the last time. */
  refusal: unknown;
  /** Where the log ended before this attempt. */
  log_size: number;
}

async function launchWhenDue(cluster: Cluster, attempt: Attempt, stale: Postmaster | null): Promise<void> {
  if (isAlive(attempt.child) || Date.now() < attempt.next_launch_at) return;
  if (await socketAnswers(cluster)) {
    attempt.hidden_since ??= Date.now();
    if (Date.now() - attempt.hidden_since > hiddenLimitMs) throw hiddenOwner(cluster);
    return;
  }
  attempt.hidden_since = null;
  attempt.launches += 1;
  attempt.next_launch_at = Date.now() + launchPauseMs;
  attempt.child = await launchPostmaster(cluster, stale, (error) => {
    attempt.refusal = error;
  });
}

// Two postmasters on one folder would destroy it, and each one's own checks end at the border of its container.
function hiddenOwner({ folder }: Cluster): StartError {
  return new StartError(
    `The database ${folder} is in use by a PostgreSQL that cannot be seen from here, perhaps in another container: stop that one first.`,
  );
}

function isAlive(child: ChildProcess | null): boolean {
  return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

async function socketAnswers(cluster: Cluster): Promise<boolean> {
  const socket = connect(`${socketFolder(cluster)}/.s.PGSQL.${socketPort}`);
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}

async function notStarted(cluster: Cluster, attempt: Attempt): Promise<StartError> {
  const reason = attempt.refusal === null ? await lastComplaint(cluster, attempt.log_size) : reasonOf(attempt.refusal);
  return new StartError(
    `The built-in PostgreSQL did not start in ${cluster.folder} (${reason ?? 'it says nothing'}): see ${cluster.log_file}.`,
  );
}

async function attachAgain(cluster: Cluster, log: Log, signal: AbortSignal): Promise<Hold | null> {
  while (!signal.aborted) {
    try {
      return await attach(cluster, signal);
    } catch (error) {
      log.error({ reason: reasonOf(error) }, 'the built-in database does not start: trying again');
      await pause(restartPauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
  return null;
}

async function detach(cluster: Cluster, client: Sql, log: Log): Promise<void> {
  try {
    if ((await isLast(client)) && !(await stopPostmaster(cluster))) {
      log.warn({ folder: cluster.folder }, 'the built-in database takes long to stop: left to itself');
    }
  } catch (error) {
    log.warn({ reason: reasonOf(error) }, 'the built-in database could not be stopped: the next start takes it over');
  } finally {
    await client.end({ timeout: 0 });
  }
}

async function isLast(client: Sql): Promise<boolean> {
  await client`select pg_advisory_unlock_shared(${attachedLock})`;
  const [row] = await client<{ alone: boolean }[]>`select pg_try_advisory_lock(${attachedLock}) as alone`;
  return row?.alone === true;
}
