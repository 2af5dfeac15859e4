import { nearest } from './fields.ts';

export const maxAges = ['1d', '3d', '7d', '14d', '30d', 'fresh'] as const;
export type MaxAge = (typeof maxAges)[number];

/** What a formula accepts when it says nothing: one bought answer serves every recalculation of a day. */
export const usualMaxAge: MaxAge = '1d';

/** The name of the refresh cell, which a formula gives as its `max_age`. */
export const refreshName = 'SOCIAL_REFRESH';

/** How long a refresh may still ask for fresh data: enough for every formula to run once, too short for a reopened file. */
const refreshWindowMs = 2 * 60_000;

/**
 * The last argument of a formula: a word, or the content of the refresh cell (a word and the time of the refresh).
 * A `fresh` with a time means fresh only right after it, so that reopening the file buys nothing; a refresh of a part of
 * the file puts its own time behind that of the cell, and the latest counts. A checkbox or a date only makes the formula
 * run again.
 *
 * @throws Error naming the nearest known word.
 */
export function readMaxAge(asked: unknown, nowMs: number): MaxAge {
  if (asked === null || asked === undefined || typeof asked === 'boolean' || asked instanceof Date) return usualMaxAge;
  const [word = '', ...times] = String(asked).trim().toLowerCase().split(/\s+/);
  if (word === '') return usualMaxAge;
  const maxAge = maxAges.find((known) => known === word);
  if (maxAge === undefined) {
    throw new Error(
      `max_age "${word}" is not known: did you mean "${nearest(word, maxAges)}"? It is one of ${maxAges.join(', ')}.`,
    );
  }
  if (maxAge !== 'fresh' || times.length === 0) return maxAge;
  const agesMs = times.map((time) => nowMs - Date.parse(time));
  return agesMs.some((ageMs) => ageMs >= 0 && ageMs <= refreshWindowMs) ? 'fresh' : usualMaxAge;
}

/** {@link readMaxAge} as the parameter that the data routes take. */
export function maxAgeParameter(asked: unknown, nowMs: number): string {
  const maxAge = readMaxAge(asked, nowMs);
  return maxAge === 'fresh' ? 'fresh=true' : `cache_max_age=${maxAge}`;
}

/** The refresh cell's next content: the word that stands in it (`fresh` when there is none) and the time. */
export function refreshedText(content: unknown, nowMs: number): string {
  const [word] = String(content).trim().toLowerCase().split(/\s+/);
  const maxAge = maxAges.find((known) => known === word) ?? 'fresh';
  return `${maxAge} ${new Date(nowMs).toISOString()}`;
}
