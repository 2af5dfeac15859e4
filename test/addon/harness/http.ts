import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { WireRequest, WireResult } from './world.ts';

const answerTimeoutMs = 60_000;

export type BlockingHttp = { fetchAll: (requests: WireRequest[]) => WireResult; close: () => Promise<void> };

/**
 * Requests over real sockets that block the caller, as UrlFetchApp does: a worker sends them while this thread waits.
 * The server must therefore run in another process.
 */
export function openBlockingHttp(): BlockingHttp {
  const { port1, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('./http-worker.ts', import.meta.url), {
    workerData: { port: port2, signal },
    transferList: [port2],
    execArgv: [],
  });
  worker.unref();
  return {
    fetchAll: (requests) => {
      Atomics.store(signal, 0, 0);
      port1.postMessage(requests);
      if (Atomics.wait(signal, 0, 0, answerTimeoutMs) === 'timed-out') throw new Error('No answer from the worker');
      const message = receiveMessageOnPort(port1);
      if (message === undefined) throw new Error('The worker signalled without an answer');
      return message.message;
    },
    close: async () => {
      port1.close();
      await worker.terminate();
    },
  };
}
