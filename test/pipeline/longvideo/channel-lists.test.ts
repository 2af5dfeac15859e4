import { describe, expect, it } from 'vitest';
import type { LongvideoChannelListParams } from '../../../pipeline/longvideo/params.ts';
import { longvideoItem } from '../../../pipeline/records/longvideo.ts';
import { playlist } from '../../../pipeline/records/shared.ts';
import { describeRecorded } from '../../recorded.ts';
import { at, bodyOf, exchangesOf, invented, recorded, refusal, sourceOf, type Upstream } from './upstream.ts';

const channelId = 'UCinvented00000000000001';
const first = { limit: 20, cursor: null };
const official = 'youtube-data-api';
const web = 'youtube-web';

const videosOf = ({ collectors }: Upstream, name: string) => sourceOf(collectors.longvideoChannelVideos, name);
const playlistsOf = ({ collectors }: Upstream, name: string) => sourceOf(collectors.longvideoChannelPlaylists, name);

const uploads = (videoIds: string[], nextPageToken?: string) => ({
  body: {
    kind: 'youtube#playlistItemListResponse',
    items: videoIds.map((videoId) => ({ snippet: { title: `Words of ${videoId}` }, contentDetails: { videoId } })),
    nextPageToken,
  },
});
const videos = (items: object[]) => ({ body: { kind: 'youtube#videoListResponse', items } });
const noList = { status: 404, body: { error: { errors: [{ reason: 'playlistNotFound' }] } } };

describe('videos of a channel', () => {
  it('videos of a channel from the official source are its uploads, newest first, with details from a second call', async () => {
    const upstream = invented({
      playlistItems: uploads(['invented002', 'invented001'], 'invented-page-2'),
      videos: videos([
        { id: 'invented002', snippet: { title: 'Two' }, statistics: { viewCount: '5', likeCount: '1' } },
        { id: 'invented001', snippet: { title: 'One' }, statistics: { viewCount: '7' } },
      ]),
    });
    const { record, quality, next } = await videosOf(upstream, official).collect(
      { channel_id: channelId, ...first },
      upstream.context,
    );
    expect(longvideoItem.array().parse(record)).toEqual(record);
    expect(record.map(({ id, views }) => [id, views])).toEqual([
      ['invented002', 5],
      ['invented001', 7],
    ]);
    expect(quality).toEqual({ '1.likes': 'hidden' });
    expect(next).toEqual({ token: 'invented-page-2', skip: 0 });
    const [listed, details] = upstream.requests.map(({ url }) => new URL(url).searchParams);
    expect(listed?.get('playlistId')).toBe('UUinvented00000000000001');
    expect(details?.get('id')).toBe('invented002,invented001');
    expect(upstream.units).toEqual({ 'playlistItems.list': 1, 'videos.list': 1 });
  });

  it('videos of a channel are an empty list for a channel without uploads, and 404 for a missing channel', async () => {
    const channels = (items: object[]) => ({ body: { kind: 'youtube#channelListResponse', items } });
    const empty = invented({
      playlistItems: noList,
      channels: channels([{ id: channelId, snippet: { title: 'Invented Shore' } }]),
    });
    const answer = await videosOf(empty, official).collect({ channel_id: channelId, ...first }, empty.context);
    expect([answer.record, answer.next]).toEqual([[], null]);
    const missing = invented({ playlistItems: noList, channels: channels([]) });
    expect(
      await refusal(videosOf(missing, official).collect({ channel_id: channelId, ...first }, missing.context)),
    ).toEqual([404, 'resource']);
    expect(missing.units).toEqual({ 'playlistItems.list': 1, 'channels.list': 1 });
  });

  it('an empty page of uploads of a channel does not cause a second call', async () => {
    const upstream = invented({ playlistItems: uploads([]) });
    expect(
      (await videosOf(upstream, official).collect({ channel_id: channelId, ...first }, upstream.context)).record,
    ).toEqual([]);
    expect(upstream.requestCount('videos')).toBe(0);
  });

  it('videos of a channel are an empty list for a page without the tab of videos', async () => {
    const tab = { endpoint: { commandMetadata: { webCommandMetadata: { url: '/@inventedshore/playlists?view=1' } } } };
    const body = {
      metadata: { channelMetadataRenderer: { title: 'Invented Shore', externalId: channelId } },
      contents: { twoColumnBrowseResultsRenderer: { tabs: [{ tabRenderer: tab }] } },
    };
    const upstream = invented({ browse: { body } });
    expect(
      (await videosOf(upstream, web).collect({ channel_id: channelId, ...first }, upstream.context)).record,
    ).toEqual([]);
    const unread = playlistsOf(upstream, web).collect({ channel_id: channelId, ...first }, upstream.context);
    expect(await refusal(unread)).toEqual([422, 'us']);
  });

  it('videos of a channel keep their author on later pages, which do not name the channel', async () => {
    const video = (videoId: string) => ({
      richItemRenderer: { content: { videoRenderer: { videoId, title: { simpleText: 'Tide pools' } } } },
    });
    const more = (token: string) => ({
      continuationItemRenderer: { continuationEndpoint: { continuationCommand: { token } } },
    });
    const tab = {
      endpoint: { commandMetadata: { webCommandMetadata: { url: '/@inventedshore/videos' } } },
      content: { richGridRenderer: { contents: [video('invented001'), more('page-2')] } },
    };
    const page = {
      metadata: { channelMetadataRenderer: { title: 'Invented Shore', externalId: channelId } },
      contents: { twoColumnBrowseResultsRenderer: { tabs: [{ tabRenderer: tab }] } },
    };
    const laterPage = (continuationItems: object[]) => ({
      body: { onResponseReceivedActions: [{ appendContinuationItemsAction: { continuationItems } }] },
    });
    const upstream = invented({
      browse: [{ body: page }, laterPage([video('invented002'), more('page-3')]), laterPage([video('invented003')])],
    });
    const authors: (string | null | undefined)[] = [];
    let cursor: LongvideoChannelListParams['cursor'] = null;
    do {
      const params = { channel_id: channelId, limit: 20, cursor };
      const { record, next } = await videosOf(upstream, web).collect(params, upstream.context);
      authors.push(record[0]?.author);
      cursor = next ? { source: web, at: next } : null;
    } while (cursor !== null);
    expect(authors).toEqual(['Invented Shore', 'Invented Shore', 'Invented Shore']);
  });

  it.each([
    ['a collaboration whose channels have names with the word', [['Tide Reviews and Views'], ['8.4M views', '1y ago']]],
    ['a text without the word, beside its long form', [[{ content: '8.4M', label: '8.4 million views' }, '1y ago']]],
    ['the views and not the linked name of a channel', [[{ content: '24 views', link: 'UCinvented0' }, '8.4M views']]],
    ['the views and not the viewers', [[{ content: '2K', label: '2 thousand viewers' }, '8.4M views']]],
  ])('the views of a video in the list of a channel are read from %s', async (_what, rows) => {
    const part = (shown: string | { content: string; label?: string; link?: string }) => {
      if (typeof shown === 'string') return { text: { content: shown } };
      const { content, label, link } = shown;
      const commandRuns = link && [{ onTap: { innertubeCommand: { browseEndpoint: { browseId: link } } } }];
      return { text: { content, commandRuns }, accessibilityLabel: label };
    };
    const metadataRows = rows.map((parts) => ({ metadataParts: parts.map(part) }));
    const lockupViewModel = {
      contentType: 'LOCKUP_CONTENT_TYPE_VIDEO',
      contentId: 'invented001',
      metadata: {
        lockupMetadataViewModel: {
          title: { content: 'Tide pools' },
          metadata: { contentMetadataViewModel: { metadataRows } },
        },
      },
    };
    const tab = {
      endpoint: { commandMetadata: { webCommandMetadata: { url: '/@inventedshore/videos' } } },
      content: { richGridRenderer: { contents: [{ richItemRenderer: { content: { lockupViewModel } } }] } },
    };
    const body = {
      metadata: { channelMetadataRenderer: { title: 'Invented Shore', externalId: channelId } },
      contents: { twoColumnBrowseResultsRenderer: { tabs: [{ tabRenderer: tab }] } },
    };
    const upstream = invented({ browse: { body } });
    const { record, quality } = await videosOf(upstream, web).collect(
      { channel_id: channelId, ...first },
      upstream.context,
    );
    expect(record).toMatchObject([{ views: 8_400_000, counts_rounded: { views: true } }]);
    expect(quality).toEqual({ '0.views': 'rounded' });
  });
});

const pages = exchangesOf('browse').filter(({ body }) => String(body?.browseId).startsWith('UC'));
const pageOf = (id: string) => JSON.stringify(bodyOf(pages.find(({ body }) => body?.browseId === id)));

describeRecorded('recorded lists of channels', () => {
  it('recorded official videos of a channel have all fields of a video', async () => {
    const upstream = recorded();
    const channel = 'UCzORJV8l3FWY4cFO8ot-F2w';
    const { record } = await videosOf(upstream, official).collect({ channel_id: channel, ...first }, upstream.context);
    const details = at(
      bodyOf(exchangesOf('videos').find(({ file }) => file?.includes('vinesauce'))),
      'items',
    ) as unknown[];
    expect(longvideoItem.array().parse(record)).toEqual(record);
    expect(record.map(({ id }) => id)).toEqual(details.map((item) => at(item, 'id')));
    expect(record.map(({ title }) => title)).toEqual(details.map((item) => at(item, 'snippet.title') ?? null));
    expect(upstream.requests.length).toBeLessThanOrEqual(3);
  });

  it('recorded official videos are empty for a channel without uploads and 404 for a missing channel', async () => {
    const upstream = recorded();
    const source = videosOf(upstream, official);
    expect(
      (await source.collect({ channel_id: 'UCerrNoUploads0000000000', ...first }, upstream.context)).record,
    ).toEqual([]);
    const none = source.collect({ channel_id: 'UC0000000000000000000000', ...first }, upstream.context);
    expect(await refusal(none)).toEqual([404, 'resource']);
  });

  it('recorded official playlists are those of the channel, and 404 for a missing channel', async () => {
    const upstream = recorded();
    const source = playlistsOf(upstream, official);
    const listed = exchangesOf('playlists').find(({ query }) => query?.channelId === 'UC_x5XG1OV2P6uZZ5FSM9Ttw');
    const items = at(bodyOf(listed), 'items') as unknown[];
    const { record } = await source.collect({ channel_id: 'UC_x5XG1OV2P6uZZ5FSM9Ttw', ...first }, upstream.context);
    expect(playlist.array().parse(record)).toEqual(record);
    expect(record.map(({ id }) => id)).toEqual(items.map((item) => at(item, 'id')));
    const none = source.collect({ channel_id: 'UC0000000000000000000000', ...first }, upstream.context);
    expect(await refusal(none)).toEqual([404, 'resource']);
  });

  it.each([
    ['UCEAXWzgcuF6XEiJcszhikQA', /"videoRenderer":\{"videoId":"([^"]+)"/g],
    ['UCUaQMQS9lY5lit3vurpXQ6w', /"videoRenderer":\{"videoId":"([^"]+)"/g],
    ['UCTwECeGqMZee77BjdoYtI2Q', /"contentId":"([^"]+)","contentType":"LOCKUP_CONTENT_TYPE_VIDEO"/g],
    ['UCYJ61XIK64sp6ZFFS8sctxw', /"contentId":"([^"]+)","contentType":"LOCKUP_CONTENT_TYPE_VIDEO"/g],
  ])('web videos of %s are read in either layout', async (id, pattern) => {
    const ids = [...pageOf(id).matchAll(pattern)].map(([, videoId]) => videoId);
    const upstream = recorded({ key: null });
    const { record, next, quality } = await videosOf(upstream, web).collect(
      { channel_id: id, ...first },
      upstream.context,
    );
    expect(longvideoItem.array().parse(record)).toEqual(record);
    expect(record.map((row) => row.id)).toEqual(ids.slice(0, 20));
    expect(record.every((row) => row.title !== null && row.published_at === null && row.channel_id === id)).toBe(true);
    expect(next).toEqual(ids.length > 20 ? { token: null, skip: 20 } : null);
    for (const [index, { counts_rounded }] of record.entries()) {
      expect(quality?.[`${index}.views`]).toBe(counts_rounded?.views === true ? 'rounded' : undefined);
    }
  });

  it('recorded web videos have exact views in one layout, and views rounded from 1,000 up in the other', async () => {
    const upstream = recorded({ key: null });
    const viewsOf = async (id: string) =>
      (await videosOf(upstream, web).collect({ channel_id: id, ...first }, upstream.context)).record;
    const exact = [...pageOf('UCEAXWzgcuF6XEiJcszhikQA').matchAll(/"viewCountText":\{"simpleText":"([\d,]+) views?"/g)];
    const rows = await viewsOf('UCEAXWzgcuF6XEiJcszhikQA');
    expect(rows.map(({ views }) => views)).toEqual(
      exact.slice(0, 20).map(([, text]) => Number(text?.replaceAll(',', ''))),
    );
    expect(rows.every(({ counts_rounded }) => counts_rounded?.views === false)).toBe(true);
    for (const { views, counts_rounded } of await viewsOf('UCTwECeGqMZee77BjdoYtI2Q')) {
      expect(counts_rounded?.views).toBe((views ?? 0) >= 1000);
    }
  });

  it('recorded web playlists of a channel continue with the second page', async () => {
    const id = 'UC2DjFE7Xf11URZqWBigcVOQ';
    const ids = [...pageOf(id).matchAll(/"contentId":"([^"]+)","contentType":"LOCKUP_CONTENT_TYPE_PLAYLIST"/g)];
    const counts = [...pageOf(id).matchAll(/"text":"(\d+) (?:video|lesson)s?","badgeStyle"/g)].map(([, count]) =>
      Number(count),
    );
    const upstream = recorded({ key: null });
    const source = playlistsOf(upstream, web);
    const one = await source.collect({ channel_id: id, ...first }, upstream.context);
    expect(one.record.map((row) => row.id)).toEqual(ids.slice(0, 20).map(([, listId]) => listId));
    expect(one.record.map((row) => row.item_count)).toEqual(counts.slice(0, 20));
    const two = await source.collect(
      { channel_id: id, limit: 20, cursor: { source: web, at: one.next ?? {} } },
      upstream.context,
    );
    expect(two.record.map((row) => row.id)).toEqual(ids.slice(20).map(([, listId]) => listId));
    const three = await source.collect(
      { channel_id: id, limit: 20, cursor: { source: web, at: two.next ?? {} } },
      upstream.context,
    );
    expect(playlist.array().parse(three.record)).toHaveLength(20);
    const all = [...one.record, ...two.record, ...three.record].map((row) => row.id);
    expect(new Set(all).size).toBe(all.length);
  });

  it('recorded lists of an age-restricted channel are 403, without a request for its uploads', async () => {
    const upstream = recorded({ key: null });
    const gated = videosOf(upstream, web).collect(
      { channel_id: 'UCbfnHqxXs_K3kvaH-WlNlig', ...first },
      upstream.context,
    );
    expect(await refusal(gated)).toEqual([403, 'resource']);
    expect(upstream.requests).toHaveLength(1);
  });
});
