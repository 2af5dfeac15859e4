import type { SourceAnswer, SourceContext } from '../../collect/collect.ts';
import { SourceError } from '../../errors.ts';
import { blank, dig, timeToIso, toCount, toFreeText, toText } from '../../parse/values.ts';
import { type PlaylistEntry, playlistEntry } from '../../records/longvideo.ts';
import { type Playlist, playlist } from '../../records/shared.ts';
import { officialImages } from '../media.ts';
import { officialPage, pageParams, pageRows } from '../pages.ts';
import type { LongvideoChannelListParams, LongvideoPlaylistItemsParams } from '../params.ts';
import { type DataApi, dataApiAnswer, dataApiItems } from './client.ts';
import { isHollow, localizationsOf, localizedOf, refuseHollow } from './text.ts';

const playlistParts = ['snippet', 'contentDetails', 'status', 'player', 'localizations'];
const entryParts = ['snippet', 'contentDetails', 'status'];

/** The value that the YouTube Data API sends when it does not know the privacy status of a video. */
const unspecified = 'privacyStatusUnspecified';

/** Fetches a playlist from the YouTube Data API. Throws RESOURCE_NOT_FOUND when the playlist does not exist. */
export async function officialPlaylist(api: DataApi, id: string, context: SourceContext): Promise<Playlist> {
  const [item] = await dataApiItems(
    api,
    {
      method: 'playlists.list',
      params: { part: playlistParts, id: [id], hl: 'en' },
      customer_parameters: ['id'],
    },
    context,
  );
  if (item === undefined) throw new SourceError('RESOURCE_NOT_FOUND');
  refuseHollow(item);
  return playlistOf(item);
}

/** Fetches one page of a channel's playlists from the YouTube Data API. */
export async function officialChannelPlaylists(
  api: DataApi,
  { channel_id, limit, cursor }: LongvideoChannelListParams,
  context: SourceContext,
): Promise<SourceAnswer<Playlist[]>> {
  const { rows, next, gaps } = await pageRows(cursor, limit, async (token) => {
    const page = { channelId: channel_id, ...pageParams(limit, token) };
    return officialPage(
      await dataApiAnswer(
        api,
        {
          method: 'playlists.list',
          params: { part: playlistParts, hl: 'en', ...page },
          customer_parameters: ['channelId'],
        },
        context,
      ),
      (item) => (isHollow(item) ? undefined : playlistOf(item)),
      ({ title }) => title !== null,
    );
  });
  return { record: rows, next, ...gaps };
}

/**
 * Fetches one page of a playlist's entries from the YouTube Data API. The page includes private and deleted entries, so
 * that positions are correct. `hasContent` is passed to {@link officialPage}. A caller that needs only the IDs passes a
 * function that always returns true.
 */
export async function officialEntries(
  api: DataApi,
  { playlist_id, limit, cursor }: LongvideoPlaylistItemsParams,
  context: SourceContext,
  hasContent: (entry: PlaylistEntry) => boolean = ({ title }) => title !== null,
): Promise<SourceAnswer<PlaylistEntry[]>> {
  const { rows, next, gaps } = await pageRows(cursor, limit, async (token) => {
    const page = { playlistId: playlist_id, ...pageParams(limit, token) };
    return officialPage(
      await dataApiAnswer(
        api,
        {
          method: 'playlistItems.list',
          params: { part: entryParts, ...page },
          customer_parameters: ['playlistId'],
        },
        context,
      ),
      (item) => entryOf(item, playlist_id),
      hasContent,
    );
  });
  return { record: rows, next, ...gaps };
}

function playlistOf(item: unknown): Playlist {
  const snippet = dig(item, 'snippet');
  const id = toText(dig(item, 'id'));
  return {
    ...blank(playlist),
    id,
    title: toText(dig(snippet, 'title')),
    description: toFreeText(dig(snippet, 'description')),
    author: toText(dig(snippet, 'channelTitle')),
    account_id: toText(dig(snippet, 'channelId')),
    item_count: toCount(dig(item, 'contentDetails', 'itemCount')),
    published_at: timeToIso(dig(snippet, 'publishedAt')),
    thumbnails: officialImages(dig(snippet, 'thumbnails'), 'thumbnail'),
    language: toText(dig(snippet, 'defaultLanguage')),
    localized: localizedOf(dig(snippet, 'localized')),
    localizations: localizationsOf(dig(item, 'localizations')),
    privacy_status: toText(dig(item, 'status', 'privacyStatus')),
    embed_html: toText(dig(item, 'player', 'embedHtml')),
    permalink: id && `https://www.youtube.com/playlist?list=${id}`,
  };
}

/**
 * Converts a playlist entry of the YouTube Data API to a record. Returns undefined when the video ID is missing, or
 * when the snippet has no title.
 */
function entryOf(item: unknown, requested: string): PlaylistEntry | undefined {
  const snippet = dig(item, 'snippet');
  const playlistId = toText(dig(snippet, 'playlistId')) ?? requested;
  const contentId = toText(dig(item, 'contentDetails', 'videoId')) ?? toText(dig(snippet, 'resourceId', 'videoId'));
  const title = toText(dig(snippet, 'title'));
  if (contentId === null || (snippet !== undefined && title === null)) return undefined;
  const privacyStatus = toText(dig(item, 'status', 'privacyStatus'));
  return {
    ...blank(playlistEntry),
    id: toText(dig(item, 'id')),
    playlist_id: playlistId,
    content_id: contentId,
    resource_kind: toText(dig(snippet, 'resourceId', 'kind')),
    position: toCount(dig(snippet, 'position')),
    title,
    description: toFreeText(dig(snippet, 'description')),
    author: toText(dig(snippet, 'videoOwnerChannelTitle')),
    author_id: toText(dig(snippet, 'videoOwnerChannelId')),
    playlist_owner_id: toText(dig(snippet, 'channelId')),
    playlist_owner_name: toText(dig(snippet, 'channelTitle')),
    added_at: timeToIso(dig(snippet, 'publishedAt')),
    published_at: timeToIso(dig(item, 'contentDetails', 'videoPublishedAt')),
    thumbnails: officialImages(dig(snippet, 'thumbnails'), 'thumbnail'),
    privacy_status: privacyStatus === unspecified ? null : privacyStatus,
    permalink: `https://www.youtube.com/watch?v=${contentId}&list=${playlistId}`,
  };
}
