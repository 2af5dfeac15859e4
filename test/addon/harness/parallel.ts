import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createLink } from './http.ts';
import { answerRequests, type HttpLink } from './http-answers.ts';
import { type ScriptParts, scriptParts } from './script-parts.ts';

/** A formula in a file that keeps this key. */
export type ParallelCell = { key: string; name: string; args: unknown[] };

/** The input of a thread. */
export type CellData = ParallelCell & { dist: string; parts: ScriptParts; link: HttpLink };

/** The value of a cell, or its error message. `took_ms`: virtual time. */
export type ParallelResult = { value: unknown; error: string | null; took_ms: number };

/**
 * Runs formulas of the built add-on in `dist` really at once, each in a thread of its own, as Sheets runs the cells of a
 * file; all begin together. This thread sends their requests.
 */
export async function runTogether(dist: string, cells: readonly ParallelCell[]): Promise<ParallelResult[]> {
  const parts = scriptParts(readFileSync(join(dist, 'Code.js'), 'utf8'));
  const links = cells.map(createLink);
  const workers = cells.map((cell, index) => {
    const link = (links[index] as (typeof links)[0]).own;
    return new Worker(new URL('./parallel-cell.ts', import.meta.url), {
      workerData: { ...cell, dist, parts, link } satisfies CellData,
      transferList: [link.port],
      execArgv: [],
    });
  });
  for (const { other } of links) answerRequests(other);
  try {
    await Promise.all(workers.map((worker) => once(worker, 'message')));
    const results = workers.map((worker) => once(worker, 'message'));
    for (const worker of workers) worker.postMessage('begin');
    return (await Promise.all(results)).map(([result]) => result);
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
    for (const { other } of links) other.port.close();
  }
}
