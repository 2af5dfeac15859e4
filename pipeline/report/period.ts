export const day_ms = 86_400_000;
export const week_ms = 7 * day_ms;
/** The first Monday of Unix time. */
const first_monday_ms = 4 * day_ms;

/** Unix ms; `from` belongs to it, `to` does not. */
export interface Window {
  from: number;
  to: number;
}

/** 00:00 UTC of the day of `at`. */
export function dayStart(at: number): number {
  return Math.floor(at / day_ms) * day_ms;
}

/** Monday 00:00 UTC of the week of `at`. */
export function weekStart(at: number): number {
  return Math.floor((at - first_monday_ms) / week_ms) * week_ms + first_monday_ms;
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
export function historyStart(now: number, history_days: number): number {
  return Math.ceil(now / day_ms - history_days) * day_ms;
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
  const last = ends_on === null ? Number.POSITIVE_INFINITY : startOf(ends_on) + day_ms;
  return { from, to: Math.max(from, Math.min(period_start + week_ms, last, generated_at)) };
}
