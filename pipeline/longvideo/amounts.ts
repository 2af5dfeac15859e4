import type { Quality } from '../collect/quality.ts';
import { responseChanged } from '../errors.ts';
import { toCount, toText } from '../parse/values.ts';
import type { LongvideoItem } from '../records/longvideo.ts';

/** A count, such as views, with a flag that says whether YouTube rounded it. */
export interface Amount {
  count: number | null;
  /** True when YouTube rounded the count; null when there is no count. */
  rounded: boolean | null;
}

export const noAmount: Amount = { count: null, rounded: null };

/**
 * Reads a count from the YouTube Data API, which sends it as a string of digits. Returns null when the count is absent.
 * Throws SOURCE_RESPONSE_CHANGED for any other value.
 */
export function officialCount(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  const count = toCount(value);
  if (count === null) throw responseChanged('a count is not a whole number');
  return count;
}

/** Returns an {@link Amount} for a count that YouTube did not round. */
export function exactly(count: number | null): Amount {
  return { count, rounded: count === null ? null : false };
}

/** A flag for each count of a YouTube video: true when the count is rounded, null when there is no count. */
export type CountsRounded = NonNullable<LongvideoItem['counts_rounded']>;

/** Returns a `quality` map that marks each rounded count of a video as `rounded`. */
export function roundedQuality(rounded: CountsRounded): Quality {
  const fields = Object.entries(rounded).filter(([, value]) => value === true);
  return Object.fromEntries(fields.map(([field]) => [field, 'rounded' as const]));
}

const factors = { '': 1, k: 1e3, m: 1e6, b: 1e9, bn: 1e9 } as const;
const shownCount =
  /^(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?\s?([km]|bn?)?(?:\s(?:subscriber|video|episode|lesson|song|view|like|comment|repl(?:y|ie))s?)?$/i;
const shownZero = /^no (?:subscribers|videos|episodes|lessons|songs|views|likes|comments|replies)$/i;

/**
 * Reads a count as YouTube's website shows it in English: `12,345 views` and `No views` are exact, `1.25m subscribers`
 * is rounded. Returns {@link noAmount} for any other text, including text in other languages.
 */
export function shownAmount(text: unknown): Amount {
  const shown = toText(text)?.trim() ?? '';
  if (shownZero.test(shown)) return exactly(0);
  const [, whole, fraction = '', letter = ''] = shownCount.exec(shown) ?? [];
  const unit = letter.toLowerCase() as keyof typeof factors;
  if (whole === undefined || (fraction !== '' && unit === '')) return noAmount;
  const count = Math.round(Number(whole.replaceAll(',', '') + fraction) * factors[unit]);
  return { count, rounded: unit !== '' };
}

/**
 * Returns the first text that is a count as a whole, such as `345 videos`. Skips other texts, such as a name that
 * contains the same words.
 */
export function firstAmount(texts: readonly unknown[]): Amount {
  return texts.map(shownAmount).find(({ count }) => count !== null) ?? noAmount;
}

const duration = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/**
 * Converts an ISO 8601 duration without years and months, such as `PT4M5S`, to seconds; null for any other text.
 */
export function secondsOfDuration(iso8601: string | null): number | null {
  const parts = iso8601 === null || iso8601.length < 3 ? null : duration.exec(iso8601);
  if (parts === null) return null;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  return (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds;
}

/**
 * Returns true when a subscriber count is rounded, null when there is no count. YouTube rounds subscriber counts from
 * 1,000 to three significant digits, on its website and in its API. A count with more digits was not rounded.
 */
export function isRoundedFollowers(followers: number | null): boolean | null {
  return followers === null ? null : followers >= 1000 && /^\d{1,3}0+$/.test(String(followers));
}
