import { createInterface } from 'node:readline';
import { listeningService } from '../../harness/listening-service.ts';
import { inventedUpstream } from '../../server/invented-upstream.ts';
import { breakingProxy } from './breaking-proxy.ts';

/**
 * Runs the service with a fake upstream (the platforms) in a separate process. An input line with a number moves the
 * clock forward by that many milliseconds. Any other line says how the connections of the next requests break; see
 * breaking-proxy.ts. The reply to each line is the number of upstream requests so far.
 */
const [databaseUrl = ''] = process.argv.slice(2);
const upstream = inventedUpstream();
let passedMs = 0;
const now = () => new Date(Date.now() + passedMs);
const service = await listeningService({
  database_url: databaseUrl,
  fetch: upstream.fetch,
  requests_per_minute: 60,
  now,
});
const proxy = await breakingProxy(service.port);
const lines = createInterface({ input: process.stdin });

lines.on('line', (line) => {
  if (/^\d+$/.test(line)) passedMs += Number(line);
  else proxy.breakNext(JSON.parse(line));
  say({ asked: upstream.asked.length });
});
// Ends this process when stdin closes, which also happens when the test process is killed.
lines.on('close', () => process.exit());
say({ base_url: service.base_url, proxy_url: proxy.url });

function say(message: unknown): void {
  console.log(JSON.stringify(message));
}
