import { z } from 'zod';
import type { Collector } from '../collect/collect.ts';
import {
  type LongvideoChannel,
  type LongvideoItem,
  longvideoChannel as longvideoChannelRecord,
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

export const longvideoVideo: Collector<params.VideoParams, LongvideoItem> = {
  name: 'longvideoVideo',
  params: params.videoParams,
  record: longvideoItem,
  sources: [mergedVideo, keylessVideo],
};

export const longvideoChannel: Collector<params.ChannelParams, LongvideoChannel> = {
  name: 'longvideoChannel',
  params: params.channelParams,
  record: longvideoChannelRecord,
  sources: [officialChannelSource, webChannelSource],
};

export const longvideoChannelVideos: Collector<params.ChannelListParams, LongvideoItem[]> = {
  name: 'longvideoChannelVideos',
  params: params.channelListParams,
  record: z.array(longvideoItem),
  sources: channelVideosSources,
};

export const longvideoChannelPlaylists: Collector<params.ChannelListParams, Playlist[]> = {
  name: 'longvideoChannelPlaylists',
  params: params.channelListParams,
  record: z.array(playlist),
  sources: channelPlaylistsSources,
};

export const longvideoPlaylist: Collector<params.PlaylistParams, Playlist> = {
  name: 'longvideoPlaylist',
  params: params.playlistParams,
  record: playlist,
  sources: playlistSources,
};

export const longvideoPlaylistItems: Collector<params.PlaylistItemsParams, PlaylistEntry[]> = {
  name: 'longvideoPlaylistItems',
  params: params.playlistItemsParams,
  record: z.array(playlistEntry),
  sources: playlistItemsSources,
};

export const longvideoTranscript: Collector<params.TranscriptParams, Transcript> = {
  name: 'longvideoTranscript',
  params: params.transcriptParams,
  record: transcript,
  sources: transcriptSources,
};

export const longvideoComments: Collector<params.CommentsParams, Comment[]> = {
  name: 'longvideoComments',
  params: params.commentsParams,
  record: z.array(comment),
  sources: commentsSources,
};

export const longvideoCommentReplies: Collector<params.CommentRepliesParams, Comment[]> = {
  name: 'longvideoCommentReplies',
  params: params.commentRepliesParams,
  record: z.array(comment),
  sources: commentRepliesSources,
};

export const longvideoSearch: Collector<params.SearchParams, SearchResult[]> = {
  name: 'longvideoSearch',
  params: params.searchParams,
  record: z.array(searchResult),
  sources: searchSources,
};
