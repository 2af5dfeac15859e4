import { SourceError } from '../../errors.ts';
import { dig, toFreeText, toList, toText } from '../../parse/values.ts';
import type { Playlist } from '../../records/shared.ts';

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
  return { title: toText(dig(value, 'title')), description: toFreeText(dig(value, 'description')) };
}

/** Language code to title and description; null when the source gave no such object. */
export function localizationsOf(value: unknown): Record<string, Localized> | null {
  if (typeof value !== 'object' || value === null) return null;
  const entries = Object.entries(value).map(([language, entry]) => [language, localizedOf(entry)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, Localized] => entry[1] !== null));
}

/** Members of a resource that say which one it is, and nothing of it. */
const identity: ReadonlySet<string> = new Set(['kind', 'etag', 'id']);
/** The parts that we ask for besides the snippet. */
const otherParts: ReadonlySet<string> = new Set([
  'statistics',
  'contentDetails',
  'brandingSettings',
  'topicDetails',
  'status',
  'localizations',
  'recordingDetails',
  'player',
  'liveStreamingDetails',
  'paidProductPlacementDetails',
]);

/** Throws SOURCE_RESPONSE_CHANGED for a resource that has an id and not what it is asked for. */
export function refuseHollow(item: unknown): void {
  if (!isHollow(item)) return;
  throw new SourceError('SOURCE_RESPONSE_CHANGED', { reason: 'the resource has no title' });
}

/** Tells whether a resource lacks its id or its title; one that came as other parts alone, without a snippet, is not hollow. */
export function isHollow(item: unknown): boolean {
  if (toText(dig(item, 'id')) === null) return true;
  if (dig(item, 'snippet') !== undefined) return toText(dig(item, 'snippet', 'title')) === null;
  const parts =
    typeof item === 'object' && item !== null ? Object.keys(item).filter((name) => !identity.has(name)) : [];
  return parts.length === 0 || parts.some((name) => !otherParts.has(name));
}
