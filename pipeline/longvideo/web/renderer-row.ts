import { dig, epochToIso, toList, toText } from '../../parse/values.ts';
import { shownAmount } from '../amounts.ts';
import { bylineOwner } from './owner.ts';
import { blankRow, clockSeconds, type Shown, type ShownRow, shownViewers } from './row.ts';
import { nodeFreeText, nodeText, titleText } from './text.ts';

/** Reads a video, channel or playlist in a previous layout of YouTube's lists. Undefined for any other entry. */
export function rendererRow(content: unknown): Shown | undefined {
  const video = dig(content, 'videoRenderer') ?? dig(content, 'gridVideoRenderer');
  if (video !== undefined) return videoRow(video);
  const channel = dig(content, 'channelRenderer');
  if (channel !== undefined) return channelRow(channel);
  const playlist = dig(content, 'playlistRenderer') ?? dig(content, 'gridPlaylistRenderer');
  return playlist === undefined ? undefined : playlistRow(playlist);
}

function videoRow(video: unknown): Shown {
  const snippet = dig(video, 'detailedMetadataSnippets', 0, 'snippetText') ?? dig(video, 'descriptionSnippet');
  const counted = nodeText(dig(video, 'viewCountText'));
  return {
    ...blankRow,
    kind: 'video',
    id: toText(dig(video, 'videoId')),
    title: titleText(dig(video, 'title')),
    views: shownAmount(counted),
    viewers: shownViewers([counted]),
    scheduled_start_time: epochToIso(dig(video, 'upcomingEventData', 'startTime')),
    duration_seconds:
      clockSeconds(nodeText(dig(video, 'lengthText'))) ??
      clockSeconds(timeStatuses(video).map((status) => nodeText(dig(status, 'text')))[0]),
    thumbnails: dig(video, 'thumbnail', 'thumbnails'),
    description: nodeFreeText(snippet),
    ...bylineOwner(dig(video, 'ownerText') ?? dig(video, 'longBylineText')),
    live_status: liveStatus(video),
  };
}

function timeStatuses(video: unknown): unknown[] {
  const overlays = toList(dig(video, 'thumbnailOverlays')) ?? [];
  return overlays
    .map((overlay) => dig(overlay, 'thumbnailOverlayTimeStatusRenderer'))
    .filter((status) => status !== undefined);
}

function liveStatus(video: unknown): ShownRow['live_status'] {
  const badges = toList(dig(video, 'badges')) ?? [];
  const hasStyle = (style: string) => timeStatuses(video).some((status) => dig(status, 'style') === style);
  const badged = badges.some((badge) => dig(badge, 'metadataBadgeRenderer', 'style') === 'BADGE_STYLE_TYPE_LIVE_NOW');
  if (badged || hasStyle('LIVE')) return 'live';
  return dig(video, 'upcomingEventData') === undefined && !hasStyle('UPCOMING') ? 'none' : 'upcoming';
}

/**
 * Reads a channel in a list of YouTube's website. Ignores the field for subscribers, because it now contains the
 * handle.
 */
function channelRow(channel: unknown): Shown {
  const id = toText(dig(channel, 'channelId'));
  const title = titleText(dig(channel, 'title'));
  return {
    ...blankRow,
    kind: 'channel',
    id,
    title,
    thumbnails: dig(channel, 'thumbnail', 'thumbnails'),
    description: nodeFreeText(dig(channel, 'descriptionSnippet')),
    author: title ?? null,
    author_id: id,
    live_status: null,
  };
}

function playlistRow(playlist: unknown): Shown {
  const count = dig(playlist, 'videoCount') ?? nodeText(dig(playlist, 'videoCountText'));
  return {
    ...blankRow,
    kind: 'playlist',
    id: toText(dig(playlist, 'playlistId')),
    title: titleText(dig(playlist, 'title')),
    item_count: shownAmount(count).count,
    thumbnails: dig(playlist, 'thumbnails', 0, 'thumbnails') ?? dig(playlist, 'thumbnail', 'thumbnails'),
    ...bylineOwner(dig(playlist, 'longBylineText') ?? dig(playlist, 'shortBylineText')),
    live_status: null,
  };
}
