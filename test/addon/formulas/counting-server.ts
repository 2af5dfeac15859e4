import { createInterface } from 'node:readline';
import { listeningService } from '../../harness/listening-service.ts';
import { inventedUpstream } from '../../server/invented-upstream.ts';

/**
 * Runs the service with a fake upstream (the platforms) in a separate process. Each input line moves the clock forward
 * by that many milliseconds. The reply is the number of upstream requests.
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
const lines = createInterface({ input: process.stdin });

lines.on('line', (line) => {
  passedMs += Number(line);
  say({ asked: upstream.asked.length });
});
// Ends this process when stdin closes, which also happens when the test process is killed.
lines.on('close', () => process.exit());
say({ base_url: service.base_url });

function say(message: unknown): void {
  console.log(JSON.stringify(message));
}
