import { type SharedAnswer, type SharedRequest, useCache } from '../shared.ts';
import type { World } from '../world.ts';

/** An execution that sleeps or waits for the lock. `until_ms`: the virtual time when its wait ends. */
type Waiting = { id: number; until_ms: number; for_lock: boolean; wake: (answer: SharedAnswer) => void };

export type ParallelServices = ReturnType<typeof servicesOfMany>;

/**
 * Returns the services of a file in which many executions run at the same time: one cache, one lock and one clock.
 * Virtual time passes only while every execution is waiting, so that a slow machine does not delay formulas in virtual
 * time.
 */
export function servicesOfMany(world: Pick<World, 'caches' | 'now_ms'>) {
  const running = new Set<number>();
  let waiting: Waiting[] = [];
  let holder: number | null = null;

  const wake = (one: Waiting, held: boolean): void => {
    waiting = waiting.filter((other) => other !== one);
    running.add(one.id);
    one.wake({ now_ms: world.now_ms, held });
  };
  const passTime = (): void => {
    if (running.size > 0) return;
    const [first] = waiting.toSorted((a, b) => a.until_ms - b.until_ms);
    if (first === undefined) return;
    world.now_ms = Math.max(world.now_ms, first.until_ms);
    wake(first, false);
  };
  const unlock = (id: number): void => {
    if (holder !== id) return;
    const next = waiting.find(({ for_lock }) => for_lock);
    holder = next?.id ?? null;
    if (next !== undefined) wake(next, true);
  };
  const wait = (id: number, waitMs: number, forLock: boolean): Promise<SharedAnswer> => {
    const { promise, resolve } = Promise.withResolvers<SharedAnswer>();
    waiting.push({ id, until_ms: world.now_ms + waitMs, for_lock: forLock, wake: resolve });
    running.delete(id);
    passTime();
    return promise;
  };
  return {
    begin: (id: number): void => void running.add(id),
    /**
     * Ends an execution and releases its lock. Calls `before` before the virtual time moves on, so that `before` can
     * start executions at the current time.
     */
    end(id: number, before: () => void): void {
      unlock(id);
      running.delete(id);
      before();
      passTime();
    },
    answer(id: number, request: SharedRequest): SharedAnswer | Promise<SharedAnswer> {
      if ('cache' in request) return { now_ms: world.now_ms, values: useCache(world.caches, request, world.now_ms) };
      if (request.need === 'sleep') return wait(id, request.wait_ms, false);
      if (request.need === 'lock') {
        if (holder !== null) return wait(id, request.wait_ms, true);
        holder = id;
        return { now_ms: world.now_ms, held: true };
      }
      unlock(id);
      return { now_ms: world.now_ms };
    },
  };
}
