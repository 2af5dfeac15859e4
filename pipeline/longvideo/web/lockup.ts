import { dig, toList, toText } from '../../parse/values.ts';
import { type Amount, firstAmount, noAmount, shownAmount } from '../amounts.ts';
import { bylineOwner, picturesOwner, textOwner } from './owner.ts';
import { nodeFreeText, nodeText } from './text.ts';

/** A video, playlist or channel in a list of YouTube's website. YouTube has two layouts for such list entries. */
export interface ShownRow {
  kind: 'video' | 'playlist' | 'channel';
  id: string;
  title: string;
  views: Amount;
  duration_seconds: number | null;
  item_count: number | null;
  thumbnails: unknown;
  description: string | null;
  author: string | null;
  author_id: string | null;
  live_status: 'live' | 'upcoming' | 'none' | null;
}

type Shown = Omit<ShownRow, 'id' | 'title'> & { id: string | null; title: string | null };

/**
 * Reads an entry of a list on YouTube's website. Returns undefined when its format is unknown or when it has no ID or
 * no title.
 */
export function shownRow(entry: unknown): ShownRow | undefined {
  const row = anyRow(entry);
  if (row === undefined || row.id === null || row.title === null) return undefined;
  return { ...row, id: row.id, title: row.title };
}

function anyRow(entry: unknown): Shown | undefined {
  const content = dig(entry, 'richItemRenderer', 'content') ?? entry;
  const video = dig(content, 'videoRenderer');
  if (video !== undefined) return videoRow(video);
  const channel = dig(content, 'channelRenderer');
  if (channel !== undefined) return channelRow(channel);
  const lockup = dig(content, 'lockupViewModel');
  return lockup === undefined ? undefined : lockupRow(lockup);
}

const blankRow = { views: noAmount, duration_seconds: null, item_count: null, description: null } as const;

function videoRow(video: unknown): Shown {
  const snippet = dig(video, 'detailedMetadataSnippets', 0, 'snippetText') ?? dig(video, 'descriptionSnippet');
  return {
    ...blankRow,
    kind: 'video',
    id: toText(dig(video, 'videoId')),
    title: nodeText(dig(video, 'title')),
    views: shownAmount(nodeText(dig(video, 'viewCountText'))),
    duration_seconds: clockSeconds(nodeText(dig(video, 'lengthText'))),
    thumbnails: dig(video, 'thumbnail', 'thumbnails'),
    description: nodeFreeText(snippet),
    ...bylineOwner(dig(video, 'ownerText') ?? dig(video, 'longBylineText')),
    live_status: rendererLiveStatus(video),
  };
}

function rendererLiveStatus(video: unknown): ShownRow['live_status'] {
  const badges = toList(dig(video, 'badges')) ?? [];
  const overlays = toList(dig(video, 'thumbnailOverlays')) ?? [];
  const live =
    badges.some((badge) => dig(badge, 'metadataBadgeRenderer', 'style') === 'BADGE_STYLE_TYPE_LIVE_NOW') ||
    overlays.some((overlay) => dig(overlay, 'thumbnailOverlayTimeStatusRenderer', 'style') === 'LIVE');
  if (live) return 'live';
  return dig(video, 'upcomingEventData') === undefined ? 'none' : 'upcoming';
}

/**
 * Reads a channel in a list of YouTube's website. Ignores its subscriber field, because this field now contains the
 * handle.
 */
function channelRow(channel: unknown): Shown {
  const id = toText(dig(channel, 'channelId'));
  const title = nodeText(dig(channel, 'title'));
  return {
    ...blankRow,
    kind: 'channel',
    id,
    title,
    thumbnails: dig(channel, 'thumbnail', 'thumbnails'),
    description: nodeFreeText(dig(channel, 'descriptionSnippet')),
    author: title,
    author_id: id,
    live_status: null,
  };
}

const lockupKinds: Readonly<Record<string, ShownRow['kind']>> = {
  LOCKUP_CONTENT_TYPE_VIDEO: 'video',
  LOCKUP_CONTENT_TYPE_PLAYLIST: 'playlist',
  LOCKUP_CONTENT_TYPE_PODCAST: 'playlist',
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
    title: toText(dig(metadata, 'title', 'content')),
    views: firstAmount(parts.filter(isViews).map((part) => dig(part, 'text', 'content'))),
    duration_seconds: texts.map(clockSeconds).find((seconds) => seconds !== null) ?? null,
    item_count: firstAmount(texts.filter((text) => text !== null && /video|episode|lesson/.test(text))).count,
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
 * duration.
 */
function lockupLiveStatus(badges: unknown[]): ShownRow['live_status'] {
  const live = badges.some((badge) => dig(badge, 'badgeStyle') === 'THUMBNAIL_OVERLAY_BADGE_STYLE_LIVE');
  if (live) return 'live';
  return badges.some((badge) => dig(badge, 'text') === 'Upcoming') ? 'upcoming' : 'none';
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

/** Converts a duration such as `4:05` or `1:04:05` to seconds; null for any other text. */
function clockSeconds(text: string | null): number | null {
  if (text === null || !/^\d{1,3}(?::\d{2}){1,2}$/.test(text)) return null;
  return text.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0);
}
