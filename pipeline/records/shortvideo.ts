import { z } from 'zod';
import { count, decimal, flag, itemFields, mediaVariants, profileFields, text, texts } from './shared.ts';

export const shortvideoProfile = z
  .strictObject({
    ...profileFields,
    likes: count.describe('likes of all videos of the account'),
    region: text.describe('region that the platform states; never derived from the request'),
    language: text.describe('language that the platform states'),
  })
  .meta({ id: 'ShortvideoProfile' });
export type ShortvideoProfile = z.infer<typeof shortvideoProfile>;

/** `format=compact`: exactly two top-level keys, without the envelope. */
export const compactProfile = z
  .strictObject({
    user: z.strictObject({ id: text, uniqueId: text, nickname: text, verified: flag, region: text, language: text }),
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
    author_id: text,
    author_display_name: text,
    author_verified: flag,
    author_avatar_url: text,
    region_code: text.describe('region of the video; it does not prove where the author lives'),
    video_url: text.describe('URL of the video file; it may expire, or need the request headers of the platform'),
    subtitle_tracks: z
      .array(z.strictObject({ language: text, language_id: text, url: text, format: text }))
      .nullable()
      .describe('links to the subtitle files, without their text'),
    effects: z.array(z.strictObject({ id: text, name: text })).nullable(),
    stickers: z.array(z.strictObject({ type: z.number().nullable(), texts })).nullable(),
    music: z
      .strictObject({
        id: text,
        title: text,
        author: text,
        original: flag,
        duration_seconds: decimal,
        cover_url: text,
        play_url: text,
      })
      .nullable(),
    playlist_id: text,
    pinned: flag,
    media_assets: mediaVariants.describe('cover images'),
  })
  .meta({ id: 'ShortvideoItem' });
export type ShortvideoItem = z.infer<typeof shortvideoItem>;

export const sound = z
  .strictObject({
    id: text,
    title: text,
    author: text,
    original: flag,
    duration_seconds: decimal,
    cover_url: text,
    play_url: text.describe('URL of the audio file; it may expire'),
    content_count: count,
    permalink: text,
  })
  .meta({ id: 'Sound' });
export type Sound = z.infer<typeof sound>;
