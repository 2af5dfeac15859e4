import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { googleServices } from './execute.ts';

/** A formula of the built add-on in `dist`, in a file that keeps this key. */
export type ParallelCell = { dist: string; key: string; name: string; args: unknown[] };

/** The input of a thread, with the bundled fake Google services. */
export type CellData = ParallelCell & { services: string };

/** The value of a cell, or its error message. `took_ms`: virtual time. */
export type ParallelResult = { value: unknown; error: string | null; took_ms: number };

/** Runs formulas really at once, each in a thread of its own, as Sheets runs the cells of a file; all begin together. */
export async function runTogether(cells: readonly ParallelCell[]): Promise<ParallelResult[]> {
  const services = googleServices();
  const workers = cells.map(
    (cell) =>
      new Worker(new URL('./parallel-cell.ts', import.meta.url), {
        workerData: { ...cell, services } satisfies CellData,
        execArgv: [],
      }),
  );
  try {
    await Promise.all(workers.map((worker) => once(worker, 'message')));
    const results = workers.map((worker) => once(worker, 'message'));
    for (const worker of workers) worker.postMessage('begin');
    return (await Promise.all(results)).map(([result]) => result);
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
