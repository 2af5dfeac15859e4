import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SmallWorld } from '../execute.ts';
import { createLink } from '../http.ts';
import { answerLink, type Link, sendAll } from '../http-answers.ts';
import { type ScriptParts, scriptParts } from '../script-parts.ts';
import type { Session } from '../session.ts';
import type { SharedRequest } from '../shared.ts';
import type { Outcome, WireRequest } from '../world.ts';
import { type ParallelServices, servicesOfMany } from './services.ts';

/** Maximum number of formulas that Sheets runs at once for one user. */
const atOnceMax = 30;
/**
 * Real time limit (ms) of a request or a wait of a formula. It only ends a hanging test, because the limits of a
 * formula are in virtual time.
 */
const hangLimitMs = 150_000;

/** A formula call and its cell. `a1` is null for a formula outside of a cell. */
export type ParallelCell = { a1: string | null; name: string; args: unknown[] };

/** The result of one formula. `took_ms` is virtual time. */
export type ParallelResult = { outcome: Outcome; took_ms: number };

/** The input of a worker thread: the script, and the link over which a running formula sends its requests. */
export type CellThread = { dist: string; parts: ScriptParts; link: Link; hang_limit_ms: number };
export type CellCall = Omit<ParallelCell, 'a1'> & { world: SmallWorld };
export type Need = { http: WireRequest[] } | { shared: SharedRequest } | 'sheets';

type Thread = { id: number; worker: Worker; other: Link };

/**
 * Runs formulas of the built add-on in `dist` at the same time, each in a thread, at most thirty at once like Sheets.
 * The formulas share the cache, the lock and the clock of the file. Calls `shown` when a formula has its result.
 */
export async function runTogether(
  dist: string,
  session: Session,
  cells: readonly ParallelCell[],
  shown: (index: number, outcome: Outcome) => void = () => {},
): Promise<ParallelResult[]> {
  const services = servicesOfMany(session.world);
  const threads = await startThreads(dist, session, services, Math.min(atOnceMax, cells.length));
  const results: ParallelResult[] = [];
  const left = cells.keys();
  const work = ({ id, worker }: Thread): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    worker.on('error', reject);
    let running: { index: number; began_ms: number };
    const next = (): void => {
      const { value: index } = left.next();
      if (index === undefined) {
        resolve();
        return;
      }
      running = { index, began_ms: session.world.now_ms };
      services.begin(id);
      worker.postMessage(callOf(session, cells[index] as ParallelCell));
    };
    worker.on('message', ({ outcome, url_fetches }: { outcome: Outcome; url_fetches: number }) => {
      session.world.url_fetches += url_fetches;
      results[running.index] = { outcome, took_ms: session.world.now_ms - running.began_ms };
      shown(running.index, outcome);
      services.end(id, next);
    });
    next();
    return promise;
  };
  try {
    await Promise.all(threads.map(work));
    return results;
  } finally {
    await Promise.all(threads.map(({ worker }) => worker.terminate()));
    for (const { other } of threads) other.port.close();
  }
}

/** Sends requests with one long time limit instead of their own, because a busy machine answers late. */
const sendPatiently = (requests: WireRequest[]) =>
  sendAll(requests.map((request) => ({ ...request, timeout_ms: hangLimitMs })));

function callOf({ world }: Session, { a1, name, args }: ParallelCell): CellCall {
  const { sheets: _, caches: __, ...small } = world;
  return { name, args, world: { ...small, calling: a1 === null ? null : { sheet: world.current.sheet, a1 } } };
}

async function startThreads(dist: string, { world }: Session, services: ParallelServices, count: number) {
  const parts = scriptParts(readFileSync(join(dist, 'Code.js'), 'utf8'));
  const threads = Array.from({ length: count }, (_, id): Thread => {
    const { own, other } = createLink();
    const worker = new Worker(new URL('./cell-thread.ts', import.meta.url), {
      workerData: { dist, parts, link: own, hang_limit_ms: hangLimitMs } satisfies CellThread,
      transferList: [own.port],
      execArgv: [],
    });
    answerLink<Need>(other, (need) => {
      if (need === 'sheets') return JSON.stringify(world.sheets);
      return 'http' in need ? sendPatiently(need.http) : services.answer(id, need.shared);
    });
    return { id, worker, other };
  });
  await Promise.all(threads.map(({ worker }) => once(worker, 'message')));
  return threads;
}
