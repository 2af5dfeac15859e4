import { nearest } from './fields.ts';

export const max_ages = ['1d', '3d', '7d', '14d', '30d', 'fresh'] as const;
export type MaxAge = (typeof max_ages)[number];

/** What a formula accepts when it says nothing: one bought answer serves every recalculation of a day. */
export const usual_max_age: MaxAge = '1d';

/** The name of the refresh cell, which a formula gives as its `max_age`. */
export const refresh_name = 'SOCIAL_REFRESH';

/** How long a refresh may still ask for fresh data: enough for every formula to run once, too short for a reopened file. */
const refresh_window_ms = 2 * 60_000;

/**
 * The last argument of a formula: a word, or the content of the refresh cell (a word and the time of the refresh).
 * A `fresh` with a time means fresh only right after it, so that reopening the file buys nothing; a refresh of a part of
 * the file puts its own time behind that of the cell, and the latest counts. A checkbox or a date only makes the formula
 * run again.
 *
 * @throws Error naming the nearest known word.
 */
export function readMaxAge(asked: unknown, now_ms: number): MaxAge {
  if (asked === null || asked === undefined || typeof asked === 'boolean' || asked instanceof Date)
    return usual_max_age;
  const [word = '', ...times] = String(asked).trim().toLowerCase().split(/\s+/);
  if (word === '') return usual_max_age;
  const max_age = max_ages.find((known) => known === word);
  if (max_age === undefined) {
    throw new Error(
      `max_age "${word}" is not known: did you mean "${nearest(word, max_ages)}"? It is one of ${max_ages.join(', ')}.`,
    );
  }
  if (max_age !== 'fresh' || times.length === 0) return max_age;
  const ages_ms = times.map((time) => now_ms - Date.parse(time));
  return ages_ms.some((age_ms) => age_ms >= 0 && age_ms <= refresh_window_ms) ? 'fresh' : usual_max_age;
}

/** {@link readMaxAge} as the parameter that the data routes take. */
export function maxAgeParameter(asked: unknown, now_ms: number): string {
  const max_age = readMaxAge(asked, now_ms);
  return max_age === 'fresh' ? 'fresh=true' : `cache_max_age=${max_age}`;
}

/** The refresh cell's next content: the word that stands in it (`fresh` when there is none) and the time. */
export function refreshedText(content: unknown, now_ms: number): string {
  const [word] = String(content).trim().toLowerCase().split(/\s+/);
  const max_age = max_ages.find((known) => known === word) ?? 'fresh';
  return `${max_age} ${new Date(now_ms).toISOString()}`;
}
