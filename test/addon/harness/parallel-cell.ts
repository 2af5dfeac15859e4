import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { openFile } from './file.ts';
import { blockingFetch } from './http.ts';
import type { CellData, ParallelResult } from './parallel.ts';

const { dist, key, name, args, parts, link } = workerData as CellData;
const port = parentPort;
if (port === null) throw new Error('This is run by parallel.ts');

const file = await openFile(dist, undefined, { ...parts, http: { fetchAll: blockingFetch(link), close() {} } });
file.world().properties.document.api_key = key;
const beganMs = file.world().now_ms;
port.postMessage('ready');
await once(port, 'message');
const said = outcome();
port.postMessage({ ...said, took_ms: file.world().now_ms - beganMs } satisfies ParallelResult);
await file.close();

function outcome(): Omit<ParallelResult, 'took_ms'> {
  try {
    return { value: file.cell(name, args), error: null };
  } catch (error) {
    return { value: null, error: error instanceof Error ? error.message : String(error) };
  }
}
