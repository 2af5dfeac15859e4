import { z } from 'zod';
import { page } from '../collect/page.ts';
import { photoHandleFormat, shortvideoTagFormat } from '../parse/identifiers.ts';

const handle = z
  .string()
  .regex(photoHandleFormat.pattern, 'must be 1 to 30 letters, digits, dots or underscores')
  .describe('account name, with or without @');

export const photoProfileParams = z.strictObject({ handle });
export type PhotoProfileParams = z.infer<typeof photoProfileParams>;

export const photoPostsParams = z.strictObject({
  handle,
  ...page,
});
export type PhotoPostsParams = z.infer<typeof photoPostsParams>;

/**
 * Parameters of a request for an Instagram hashtag. Uses the pattern of TikTok hashtags, because both platforms allow
 * the same characters.
 */
export const photoHashtagParams = z.strictObject({
  tag: z
    .string()
    .regex(shortvideoTagFormat.pattern, 'must be 1 to 100 letters, digits or underscores')
    .describe('hashtag, with or without #'),
});
export type PhotoHashtagParams = z.infer<typeof photoHashtagParams>;

export const photoHashtagPostsParams = photoHashtagParams.extend(page);
export type PhotoHashtagPostsParams = z.infer<typeof photoHashtagPostsParams>;

export const photoPostParams = z.strictObject({
  shortcode: z
    .string()
    .regex(/^[A-Za-z0-9_-]{5,28}$/, 'must be the public code of a post')
    .describe('code of the post'),
  author: handle.nullable().default(null).describe('account that published it, when known'),
});
export type PhotoPostParams = z.infer<typeof photoPostParams>;

/**
 * Parameters of a request for the pictures and videos of a carousel post. Instagram sends all of them at once. The API
 * route returns the first `limit` pictures and videos, and stores the rest for the next pages.
 */
export const photoPostChildrenParams = photoPostParams.extend({
  limit: photoPostsParams.shape.limit,
  cursor: photoPostsParams.shape.cursor,
});
export type PhotoPostChildrenParams = z.infer<typeof photoPostChildrenParams>;
