import { type MessagePort, workerData } from 'node:worker_threads';
import type { WireReply, WireRequest, WireResult } from './world.ts';

const { port, signal } = workerData as { port: MessagePort; signal: Int32Array };

port.on('message', async (requests: WireRequest[]) => {
  const result: WireResult = await Promise.all(requests.map(send)).then(
    (replies) => ({ replies }),
    (error: unknown) => ({ error: `Address unavailable: ${String(error)}` }),
  );
  port.postMessage(result);
  Atomics.store(signal, 0, 1);
  Atomics.notify(signal, 0);
});

async function send(request: WireRequest): Promise<WireReply> {
  const response = await fetch(request.url, {
    headers: request.headers,
    redirect: request.redirect,
    signal: AbortSignal.timeout(request.timeout_ms),
  });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers.entries()),
    text: await response.text(),
  };
}
