import type { Clock } from '../../clients/typescript/src/client.ts';

export interface MovingClock extends Clock {
  /** The durations of all waits so far, in milliseconds. */
  slept: number[];
  /** The current time in Unix milliseconds. Tests may set it. */
  at: number;
}

/** Creates a clock on which waiting returns immediately and moves the time forward. */
export function movingClock(begin: Date): MovingClock {
  const clock: MovingClock = {
    slept: [],
    at: begin.getTime(),
    now: () => clock.at,
    random: () => 0.5,
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted();
      clock.slept.push(milliseconds);
      clock.at += milliseconds;
    },
  };
  return clock;
}
