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

export const longvideoChannel = z
  .strictObject({
    ...profileFields,
    created_at_platform: identifier,
    country_code: identifier,
    default_language: identifier,
    localized: localized.nullable(),
    localizations,
    total_views: count,
    hidden_subscriber_count: flag,
    subscriber_count_is_rounded: flag.describe('counts rounded to three significant figures'),
    follower_count_is_rounded: flag,
    uploads_playlist_id: identifier,
    topic_ids: identifiers,
    topic_categories: urls.describe('URLs'),
    keywords: text,
    unsubscribed_trailer: identifier.describe('trailer video ID'),
  })
  .meta({ id: 'LongvideoChannel' })
  .register(coreFields, { fields: [...profileCore, 'total_views', 'bio', 'avatar_url', 'created_at_platform'] });
export type LongvideoChannel = z.infer<typeof longvideoChannel>;

/** An omitted list differs from an empty one: an empty `allowed` blocks all countries, an empty `blocked` blocks no country. */
const regionRestriction = z.strictObject({ allowed: texts.optional(), blocked: texts.optional() });

export const longvideoItem = z
  .strictObject({
    ...itemFields,
    category_id: identifier,
    category: text.describe('category name'),
    language: identifier.describe('default metadata language'),
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
      .describe('country or authority to rating'),
    projection: identifier,
    privacy_status: identifier,
    license: identifier,
    public_stats_viewable: flag,
    made_for_kids: flag.describe('current public designation'),
    contains_synthetic_media: flag.describe('source disclosure, not a prediction'),
    paid_partnership: flag,
    topic_ids: identifiers.describe('legacy topic IDs'),
    topic_categories: urls.describe('topic-category URLs'),
    recording_date: identifier,
    embed_html: text.describe('must be sanitized before use'),
    embed_height: decimal,
    embed_width: decimal,
    live_status: z.enum(['live', 'upcoming', 'none']).nullable(),
    title: text,
    description: text,
    channel_id: identifier,
    tags: texts.describe('keyword tags, distinct from hashtags'),
    thumbnails: mediaVariants,
    author_avatar_url: url,
    channel_url: url,
    upload_date: identifier.describe('separate from published_at'),
    available_countries: identifiers.describe('allowed countries only, no inferred blocked list'),
    unlisted: flag,
    family_safe: flag.describe('not the made-for-kids designation'),
    counts_rounded: z
      .strictObject({ views: flag, likes: flag, comments: flag })
      .nullable()
      .describe('null when precision unknown'),
    caption_tracks: z.array(captionTrack).nullable().describe('no caption text'),
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
    author: text.describe('channel display name'),
    channel_id: identifier,
    language: identifier.describe('selected track, English preferred when available'),
    language_name: text,
    generated: flag.describe('true for automatic captions'),
    available_languages: z.array(captionTrack).nullable(),
    text: textOf(textLimits.transcript).nullable().describe('joined text of the selected track'),
    segment_count: count,
    duration_seconds: decimal.describe('last caption end time, not video length, null if timing incomplete'),
    segments: z
      .array(z.strictObject({ start: decimal, duration: decimal, text }))
      .nullable()
      .describe('in source order'),
  })
  .meta({ id: 'Transcript' })
  .register(coreFields, { fields: ['text'] });
export type Transcript = z.infer<typeof transcript>;

export const playlistEntry = z
  .strictObject({
    id: identifier.describe('entry ID; duplicate occurrences of a video have distinct entry IDs'),
    playlist_id: identifier,
    content_id: identifier.describe('video ID'),
    resource_kind: identifier.describe('normally a video kind'),
    position: count.describe('zero-based'),
    title: text,
    description: text,
    author: text.describe("video owner's channel name"),
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
    id: identifier.describe('matched object ID'),
    result_type: z.enum(['video', 'channel', 'playlist']).nullable(),
    title: text,
    description: text.describe('snippet'),
    channel_id: identifier,
    author: text.describe('channel name'),
    published_at: identifier,
    thumbnails: mediaVariants,
    live_status: identifier,
    permalink: url,
    query: text.describe('submitted query'),
    position: count.describe('one-based position in the API result traversal, not personalized ranking'),
    region_code: identifier.describe('requested region if specified'),
    language: identifier.describe('requested relevance language if specified'),
    order: identifier.describe('requested sorting order'),
  })
  .meta({ id: 'SearchResult' })
  .register(coreFields, { fields: ['title', 'published_at'] });
export type SearchResult = z.infer<typeof searchResult>;
