import { SourceError } from '../errors.ts';

export interface ConcurrencyOptions {
  /** Maximum number of tasks, such as requests to one host, that run at the same time. */
  in_flight: number;
  /** Maximum number of waiting tasks. Further tasks are refused with SOURCE_CAPACITY. */
  waiting: number;
}

/**
 * Runs `work` as soon as fewer than the maximum number of tasks are running. Throws the abort reason of the signal when
 * it aborts while `work` is waiting.
 */
export type ConcurrencyLimit = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/**
 * Creates a limit for tasks that run at the same time. Waiting tasks start in the order in which they were added.
 * Throws SOURCE_CAPACITY when too many tasks wait.
 */
export function createConcurrencyLimit(limits: ConcurrencyOptions): ConcurrencyLimit {
  let running = 0;
  const queue = new Set<() => void>();

  function acquire(signal: AbortSignal): Promise<void> {
    if (running < limits.in_flight) {
      running++;
      return Promise.resolve();
    }
    if (queue.size >= limits.waiting)
      throw new SourceError('SOURCE_CAPACITY', { reason: 'too many requests to this host are waiting' });
    return new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', cancel);
        resolve();
      };
      const cancel = () => {
        queue.delete(start);
        reject(signal.reason);
      };
      queue.add(start);
      signal.addEventListener('abort', cancel, { once: true });
    });
  }

  /** Ends a task. The task that has waited longest then starts before any new task. */
  function release(): void {
    const next = queue.values().next().value;
    if (next === undefined) {
      running--;
    } else {
      queue.delete(next);
      next();
    }
  }

  return async (signal, work) => {
    signal.throwIfAborted();
    await acquire(signal);
    try {
      return await work();
    } finally {
      release();
    }
  };
}
