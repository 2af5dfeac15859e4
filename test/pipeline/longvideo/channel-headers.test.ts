import { describe, expect, it } from 'vitest';
import { longvideoChannelRecord } from '../../../pipeline/records/longvideo.ts';
import { invented, refusal, sourceOf } from './upstream.ts';

const channelId = 'UCinvented00000000000001';
const avatar = { thumbnails: [{ url: '//images.example/88.jpg', width: 88, height: 88 }] };
const tabs = [{ tabRenderer: { endpoint: { browseEndpoint: { browseId: channelId } } } }];
const contents = { twoColumnBrowseResultsRenderer: { tabs } };
const microformat = {
  microformatDataRenderer: { urlCanonical: `https://www.youtube.com/channel/${channelId}`, title: 'Sports' },
};

const channelOf = (body: object) => {
  const { collectors, context } = invented({ browse: { body } });
  return sourceOf(collectors.longvideoChannel, 'youtube-web').collect({ channel_id: channelId }, context);
};
const carousel = (topicChannelDetailsRenderer: object) => ({
  carouselHeaderRenderer: { contents: [{ carouselItemRenderer: {} }, { topicChannelDetailsRenderer }] },
});

describe('a channel that YouTube creates itself', () => {
  it.each([
    [
      'a carousel',
      carousel({ title: { simpleText: 'Sports' }, avatar, subtitle: { simpleText: '74.3M subscribers' } }),
      { display_name: 'Sports', followers: 74_300_000, follower_count_is_rounded: true },
    ],
    [
      'an interactive header',
      {
        interactiveTabbedHeaderRenderer: {
          title: { simpleText: 'Invented Game' },
          boxArt: avatar,
          description: { simpleText: 'Words of the game' },
        },
      },
      { display_name: 'Invented Game', bio: 'Words of the game', followers: null },
    ],
    [
      'the tabbed header of before',
      {
        c4TabbedHeaderRenderer: {
          channelId,
          title: 'Invented Shore',
          avatar,
          subscriberCountText: { simpleText: '1.25M subscribers' },
          videosCountText: { runs: [{ text: '120' }, { text: ' videos' }] },
          channelHandleText: { runs: [{ text: '@inventedshore' }] },
          badges: [{ metadataBadgeRenderer: { style: 'BADGE_STYLE_TYPE_VERIFIED' } }],
          headerLinks: {
            channelHeaderLinksViewModel: {
              firstLink: {
                commandRuns: [
                  {
                    onTap: {
                      innertubeCommand: {
                        urlEndpoint: { url: 'https://www.youtube.com/redirect?q=https%3A%2F%2Fshore.example%2F' },
                      },
                    },
                  },
                ],
              },
            },
          },
        },
      },
      {
        display_name: 'Invented Shore',
        followers: 1_250_000,
        posts: 120,
        username: 'inventedshore',
        verified: true,
        external_url: 'https://shore.example/',
      },
    ],
    [
      'a page header with an animated picture',
      {
        pageHeaderRenderer: {
          pageTitle: 'Gaming',
          content: {
            pageHeaderViewModel: {
              animatedImage: { contentPreviewImageViewModel: { image: { sources: avatar.thumbnails } } },
              metadata: {
                contentMetadataViewModel: {
                  metadataRows: [{ metadataParts: [{ text: { content: '94M subscribers' } }] }],
                },
              },
            },
          },
        },
      },
      { display_name: 'Gaming', followers: 94_000_000 },
    ],
  ])('a channel that YouTube creates itself is read from %s, without metadata', async (_what, header, expected) => {
    const { record, partial } = await channelOf({ header, contents });
    expect(longvideoChannelRecord.parse(record)).toEqual(record);
    expect(record).toMatchObject({
      id: channelId,
      avatar_url: 'https://images.example/88.jpg',
      uploads_playlist_id: 'UUinvented00000000000001',
      ...expected,
    });
    expect(partial).toBe(true);
  });

  it('a channel that YouTube creates itself has a URL with its ID and no handle', async () => {
    const { record } = await channelOf({ header: carousel({ title: { simpleText: 'Sports' }, avatar }), microformat });
    expect([record.username, record.profile_url]).toEqual([null, `https://www.youtube.com/channel/${channelId}`]);
  });

  it.each([
    ['without a name', { header: carousel({ avatar }), contents }],
    ['without an id', { header: carousel({ title: { simpleText: 'Sports' } }) }],
    ['of an unknown header', { header: { futureHeaderRenderer: { title: 'Sports' } }, contents }],
  ])('a channel that YouTube creates itself is 422 %s', async (_what, body) => {
    expect(await refusal(channelOf(body))).toEqual([422, 'us']);
  });

  it('a channel is 422 when its page shows another channel', async () => {
    const page = { header: carousel({ title: { simpleText: 'Sports' } }), microformat };
    const { collectors, context } = invented({ browse: { body: page } });
    const other = { channel_id: 'UCinvented00000000000009' };
    expect(await refusal(sourceOf(collectors.longvideoChannel, 'youtube-web').collect(other, context))).toEqual([
      422,
      'us',
    ]);
  });

  it('a channel is 404 when its page has a header and an error', async () => {
    const header = { c4TabbedHeaderRenderer: { channelId, title: 'Invented Shore' } };
    const alerts = [{ alertRenderer: { type: 'ERROR' } }];
    expect(await refusal(channelOf({ header, alerts }))).toEqual([404, 'resource']);
  });
});

it('an empty description of a channel is an empty text, and a missing description is null', async () => {
  const metadata = { title: 'Invented Shore', externalId: channelId };
  const bio = async (more: object) =>
    (await channelOf({ metadata: { channelMetadataRenderer: { ...metadata, ...more } } })).record.bio;
  expect([await bio({ description: '' }), await bio({})]).toEqual(['', null]);
});

it('the counts of a channel are read although its handle and pronouns contain the words of the counts', async () => {
  const contents = ['@invented.videos.for.subscribers', '2.1M subscribers', 'video/videos', '345 videos'];
  const metadataRows = [{ metadataParts: contents.map((content) => ({ text: { content } })) }];
  const metadata = { contentMetadataViewModel: { metadataRows } };
  const header = { pageHeaderRenderer: { pageTitle: 'Shore', content: { pageHeaderViewModel: { metadata } } } };
  const tabs = [{ tabRenderer: { endpoint: { browseEndpoint: { browseId: channelId } } } }];
  const { record } = await channelOf({ header, contents: { twoColumnBrowseResultsRenderer: { tabs } } });
  expect(record).toMatchObject({ username: 'invented.videos.for.subscribers', followers: 2_100_000, posts: 345 });
});

describe('the current header of a YouTube channel', () => {
  it.each([
    ['CHECK_CIRCLE_FILLED', true],
    ['AUDIO_BADGE', true],
    ['MUSIC_FILLED', true],
    ['COURSE', null],
  ])('a channel with the icon %s after its name has the value %o for verified', async (imageName, verified) => {
    const image = { sources: [{ clientResource: { imageName } }] };
    const attachmentRuns = [{ element: { type: { imageType: { image } } } }];
    const pageHeaderViewModel = {
      title: { dynamicTextViewModel: { text: { content: 'Invented Shore', attachmentRuns } } },
    };
    const header = { pageHeaderRenderer: { content: { pageHeaderViewModel } } };
    const { record } = await channelOf({ header, contents, microformat });
    expect(record.verified).toBe(verified);
  });
});
