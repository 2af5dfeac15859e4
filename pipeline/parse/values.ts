import type { z } from 'zod';

export { derivedHashtags, derivedMentions } from './entities.ts';
export { embeddedJson, parseJson } from './json.ts';

/** The value under a path of keys and indexes; undefined when anything on the way is missing or is no object or array. */
export function dig(value: unknown, ...path: (string | number)[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string | number, unknown>)[key];
  }
  return at;
}

/** A string, or the digits of an id that came as a number; empty and everything else is null. */
export function toText(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return Number.isSafeInteger(value) ? String(value) : null;
}

/** Returns free text (bio, caption, description, comment) as the source wrote it: `''` means "written, and empty"; anything but a string is null. */
export function toFreeText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** A whole count from a number or a string of digits; negatives, fractions and what a double cannot hold are null. */
export function toCount(value: unknown): number | null {
  const number = toDecimal(value);
  return Number.isSafeInteger(number) ? number : null;
}

/** A number that is not negative, from a number or a decimal string; everything else is null. */
export function toDecimal(value: unknown): number | null {
  const numeric = typeof value === 'number' || (typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value));
  const number = numeric ? Number(value) : Number.NaN;
  return Number.isFinite(number) && number >= 0 ? number : null;
}

/** A width, height or duration: like {@link toDecimal}, but 0 means that the source does not know it. */
export function toSize(value: unknown): number | null {
  return toDecimal(value) || null;
}

/** A boolean, also written as the string `true` or `false`; everything else is null. */
export function toFlag(value: unknown): boolean | null {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : null;
}

export function toList(value: unknown): unknown[] | null {
  return Array.isArray(value) ? value : null;
}

/** Epoch seconds, as a number or a string of digits, as ISO 8601 in UTC with milliseconds; 0 and nonsense are null. */
export function epochToIso(value: unknown): string | null {
  const seconds = toSize(value);
  return seconds === null ? null : isoOf(seconds * 1000);
}

const timePattern = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})$/;

/** A time with an offset (`Z`, `+00:00`, `+0000`) as the same instant in UTC; a date alone stays a date; without an offset it is null. */
export function timeToIso(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  if (isDate(value)) return value;
  const [, date, time, offset] = timePattern.exec(value) ?? [];
  if (date === undefined || offset === undefined || !isDate(date)) return null;
  return isoOf(Date.parse(`${date}T${time}${offset.replace(/(\d{2})(\d{2})$/, '$1:$2')}`));
}

function isDate(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(value) && isoOf(Date.parse(value))?.slice(0, 10) === value;
}

function isoOf(epochMs: number): string | null {
  const date = new Date(epochMs);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

const namedCharacters = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }));

/** Undoes one level of HTML escaping; a reference that names no character stays as it is. */
export function unescapeHtml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return namedCharacters.get(name) ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const character = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return character ? String.fromCodePoint(code) : whole;
  });
}

/** The record with every field null, to be spread under the fields that a source gives. */
export function blank<S extends z.ZodObject>(schema: S): z.infer<S> {
  return Object.fromEntries(Object.keys(schema.shape).map((field) => [field, null])) as z.infer<S>;
}
