import { describe, expect, it } from 'vitest';
import { collect } from '../../../pipeline/collect/collect.ts';
import { longvideoSearchParams } from '../../../pipeline/longvideo/params.ts';
import { shownRow } from '../../../pipeline/longvideo/web/lockup.ts';
import { searchResult } from '../../../pipeline/records/longvideo.ts';
import { describeRecorded } from '../../recorded.ts';
import {
  at,
  bodyOf,
  exchangesOf,
  invented,
  recorded,
  refusal,
  refusalOf,
  sourceOf,
  type Upstream,
} from './upstream.ts';

const official = 'youtube-data-api';
const web = 'youtube-web';
const paramsOf = (more: object = {}) => longvideoSearchParams.parse({ query: 'tide pools', limit: 20, ...more });
const searchOf = ({ collectors }: Upstream, name: string) => sourceOf(collectors.longvideoSearch, name);

const results = (items: object[], nextPageToken?: string) => ({
  body: { kind: 'youtube#searchListResponse', items, nextPageToken },
});
const video = (videoId: string, snippet: object | undefined = { title: 'Tide pools' }) => ({
  id: { kind: 'youtube#video', videoId },
  snippet,
});

describe('YouTube search by the official source', () => {
  it('official YouTube search returns one kind of row for each kind of result, unescaped once', async () => {
    const upstream = invented({
      search: results([
        video('invented001', { title: 'Rock &amp;amp; pool &#39;26', liveBroadcastContent: 'upcoming' }),
        {
          id: { kind: 'youtube#channel', channelId: 'UCinvented00000000000001' },
          snippet: { title: 'Shore', thumbnails: { default: { url: 'https://images.example/c.jpg' } } },
        },
        { id: { kind: 'youtube#playlist', playlistId: 'PLinvented0000000000001' }, snippet: { title: 'Walks' } },
      ]),
    });
    const { record } = await searchOf(upstream, official).collect(paramsOf(), upstream.context);
    expect(searchResult.array().parse(record)).toEqual(record);
    expect(record.map(({ id, result_type, permalink }) => [result_type, id, permalink])).toEqual([
      ['video', 'invented001', 'https://www.youtube.com/watch?v=invented001'],
      ['channel', 'UCinvented00000000000001', 'https://www.youtube.com/channel/UCinvented00000000000001'],
      ['playlist', 'PLinvented0000000000001', 'https://www.youtube.com/playlist?list=PLinvented0000000000001'],
    ]);
    expect(record[0]).toMatchObject({ title: "Rock &amp; pool '26", live_status: 'upcoming' });
    expect(record[1]?.thumbnails).toMatchObject([{ width: null, height: null }]);
  });

  it('official YouTube search keeps a row that has an ID but no snippet', async () => {
    const bare = { id: { kind: 'youtube#video', videoId: 'invented001' } };
    const upstream = invented({ search: results([bare, video('invented002')]) });
    const { record } = await searchOf(upstream, official).collect(paramsOf(), upstream.context);
    expect(record).toMatchObject([
      { id: 'invented001', title: null, thumbnails: null, position: 1 },
      { id: 'invented002', title: 'Tide pools', position: 2 },
    ]);
  });

  it('official YouTube search continues the positions from page to page', async () => {
    const upstream = invented({
      search: [results([video('a'), video('b')], 'invented-page-2'), results([video('c')])],
    });
    const source = searchOf(upstream, official);
    const one = await source.collect(paramsOf({ limit: 2 }), upstream.context);
    const two = await source.collect(
      paramsOf({ limit: 2, cursor: { source: official, at: one.next } }),
      upstream.context,
    );
    expect([...one.record, ...two.record].map(({ position }) => position)).toEqual([1, 2, 3]);
    expect(two.next).toBeNull();
  });

  it('official YouTube search sends all parameters and repeats them in each row', async () => {
    const upstream = invented({ search: results([video('a')]) });
    const params = paramsOf({
      type: ['video', 'channel'],
      order: 'date',
      region_code: 'IS',
      language: 'zh-Hant',
      limit: 5,
    });
    const { record } = await searchOf(upstream, official).collect(params, upstream.context);
    const sent = new URL(upstream.requests[0]?.url ?? '').searchParams;
    const names = ['q', 'type', 'order', 'regionCode', 'relevanceLanguage', 'maxResults'];
    expect(names.map((name) => sent.get(name))).toEqual(['tide pools', 'video,channel', 'date', 'IS', 'zh-Hant', '5']);
    expect(record[0]).toMatchObject({ query: 'tide pools', region_code: 'IS', language: 'zh-Hant', order: 'date' });
  });

  it('official YouTube search returns all kinds when no kind is requested', async () => {
    const upstream = invented({ search: results([]) });
    await searchOf(upstream, official).collect(paramsOf(), upstream.context);
    const sent = new URL(upstream.requests[0]?.url ?? '').searchParams;
    expect(['type', 'regionCode', 'relevanceLanguage'].map((name) => sent.has(name))).toEqual([false, false, false]);
  });

  it('official YouTube search is INVALID_INPUT for a region that the source does not support', async () => {
    const fault = { status: 400, body: { error: { errors: [{ reason: 'unsupportedRegionCode' }] } } };
    const upstream = invented({ search: fault });
    const search = searchOf(upstream, official);
    expect(await refusal(search.collect(paramsOf({ region_code: 'XX' }), upstream.context))).toEqual([400, 'resource']);
    expect(await refusal(search.collect(paramsOf(), upstream.context))).toEqual([503, 'us']);
  });

  it('official YouTube search uses a separate quota bucket', async () => {
    const fault = {
      status: 429,
      body: { error: { message: 'Search Queries per day', errors: [{ reason: 'rateLimitExceeded' }] } },
    };
    const upstream = invented({ search: fault });
    const search = searchOf(upstream, official);
    expect(await refusal(search.collect(paramsOf(), upstream.context))).toEqual([429, 'us']);
    expect(await refusal(search.collect(paramsOf(), upstream.context))).toEqual([429, 'us']);
    expect([upstream.requestCount('search'), upstream.units]).toEqual([1, { 'search.list': 1 }]);
  });
});

const noResults = { itemSectionRenderer: { contents: [{ backgroundPromoRenderer: {} }] } };

describe('YouTube search by the website', () => {
  it.each(['date', 'rating', 'title', 'videoCount', 'viewCount'])(
    'website search refuses the order %s instead of changing it',
    async (order) => {
      const upstream = invented({});
      expect(await refusal(searchOf(upstream, web).collect(paramsOf({ order }), upstream.context))).toEqual([
        503,
        'us',
      ]);
      expect(upstream.requests).toEqual([]);
    },
  );

  it.each([
    [['video'], 'EgIQAfABAQ=='],
    [['channel'], 'EgIQAvABAQ=='],
    [['playlist'], 'EgIQA_ABAQ=='],
    [['video', 'playlist'], '8AEB'],
    [['video', 'channel', 'playlist'], '8AEB'],
  ])('website search sends for %o the filter %s', async (type, params) => {
    const body = {
      contents: {
        twoColumnSearchResultsRenderer: { primaryContents: { sectionListRenderer: { contents: [noResults] } } },
      },
    };
    const upstream = invented({ search: { body } });
    await searchOf(upstream, web).collect(paramsOf({ type }), upstream.context);
    expect(JSON.parse(upstream.requests[0]?.body ?? '{}')).toMatchObject({ query: 'tide pools', params });
  });

  it.each([{ region_code: 'IS' }, { language: 'is' }])(
    'website search refuses %o before any request, even on a later page',
    async (ignored) => {
      const upstream = invented({}, { key: null });
      const cursor = { source: web, at: { token: 'more', skip: 0, before: 20 } };
      for (const params of [paramsOf(ignored), paramsOf({ ...ignored, cursor })]) {
        const error = await refusalOf(searchOf(upstream, web).collect(params, upstream.context));
        expect(error.code).toBe('SOURCE_NOT_CONFIGURED');
        expect(error.message).toContain(`${Object.keys(ignored)[0]}=`);
      }
      expect(upstream.requests).toEqual([]);
    },
  );

  it('website search says when the official source may be available again', async () => {
    const upstream = invented({ search: { status: 500, body: {} } });
    const search = collect(upstream.collectors.longvideoSearch, paramsOf({ order: 'date' }), upstream.context);
    expect((await refusalOf(search)).code).toBe('SOURCE_UNAVAILABLE');
  });

  it.each([
    ['a finished video', 'none', { text: '4:05', badgeStyle: 'THUMBNAIL_OVERLAY_BADGE_STYLE_DEFAULT' }, 245],
    ['a running broadcast', 'live', { text: 'LIVE', badgeStyle: 'THUMBNAIL_OVERLAY_BADGE_STYLE_LIVE' }, null],
    [
      'an upcoming premiere',
      'upcoming',
      { text: 'Upcoming', badgeStyle: 'THUMBNAIL_OVERLAY_BADGE_STYLE_DEFAULT' },
      null,
    ],
  ])('%s in the current list layout of the website has the live status %s', (_, liveStatus, badge, seconds) => {
    const badges = [{ thumbnailBadgeViewModel: badge }];
    const lockupViewModel = {
      contentType: 'LOCKUP_CONTENT_TYPE_VIDEO',
      contentId: 'invented001',
      contentImage: {
        thumbnailViewModel: { overlays: [{ thumbnailOverlayBadgeViewModel: { thumbnailBadges: badges } }] },
      },
      metadata: { lockupMetadataViewModel: { title: { content: 'Tide pools' } } },
    };
    const row = shownRow({ richItemRenderer: { content: { lockupViewModel } } });
    expect(row).toMatchObject({ id: 'invented001', live_status: liveStatus, duration_seconds: seconds });
  });

  it('website search returns an empty list without results', async () => {
    const sectionListRenderer = { contents: [noResults] };
    const body = { contents: { twoColumnSearchResultsRenderer: { primaryContents: { sectionListRenderer } } } };
    const upstream = invented({ search: { body } });
    const { record, warnings } = await searchOf(upstream, web).collect(paramsOf(), upstream.context);
    expect([record, warnings]).toEqual([[], undefined]);
  });

  it('website search reads results in a grid, as YouTube showed them in 2021', async () => {
    const item = (videoId: string) => ({
      richItemRenderer: { content: { videoRenderer: { videoId, title: { simpleText: 'Tide pools' } } } },
    });
    const shelf = { richSectionRenderer: { content: { richShelfRenderer: {} } } };
    const more = {
      continuationItemRenderer: { continuationEndpoint: { continuationCommand: { token: 'invented-page-2' } } },
    };
    const richGridRenderer = { contents: [item('invented001'), shelf, item('invented002'), more] };
    const body = { contents: { twoColumnSearchResultsRenderer: { primaryContents: { richGridRenderer } } } };
    const upstream = invented({ search: { body } });
    const { record, next, warnings } = await searchOf(upstream, web).collect(paramsOf(), upstream.context);
    expect(record.map(({ id, position }) => [id, position])).toEqual([
      ['invented001', 1],
      ['invented002', 2],
    ]);
    expect([next?.token, warnings]).toEqual(['invented-page-2', undefined]);
  });

  it('website search ends with an empty list when the page after the last result has no list', async () => {
    const cursor = { source: web, at: { token: 'page-2', skip: 0 } };
    const end = { responseContext: {}, estimatedResults: '22', trackingParams: 'x', header: {}, topbar: {} };
    const upstream = invented({ search: { body: end } });
    const { record, next } = await searchOf(upstream, web).collect(paramsOf({ cursor }), upstream.context);
    expect([record, next]).toEqual([[], null]);
    expect(await refusal(searchOf(upstream, web).collect(paramsOf(), upstream.context))).toEqual([422, 'us']);
    const other = invented({ search: { body: { ...end, futureCommands: [] } } });
    expect(await refusal(searchOf(other, web).collect(paramsOf({ cursor }), other.context))).toEqual([422, 'us']);
  });

  it('website search is a changed answer when the results have an unknown structure', async () => {
    const upstream = invented({ search: { body: {} } });
    expect(await refusal(searchOf(upstream, web).collect(paramsOf(), upstream.context))).toEqual([422, 'us']);
  });
});

const recordedSearches = exchangesOf('search').filter(
  ({ query, file }) => query?.q !== undefined && !file?.includes('error'),
);

describeRecorded('recorded searches', () => {
  it.each(recordedSearches.map((exchange) => [String(exchange.query?.q), exchange] as const))(
    'recorded official search results have all fields: %s',
    async (query, exchange) => {
      const items = at(bodyOf(exchange), 'items') as unknown[];
      const upstream = recorded();
      const { record } = await searchOf(upstream, official).collect(paramsOf({ query }), upstream.context);
      expect(searchResult.array().parse(record)).toEqual(record);
      expect(record).toHaveLength(Math.min(items.length, 20));
      for (const [index, row] of record.entries()) {
        const item = items[index];
        const id = at(item, 'id.videoId') ?? at(item, 'id.channelId') ?? at(item, 'id.playlistId');
        expect(row).toMatchObject({
          id,
          result_type: String(at(item, 'id.kind')).replace('youtube#', ''),
          channel_id: at(item, 'snippet.channelId') ?? null,
          live_status: at(item, 'snippet.liveBroadcastContent') ?? null,
          position: index + 1,
          query,
        });
        expect(row.title ?? '').not.toMatch(/&(?:#39|amp|quot);/);
      }
    },
  );

  it('a recorded official search with a blocked key is 503, an error for the operator', async () => {
    const upstream = recorded();
    const search = searchOf(upstream, official).collect(paramsOf({ query: 'replay blocked key' }), upstream.context);
    expect(await refusal(search)).toEqual([503, 'operator']);
  });

  it.each([
    ['video', 'Nxk6aRHi664', /"videoRenderer":\{"videoId":"([^"]+)"/g],
    ['video', 'cirque du soleil', /"videoRenderer":\{"videoId":"([^"]+)"/g],
    ['channel', 'test', /"channelRenderer":\{"channelId":"([^"]+)"/g],
    ['playlist', 'test', /"contentId":"([^"]+)","contentType":"LOCKUP_CONTENT_TYPE_P/g],
  ])('public results are read: %s of %s', async (type, query, pattern) => {
    const filters: Record<string, string> = {
      video: 'EgIQAfABAQ==',
      channel: 'EgIQAvABAQ==',
      playlist: 'EgIQA_ABAQ==',
    };
    const exchange = exchangesOf('search').find(
      ({ body }) => body?.query === query && [body?.params].flat().includes(filters[type] ?? ''),
    );
    const ids = [...JSON.stringify(at(bodyOf(exchange), 'contents')).matchAll(pattern)].map(([, id]) => id);
    const upstream = recorded({ key: null });
    const { record } = await searchOf(upstream, web).collect(paramsOf({ query, type: [type] }), upstream.context);
    expect(searchResult.array().parse(record)).toEqual(record);
    expect(record.map(({ id }) => id)).toEqual(ids.slice(0, 20));
    expect(record.every((row) => row.result_type === type && row.title !== null && row.published_at === null)).toBe(
      true,
    );
    expect(record.every((row) => row.channel_id?.startsWith('UC'))).toBe(true);
  });

  it('recorded website search results leave out shelves of other content', async () => {
    const exchange = exchangesOf('search').find(({ file }) => file?.includes('innertube.all'));
    const upstream = recorded({ key: null });
    const { record } = await searchOf(upstream, web).collect(paramsOf({ query: 'test' }), upstream.context);
    const contents = at(
      bodyOf(exchange),
      'contents.twoColumnSearchResultsRenderer.primaryContents.sectionListRenderer.contents.0',
    );
    const entries = at(contents, 'itemSectionRenderer.contents') as object[];
    const direct = entries.map((entry) => at(entry, 'videoRenderer.videoId')).filter((id) => id !== undefined);
    expect(record.map(({ id }) => id)).toEqual(direct.slice(0, 20));
  });

  it('recorded website search results have the live status of a live broadcast', async () => {
    const exchange = exchangesOf('search').find(({ file }) => file?.includes('with-live'));
    const live = JSON.stringify(bodyOf(exchange))
      .split('"videoRenderer":')
      .slice(1)
      .map((row) => row.includes('BADGE_STYLE_TYPE_LIVE_NOW'));
    const upstream = recorded({ key: null });
    const params = paramsOf({ query: 'cirque du soleil', type: ['video'] });
    const { record } = await searchOf(upstream, web).collect(params, upstream.context);
    expect(record.map(({ live_status }) => live_status === 'live')).toEqual(live.slice(0, 20));
    expect(live).toContain(true);
  });

  it.each(['channels.continuation', 'videos.continuation'])(
    'recorded website search results continue with the recorded %s',
    async (file) => {
      const exchange = exchangesOf('search').find((one) => one.file?.includes(file));
      const token = String([exchange?.body?.continuation].flat()[0]);
      const upstream = recorded({ key: null });
      const cursor = { source: web, at: { token, skip: 0, before: 20 } };
      const { record, next } = await searchOf(upstream, web).collect(
        paramsOf({ query: 'test', cursor }),
        upstream.context,
      );
      expect(record.map(({ position }) => position)).toEqual(Array.from({ length: 20 }, (_, index) => 21 + index));
      expect(next).toMatchObject({ skip: 0, before: 40 });
    },
  );
});
