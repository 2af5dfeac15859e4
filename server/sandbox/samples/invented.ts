import { dayMs, hourMs } from '../../../db/durations.ts';
import { derivedHashtags, derivedMentions } from '../../../pipeline/parse/values.ts';
import type { Entity, MediaVariant } from '../../../pipeline/records/shared.ts';

/**
 * Number of rows in every sample list. The number is larger than the maximum `limit` (20), so that every list has a
 * second page.
 */
const rowCount = 24;

/** Handle of the invented account in all samples. */
export const handle = 'tidemark.sample';
export const displayName = 'Tidemark Sample Harbour 🌊';
export const bio =
  'Invented account of the Tidemark sandbox.\nTide tables, boats, 潮汐 и маяки. No real person posts here.';
export const website = 'https://www.example.com/harbour?ref=bio&lang=en';

const firstPublishedMs = Date.UTC(2026, 2, 1, 6, 12);

/**
 * Returns the time that is `days` days and `hours` hours before 2026-03-01T06:12:00.000Z. This time is a constant, so
 * that samples never change.
 */
export function daysEarlier(days: number, hours = 0): string {
  return new Date(firstPublishedMs - days * dayMs - hours * hourMs).toISOString();
}

/** Returns the rows of a sample list, newest first. `row` creates the row at an index. */
export function sampleRows<R>(row: (index: number) => R): R[] {
  return Array.from({ length: rowCount }, (_, index) => row(index));
}

/** Returns the element at `index`. After the last element, indexes begin again at the first element. */
export function cycle<const T>(list: readonly [T, ...T[]], index: number): T {
  return list[index % list.length] ?? list[0];
}

/** Returns the number of the row at `index` with leading zeros, for ids and file names. Row numbers begin at 1. */
export function pad(index: number, digits = 2): string {
  return String(index + 1).padStart(digits, '0');
}

/** Sample texts with line breaks, many scripts, emoji, and the four characters that can begin a spreadsheet formula. */
const texts = [
  'Low tide at 06:12, and the whole bay is a mirror 🌊 #tide #lowtide with @tidemark.friend',
  '=SUM(tides) is a caption, not a formula. #spreadsheets',
  'Ebbe und Flut, naß bis zu den Knien.\nÜbermorgen wieder! #Wattenmeer',
  '潮が引くと、小さな蟹が出てくる 🦀 #潮干狩り #tide',
  '+2.4 m above chart datum: "spring tide", says the table, and the table is right',
  'المد والجزر كل ست ساعات ⛵ #بحر @tidemark.friend',
  '-0.3 m, the lowest of the year; bring boots, not shoes 👩‍👩‍👧‍👦',
  'Отлив открыл старый маяк. Кто был внутри? #маяк',
  'ज्वार-भाटा का समय देखकर ही नाव निकालें 🚣🏽 #समुद्र',
  '@tidemark.friend asked: how far does the water go? 조수 간만의 차 #조수',
  'ים שקט, רוח קלה; חוזרים בשש #ים',
  'Η παλίρροια δεν περιμένει κανέναν… 100% true, <b>no markup</b> & no 25 °C today #θάλασσα',
] as const;

/** Returns an invented text with its hashtags and mentions. */
export function caption(index: number): { text: string; hashtags: Entity[] | null; mentions: Entity[] | null } {
  const text = cycle(texts, index);
  return { text, hashtags: derivedHashtags(text), mentions: derivedMentions(text, 'photo') };
}

/** Returns a realistic number that is different in each row. */
export function countOf(base: number, index: number): number {
  return base + ((index * 7_919) % base);
}

/** Returns a made-up file URL for sample data. */
export function media(path: string): string {
  return `https://media.example.com/${path}`;
}

/** Returns one picture in several sizes, smallest first. Only the URL of the largest size has an expiry time. */
export function pictures(
  name: string,
  assetType: 'image' | 'thumbnail' | 'avatar',
  sizes: readonly [variant: string, width: number, height: number][],
): MediaVariant[] {
  return sizes.map(([variant, width, height], position) => ({
    url: media(`${name}-${variant}.jpg?signature=invented`),
    width,
    height,
    asset_type: assetType,
    variant,
    expires_at: position === sizes.length - 1 ? '2026-03-08T06:12:00.000Z' : null,
  }));
}

export const sampleAvatar = media('avatars/tidemark.sample.jpg');
export const sampleAvatars = pictures('avatars/tidemark.sample', 'avatar', [
  ['small', 150, 150],
  ['large', 640, 640],
]);
