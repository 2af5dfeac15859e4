import type { z } from 'zod';
import { isDay } from '../../db/calendar.ts';
import { boundedText } from './text.ts';

export { derivedHashtags, derivedMentions, onceEach } from './entities.ts';
export { embeddedJson, firstCharacter, jsonAt, parseJson } from './json.ts';
export { decodeText } from './text.ts';

/** Returns the value that a path of keys and indexes leads to. Undefined when a part of the path does not exist. */
export function dig(value: unknown, ...path: (string | number)[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string | number, unknown>)[key];
  }
  return at;
}

/**
 * Returns a non-empty string unchanged, and an integer, such as a numeric ID, as a string of digits. Returns null for
 * any other value. Throws SOURCE_RESPONSE_CHANGED when the text is too long.
 */
export function toText(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : boundedText(value);
  return Number.isSafeInteger(value) ? String(value) : null;
}

/**
 * Returns the strings and integers of a list as texts and leaves out its other values. Null when the value is not a
 * list.
 */
export function toTexts(value: unknown): string[] | null {
  return Array.isArray(value) ? value.map(toText).filter((text) => text !== null) : null;
}

/**
 * Returns free text (bio, caption, description, comment) unchanged; `''` means that the text is empty. Null for a value
 * that is not a string. Throws SOURCE_RESPONSE_CHANGED when the text is too long.
 */
export function toFreeText(value: unknown): string | null {
  return typeof value === 'string' ? boundedText(value) : null;
}

/**
 * Converts a whole number, or a string of digits, to a count. Null for other values, including negative
 * numbers, fractions and unsafe integers.
 */
export function toCount(value: unknown): number | null {
  const number = toDecimal(value);
  return Number.isSafeInteger(number) ? number : null;
}

/** Converts a number or a decimal string to a number. Null for other values, including negative numbers. */
export function toDecimal(value: unknown): number | null {
  const numeric = typeof value === 'number' || (typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value));
  const number = numeric ? Number(value) : Number.NaN;
  return Number.isFinite(number) && number >= 0 ? number : null;
}

/**
 * Returns a width, height or duration from a number or a decimal string. Null for invalid values and for 0, because
 * platforms send 0 when they do not know the value.
 */
export function toSize(value: unknown): number | null {
  return toDecimal(value) || null;
}

/** Converts a boolean, or the string `true` or `false`, to a boolean. Null for any other value. */
export function toFlag(value: unknown): boolean | null {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : null;
}

/** Returns an array unchanged. Null for any other value. */
export function toList(value: unknown): unknown[] | null {
  return Array.isArray(value) ? value : null;
}

/**
 * Returns the first value that is an http or https URL, without white space at its start and end. A URL that begins
 * with `//` gets the scheme https. Null when no value is such a URL.
 */
export function toUrl(...values: readonly unknown[]): string | null {
  return values.map(urlOf).find((url) => url !== null) ?? null;
}

function urlOf(value: unknown): string | null {
  const url = toText(value)?.trim().replace(/^\/\//, 'https://') ?? '';
  return /^https?:\/\/\S+$/i.test(url) ? url : null;
}

/**
 * A Unix time of at least this number is in milliseconds. In seconds, the number would mean a time after the year 5000.
 */
const leastMilliseconds = 1e11;

/**
 * Converts a Unix time in seconds or milliseconds (a number or digits) to ISO 8601 in UTC with milliseconds. Null for 0
 * and for invalid values.
 */
export function epochToIso(value: unknown): string | null {
  const time = toSize(value);
  return time === null ? null : isoOf(time < leastMilliseconds ? time * 1000 : time);
}

/**
 * Matches the most frequent times: full seconds in UTC, on a day that exists in every month. These times are valid
 * without a check by `Date`, which takes ten times as long.
 */
const plainTimePattern =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:Z|\+00:?00)$/;
const timePattern = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})$/;

/**
 * Converts a time with an offset (`Z`, `+00:00`, `+0000`) to ISO 8601 in UTC. Returns a date without a time unchanged,
 * and null for a time without an offset or an invalid value.
 */
export function timeToIso(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  if (plainTimePattern.test(value)) return `${value.slice(0, 19)}.000Z`;
  if (isDay(value)) return value;
  const [, date, time, offset] = timePattern.exec(value) ?? [];
  if (date === undefined || offset === undefined || !isDay(date)) return null;
  return isoOf(Date.parse(`${date}T${time}${offset.replace(/(\d{2})(\d{2})$/, '$1:$2')}`));
}

function isoOf(epochMs: number): string | null {
  const date = new Date(epochMs);
  return date.getUTCFullYear() <= 9999 ? date.toISOString() : null;
}

const namedCharacters = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }));

/** Replaces HTML character references such as `&amp;` with their characters, once. Keeps unknown references. */
export function unescapeHtml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return namedCharacters.get(name) ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const character = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return character ? String.fromCodePoint(code) : whole;
  });
}

/**
 * Caches a blank record for each schema, in which every field is null. Each row of a list starts as a copy of such a
 * record.
 */
const blanks = new WeakMap<z.ZodObject, object>();

/**
 * Returns a new record in which every field of the schema is null. The caller then sets the fields that the platform
 * sent.
 */
export function blank<S extends z.ZodObject>(schema: S): z.infer<S> {
  const known = blanks.get(schema) ?? Object.fromEntries(Object.keys(schema.shape).map((field) => [field, null]));
  blanks.set(schema, known);
  return { ...known } as z.infer<S>;
}
