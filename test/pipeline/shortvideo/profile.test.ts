import { describe, expect, it } from 'vitest';
import { type ShortvideoProfile, shortvideoProfileRecord } from '../../../pipeline/records/shortvideo.ts';
import { toCompactProfile } from '../../../pipeline/shortvideo/compact.ts';
import { creatorEmbed } from '../../../pipeline/shortvideo/embed/creator.ts';
import { shortvideoProfilePage } from '../../../pipeline/shortvideo/profile-page.ts';
import { frontityPage, pageWith, readFixture, refusal, universalPage, upstream } from './upstream.ts';

const params = { handle: '@Invented.Pottery', region: null };

function pageOf(user: Record<string, unknown>, rest: Record<string, unknown> = {}) {
  const userInfo = { user: { uniqueId: 'invented.pottery', ...user }, ...rest };
  return upstream({ '/@invented.pottery': universalPage({ 'webapp.user-detail': { statusCode: 0, userInfo } }) });
}

describe('the TikTok profile page', () => {
  it('the TikTok profile page is requested once, by the normalized handle', async () => {
    const { context, requests } = pageOf({});
    await shortvideoProfilePage.collect(params, context);
    expect(requests.map(({ url }) => url)).toEqual(['https://www.tiktok.com/@invented.pottery']);
    expect(requests[0]?.follow).toBeUndefined();
  });

  it('a TikTok profile page gives a valid record with null for missing fields', async () => {
    const { record, quality } = await shortvideoProfilePage.collect(
      params,
      pageOf({ id: '7000000000000000101' }).context,
    );
    expect(shortvideoProfileRecord.parse(record)).toEqual(record);
    const said = Object.entries(record).filter(([, value]) => value !== null);
    expect(Object.fromEntries(said)).toEqual({
      id: '7000000000000000101',
      username: 'invented.pottery',
      profile_url: 'https://www.tiktok.com/@invented.pottery',
    });
    expect(quality).toEqual({});
  });

  it.each([
    ['pots.example', 'https://pots.example'],
    ['http://pots.example/a', 'http://pots.example/a'],
    [' pots.example ', 'https://pots.example'],
    ['pots.example:8080/a', 'https://pots.example:8080/a'],
    ['', null],
    ['mailto:shop@pots.example', null],
    ['tel:555', null],
  ])('a TikTok profile page returns the link %o as an http URL, and null for other schemes', async (link, expected) => {
    const { record } = await shortvideoProfilePage.collect(params, pageOf({ bioLink: { link, risk: 3 } }).context);
    expect(record.external_url).toBe(expected);
  });

  it('a TikTok profile page distinguishes private from unknown accounts, by the older name too', async () => {
    const read = async (user: Record<string, unknown>) =>
      (await shortvideoProfilePage.collect(params, pageOf(user).context)).record.private;
    expect(await read({ privateAccount: true })).toBe(true);
    expect(await read({ secret: true })).toBe(true);
    expect(await read({ privateAccount: false, secret: true })).toBe(false);
    expect(await read({})).toBeNull();
  });

  it('a TikTok profile page of a private account gives what it shows to everyone, without the number of posts', async () => {
    const stats = { followerCount: 58, followingCount: 41, heartCount: 120, videoCount: 0 };
    const user = { id: '7000000000000000101', uniqueId: 'invented.pottery', nickname: 'Pots', privateAccount: true };
    const detail = { statusCode: 10222, userInfo: { user, stats } };
    const up = upstream({ '/@invented.pottery': universalPage({ 'webapp.user-detail': detail }) });
    const { record, quality } = await shortvideoProfilePage.collect(params, up.context);
    expect(record).toMatchObject({ display_name: 'Pots', private: true, followers: 58, likes: 120, posts: null });
    expect(quality).toEqual({ posts: 'hidden' });
  });

  it('a TikTok profile page of a private account gives the number of posts when it shows one', async () => {
    const user = { id: '7000000000000000101', uniqueId: 'invented.pottery', privateAccount: true };
    const detail = { statusCode: 10222, userInfo: { user, stats: { followerCount: 58, videoCount: 12 } } };
    const up = upstream({ '/@invented.pottery': universalPage({ 'webapp.user-detail': detail }) });
    const { record, quality } = await shortvideoProfilePage.collect(params, up.context);
    expect([record.posts, quality]).toEqual([12, {}]);
  });

  it('a TikTok profile page that says private is restricted when its data are of another account', async () => {
    const detail = { statusCode: 10222, userInfo: { user: { uniqueId: 'invented.other' } } };
    const up = upstream({ '/@invented.pottery': universalPage({ 'webapp.user-detail': detail }) });
    expect(await refusal(shortvideoProfilePage.collect(params, up.context))).toEqual([403, 'resource']);
  });

  it('a TikTok profile page marks rounded counts and no others', async () => {
    const stats = { followerCount: 512300, followingCount: 41, heartCount: 8800000, videoCount: 777 };
    const statsV2 = { followerCount: '512345', followingCount: '41', heartCount: '8800000', videoCount: '777' };
    const { record, quality } = await shortvideoProfilePage.collect(params, pageOf({}, { stats, statsV2 }).context);
    expect(record).toMatchObject({ followers: 512345, following: 41, likes: 8800000, posts: 777 });
    expect(quality).toEqual({ likes: 'rounded' });
  });

  it('a TikTok profile page never returns another account', async () => {
    expect(await refusal(shortvideoProfilePage.collect(params, pageOf({ uniqueId: 'someone.else' }).context))).toEqual([
      422,
      'us',
    ]);
    expect(await refusal(shortvideoProfilePage.collect(params, pageOf({ uniqueId: '' }).context))).toEqual([422, 'us']);
  });

  it('a TikTok profile page keeps an id beyond 2^53 that is sent as a number', async () => {
    const body = pageWith(
      '__UNIVERSAL_DATA_FOR_REHYDRATION__',
      '{"__DEFAULT_SCOPE__":{"webapp.user-detail":{"userInfo":{"user":{"id":7065499344158344141,"uniqueId":"invented.pottery"}}}}}',
    );
    const { record } = await shortvideoProfilePage.collect(params, upstream({ '/@': body }).context);
    expect(record.id).toBe('7065499344158344141');
  });

  it('a TikTok profile page is read in the older state format when its universal script is empty', async () => {
    const users = {
      'Invented.Pottery': { id: '101', uniqueId: 'Invented.Pottery', nickname: 'Invented', verified: true },
    };
    const stats = { 'Invented.Pottery': { followerCount: 5100000, followingCount: 12 } };
    const sigi = pageWith('SIGI_STATE', { UserModule: { users, stats }, UserPage: { statusCode: 0 } });
    const { record, quality } = await shortvideoProfilePage.collect(
      params,
      upstream({ '/@': universalPage({}) + sigi }).context,
    );
    expect(record).toMatchObject({ id: '101', username: 'Invented.Pottery', followers: 5100000, posts: null });
    expect(quality).toEqual({ followers: 'rounded' });
  });
});

describe('the embed of a TikTok creator', () => {
  const embed = () => upstream({ '/embed/@invented.pottery': frontityPage(readFixture('creator-embed.json')) });

  it('the embed of a TikTok creator gives a partial profile with its fields', async () => {
    const { context, requests } = embed();
    const { record, quality, partial } = await creatorEmbed.collect(params, context);
    expect(shortvideoProfileRecord.parse(record)).toEqual(record);
    expect(record).toEqual({
      id: '7000000000000000101',
      username: 'Invented.Pottery',
      display_name: 'Invented Pottery',
      bio: 'clay, glaze, fire',
      profile_url: 'https://www.tiktok.com/@Invented.Pottery',
      followers: 41300,
      following: 7,
      posts: null,
      likes: 7300000,
      verified: false,
      private: false,
      avatar_url: 'https://cdn.example/avatar~c5_100x100.jpeg?x-expires=1780000000',
      avatar_variants: [
        {
          url: 'https://cdn.example/avatar~c5_100x100.jpeg?x-expires=1780000000',
          width: 100,
          height: 100,
          asset_type: 'avatar',
          variant: 'avatarThumbUrl',
          expires_at: '2026-05-28T20:26:40.000Z',
        },
      ],
      external_url: null,
      region: null,
      language: null,
    });
    expect(quality).toEqual({ followers: 'rounded', likes: 'rounded' });
    expect(partial).toBe(true);
    expect(creatorEmbed.not_exposed).toEqual(['posts', 'region', 'language', 'external_url']);
    expect(requests).toHaveLength(1);
  });

  it('the embed of a TikTok creator never returns another account', async () => {
    const { context } = upstream({ '/embed/@': frontityPage(readFixture('creator-embed.json')) });
    expect(await refusal(creatorEmbed.collect({ handle: 'someone', region: null }, context))).toEqual([422, 'us']);
  });
});

describe('the compact format of a TikTok profile', () => {
  it('a compact TikTok profile has exactly two keys with six and four fields, null for unknown ones', async () => {
    const { record } = await shortvideoProfilePage.collect(
      params,
      pageOf({ id: '7000000000000000101', nickname: 'Pots' }).context,
    );
    expect(toCompactProfile(record)).toEqual({
      user: {
        id: '7000000000000000101',
        uniqueId: 'invented.pottery',
        nickname: 'Pots',
        verified: null,
        region: null,
        language: null,
      },
      stats: { followerCount: null, followingCount: null, heartCount: null, videoCount: null },
    });
  });

  it('a compact TikTok profile takes each key from its own field', async () => {
    const { record } = await shortvideoProfilePage.collect(params, pageOf({}).context);
    const full: ShortvideoProfile = {
      ...record,
      ...{ followers: 1, following: 2, likes: 3, posts: 4, verified: true, region: 'XX', language: 'xy' },
    };
    expect(toCompactProfile(full)).toMatchObject({
      user: { verified: true, region: 'XX', language: 'xy' },
      stats: { followerCount: 1, followingCount: 2, heartCount: 3, videoCount: 4 },
    });
  });
});
