export const dayMs = 86_400_000;
export const weekMs = 7 * dayMs;
/** The first Monday of Unix time. */
const firstMondayMs = 4 * dayMs;

/** Unix ms; `from` belongs to it, `to` does not. */
export interface Window {
  from: number;
  to: number;
}

/** 00:00 UTC of the day of `at`. */
export function dayStart(at: number): number {
  return Math.floor(at / dayMs) * dayMs;
}

/** Monday 00:00 UTC of the week of `at`. */
export function weekStart(at: number): number {
  return Math.floor((at - firstMondayMs) / weekMs) * weekMs + firstMondayMs;
}

/** `YYYY-MM-DD` in UTC. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** 00:00 UTC of a `YYYY-MM-DD`. */
export function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}

/** The first full day that the history limit shows. */
export function historyStart(now: number, historyDays: number): number {
  return Math.ceil(now / dayMs - historyDays) * dayMs;
}

export interface PeriodQuestion {
  period_start: number;
  generated_at: number;
  history_days: number;
  starts_on: string;
  ends_on: string | null;
}

/** The part of a week that a report can speak of: within the campaign's days and the history limit, until `generated_at`. May be empty. */
export function windowOf({ period_start, generated_at, history_days, starts_on, ends_on }: PeriodQuestion): Window {
  const from = Math.max(period_start, startOf(starts_on), historyStart(generated_at, history_days));
  const last = ends_on === null ? Number.POSITIVE_INFINITY : startOf(ends_on) + dayMs;
  return { from, to: Math.max(from, Math.min(period_start + weekMs, last, generated_at)) };
}
