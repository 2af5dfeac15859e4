import { SourceError } from '../errors.ts';

export interface GateLimits {
  /** How many may be inside at once. */
  in_flight: number;
  /** How many may wait for a place; the next one is refused with SOURCE_CAPACITY. */
  waiting: number;
}

/** Runs a piece of work when there is a place for it. An aborted signal takes it out of the queue with the signal's reason. */
export type Gate = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

export function createGate(limits: GateLimits): Gate {
  let inside = 0;
  const queue = new Set<() => void>();

  function place(signal: AbortSignal): Promise<void> {
    if (inside < limits.in_flight) {
      inside++;
      return Promise.resolve();
    }
    if (queue.size >= limits.waiting)
      throw new SourceError('SOURCE_CAPACITY', { reason: 'our queue for this host is full' });
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        queue.delete(enter);
        reject(signal.reason);
      };
      queue.add(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** The place is handed on rather than given back, so that a newcomer never overtakes the queue. */
  function leavePlace(): void {
    const next = queue.values().next().value;
    if (next === undefined) {
      inside--;
    } else {
      queue.delete(next);
      next();
    }
  }

  return async (signal, work) => {
    signal.throwIfAborted();
    await place(signal);
    try {
      return await work();
    } finally {
      leavePlace();
    }
  };
}
