import { responseChanged } from '../../errors.ts';
import { dig, toFreeText, toText } from '../../parse/values.ts';
import type { Playlist } from '../../records/shared.ts';

type Localized = NonNullable<Playlist['localized']>;

/**
 * Returns the title and description of a YouTube resource in the requested language; null when the value is not an
 * object.
 */
export function localizedOf(value: unknown): Localized | null {
  if (typeof value !== 'object' || value === null) return null;
  return { title: toText(dig(value, 'title')), description: toFreeText(dig(value, 'description')) };
}

/** Returns the titles and descriptions of a YouTube resource by language code; null when the value is not an object. */
export function localizationsOf(value: unknown): Record<string, Localized> | null {
  if (typeof value !== 'object' || value === null) return null;
  const entries = Object.entries(value).map(([language, entry]) => [language, localizedOf(entry)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, Localized] => entry[1] !== null));
}

/**
 * Fields that only identify a resource of the YouTube Data API (video, channel, playlist). A resource with no other
 * fields has no content.
 */
const identity: ReadonlySet<string> = new Set(['kind', 'etag', 'id']);
/** Parts of a YouTube Data API resource that we request in addition to the part `snippet`, which has the title. */
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

/** Throws SOURCE_RESPONSE_CHANGED for a YouTube resource without an ID or a title (see {@link isHollow}). */
export function refuseHollow(item: unknown): void {
  if (!isHollow(item)) return;
  throw responseChanged('the resource has no title');
}

/**
 * Returns true when a resource of the YouTube Data API has no ID or no title. The title is in the part `snippet`. If
 * `snippet` is missing, returns false when the resource has at least one other part and only parts in
 * {@link otherParts}.
 */
export function isHollow(item: unknown): boolean {
  if (toText(dig(item, 'id')) === null) return true;
  if (dig(item, 'snippet') !== undefined) return toText(dig(item, 'snippet', 'title')) === null;
  const parts =
    typeof item === 'object' && item !== null ? Object.keys(item).filter((name) => !identity.has(name)) : [];
  return parts.length === 0 || parts.some((name) => !otherParts.has(name));
}
