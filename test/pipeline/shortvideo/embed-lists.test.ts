import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { SourceCursor } from '../../../pipeline/collect/collect.ts';
import { hashtag } from '../../../pipeline/records/shared.ts';
import { shortvideoItem, sound } from '../../../pipeline/records/shortvideo.ts';
import { creatorEmbedVideos } from '../../../pipeline/shortvideo/embed/creator.ts';
import {
  hashtagEmbed,
  hashtagEmbedVideos,
  soundEmbed,
  soundEmbedVideos,
} from '../../../pipeline/shortvideo/embed/lists.ts';
import { frontityPage, readFixture, refusal, upstream } from './upstream.ts';

const items = z.array(shortvideoItem);
const first = { region: null, limit: 2, cursor: null };

describe('videos of a TikTok account from its embed', () => {
  const params = { handle: 'invented.pottery', ...first };
  const embed = () => upstream({ '/embed/@invented.pottery': frontityPage(readFixture('creator-embed.json')) });
  const behind = (at: SourceCursor) => ({ source: 'tiktok-embed', at });

  it('embed videos of a TikTok account come in source order without private rows, in pages of at most limit rows, until null', async () => {
    const ids: (string | null)[] = [];
    const { context, requests } = embed();
    let at: SourceCursor | null | undefined;
    do {
      const cursor = at === undefined || at === null ? null : behind(at);
      const { record, next, partial } = await creatorEmbedVideos.collect({ ...params, limit: 3, cursor }, context);
      expect(items.parse(record)).toEqual(record);
      expect(record.length).toBeLessThanOrEqual(3);
      expect(partial).toBe(true);
      ids.push(...record.map(({ id }) => id));
      at = next;
    } while (at !== null);
    expect(ids).toEqual(['7000000000000000001', '7000000000000000009', '7000000000000000007', '7000000000000000006']);
    expect(requests).toHaveLength(2);
  });

  it('embed videos of a TikTok account end with null on the page with the last row', async () => {
    const { context } = embed();
    const all = await creatorEmbedVideos.collect({ ...params, limit: 20 }, context);
    expect([all.record.length, all.next]).toEqual([4, null]);
    const exact = await creatorEmbedVideos.collect({ ...params, limit: 4 }, context);
    expect(exact.next).toBeNull();
  });

  it('embed videos of a TikTok account have the fields of the rows, null for the rest, and quality by row', async () => {
    const { record, quality } = await creatorEmbedVideos.collect({ ...params, limit: 4 }, embed().context);
    expect(quality).toEqual({ '0.views': 'rounded' });
    expect(record[0]).toEqual({
      ...Object.fromEntries(Object.keys(shortvideoItem.shape).map((field) => [field, null])),
      id: '7000000000000000001',
      author: 'Invented.Pottery',
      author_id: '7000000000000000101',
      author_display_name: 'Invented Pottery',
      author_verified: false,
      author_avatar_url: 'https://cdn.example/avatar~c5_100x100.jpeg?x-expires=1780000000',
      caption: 'pinned: the first bowl #clay @kiln.friend.',
      hashtags: [{ name: 'clay', id: null, source: 'derived_text' }],
      mentions: [{ name: 'kiln.friend', id: null, source: 'derived_text' }],
      views: 1200000,
      width: 576,
      height: 1024,
      media_url: 'https://cdn.example/1-cover.jpeg?x-expires=1780000000',
      media_assets: [
        {
          url: 'https://cdn.example/1-cover.jpeg?x-expires=1780000000',
          width: null,
          height: null,
          asset_type: 'image',
          variant: 'coverUrl',
          expires_at: '2026-05-28T20:26:40.000Z',
        },
        {
          url: 'https://cdn.example/1-origin.jpeg',
          width: null,
          height: null,
          asset_type: 'image',
          variant: 'originCoverUrl',
          expires_at: null,
        },
      ],
      video_url: 'https://cdn.example/1.mp4',
      permalink: 'https://www.tiktok.com/@Invented.Pottery/video/7000000000000000001',
    });
    expect(record[1]).toMatchObject({ width: null, views: 9999, author: 'Invented.Pottery' });
    expect(record[1]?.hashtags).toHaveLength(1);
    expect(record[2]).toMatchObject({ author: 'guest.potter', author_id: null, author_display_name: null });
    expect(record[2]).toMatchObject({ views: null, published_at: '2023-11-14T22:13:20.000Z', caption: '' });
    expect(record[3]).toMatchObject({ views: 12345, media_url: 'https://cdn.example/6.jpeg' });
    for (const field of creatorEmbedVideos.not_exposed ?? []) expect(record[0]).toHaveProperty(field, null);
  });

  it('embed videos of a TikTok account cannot continue after a row that is no longer in the list', async () => {
    const cursor = behind({ after: '7000000000000000008' });
    expect(await refusal(creatorEmbedVideos.collect({ ...params, cursor }, embed().context))).toEqual([
      400,
      'resource',
    ]);
  });

  it('embed videos of a private TikTok account are restricted, and an account without videos has an empty list', async () => {
    const page = (userInfo: Record<string, unknown>) =>
      upstream({
        '/embed/@': frontityPage({
          source: {
            data: {
              '/embed/@invented.pottery': { userInfo: { uniqueId: 'invented.pottery', ...userInfo }, videoList: [] },
            },
          },
        }),
      }).context;
    expect(await refusal(creatorEmbedVideos.collect(params, page({ privateAccount: true })))).toEqual([
      403,
      'resource',
    ]);
    expect(await creatorEmbedVideos.collect(params, page({}))).toMatchObject({ record: [], next: null });
  });

  it.each([
    ['without a list', { userInfo: { uniqueId: 'invented.pottery' } }],
    ['with a row without an id', { userInfo: { uniqueId: 'invented.pottery' }, videoList: [{ desc: 'x' }] }],
  ])('embed videos of a TikTok account %s are a changed answer', async (_, entry) => {
    const { context } = upstream({
      '/embed/@': frontityPage({ source: { data: { '/embed/@invented.pottery': entry } } }),
    });
    expect(await refusal(creatorEmbedVideos.collect(params, context))).toEqual([422, 'us']);
  });
});

describe('a TikTok sound from its embed', () => {
  const id = '7000000000000000201';
  const embed = () => upstream({ [`/embed/music/${id}`]: frontityPage(readFixture('sound-embed.json')) });

  it('a TikTok sound has the fields of its embed', async () => {
    const { record, quality, partial } = await soundEmbed.collect({ id, region: null }, embed().context);
    expect(sound.parse(record)).toEqual({
      id,
      title: 'Invented song (slow & low)',
      author: 'The Invented',
      original: null,
      duration_seconds: null,
      cover_url: 'https://cdn.example/sound.jpeg',
      play_url: null,
      content_count: 2300000,
      permalink: `https://www.tiktok.com/music/Invented-song-slow-low-${id}`,
    });
    expect([quality, partial]).toEqual([{ content_count: 'rounded' }, true]);
    expect(soundEmbed.not_exposed).toEqual(['title', 'original', 'duration_seconds', 'play_url']);
  });

  it.each([
    ["Don't invent", "Don't-invent"],
    ['♡', 'sound'],
  ])('a TikTok sound named %s has a URL with %s', async (title, slug) => {
    const embedInfo = { id, title, artist: 'The Invented', videoCount: 44, statusCode: 0 };
    const page = frontityPage({ source: { data: { [`/embed/music/${id}`]: { embedInfo } } } });
    const { context } = upstream({ [`/embed/music/${id}`]: page });
    const { record } = await soundEmbed.collect({ id, region: null }, context);
    expect(record).toMatchObject({ title, permalink: `https://www.tiktok.com/music/${slug}-${id}` });
  });

  it('a TikTok sound whose embed has no title has its URL, which TikTok finds by the ID', async () => {
    const embedInfo = { id, artist: 'The Invented', videoCount: 44, statusCode: 0 };
    const page = frontityPage({ source: { data: { [`/embed/music/${id}`]: { embedInfo } } } });
    const { context } = upstream({ [`/embed/music/${id}`]: page });
    const { record } = await soundEmbed.collect({ id, region: null }, context);
    expect(record).toMatchObject({ title: null, permalink: `https://www.tiktok.com/music/sound-${id}` });
  });

  it('a TikTok sound returns all public videos of its page for every limit, and ends', async () => {
    const { context, requests } = embed();
    const { record, next, quality } = await soundEmbedVideos.collect({ id, ...first }, context);
    expect(items.parse(record).map((item) => item.id?.slice(-3))).toEqual(['211', '212', '214', '215']);
    expect(next).toBeNull();
    expect(quality).toEqual({ '1.views': 'rounded' });
    expect(record[0]).toMatchObject({ author: 'dancer.one', author_id: null, views: 17 });
    expect(record[1]).toMatchObject({ author: null, permalink: null });
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['an unknown id is an empty embed', { source: { data: {} } }, 404, 'resource'],
    ['an entry without embedInfo', { source: { data: { '/embed/music/1': {} } } }, 404, 'resource'],
    [
      'a withdrawn sound',
      { source: { data: { '/embed/music/1': { embedInfo: { statusCode: 10218 } } } } },
      404,
      'resource',
    ],
    ['entries of a different kind', { source: { data: { '/embed/sound/1': { embedInfo: { id: '1' } } } } }, 422, 'us'],
    ['a renamed embedInfo', { source: { data: { '/embed/music/1': { embedData: { id: '1' } } } } }, 422, 'us'],
    ['another sound', { source: { data: { '/embed/music/1': { embedInfo: { id: '2', statusCode: 0 } } } } }, 422, 'us'],
  ])('the embed of a TikTok sound has its own error: %s', async (_, state, status, about) => {
    const { context } = upstream({ '/embed/music/1': frontityPage(state) });
    expect(await refusal(soundEmbed.collect({ id: '1', region: null }, context))).toEqual([status, about]);
    expect(await refusal(soundEmbedVideos.collect({ id: '1', ...first }, context))).toEqual([status, about]);
  });
});

describe('a TikTok hashtag from its embed', () => {
  const embed = () => upstream({ '/embed/tag/t%C3%B6pfern': frontityPage(readFixture('hashtag-embed.json')) });

  it('a TikTok hashtag is requested in lower case without #, and has the fields of its embed', async () => {
    const { context, requests } = embed();
    const { record, quality, partial } = await hashtagEmbed.collect({ tag: '#Töpfern', region: null }, context);
    expect(hashtag.parse(record)).toEqual({
      id: '16000000000000301',
      name: 'Töpfern',
      description: 'Everything made of clay',
      content_count: 654321,
      views: 48500000000,
      cover_url: 'https://cdn.example/tag.jpeg',
      permalink: 'https://www.tiktok.com/tag/T%C3%B6pfern',
    });
    expect([quality, partial]).toEqual([{ views: 'rounded' }, undefined]);
    expect(requests).toHaveLength(1);
  });

  it('a TikTok hashtag returns all videos of its page for every limit, and ends', async () => {
    const params = { tag: 'töpfern', ...first, limit: 1 };
    const { record, next, partial } = await hashtagEmbedVideos.collect(params, embed().context);
    expect(items.parse(record).map(({ author }) => author)).toEqual(['potter.one', 'potter.two']);
    expect([next, partial]).toEqual([null, true]);
  });

  it.each([
    ['missing', 10205, 404],
    ['sensitive', 10211, 403],
  ])('a TikTok hashtag that is %s is refused', async (_, statusCode, status) => {
    const state = { source: { data: { '/embed/tag/x': { embedInfo: { title: 'x', statusCode } } } } };
    const { context } = upstream({ '/embed/tag/x': frontityPage(state) });
    expect(await refusal(hashtagEmbed.collect({ tag: 'x', region: null }, context))).toEqual([status, 'resource']);
  });

  it('a TikTok hashtag is a changed answer when the embed shows another hashtag', async () => {
    const state = { source: { data: { '/embed/tag/x': { embedInfo: { title: 'y', statusCode: 0 } } } } };
    const { context } = upstream({ '/embed/tag/x': frontityPage(state) });
    expect(await refusal(hashtagEmbedVideos.collect({ tag: 'x', ...first }, context))).toEqual([422, 'us']);
  });
});
