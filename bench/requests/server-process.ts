import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import type { Fetch } from './contestant.ts';
import { contestants } from './contestants.ts';
import type { Listening, Usage, Work, WorkDone } from './servers.ts';

// Runs one server on a free port until the parent process ends.
const [name = '', url = ''] = process.argv.slice(2);
const make = contestants[name];
if (make === undefined)
  throw new Error(`There is no server "${name}" to measure. Use one of: ${Object.keys(contestants).join(', ')}.`);
const { answer, headers } = await make(url);
const hostname = '127.0.0.1';
const listening = ({ port }: AddressInfo) =>
  process.send?.({ origin: `http://${hostname}:${port}`, headers } satisfies Listening);
if ('listener' in answer) {
  const server = createServer(answer.listener);
  server.listen(0, hostname, () => listening(server.address() as AddressInfo));
} else {
  // Awaits the answer as server/listen.ts does, so that both do the same work.
  serve({ fetch: async (request) => answer(request), hostname, port: 0 }, listening);
}
process.on('message', async (work: Work | null) => {
  if (work === null) return process.send?.(usage());
  if (typeof answer !== 'function') throw new Error(`The server ${name} has no handler to call.`);
  process.send?.(await callHandler(answer, work));
});
process.on('disconnect', () => process.exit());

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return { memory: process.memoryUsage.rss(), cpu_seconds: (user + system) / 1e6 };
}

/** Calls the handler without HTTP, always with the same number of simultaneous requests. */
async function callHandler(handle: Fetch, { paths, at_once, status }: Work): Promise<WorkDone> {
  const before = usage().cpu_seconds;
  let next = 0;
  const turn = async (own: Record<string, string>) => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
      const response = await handle(new Request(`http://127.0.0.1${path}`, { headers: own }));
      if (response.status !== status) throw new Error(`Expected ${status} from ${name}: ${await response.text()}`);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: at_once }, (_, index) => turn(headers[index % headers.length] ?? {})));
  return { cpu_us: ((usage().cpu_seconds - before) / paths.length) * 1e6 };
}
