import { dig, toFreeText, toList, toText } from '../../parse/values.ts';
import type { Playlist } from '../../records/shared.ts';
import { firstAmount } from '../amounts.ts';
import { webImages } from '../media.ts';
import { bylineOwner, textOwner } from './owner.ts';
import { itemsNoun } from './row.ts';
import { nodeFreeText, nodeText, shownDate } from './text.ts';

export interface PlaylistOwner {
  author: string | null;
  account_id: string | null;
}

type PlaylistDetails = PlaylistOwner &
  Pick<Playlist, 'title' | 'description' | 'item_count' | 'updated_at' | 'thumbnails' | 'privacy_status'>;

/**
 * Reads the details of a playlist from its page on YouTube's website: from the column beside the entries, the page
 * header, or both. Undefined when the page has neither.
 */
export function playlistDetails(page: unknown): PlaylistDetails | undefined {
  const { column, header, view } = partsOf(page);
  if (column === undefined && header === undefined && view === undefined) return undefined;
  const micro = dig(page, 'microformat', 'microformatDataRenderer');
  const metadata = dig(page, 'metadata', 'playlistMetadataRenderer');
  const stats = (toList(dig(column, 'stats')) ?? headerStats(header)).map(nodeText);
  const counts = [...stats, nodeText(dig(header, 'numVideosText')), ...viewTexts(view)];
  return {
    ...playlistOwner(page),
    title:
      toText(dig(micro, 'title')) ??
      nodeText(dig(column, 'title')) ??
      nodeText(dig(header, 'title')) ??
      toText(dig(metadata, 'title')) ??
      toText(dig(view, 'title', 'dynamicTextViewModel', 'text', 'content')),
    description:
      nodeFreeText(dig(column, 'description')) ??
      nodeFreeText(dig(header, 'descriptionText')) ??
      toFreeText(dig(metadata, 'description')) ??
      nodeFreeText(dig(view, 'description', 'descriptionPreviewViewModel', 'description')),
    item_count: firstAmount(counts.filter((text) => text !== null && itemsNoun.test(text))).count,
    updated_at: stats.map((stat) => shownDate(stat)).find((date) => date !== null) ?? null,
    thumbnails: thumbnailsOf(dig(column, 'thumbnailRenderer')) ?? thumbnailsOf(dig(header, 'playlistHeaderBanner')),
    privacy_status: privacyOf(micro, header),
  };
}

/** Returns the owner of a playlist as its page on YouTube's website shows it. */
export function playlistOwner(page: unknown): PlaylistOwner {
  const { owner, header, view } = partsOf(page);
  const { author, author_id } = shownOwner(owner) ??
    shownOwner(dig(header, 'ownerText')) ??
    viewOwner(view) ?? { author: null, author_id: null };
  return { author: author?.replace(/^by /, '') ?? null, account_id: author_id };
}

/** Returns the texts with the number of videos and the date of the last update in a playlist header of YouTube. */
function headerStats(header: unknown): unknown[] {
  const byline = toList(dig(header, 'byline')) ?? [];
  return toList(dig(header, 'stats')) ?? byline.map((line) => dig(line, 'playlistBylineRenderer', 'text'));
}

function partsOf(page: unknown) {
  const items = toList(dig(page, 'sidebar', 'playlistSidebarRenderer', 'items')) ?? [];
  const partOf = (name: string) => items.map((item) => dig(item, name)).find((part) => part !== undefined);
  return {
    column: partOf('playlistSidebarPrimaryInfoRenderer'),
    owner: dig(partOf('playlistSidebarSecondaryInfoRenderer'), 'videoOwner', 'videoOwnerRenderer', 'title'),
    header: dig(page, 'header', 'playlistHeaderRenderer'),
    view: dig(page, 'header', 'pageHeaderRenderer', 'content', 'pageHeaderViewModel'),
  };
}

function shownOwner(byline: unknown) {
  return nodeText(byline) === null ? undefined : bylineOwner(byline);
}

/** Returns the parts of all metadata rows (small texts) in the header of a YouTube page. */
function viewParts(view: unknown): unknown[] {
  const rows = toList(dig(view, 'metadata', 'contentMetadataViewModel', 'metadataRows')) ?? [];
  return rows.flatMap((row) => toList(dig(row, 'metadataParts')) ?? []);
}

function viewTexts(view: unknown): (string | null)[] {
  return viewParts(view).map((part) => nodeText(dig(part, 'text')));
}

function viewOwner(view: unknown) {
  const texts = viewParts(view).map((part) => dig(part, 'avatarStack', 'avatarStackViewModel', 'text'));
  return texts.map(textOwner).find((owner) => owner !== undefined);
}

/** Returns whether a playlist is public, unlisted or private; null when its page does not say so. */
function privacyOf(micro: unknown, header: unknown): string | null {
  if (dig(micro, 'unlisted') === true) return 'unlisted';
  const shown = toText(dig(header, 'privacy'))?.toLowerCase();
  return ['public', 'unlisted', 'private'].find((status) => status === shown) ?? null;
}

/**
 * Reads the thumbnails of a YouTube playlist. Thumbnails that YouTube made and those that the owner uploaded have
 * different JSON keys.
 */
function thumbnailsOf(renderer: unknown): Playlist['thumbnails'] {
  const [picture] = typeof renderer === 'object' && renderer !== null ? Object.values(renderer) : [];
  return webImages([dig(picture, 'thumbnail', 'thumbnails')], 'thumbnail');
}
