import type { Comment, Hashtag, Playlist } from '../../../pipeline/records/shared.ts';
import type { ShortvideoItem, ShortvideoProfile, Sound } from '../../../pipeline/records/shortvideo.ts';
import { type CommentContext, commentRow } from './comments.ts';
import {
  bio,
  caption,
  countOf,
  daysEarlier,
  displayName,
  handle,
  media,
  pad,
  pictures,
  sampleAvatar,
  sampleAvatars,
  sampleRows,
  website,
} from './invented.ts';

const site = 'https://shortvideo.example.com';

/**
 * Returns an id of nineteen digits. As with real ids, the number is above 2^53, so a JavaScript number cannot represent
 * it exactly.
 */
function longId(family: number, index: number): string {
  return `79999999999${family}${pad(index, 7)}`;
}

const accountId = longId(1, 0);
const playlistId = longId(4, 0);

/** A profile whose source rounds followers to 48.7K. The sample's quality therefore marks this number as rounded. */
export const shortvideoProfileSample: ShortvideoProfile = {
  id: accountId,
  username: handle,
  display_name: displayName,
  bio,
  profile_url: `${site}/@${handle}`,
  followers: 48_700,
  following: 120,
  posts: 233,
  verified: true,
  private: false,
  avatar_url: sampleAvatar,
  avatar_variants: sampleAvatars,
  external_url: website,
  likes: 1_204_611,
  region: 'DE',
  language: 'de',
};

const music = {
  id: longId(3, 0),
  title: 'Wellen am Morgen (原声)',
  author: displayName,
  original: true,
  duration_seconds: 31,
  cover_url: media('shortvideo/sound.jpg'),
  play_url: media('shortvideo/sound.mp3?signature=invented'),
};

export const shortvideoSoundSample: Sound = {
  ...music,
  content_count: 1_874,
  permalink: `${site}/music/Wellen-am-Morgen-${music.id}`,
};

export const shortvideoHashtagSample: Hashtag = {
  id: longId(5, 0),
  name: 'lowtide',
  description: 'What the sea leaves behind 🦀',
  content_count: 52_900,
  views: 310_400_000,
  cover_url: media('shortvideo/tag-lowtide.jpg'),
  permalink: `${site}/tag/lowtide`,
};

export const shortvideoPlaylistSample: Playlist = {
  id: playlistId,
  title: 'Every low tide of 2026',
  description: 'One clip a month, in order.',
  author: handle,
  account_id: accountId,
  item_count: 24,
  published_at: daysEarlier(60),
  updated_at: daysEarlier(1),
  thumbnails: pictures('shortvideo/playlist', 'thumbnail', [['cover', 720, 1280]]),
  language: 'de',
  localized: { title: 'Jede Ebbe 2026', description: 'Ein Clip im Monat.' },
  localizations: { de: { title: 'Jede Ebbe 2026', description: 'Ein Clip im Monat.' } },
  privacy_status: 'public',
  embed_html: null,
  permalink: `${site}/@${handle}/playlist/every-low-tide-${playlistId}`,
};

const author = {
  author: handle,
  author_id: accountId,
  author_display_name: displayName,
  author_verified: true,
  author_avatar_url: sampleAvatar,
};

/**
 * Fields that are null in some sample videos, by row index, because real sources often omit them. Row 2 is an old
 * video. Row 4 is from an embed page with few fields. Row 7 has a removed sound.
 */
const gaps: Readonly<Record<number, Partial<ShortvideoItem>>> = {
  2: { favorites: null, subtitle_tracks: null, region_code: null },
  4: { likes: null, comments: null, shares: null, favorites: null, duration_seconds: null, published_at: null },
  7: { music: null, effects: null, stickers: null },
};

function shortvideoItem(index: number, pinned: boolean): ShortvideoItem {
  const { text, hashtags, mentions } = caption(index);
  const id = longId(0, index);
  return {
    ...author,
    id,
    published_at: daysEarlier(index),
    views: countOf(21_000, index),
    likes: countOf(1_900, index),
    comments: (index * 29) % 403,
    media_url: media(`shortvideo/${pad(index)}.jpg?signature=invented`),
    permalink: `${site}/@${handle}/video/${id}`,
    duration_seconds: 11 + index,
    hashtags,
    mentions,
    caption: text,
    shares: countOf(90, index),
    favorites: countOf(210, index),
    width: 720,
    height: 1280,
    region_code: 'DE',
    video_url: media(`shortvideo/${pad(index)}.mp4?signature=invented`),
    subtitle_tracks: [
      { language: 'deu-DE', language_id: '10', url: media(`shortvideo/${pad(index)}.vtt`), format: 'webvtt' },
    ],
    effects: [{ id: '990001', name: 'Slow tide' }],
    stickers: [{ type: 4, texts: ['06:12 ⏰', 'Ebbe'] }],
    music,
    playlist_id: playlistId,
    pinned,
    media_assets: pictures(`shortvideo/${pad(index)}`, 'image', [
      ['cover', 720, 1280],
      ['originCover', 1080, 1920],
    ]),
    ...gaps[index],
  };
}

export const shortvideoItemsSample: ShortvideoItem[] = sampleRows((index) => shortvideoItem(index, index === 0));
export const shortvideoPinnedSample: ShortvideoItem[] = sampleRows((index) => shortvideoItem(index, true));
export const shortvideoVideoSample: ShortvideoItem = shortvideoItem(0, true);

const context: CommentContext = {
  site: 'shortvideo',
  content_id: longId(0, 0),
  idOf: (row) => longId(6, row),
  authorIdOf: (row) => longId(1, row + 1),
  parent_comment_id: null,
  pictures: true,
  edits: false,
};

export const shortvideoCommentsSample: Comment[] = sampleRows((index) => commentRow(context, index));
export const shortvideoRepliesSample: Comment[] = sampleRows((index) =>
  commentRow({ ...context, idOf: (row) => longId(7, row), parent_comment_id: longId(6, 0) }, index),
);
