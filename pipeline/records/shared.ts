import { z } from 'zod';
import { coreFields } from './core.ts';
import { textLimits } from './limits.ts';

/** Returns the schema of a text with a limit. A check of our own, because `max` doubles the size of the API document: docs/limits.md has the limits. */
export const textOf = (maximum: number) =>
  z.string().check(({ value, issues }) => {
    if (value.length > maximum) issues.push({ code: 'too_big', origin: 'string', maximum, input: value });
  });

/** Schemas of the specification that several platforms share. Every field is nullable: null means that the source did not send it. */
export const text = textOf(textLimits.text).nullable();
export const identifier = textOf(textLimits.identifier).nullable();
export const url = textOf(textLimits.url).nullable();
export const count = z.number().int().nonnegative().nullable();
export const decimal = z.number().nonnegative().nullable();
export const flag = z.boolean().nullable();
export const texts = z.array(textOf(textLimits.text)).nullable();
export const identifiers = z.array(textOf(textLimits.identifier)).nullable();
export const urls = z.array(textOf(textLimits.url)).nullable();
/** A map by a code, such as that of a language or a country. */
export const byCode = <V extends z.ZodType>(value: V) => z.record(textOf(textLimits.identifier), value);
/** Maps a language code to title and description. */
export const localized = z.strictObject({ title: text, description: text });
export const localizations = byCode(localized).nullable();

const mediaVariant = z
  .strictObject({
    url: url.describe('source URL, may expire'),
    width: decimal.describe('pixels'),
    height: decimal.describe('pixels'),
    asset_type: z.enum(['image', 'video', 'thumbnail', 'avatar']).nullable(),
    variant: identifier.describe('source variant when known'),
    expires_at: identifier.describe('expiry timestamp when known'),
  })
  .meta({ id: 'MediaVariant' });
export type MediaVariant = z.infer<typeof mediaVariant>;
export const mediaVariants = z.array(mediaVariant).nullable();

const entity = z
  .strictObject({
    name: text.describe('hashtag or account name'),
    id: identifier.describe('platform ID when supplied'),
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
  id: identifier.describe('stable platform account ID when supplied, never inferred from the username'),
  username: identifier.describe('current handle'),
  display_name: text,
  bio: text,
  profile_url: url,
  followers: count.describe('may be rounded'),
  following: count,
  posts: count.describe('content count'),
  verified: flag.describe('true or false only when explicitly returned, null means unknown'),
  private: flag.describe('null means unknown'),
  avatar_url: url.describe('may expire or restrict hotlinking'),
  avatar_variants: mediaVariants,
  external_url: url,
};

/** Core fields of a profile, in {@link coreFields}. */
export const profileCore = ['followers', 'following', 'posts'] as const;

/** Fields of every content item, included in the schema of each platform. */
export const itemFields = {
  id: identifier,
  author: text.describe('creator name or handle'),
  published_at: identifier.describe('null when absent'),
  views: count.describe('where exposed'),
  likes: count,
  comments: count.describe('count, not comment rows'),
  media_url: url.describe('preview image, not a guaranteed downloadable video'),
  permalink: url,
  duration_seconds: decimal.describe('when returned'),
  hashtags: entities,
  mentions: entities,
};

/** Core fields of a photo or a short video, in {@link coreFields}. */
export const itemCore = ['published_at', 'views', 'likes', 'comments', 'caption', 'media_url'] as const;

export const comment = z
  .strictObject({
    id: identifier.describe('platform comment ID'),
    content_id: identifier.describe('parent video or post ID when known'),
    parent_comment_id: identifier.describe('set for a reply; null for top-level or unknown parent'),
    text: text.describe('plain text'),
    likes: count,
    reply_count: count.describe('total replies, not the number returned'),
    author_id: identifier,
    author_username: identifier,
    author_display_name: text,
    author_avatar_url: url,
    author_profile_url: url,
    published_at: identifier,
    updated_at: identifier.describe('when available'),
    image_url: url.describe('optional attachment URL, signed, expires six hours after retrieval, null when absent'),
    image_url_retrieved_at: identifier.describe('UTC; null without attachment'),
    image_url_expires_at: identifier.describe('UTC; refresh the comment after expiry'),
  })
  .meta({ id: 'Comment' })
  .register(coreFields, { fields: ['text', 'likes', 'published_at', 'image_url'] });
export type Comment = z.infer<typeof comment>;

export const hashtag = z
  .strictObject({
    id: identifier,
    name: text,
    description: text,
    content_count: count,
    views: count,
    cover_url: url,
    permalink: url,
  })
  .meta({ id: 'Hashtag' })
  .register(coreFields, { fields: ['name', 'content_count', 'views'] });
export type Hashtag = z.infer<typeof hashtag>;

export const playlist = z
  .strictObject({
    id: identifier,
    title: text,
    description: text,
    author: text,
    account_id: identifier,
    item_count: count,
    published_at: identifier,
    updated_at: identifier,
    thumbnails: mediaVariants,
    language: identifier,
    localized: localized.nullable(),
    localizations,
    privacy_status: identifier,
    embed_html: text.describe('must be sanitized before use'),
    permalink: url,
  })
  .meta({ id: 'Playlist' })
  .register(coreFields, { fields: ['title', 'item_count', 'published_at'] });
export type Playlist = z.infer<typeof playlist>;
