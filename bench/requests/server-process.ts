import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { contestants } from './contestants.ts';
import type { Listening } from './servers.ts';

// Runs one server on a free port until the parent process ends.
const [name = '', url = ''] = process.argv.slice(2);
const make = contestants[name];
if (make === undefined) throw new Error(`unknown contestant ${name}`);
const { fetch, headers } = await make(url);
// `fetch` is awaited, because server/main.ts awaits it too.
serve({ fetch: async (request) => fetch(request), hostname: '127.0.0.1', port: 0 }, ({ port }: AddressInfo) => {
  process.send?.({ origin: `http://127.0.0.1:${port}`, headers } satisfies Listening);
});
process.on('message', () => process.send?.(process.memoryUsage.rss()));
process.on('disconnect', () => process.exit());
