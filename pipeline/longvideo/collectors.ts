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
import { type SurfacesOf, surfacesOfService } from './surfaces.ts';
import { transcriptSources } from './transcript.ts';
import { keylessVideo, mergedVideo } from './video.ts';

export interface LongvideoCollectors {
  longvideoVideo: Collector<params.VideoParams, LongvideoItem>;
  longvideoChannel: Collector<params.ChannelParams, LongvideoChannel>;
  longvideoChannelVideos: Collector<params.ChannelListParams, LongvideoItem[]>;
  longvideoChannelPlaylists: Collector<params.ChannelListParams, Playlist[]>;
  longvideoPlaylist: Collector<params.PlaylistParams, Playlist>;
  longvideoPlaylistItems: Collector<params.PlaylistItemsParams, PlaylistEntry[]>;
  longvideoTranscript: Collector<params.TranscriptParams, Transcript>;
  longvideoComments: Collector<params.CommentsParams, Comment[]>;
  longvideoCommentReplies: Collector<params.CommentRepliesParams, Comment[]>;
  longvideoSearch: Collector<params.SearchParams, SearchResult[]>;
}

/**
 * Creates the collectors of YouTube data, each of which fetches one kind of record or list. They share the state that
 * `surfacesOf` returns, such as the quota counter and the session with YouTube's website.
 */
export function createLongvideoCollectors(surfacesOf: SurfacesOf): LongvideoCollectors {
  return {
    longvideoVideo: {
      name: 'longvideoVideo',
      params: params.videoParams,
      record: longvideoItem,
      sources: [mergedVideo(surfacesOf), keylessVideo(surfacesOf)],
    },
    longvideoChannel: {
      name: 'longvideoChannel',
      params: params.channelParams,
      record: longvideoChannelRecord,
      sources: [officialChannelSource(surfacesOf), webChannelSource(surfacesOf)],
    },
    longvideoChannelVideos: {
      name: 'longvideoChannelVideos',
      params: params.channelListParams,
      record: z.array(longvideoItem),
      sources: channelVideosSources(surfacesOf),
    },
    longvideoChannelPlaylists: {
      name: 'longvideoChannelPlaylists',
      params: params.channelListParams,
      record: z.array(playlist),
      sources: channelPlaylistsSources(surfacesOf),
    },
    longvideoPlaylist: {
      name: 'longvideoPlaylist',
      params: params.playlistParams,
      record: playlist,
      sources: playlistSources(surfacesOf),
    },
    longvideoPlaylistItems: {
      name: 'longvideoPlaylistItems',
      params: params.playlistItemsParams,
      record: z.array(playlistEntry),
      sources: playlistItemsSources(surfacesOf),
    },
    longvideoTranscript: {
      name: 'longvideoTranscript',
      params: params.transcriptParams,
      record: transcript,
      sources: transcriptSources(surfacesOf),
    },
    longvideoComments: {
      name: 'longvideoComments',
      params: params.commentsParams,
      record: z.array(comment),
      sources: commentsSources(surfacesOf),
    },
    longvideoCommentReplies: {
      name: 'longvideoCommentReplies',
      params: params.commentRepliesParams,
      record: z.array(comment),
      sources: commentRepliesSources(surfacesOf),
    },
    longvideoSearch: {
      name: 'longvideoSearch',
      params: params.searchParams,
      record: z.array(searchResult),
      sources: searchSources(surfacesOf),
    },
  };
}

/**
 * The collectors of YouTube data, each of which fetches one kind of record or list. All requests of one service share
 * one quota counter, because the quota belongs to the operator's Google project.
 */
export const {
  longvideoVideo,
  longvideoChannel,
  longvideoChannelVideos,
  longvideoChannelPlaylists,
  longvideoPlaylist,
  longvideoPlaylistItems,
  longvideoTranscript,
  longvideoComments,
  longvideoCommentReplies,
  longvideoSearch,
} = createLongvideoCollectors(surfacesOfService);
