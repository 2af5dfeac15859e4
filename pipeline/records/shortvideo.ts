import { z } from 'zod';
import { coreFields } from './core.ts';
import {
  count,
  decimal,
  flag,
  identifier,
  itemCore,
  itemFields,
  mediaVariants,
  profileCore,
  profileFields,
  text,
  texts,
  url,
} from './shared.ts';

export const shortvideoProfileRecord = z
  .strictObject({
    ...profileFields,
    likes: count.describe('likes of all videos of the account'),
    region: identifier.describe('region that the platform states; never derived from the request'),
    language: identifier.describe('language that the platform states'),
  })
  .meta({ id: 'ShortvideoProfile' })
  .register(coreFields, { fields: profileCore });
export type ShortvideoProfile = z.infer<typeof shortvideoProfileRecord>;

/**
 * The TikTok profile in the answer for `format=compact`. The answer has exactly two top-level keys, without `data` and
 * `meta` around them.
 */
export const compactProfile = z
  .strictObject({
    user: z.strictObject({
      id: identifier,
      uniqueId: identifier,
      nickname: text,
      verified: flag,
      region: identifier,
      language: identifier,
    }),
    stats: z.strictObject({ followerCount: count, followingCount: count, heartCount: count, videoCount: count }),
  })
  .meta({ id: 'CompactShortvideoProfile' });
export type CompactProfile = z.infer<typeof compactProfile>;

export const shortvideoItem = z
  .strictObject({
    ...itemFields,
    caption: text,
    shares: count,
    favorites: count.describe('how often the video was saved to favorites; null when the source did not send it'),
    width: decimal,
    height: decimal,
    author_id: identifier,
    author_display_name: text,
    author_verified: flag,
    author_avatar_url: url,
    region_code: identifier.describe('region of the video; it does not prove where the author lives'),
    video_url: url.describe('URL of the video file; it may expire, or need the request headers of the platform'),
    subtitle_tracks: z
      .array(z.strictObject({ language: identifier, language_id: identifier, url, format: identifier }))
      .nullable()
      .describe('links to the subtitle files, without their text'),
    effects: z.array(z.strictObject({ id: identifier, name: text })).nullable(),
    stickers: z.array(z.strictObject({ type: z.number().nullable(), texts })).nullable(),
    music: z
      .strictObject({
        id: identifier,
        title: text,
        author: text,
        original: flag,
        duration_seconds: decimal,
        cover_url: url,
        play_url: url,
      })
      .nullable(),
    playlist_id: identifier,
    pinned: flag,
    media_assets: mediaVariants.describe('cover images'),
  })
  .meta({ id: 'ShortvideoItem' })
  .register(coreFields, { fields: itemCore });
export type ShortvideoItem = z.infer<typeof shortvideoItem>;

export const sound = z
  .strictObject({
    id: identifier,
    title: text,
    author: text,
    original: flag,
    duration_seconds: decimal,
    cover_url: url,
    play_url: url.describe('URL of the audio file; it may expire'),
    content_count: count,
    permalink: url,
  })
  .meta({ id: 'Sound' })
  .register(coreFields, { fields: ['title', 'content_count'] });
export type Sound = z.infer<typeof sound>;
