import { z } from 'zod';
import { coreFields } from './core.ts';
import { textLimits } from './limits.ts';

/**
 * Returns the schema of a text with a maximum length. Does not use zod's `max`, because the limits would double the
 * size of the API document (OpenAPI). docs/limits.md lists the limits instead.
 */
export const textOf = (maximum: number) =>
  z.string().check(({ value, issues }) => {
    if (value.length > maximum) issues.push({ code: 'too_big', origin: 'string', maximum, input: value });
  });

/**
 * Field schemas that the records of several platforms share. Every field can be null, which means that the platform did
 * not send a value.
 */
export const text = textOf(textLimits.text).nullable();
export const identifier = textOf(textLimits.identifier).nullable();
export const url = textOf(textLimits.url).nullable();
export const count = z.number().int().nonnegative().nullable();
export const decimal = z.number().nonnegative().nullable();
export const flag = z.boolean().nullable();
export const texts = z.array(textOf(textLimits.text)).nullable();
export const identifiers = z.array(textOf(textLimits.identifier)).nullable();
export const urls = z.array(textOf(textLimits.url)).nullable();
/** Returns the schema of an object whose keys are codes, such as language codes. */
export const byCode = <V extends z.ZodType>(value: V) => z.record(textOf(textLimits.identifier), value);
/**
 * Title and description of a video, channel or playlist in one language. `localizations` maps language codes to such
 * objects.
 */
export const localized = z.strictObject({ title: text, description: text });
export const localizations = byCode(localized).nullable();

const mediaVariant = z
  .strictObject({
    url: url.describe('URL on the platform; it may expire'),
    width: decimal.describe('pixels'),
    height: decimal.describe('pixels'),
    asset_type: z.enum(['image', 'video', 'thumbnail', 'avatar']).nullable(),
    variant: identifier.describe('name that the platform gives to this size or format; null when unknown'),
    expires_at: identifier.describe('time when the URL expires; null when unknown'),
  })
  .meta({ id: 'MediaVariant' });
export type MediaVariant = z.infer<typeof mediaVariant>;
export const mediaVariants = z.array(mediaVariant).nullable();

const entity = z
  .strictObject({
    name: text.describe('hashtag or account name'),
    id: identifier.describe('ID on the platform; null when the source did not send it'),
    source: z
      .enum(['platform', 'derived_text'])
      .nullable()
      .describe(
        'platform: the platform sent this name; derived_text: Tidemark found it in the text, so an account with this name may not exist',
      ),
  })
  .meta({ id: 'Entity' });
export type Entity = z.infer<typeof entity>;
const entities = z.array(entity).nullable();

/** The fields of every account profile, shared by the schemas of all platforms. */
export const profileFields = {
  id: identifier.describe(
    'stable account ID of the platform; null when the source did not send it, never derived from the username',
  ),
  username: identifier.describe('current handle of the account'),
  display_name: text,
  bio: text,
  profile_url: url,
  followers: count.describe('may be rounded: see meta.quality'),
  following: count,
  posts: count.describe('number of posts or videos'),
  verified: flag.describe('null when the source did not say'),
  private: flag.describe('null when the source did not say'),
  avatar_url: url.describe('URL of the picture; it may expire, and may not work on other websites'),
  avatar_variants: mediaVariants,
  external_url: url,
};

/** Core fields of a profile: an answer in which all of them are null is refused, see {@link coreFields}. */
export const profileCore = ['followers', 'following', 'posts'] as const;

/** The fields of every post or video, shared by the schemas of all platforms. */
export const itemFields = {
  id: identifier,
  author: text.describe('name or handle of the author'),
  published_at: identifier.describe('null when the source did not send it'),
  views: count.describe('null where the platform does not show views'),
  likes: count,
  comments: count.describe('number of comments, not the comments themselves'),
  media_url: url.describe('URL of the preview image; not always a video that can be downloaded'),
  permalink: url,
  duration_seconds: decimal.describe('null when the source did not send it'),
  hashtags: entities.describe('each hashtag once, as first written'),
  mentions: entities.describe('each account once, as first written'),
};

/**
 * Core fields of an Instagram post or a TikTok video: an answer in which all of them are null is refused, see
 * {@link coreFields}.
 */
export const itemCore = ['published_at', 'views', 'likes', 'comments', 'caption', 'media_url'] as const;

export const comment = z
  .strictObject({
    id: identifier.describe('ID of the comment on the platform'),
    content_id: identifier.describe('ID of the video or post; null when unknown'),
    parent_comment_id: identifier.describe(
      'ID of the comment that this one replies to; null for a top-level comment, or when unknown',
    ),
    text: text.describe('plain text'),
    likes: count,
    reply_count: count.describe('number of all replies, not of those in this answer'),
    author_id: identifier,
    author_username: identifier,
    author_display_name: text,
    author_avatar_url: url,
    author_profile_url: url,
    published_at: identifier,
    updated_at: identifier.describe('time of the last edit; null when unknown'),
    image_url: url.describe('signed URL of an image, on YouTube valid for six hours after retrieval; null without one'),
    image_url_retrieved_at: identifier.describe('UTC; null without an image'),
    image_url_expires_at: identifier.describe(
      'UTC; after this time, fetch the comment again for a new URL; null when unknown',
    ),
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
    embed_html: text.describe('HTML from the platform: sanitize it before you show it'),
    permalink: url,
  })
  .meta({ id: 'Playlist' })
  .register(coreFields, { fields: ['title', 'item_count', 'published_at'] });
export type Playlist = z.infer<typeof playlist>;
