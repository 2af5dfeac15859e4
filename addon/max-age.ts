import { nearest } from './fields.ts';

export const max_ages = ['1d', '3d', '7d', '14d', '30d', 'fresh'] as const;
export type MaxAge = (typeof max_ages)[number];

/** What a formula accepts when it says nothing: one bought answer serves every recalculation of a day. */
export const usual_max_age: MaxAge = '1d';

/** How long a refresh may still ask for fresh data: enough for every formula to run once, too short for a reopened file. */
const refresh_window_ms = 2 * 60_000;

/**
 * The third argument of a formula: a word, or the content of the refresh cell (a word and the time of the refresh).
 * A `fresh` with a time means fresh only right after it, so that reopening the file buys nothing. A checkbox or a
 * date only makes the formula run again.
 *
 * @throws Error naming the nearest known word.
 */
export function readMaxAge(asked: unknown, now_ms: number): MaxAge {
  if (asked === null || asked === undefined || typeof asked === 'boolean' || asked instanceof Date)
    return usual_max_age;
  const [word = '', time] = String(asked).trim().toLowerCase().split(/\s+/);
  if (word === '') return usual_max_age;
  const max_age = max_ages.find((known) => known === word);
  if (max_age === undefined) {
    throw new Error(
      `max_age "${word}" is not known: did you mean "${nearest(word, max_ages)}"? It is one of ${max_ages.join(', ')}.`,
    );
  }
  if (max_age !== 'fresh' || time === undefined) return max_age;
  const age_ms = now_ms - Date.parse(time);
  return age_ms >= 0 && age_ms <= refresh_window_ms ? 'fresh' : usual_max_age;
}

/** The refresh cell's next content: the word that stands in it (`fresh` when there is none) and the time. */
export function refreshedText(content: unknown, now_ms: number): string {
  const [word] = String(content).trim().toLowerCase().split(/\s+/);
  const max_age = max_ages.find((known) => known === word) ?? 'fresh';
  return `${max_age} ${new Date(now_ms).toISOString()}`;
}
