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
    url: text.describe('source URL, may expire'),
    width: decimal.describe('pixels'),
    height: decimal.describe('pixels'),
    asset_type: z.enum(['image', 'video', 'thumbnail', 'avatar']).nullable(),
    variant: text.describe('source variant when known'),
    expires_at: text.describe('expiry timestamp when known'),
  })
  .meta({ id: 'MediaVariant' });
export type MediaVariant = z.infer<typeof mediaVariant>;
export const mediaVariants = z.array(mediaVariant).nullable();

const entity = z
  .strictObject({
    name: text.describe('hashtag or account name'),
    id: text.describe('platform ID when supplied'),
    source: z
      .enum(['platform', 'derived_text'])
      .nullable()
      .describe('text alone does not prove an account relationship'),
  })
  .meta({ id: 'Entity' });
export type Entity = z.infer<typeof entity>;
const entities = z.array(entity).nullable();

/** Fields of every account profile, included in the schema of each platform. */
export const profileFields = {
  id: text.describe('stable platform account ID when supplied, never inferred from the username'),
  username: text.describe('current handle'),
  display_name: text,
  bio: text,
  profile_url: text,
  followers: count.describe('may be rounded'),
  following: count,
  posts: count.describe('content count'),
  verified: flag.describe('true or false only when explicitly returned, null means unknown'),
  private: flag.describe('null means unknown'),
  avatar_url: text.describe('may expire or restrict hotlinking'),
  avatar_variants: mediaVariants,
  external_url: text,
};

/** Fields of every content item, included in the schema of each platform. */
export const itemFields = {
  id: text,
  author: text.describe('creator name or handle'),
  published_at: text.describe('null when absent'),
  views: count.describe('where exposed'),
  likes: count,
  comments: count.describe('count, not comment rows'),
  media_url: text.describe('preview image, not a guaranteed downloadable video'),
  permalink: text,
  duration_seconds: decimal.describe('when returned'),
  hashtags: entities,
  mentions: entities,
};

export const comment = z
  .strictObject({
    id: text.describe('platform comment ID'),
    content_id: text.describe('parent video or post ID when known'),
    parent_comment_id: text.describe('set for a reply; null for top-level or unknown parent'),
    text: text.describe('plain text'),
    likes: count,
    reply_count: count.describe('total replies, not the number returned'),
    author_id: text,
    author_username: text,
    author_display_name: text,
    author_avatar_url: text,
    author_profile_url: text,
    published_at: text,
    updated_at: text.describe('when available'),
    image_url: text.describe('optional attachment URL, signed, expires six hours after retrieval, null when absent'),
    image_url_retrieved_at: text.describe('UTC; null without attachment'),
    image_url_expires_at: text.describe('UTC; refresh the comment after expiry'),
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
    embed_html: text.describe('must be sanitized before use'),
    permalink: text,
  })
  .meta({ id: 'Playlist' });
export type Playlist = z.infer<typeof playlist>;
