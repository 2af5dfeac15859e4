import { z } from 'zod';
import { coreFields } from './core.ts';
import { textLimits } from './limits.ts';
import {
  byCode,
  count,
  decimal,
  flag,
  identifier,
  identifiers,
  itemFields,
  localizations,
  localized,
  mediaVariants,
  profileCore,
  profileFields,
  text,
  textOf,
  texts,
  url,
  urls,
} from './shared.ts';

const captionTrack = z.strictObject({
  language: identifier,
  language_name: text,
  generated: flag,
  translatable: flag,
});

export const longvideoChannelRecord = z
  .strictObject({
    ...profileFields,
    created_at_platform: identifier,
    country_code: identifier,
    default_language: identifier,
    localized: localized.nullable(),
    localizations,
    total_views: count,
    hidden_subscriber_count: flag,
    subscriber_count_is_rounded: flag.describe('true when followers is rounded to three significant figures'),
    follower_count_is_rounded: flag,
    uploads_playlist_id: identifier,
    topic_ids: identifiers,
    topic_categories: urls.describe('URLs of the topics'),
    keywords: text,
    unsubscribed_trailer: identifier.describe('ID of the trailer that visitors see who are not subscribed'),
  })
  .meta({ id: 'LongvideoChannel' })
  .register(coreFields, { fields: [...profileCore, 'total_views', 'bio', 'avatar_url', 'created_at_platform'] });
export type LongvideoChannel = z.infer<typeof longvideoChannelRecord>;

/**
 * Countries in which a YouTube video is allowed or blocked. A missing list means no restriction. An empty `allowed`
 * blocks all countries, and an empty `blocked` blocks none.
 */
const regionRestriction = z.strictObject({ allowed: texts.optional(), blocked: texts.optional() });

export const longvideoItem = z
  .strictObject({
    ...itemFields,
    category_id: identifier,
    category: text.describe('name of the category'),
    language: identifier.describe('language of title and description'),
    audio_language: identifier,
    localized: localized.nullable(),
    localizations,
    duration_iso8601: identifier,
    dimension: identifier.describe('2d or 3d'),
    definition: identifier.describe('hd or sd'),
    licensed_content: flag,
    region_restriction: regionRestriction.nullable(),
    content_rating: byCode(z.union([identifier, identifiers]))
      .nullable()
      .describe('maps a country or rating authority to its rating'),
    projection: identifier,
    privacy_status: identifier,
    license: identifier,
    public_stats_viewable: flag,
    made_for_kids: flag.describe('true when the video is publicly marked as made for kids'),
    contains_synthetic_media: flag.describe('true when the platform discloses it; never guessed'),
    paid_partnership: flag,
    topic_ids: identifiers.describe('topic IDs in the old format'),
    topic_categories: urls.describe('URLs of the topics'),
    recording_date: identifier,
    embed_html: text.describe('HTML from the platform: sanitize it before you show it'),
    embed_height: decimal,
    embed_width: decimal,
    live_status: z.enum(['live', 'upcoming', 'none']).nullable(),
    title: text,
    description: text,
    channel_id: identifier,
    tags: texts.describe('keywords of the author; hashtags are in hashtags'),
    thumbnails: mediaVariants,
    author_avatar_url: url,
    channel_url: url,
    upload_date: identifier.describe('time of the upload, which can differ from published_at'),
    available_countries: identifiers.describe(
      'countries where the video is allowed; the blocked ones are not derived from them',
    ),
    unlisted: flag,
    family_safe: flag.describe('YouTube’s family-safe flag, which is different from made_for_kids'),
    counts_rounded: z
      .strictObject({ views: flag, likes: flag, comments: flag })
      .nullable()
      .describe('which counts are rounded; null when unknown'),
    caption_tracks: z.array(captionTrack).nullable().describe('the available captions, without their text'),
    is_live: flag,
    is_live_content: flag,
    captions_available: flag,
    embeddable: flag,
    live: z
      .strictObject({
        actual_start_time: identifier,
        actual_end_time: identifier,
        is_live_now: flag,
        scheduled_start_time: identifier,
        scheduled_end_time: identifier,
        concurrent_viewers: count,
        active_live_chat_id: identifier,
      })
      .nullable(),
  })
  .meta({ id: 'LongvideoItem' })
  .register(coreFields, { fields: ['title', 'published_at', 'views', 'duration_seconds'] });
export type LongvideoItem = z.infer<typeof longvideoItem>;

export const transcript = z
  .strictObject({
    video_id: identifier,
    video_title: text,
    author: text.describe('name of the channel'),
    channel_id: identifier,
    language: identifier.describe('language of this transcript; English when it is available'),
    language_name: text,
    generated: flag.describe('true for automatic captions'),
    available_languages: z.array(captionTrack).nullable(),
    text: textOf(textLimits.transcript).nullable().describe('the whole text of the transcript'),
    segment_count: count,
    duration_seconds: decimal.describe(
      'end time of the last caption, not the length of the video; null when times are missing',
    ),
    segments: z
      .array(z.strictObject({ start: decimal, duration: decimal, text }))
      .nullable()
      .describe('parts of the text with their times in seconds, in order'),
  })
  .meta({ id: 'Transcript' })
  .register(coreFields, { fields: ['text'] });
export type Transcript = z.infer<typeof transcript>;

export const playlistEntry = z
  .strictObject({
    id: identifier.describe('ID of the entry; a video that is in the list twice has two entries with different IDs'),
    playlist_id: identifier,
    content_id: identifier.describe('ID of the video'),
    resource_kind: identifier.describe('kind of the entry as YouTube names it, usually a video'),
    position: count.describe('position in the list, from 0'),
    title: text,
    description: text,
    author: text.describe('name of the channel that owns the video'),
    author_id: identifier,
    playlist_owner_id: identifier,
    playlist_owner_name: text,
    added_at: identifier,
    published_at: identifier,
    thumbnails: mediaVariants,
    privacy_status: identifier,
    permalink: url,
  })
  .meta({ id: 'PlaylistEntry' })
  .register(coreFields, { fields: ['title', 'position', 'added_at'] });
export type PlaylistEntry = z.infer<typeof playlistEntry>;

export const searchResult = z
  .strictObject({
    id: identifier.describe('ID of the video, channel or playlist that was found'),
    result_type: z.enum(['video', 'channel', 'playlist']).nullable(),
    title: text,
    description: text.describe('shortened description'),
    channel_id: identifier,
    author: text.describe('name of the channel'),
    published_at: identifier,
    thumbnails: mediaVariants,
    live_status: identifier,
    permalink: url,
    query: text.describe('search terms of the request'),
    position: count.describe('position in these results, from 1; not a personalized ranking'),
    region_code: identifier.describe('region_code of the request; null without one'),
    language: identifier.describe('language of the request; null without one'),
    order: identifier.describe('order of the request'),
  })
  .meta({ id: 'SearchResult' })
  .register(coreFields, { fields: ['title', 'published_at'] });
export type SearchResult = z.infer<typeof searchResult>;
