import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { SmallWorld } from '../execute.ts';
import { createLink } from '../http.ts';
import { answerLink, type Link } from '../http-answers.ts';
import { type ScriptParts, scriptParts } from '../script-parts.ts';
import type { SharedRequest } from '../shared.ts';
import type { Outcome, WireRequest } from '../world.ts';

/** The input of a worker thread: the script, and the link over which a running formula sends requests. */
export type CellThreadInput = { dist: string; parts: ScriptParts; link: Link };
export type CellCall = { name: string; args: unknown[]; world: SmallWorld };
export type CellReply = { outcome: Outcome; url_fetches: number };
export type Need = { http: WireRequest[] } | { shared: SharedRequest } | 'sheets';

/** A thread that runs one formula at a time. `answer`: answers the requests of its formula. */
export type CellThread = { worker: Worker; link: Link; answer: (need: Need) => unknown };

export type CellThreads = ReturnType<typeof openCellThreads>;

/**
 * Opens a pool of threads that run formulas of the built add-on in `dist`. Later runs reuse the threads, because
 * starting one takes as long as ten formulas. Every formula has its own global scope.
 */
export function openCellThreads(dist: () => string) {
  const started: CellThread[] = [];
  let free: CellThread[] = [];
  setOptimization(false);
  return {
    /** Returns threads that are running no formula. Starts more threads if too few are free. */
    async take(count: number): Promise<CellThread[]> {
      const missing = Math.max(0, count - free.length);
      const added = Array.from({ length: missing }, () => startThread(dist()));
      started.push(...added);
      await Promise.all(added.map(({ worker }) => once(worker, 'message')));
      const taken = [...free, ...added].slice(0, count);
      free = free.slice(count);
      return taken;
    },
    /**
     * Returns threads to the pool after their formulas have ended. A thread that is not returned is never used again.
     */
    giveBack(threads: readonly CellThread[]): void {
      for (const { worker } of threads) worker.removeAllListeners('message').removeAllListeners('error');
      free.push(...threads);
    },
    async close(): Promise<void> {
      setOptimization(true);
      await Promise.all(started.map(({ worker }) => worker.terminate()));
      for (const { link } of started) link.port.close();
    },
  };
}

/**
 * Turns the optimizing compilers of this process, and of all its threads, on or off. V8 would throw the optimized code
 * of a formula away with the formula's global scope.
 */
function setOptimization(on: boolean): void {
  for (const compiler of ['opt', 'maglev']) setFlagsFromString(`--${on ? '' : 'no-'}${compiler}`);
}

function startThread(dist: string): CellThread {
  const { own, other } = createLink();
  const worker = new Worker(new URL('./cell-thread.ts', import.meta.url), {
    workerData: {
      ...{ dist, parts: scriptParts(readFileSync(join(dist, 'Code.js'), 'utf8')) },
      link: own,
    } satisfies CellThreadInput,
    transferList: [own.port],
    execArgv: [],
  });
  const thread: CellThread = {
    ...{ worker, link: other },
    answer: () => {
      throw new Error('This thread runs no formula');
    },
  };
  answerLink<Need>(other, (need) => thread.answer(need));
  return thread;
}
