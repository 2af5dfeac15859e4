import { nearest } from './fields.ts';

export const maxAges = ['1d', '3d', '7d', '14d', '30d', 'fresh'] as const;
export type MaxAge = (typeof maxAges)[number];

/** The default. Data that was paid for once serves every recalculation of a day. */
export const usualMaxAge: MaxAge = '1d';

/** The name of the refresh cell, which formulas use as their `max_age`. */
export const refreshName = 'SOCIAL_REFRESH';

/** A refresh gets fresh data for this long: enough for every formula to run once, too short for a reopened file. */
const refreshWindowMs = 2 * 60_000;

/**
 * Reads the last argument of a formula: a word, or the content of the refresh cell (a word and the time of the refresh).
 * `fresh` with a time is fresh only just after that time, so that reopening the file costs nothing. A refresh of a part
 * of the file appends its own time, and the latest time counts. A checkbox or a date only makes the formula run again.
 *
 * @throws Error with the nearest known word.
 */
export function readMaxAge(input: unknown, nowMs: number): MaxAge {
  if (input === null || input === undefined || typeof input === 'boolean' || input instanceof Date) return usualMaxAge;
  const [word = '', ...times] = String(input).trim().toLowerCase().split(/\s+/);
  if (word === '') return usualMaxAge;
  const maxAge = maxAges.find((known) => known === word);
  if (maxAge === undefined) {
    throw new Error(
      `There is no max_age "${word}". Did you mean "${nearest(word, maxAges)}"? Use one of ${maxAges.join(', ')}.`,
    );
  }
  if (maxAge !== 'fresh' || times.length === 0) return maxAge;
  const agesMs = times.map((time) => nowMs - Date.parse(time));
  return agesMs.some((ageMs) => ageMs >= 0 && ageMs <= refreshWindowMs) ? 'fresh' : usualMaxAge;
}

/** Returns {@link readMaxAge} as a query parameter of the API. */
export function maxAgeParameter(input: unknown, nowMs: number): string {
  const maxAge = readMaxAge(input, nowMs);
  return maxAge === 'fresh' ? 'fresh=true' : `cache_max_age=${maxAge}`;
}

/** Returns the next content of the refresh cell: its word (`fresh` if it has no known word) and the time. */
export function refreshedText(content: unknown, nowMs: number): string {
  const [word] = String(content).trim().toLowerCase().split(/\s+/);
  const maxAge = maxAges.find((known) => known === word) ?? 'fresh';
  return `${maxAge} ${new Date(nowMs).toISOString()}`;
}
