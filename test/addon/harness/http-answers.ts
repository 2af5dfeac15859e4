import type { MessagePort } from 'node:worker_threads';
import { googleTexts } from './inside/google-texts.ts';
import type { WireReply, WireRequest, WireResult } from './world.ts';

/**
 * One end of the link between a blocked thread and the thread that sends its requests. `signal` wakes the blocked
 * thread.
 */
export type Link = { port: MessagePort; signal: Int32Array };

/**
 * Real time limit (ms) of a request of a script. It only ends tests that hang: the limits of scripts are in virtual
 * time, because servers answer late on a busy machine.
 */
const requestLimitMs = 120_000;

/**
 * Real time limit (ms) of a thread that blocks until its requests are answered. It is longer than the limit of a
 * request, so that the thread gets its own answer, and not later the answer to an earlier message.
 */
export const blockLimitMs = 150_000;

/** Handles the messages of a blocked thread, and wakes the thread with each answer. */
export function answerLink<Message>({ port, signal }: Link, answer: (message: Message) => unknown): void {
  port.on('message', async (message: Message) => {
    port.postMessage(await answer(message));
    Atomics.store(signal, 0, 1);
    Atomics.notify(signal, 0);
  });
}

/** Sends requests over real sockets. */
export function sendAll(requests: WireRequest[]): Promise<WireResult> {
  return Promise.all(requests.map(send)).then(
    (replies) => ({ replies }),
    (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
  );
}

/**
 * Sends one request and returns its answer. @throws Error with the text that Google shows for the cause: unknown host,
 * no connection or a bad certificate.
 */
function send(request: WireRequest): Promise<WireReply> {
  return receive(request).catch((error: Error & { cause?: { code?: string } }) => {
    const code = error.cause?.code ?? '';
    // A busy machine can exceed the ten seconds that fetch waits for a connection. Nothing was sent yet.
    if (code === 'UND_ERR_CONNECT_TIMEOUT') return send(request);
    if (error.name === 'TimeoutError') throw new Error(`No answer within ${requestLimitMs} ms of real time`);
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') throw new Error(googleTexts.dns(request.url));
    if (/CERT|TLS|SSL/.test(code)) throw new Error(googleTexts.certificate(request.url));
    throw new Error(googleTexts.unavailable(request.url));
  });
}

async function receive(request: WireRequest): Promise<WireReply> {
  const response = await fetch(request.url, {
    headers: request.headers,
    redirect: request.redirect,
    signal: AbortSignal.timeout(requestLimitMs),
  });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers.entries()),
    text: await response.text(),
  };
}
