import type { LongvideoChannel, PlaylistEntry, SearchResult } from '../../../pipeline/records/longvideo.ts';
import type { Comment, Playlist } from '../../../pipeline/records/shared.ts';
import { type CommentContext, commentRow } from './comments.ts';
import {
  bio,
  caption,
  countOf,
  cycle,
  daysEarlier,
  displayName,
  handle,
  pad,
  sampleAvatar,
  sampleAvatars,
  sampleRows,
  website,
} from './invented.ts';
import { sampleChannelId, sampleSite, thumbnails, videoId } from './longvideo-video.ts';

/**
 * A channel whose source rounds subscribers to three significant figures. The sample's quality therefore marks this
 * number as rounded.
 */
export const longvideoChannelSample: LongvideoChannel = {
  id: sampleChannelId,
  username: handle,
  display_name: displayName,
  bio,
  profile_url: `${sampleSite}/@${handle}`,
  followers: 152_000,
  following: null,
  posts: 318,
  verified: true,
  private: false,
  avatar_url: sampleAvatar,
  avatar_variants: sampleAvatars,
  external_url: website,
  created_at_platform: '2019-05-04T09:30:00.000Z',
  country_code: 'DE',
  default_language: 'en',
  localized: { title: displayName, description: bio },
  localizations: { ja: { title: '見本の港 🌊', description: '架空のチャンネルです。' } },
  total_views: 9_007_199_254,
  hidden_subscriber_count: false,
  subscriber_count_is_rounded: true,
  follower_count_is_rounded: true,
  uploads_playlist_id: `UU${sampleChannelId.slice(2)}`,
  topic_ids: ['/m/0invent1'],
  topic_categories: ['https://www.example.org/topics/Tourism'],
  keywords: 'tide harbour "low water" 潮汐',
  unsubscribed_trailer: videoId(0),
};

function playlistId(index: number): string {
  return `PLtidemarkSamplePlaylist${pad(index, 10)}`;
}

function playlist(index: number): Playlist {
  const id = playlistId(index);
  const title = `Tides of ${2026 - index} 🌊`;
  const bare = index === 2;
  return {
    id,
    title,
    description: bare ? null : caption(index).text,
    author: displayName,
    account_id: sampleChannelId,
    item_count: 24 + index,
    published_at: bare ? null : daysEarlier(index * 365),
    updated_at: bare ? null : daysEarlier(index),
    thumbnails: thumbnails(`playlist-${pad(index)}`),
    language: bare ? null : 'en',
    localized: bare ? null : { title, description: caption(index).text },
    localizations: bare ? null : { de: { title: `Gezeiten ${2026 - index}`, description: 'Ein Jahr am Hafen.' } },
    privacy_status: 'public',
    embed_html: `<iframe src="${sampleSite}/embed/videoseries?list=${id}"></iframe>`,
    permalink: `${sampleSite}/playlist?list=${id}`,
  };
}

export const longvideoPlaylistsSample: Playlist[] = sampleRows(playlist);
export const longvideoPlaylistSample: Playlist = playlist(0);

/** Returns an entry of a playlist. Rows 0 and 1 have the same video, but different entry ids. */
function playlistEntry(position: number): PlaylistEntry {
  const contentId = videoId(position === 1 ? 0 : position);
  return {
    id: Buffer.from(`${playlistId(0)}.${pad(position, 16)}`).toString('base64url'),
    playlist_id: playlistId(0),
    content_id: contentId,
    resource_kind: 'youtube#video',
    position,
    title: caption(position === 1 ? 0 : position).text,
    description: `Part ${position + 1} of the year.`,
    author: displayName,
    author_id: sampleChannelId,
    playlist_owner_id: sampleChannelId,
    playlist_owner_name: displayName,
    added_at: daysEarlier(position),
    published_at: daysEarlier(position * 7),
    thumbnails: thumbnails(contentId),
    privacy_status: 'public',
    permalink: `${sampleSite}/watch?v=${contentId}&list=${playlistId(0)}`,
    ...(position === 2 ? removedVideo : {}),
  };
}

/** Fields of a playlist entry whose video was removed. The entry keeps its position in the playlist. */
const removedVideo = {
  title: 'Private video',
  description: null,
  author: null,
  author_id: null,
  published_at: null,
  thumbnails: [],
  privacy_status: 'private',
};

export const longvideoPlaylistEntriesSample: PlaylistEntry[] = sampleRows(playlistEntry);

const context: CommentContext = {
  site: 'longvideo',
  content_id: videoId(0),
  idOf: (row) => `UgtidemarkSample${pad(row, 4)}AaABAg`,
  authorIdOf: (row) => `UCtidemarkSampleReader${pad(row)}`,
  parent_comment_id: null,
  pictures: true,
  edits: true,
};

export const longvideoCommentsSample: Comment[] = sampleRows((index) => commentRow(context, index));
export const longvideoRepliesSample: Comment[] = sampleRows((index) =>
  commentRow(
    {
      ...context,
      idOf: (row) => `${context.idOf(0)}.tidemarkReply${pad(row, 9)}`,
      parent_comment_id: context.idOf(0),
    },
    index,
  ),
);

function searchResult(index: number): SearchResult {
  const resultType = cycle(['video', 'channel', 'playlist', 'video'], index);
  const id = { video: videoId(index), channel: `UCtidemarkSampleResult${pad(index)}`, playlist: playlistId(index) };
  const page = { video: 'watch?v=', channel: 'channel/', playlist: 'playlist?list=' };
  return {
    id: id[resultType],
    result_type: resultType,
    title: caption(index).text,
    description: `… the water goes out, the ${resultType} stays …`,
    channel_id: resultType === 'channel' ? id.channel : sampleChannelId,
    author: displayName,
    published_at: index === 4 ? null : daysEarlier(countOf(30, index)),
    thumbnails: thumbnails(`result-${pad(index)}`),
    live_status: resultType === 'video' ? 'none' : null,
    permalink: `${sampleSite}/${page[resultType]}${id[resultType]}`,
    query: 'tide tables',
    position: index + 1,
    region_code: 'DE',
    language: 'en',
    order: 'relevance',
  };
}

export const longvideoSearchResultsSample: SearchResult[] = sampleRows(searchResult);
