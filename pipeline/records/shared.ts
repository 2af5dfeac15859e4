import { z } from 'zod';

/** Schemas of the specification that several platforms share. Every field is nullable: null means that the source did not send it. */
export const text = z.string().nullable();
export const count = z.number().int().nonnegative().nullable();
export const decimal = z.number().nonnegative().nullable();
export const flag = z.boolean().nullable();
export const texts = z.array(z.string()).nullable();
/** Maps a language code to title and description. */
export const localized = z.strictObject({ title: text, description: text });
export const localizations = z.record(z.string(), localized).nullable();

const mediaVariant = z
  .strictObject({
    url: text.describe('URL on the platform; it may expire'),
    width: decimal.describe('pixels'),
    height: decimal.describe('pixels'),
    asset_type: z.enum(['image', 'video', 'thumbnail', 'avatar']).nullable(),
    variant: text.describe('name that the platform gives to this size or format; null when unknown'),
    expires_at: text.describe('time when the URL expires; null when unknown'),
  })
  .meta({ id: 'MediaVariant' });
export type MediaVariant = z.infer<typeof mediaVariant>;
export const mediaVariants = z.array(mediaVariant).nullable();

const entity = z
  .strictObject({
    name: text.describe('hashtag or account name'),
    id: text.describe('ID on the platform; null when the source did not send it'),
    source: z
      .enum(['platform', 'derived_text'])
      .nullable()
      .describe('derived_text: found in the text, so it may name no account'),
  })
  .meta({ id: 'Entity' });
export type Entity = z.infer<typeof entity>;
const entities = z.array(entity).nullable();

/** Fields of every account profile, included in the schema of each platform. */
export const profileFields = {
  id: text.describe(
    'stable account ID of the platform; null when the source did not send it, never derived from the username',
  ),
  username: text.describe('current handle of the account'),
  display_name: text,
  bio: text,
  profile_url: text,
  followers: count.describe('may be rounded: see meta.quality'),
  following: count,
  posts: count.describe('number of posts or videos'),
  verified: flag.describe('null when the source did not say'),
  private: flag.describe('null when the source did not say'),
  avatar_url: text.describe('URL of the picture; it may expire, and may not work on other websites'),
  avatar_variants: mediaVariants,
  external_url: text,
};

/** Fields of every content item, included in the schema of each platform. */
export const itemFields = {
  id: text,
  author: text.describe('name or handle of the author'),
  published_at: text.describe('null when the source did not send it'),
  views: count.describe('null where the platform does not show views'),
  likes: count,
  comments: count.describe('number of comments, not the comments themselves'),
  media_url: text.describe('URL of the preview image; not always a video that can be downloaded'),
  permalink: text,
  duration_seconds: decimal.describe('null when the source did not send it'),
  hashtags: entities,
  mentions: entities,
};

export const comment = z
  .strictObject({
    id: text.describe('ID of the comment on the platform'),
    content_id: text.describe('ID of the video or post; null when unknown'),
    parent_comment_id: text.describe(
      'ID of the comment that this one replies to; null for a top-level comment, or when unknown',
    ),
    text: text.describe('plain text'),
    likes: count,
    reply_count: count.describe('number of all replies, not of those in this answer'),
    author_id: text,
    author_username: text,
    author_display_name: text,
    author_avatar_url: text,
    author_profile_url: text,
    published_at: text,
    updated_at: text.describe('time of the last edit; null when unknown'),
    image_url: text.describe('signed URL of an image, which expires six hours after retrieval; null without one'),
    image_url_retrieved_at: text.describe('UTC; null without an image'),
    image_url_expires_at: text.describe('UTC; after this time, fetch the comment again for a new URL'),
  })
  .meta({ id: 'Comment' });
export type Comment = z.infer<typeof comment>;

export const hashtag = z
  .strictObject({
    id: text,
    name: text,
    description: text,
    content_count: count,
    views: count,
    cover_url: text,
    permalink: text,
  })
  .meta({ id: 'Hashtag' });
export type Hashtag = z.infer<typeof hashtag>;

export const playlist = z
  .strictObject({
    id: text,
    title: text,
    description: text,
    author: text,
    account_id: text,
    item_count: count,
    published_at: text,
    updated_at: text,
    thumbnails: mediaVariants,
    language: text,
    localized: localized.nullable(),
    localizations,
    privacy_status: text,
    embed_html: text.describe('HTML from the platform: sanitize it before you show it'),
    permalink: text,
  })
  .meta({ id: 'Playlist' });
export type Playlist = z.infer<typeof playlist>;
