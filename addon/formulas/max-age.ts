import { dayMs, minuteMs } from '../durations.ts';
import { knownWord } from '../known-word.ts';

export const maxAges = ['1d', '3d', '7d', '14d', '30d', 'fresh'] as const;
export type MaxAge = (typeof maxAges)[number];

/**
 * The default maximum age of data in a formula. With one day, the same data is charged at most once a day, even when
 * Google Sheets recalculates often.
 */
export const usualMaxAge: MaxAge = '1d';

/**
 * The name of the refresh cell (a named cell of the spreadsheet). Formulas that use this cell as their `max_age` run
 * again when its content changes.
 */
export const refreshName = 'SOCIAL_REFRESH';

/**
 * Milliseconds after a refresh (started by the user) in which a formula with `fresh` requests new data. This is long
 * enough for all formulas to run, and short enough that reopening the spreadsheet later costs nothing.
 */
const refreshWindowMs = 2 * minuteMs;

/**
 * How new the data of a formula must be. `parameter`: the query parameter of the API. `oldest_ms`: data that the server
 * read from the platform before this time is too old. `refreshed_ms`: data that this spreadsheet received before this
 * time, the user's last refresh, is also too old; null when there is no such limit. Both times are in Unix ms.
 */
export type Freshness = { parameter: string; oldest_ms: number; refreshed_ms: number | null };

/**
 * Reads the argument `max_age` of a formula: a word such as `7d`, or the content of the refresh cell (a word and the
 * time of the refresh). With `fresh` and a time, only data from after that time is accepted, even when the formula runs
 * much later.
 *
 * @throws Error with the most similar allowed word when the word is unknown.
 */
export function readFreshness(input: unknown, nowMs: number): Freshness {
  const parameter = maxAgeParameter(input, nowMs);
  const { word, times_ms } = readParts(input);
  if (word !== 'fresh') return { parameter, oldest_ms: nowMs - Number.parseInt(word, 10) * dayMs, refreshed_ms: null };
  const past = times_ms.filter((timeMs) => timeMs <= nowMs);
  if (times_ms.length === 0) return { parameter, oldest_ms: nowMs, refreshed_ms: nowMs };
  return { parameter, oldest_ms: nowMs - dayMs, refreshed_ms: past.length === 0 ? null : Math.max(...past) };
}

/**
 * Reads the last argument of a formula as a `max_age` of the API. `fresh` with a time means `fresh` only during the two
 * minutes after that time. All formulas of a refresh then get new data, and reopening the spreadsheet later costs
 * nothing. When the argument has several times, one of them must be in these two minutes. A checkbox or a date means
 * the default age, because it only makes Google Sheets run the formula again.
 *
 * @throws Error with the most similar allowed word when the word is unknown.
 */
function readMaxAge(input: unknown, nowMs: number): MaxAge {
  const { word, times_ms } = readParts(input);
  if (word !== 'fresh' || times_ms.length === 0) return word;
  const agesMs = times_ms.map((timeMs) => nowMs - timeMs);
  return agesMs.some((ageMs) => ageMs >= 0 && ageMs <= refreshWindowMs) ? 'fresh' : usualMaxAge;
}

/**
 * Matches the text of a checkbox or a time. Such an argument contains no `max_age` and only makes Google Sheets run the
 * formula again.
 */
const isNoWord = /^(true|false|\d[\d.:tz-]{4,})$/;

function readParts(input: unknown): { word: MaxAge; times_ms: number[] } {
  const isText = input !== null && input !== undefined && typeof input !== 'boolean' && !(input instanceof Date);
  const [word = '', ...rest] = isText ? String(input).trim().toLowerCase().split(/\s+/) : [];
  if (word === '' || isNoWord.test(word)) return { word: usualMaxAge, times_ms: [] };
  const known = maxAges.find((age) => age === word);
  // The error does not recommend `fresh`, because a formula with this word pays each time that it runs.
  const recommended = maxAges.filter((age) => age !== 'fresh');
  const maxAge = known ?? knownWord([word, ...rest].join(' '), maxAges, 'max_age', recommended);
  return { word: maxAge, times_ms: rest.map((time) => Date.parse(time)) };
}

/**
 * Returns the query parameter of the API for an argument `max_age`, such as `cache_max_age=7d`. See {@link readMaxAge}.
 */
export function maxAgeParameter(input: unknown, nowMs: number): string {
  const maxAge = readMaxAge(input, nowMs);
  return maxAge === 'fresh' ? 'fresh=true' : `cache_max_age=${maxAge}`;
}

/**
 * Returns the new content of the refresh cell: the `max_age` in the cell, or `fresh` when the cell contains no valid
 * one, then the current time.
 */
export function refreshedText(content: unknown, nowMs: number): string {
  const [word] = String(content).trim().toLowerCase().split(/\s+/);
  const maxAge = maxAges.find((known) => known === word) ?? 'fresh';
  return `${maxAge} ${new Date(nowMs).toISOString()}`;
}
