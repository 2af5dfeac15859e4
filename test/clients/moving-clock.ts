import type { Clock } from '../../clients/typescript/src/client.ts';

export interface MovingClock extends Clock {
  /** The waits so far, in milliseconds. */
  slept: number[];
  /** Unix milliseconds; tests set it. */
  at: number;
}

/** Creates a clock whose waits return at once and advance its time. */
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
