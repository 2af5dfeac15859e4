import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { reasonOf, StartError } from '../../db/start-error.ts';
import type { MetricsPort } from '../config.ts';
import { answerMetrics } from './answer.ts';
import type { ReadMetrics } from './metrics.ts';

/**
 * Serves the metrics of this process at `/metrics` on a port of its own, so that Prometheus can read each of several
 * processes. Returns a function that closes the port. Throws StartError when the port cannot be used.
 */
export async function openMetricsPort({ port, host, token }: MetricsPort, read: ReadMetrics): Promise<() => void> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?')[0];
    const result =
      path === '/metrics'
        ? await answerMetrics(request.headers.authorization, token, read)
        : new Response('This port has only /metrics.\n', { status: 404 });
    response.writeHead(result.status, Object.fromEntries(result.headers)).end(await result.text());
  }
  // With `exclusive`, a server of `npm run up` opens the port itself and does not share it with the other servers.
  server.listen({ port, host, exclusive: true });
  await once(server, 'listening').catch((error) => {
    throw new StartError(
      `The port ${port} of METRICS_PORT cannot be used on ${host} (${reasonOf(error)}): set METRICS_PORT to a free port. With npm run up, each process uses one port, beginning with this one.`,
      { cause: error },
    );
  });
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
