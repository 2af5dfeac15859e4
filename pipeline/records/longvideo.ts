import { z } from 'zod';
import {
  count,
  decimal,
  flag,
  itemFields,
  localizations,
  localized,
  mediaVariants,
  profileFields,
  text,
  texts,
} from './shared.ts';

const captionTrack = z.strictObject({
  language: text,
  language_name: text,
  generated: flag,
  translatable: flag,
});

export const longvideoChannel = z
  .strictObject({
    ...profileFields,
    created_at_platform: text,
    country_code: text,
    default_language: text,
    localized: localized.nullable(),
    localizations,
    total_views: count,
    hidden_subscriber_count: flag,
    subscriber_count_is_rounded: flag.describe('counts rounded to three significant figures'),
    follower_count_is_rounded: flag,
    uploads_playlist_id: text,
    topic_ids: texts,
    topic_categories: texts.describe('URLs'),
    keywords: text,
    unsubscribed_trailer: text.describe('trailer video ID'),
  })
  .meta({ id: 'LongvideoChannel' });
export type LongvideoChannel = z.infer<typeof longvideoChannel>;

/** An omitted list differs from an empty one: an empty `allowed` blocks all countries, an empty `blocked` blocks no country. */
const regionRestriction = z.strictObject({ allowed: texts.optional(), blocked: texts.optional() });

export const longvideoItem = z
  .strictObject({
    ...itemFields,
    category_id: text,
    category: text.describe('category name'),
    language: text.describe('default metadata language'),
    audio_language: text,
    localized: localized.nullable(),
    localizations,
    duration_iso8601: text,
    dimension: text.describe('2d or 3d'),
    definition: text.describe('hd or sd'),
    licensed_content: flag,
    region_restriction: regionRestriction.nullable(),
    content_rating: z.record(z.string(), z.unknown()).nullable().describe('country or authority to rating'),
    projection: text,
    privacy_status: text,
    license: text,
    public_stats_viewable: flag,
    made_for_kids: flag.describe('current public designation'),
    contains_synthetic_media: flag.describe('source disclosure, not a prediction'),
    paid_partnership: flag,
    topic_ids: texts.describe('legacy topic IDs'),
    topic_categories: texts.describe('topic-category URLs'),
    recording_date: text,
    embed_html: text.describe('must be sanitized before use'),
    embed_height: decimal,
    embed_width: decimal,
    live_status: z.enum(['live', 'upcoming', 'none']).nullable(),
    title: text,
    description: text,
    channel_id: text,
    tags: texts.describe('keyword tags, distinct from hashtags'),
    thumbnails: mediaVariants,
    author_avatar_url: text,
    channel_url: text,
    upload_date: text.describe('separate from published_at'),
    available_countries: texts.describe('allowed countries only, no inferred blocked list'),
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
        actual_start_time: text,
        actual_end_time: text,
        is_live_now: flag,
        scheduled_start_time: text,
        scheduled_end_time: text,
        concurrent_viewers: count,
        active_live_chat_id: text,
      })
      .nullable(),
  })
  .meta({ id: 'LongvideoItem' });
export type LongvideoItem = z.infer<typeof longvideoItem>;

export const transcript = z
  .strictObject({
    video_id: text,
    video_title: text,
    author: text.describe('channel display name'),
    channel_id: text,
    language: text.describe('selected track, English preferred when available'),
    language_name: text,
    generated: flag.describe('true for automatic captions'),
    available_languages: z.array(captionTrack).nullable(),
    text: text.describe('joined text of the selected track'),
    segment_count: count,
    duration_seconds: decimal.describe('last caption end time, not video length, null if timing incomplete'),
    segments: z
      .array(z.strictObject({ start: decimal, duration: decimal, text }))
      .nullable()
      .describe('in source order'),
  })
  .meta({ id: 'Transcript' });
export type Transcript = z.infer<typeof transcript>;

export const playlistEntry = z
  .strictObject({
    id: text.describe('entry ID; duplicate occurrences of a video have distinct entry IDs'),
    playlist_id: text,
    content_id: text.describe('video ID'),
    resource_kind: text.describe('normally a video kind'),
    position: count.describe('zero-based'),
    title: text,
    description: text,
    author: text.describe("video owner's channel name"),
    author_id: text,
    playlist_owner_id: text,
    playlist_owner_name: text,
    added_at: text,
    published_at: text,
    thumbnails: mediaVariants,
    privacy_status: text,
    permalink: text,
  })
  .meta({ id: 'PlaylistEntry' });
export type PlaylistEntry = z.infer<typeof playlistEntry>;

export const searchResult = z
  .strictObject({
    id: text.describe('matched object ID'),
    result_type: z.enum(['video', 'channel', 'playlist']).nullable(),
    title: text,
    description: text.describe('snippet'),
    channel_id: text,
    author: text.describe('channel name'),
    published_at: text,
    thumbnails: mediaVariants,
    live_status: text,
    permalink: text,
    query: text.describe('submitted query'),
    position: count.describe('one-based position in the API result traversal, not personalized ranking'),
    region_code: text.describe('requested region if specified'),
    language: text.describe('requested relevance language if specified'),
    order: text.describe('requested sorting order'),
  })
  .meta({ id: 'SearchResult' });
export type SearchResult = z.infer<typeof searchResult>;
