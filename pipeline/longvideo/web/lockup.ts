import { dig, toList, toText } from '../../parse/values.ts';
import { firstAmount } from '../amounts.ts';
import { notARow } from '../pages.ts';
import { picturesOwner, textOwner } from './owner.ts';
import { rendererRow } from './renderer-row.ts';
import { blankRow, clockSeconds, itemsNoun, type Shown, type ShownRow, shownViewers } from './row.ts';
import { titleText } from './text.ts';

/**
 * Reads an entry of a list on YouTube's website, in the current layout or in a previous one. Returns undefined when its
 * format is unknown or when it has no ID or no title. A mix, which YouTube creates for each visitor, is no row.
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
 * Reads whether a video is a live broadcast or a premiere. An upcoming one has the badge `Upcoming` in the style of a
 * duration. Null for any other text, such as a translation of it.
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
 * Returns true for a text with the word "views" that is not the linked name of a channel. The word can be only in its
 * form for screen readers.
 */
function isViews(part: unknown): boolean {
  if (textOwner(dig(part, 'text')) !== undefined) return false;
  return [dig(part, 'text', 'content'), dig(part, 'accessibilityLabel')].some((text) =>
    /\bviews?\b/.test(toText(text) ?? ''),
  );
}
