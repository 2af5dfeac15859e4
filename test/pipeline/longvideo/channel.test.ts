import { describe, expect, it } from 'vitest';
import { longvideoChannelParams } from '../../../pipeline/longvideo/params.ts';
import { longvideoChannelRecord } from '../../../pipeline/records/longvideo.ts';
import { at, changed, invented, readFixture, refusal, sourceOf, type Upstream } from './upstream.ts';

const channelId = 'UCinvented00000000000001';
const channels = { body: readFixture('channel.json') };
const browse = { body: readFixture('channel-page.json') };
const resolved = (endpoint: object) => ({ body: { endpoint } });
const found = resolved({ browseEndpoint: { browseId: channelId } });

const official = ({ collectors }: Upstream) => sourceOf(collectors.longvideoChannel, 'youtube-data-api');
const web = ({ collectors }: Upstream) => sourceOf(collectors.longvideoChannel, 'youtube-web');
const urlsOf = ({ requests }: Upstream) => requests.map(({ url }) => new URL(url).searchParams);

async function officialWith(statistics: object) {
  const upstream = invented({ channels: changed(channels.body, 'items.0.statistics', statistics) });
  return official(upstream).collect({ channel_id: channelId }, upstream.context);
}

describe('identifiers of a YouTube channel', () => {
  it.each([
    [{ channel_id: channelId }],
    [{ handle: '@æðar-fugl.1' }],
    [{ handle: 'abc' }],
    [{ username: 'Invented1' }],
    [{ custom_name: 'InventedShore' }],
  ])('the identifiers of a YouTube channel include %o', (params) => {
    expect(longvideoChannelParams.parse(params)).toEqual(params);
  });

  it.each([
    [{}],
    [{ channel_id: channelId, handle: 'abc' }],
    [{ channel_id: 'UC123' }],
    [{ handle: 'ab' }],
    [{ handle: 'a/../b' }],
    [{ username: 'with space' }],
    [{ custom_name: 'a?b' }],
  ])('the identifiers of a YouTube channel do not include %o', (params) => {
    expect(longvideoChannelParams.safeParse(params).success).toBe(false);
  });

  it.each([
    [{ channel_id: channelId }, ['id', channelId]],
    [{ handle: 'inventedshore' }, ['forHandle', '@inventedshore']],
    [{ handle: '@inventedshore' }, ['forHandle', '@inventedshore']],
    [{ username: 'Invented1' }, ['forUsername', 'Invented1']],
  ])('identifiers of a channel become one selector of the official source: %o', async (params, [name = '', value]) => {
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
  ])('the web resolves the identifier of a channel from its URL: %o', async (params, url) => {
    const upstream = invented({ resolve_url: found, browse });
    expect((await web(upstream).collect(params, upstream.context)).record.id).toBe(channelId);
    expect(JSON.parse(upstream.requests[0]?.body ?? '').url).toBe(url);
  });

  it('a channel with a custom name is resolved by the web and then looked up officially', async () => {
    const upstream = invented({ resolve_url: found, channels });
    const { record } = await official(upstream).collect({ custom_name: 'InventedShore' }, upstream.context);
    expect(record.total_views).toBe(90000);
    const off = invented({ channels }, { keyless: false });
    expect(await refusal(official(off).collect({ custom_name: 'InventedShore' }, off.context))).toEqual([503, 'us']);
  });

  it('a renamed channel is followed once', async () => {
    const renamed = resolved({ urlEndpoint: { url: 'https://www.youtube.com/@newshore' } });
    const once = invented({ resolve_url: [renamed, found], browse });
    expect((await web(once).collect({ handle: 'oldshore' }, once.context)).record.id).toBe(channelId);
    const twice = invented({ resolve_url: renamed, browse });
    expect(await refusal(web(twice).collect({ handle: 'oldshore' }, twice.context))).toEqual([422, 'us']);
    expect(twice.requestCount('resolve_url')).toBe(2);
  });

  it.each([
    ['a page of a different kind', resolved({ browseEndpoint: { browseId: 'FEtrending' } })],
    ['an address off the site', resolved({ urlEndpoint: { url: 'https://elsewhere.example/' } })],
  ])('an identifier of a channel that resolves to %s is 404', async (_what, resolveUrl) => {
    const upstream = invented({ resolve_url: resolveUrl, browse });
    expect(await refusal(web(upstream).collect({ handle: 'inventedshore' }, upstream.context))).toEqual([
      404,
      'resource',
    ]);
    expect(upstream.requests).toHaveLength(1);
  });

  it.each([
    ['no endpoint', { body: {} }],
    ['an empty endpoint', resolved({})],
    ['an endpoint of an unknown kind', resolved({ pageEndpoint: { pageId: channelId } })],
    ['a renamed member', resolved({ browseEndpoint: { browseIdentifier: channelId } })],
    ['a list', { body: { endpoint: [] } }],
    ['a 404 that is a page', { status: 404, body: '<html>Not found</html>' }],
    ['a 404 of a removed endpoint', { status: 404, body: { error: { code: 404, message: 'Method not found.' } } }],
  ])(
    'an identifier of a channel that resolves to %s is a changed answer, not a missing channel',
    async (_what, resolveUrl) => {
      const upstream = invented({ resolve_url: resolveUrl, browse });
      expect(await refusal(web(upstream).collect({ handle: 'inventedshore' }, upstream.context))).toEqual([422, 'us']);
    },
  );

  it('a channel is a changed answer when its page is refused without saying that the channel does not exist', async () => {
    const refused = (status: number, word: string) => ({ status, body: { error: { code: status, status: word } } });
    const answered = (answer: object) => {
      const upstream = invented({ browse: answer as typeof browse });
      return refusal(web(upstream).collect({ channel_id: channelId }, upstream.context));
    };
    expect(await answered(refused(400, 'INVALID_ARGUMENT'))).toEqual([404, 'resource']);
    expect(await answered(refused(404, 'NOT_FOUND'))).toEqual([404, 'resource']);
    expect(await answered(refused(400, 'FAILED_PRECONDITION'))).toEqual([422, 'us']);
    expect(await answered({ status: 404, body: '' })).toEqual([422, 'us']);
  });
});

describe('a channel of the official YouTube source', () => {
  it('an official channel has the fields that are missing in all recordings', async () => {
    const upstream = invented({ channels });
    const { record } = await official(upstream).collect({ channel_id: channelId }, upstream.context);
    expect(longvideoChannelRecord.parse(record)).toEqual(record);
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

  it('an official channel has the country and language of its settings when its snippet has none', async () => {
    const brandingSettings = { channel: { country: 'IS', defaultLanguage: 'is' } };
    const body = (snippet: object) => ({
      kind: 'youtube#channelListResponse',
      items: [{ id: channelId, snippet: { title: 'Invented Shore', ...snippet }, brandingSettings }],
    });
    const placeOf = async (snippet: object) => {
      const upstream = invented({ channels: { body: body(snippet) } });
      const source = sourceOf(upstream.collectors.longvideoChannel, 'youtube-data-api');
      const { record } = await source.collect({ channel_id: channelId }, upstream.context);
      return [record.country_code, record.default_language];
    };
    expect(await placeOf({})).toEqual(['IS', 'is']);
    expect(await placeOf({ country: 'NO', defaultLanguage: 'nb' })).toEqual(['NO', 'nb']);
  });

  it('an official channel has rounded subscribers from 1,000 up and exact ones below', async () => {
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

  it('an official channel has null and not 0 for hidden subscribers', async () => {
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

  it('an official channel has no value for verified', async () => {
    const upstream = invented({ channels });
    const { record } = await official(upstream).collect({ channel_id: channelId }, upstream.context);
    expect([record.verified, official(upstream).not_exposed]).toEqual([
      null,
      ['following', 'verified', 'external_url'],
    ]);
  });

  it('an official channel without a handle has a URL with its ID', async () => {
    const upstream = invented({ channels: changed(channels.body, 'items.0.snippet.customUrl', undefined) });
    const { record } = await official(upstream).collect({ channel_id: channelId }, upstream.context);
    expect(record).toMatchObject({ username: null, profile_url: `https://www.youtube.com/channel/${channelId}` });
  });
});

describe('a YouTube channel page', () => {
  it('a channel page has no handle for a channel that YouTube created, and null for hidden counts', async () => {
    const upstream = invented({ browse });
    const { record, quality, partial } = await web(upstream).collect({ channel_id: channelId }, upstream.context);
    expect(longvideoChannelRecord.parse(record)).toEqual(record);
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
  ])('a channel page %s is a changed answer', async (_what, page) => {
    const upstream = invented({ browse: page });
    expect(await refusal(web(upstream).collect({ channel_id: channelId }, upstream.context))).toEqual([422, 'us']);
  });
});
