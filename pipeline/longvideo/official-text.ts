import { dig, toList, toText } from '../parse.ts';
import type { Playlist } from '../records/shared.ts';

type Localized = NonNullable<Playlist['localized']>;

/** A list of strings; null when the source gave no list. */
export function texts(value: unknown): string[] | null {
  return (
    toList(value)
      ?.map(toText)
      .filter((text) => text !== null) ?? null
  );
}

/** Title and description in the language that was asked for; null when the source gave no such object. */
export function localizedOf(value: unknown): Localized | null {
  if (typeof value !== 'object' || value === null) return null;
  return { title: toText(dig(value, 'title')), description: toText(dig(value, 'description')) };
}

/** Language code to title and description; null when the source gave no such object. */
export function localizationsOf(value: unknown): Record<string, Localized> | null {
  if (typeof value !== 'object' || value === null) return null;
  const entries = Object.entries(value).map(([language, entry]) => [language, localizedOf(entry)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, Localized] => entry[1] !== null));
}
