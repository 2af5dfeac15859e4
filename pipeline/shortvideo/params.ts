import { z } from 'zod';
import { page } from '../collect/page.ts';
import { shortvideoHandle, shortvideoTag, shortvideoVideoId } from '../parse/identifiers.ts';

const region = z
  .string()
  .nullable()
  .default(null)
  .describe('two-letter country code; it has no effect, because no source without credentials supports it');
const videoId = z.string().regex(shortvideoVideoId.pattern, 'must be 10 to 24 digits').describe('video ID');
const numericId = z.string().regex(/^\d{1,24}$/, 'must be 1 to 24 digits');
const handle = z
  .string()
  .regex(shortvideoHandle.pattern, 'must be 2 to 24 letters, digits, dots or underscores')
  .describe('account name, with or without @');
const tag = z
  .string()
  .regex(shortvideoTag.pattern, 'must be 1 to 100 letters, digits, underscores or emoji')
  .describe('hashtag, with or without #');

export const profileParams = z.strictObject({ handle, region });
export const videosParams = z.strictObject({ handle, region, ...page });
export const videoParams = z.strictObject({ id: videoId, region });
export const soundParams = z.strictObject({ id: numericId, region });
export const soundVideosParams = z.strictObject({ id: numericId, region, ...page });
export const hashtagParams = z.strictObject({ tag, region });
export const hashtagVideosParams = z.strictObject({ tag, region, ...page });
export const commentsParams = z.strictObject({ id: videoId, region, ...page });
export const commentRepliesParams = z.strictObject({ comment_id: numericId, video_id: videoId, region, ...page });

export type ProfileParams = z.infer<typeof profileParams>;
export type VideosParams = z.infer<typeof videosParams>;
export type VideoParams = z.infer<typeof videoParams>;
export type SoundParams = z.infer<typeof soundParams>;
export type SoundVideosParams = z.infer<typeof soundVideosParams>;
export type HashtagParams = z.infer<typeof hashtagParams>;
export type HashtagVideosParams = z.infer<typeof hashtagVideosParams>;
export type CommentsParams = z.infer<typeof commentsParams>;
export type CommentRepliesParams = z.infer<typeof commentRepliesParams>;
