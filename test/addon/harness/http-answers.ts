import type { MessagePort } from 'node:worker_threads';
import type { WireReply, WireRequest, WireResult } from './world.ts';

/** One end of the link between a thread that blocks and the thread that sends its requests. */
export type HttpLink = { port: MessagePort; signal: Int32Array };

/** Sends the requests of a blocked thread over real sockets, and wakes it with the answers. */
export function answerRequests({ port, signal }: HttpLink): void {
  port.on('message', async (requests: WireRequest[]) => {
    const result: WireResult = await Promise.all(requests.map(send)).then(
      (replies) => ({ replies }),
      (error: unknown) => ({ error: `Address unavailable: ${String(error)}` }),
    );
    port.postMessage(result);
    Atomics.store(signal, 0, 1);
    Atomics.notify(signal, 0);
  });
}

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
