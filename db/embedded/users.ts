import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, rename, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { reasonOf, StartError, systemErrorCode } from '../start-error.ts';
import type { Cluster } from './cluster.ts';
import { makeSocketFolder, socketFolder } from './postmaster.ts';

/**
 * Prefix of the socket of a registered process. The whole name is not longer than that of PostgreSQL's socket in the
 * same folder.
 */
const prefix = 'user-';
/**
 * Maximum number of attempts to register. During an attempt, the last other user may remove the socket folder, but this
 * is very unlikely to happen twice.
 */
const attempts = 3;

/** The registration of a process that uses the built-in database. */
export interface Registration {
  /** Ends the registration. May be called more than once. */
  leave(): Promise<void>;
}

/**
 * Registers this process as a user of the built-in database. A registration is a Unix socket on which the process
 * listens. The system closes the socket when the process ends, even after kill -9, and the socket stays open when
 * PostgreSQL is killed. Throws StartError.
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
  // Lets processes of other accounts connect. The folder is private to PostgreSQL's account and root.
  server.listen({ path: unfinished, readableAll: true, writableAll: true });
  await once(server, 'listening');
  server.on('error', () => undefined);
  // Renames the socket only after the process listens on it, so that no other process takes it for the socket of a dead
  // process.
  await rename(unfinished, path);
  return {
    async leave() {
      await rm(path, { force: true });
      server.close();
    },
  };
}

/** Returns true when any process is registered. Removes the sockets of killed processes. */
export async function hasUsers(cluster: Cluster): Promise<boolean> {
  const folder = socketFolder(cluster);
  // The folder is missing when a cleanup of /tmp has removed it. The advisory lock still protects attached processes.
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

/** Returns false only when it is certain that no process listens on a Unix socket. */
export async function isListening(path: string): Promise<boolean> {
  const socket = connect(path);
  return once(socket, 'connect')
    .then(
      () => true,
      (error) => !['ECONNREFUSED', 'ENOENT'].includes(systemErrorCode(error) ?? ''),
    )
    .finally(() => socket.destroy());
}
