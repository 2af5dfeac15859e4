import { z } from 'zod';
import type { Collector } from '../collect/collect.ts';
import {
  type LongvideoChannel,
  type LongvideoItem,
  longvideoChannelRecord,
  longvideoItem,
  type PlaylistEntry,
  playlistEntry,
  type SearchResult,
  searchResult,
  type Transcript,
  transcript,
} from '../records/longvideo.ts';
import { type Comment, comment, type Playlist, playlist } from '../records/shared.ts';
import { officialChannelSource, webChannelSource } from './channel.ts';
import { channelPlaylistsSources, channelVideosSources } from './channel-lists.ts';
import { commentRepliesSources, commentsSources } from './comments.ts';
import * as params from './params.ts';
import { playlistItemsSources, playlistSources } from './playlist.ts';
import { searchSources } from './search.ts';
import { transcriptSources } from './transcript.ts';
import { keylessVideo, mergedVideo } from './video.ts';

// The collectors of YouTube data, each of which fetches one kind of record or list. All requests of one service share
// one quota counter, because the quota belongs to the operator's Google project (see surfacesOfService).

export const longvideoVideo: Collector<params.LongvideoVideoParams, LongvideoItem> = {
  name: 'longvideoVideo',
  params: params.longvideoVideoParams,
  record: longvideoItem,
  sources: [mergedVideo, keylessVideo],
};

export const longvideoChannel: Collector<params.LongvideoChannelParams, LongvideoChannel> = {
  name: 'longvideoChannel',
  params: params.longvideoChannelParams,
  record: longvideoChannelRecord,
  sources: [officialChannelSource, webChannelSource],
};

export const longvideoChannelVideos: Collector<params.LongvideoChannelListParams, LongvideoItem[]> = {
  name: 'longvideoChannelVideos',
  params: params.longvideoChannelListParams,
  record: z.array(longvideoItem),
  sources: channelVideosSources,
};

export const longvideoChannelPlaylists: Collector<params.LongvideoChannelListParams, Playlist[]> = {
  name: 'longvideoChannelPlaylists',
  params: params.longvideoChannelListParams,
  record: z.array(playlist),
  sources: channelPlaylistsSources,
};

export const longvideoPlaylist: Collector<params.LongvideoPlaylistParams, Playlist> = {
  name: 'longvideoPlaylist',
  params: params.longvideoPlaylistParams,
  record: playlist,
  sources: playlistSources,
};

export const longvideoPlaylistItems: Collector<params.LongvideoPlaylistItemsParams, PlaylistEntry[]> = {
  name: 'longvideoPlaylistItems',
  params: params.longvideoPlaylistItemsParams,
  record: z.array(playlistEntry),
  sources: playlistItemsSources,
};

export const longvideoTranscript: Collector<params.LongvideoTranscriptParams, Transcript> = {
  name: 'longvideoTranscript',
  params: params.longvideoTranscriptParams,
  record: transcript,
  sources: transcriptSources,
};

export const longvideoComments: Collector<params.LongvideoCommentsParams, Comment[]> = {
  name: 'longvideoComments',
  params: params.longvideoCommentsParams,
  record: z.array(comment),
  sources: commentsSources,
};

export const longvideoCommentReplies: Collector<params.LongvideoCommentRepliesParams, Comment[]> = {
  name: 'longvideoCommentReplies',
  params: params.longvideoCommentRepliesParams,
  record: z.array(comment),
  sources: commentRepliesSources,
};

export const longvideoSearch: Collector<params.LongvideoSearchParams, SearchResult[]> = {
  name: 'longvideoSearch',
  params: params.longvideoSearchParams,
  record: z.array(searchResult),
  sources: searchSources,
};
