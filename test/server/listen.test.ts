import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../server/listen.ts';
import type { Service } from '../../server/service.ts';

const silentMs = 500;
const answer = 'x'.repeat(30_000_000);

/** Starts a server that sends a large answer to every request. Returns a function that connects and sends one. */
async function largeAnswers(): Promise<() => Socket> {
  const address = { port: 0, host: '127.0.0.1', base_url: 'http://127.0.0.1', silent_ms: silentMs };
  const server = await listen(address, () => undefined);
  onTestFinished(() => server.closeNow());
  server.serve({ app: { fetch: async () => new Response(answer) } } as unknown as Service);
  return () => {
    const socket = createConnection(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
    return socket;
  };
}

test('a client that does not read its answer is disconnected after a while', async () => {
  const connect = await largeAnswers();
  const socket = connect().pause();
  await pause(3 * silentMs);
  let received = 0;
  socket.on('data', (chunk) => {
    received += chunk.length;
  });
  socket.resume();
  await once(socket, 'close');
  expect(received).toBeLessThan(answer.length);
});

test('a client that reads its answer slowly gets all of it', async () => {
  const connect = await largeAnswers();
  const socket = connect();
  let received = 0;
  for await (const chunk of socket) {
    const before = received;
    received += chunk.length;
    if (received >= answer.length) break;
    if (Math.floor(received / 3_000_000) > Math.floor(before / 3_000_000)) await pause(silentMs / 5);
  }
  expect(received).toBeGreaterThanOrEqual(answer.length);
});
