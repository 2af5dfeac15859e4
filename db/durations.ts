export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const weekMs = 7 * dayMs;

/**
 * Maximum milliseconds by which the clocks of processes may differ. A time that is further in the future was stored
 * before a clock was set back.
 */
export const clockDifferenceMs = hourMs;

export const hourSeconds = 3_600;
export const daySeconds = 24 * hourSeconds;

/**
 * Returns true when `ageMs` have passed since `sinceMs`, and when the clock was set back after `sinceMs`, because the
 * real age is then unknown. All values are in milliseconds.
 */
export function hasPassed(ageMs: number, sinceMs: number, nowMs: number): boolean {
  return nowMs - sinceMs >= ageMs || nowMs < sinceMs;
}
