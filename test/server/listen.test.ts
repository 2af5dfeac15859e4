import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../server/listen.ts';
import type { Service } from '../../server/service.ts';

const silentMs = 500;
const part = new Uint8Array(64 * 1024);

/**
 * Starts a server that never finishes its answer to `/` and answers every other path immediately. `connect` sends a
 * request to `/`. `disconnected` resolves when the server has closed that connection.
 */
async function endlessAnswers() {
  const address = { port: 0, host: '127.0.0.1', base_url: 'http://127.0.0.1', silent_ms: silentMs };
  const server = await listen(address, () => undefined);
  onTestFinished(() => server.closeNow());
  const { promise: disconnected, resolve } = Promise.withResolvers<void>();
  const endless = () => new ReadableStream({ pull: (answer) => answer.enqueue(part), cancel: () => resolve() });
  const answer = async ({ url }: Request) => new Response(new URL(url).pathname === '/' ? endless() : '');
  server.serve({ app: { fetch: answer } } as unknown as Service);
  const connect = (): Socket => {
    const socket = createConnection(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  return { connect, disconnected, origin: `http://127.0.0.1:${server.port}` };
}

test('a client that does not read its answer is disconnected after a while', async () => {
  const { connect, disconnected } = await endlessAnswers();
  await once(connect().pause(), 'connect');
  await disconnected;
});

test('a client that reads its answer slowly stays connected for longer than a silent one', async () => {
  const { connect, origin } = await endlessAnswers();
  const end = performance.now() + 4 * silentMs;
  let parts = 0;
  for await (const _ of connect()) {
    parts += 1;
    if (performance.now() > end) break;
    await (await fetch(`${origin}/other`)).text();
  }
  expect([parts > 1, performance.now() > end]).toEqual([true, true]);
});

test('an idle connection stays open longer than a reverse proxy reuses it', async () => {
  const { origin } = await endlessAnswers();
  const { headers } = await fetch(`${origin}/other`);
  const caddyReusesForSeconds = 120;
  const seconds = Number(/^timeout=(\d+)$/.exec(headers.get('keep-alive') ?? '')?.[1]);
  expect(seconds).toBeGreaterThan(caddyReusesForSeconds);
});
