import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { listenLocally } from '../harness/local-server.ts';

export interface Exchange {
  url: URL;
  status: number;
  headers: Headers;
  body: string;
}

/** Starts a proxy that forwards every request to the service and records the exchanges. */
export async function startRecordingProxy() {
  const exchanges: Exchange[] = [];
  let target = '';
  const listener = getRequestListener(async (request) => {
    const url = new URL(request.url);
    const headers = new Headers(request.headers);
    for (const name of ['host', 'connection', 'content-length', 'expect']) headers.delete(name);
    headers.set('accept-encoding', 'identity');
    const body = request.method === 'POST' ? await request.text() : null;
    const answer = await fetch(target + url.pathname + url.search, { method: request.method, headers, body });
    const text = await answer.text();
    exchanges.push({ url, status: answer.status, headers: answer.headers, body: text });
    const responseHeaders = new Headers(answer.headers);
    for (const name of ['transfer-encoding', 'connection', 'keep-alive']) responseHeaders.delete(name);
    return new Response(text === '' ? null : text, { status: answer.status, headers: responseHeaders });
  });
  const server = createServer(listener);
  const port = await listenLocally(server);
  return {
    base_url: `http://127.0.0.1:${port}`,
    exchanges,
    setTarget(baseUrl: string) {
      target = baseUrl;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
