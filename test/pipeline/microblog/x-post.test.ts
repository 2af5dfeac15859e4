import { describe, expect, test } from 'vitest';
import { includedIn, xPost } from '../../../pipeline/microblog/x-post.ts';
import { xProfile } from '../../../pipeline/microblog/x-user.ts';
import { microblogPostRecord, microblogProfileRecord } from '../../../pipeline/records/microblog.ts';
import { handle, post, user, userId } from './fixtures/x.ts';

const read = (row: object, includes: object = { users: [user] }) => {
  const { record, cut } = xPost(row, includedIn({ includes }));
  return { ...microblogPostRecord.parse(record), cut };
};
const original = post(7, {
  text: 'The whole text of the post #kites',
  author_id: '9900000000000000003',
  entities: { hashtags: [{ tag: 'kites' }] },
  attachments: { media_keys: ['3_1'] },
});
const media = [{ media_key: '3_1', type: 'photo', url: 'https://pbs.twimg.com/media/a.jpg', width: 10, height: 20 }];

describe('a profile of X', () => {
  test('a profile of X has the common fields, with full links instead of shortened ones', () => {
    expect(microblogProfileRecord.parse(xProfile(user))).toEqual({
      id: userId,
      username: handle,
      display_name: 'Paper Kite',
      bio: 'Kites & wind. https://kite.example/wind',
      profile_url: `https://x.com/${handle}`,
      followers: 12,
      following: 0,
      posts: 3,
      verified: true,
      private: false,
      avatar_url: user.profile_image_url,
      avatar_variants: [
        expect.objectContaining({ url: user.profile_image_url, width: 48, variant: 'normal' }),
        expect.objectContaining({ url: user.profile_image_url.replace('_normal', '_400x400'), width: 400 }),
      ],
      external_url: 'https://kite.example/shop',
    });
  });

  test('a profile of X from a minimal answer has null, not false and not 0', () => {
    const { id, username, profile_url, ...others } = xProfile({ id: userId, username: handle, url: '' });
    expect([id, username, profile_url]).toEqual([userId, handle, `https://x.com/${handle}`]);
    expect(new Set(Object.values(others))).toEqual(new Set([null]));
  });

  test('a profile of X is also read with the new field names', () => {
    expect(xProfile({ ...user, public_metrics: { followers_count: 1, post_count: 8 } }).posts).toBe(8);
  });
});

describe('a post of X', () => {
  test('a post of X has its text unescaped with full links, and ids as strings', () => {
    expect(read(post(0))).toMatchObject({
      id: '9900000000000001000',
      text: 'Kite 0 & wind <3 #wind @paper_boat https://kite.example/?a=1&b=2',
      permalink: `https://x.com/${handle}/status/9900000000000001000`,
      published_at: '2026-11-01T10:00:00.000Z',
      hashtags: [{ name: 'wind', id: null, source: 'platform' }],
      mentions: [{ name: 'paper_boat', id: '9900000000000000002', source: 'platform' }],
      views: 99,
      likes: 5,
      comments: 0,
      shares: 3,
      repost_of: null,
      cut: false,
    });
  });

  test('a post of X has its author from the includes of the answer', () => {
    expect(read(post(0))).toMatchObject({
      author: handle,
      author_id: userId,
      author_display_name: 'Paper Kite',
      author_verified: true,
      author_avatar_url: user.profile_image_url,
    });
    expect(read(post(0), {})).toMatchObject({
      author: null,
      author_id: userId,
      author_verified: null,
      permalink: 'https://x.com/i/status/9900000000000001000',
    });
  });

  test('the shares of an X post are null when a part of the sum is missing', () => {
    expect(read(post(0, { public_metrics: { retweet_count: 2 } })).shares).toBeNull();
  });

  test.each([undefined, null])(
    'a post of X with the entities %s has the hashtags and mentions in its text',
    (entities) => {
      const { hashtags, mentions } = read({ id: '1', text: 'wind #wind @paper_boat', entities });
      expect(hashtags).toEqual([{ name: 'wind', id: null, source: 'derived_text' }]);
      expect(mentions).toEqual([{ name: 'paper_boat', id: null, source: 'derived_text' }]);
    },
  );

  test('a post of X has each hashtag and mention once, as first written, even when its text repeats it', () => {
    const hashtags = [{ tag: 'Wind' }, { tag: 'kites' }, { tag: 'wind' }, { tag: 'Wind' }];
    const mentions = [{ username: 'paper_boat' }, { username: 'Paper_Boat', id: '9900000000000000002' }];
    expect(read(post(0, { entities: { hashtags, mentions } }))).toMatchObject({
      hashtags: [
        { name: 'Wind', id: null, source: 'platform' },
        { name: 'kites', id: null, source: 'platform' },
      ],
      mentions: [{ name: 'paper_boat', id: '9900000000000000002', source: 'platform' }],
    });
  });

  test('a post of X whose entities have no hashtags has no hashtags', () => {
    expect(read(post(0, { entities: {} }))).toMatchObject({ hashtags: [], mentions: [] });
  });

  test('a post of X is also read with the new field names', () => {
    const renamed = {
      referenced_posts: [
        { type: 'replied_to', id: '5' },
        { type: 'quoted', id: '6' },
      ],
      note_post: { text: 'A long post #long', entities: { hashtags: [{ tag: 'long' }] } },
      public_metrics: { repost_count: 4, quote_count: 0 },
    };
    expect(read(post(0, renamed))).toMatchObject({
      text: 'A long post #long',
      hashtags: [{ name: 'long' }],
      shares: 4,
      reply_to: '5',
      quote_of: '6',
    });
    const repost = post(0, { referenced_posts: [{ type: 'reposted', id: '9900000000000001007' }] });
    expect(read(repost, { posts: [original] }).text).toBe('The whole text of the post #kites');
  });

  test('a long post of X has the complete text and the links of its note', () => {
    const urls = [{ url: 'https://t.co/Invented09', expanded_url: 'https://kite.example/long' }];
    const noteTweet = { text: 'All of it &gt; https://t.co/Invented09', entities: { urls } };
    expect(read(post(0, { note_tweet: noteTweet }))).toMatchObject({
      text: 'All of it > https://kite.example/long',
      hashtags: [],
    });
  });
});

describe('a repost of X', () => {
  const repost = post(0, {
    text: 'RT @paper_boat: The whole text of the po…',
    referenced_tweets: [{ type: 'retweeted', id: '9900000000000001007' }],
  });

  test('a repost of X has text, hashtags and media of the original post, and its own author and counts', () => {
    expect(read(repost, { users: [user], tweets: [original], media })).toMatchObject({
      id: '9900000000000001000',
      repost_of: '9900000000000001007',
      text: 'The whole text of the post #kites',
      hashtags: [{ name: 'kites' }],
      media_url: 'https://pbs.twimg.com/media/a.jpg',
      author: handle,
      likes: 5,
      cut: false,
    });
  });

  test('a repost of an X post that was not sent keeps the shortened text with a warning', () => {
    expect(read(repost)).toMatchObject({ text: 'RT @paper_boat: The whole text of the po…', cut: true });
  });
});

describe('the media of an X post', () => {
  const attached = (...mediaKeys: string[]) => post(0, { attachments: { media_keys: mediaKeys } });

  test('a picture in an X post is its own preview', () => {
    expect(read(attached('3_1'), { media })).toMatchObject({
      media_url: media[0]?.url,
      duration_seconds: null,
      media_assets: [{ url: media[0]?.url, width: 10, height: 20, asset_type: 'image' }],
    });
  });

  test('a video in an X post has its preview, every encoding and its duration in seconds', () => {
    const video = {
      media_key: '7_1',
      type: 'video',
      preview_image_url: 'https://pbs.twimg.com/p.jpg',
      duration_ms: 12_345,
      variants: [
        { bit_rate: 832_000, content_type: 'video/mp4', url: 'https://video.twimg.com/v.mp4' },
        { content_type: 'application/x-mpegURL', url: 'https://video.twimg.com/v.m3u8' },
      ],
    };
    const { media_url, media_assets, duration_seconds } = read(attached('7_1', '3_1'), { media: [...media, video] });
    expect([media_url, duration_seconds]).toEqual([video.preview_image_url, 12.345]);
    expect(media_assets?.map(({ asset_type, variant }) => [asset_type, variant])).toEqual([
      ['image', 'preview_image_url'],
      ['video', 'video/mp4 832000'],
      ['video', 'application/x-mpegURL'],
      ['image', 'url'],
    ]);
  });

  test('media of an X post that were not sent are null', () => {
    expect(read(attached('3_9'), { media })).toMatchObject({ media_url: null, media_assets: null });
  });
});
