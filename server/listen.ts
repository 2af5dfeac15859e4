import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { getRequestListener, RequestError as UnusableRequest } from '@hono/node-server';
import { StartError } from '../db/start-error.ts';
import type { Config } from './config.ts';
import { answerBrokenRequests, refuseUnusableRequests } from './http/broken-requests.ts';
import type { WriteLog } from './http/handle-request.ts';
import { announceHttps } from './http/strict-transport.ts';
import type { Service } from './service.ts';

/** Maximum milliseconds for requests in progress to finish, after the server has begun to refuse new connections. */
const stopGraceMs = 30_000;
const maxHeaderBytes = 16 * 1024;
/**
 * Milliseconds after which a connection is closed when nothing is sent or received. Otherwise, an answer would stay in
 * memory forever when its client stops reading. Every answer begins within 60 seconds.
 */
const silentMs = 120_000;
/**
 * Milliseconds for which a connection without a request stays open. Caddy reuses idle connections for 120 seconds. A
 * request that a proxy sends on a connection that the server is closing is lost, and the client gets an error.
 */
const idleMs = 130_000;

export interface HttpServer {
  port: number;
  /** Starts to answer requests with this service. Requests that arrived before this call have waited until now. */
  serve(service: Service): void;
  /** Returns true while the server is stopping. A load balancer should then send new requests to another server. */
  stopping(): boolean;
  /**
   * Stops the server. First, each response closes its connection, so that clients connect to another server. After
   * `delayMs` milliseconds, new connections are refused, and the call waits until the requests in progress are
   * answered.
   */
  close(delayMs: number): Promise<void>;
  /** Closes all connections immediately, including those with a request in progress. */
  closeNow(): void;
}

/**
 * Starts to listen on the port. Throws StartError when the port cannot be used. `silent_ms` is the time after which a
 * silent connection is closed.
 */
export function listen(
  { port, host, base_url, silent_ms = silentMs }: Pick<Config, 'port' | 'host' | 'base_url'> & { silent_ms?: number },
  log: WriteLog,
): Promise<HttpServer> {
  const { promise: started, resolve: serve } = Promise.withResolvers<Service>();
  let stopping = false;
  const broken = { base_url, log };
  const errorHandler = refuseUnusableRequests(broken);
  const server = createServer(
    // By default, Node answers a request without a Host header with an empty body. With `false`, this server sends its
    // own error body.
    { maxHeaderSize: maxHeaderBytes, requireHostHeader: false },
    getRequestListener(
      async (request, connection) => {
        // The HTTP library accepts an invalid host that ends with a number but is not an IP address, such as 1.2.3.4.5.
        if (!URL.canParse(request.url)) return errorHandler(new UnusableRequest('Invalid host'));
        const response = await (await started).app.fetch(request, connection);
        // While the server stops, this header makes the client open a new connection to another server. A later request
        // on this connection could be lost.
        if (stopping) response.headers.set('connection', 'close');
        return response;
      },
      { errorHandler },
    ),
  );
  server.setTimeout(silent_ms);
  server.keepAliveTimeout = idleMs;
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
    EADDRINUSE: `Port ${port} on ${host} is already in use, perhaps by another Tidemark: set PORT to a free port.`,
    EACCES: `This user may not open port ${port}: set PORT to a number above 1023.`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine: set HOST to 127.0.0.1 or 0.0.0.0.`,
    EAI_AGAIN: `HOST ${host} is not an address of this machine: set HOST to 127.0.0.1 or 0.0.0.0.`,
    ENOTFOUND: `HOST ${host} is not an address of this machine: set HOST to 127.0.0.1 or 0.0.0.0.`,
  };
  const message = reasons[error.code ?? ''];
  return message ? new StartError(message) : error;
}
