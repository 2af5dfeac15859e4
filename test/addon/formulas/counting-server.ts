import { createInterface } from 'node:readline';
import { listeningService } from '../../harness/listening-service.ts';
import { inventedUpstream } from '../../server/invented-upstream.ts';

/**
 * The service over an invented upstream, as a process of its own. To each line, a time in ms by which its clock goes
 * forward, it says how often the upstream was asked.
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
// A test process that was killed closes this pipe: nobody else would stop us then.
lines.on('close', () => process.exit());
say({ base_url: service.base_url });

function say(message: unknown): void {
  console.log(JSON.stringify(message));
}
