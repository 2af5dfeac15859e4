import type { LongvideoItem, Transcript } from '../../../pipeline/records/longvideo.ts';
import type { MediaVariant } from '../../../pipeline/records/shared.ts';
import {
  caption,
  countOf,
  daysEarlier,
  displayName,
  media,
  pad,
  pictures,
  sampleAvatar,
  sampleRows,
} from './invented.ts';

export const sampleSite = 'https://longvideo.example.com';
export const sampleChannelId = 'UCtidemarkSampleChannel1';

/** Returns a video id of eleven characters, as on YouTube. */
export function videoId(index: number): string {
  return `tidemarkS${pad(index)}`;
}

/** Returns the pictures of an invented video in three sizes, as YouTube has them. */
export function thumbnails(name: string): MediaVariant[] {
  return pictures(`longvideo/${name}`, 'thumbnail', [
    ['default', 120, 90],
    ['high', 480, 360],
    ['maxres', 1280, 720],
  ]);
}

const captionTracks = [
  { language: 'en', language_name: 'English', generated: false, translatable: true },
  { language: 'de', language_name: 'German (auto-generated)', generated: true, translatable: true },
];

function textFields(index: number) {
  const { text, hashtags, mentions } = caption(index);
  const title = text.split('\n', 1)[0] ?? text;
  const description = `${text}\n\nChapters:\n0:00 High water\n2:31 Low water`;
  return {
    title,
    description,
    hashtags,
    mentions,
    localized: { title, description },
    localizations: {
      en: { title: `Tide diary ${pad(index)}`, description: 'A day at the sample harbour.' },
      ja: { title: `潮の日記 ${pad(index)}`, description: '見本の港の一日。' },
    },
    tags: ['tide', 'harbour', 'Ebbe und Flut'],
    language: 'en',
    audio_language: 'en-GB',
    category_id: '19',
    category: 'Travel & Events',
    topic_ids: ['/m/0invent1'],
    topic_categories: ['https://www.example.org/topics/Tourism'],
  };
}

function countFields(index: number) {
  return {
    views: countOf(84_000, index),
    likes: countOf(3_100, index),
    comments: (index * 41) % 907,
    counts_rounded: { views: false, likes: false, comments: false },
    public_stats_viewable: true,
    duration_seconds: 301 + index,
    duration_iso8601: `PT5M${1 + index}S`,
    published_at: daysEarlier(index * 7),
    upload_date: daysEarlier(index * 7, 1),
    recording_date: daysEarlier(index * 7 + 3),
  };
}

function channelFields(index: number) {
  const id = videoId(index);
  return {
    author: displayName,
    channel_id: sampleChannelId,
    channel_url: `${sampleSite}/channel/${sampleChannelId}`,
    author_avatar_url: sampleAvatar,
    permalink: `${sampleSite}/watch?v=${id}`,
    media_url: media(`longvideo/${id}-maxres.jpg?signature=invented`),
    thumbnails: thumbnails(id),
    embed_html: `<iframe width="640" height="360" src="${sampleSite}/embed/${id}" allowfullscreen></iframe>`,
    embed_width: 640,
    embed_height: 360,
  };
}

const restrictionFields = {
  dimension: '2d',
  definition: 'hd',
  projection: 'rectangular',
  licensed_content: false,
  license: 'creativeCommon',
  privacy_status: 'public',
  unlisted: false,
  embeddable: true,
  family_safe: true,
  made_for_kids: false,
  contains_synthetic_media: false,
  paid_partnership: false,
  region_restriction: { blocked: ['AQ'] },
  available_countries: ['DE', 'FR', 'JP', 'US'],
  content_rating: { fskRating: 'fsk0' },
  captions_available: true,
  caption_tracks: captionTracks,
};

/** A premiere that has ended, with start and end times, but without viewers and chat. */
const premiere = {
  live_status: 'none',
  is_live: false,
  is_live_content: true,
  live: {
    actual_start_time: '2026-03-01T05:00:04.000Z',
    actual_end_time: '2026-03-01T05:05:05.000Z',
    is_live_now: false,
    scheduled_start_time: '2026-03-01T05:00:00.000Z',
    scheduled_end_time: '2026-03-01T05:05:00.000Z',
    concurrent_viewers: null,
    active_live_chat_id: null,
  },
} as const;

/** A premiere that is live and never ends, because samples never change. */
const liveBroadcast = {
  live_status: 'live',
  is_live: true,
  is_live_content: true,
  duration_seconds: null,
  duration_iso8601: 'P0D',
  live: {
    actual_start_time: '2026-03-01T05:00:04.000Z',
    actual_end_time: null,
    is_live_now: true,
    scheduled_start_time: '2026-03-01T05:00:00.000Z',
    scheduled_end_time: null,
    concurrent_viewers: 1_212,
    active_live_chat_id: 'invented-live-chat',
  },
} as const;

const noBroadcast = { live_status: 'none', is_live: false, is_live_content: false, live: null } as const;

/**
 * Fields in which some sample videos differ from a normal video, by row index. Row 1 is a live premiere. Row 2 has
 * hidden likes and closed comments. Row 3 has an empty list of allowed regions, and row 4 an empty list of blocked
 * regions. Rows 6 and 9 are from a source with few fields.
 */
const differences: Readonly<Record<number, Partial<LongvideoItem>>> = {
  1: liveBroadcast,
  2: { likes: null, comments: null, counts_rounded: { views: false, likes: null, comments: null } },
  3: { region_restriction: { allowed: [] }, available_countries: [] },
  4: { region_restriction: { blocked: [] } },
  6: { counts_rounded: null, localizations: null, tags: null, topic_ids: null, topic_categories: null },
  9: { caption_tracks: null, captions_available: null, recording_date: null, upload_date: null },
};

function longvideoItem(index: number): LongvideoItem {
  return {
    id: videoId(index),
    ...textFields(index),
    ...countFields(index),
    ...channelFields(index),
    ...restrictionFields,
    ...(index === 0 ? premiere : noBroadcast),
    ...differences[index],
  };
}

export const longvideoItemsSample: LongvideoItem[] = sampleRows(longvideoItem);
export const longvideoVideoSample: LongvideoItem = longvideoItem(0);

const lines = [
  'This is the sample harbour, and the water is going out.',
  'Twice a day the sea leaves, and twice a day it comes back.',
  'The table says twelve minutes past six.',
  '[gulls]',
  'The table is right.',
  'Look at the crab! 🦀',
  'In six hours all this will be water again.',
  'Thank you for reading a caption that was never spoken.',
];
const lineSeconds = 4.5;
const segments = lines.map((text, index) => ({ start: index * lineSeconds, duration: lineSeconds, text }));

export const longvideoTranscriptSample: Transcript = {
  video_id: videoId(0),
  video_title: longvideoVideoSample.title,
  author: displayName,
  channel_id: sampleChannelId,
  language: 'en',
  language_name: 'English',
  generated: false,
  available_languages: captionTracks,
  text: lines.join(' '),
  segment_count: segments.length,
  duration_seconds: segments.length * lineSeconds,
  segments,
};
