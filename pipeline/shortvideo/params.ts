import { z } from 'zod';
import { page } from '../collect/page.ts';
import { shortvideoHandleFormat, shortvideoTagFormat, shortvideoVideoIdFormat } from '../parse/identifiers.ts';

const region = z
  .string()
  .nullable()
  .default(null)
  .describe('two-letter country code; it has no effect, because no source without credentials supports it');
const videoId = z.string().regex(shortvideoVideoIdFormat.pattern, 'must be 10 to 24 digits').describe('video ID');
const numericId = z.string().regex(/^\d{1,24}$/, 'must be 1 to 24 digits');
const handle = z
  .string()
  .regex(shortvideoHandleFormat.pattern, 'must be 2 to 24 letters, digits, dots or underscores')
  .describe('account name, with or without @');
const tag = z
  .string()
  .regex(shortvideoTagFormat.pattern, 'must be 1 to 100 letters, digits, underscores or emoji')
  .describe('hashtag, with or without #');

export const shortvideoProfileParams = z.strictObject({ handle, region });
export const shortvideoVideosParams = z.strictObject({ handle, region, ...page });
export const shortvideoVideoParams = z.strictObject({ id: videoId, region });
export const shortvideoSoundParams = z.strictObject({ id: numericId, region });
export const shortvideoSoundVideosParams = z.strictObject({ id: numericId, region, ...page });
export const shortvideoHashtagParams = z.strictObject({ tag, region });
export const shortvideoHashtagVideosParams = z.strictObject({ tag, region, ...page });
export const shortvideoCommentsParams = z.strictObject({ id: videoId, region, ...page });
export const shortvideoCommentRepliesParams = z.strictObject({
  comment_id: numericId,
  video_id: videoId,
  region,
  ...page,
});

export type ShortvideoProfileParams = z.infer<typeof shortvideoProfileParams>;
export type ShortvideoVideosParams = z.infer<typeof shortvideoVideosParams>;
export type ShortvideoVideoParams = z.infer<typeof shortvideoVideoParams>;
export type ShortvideoSoundParams = z.infer<typeof shortvideoSoundParams>;
export type ShortvideoSoundVideosParams = z.infer<typeof shortvideoSoundVideosParams>;
export type ShortvideoHashtagParams = z.infer<typeof shortvideoHashtagParams>;
export type ShortvideoHashtagVideosParams = z.infer<typeof shortvideoHashtagVideosParams>;
export type ShortvideoCommentsParams = z.infer<typeof shortvideoCommentsParams>;
export type ShortvideoCommentRepliesParams = z.infer<typeof shortvideoCommentRepliesParams>;
