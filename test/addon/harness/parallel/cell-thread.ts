import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { execute, loadScript } from '../execute.ts';
import { blockingCall } from '../http.ts';
import type { CellCall, CellReply, CellThreadInput, Need } from './threads.ts';

const { dist, parts, link } = workerData as CellThreadInput;
const port = parentPort;
if (port === null) throw new Error('This is run by threads.ts');

const script = await loadScript(readFileSync(join(dist, 'Code.js'), 'utf8'), parts);
// biome-ignore lint/suspicious/noExplicitAny: the type of the answer depends on the need
const ask = blockingCall<Need, any>(link);
port.on('message', ({ world, name, args }: CellCall) => {
  const outside = {
    http: { fetchAll: (http) => ask({ http }) },
    shared: (shared) => ask({ shared }),
    sheetsJson: () => ask('sheets'),
  } satisfies Parameters<typeof execute>[1];
  const done = execute(script, outside, world, { mode: 'CUSTOM_FUNCTION', caller: 'cell', name, args });
  const { outcome } = done;
  port.postMessage({ outcome, url_fetches: done.world.url_fetches - world.url_fetches } satisfies CellReply);
});
port.postMessage('ready');
