import type { SourceAnswer, SourceContext } from '../../collect/collect.ts';
import type { Quality } from '../../collect/quality.ts';
import { notARow } from '../../collect/source-rows.ts';
import { responseChanged } from '../../errors.ts';
import { blank, dig, toList, toText } from '../../parse/values.ts';
import { type LongvideoItem, longvideoItem } from '../../records/longvideo.ts';
import { type Playlist, playlist } from '../../records/shared.ts';
import { largestUrl, webImages } from '../media.ts';
import { pageRows } from '../pages.ts';
import type { LongvideoChannelListParams } from '../params.ts';
import { onlyTabId, shownChannel } from './channel.ts';
import { appended, webPage } from './entries.ts';
import type { Web } from './innertube.ts';
import { shownRow } from './lockup.ts';
import type { ShownRow } from './row.ts';
import { noBroadcast } from './watch-video.ts';

/**
 * Maps each tab of a channel page to the parameters with which YouTube's website requests the tab, and to the end of
 * the tab's URL path.
 */
const tabs = {
  videos: { params: 'EgZ2aWRlb3PyBgQKAjoA', path: '/videos' },
  playlists: { params: 'EglwbGF5bGlzdHPyBgQKAkIA', path: '/playlists' },
} as const;

/**
 * Video fields that the list on a YouTube channel page shows. `published_at` is missing, because the list shows only a
 * relative time, which cannot be converted to a date.
 */
export const shownInRows: readonly (keyof LongvideoItem)[] = [
  'id',
  'title',
  'author',
  'channel_id',
  'channel_url',
  'views',
  'counts_rounded',
  'duration_seconds',
  'thumbnails',
  'media_url',
  'permalink',
  'live_status',
  'is_live',
];

/** Fetches one page of a channel's videos from YouTube's website, newest first. */
export async function webChannelVideos(
  web: Web,
  params: LongvideoChannelListParams,
  context: SourceContext,
): Promise<SourceAnswer<LongvideoItem[]>> {
  const { rows, next, gaps, author } = await tabRows(web, 'videos', params, context);
  const items = rows.map((row) => itemOf(row, params.channel_id, author));
  const quality: Quality = {};
  for (const [index, { views, viewers }] of rows.entries()) {
    if (views.rounded) quality[`${index}.views`] = 'rounded';
    if (viewers.rounded) quality[`${index}.live.concurrent_viewers`] = 'rounded';
  }
  return { record: items, next, quality, ...gaps };
}

/** Fetches one page of a channel's playlists from YouTube's website. */
export async function webChannelPlaylists(
  web: Web,
  params: LongvideoChannelListParams,
  context: SourceContext,
): Promise<SourceAnswer<Playlist[]>> {
  const { rows, next, gaps, author } = await tabRows(web, 'playlists', params, context);
  const record = rows.map((row) => ({
    ...blank(playlist),
    id: row.id,
    title: row.title,
    author,
    account_id: params.channel_id,
    item_count: row.item_count,
    thumbnails: webImages([row.thumbnails], 'thumbnail'),
    permalink: `https://www.youtube.com/playlist?list=${row.id}`,
  }));
  return { record, next, ...gaps };
}

async function tabRows(web: Web, tab: keyof typeof tabs, params: LongvideoChannelListParams, context: SourceContext) {
  const { channel_id, limit, cursor } = params;
  const kind = tab === 'videos' ? 'video' : 'playlist';
  const listed = new Set<string>();
  const row = (entry: unknown) => {
    const shown = shownRow(entry);
    if (shown === undefined || shown === notARow) return shown;
    if (shown.kind !== kind) return undefined;
    // Skips playlists that were already listed and playlists of other channels, which the owner has saved: shelves
    // contain both.
    const isOther = kind === 'playlist' && shown.author_id !== null && shown.author_id !== channel_id;
    if (isOther || listed.has(shown.id)) return notARow;
    listed.add(shown.id);
    return shown;
  };
  let author: string | null = null;
  const page = await pageRows(cursor, limit, async (token) => {
    const first = { browseId: channel_id, params: tabs[tab].params };
    const answer = await web('/browse', token === null ? first : { continuation: token }, context);
    if (token === null) {
      author = shownChannel(answer, channel_id).title;
      return webPage(tabEntries(answer, tabs[tab].path), row);
    }
    author = toText(dig(answer, 'metadata', 'channelMetadataRenderer', 'title')) ?? toText(cursor?.at.author);
    return webPage(appended(answer, 'onResponseReceivedActions'), row);
  });
  // Later pages do not name the channel, so the cursor keeps its name.
  const next = page.next && page.next.token !== null && author !== null ? { ...page.next, author } : page.next;
  return { ...page, next, author };
}

/**
 * Returns the list entries in the requested tab of a YouTube channel page; an empty list when the channel does not have
 * that tab.
 */
function tabEntries(page: unknown, path: string): unknown[] {
  const listed = toList(dig(page, 'contents', 'twoColumnBrowseResultsRenderer', 'tabs')) ?? [];
  const shown = listed.map((tab) => dig(tab, 'tabRenderer')).filter((tab) => pathOf(tab) !== null);
  if (shown.length === 0 && listed.some((tab) => onlyTabId(tab) !== null)) return [];
  if (shown.length === 0) throw responseChanged('the page shows no tabs');
  const requested = shown.find((tab) => pathOf(tab)?.endsWith(path));
  if (requested === undefined) return [];
  const content = dig(requested, 'content');
  const grid = toList(dig(content, 'richGridRenderer', 'contents'));
  if (grid !== null) return grid;
  const sections = toList(dig(content, 'sectionListRenderer', 'contents'));
  const parts = sections?.flatMap((section) => toList(dig(section, 'itemSectionRenderer', 'contents')) ?? [section]);
  if (parts === undefined || parts.length === 0) throw responseChanged('the tab shows no list');
  return parts.flatMap(partEntries);
}

/**
 * Returns the entries in one part of a tab of a channel page: a grid, or a shelf when the channel has sorted its
 * playlists. Any other part, such as the message of an empty tab, is returned as the only entry.
 */
function partEntries(part: unknown): unknown[] {
  const content = dig(part, 'shelfRenderer', 'content') ?? part;
  const names = ['gridRenderer', 'horizontalListRenderer', 'expandedShelfContentsRenderer'];
  const items = names.map((name) => toList(dig(content, name, 'items'))).find((list) => list !== null);
  // A shelf with unknown content must not count as a shelf with other content.
  return items ?? [content];
}

function pathOf(tab: unknown): string | null {
  const url = toText(dig(tab, 'endpoint', 'commandMetadata', 'webCommandMetadata', 'url'));
  return toText(url?.split('?')[0]);
}

function itemOf(row: ShownRow, channelId: string, author: string | null): LongvideoItem {
  const thumbnails = webImages([row.thumbnails], 'thumbnail');
  return {
    ...blank(longvideoItem),
    id: row.id,
    title: row.title,
    author,
    channel_id: channelId,
    channel_url: `https://www.youtube.com/channel/${channelId}`,
    views: row.views.count,
    counts_rounded: { views: row.views.rounded, likes: null, comments: null },
    duration_seconds: row.duration_seconds,
    thumbnails,
    media_url: largestUrl(thumbnails),
    permalink: `https://www.youtube.com/watch?v=${row.id}`,
    live_status: row.live_status,
    is_live: row.live_status === null ? null : row.live_status === 'live',
    live: broadcastOf(row),
  };
}

/** Returns the broadcast fields that a list row shows for a live or upcoming broadcast; null for any other video. */
function broadcastOf({ live_status, viewers, scheduled_start_time }: ShownRow): LongvideoItem['live'] {
  if (live_status !== 'live' && live_status !== 'upcoming') return null;
  return {
    ...noBroadcast,
    is_live_now: live_status === 'live',
    scheduled_start_time,
    concurrent_viewers: viewers.count,
  };
}
