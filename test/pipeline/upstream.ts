import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import { onTestFinished } from 'vitest';
import { createFetcher, type FetcherOptions, type UpstreamRequest } from '../../pipeline/network/fetcher.ts';

export const home = 'https://www.tiktok.com';

/** A local HTTP server, and a dispatcher that connects to this server whatever the host of a URL is. */
export interface Upstream {
  dispatcher: Dispatcher;
  close(): Promise<void>;
}

export async function startUpstream(listener: RequestListener): Promise<Upstream> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const dispatcher = new Agent({
    connect: (_options, callback) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => callback(null, socket));
      socket.once('error', (error) => callback(error, null));
    },
  });
  async function close(): Promise<void> {
    await dispatcher.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  return { dispatcher, close };
}

/**
 * Returns a fetcher that connects to a local server, whatever the host of a URL is. The server closes after the test.
 */
export async function fetcherTo(listener: RequestListener, options: FetcherOptions = {}) {
  const upstream = await startUpstream(listener);
  onTestFinished(upstream.close);
  const fetcher = createFetcher({ dispatcher: upstream.dispatcher, ...options });
  return (request: Partial<UpstreamRequest> = {}, signal = new AbortController().signal) =>
    fetcher({ url: `${home}/page`, ...request }, signal);
}
