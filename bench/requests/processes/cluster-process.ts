import cluster from 'node:cluster';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { metered } from '../metered.ts';
import type { Listening } from '../servers.ts';
import { makeWorkspaces } from '../workspaces.ts';

// Runs several servers that share a port, as `npm run up` does, until the parent process ends. Arguments: the number of
// servers, and DATABASE_URL.
const [count = '1', url = ''] = process.argv.slice(2);
const hostname = '127.0.0.1';
if (cluster.isPrimary) {
  const keys = await makeWorkspaces(url);
  let listening: unknown;
  for (let n = 0; n < Number(count); n += 1) {
    const worker = cluster.fork({ BENCH_KEYS: JSON.stringify(keys) });
    listening = await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('exit', (code) => reject(new Error(`A server ended with code ${code}.`)));
    });
  }
  process.send?.(listening);
} else {
  const { answer, headers } = await metered(url, { cached: true, keys: JSON.parse(process.env.BENCH_KEYS ?? '[]') });
  serve({ fetch: async (request) => answer(request), hostname, port: 0 }, ({ port }: AddressInfo) => {
    process.send?.({ origin: `http://${hostname}:${port}`, headers } satisfies Listening);
  });
}
process.on('disconnect', () => process.exit());
