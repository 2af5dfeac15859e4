import { describe, expect, it } from 'vitest';
import { createBreakers } from '../../../pipeline/collect/breaker.ts';
import { type Collector, collect } from '../../../pipeline/collect/collect.ts';
import * as collectors from '../../../pipeline/shortvideo/collectors.ts';
import { frontityPage, readFixture, refusal, type Upstream, universalPage, upstream } from './upstream.ts';

const id = '7000000000000000401';
const page = { limit: 3, cursor: null };
const challenge = '<html>Please wait... <p class="_wafchallengeid"></p></html>';

function collected<P, R>(collector: Collector<P, R>, params: P, { context }: Upstream) {
  return collect(collector, params, { ...context, breakers: createBreakers() });
}

const creatorState = frontityPage(readFixture('creator-embed.json'));
const soundState = frontityPage(readFixture('sound-embed.json'));
const hashtagState = frontityPage(readFixture('hashtag-embed.json'));
const photoPage = universalPage({ 'webapp.reflow.video.detail': readFixture('photo-post.json') });
const embedState = frontityPage({
  source: { data: { [`/embed/v2/${id}`]: { isError: false, videoData: { itemInfos: { id, playCount: 20_000 } } } } },
});
const oembed = JSON.stringify({ embed_product_id: id, title: 'invented' });

describe('a TikTok video', () => {
  const params = { id, region: null };

  it('a TikTok video comes from its page alone when that succeeds', async () => {
    const up = upstream({ '/@_/video/': photoPage });
    const answer = await collected(collectors.shortvideoVideo, params, up);
    expect([answer.source, answer.partial, up.requests.length]).toEqual(['tiktok-web', false, 1]);
    expect(answer.quality).toEqual({ shares: 'rounded', pinned: 'not_exposed' });
  });

  it('a TikTok video comes from its embed when the page fails, with the missing fields marked', async () => {
    const up = upstream({ '/@_/video/': { status: 500 }, '/embed/v2/': embedState });
    const answer = await collected(collectors.shortvideoVideo, params, up);
    expect([answer.source, answer.partial, up.requests.length]).toEqual(['tiktok-embed', true, 2]);
    const notSaid = ['favorites', 'subtitle_tracks', 'effects', 'stickers', 'playlist_id', 'pinned'];
    expect(answer.quality).toEqual({
      ...Object.fromEntries(notSaid.map((field) => [field, 'not_exposed'])),
      views: 'rounded',
    });
  });

  it('a TikTok video comes from oEmbed when page and embed fail', async () => {
    const up = upstream({ '/@_/video/': { status: 500 }, '/embed/v2/': { status: 502 }, '/oembed?': oembed });
    const answer = await collected(collectors.shortvideoVideo, params, up);
    expect([answer.source, answer.partial, up.requests.length]).toEqual(['tiktok-oembed', true, 3]);
  });

  it('a TikTok video that is hidden in a country does not count as a failure of the source', async () => {
    const up = upstream({ '/@_/video/': universalPage({ 'webapp.video-detail': { statusCode: 10231 } }) });
    const breakers = createBreakers();
    const answer = collect(collectors.shortvideoVideo, params, { ...up.context, breakers });
    expect(await refusal(answer)).toEqual([403, 'resource']);
    expect(breakers.state()).toMatchObject([{ source: 'tiktok-web', consecutive_failures: 0 }]);
  });

  it('a TikTok video that does not exist is not requested from other sources', async () => {
    const up = upstream({ '/@_/video/': universalPage({ 'webapp.video-detail': { statusCode: 10204 } }) });
    expect(await refusal(collected(collectors.shortvideoVideo, params, up))).toEqual([404, 'resource']);
    expect(up.requests).toHaveLength(1);
  });

  it('a TikTok video that every source refuses has the error of the last source', async () => {
    const up = upstream({ '/@_/video/': { status: 500 }, '/embed/v2/': { status: 500 }, '/oembed?': { status: 429 } });
    expect(await refusal(collected(collectors.shortvideoVideo, params, up))).toEqual([429, 'us']);
    expect(up.requests).toHaveLength(3);
  });
});

describe('a TikTok profile', () => {
  const params = { handle: 'invented.pottery', region: null };

  it('a TikTok profile behind a challenge is not requested from other sources', async () => {
    const up = upstream({ '/embed/@': creatorState, '/@invented.pottery': challenge });
    expect(await refusal(collected(collectors.shortvideoProfile, params, up))).toEqual([403, 'block']);
    expect(up.requests).toHaveLength(1);
  });

  it('a TikTok profile from a page without the region marks the region as not exposed', async () => {
    const user = { uniqueId: 'invented.pottery' };
    const page = (more: object) =>
      universalPage({
        'webapp.user-detail': { userInfo: { user: { ...user, ...more }, stats: { followerCount: 7 } } },
      });
    const without = await collected(collectors.shortvideoProfile, params, upstream({ '/@': page({}) }));
    expect([without.record.region, without.quality]).toEqual([null, { region: 'not_exposed' }]);
    const older = await collected(collectors.shortvideoProfile, params, upstream({ '/@': page({ region: 'NZ' }) }));
    expect([older.record.region, older.quality]).toEqual(['NZ', {}]);
  });

  it('a TikTok profile comes from its embed when the page fails', async () => {
    const up = upstream({ '/embed/@': creatorState, '/@invented.pottery': { status: 500 } });
    const answer = await collected(collectors.shortvideoProfile, params, up);
    expect([answer.source, answer.partial, up.requests.length]).toEqual(['tiktok-embed', true, 2]);
    expect(answer.quality).toEqual({
      followers: 'rounded',
      likes: 'rounded',
      posts: 'not_exposed',
      region: 'not_exposed',
      language: 'not_exposed',
      external_url: 'not_exposed',
    });
  });

  it('a private TikTok profile is not requested from other sources', async () => {
    const up = upstream({ '/@invented.pottery': universalPage({ 'webapp.user-detail': { statusCode: 10222 } }) });
    expect(await refusal(collected(collectors.shortvideoProfile, params, up))).toEqual([403, 'resource']);
    expect(up.requests).toHaveLength(1);
  });
});

describe('TikTok lists', () => {
  it('TikTok videos continue with a cursor of their source', async () => {
    const up = upstream({ '/embed/@': creatorState });
    const params = { handle: 'invented.pottery', region: null, limit: 3 };
    const first = await collected(collectors.shortvideoVideos, { ...params, cursor: null }, up);
    expect(first.next).toEqual({ source: 'tiktok-embed', at: { after: '7000000000000000007' } });
    const second = await collected(collectors.shortvideoVideos, { ...params, cursor: first.next }, up);
    expect([second.record.length, second.next, second.partial]).toEqual([1, null, true]);
    expect(second.quality).toMatchObject({ '0.likes': 'not_exposed', '0.published_at': 'not_exposed' });
  });

  it('TikTok videos of a sound and a hashtag are whole pages', async () => {
    const up = upstream({ '/embed/music/': soundState, '/embed/tag/': hashtagState });
    const sound = { id: '7000000000000000201', region: null, limit: 1, cursor: null };
    const videos = await collected(collectors.shortvideoSoundVideos, sound, up);
    expect(videos.record).toHaveLength(4);
    expect(videos.quality).toMatchObject({ '0.author_id': 'not_exposed', '0.author_verified': 'not_exposed' });
    expect(videos.record.map((item, row) => [item.author, videos.quality[`${row}.author`]])).toContainEqual([
      null,
      'not_exposed',
    ]);
    const tag = { tag: 'töpfern', region: null, limit: 1, cursor: null };
    expect((await collected(collectors.shortvideoHashtagVideos, tag, up)).record).toHaveLength(2);
  });
});

const comments = '{"status_code":0,"comments":[{"cid":"1","text":"invented"}],"has_more":0}';

function everyCollector(region: string | null) {
  const handle = 'invented.pottery';
  const sound = { id: '7000000000000000201', region };
  const tag = { tag: 'töpfern', region };
  const profilePage = universalPage({
    'webapp.user-detail': { userInfo: { user: { uniqueId: handle }, stats: { followerCount: 7 } } },
  });
  const up = upstream({
    '/embed/@': creatorState,
    '/embed/music/': soundState,
    '/embed/tag/': hashtagState,
    '/api/comment/': comments,
    '/video/': photoPage,
    '/@': profilePage,
  });
  const answers = Promise.all([
    collected(collectors.shortvideoProfile, { handle, region }, up),
    collected(collectors.shortvideoVideos, { handle, region, ...page }, up),
    collected(collectors.shortvideoVideo, { id, region }, up),
    collected(collectors.shortvideoSound, sound, up),
    collected(collectors.shortvideoSoundVideos, { ...sound, ...page }, up),
    collected(collectors.shortvideoHashtag, tag, up),
    collected(collectors.shortvideoHashtagVideos, { ...tag, ...page }, up),
    collected(collectors.shortvideoComments, { id, region, ...page }, up),
    collected(collectors.shortvideoCommentReplies, { comment_id: '1', video_id: id, region, ...page }, up),
  ]);
  return { answers, requests: up.requests };
}

describe('the parameter region of TikTok routes', () => {
  it('the parameter region has no effect on any TikTok request or record, and every answer has a warning', async () => {
    const params = everyCollector('NZ');
    const silent = everyCollector(null);
    const warned = await params.answers;
    expect(warned).toHaveLength(Object.keys(collectors).length);
    for (const [i, plain] of (await silent.answers).entries()) {
      expect(warned[i]).toEqual({
        ...plain,
        warnings: [...plain.warnings, 'region had no effect: this source does not support countries'],
      });
    }
    expect(params.requests.map(({ url }) => url)).toEqual(silent.requests.map(({ url }) => url));
  });
});

describe('parameters of the TikTok collectors', () => {
  const handle = 'some.one_1';
  it.each([
    [
      collectors.shortvideoProfile,
      { handle: 'a'.repeat(24) },
      [{ handle: 'a' }, { handle: 'a/b' }, { handle: 'a'.repeat(25) }],
    ],
    [
      collectors.shortvideoVideos,
      { handle: `@${handle}`, limit: 20 },
      [
        { handle, limit: 0 },
        { handle, limit: 101 },
      ],
    ],
    [
      collectors.shortvideoVideo,
      { id: '1'.repeat(24), region: 'NZ' },
      [{ id: '1'.repeat(9) }, { id: '1'.repeat(25) }, { id, limit: 3 }, {}],
    ],
    [collectors.shortvideoSound, { id: '77' }, [{ id: '' }, { id: 'x' }]],
    [collectors.shortvideoSoundVideos, { id: '77', cursor: null }, [{ id: '77', cursor: { source: 's' } }]],
    [collectors.shortvideoHashtag, { tag: '#töpfern_2' }, [{ tag: '..' }, { tag: 'a b' }, { tag: '' }, { tag: 'a/b' }]],
    [collectors.shortvideoHashtagVideos, { tag: 'töpfern🏺' }, [{ tag: '½' }]],
    [collectors.shortvideoHashtagVideos, { tag: '陶芸' }, [{ tag: '#' }]],
    [
      collectors.shortvideoComments,
      { id, cursor: { source: 's', at: { offset: 1 } } },
      [
        { id, limit: 1.5 },
        { id, other: 1 },
      ],
    ],
    [collectors.shortvideoCommentReplies, { comment_id: '1', video_id: id }, [{ comment_id: '1' }, { video_id: id }]],
  ])('the TikTok collector $name accepts its own parameters and no others', ({ params }, good, bad) => {
    expect(params.safeParse(good).success).toBe(true);
    for (const one of bad) expect([one, params.safeParse(one).success]).toEqual([one, false]);
  });
});
