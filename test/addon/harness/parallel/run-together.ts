import { sendAll } from '../http-answers.ts';
import type { Session } from '../session.ts';
import type { Outcome } from '../world.ts';
import { servicesOfMany } from './services.ts';
import type { CellCall, CellReply, CellThread, CellThreads } from './threads.ts';

/** Maximum number of formulas that Sheets runs at the same time for one user. */
const maxAtOnce = 30;

/** A formula call and its cell. `a1` is null for a formula outside a cell. */
export type ParallelCell = { a1: string | null; name: string; args: unknown[] };

/** The result of one formula. `took_ms` is virtual time. */
export type ParallelResult = { outcome: Outcome; took_ms: number };

/**
 * Runs formulas in parallel, each in its own thread, at most thirty at a time as Sheets does. The formulas share the
 * file's cache, lock and clock. Calls `shown` whenever a formula has its result.
 */
export async function runTogether(
  threads: CellThreads,
  session: Session,
  cells: readonly ParallelCell[],
  shown: (index: number, outcome: Outcome) => void = () => {},
): Promise<ParallelResult[]> {
  const { world } = session;
  const services = servicesOfMany(world);
  const taken = await threads.take(Math.min(maxAtOnce, cells.length));
  const results: ParallelResult[] = [];
  const left = cells.keys();
  const work = (thread: CellThread, id: number): Promise<void> => {
    const { worker } = thread;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    worker.on('error', reject);
    thread.answer = (need) => {
      if (need === 'sheets') return JSON.stringify(world.sheets);
      return 'http' in need ? sendAll(need.http) : services.answer(id, need.shared);
    };
    let running: { index: number; began_ms: number };
    const next = (): void => {
      const { value: index } = left.next();
      if (index === undefined) {
        resolve();
        return;
      }
      running = { index, began_ms: world.now_ms };
      services.begin(id);
      worker.postMessage(callOf(session, cells[index] as ParallelCell));
    };
    worker.on('message', ({ outcome, url_fetches }: CellReply) => {
      world.url_fetches += url_fetches;
      results[running.index] = { outcome, took_ms: world.now_ms - running.began_ms };
      shown(running.index, outcome);
      services.end(id, next);
    });
    next();
    return promise;
  };
  await Promise.all(taken.map(work));
  threads.giveBack(taken);
  return results;
}

function callOf({ world }: Session, { a1, name, args }: ParallelCell): CellCall {
  const { sheets: _, caches: __, ...small } = world;
  return { name, args, world: { ...small, calling: a1 === null ? null : { sheet: world.current.sheet, a1 } } };
}
