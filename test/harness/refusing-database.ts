import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

export interface RefusingDatabase {
  url: string;
  /** Resolves when a client has connected to this fake database. */
  connected: Promise<void>;
  /** Refuses all connected clients with a FATAL error of PostgreSQL. */
  refuse(message: string): void;
  close(): void;
}

/** Starts a fake database server that keeps clients waiting and then refuses them. */
export async function refusingDatabase(): Promise<RefusingDatabase> {
  const { promise: connected, resolve } = Promise.withResolvers<void>();
  const waiting: Socket[] = [];
  const server = createServer((socket) => {
    waiting.push(socket.on('error', () => undefined));
    resolve();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `postgres://someone@127.0.0.1:${address.port}/tidemark`,
    connected,
    refuse(message) {
      for (const socket of waiting) socket.end(fatal(message));
    },
    close() {
      server.close();
    },
  };
}

/** Returns the protocol message with which PostgreSQL refuses a connection. */
export function fatal(message: string, code = '28000'): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5, 'E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
