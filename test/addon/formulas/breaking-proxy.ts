import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/**
 * When the connection of a request breaks: before the server gets the request, while the server answers it, or after
 * the server has answered it. `never`: the connection does not break.
 */
export type Break = 'before' | 'during' | 'after' | 'never';

/**
 * Starts a proxy in front of a server on this machine. `breakNext`: sets how the connections of the next requests
 * break, one value per request. Requests that share a connection must not overlap.
 */
export async function breakingProxy(port: number) {
  const breaks: Break[] = [];
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    let current: Break = 'never';
    client.on('data', (request) => {
      current = breaks.shift() ?? 'never';
      if (current === 'before') upstream.destroy();
      else upstream.write(request);
      if (current === 'before' || current === 'during') client.destroy();
    });
    upstream.on('data', (answer) => {
      if (current === 'never') client.write(answer);
      else client.destroy();
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => undefined);
      // The server finishes its answer even when the client is no longer connected.
      one.on('close', () => (one === client && current === 'during' ? undefined : other.destroy()));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    breakNext: (next: Break[]) => void breaks.push(...next),
  };
}
