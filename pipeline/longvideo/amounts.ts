import type { Quality } from '../collect/quality.ts';
import { SourceError } from '../errors.ts';
import { toCount, toText } from '../parse/values.ts';
import type { LongvideoItem } from '../records/longvideo.ts';

/** A count with whether the source shortened it. */
export interface Amount {
  count: number | null;
  /** Null when there is no count. */
  rounded: boolean | null;
}

export const noAmount: Amount = { count: null, rounded: null };

/** An exact count of the official source, a string of digits; absent is null, anything else SOURCE_RESPONSE_CHANGED. */
export function officialCount(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  const count = toCount(value);
  if (count === null) throw new SourceError('SOURCE_RESPONSE_CHANGED', { reason: 'a count is no whole number' });
  return count;
}

/** An exact count as an amount. */
export function exactly(count: number | null): Amount {
  return { count, rounded: count === null ? null : false };
}

/** Of a record's counts: which are rounded, null where there is no count. */
export type CountsRounded = NonNullable<LongvideoItem['counts_rounded']>;

/** The quality that goes with them. */
export function roundedQuality(rounded: CountsRounded): Quality {
  const fields = Object.entries(rounded).filter(([, value]) => value === true);
  return Object.fromEntries(fields.map(([field]) => [field, 'rounded' as const]));
}

const factors = { '': 1, k: 1e3, m: 1e6, b: 1e9 } as const;
const shownCount =
  /^(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?\s?([kmb])?(?:\s(?:subscriber|video|episode|lesson|view|comment|repl(?:y|ie))s?)?$/i;

/**
 * A count as the site shows it in English: `12,345 views` is exact, `1.25m subscribers` was cut by the site and is rounded.
 * Anything else is no count, such as what the site shows in another language.
 */
export function shownAmount(text: unknown): Amount {
  const [, whole, fraction = '', letter = ''] = shownCount.exec(toText(text)?.trim() ?? '') ?? [];
  const unit = letter.toLowerCase() as keyof typeof factors;
  if (whole === undefined || (fraction !== '' && unit === '')) return noAmount;
  const count = Math.round(Number(whole.replaceAll(',', '') + fraction) * factors[unit]);
  return { count, rounded: unit !== '' };
}

const duration = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** Seconds of an ISO 8601 duration of days to seconds; null when it is none. */
export function durationSeconds(iso8601: string | null): number | null {
  const parts = iso8601 === null || iso8601.length < 3 ? null : duration.exec(iso8601);
  if (parts === null) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}

/** The official subscriber count and what the web shows are cut to three significant figures from a thousand up. */
export function isRoundedFollowers(followers: number | null): boolean | null {
  return followers === null ? null : followers >= 1000;
}
