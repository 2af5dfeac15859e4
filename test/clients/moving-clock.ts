import type { Clock } from '../../clients/typescript/src/client.ts';

export interface MovingClock extends Clock {
  /** The waits so far, in milliseconds. */
  slept: number[];
  /** Unix milliseconds; tests set it. */
  at: number;
}

/** A clock whose waits pass at once, by as much as they were asked for. */
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
