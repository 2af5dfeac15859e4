import { describe, expect, it } from 'vitest';
import { channelParams } from '../../../pipeline/longvideo/params.ts';
import { longvideoChannel } from '../../../pipeline/records/longvideo.ts';
import { at, changed, cutdown, invented, refusal, sourceOf, type Upstream } from './upstream.ts';

const channelId = 'UCinvented00000000000001';
const channels = { body: cutdown('channel.json') };
const browse = { body: cutdown('channel-page.json') };
const resolved = (endpoint: object) => ({ body: { endpoint } });
const found = resolved({ browseEndpoint: { browseId: channelId } });

const official = ({ collectors }: Upstream) => sourceOf(collectors.longvideoChannel, 'youtube-data-api');
const web = ({ collectors }: Upstream) => sourceOf(collectors.longvideoChannel, 'youtube-web');
const urlsOf = ({ requests }: Upstream) => requests.map(({ url }) => new URL(url).searchParams);

async function officialWith(statistics: object) {
  const upstream = invented({ channels: changed(channels.body, 'items.0.statistics', statistics) });
  return official(upstream).collect({ channel_id: channelId }, upstream.context);
}

describe('identifiers of a channel', () => {
  it.each([
    [{ channel_id: channelId }],
    [{ handle: '@æðar-fugl.1' }],
    [{ handle: 'abc' }],
    [{ username: 'Invented1' }],
    [{ custom_name: 'InventedShore' }],
  ])('%o is one', (params) => {
    expect(channelParams.parse(params)).toEqual(params);
  });

  it.each([
    [{}],
    [{ channel_id: channelId, handle: 'abc' }],
    [{ channel_id: 'UC123' }],
    [{ handle: 'ab' }],
    [{ handle: 'a/../b' }],
    [{ username: 'with space' }],
    [{ custom_name: 'a?b' }],
  ])('%o is none', (params) => {
    expect(channelParams.safeParse(params).success).toBe(false);
  });

  it.each([
    [{ channel_id: channelId }, ['id', channelId]],
    [{ handle: 'inventedshore' }, ['forHandle', '@inventedshore']],
    [{ handle: '@inventedshore' }, ['forHandle', '@inventedshore']],
    [{ username: 'Invented1' }, ['forUsername', 'Invented1']],
  ])('%o is one selector of the official source', async (params, [name = '', value]) => {
    const upstream = invented({ channels });
    await official(upstream).collect(params, upstream.context);
    const [sent] = urlsOf(upstream);
    expect(sent?.get(name)).toBe(value);
    expect(['id', 'forHandle', 'forUsername'].filter((selector) => sent?.has(selector))).toEqual([name]);
  });

  it.each([
    [{ handle: '@inventedshore' }, 'https://www.youtube.com/@inventedshore'],
    [{ username: 'Invented1' }, 'https://www.youtube.com/user/Invented1'],
    [{ custom_name: 'InventedShore' }, 'https://www.youtube.com/InventedShore'],
  ])('%o is resolved by the web from its address', async (params, url) => {
    const upstream = invented({ resolve_url: found, browse });
    expect((await web(upstream).collect(params, upstream.context)).record.id).toBe(channelId);
    expect(JSON.parse(upstream.requests[0]?.body ?? '').url).toBe(url);
  });

  it('of a custom name is resolved by the web and looked up officially', async () => {
    const upstream = invented({ resolve_url: found, channels });
    const { record } = await official(upstream).collect({ custom_name: 'InventedShore' }, upstream.context);
    expect(record.total_views).toBe(90000);
    const off = invented({ channels }, { keyless: false });
    expect(await refusal(official(off).collect({ custom_name: 'InventedShore' }, off.context))).toEqual([503, 'us']);
  });

  it('that was renamed is followed once', async () => {
    const renamed = resolved({ urlEndpoint: { url: 'https://www.youtube.com/@newshore' } });
    const once = invented({ resolve_url: [renamed, found], browse });
    expect((await web(once).collect({ handle: 'oldshore' }, once.context)).record.id).toBe(channelId);
    const twice = invented({ resolve_url: renamed, browse });
    expect(await refusal(web(twice).collect({ handle: 'oldshore' }, twice.context))).toEqual([404, 'resource']);
    expect(twice.asked('resolve_url')).toBe(2);
  });

  it.each([
    ['a page of another kind', resolved({ browseEndpoint: { browseId: 'FEtrending' } })],
    ['an address off the site', resolved({ urlEndpoint: { url: 'https://elsewhere.example/' } })],
    ['nothing', resolved({})],
  ])('that stands for %s is 404', async (_what, resolveUrl) => {
    const upstream = invented({ resolve_url: resolveUrl, browse });
    expect(await refusal(web(upstream).collect({ handle: 'inventedshore' }, upstream.context))).toEqual([
      404,
      'resource',
    ]);
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('a channel of the official source', () => {
  it('has the fields that no recording has', async () => {
    const upstream = invented({ channels });
    const { record } = await official(upstream).collect({ channel_id: channelId }, upstream.context);
    expect(longvideoChannel.parse(record)).toEqual(record);
    expect(record).toMatchObject({
      localizations: { is: { title: 'Uppspunnin strönd', description: 'Fjara' } },
      default_language: 'en',
      created_at_platform: '2019-05-04T03:02:01.500Z',
      posts: 0,
      private: false,
      avatar_url: 'https://images.example/high.jpg',
      profile_url: 'https://www.youtube.com/@inventedshore',
    });
    expect(record.avatar_variants?.map(({ variant }) => variant)).toEqual(['default', 'high']);
  });

  it('has rounded subscribers from a thousand up and exact ones below', async () => {
    const many = await officialWith({ subscriberCount: '1000', hiddenSubscriberCount: false });
    expect(many.record).toMatchObject({
      followers: 1000,
      subscriber_count_is_rounded: true,
      follower_count_is_rounded: true,
    });
    expect(many.quality).toEqual({ followers: 'rounded' });
    const few = await officialWith({ subscriberCount: '999', hiddenSubscriberCount: false });
    expect(few.record).toMatchObject({
      followers: 999,
      subscriber_count_is_rounded: false,
      follower_count_is_rounded: false,
    });
    expect(few.quality).toEqual({});
  });

  it('with hidden subscribers has no count, never 0', async () => {
    const { record, quality } = await officialWith({
      subscriberCount: '0',
      hiddenSubscriberCount: true,
      videoCount: '7',
    });
    expect(record).toMatchObject({
      followers: null,
      hidden_subscriber_count: true,
      subscriber_count_is_rounded: null,
      follower_count_is_rounded: null,
      posts: 7,
      total_views: null,
    });
    expect(quality).toEqual({ followers: 'hidden' });
  });

  it('is never said to be verified or not', async () => {
    const upstream = invented({ channels });
    const { record } = await official(upstream).collect({ channel_id: channelId }, upstream.context);
    expect([record.verified, official(upstream).not_exposed]).toEqual([
      null,
      ['following', 'verified', 'external_url'],
    ]);
  });

  it('without a handle is addressed by its id', async () => {
    const upstream = invented({ channels: changed(channels.body, 'items.0.snippet.customUrl', undefined) });
    const { record } = await official(upstream).collect({ channel_id: channelId }, upstream.context);
    expect(record).toMatchObject({ username: null, profile_url: `https://www.youtube.com/channel/${channelId}` });
  });
});

describe('a channel page', () => {
  it('of a channel that the site made has no handle, and what it hides is null', async () => {
    const upstream = invented({ browse });
    const { record, quality, partial } = await web(upstream).collect({ channel_id: channelId }, upstream.context);
    expect(longvideoChannel.parse(record)).toEqual(record);
    expect(record).toMatchObject({
      username: null,
      profile_url: `https://www.youtube.com/channel/${channelId}`,
      followers: null,
      follower_count_is_rounded: null,
      posts: 15,
      verified: true,
      bio: null,
      external_url: null,
      keywords: 'tides "rock pools"',
    });
    expect([quality, partial]).toEqual([{}, true]);
    for (const field of web(upstream).not_exposed ?? []) expect(at(record, field)).toBeNull();
  });

  it.each([
    ['of another channel', changed(browse.body, 'metadata.channelMetadataRenderer.externalId', 'UCother')],
    ['of no known shape', { body: { contents: {} } }],
  ])('%s is a changed answer', async (_what, page) => {
    const upstream = invented({ browse: page });
    expect(await refusal(web(upstream).collect({ channel_id: channelId }, upstream.context))).toEqual([422, 'us']);
  });
});
