import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { StartError } from '../db/start-error.ts';
import type { Config } from './config.ts';
import { answerBrokenRequests, refuseUnusableRequests } from './http/broken-requests.ts';
import type { WriteLog } from './http/request-log.ts';
import { announceHttps } from './http/strict-transport.ts';
import type { Service } from './service.ts';

/** In-flight requests get this long to finish once the server stops listening. */
const stopGraceMs = 30_000;
const maxHeaderBytes = 16 * 1024;

export interface HttpServer {
  port: number;
  /** Starts answering. Requests that arrived earlier wait for this. */
  serve(service: Service): void;
  /** True while the server stops: a load balancer should send its requests elsewhere. */
  stopping(): boolean;
  /**
   * Asks callers to leave: each answer closes its connection. After `delayMs`, refuses new connections and waits until the
   * requests in progress are answered.
   */
  close(delayMs: number): Promise<void>;
  /** Closes every connection at once. */
  closeNow(): void;
}

/** Takes the port. Throws StartError when it is not available. */
export function listen(
  { port, host, base_url }: Pick<Config, 'port' | 'host' | 'base_url'>,
  log: WriteLog,
): Promise<HttpServer> {
  const { promise: started, resolve: serve } = Promise.withResolvers<Service>();
  let stopping = false;
  const broken = { base_url, log };
  const server = createServer(
    // A request without a Host header gets our error body, not the empty answer of Node.
    { maxHeaderSize: maxHeaderBytes, requireHostHeader: false },
    getRequestListener(
      async (request, connection) => {
        const response = await (await started).app.fetch(request, connection);
        // The caller opens its next connection elsewhere, so that no request arrives on one that the server is closing.
        if (stopping) response.headers.set('connection', 'close');
        return response;
      },
      { errorHandler: refuseUnusableRequests(broken) },
    ),
  );
  announceHttps(server, base_url);
  answerBrokenRequests(server, broken);
  async function close(delayMs: number): Promise<void> {
    stopping = true;
    await pause(delayMs);
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    server.close(() => resolve());
    await Promise.race([closed, pause(stopGraceMs, undefined, { ref: false })]);
  }
  const closeNow = () => {
    server.close();
    server.closeAllConnections();
  };
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port, host)));
    server.listen(port, host, () => {
      const address = server.address();
      const taken = typeof address === 'object' && address ? address.port : port;
      resolve({ port: taken, serve, stopping: () => stopping, close, closeNow });
    });
  });
}

function listenError(error: NodeJS.ErrnoException, port: number, host: string): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is already in use, perhaps by another Tidemark: set PORT to a free one.`,
    EACCES: `Port ${port} may not be used by this user: set PORT to one above 1023.`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine: set HOST to 127.0.0.1 or 0.0.0.0.`,
    EAI_AGAIN: `HOST ${host} is not an address of this machine: set HOST to 127.0.0.1 or 0.0.0.0.`,
    ENOTFOUND: `HOST ${host} is not an address of this machine: set HOST to 127.0.0.1 or 0.0.0.0.`,
  };
  const message = reasons[error.code ?? ''];
  return message ? new StartError(message) : error;
}
