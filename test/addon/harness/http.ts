import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { blockLimitMs, type Link } from './http-answers.ts';
import type { WireRequest, WireResult } from './world.ts';

type FetchAll = (requests: WireRequest[]) => WireResult;

export type BlockingHttp = { fetchAll: FetchAll; close: () => void };

/** Worker threads of closed connections. New connections reuse these threads, because starting a thread takes long. */
const idle: FetchAll[] = [];

/**
 * Opens a client that sends requests over real sockets and blocks its caller, as UrlFetchApp does. The server must run
 * in another process, because the client blocks this thread while a worker thread sends the requests.
 */
export function openBlockingHttp(): BlockingHttp {
  const fetchAll = idle.pop() ?? startWorker();
  return { fetchAll, close: () => idle.push(fetchAll) };
}

function startWorker(): FetchAll {
  const { own, other } = createLink();
  const worker = new Worker(new URL('./http-worker.ts', import.meta.url), {
    workerData: other,
    transferList: [other.port],
    execArgv: [],
  });
  worker.unref();
  return blockingCall(own);
}

/** Creates the two ends of a link: one for the thread that blocks, one for the thread that sends its requests. */
export function createLink(): { own: Link; other: Link } {
  const { port1, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  return { own: { port: port1, signal }, other: { port: port2, signal } };
}

/** Returns a function that sends a message over a link and blocks until it is answered. */
export function blockingCall<Message, Answer>({ port, signal }: Link): (message: Message) => Answer {
  return (sent) => {
    Atomics.store(signal, 0, 0);
    port.postMessage(sent);
    if (Atomics.wait(signal, 0, 0, blockLimitMs) === 'timed-out') throw new Error('No answer from the worker');
    const message = receiveMessageOnPort(port);
    if (message === undefined) throw new Error('The process that sends the fake requests ended one without an answer');
    return message.message;
  };
}
