import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface NodeProxy {
  port: number;
  /** Ends all connections to the node and refuses new ones, as if the node had been killed. */
  kill(): void;
  restart(): void;
  close(): Promise<void>;
}

/** Starts a proxy in front of a cluster node. The cluster connects to the proxy's port instead of the node's. */
export async function nodeProxy(host: string, port: number): Promise<NodeProxy> {
  const sockets = new Set<Socket>();
  let away = false;
  const add = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket));
  };
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    add(client);
    if (away) return client.destroy();
    const node = connect(port, host);
    add(node);
    node.once('close', () => client.destroy());
    client.once('close', () => node.destroy());
    client.pipe(node).pipe(client);
    return client;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    port: address.port,
    kill() {
      away = true;
      endAll();
    },
    restart() {
      away = false;
    },
    async close() {
      endAll();
      server.close();
      await once(server, 'close');
    },
  };
}
