import { once } from 'node:events';
import type { Server } from 'node:net';

/**
 * Starts a server on a free port of 127.0.0.1, or of another address of this machine, and returns the port.
 *
 * The server keeps idle connections open without a limit. With Node's limit of 5 seconds, a process that was blocked
 * for longer could send its next request on a connection that the server has just closed.
 */
export async function listenLocally(server: Server, host = '127.0.0.1'): Promise<number> {
  Object.assign(server, { keepAliveTimeout: 0 });
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}
