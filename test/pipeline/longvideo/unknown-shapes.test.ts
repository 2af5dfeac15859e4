import { describe, expect, it } from 'vitest';
import { longvideoSearchParams } from '../../../pipeline/longvideo/params.ts';
import { comment } from '../../../pipeline/records/shared.ts';
import { invented, refusal, sourceOf } from './upstream.ts';

const web = 'youtube-web';
const official = 'youtube-data-api';
const channelId = 'UCinvented00000000000001';
const playlistId = 'PLinvented0000000000001';
const first = { limit: 20, cursor: null };
const later = { limit: 20, cursor: { source: web, at: { token: 'page-2', skip: 0 } } };

const continuation = (token?: string) => ({
  continuationItemRenderer: { continuationEndpoint: { continuationCommand: { token } } },
});
const appending = (member: string, action: object) => ({
  search: { body: { [member]: [{ appendContinuationItemsAction: action }] } },
  browse: { body: { [member]: [{ appendContinuationItemsAction: action }] } },
  next: { body: { [member]: [{ appendContinuationItemsAction: action }] } },
});
const video = (videoId: string) => ({ videoRenderer: { videoId, title: { simpleText: `Words of ${videoId}` } } });
const entry = (videoId: string) => ({
  playlistVideoRenderer: { videoId, title: { simpleText: `Words of ${videoId}` } },
});

const paramsOf = (more: object) => longvideoSearchParams.parse({ query: 'tide pools', ...more });
const searching = (entries: object[], more: object = {}) => {
  const upstream = invented(appending('onResponseReceivedCommands', { continuationItems: entries }));
  return sourceOf(upstream.collectors.longvideoSearch, web).collect(paramsOf({ ...later, ...more }), upstream.context);
};

describe('a YouTube page with unknown entries', () => {
  it('a YouTube page is 422 and not an empty list when all its rows are unknown', async () => {
    expect(await refusal(searching([{ clipRenderer: {} }, continuation('page-3')]))).toEqual([422, 'us']);
  });

  it('a YouTube page with some unknown rows is partial, and a warning has their number', async () => {
    const answer = await searching([video('invented001'), { clipRenderer: {} }, { videoRenderer: { videoId: 'x' } }]);
    expect(answer.record.map(({ id }) => id)).toEqual(['invented001']);
    expect(answer.partial).toBe(true);
    expect(answer.warnings).toEqual(['Left out 2 of 3 rows: unknown format, or a text that is too long.']);
  });

  it('a YouTube page warns about missing rows when its continuation cannot be read', async () => {
    const answer = await searching([video('invented001'), continuation()]);
    expect([answer.next, answer.warnings]).toEqual([null, [expect.stringMatching(/^Left out 1 of 2 rows/)]]);
  });

  it('a YouTube page is an empty list when it has only shelves, advertisements and other kinds of results', async () => {
    const others = ['shelfRenderer', 'adSlotRenderer', 'radioRenderer', 'searchFrictionViewModel'];
    const entries = [...others.map((name) => ({ [name]: {} })), video('invented001')];
    const { record, warnings } = await searching(entries, { type: ['channel'] });
    expect([record, warnings]).toEqual([[], undefined]);
  });

  it.each([
    ['an action that only has its target', { targetId: 'x' }, []],
    ['an action with entries under another name', { targetId: 'x', items: [entry('a')] }, 422],
  ])('a YouTube page continues a list with %s', async (_what, action, outcome) => {
    const upstream = invented(appending('onResponseReceivedActions', action));
    const source = sourceOf(upstream.collectors.longvideoPlaylistItems, web);
    const answer = source.collect({ playlist_id: playlistId, ...later }, upstream.context);
    if (outcome === 422) expect(await refusal(answer)).toEqual([422, 'us']);
    else expect((await answer).record).toEqual(outcome);
  });

  it('a YouTube page is 422 when it should continue a list but does not', async () => {
    const upstream = invented({ browse: { body: { onResponseReceived: [] } } });
    const source = sourceOf(upstream.collectors.longvideoChannelVideos, web);
    expect(await refusal(source.collect({ channel_id: channelId, ...later }, upstream.context))).toEqual([422, 'us']);
  });

  it.each(['messageRenderer', 'noticeRenderer'])(
    'a YouTube page with only a %s in its tab is empty if that entry is known',
    async (name) => {
      const content = {
        sectionListRenderer: { contents: [{ itemSectionRenderer: { contents: [{ [name]: {} }] } }] },
      };
      const endpoint = { commandMetadata: { webCommandMetadata: { url: '/@inventedshore/playlists' } } };
      const upstream = invented({
        browse: {
          body: {
            metadata: { channelMetadataRenderer: { title: 'Invented Shore', externalId: channelId } },
            contents: { twoColumnBrowseResultsRenderer: { tabs: [{ tabRenderer: { endpoint, content } }] } },
          },
        },
      });
      const source = sourceOf(upstream.collectors.longvideoChannelPlaylists, web);
      const answer = source.collect({ channel_id: channelId, ...first }, upstream.context);
      if (name === 'messageRenderer') expect((await answer).record).toEqual([]);
      else expect(await refusal(answer)).toEqual([422, 'us']);
    },
  );
});

describe('YouTube comments in the previous format', () => {
  const older = (commentRenderer: object) => ({ commentThreadRenderer: { comment: { commentRenderer } } });
  const reading = (...entries: object[]) => {
    const upstream = invented(appending('onResponseReceivedEndpoints', { continuationItems: entries }));
    const source = sourceOf(upstream.collectors.longvideoComments, web);
    return source.collect({ id: 'invented001', order: 'time', ...later }, upstream.context);
  };

  it('comments in the previous format are read', async () => {
    const { record, next, quality } = await reading(
      older({
        commentId: 'UgInvented1',
        contentText: { runs: [{ text: 'Words ' }, { text: 'of a friend' }] },
        authorText: { simpleText: 'Invented Friend' },
        authorEndpoint: { browseEndpoint: { browseId: 'UCinvented00000000000002' } },
        authorThumbnail: { thumbnails: [{ url: 'https://images.example/48.jpg' }, { url: '//images.example/88.jpg' }] },
        publishedTimeText: { runs: [{ text: '2 years ago' }] },
        voteCount: { simpleText: '1.2K' },
        replyCount: 3,
      }),
      older({ commentId: 'UgInvented2', contentText: { simpleText: '' }, authorText: { simpleText: '@invented.two' } }),
      continuation('page-3'),
    );
    expect(comment.array().parse(record)).toEqual(record);
    expect(record).toMatchObject([
      {
        id: 'UgInvented1',
        content_id: 'invented001',
        text: 'Words of a friend',
        likes: 1200,
        reply_count: 3,
        author_id: 'UCinvented00000000000002',
        author_username: null,
        author_display_name: 'Invented Friend',
        author_avatar_url: 'https://images.example/88.jpg',
        author_profile_url: 'https://www.youtube.com/channel/UCinvented00000000000002',
        published_at: null,
      },
      { id: 'UgInvented2', text: '', likes: null, reply_count: null, author_username: 'invented.two' },
    ]);
    expect(quality).toEqual({ '0.likes': 'rounded' });
    expect(next).toEqual({ token: 'page-3', skip: 0 });
  });

  it('comments in the previous format are unknown entries without an ID or text', async () => {
    expect(await refusal(reading(older({ contentText: { simpleText: 'x' } }), older({ commentId: 'Ug1' })))).toEqual([
      422,
      'us',
    ]);
  });
});

describe('a page of the official YouTube source', () => {
  const entries = (...items: object[]) => {
    const upstream = invented({ playlistItems: { body: { kind: 'youtube#playlistItemListResponse', items } } });
    const source = sourceOf(upstream.collectors.longvideoPlaylistItems, official);
    return source.collect({ playlist_id: playlistId, ...first }, upstream.context);
  };

  it('a page of the official YouTube source is 422 when its rows cannot be read or have only IDs', async () => {
    expect(await refusal(entries({ id: '1', snippet: { title: 'One' } }))).toEqual([422, 'us']);
    expect(await refusal(entries({ id: '1', contentDetails: { videoId: 'a' } }))).toEqual([422, 'us']);
  });

  it('a page of the official YouTube source with some unreadable rows is partial, and has a warning', async () => {
    const known = { id: '2', snippet: { title: 'Two' }, contentDetails: { videoId: 'b' } };
    const { record, partial, warnings } = await entries({ id: '1', snippet: { title: 'One' } }, known);
    expect([record.map(({ content_id }) => content_id), partial, warnings?.length]).toEqual([['b'], true, 1]);
  });

  it('a playlist row of the official YouTube source without a snippet has the requested playlist ID', async () => {
    const known = { id: '2', snippet: { title: 'Two' }, contentDetails: { videoId: 'b' } };
    const { record } = await entries({ id: '1', contentDetails: { videoId: 'a' } }, known);
    expect(record[0]).toMatchObject({
      playlist_id: playlistId,
      title: null,
      permalink: `https://www.youtube.com/watch?v=a&list=${playlistId}`,
    });
  });

  it('an odd count in one official upload leaves out only that video, and is 422 when there is no other', async () => {
    const ids = ['a', 'b'];
    const items = ids.map((videoId) => ({ snippet: { title: videoId }, contentDetails: { videoId } }));
    const listing = (...counts: string[]) => {
      const described = counts.map((viewCount, index) => ({
        id: ids[index],
        snippet: { title: 'Words' },
        statistics: { viewCount, likeCount: '1' },
      }));
      const upstream = invented({
        playlistItems: { body: { kind: 'youtube#playlistItemListResponse', items } },
        videos: { body: { kind: 'youtube#videoListResponse', items: described } },
      });
      const source = sourceOf(upstream.collectors.longvideoChannelVideos, official);
      return source.collect({ channel_id: channelId, ...first }, upstream.context);
    };
    const { record, partial, warnings } = await listing('many', '12');
    expect([record.map(({ id, views }) => [id, views]), partial, warnings?.length]).toEqual([[['b', 12]], true, 1]);
    expect(await refusal(listing('many', 'more'))).toEqual([422, 'us']);
  });

  it('official uploads without details have a warning, and a page is 422 when no upload has details', async () => {
    const items = ['a', 'b'].map((videoId) => ({ snippet: { title: videoId }, contentDetails: { videoId } }));
    const listing = (...described: object[]) => {
      const upstream = invented({
        playlistItems: { body: { kind: 'youtube#playlistItemListResponse', items } },
        videos: { body: { kind: 'youtube#videoListResponse', items: described } },
      });
      const source = sourceOf(upstream.collectors.longvideoChannelVideos, official);
      return source.collect({ channel_id: channelId, ...first }, upstream.context);
    };
    const { record, partial, warnings } = await listing({ id: 'a', snippet: { title: 'One' } });
    expect([record.length, partial]).toEqual([1, true]);
    expect(warnings).toEqual(['YouTube lists 1 more video here, but without details, so it is left out.']);
    expect(await refusal(listing())).toEqual([422, 'us']);
  });
});

describe('a YouTube record without a title', () => {
  it('a video without a title is 422 from the player of the website', async () => {
    const body = { playabilityStatus: { status: 'OK' }, videoDetails: { videoId: 'invented001' } };
    const upstream = invented({ player: { body }, next: { body: {} } });
    const source = sourceOf(upstream.collectors.longvideoVideo, web);
    expect(await refusal(source.collect({ id: 'invented001' }, upstream.context))).toEqual([422, 'us']);
  });

  it('a playlist without a title is 422 from its page', async () => {
    const primary = { playlistSidebarPrimaryInfoRenderer: { stats: [] } };
    const body = { sidebar: { playlistSidebarRenderer: { items: [primary] } } };
    const upstream = invented({ browse: { body } });
    const source = sourceOf(upstream.collectors.longvideoPlaylist, web);
    expect(await refusal(source.collect({ playlist_id: playlistId }, upstream.context))).toEqual([422, 'us']);
  });

  it.each([
    ['channels', 'channel'],
    ['playlists', 'playlist'],
  ])('a record without a title is 422 from the official %s', async (endpoint, kind) => {
    const body = { kind: `youtube#${kind}ListResponse`, items: [{ id: channelId, snippet: { title: '' } }] };
    const { collectors, context } = invented({ [endpoint]: { body } });
    const answer =
      kind === 'channel'
        ? sourceOf(collectors.longvideoChannel, official).collect({ channel_id: channelId }, context)
        : sourceOf(collectors.longvideoPlaylist, official).collect({ playlist_id: playlistId }, context);
    expect(await refusal(answer)).toEqual([422, 'us']);
  });
});
