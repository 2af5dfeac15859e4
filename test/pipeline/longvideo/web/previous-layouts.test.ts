import { describe, expect, it } from 'vitest';
import { longvideoSearchParams } from '../../../../pipeline/longvideo/params.ts';
import { invented, sourceOf } from '../upstream.ts';

const web = 'youtube-web';
const channelId = 'UCinvented00000000000001';
const playlistId = 'PLinvented0000000000001';
const first = { limit: 20, cursor: null };
const later = { limit: 20, cursor: { source: web, at: { token: 'page-2', skip: 0 } } };

const text = (simpleText: string) => ({ simpleText });
const picture = { thumbnails: [{ url: 'https://images.example/480.jpg', width: 480, height: 270 }] };
const linked = (name: string, browseId: string) => ({
  text: name,
  navigationEndpoint: { browseEndpoint: { browseId } },
});
const image = {
  url: 'https://images.example/480.jpg',
  width: 480,
  height: 270,
  asset_type: 'thumbnail',
  variant: null,
  expires_at: null,
};

/** A channel page that shows one tab with these entries. */
const tabPage = (tab: string, content: object) => ({
  metadata: { channelMetadataRenderer: { title: 'Invented Shore', externalId: channelId } },
  contents: {
    twoColumnBrowseResultsRenderer: {
      tabs: [
        {
          tabRenderer: {
            endpoint: { commandMetadata: { webCommandMetadata: { url: `/@inventedshore/${tab}` } } },
            content,
          },
        },
      ],
    },
  },
});
const grid = (items: object[]) => ({
  sectionListRenderer: { contents: [{ itemSectionRenderer: { contents: [{ gridRenderer: { items } }] } }] },
});

const searching = (...entries: object[]) => {
  const body = { onResponseReceivedCommands: [{ appendContinuationItemsAction: { continuationItems: entries } }] };
  const { collectors, context } = invented({ search: { body } });
  const params = longvideoSearchParams.parse({ query: 'tide pools', ...later });
  return sourceOf(collectors.longvideoSearch, web).collect(params, context);
};

describe('playlists in the layouts of YouTube before 2025', () => {
  it('a playlist in the search results has its first picture, its count and the name that links to its channel', async () => {
    const byline = { runs: [linked('Invented Shore', channelId), { text: ' · ' }, linked('Album', 'VLOLAK5uy_x')] };
    const { record, warnings } = await searching({
      playlistRenderer: {
        playlistId,
        title: text('Tide pools'),
        thumbnails: [picture, { thumbnails: [{ url: 'https://images.example/43.jpg', width: 43, height: 20 }] }],
        videoCount: '34',
        shortBylineText: byline,
        longBylineText: byline,
      },
    });
    expect(warnings).toBeUndefined();
    expect(record).toMatchObject([
      {
        id: playlistId,
        result_type: 'playlist',
        title: 'Tide pools',
        author: 'Invented Shore',
        channel_id: channelId,
        thumbnails: [image],
        live_status: null,
      },
    ]);
  });

  it('a playlist in the tab of a channel has its title, its picture and its count', async () => {
    const gridPlaylistRenderer = {
      playlistId,
      title: { runs: [{ text: 'Tide pools' }] },
      thumbnail: picture,
      videoCountText: { runs: [{ text: '1,107' }, { text: ' videos' }] },
      videoCountShortText: text('1,107'),
    };
    const { collectors, context } = invented({
      browse: { body: tabPage('playlists', grid([{ gridPlaylistRenderer }])) },
    });
    const { record, warnings } = await sourceOf(collectors.longvideoChannelPlaylists, web).collect(
      { channel_id: channelId, ...first },
      context,
    );
    expect(warnings).toBeUndefined();
    expect(record).toMatchObject([
      { id: playlistId, title: 'Tide pools', item_count: 1107, thumbnails: [image], author: 'Invented Shore' },
    ]);
  });

  it('playlists in several shelves of a channel are listed once, without those of other channels', async () => {
    const row = (id: string, owner?: string) => ({
      gridPlaylistRenderer: {
        playlistId: id,
        title: text(`Words of ${id}`),
        ...(owner === undefined ? {} : { shortBylineText: { runs: [linked('Invented Friend', owner)] } }),
      },
    });
    const shelf = (content: object) => ({ itemSectionRenderer: { contents: [{ shelfRenderer: { content } }] } });
    const contents = [
      shelf({ horizontalListRenderer: { items: [row('PLinvented1'), row('PLinvented2', channelId)] } }),
      shelf({ expandedShelfContentsRenderer: { items: [row('PLinvented1'), row('PLinvented3')] } }),
      shelf({ gridRenderer: { items: [row('PLinvented4', 'UCinvented00000000000002')] } }),
    ];
    const listOf = (sections: object[]) => {
      const { collectors, context } = invented({
        browse: { body: tabPage('playlists', { sectionListRenderer: { contents: sections } }) },
      });
      const source = sourceOf(collectors.longvideoChannelPlaylists, web);
      return source.collect({ channel_id: channelId, ...first }, context);
    };
    const { record, next, warnings } = await listOf(contents);
    expect(record.map(({ id }) => id)).toEqual(['PLinvented1', 'PLinvented2', 'PLinvented3']);
    expect([next ?? null, warnings]).toEqual([null, undefined]);
    const unread = await listOf([...contents, shelf({ futureRenderer: {} })]);
    expect(unread.warnings).toEqual([expect.stringMatching(/^Left out 1 of /)]);
  });

  it.each([
    [[text('1,234,567 views'), text('Last updated on 5 Sept 2024')], text('49 videos'), 49],
    [[text('1,234,567 views'), text('Last updated on 5 Sept 2024')], undefined, null],
    [[{ runs: [{ text: '7' }, { text: ' lessons' }] }, text('1,234 views')], undefined, 7],
  ])('the number of entries of a playlist is not its number of views: %o', async (stats, numVideosText, count) => {
    const body = {
      microformat: { microformatDataRenderer: { title: 'Tide pools' } },
      header: { playlistHeaderRenderer: { numVideosText, privacy: 'PUBLIC' } },
      sidebar: { playlistSidebarRenderer: { items: [{ playlistSidebarPrimaryInfoRenderer: { stats } }] } },
    };
    const { collectors, context } = invented({ browse: { body } });
    const { record } = await sourceOf(collectors.longvideoPlaylist, web).collect({ playlist_id: playlistId }, context);
    expect(record).toMatchObject({ item_count: count, privacy_status: 'public' });
  });

  it('a playlist is read from its header when its page has no column of details', async () => {
    const body = {
      header: {
        playlistHeaderRenderer: {
          playlistId,
          title: text('Tide pools'),
          descriptionText: text('Words about <tides>'),
          numVideosText: { runs: [{ text: '14' }, { text: ' lessons' }] },
          ownerText: { runs: [linked('Invented Shore', channelId)] },
          stats: [
            { runs: [{ text: '14' }, { text: ' lessons' }] },
            text('52,739 views'),
            text('Last updated on Oct 7, 2022'),
          ],
          privacy: 'UNLISTED',
          playlistHeaderBanner: { heroPlaylistThumbnailRenderer: { thumbnail: picture } },
        },
      },
    };
    const { collectors, context } = invented({ browse: { body } });
    const { record } = await sourceOf(collectors.longvideoPlaylist, web).collect({ playlist_id: playlistId }, context);
    expect(record).toMatchObject({
      id: playlistId,
      title: 'Tide pools',
      description: 'Words about <tides>',
      author: 'Invented Shore',
      account_id: channelId,
      item_count: 14,
      updated_at: '2022-10-07',
      privacy_status: 'unlisted',
      thumbnails: [image],
    });
  });
});

describe('a playlist page of YouTube without a column of details', () => {
  const detailsOf = async (body: object) => {
    const { collectors, context } = invented({ browse: { body } });
    return (await sourceOf(collectors.longvideoPlaylist, web).collect({ playlist_id: playlistId }, context)).record;
  };
  const metadata = { playlistMetadataRenderer: { title: 'Tide pools', description: 'All words about tides' } };

  it('a playlist page without a column has its counts and its date in the byline of its header', async () => {
    const byline = [
      { runs: [{ text: '101' }, { text: ' videos' }] },
      { runs: [{ text: 'Last updated on ' }, { text: '3 Nov 2016' }] },
    ].map((line) => ({ playlistBylineRenderer: { text: line } }));
    const record = await detailsOf({ metadata, header: { playlistHeaderRenderer: { playlistId, byline } } });
    expect(record).toMatchObject({
      title: 'Tide pools',
      description: 'All words about tides',
      item_count: 101,
      updated_at: '2016-11-03',
    });
  });

  it('a playlist page without a column has its owner and its count in the small texts of the current header', async () => {
    const owner = {
      content: 'by Invented Shore',
      commandRuns: [{ onTap: { innertubeCommand: { browseEndpoint: { browseId: channelId } } } }],
    };
    const metadataRows = [
      { metadataParts: [{ avatarStack: { avatarStackViewModel: { text: owner } } }] },
      { metadataParts: [{ text: { content: 'Playlist' } }, { text: { content: '49 videos' } }] },
    ];
    const pageHeaderViewModel = {
      title: { dynamicTextViewModel: { text: { content: 'Tide pools' } } },
      metadata: { contentMetadataViewModel: { metadataRows } },
      description: { descriptionPreviewViewModel: { description: { content: 'Words' } } },
    };
    const header = { pageHeaderRenderer: { content: { pageHeaderViewModel } } };
    const expected = { title: 'Tide pools', author: 'Invented Shore', account_id: channelId, item_count: 49 };
    expect(await detailsOf({ header })).toMatchObject({ ...expected, description: 'Words' });
    expect(await detailsOf({ header, metadata })).toMatchObject({ ...expected, description: 'All words about tides' });
  });
});

describe('mixes and albums in the current layout of YouTube', () => {
  const lockup = (contentType: string, contentId: string, badge: string) => ({
    lockupViewModel: {
      contentType: `LOCKUP_CONTENT_TYPE_${contentType}`,
      contentId,
      contentImage: {
        collectionThumbnailViewModel: {
          primaryThumbnail: {
            thumbnailViewModel: {
              image: { sources: picture.thumbnails },
              overlays: [
                {
                  thumbnailOverlayBadgeViewModel: {
                    thumbnailBadges: [{ thumbnailBadgeViewModel: { text: badge } }],
                  },
                },
              ],
            },
          },
        },
      },
      metadata: { lockupMetadataViewModel: { title: { content: `Words of ${contentId}` } } },
    },
  });

  it('a mix is no result, because YouTube creates it for each visitor', async () => {
    const { record, warnings } = await searching(
      lockup('PLAYLIST', 'RDinvented001', 'Mix'),
      lockup('PLAYLIST', playlistId, '3 videos'),
    );
    expect([record.map(({ id }) => id), warnings]).toEqual([[playlistId], undefined]);
  });

  it('a playlist of the editors of YouTube Music is a result, although its ID begins like that of a mix', async () => {
    const edited = 'RDCLAK5uy_invented0001';
    expect((await searching(lockup('PLAYLIST', edited, '50 songs'))).record).toMatchObject([{ id: edited }]);
  });

  it('an album is a playlist, whose number of songs is the number of its entries', async () => {
    const album = 'OLAK5uy_invented0001';
    expect((await searching(lockup('ALBUM', album, '12 songs'))).record).toMatchObject([
      { id: album, result_type: 'playlist' },
    ]);
    const content = { richGridRenderer: { contents: [lockup('ALBUM', album, '12 songs')] } };
    const { collectors, context } = invented({ browse: { body: tabPage('playlists', content) } });
    const { record } = await sourceOf(collectors.longvideoChannelPlaylists, web).collect(
      { channel_id: channelId, ...first },
      context,
    );
    expect(record).toMatchObject([{ id: album, item_count: 12 }]);
  });
});

describe('videos in the lists of YouTube', () => {
  const videosOf = async (...entries: object[]) => {
    const { collectors, context } = invented({
      browse: { body: tabPage('videos', { richGridRenderer: { contents: entries } }) },
    });
    return sourceOf(collectors.longvideoChannelVideos, web).collect({ channel_id: channelId, ...first }, context);
  };

  it('a video in the grid of 2022 has the duration on its picture', async () => {
    const gridVideoRenderer = {
      videoId: 'invented001',
      title: text('Tide pools'),
      thumbnail: picture,
      viewCountText: text('1,234 views'),
      thumbnailOverlays: [{ thumbnailOverlayTimeStatusRenderer: { style: 'DEFAULT', text: text('1:02:03') } }],
    };
    const { record } = await videosOf({ gridVideoRenderer });
    expect(record).toMatchObject([
      { id: 'invented001', views: 1234, duration_seconds: 3723, live_status: 'none', thumbnails: [image] },
    ]);
  });

  it('a video with an empty title stays in the list, and one without a title is unreadable', async () => {
    const empty = { accessibility: { accessibilityData: { label: '39 seconds' } } };
    const { record, warnings } = await videosOf(
      { videoRenderer: { videoId: 'invented001', title: empty } },
      { videoRenderer: { videoId: 'invented002', title: { runs: [] } } },
      { videoRenderer: { videoId: 'invented003', title: text('Tide pools') } },
      { videoRenderer: { videoId: 'invented004' } },
    );
    expect(record.map(({ id, title }) => [id, title])).toEqual([
      ['invented001', null],
      ['invented002', null],
      ['invented003', 'Tide pools'],
    ]);
    expect(warnings).toEqual([expect.stringMatching(/^Left out 1 of /)]);
  });

  it.each([
    ['4:05', 'none', false],
    ['SHORTS', 'none', false],
    ['Upcoming', 'upcoming', false],
    ['Demnächst', null, null],
  ])('the picture text %s of a video says that its live status is %o', async (badge, status, isLive) => {
    const overlay = { thumbnailBottomOverlayViewModel: { badges: [{ thumbnailBadgeViewModel: { text: badge } }] } };
    const lockupViewModel = {
      contentType: 'LOCKUP_CONTENT_TYPE_VIDEO',
      contentId: 'invented001',
      contentImage: { thumbnailViewModel: { overlays: [overlay] } },
      metadata: { lockupMetadataViewModel: { title: { content: 'Tide pools' } } },
    };
    expect((await videosOf({ lockupViewModel })).record).toMatchObject([{ live_status: status, is_live: isLive }]);
  });

  it('a live broadcast has its viewers, and an announced one its start', async () => {
    const part = (content: string) => ({ text: { content } });
    const lockupViewModel = {
      contentType: 'LOCKUP_CONTENT_TYPE_VIDEO',
      contentId: 'invented003',
      contentImage: {
        thumbnailViewModel: {
          overlays: [
            {
              thumbnailBottomOverlayViewModel: {
                badges: [
                  { thumbnailBadgeViewModel: { text: 'LIVE', badgeStyle: 'THUMBNAIL_OVERLAY_BADGE_STYLE_LIVE' } },
                ],
              },
            },
          ],
        },
      },
      metadata: {
        lockupMetadataViewModel: {
          title: { content: 'Tide now' },
          metadata: { contentMetadataViewModel: { metadataRows: [{ metadataParts: [part('1.2K watching')] }] } },
        },
      },
    };
    const { record, quality } = await videosOf(
      {
        videoRenderer: {
          videoId: 'invented001',
          title: text('Tide now'),
          viewCountText: { runs: [{ text: '7,787' }, { text: ' watching' }] },
          thumbnailOverlays: [{ thumbnailOverlayTimeStatusRenderer: { style: 'LIVE', text: text('LIVE') } }],
        },
      },
      {
        videoRenderer: {
          videoId: 'invented002',
          title: text('Tide tomorrow'),
          viewCountText: { runs: [{ text: '9' }, { text: ' waiting' }] },
          upcomingEventData: { startTime: '1798714800' },
          thumbnailOverlays: [{ thumbnailOverlayTimeStatusRenderer: { style: 'UPCOMING', text: text('UPCOMING') } }],
        },
      },
      { lockupViewModel },
    );
    expect(record.map(({ views, live_status, is_live }) => [views, live_status, is_live])).toEqual([
      [null, 'live', true],
      [null, 'upcoming', false],
      [null, 'live', true],
    ]);
    expect(record.map(({ live }) => live)).toMatchObject([
      { is_live_now: true, concurrent_viewers: 7787, scheduled_start_time: null },
      { is_live_now: false, concurrent_viewers: null, scheduled_start_time: '2026-12-31T11:00:00.000Z' },
      { is_live_now: true, concurrent_viewers: 1200, scheduled_start_time: null },
    ]);
    expect(quality).toEqual({ '2.live.concurrent_viewers': 'rounded' });
  });
});

describe('the page of a video in the layouts of YouTube before 2024', () => {
  const likeButton = (label: string) => ({
    toggleButtonRenderer: {
      defaultIcon: { iconType: 'LIKE' },
      defaultText: { accessibility: { accessibilityData: { label } }, simpleText: '11K' },
      toggledText: { accessibility: { accessibilityData: { label: '11,495 likes' } }, simpleText: '11K' },
    },
  });
  const panel = (panelIdentifier: string | undefined, count: string) => ({
    engagementPanelSectionListRenderer: {
      panelIdentifier,
      targetId: 'engagement-panel-comments-section',
      header: { engagementPanelTitleHeaderRenderer: { contextualInfo: { runs: [{ text: count }] } } },
    },
  });
  const videoOf = async (
    topLevelButtons: object[],
    more: object = {},
    sections: object[] = [],
    inPrimary: object = {},
  ) => {
    const primary = { title: text('Tide pools'), videoActions: { menuRenderer: { topLevelButtons } }, ...inPrimary };
    const contents = [{ videoPrimaryInfoRenderer: primary }, ...sections];
    const player = {
      videoDetails: { videoId: 'invented001', title: 'Tide pools' },
      playabilityStatus: { status: 'OK' },
    };
    const next = { contents: { twoColumnWatchNextResults: { results: { results: { contents } } } }, ...more };
    const { collectors, context } = invented({ player: { body: player }, next: { body: next } }, { key: null });
    return sourceOf(collectors.longvideoVideo, web).collect({ id: 'invented001' }, context);
  };

  it.each([
    [
      'one button for likes and dislikes',
      [{ segmentedLikeDislikeButtonRenderer: { likeButton: likeButton('11,494 likes') } }],
      11_494,
    ],
    ['separate buttons', [likeButton('11,494 likes'), likeButton('Dislike this video')], 11_494],
    ['a single like', [likeButton('1 like')], 1],
    ['no likes', [likeButton('No likes')], 0],
    [
      'another button first',
      [
        { toggleButtonRenderer: { defaultIcon: { iconType: 'DISLIKE' }, defaultText: text('200') } },
        likeButton('7 likes'),
      ],
      7,
    ],
  ])('the likes of a video are exact with %s', async (_what, buttons, likes) => {
    const { record, quality } = await videoOf(buttons);
    expect(record).toMatchObject({ likes, counts_rounded: { likes: false } });
    expect(quality).toEqual({});
  });

  it('the likes of a video are unknown when the button only says what it does', async () => {
    const like = {
      toggleButtonRenderer: {
        defaultIcon: { iconType: 'LIKE' },
        defaultText: { accessibility: { accessibilityData: { label: 'I like this' } }, simpleText: 'Like' },
      },
    };
    expect((await videoOf([like])).record).toMatchObject({ likes: null, counts_rounded: { likes: null } });
  });

  it('the hashtags and accounts that a description links are read from its parts', async () => {
    const link = (text: string, url: string, browseId: string) => ({
      text,
      navigationEndpoint: { commandMetadata: { webCommandMetadata: { url } }, browseEndpoint: { browseId } },
    });
    const runs = [
      { text: 'Words ' },
      link('#TidePools', '/hashtag/tidepools', 'FEhashtag'),
      link('@invented.shore', '/@invented.shore', channelId),
      link('https://shore.example', '/redirect?q=x', 'x'),
    ];
    const { record } = await videoOf([], {}, [{ videoSecondaryInfoRenderer: { description: { runs } } }]);
    expect(record).toMatchObject({
      hashtags: [{ name: 'TidePools', id: null, source: 'platform' }],
      mentions: [{ name: 'invented.shore', id: channelId, source: 'platform' }],
    });
  });

  it('the hashtags above the title of a video count also when its description is empty', async () => {
    const link = (text: string, url: string) => ({
      text,
      navigationEndpoint: { commandMetadata: { webCommandMetadata: { url } } },
    });
    const superTitleLink = {
      runs: [
        link('#TidePools', '/hashtag/tidepools'),
        { text: ' ' },
        link('SHORE CAVE', '/results?search_query=shore'),
      ],
    };
    const { record } = await videoOf([], {}, [], { superTitleLink });
    expect(record.hashtags).toEqual([{ name: 'TidePools', id: null, source: 'platform' }]);
  });

  it.each(['comment-item-section', undefined])(
    'the comments of a video are counted in a panel named %o',
    async (name) => {
      const { record } = await videoOf([], { engagementPanels: [panel(name, '471')] });
      expect(record).toMatchObject({ comments: 471, counts_rounded: { comments: false } });
    },
  );

  it('the comments of a video are counted above the first comment when there is no panel', async () => {
    const section = {
      itemSectionRenderer: { contents: [{ commentsEntryPointHeaderRenderer: { commentCount: text('2.3K') } }] },
    };
    const { record, quality } = await videoOf([], {}, [section]);
    expect(record).toMatchObject({ comments: 2300, counts_rounded: { comments: true } });
    expect(quality).toEqual({ comments: 'rounded' });
  });
});

describe('channels in the layouts of YouTube before 2024', () => {
  const channelOf = async (body: object) => {
    const { collectors, context } = invented({ browse: { body } });
    return (await sourceOf(collectors.longvideoChannel, web).collect({ channel_id: channelId }, context)).record;
  };

  it('the first link of a channel is read from the links on its banner', async () => {
    const link = (url: string) => ({ navigationEndpoint: { urlEndpoint: { url } } });
    const channelHeaderLinksRenderer = {
      primaryLinks: [link('https://www.youtube.com/redirect?event=channel_banner&q=https%3A%2F%2Fshore.example%2F')],
      secondaryLinks: [link('https://www.youtube.com/redirect?q=https%3A%2F%2Fother.example%2F')],
    };
    const header = {
      c4TabbedHeaderRenderer: { channelId, title: 'Invented Shore', headerLinks: { channelHeaderLinksRenderer } },
    };
    expect(await channelOf({ header })).toMatchObject({ external_url: 'https://shore.example/' });
  });

  it('a channel that YouTube creates itself is found by the name of its only tab', async () => {
    const body = {
      header: {
        pageHeaderRenderer: {
          pageTitle: 'Live',
          content: { pageHeaderViewModel: { title: { dynamicTextViewModel: { text: { content: 'Live' } } } } },
        },
      },
      contents: {
        twoColumnBrowseResultsRenderer: { tabs: [{ tabRenderer: { selected: true, tabIdentifier: channelId } }] },
      },
    };
    expect(await channelOf(body)).toMatchObject({ id: channelId, display_name: 'Live', followers: null });
    const { collectors, context } = invented({ browse: { body } });
    const listed = { channel_id: channelId, ...first };
    expect((await sourceOf(collectors.longvideoChannelVideos, web).collect(listed, context)).record).toEqual([]);
  });
});

it('a comment without text in the previous layout of YouTube stays in the list', async () => {
  const older = (commentRenderer: object) => ({ commentThreadRenderer: { comment: { commentRenderer } } });
  const continuationItems = [
    older({ commentId: 'UgInvented1', contentText: {} }),
    older({ commentId: 'UgInvented2' }),
    older({ commentId: 'UgInvented3', contentText: { runs: [{ text: 'Words' }] } }),
  ];
  const body = { onResponseReceivedEndpoints: [{ appendContinuationItemsAction: { continuationItems } }] };
  const { collectors, context } = invented({ next: { body } });
  const params = { id: 'invented001', order: 'time' as const, ...later };
  const { record, warnings } = await sourceOf(collectors.longvideoComments, web).collect(params, context);
  expect(record.map(({ id, text }) => [id, text])).toEqual([
    ['UgInvented1', ''],
    ['UgInvented3', 'Words'],
  ]);
  expect(warnings).toEqual([expect.stringMatching(/^Left out 1 of /)]);
});

it('a comment with an empty text in the current layout of YouTube stays in the list', async () => {
  const entity = (commentId: string, content: object) => ({
    entityKey: `key-${commentId}`,
    payload: { commentEntityPayload: { properties: { commentId, content } } },
  });
  const thread = (commentId: string) => ({
    commentThreadRenderer: { commentViewModel: { commentViewModel: { commentKey: `key-${commentId}` } } },
  });
  const continuationItems = ['UgInvented1', 'UgInvented2', 'UgInvented3'].map(thread);
  const body = {
    frameworkUpdates: {
      entityBatchUpdate: {
        mutations: [
          entity('UgInvented1', {}),
          entity('UgInvented2', { content: '' }),
          entity('UgInvented3', { content: 'Words' }),
        ],
      },
    },
    onResponseReceivedEndpoints: [{ appendContinuationItemsAction: { continuationItems } }],
  };
  const { collectors, context } = invented({ next: { body } });
  const params = { id: 'invented001', order: 'time' as const, ...later };
  const { record, warnings } = await sourceOf(collectors.longvideoComments, web).collect(params, context);
  expect([record.map(({ text }) => text), warnings]).toEqual([['', '', 'Words'], undefined]);
});

describe('playlists of shorts before 2025', () => {
  const entriesOf = async (...contents: object[]) => {
    const content = {
      sectionListRenderer: { contents: [{ itemSectionRenderer: { contents: [{ richGridRenderer: { contents } }] } }] },
    };
    const body = { contents: { twoColumnBrowseResultsRenderer: { tabs: [{ tabRenderer: { content } }] } } };
    const { collectors, context } = invented({ browse: { body } });
    return sourceOf(collectors.longvideoPlaylistItems, web).collect({ playlist_id: playlistId, ...first }, context);
  };
  const rich = (content: object) => ({ richItemRenderer: { content } });

  it('a short has its title and picture, and its place is unknown', async () => {
    const reelItemRenderer = { videoId: 'invented001', headline: text('A wave'), thumbnail: picture };
    const { record, warnings } = await entriesOf(rich({ reelItemRenderer }), rich({ reelItemRenderer: {} }));
    expect(record).toMatchObject([
      { content_id: 'invented001', title: 'A wave', position: null, author: null, thumbnails: [image] },
    ]);
    expect(warnings).toEqual([expect.stringMatching(/^Left out 1 of /)]);
  });

  it('shorts that all have the same place have no known place', async () => {
    const short = (videoId: string, indexInCollection: number) =>
      rich({
        shortsLockupViewModel: {
          indexInCollection,
          overlayMetadata: { primaryText: { content: 'A wave' } },
          onTap: { innertubeCommand: { reelWatchEndpoint: { videoId } } },
        },
      });
    const positions = async (...contents: object[]) =>
      (await entriesOf(...contents)).record.map(({ position }) => position);
    expect(await positions(short('invented001', 0), short('invented002', 0))).toEqual([null, null]);
    expect(await positions(short('invented001', 0), short('invented002', 1))).toEqual([0, 1]);
  });
});

it('entries of a playlist of YouTube are read from an answer that replaces the list', async () => {
  const continuationItems = [{ playlistVideoRenderer: { videoId: 'invented001', title: text('Tide pools') } }];
  const body = { onResponseReceivedActions: [{ reloadContinuationItemsCommand: { continuationItems } }] };
  const { collectors, context } = invented({ browse: { body } });
  const params = { playlist_id: playlistId, ...later };
  const { record } = await sourceOf(collectors.longvideoPlaylistItems, web).collect(params, context);
  expect(record).toMatchObject([{ content_id: 'invented001', title: 'Tide pools' }]);
});
