import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, rename, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { reasonOf, StartError, systemErrorCode } from '../start-error.ts';
import type { Cluster } from './cluster.ts';
import { makeSocketFolder, socketFolder } from './postmaster.ts';

/** Prefix of a user's socket. The whole name is not longer than the name of PostgreSQL's socket in the same folder. */
const prefix = 'user-';
/** Number of attempts to register. The last user may remove the socket folder during an attempt, but hardly twice. */
const attempts = 3;

/** The registration of a process that uses the built-in database. */
export interface Registration {
  /** Ends the registration. May be called more than once. */
  leave(): Promise<void>;
}

/**
 * Registers this process as a user of the built-in database. A registration is a Unix socket on which the process
 * listens. The system closes it when the process ends, even after kill -9, and it stays open when PostgreSQL is killed.
 * Throws StartError.
 */
export async function registerUser(cluster: Cluster): Promise<Registration> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await listenAsUser(await makeSocketFolder(cluster));
    } catch (error) {
      if (systemErrorCode(error) === 'ENOENT' && attempt < attempts) continue;
      if (error instanceof StartError) throw error;
      throw new StartError(
        `A socket could not be created in ${socketFolder(cluster)} (${reasonOf(error)}): repair the cause, or choose another DATA_DIR.`,
        { cause: error },
      );
    }
  }
}

async function listenAsUser(folder: string): Promise<Registration> {
  const id = randomBytes(4).toString('hex');
  const path = join(folder, `${prefix}${id}`);
  const unfinished = join(folder, `join-${id}`);
  const server = createServer((socket) => socket.destroy()).unref();
  // Lets users with another account connect. The folder is private to PostgreSQL's account and root.
  server.listen({ path: unfinished, readableAll: true, writableAll: true });
  await once(server, 'listening');
  server.on('error', () => undefined);
  // The socket gets its name when it already listens, so that no other process takes it for the socket of a dead one.
  await rename(unfinished, path);
  return {
    async leave() {
      await rm(path, { force: true });
      server.close();
    },
  };
}

/** Returns true when any process is registered. Removes the sockets of processes that were killed. */
export async function hasUsers(cluster: Cluster): Promise<boolean> {
  const folder = socketFolder(cluster);
  // The folder is missing when a program that cleans /tmp removed it. The advisory lock still protects attached users.
  const names = await readdir(folder).catch(() => []);
  const paths = names.filter((name) => name.startsWith(prefix)).map((name) => join(folder, name));
  const registered = await Promise.all(
    paths.map(async (path) => {
      const listening = await isListening(path);
      if (!listening) await rm(path, { force: true });
      return listening;
    }),
  );
  return registered.includes(true);
}

/** Returns false when no process listens on a Unix socket. */
export async function isListening(path: string): Promise<boolean> {
  const socket = connect(path);
  return once(socket, 'connect')
    .then(
      () => true,
      (error) => !['ECONNREFUSED', 'ENOENT'].includes(systemErrorCode(error) ?? ''),
    )
    .finally(() => socket.destroy());
}
