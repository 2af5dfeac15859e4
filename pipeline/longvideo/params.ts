import { z } from 'zod';
import { wholePage } from '../collect/page.ts';
import {
  channelCustomName,
  channelHandle,
  channelId,
  channelUsername,
  longvideoPlaylistId,
  longvideoVideoId,
} from '../parse/identifiers.ts';

const text = (pattern: RegExp, message: string) => z.string().regex(pattern, message);

const channelIdParam = text(channelId.pattern, 'must be UC and 22 more characters').describe('channel ID');
const playlistId = text(longvideoPlaylistId.pattern, 'must be 2 to 64 letters, digits, underscores or hyphens');

/**
 * Paging parameters of a request for a list: the maximum number of rows, and the position where the list continues. The
 * data source named `source` created the position `at`, and only this source can read it.
 */
const page = {
  limit: z.int().min(1).max(wholePage).default(3),
  cursor: z
    .strictObject({
      source: z.string(),
      at: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    })
    .nullable()
    .default(null),
};

export const videoParams = z.strictObject({
  id: text(longvideoVideoId.pattern, 'must be 11 letters, digits, underscores or hyphens').describe('video ID'),
});
export type VideoParams = z.infer<typeof videoParams>;

/** Identifies a YouTube channel by exactly one of: its ID, handle, legacy user name or custom name. */
export const channelParams = z.union([
  z.strictObject({ channel_id: channelIdParam }),
  z.strictObject({ handle: text(channelHandle.pattern, 'must be a handle, with or without @') }),
  z.strictObject({ username: text(channelUsername.pattern, 'must be a legacy user name') }),
  z.strictObject({ custom_name: text(channelCustomName.pattern, 'must be a custom channel name') }),
]);
export type ChannelParams = z.infer<typeof channelParams>;

/** Parameters of a request for a list that belongs to one YouTube channel, such as its videos. */
export const channelListParams = z.strictObject({ channel_id: channelIdParam, ...page });
export type ChannelListParams = z.infer<typeof channelListParams>;

export const playlistParams = z.strictObject({ playlist_id: playlistId });
export type PlaylistParams = z.infer<typeof playlistParams>;

export const playlistItemsParams = z.strictObject({ playlist_id: playlistId, ...page });
export type PlaylistItemsParams = z.infer<typeof playlistItemsParams>;

export const transcriptParams = videoParams;
export type TranscriptParams = VideoParams;

export const commentsParams = z.strictObject({
  ...videoParams.shape,
  order: z.enum(['time', 'relevance']).default('time'),
  ...page,
});
export type CommentsParams = z.infer<typeof commentsParams>;

export const commentRepliesParams = z.strictObject({
  comment_id: text(/^[A-Za-z0-9_-]{16,64}$/, 'must be the ID of a top-level comment, which has no dot'),
  ...page,
});
export type CommentRepliesParams = z.infer<typeof commentRepliesParams>;

export const searchTypes = ['video', 'channel', 'playlist'] as const;

export const searchParams = z.strictObject({
  query: z.string().min(1).max(500),
  type: z
    .array(z.enum(searchTypes))
    .min(1)
    .default([...searchTypes]),
  order: z.enum(['date', 'rating', 'relevance', 'title', 'videoCount', 'viewCount']).default('relevance'),
  region_code: text(/^[A-Z]{2}$/, 'must be two uppercase letters')
    .nullable()
    .default(null),
  language: text(/^(?:[a-z]{2}|zh-Han[st])$/, 'must be two lowercase letters, zh-Hans or zh-Hant')
    .nullable()
    .default(null),
  ...page,
});
export type SearchParams = z.infer<typeof searchParams>;
