import type { PhotoChild, PhotoItem, PhotoProfile } from '../../../pipeline/records/photo.ts';
import type { Comment, Hashtag } from '../../../pipeline/records/shared.ts';
import { commentRow } from './comments.ts';
import {
  bio,
  caption,
  countOf,
  cycle,
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

const site = 'https://photo.example.com';
const accountId = '99000000000000001';
/**
 * Media id of the post in row 0. The shortcode of this post is HTidemarkSa. In each following row, the id is 1 higher
 * and the shortcode ends with the next letter.
 */
const firstMediaId = 8_422_423_899_319_190_682n;

export const photoProfileSample: PhotoProfile = {
  id: accountId,
  username: handle,
  display_name: displayName,
  bio,
  profile_url: `${site}/${handle}/`,
  followers: 12_408,
  following: 311,
  posts: 486,
  verified: false,
  private: false,
  avatar_url: sampleAvatar,
  avatar_variants: sampleAvatars,
  external_url: website,
  account_type: 'business',
  category: 'Harbour',
  follower_count_is_rounded: false,
  bio_links: [
    { url: website, title: 'Tide tables 2026' },
    { url: 'https://www.example.org/boats', title: '小舟 ⛵' },
  ],
};

export const photoChildrenSample: PhotoChild[] = sampleRows((position) => {
  const video = position % 4 === 1;
  return {
    id: String(firstMediaId + 4_096n + BigInt(position)),
    position,
    media_type: video ? 'video' : 'image',
    media_url: media(`photo/child-${pad(position)}.jpg`),
    video_url: video ? media(`photo/child-${pad(position)}.mp4`) : null,
    width: 1080,
    height: position === 2 ? null : 1350,
  };
});

const author = {
  author: handle,
  author_id: accountId,
  author_display_name: displayName,
  author_verified: false,
  author_avatar_url: sampleAvatar,
};

/**
 * Fields that are null in some sample posts, by row index, because real sources often omit them. Row 2 has hidden
 * likes. Row 5 has no caption. Row 8 is from a page that asks the visitor to sign in.
 */
const gaps: Readonly<Record<number, Partial<PhotoItem>>> = {
  2: { likes: null, location: null, tagged_users: null },
  5: { caption: null, hashtags: null, mentions: null, accessibility_caption: null },
  8: { author_id: null, author_verified: null, media_product_type: null, comments_enabled: null, media_assets: null },
};

function photoItem(index: number, mediaType: 'image' | 'video' | 'carousel'): PhotoItem {
  const { text, hashtags, mentions } = caption(index);
  const video = mediaType === 'video';
  const shortcode = `HTidemarkS${String.fromCharCode(97 + index)}`;
  return {
    ...author,
    id: shortcode,
    platform_content_id: String(firstMediaId + BigInt(index)),
    published_at: daysEarlier(index),
    views: video ? countOf(5_200, index) : null,
    likes: countOf(640, index),
    comments: (index * 13) % 97,
    media_url: media(`photo/${pad(index)}.jpg`),
    permalink: `${site}/${video ? 'reel' : 'p'}/${shortcode}/`,
    duration_seconds: video ? 14.5 + index : null,
    hashtags,
    mentions,
    caption: text,
    media_type: mediaType,
    media_product_type: video ? 'reels' : 'feed',
    width: 1080,
    height: video ? 1920 : 1350,
    video_url: video ? media(`photo/${pad(index)}.mp4?signature=invented`) : null,
    comments_enabled: index !== 4,
    paid_partnership: index === 7,
    accessibility_caption: 'Picture of wet sand with a jetty; invented.',
    location: { id: '990000000000101', name: 'Étang-Exemple', slug: 'etang-exemple' },
    tagged_users: [{ id: '99000000000000002', username: 'tidemark.friend', display_name: 'Tidemark Friend 🐚' }],
    media_assets: pictures(`photo/${pad(index)}`, 'image', [
      ['640', 640, 800],
      ['1080', 1080, 1350],
    ]),
    children: mediaType === 'carousel' ? photoChildrenSample.slice(0, 3) : null,
    ...gaps[index],
  };
}

export const photoItemsSample: PhotoItem[] = sampleRows((index) =>
  photoItem(index, cycle(['carousel', 'image', 'video'], index)),
);
export const photoReelsSample: PhotoItem[] = sampleRows((index) => photoItem(index, 'video'));
export const photoPostSample: PhotoItem = photoItem(0, 'carousel');

/** The posts of a hashtag. Of the author, these posts have only the username. */
export const photoTagItemsSample: PhotoItem[] = photoItemsSample.map((item) => ({
  ...item,
  author_id: null,
  author_display_name: null,
  author_verified: null,
  author_avatar_url: null,
}));

export const photoCommentsSample: Comment[] = sampleRows((index) =>
  commentRow(
    {
      site: 'photo',
      content_id: 'HTidemarkSa',
      idOf: (row) => `99000000000009${pad(row, 3)}`,
      authorIdOf: (row) => `99000000000001${pad(row, 3)}`,
      parent_comment_id: null,
      pictures: false,
      edits: false,
    },
    index,
  ),
);

export const photoHashtagSample: Hashtag = {
  id: '99000000000005001',
  name: 'tide',
  description: 'Pictures of high and low water 🌊',
  content_count: 48_213,
  views: null,
  cover_url: media('photo/tag-tide.jpg'),
  permalink: `${site}/explore/tags/tide/`,
};
