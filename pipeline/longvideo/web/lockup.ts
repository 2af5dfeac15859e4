import { notARow } from '../../collect/source-rows.ts';
import { dig, toList, toText } from '../../parse/values.ts';
import { firstAmount } from '../amounts.ts';
import { picturesOwner, textOwner } from './owner.ts';
import { rendererRow } from './renderer-row.ts';
import { blankRow, clockSeconds, itemsNoun, type Shown, type ShownRow, shownViewers } from './row.ts';
import { titleText } from './text.ts';

/**
 * Reads an entry of a list on YouTube's website, in the current layout or in a previous one. Returns `notARow` for a
 * mix (a list that YouTube generates for each visitor), and undefined for an entry in an unknown format or without an
 * ID or title.
 */
export function shownRow(entry: unknown): ShownRow | typeof notARow | undefined {
  const content = dig(entry, 'richItemRenderer', 'content') ?? entry;
  const lockup = dig(content, 'lockupViewModel');
  const row = lockup === undefined ? rendererRow(content) : lockupRow(lockup);
  if (row === undefined || row.id === null || row.title === undefined) return undefined;
  if (row.kind === 'playlist' && mixId.test(row.id)) return notARow;
  return { ...row, id: row.id, title: row.title };
}

/** Matches the ID of a mix. An ID that begins with RDCLAK is that of a playlist of the editors of YouTube Music. */
const mixId = /^RD(?!CLAK)/;

const lockupKinds: Readonly<Record<string, ShownRow['kind']>> = {
  LOCKUP_CONTENT_TYPE_VIDEO: 'video',
  LOCKUP_CONTENT_TYPE_PLAYLIST: 'playlist',
  LOCKUP_CONTENT_TYPE_PODCAST: 'playlist',
  LOCKUP_CONTENT_TYPE_ALBUM: 'playlist',
};

function lockupRow(lockup: unknown): Shown | undefined {
  const kind = lockupKinds[toText(dig(lockup, 'contentType')) ?? ''];
  if (kind === undefined) return undefined;
  const image = dig(lockup, 'contentImage');
  const metadata = dig(lockup, 'metadata', 'lockupMetadataViewModel');
  const picture =
    dig(image, 'collectionThumbnailViewModel', 'primaryThumbnail', 'thumbnailViewModel') ??
    dig(image, 'thumbnailViewModel');
  const badges = lockupBadges(picture);
  const parts = lockupParts(metadata);
  const texts = badges.map((badge) => toText(dig(badge, 'text')));
  return {
    ...blankRow,
    kind,
    id: toText(dig(lockup, 'contentId')),
    title: titleText(dig(metadata, 'title')),
    views: firstAmount(parts.filter(isViews).map((part) => dig(part, 'text', 'content'))),
    viewers: shownViewers(parts.map((part) => dig(part, 'text', 'content'))),
    duration_seconds: texts.map(clockSeconds).find((seconds) => seconds !== null) ?? null,
    item_count: firstAmount(texts.filter((text) => text !== null && itemsNoun.test(text))).count,
    thumbnails: dig(picture, 'image', 'sources'),
    ...(parts.map((part) => textOwner(dig(part, 'text'))).find((owner) => owner !== undefined) ??
      picturesOwner(dig(metadata, 'image'))),
    live_status: kind === 'video' ? lockupLiveStatus(badges) : null,
  };
}

function lockupBadges(picture: unknown): unknown[] {
  const overlays = toList(dig(picture, 'overlays')) ?? [];
  const lists = overlays.map(
    (overlay) =>
      dig(overlay, 'thumbnailBottomOverlayViewModel', 'badges') ??
      dig(overlay, 'thumbnailOverlayBadgeViewModel', 'thumbnailBadges'),
  );
  return lists.flatMap((list) => toList(list) ?? []).map((badge) => dig(badge, 'thumbnailBadgeViewModel'));
}

/**
 * Returns the live status of a video from the badges on its thumbnail. `Upcoming` is recognized only in English: with
 * any other unknown badge text, the status is null.
 */
function lockupLiveStatus(badges: unknown[]): ShownRow['live_status'] {
  const live = badges.some((badge) => dig(badge, 'badgeStyle') === 'THUMBNAIL_OVERLAY_BADGE_STYLE_LIVE');
  if (live) return 'live';
  const texts = badges.map((badge) => toText(dig(badge, 'text'))).filter((text) => text !== null);
  if (texts.includes('Upcoming')) return 'upcoming';
  return texts.every((text) => text === 'SHORTS' || clockSeconds(text) !== null) ? 'none' : null;
}

function lockupParts(metadata: unknown): unknown[] {
  const rows = toList(dig(metadata, 'metadata', 'contentMetadataViewModel', 'metadataRows')) ?? [];
  return rows.flatMap((row) => toList(dig(row, 'metadataParts')) ?? []);
}

/**
 * Returns true for a text with the word "views", unless the text is the linked name of a channel. The word may be only
 * in the text for screen readers.
 */
function isViews(part: unknown): boolean {
  if (textOwner(dig(part, 'text')) !== undefined) return false;
  return [dig(part, 'text', 'content'), dig(part, 'accessibilityLabel')].some((text) =>
    /\bviews?\b/.test(toText(text) ?? ''),
  );
}
