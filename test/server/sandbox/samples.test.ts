import { afterEach, describe, expect, it, vi } from 'vitest';
import { shortcodeToPk } from '../../../pipeline/parse/shortcodes.ts';
import { type RouteSample, type SampleRecord, samples } from '../../../server/sandbox/samples.ts';
import { paths, schemaOf, specifiedRecords } from './sample-schemas.ts';

const profile =
  'id username display_name bio profile_url followers following posts verified private avatar_url avatar_variants external_url';
const core = 'id author published_at views likes comments media_url permalink duration_seconds hashtags mentions';
const photoItem = `${core} author_id author_display_name author_verified author_avatar_url platform_content_id caption media_type
  media_product_type width height video_url comments_enabled paid_partnership accessibility_caption location tagged_users media_assets children`;
const shortvideoItem = `${core} caption shares favorites width height author_id author_display_name author_verified author_avatar_url
  region_code video_url subtitle_tracks effects stickers music playlist_id pinned media_assets`;
const longvideoItem = `${core} category_id category language audio_language localized localizations duration_iso8601 dimension definition
  licensed_content region_restriction content_rating projection privacy_status license public_stats_viewable made_for_kids
  contains_synthetic_media paid_partnership topic_ids topic_categories recording_date embed_html embed_height embed_width live_status title
  description channel_id tags thumbnails author_avatar_url channel_url upload_date available_countries unlisted family_safe counts_rounded
  caption_tracks is_live is_live_content captions_available embeddable live`;
const playlist =
  'id title description author account_id item_count published_at updated_at thumbnails language localized localizations privacy_status embed_html permalink';
const comment = `id content_id parent_comment_id text likes reply_count author_id author_username author_display_name author_avatar_url
  author_profile_url published_at updated_at image_url image_url_retrieved_at image_url_expires_at`;

/**
 * The fields that each route must return. The list is maintained by hand, so that a test fails when a field in
 * docs/openapi.json is renamed or removed. The fields of an ad are not listed.
 */
const specified: Readonly<Record<string, string>> = {
  '/v1/photo/profile': `${profile} account_type category follower_count_is_rounded bio_links`,
  '/v1/photo/posts': photoItem,
  '/v1/photo/post': photoItem,
  '/v1/photo/post/children': 'id position media_type media_url video_url width height',
  '/v1/photo/hashtag': 'id name description content_count views cover_url permalink',
  '/v1/shortvideo/profile': `${profile} likes region language`,
  '/v1/shortvideo/videos': shortvideoItem,
  '/v1/shortvideo/video': shortvideoItem,
  '/v1/shortvideo/music': 'id title author original duration_seconds cover_url play_url content_count permalink',
  '/v1/shortvideo/playlist': playlist,
  '/v1/shortvideo/comments': comment,
  '/v1/longvideo/video': longvideoItem,
  '/v1/longvideo/transcript':
    'video_id video_title author channel_id language language_name generated available_languages text segment_count duration_seconds segments',
  '/v1/longvideo/channel': `${profile} created_at_platform country_code default_language localized localizations total_views
    hidden_subscriber_count subscriber_count_is_rounded follower_count_is_rounded uploads_playlist_id topic_ids topic_categories keywords
    unsubscribed_trailer`,
  '/v1/longvideo/channel/videos': longvideoItem,
  '/v1/longvideo/channel/playlists': playlist,
  '/v1/longvideo/playlist/items': `id playlist_id content_id resource_kind position title description author author_id playlist_owner_id
    playlist_owner_name added_at published_at thumbnails privacy_status permalink`,
  '/v1/longvideo/comments': comment,
  '/v1/longvideo/search': `id result_type title description channel_id author published_at thumbnails live_status permalink query position
    region_code language order`,
};

/**
 * Fields that may be null in a single sample: a carousel has no video, a hashtag has no views, and the API gives no
 * `following`.
 */
const sensiblyNull: Readonly<Record<string, string[]>> = {
  '/v1/photo/post': ['duration_seconds', 'video_url', 'views'],
  '/v1/photo/hashtag': ['views'],
  '/v1/shortvideo/playlist': ['embed_html'],
  '/v1/longvideo/channel': ['following'],
};

/** Fields that may be null in every row of a sample list. */
const alwaysNull: Readonly<Record<string, string[]>> = {
  '/v1/photo/reels': ['children'],
  '/v1/photo/user/reels': ['children'],
  '/v1/photo/hashtag/posts': ['author_avatar_url', 'author_display_name', 'author_id', 'author_verified'],
  '/v1/shortvideo/comments': ['parent_comment_id', 'updated_at'],
  '/v1/shortvideo/comment/replies': ['reply_count', 'updated_at'],
  '/v1/longvideo/comments': ['parent_comment_id'],
  '/v1/longvideo/comment/replies': ['reply_count'],
};
const withoutPictures = ['image_url', 'image_url_expires_at', 'image_url_retrieved_at', 'updated_at'];

function sampleOf(path: string): RouteSample {
  const sample = samples[path];
  if (!sample) throw new Error(`no sample of ${path}`);
  return sample;
}

function recordsOf(path: string): readonly SampleRecord[] {
  const sample = sampleOf(path);
  return 'rows' in sample ? sample.rows : [sample.record];
}

function unknownEverywhere(path: string): string[] {
  const records = recordsOf(path);
  const fields = Object.keys(schemaOf(path).shape);
  return fields.filter((field) => records.every((record) => record[field] === null)).sort();
}

function expectedUnknown(path: string): string[] {
  const known = 'rows' in sampleOf(path) ? alwaysNull[path] : sensiblyNull[path];
  if (known) return known;
  return /comment/.test(path) ? [...withoutPictures, 'parent_comment_id'].sort() : [];
}

/** Returns every string inside a record, at any depth. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

const lists = paths.filter((path) => 'rows' in sampleOf(path));

describe('the sandbox sample of a route', () => {
  it('a sample exists for every route that is not planned, and for no other', () => {
    expect(Object.keys(samples).sort()).toEqual([...paths].sort());
  });

  it.each(Object.entries(specifiedRecords))(
    'the sample of %s has the record that the route must return',
    (path, record) => {
      expect(schemaOf(path)).toBe(record);
    },
  );

  it.each(paths)('the sample of %s matches the schema of its record and has every field', (path) => {
    for (const record of recordsOf(path)) {
      expect(() => schemaOf(path).parse(record)).not.toThrow();
      const fields = specified[path]?.split(/\s+/).sort();
      if (fields) expect(Object.keys(record).sort()).toEqual(fields);
    }
  });

  it.each(paths)('the sample of %s fills every field that it can have', (path) => {
    expect(unknownEverywhere(path)).toEqual(expectedUnknown(path));
  });

  it.each(lists)(
    'the sample of %s has a second page after twenty rows, and each row has a different identity',
    (path) => {
      const ids = recordsOf(path).map(({ id }) => id);
      expect(ids.length).toBeGreaterThan(20);
      expect(ids.length).toBeLessThanOrEqual(25);
      expect(new Set(ids).size).toBe(ids.length);
    },
  );

  it.each(paths)(
    'the sample of %s names in its quality only fields that it has, and hidden or not exposed fields are null',
    (path) => {
      for (const [field, state] of Object.entries(sampleOf(path).quality)) {
        const [name = '', row = '0'] = field.split('.').reverse();
        const value = recordsOf(path)[Number(row)]?.[name];
        if (state === 'rounded') expect(value).toBeTypeOf('number');
        else expect(value).toBeNull();
      }
    },
  );

  it('the sample of a route is the same at any time', async () => {
    vi.useFakeTimers({ now: Date.UTC(2040, 0, 1) });
    vi.resetModules();
    const later = await import('../../../server/sandbox/samples.ts');
    expect(JSON.stringify(later.samples)).toBe(JSON.stringify(samples));
  });
  afterEach(() => {
    vi.useRealTimers();
  });
});

describe('all sandbox samples together', () => {
  const strings = Object.values(samples).flatMap(stringsIn);
  const photos = recordsOf('/v1/photo/posts');

  it('the samples contain only addresses of example hosts', () => {
    const hosts = strings.flatMap((text) => [...text.matchAll(/https?:\/\/([^/"\s]+)/g)].map(([, host]) => host));
    expect(hosts.length).toBeGreaterThan(100);
    for (const host of hosts) expect(host).toMatch(/(^|\.)example\.(com|org)$/);
  });

  it('the samples contain ids above 2^53 as strings', () => {
    const beyond = (path: string) => recordsOf(path).some(({ id }) => BigInt(String(id)) > Number.MAX_SAFE_INTEGER);
    expect(['/v1/photo/profile', '/v1/shortvideo/video', '/v1/shortvideo/comments'].every(beyond)).toBe(true);
  });

  it('the samples have the media id that belongs to the shortcode of the post', () => {
    for (const { id, platform_content_id } of photos) expect(platform_content_id).toBe(shortcodeToPk(String(id)));
  });

  it.each(['=', '+', '-', '@'])(
    'the samples have a text that begins with %s, which a spreadsheet takes for a formula',
    (sign) => {
      expect(photos.some(({ caption }) => String(caption).startsWith(sign))).toBe(true);
      expect(recordsOf('/v1/longvideo/comments').some(({ text }) => String(text).startsWith(sign))).toBe(true);
    },
  );

  it.each(['Latin', 'Han', 'Hiragana', 'Arabic', 'Hebrew', 'Cyrillic', 'Greek', 'Devanagari', 'Hangul'])(
    'the samples have text in %s script',
    (script) => {
      const letters = new RegExp(`\\p{Script=${script}}`, 'u');
      expect(strings.some((text) => letters.test(text))).toBe(true);
    },
  );

  it('the samples distinguish an empty region list from an omitted one', () => {
    const restrictions = recordsOf('/v1/longvideo/channel/videos').map((item) => item.region_restriction);
    expect(restrictions).toContainEqual({ allowed: [] });
    expect(restrictions).toContainEqual({ blocked: [] });
  });
});
