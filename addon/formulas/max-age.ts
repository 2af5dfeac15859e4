import { nearest } from './fields.ts';

export const maxAges = ['1d', '3d', '7d', '14d', '30d', 'fresh'] as const;
export type MaxAge = (typeof maxAges)[number];

/** The default maximum age of data. With one day, the same data is charged at most once a day, even when Sheets recalculates often. */
export const usualMaxAge: MaxAge = '1d';

/** The name of the refresh cell. Formulas that use this cell as their `max_age` run again when its content changes. */
export const refreshName = 'SOCIAL_REFRESH';

/** Milliseconds after a refresh in which `fresh` requests new data. Every formula has time to run, but reopening the file later is free. */
const refreshWindowMs = 2 * 60_000;

/**
 * Reads the last argument of a formula: a word such as `7d`, or the content of the refresh cell (a word and the time of the
 * refresh). `fresh` with a time requests new data only shortly after that time, so that reopening the file costs nothing. A
 * refresh of only some formulas adds a second time; the latest time counts. A checkbox or a date only makes the formula run
 * again.
 *
 * @throws Error with the most similar allowed word.
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

/** Returns the maximum age as the query parameter of the API, see {@link readMaxAge}. */
export function maxAgeParameter(input: unknown, nowMs: number): string {
  const maxAge = readMaxAge(input, nowMs);
  return maxAge === 'fresh' ? 'fresh=true' : `cache_max_age=${maxAge}`;
}

/** Returns the new content of the refresh cell: its word, or `fresh` when it has no valid word, and the current time. */
export function refreshedText(content: unknown, nowMs: number): string {
  const [word] = String(content).trim().toLowerCase().split(/\s+/);
  const maxAge = maxAges.find((known) => known === word) ?? 'fresh';
  return `${maxAge} ${new Date(nowMs).toISOString()}`;
}
