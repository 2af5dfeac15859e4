import { z } from 'zod';
import { page } from '../collect/page.ts';
import {
  channelCustomNameFormat,
  channelHandleFormat,
  channelIdFormat,
  channelUsernameFormat,
  longvideoCommentIdFormat,
  longvideoPlaylistIdFormat,
  longvideoVideoIdFormat,
} from '../parse/identifiers.ts';
import { languagePattern } from '../parse/languages.ts';

const text = (pattern: RegExp, message: string) => z.string().regex(pattern, message);

const channelIdParam = text(channelIdFormat.pattern, 'must be UC and 22 more characters').describe('channel ID');
const playlistId = text(longvideoPlaylistIdFormat.pattern, 'must be 2 to 64 letters, digits, underscores or hyphens');

export const longvideoVideoParams = z.strictObject({
  id: text(longvideoVideoIdFormat.pattern, 'must be 11 letters, digits, underscores or hyphens').describe('video ID'),
});
export type LongvideoVideoParams = z.infer<typeof longvideoVideoParams>;

/** Identifies a YouTube channel by exactly one of: its ID, handle, legacy user name or custom name. */
export const longvideoChannelParams = z.union([
  z.strictObject({ channel_id: channelIdParam }),
  z.strictObject({ handle: text(channelHandleFormat.pattern, 'must be a handle, with or without @') }),
  z.strictObject({ username: text(channelUsernameFormat.pattern, 'must be a legacy user name') }),
  z.strictObject({ custom_name: text(channelCustomNameFormat.pattern, 'must be a custom channel name') }),
]);
export type LongvideoChannelParams = z.infer<typeof longvideoChannelParams>;

/** Parameters of a request for a list that belongs to one YouTube channel, such as its videos. */
export const longvideoChannelListParams = z.strictObject({ channel_id: channelIdParam, ...page });
export type LongvideoChannelListParams = z.infer<typeof longvideoChannelListParams>;

export const longvideoPlaylistParams = z.strictObject({ playlist_id: playlistId });
export type LongvideoPlaylistParams = z.infer<typeof longvideoPlaylistParams>;

export const longvideoPlaylistItemsParams = z.strictObject({ playlist_id: playlistId, ...page });
export type LongvideoPlaylistItemsParams = z.infer<typeof longvideoPlaylistItemsParams>;

export const longvideoTranscriptParams = longvideoVideoParams;
export type LongvideoTranscriptParams = LongvideoVideoParams;

export const commentOrders = ['time', 'relevance'] as const;

export const longvideoCommentsParams = z.strictObject({
  ...longvideoVideoParams.shape,
  order: z.enum(commentOrders).default('time'),
  ...page,
});
export type LongvideoCommentsParams = z.infer<typeof longvideoCommentsParams>;

export const longvideoCommentRepliesParams = z.strictObject({
  comment_id: text(longvideoCommentIdFormat.pattern, 'must be the ID of a top-level comment, which has no dot'),
  ...page,
});
export type LongvideoCommentRepliesParams = z.infer<typeof longvideoCommentRepliesParams>;

export const searchTypes = ['video', 'channel', 'playlist'] as const;
export const searchOrders = ['relevance', 'date', 'rating', 'title', 'videoCount', 'viewCount'] as const;

export const longvideoSearchParams = z.strictObject({
  query: z.string().min(1).max(500),
  type: z
    .array(z.enum(searchTypes))
    .min(1)
    .default([...searchTypes]),
  order: z.enum(searchOrders).default('relevance'),
  region_code: text(/^[A-Z]{2}$/, 'must be two uppercase letters')
    .nullable()
    .default(null),
  language: text(languagePattern, 'must be two lowercase letters, zh-Hans or zh-Hant').nullable().default(null),
  ...page,
});
export type LongvideoSearchParams = z.infer<typeof longvideoSearchParams>;
