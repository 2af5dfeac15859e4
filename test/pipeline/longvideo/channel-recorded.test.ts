import { expect, it } from 'vitest';
import type { LongvideoChannelParams } from '../../../pipeline/longvideo/params.ts';
import { longvideoChannelRecord } from '../../../pipeline/records/longvideo.ts';
import { describeRecorded } from '../../recorded.ts';
import { at, bodyOf, type Exchange, exchangesOf, instant, recorded, refusal, sourceOf } from './upstream.ts';

const text = (value: unknown) => (value === undefined || value === '' ? null : value);
const freeText = (value: unknown) => value ?? null;
const number = (value: unknown) => (value === undefined ? null : Number(value));

/** Returns the parameters of every channel request that this recorded exchange answers. */
function waysOf({ query }: Exchange): LongvideoChannelParams[] {
  const all = (name: string) => [query?.[name] ?? []].flat();
  return [
    ...all('id').map((channelId) => ({ channel_id: channelId })),
    ...all('forHandle').map((handle) => ({ handle })),
    ...all('forUsername').map((username) => ({ username })),
  ];
}

const requests = exchangesOf('channels').flatMap((exchange) =>
  waysOf(exchange).map((params) => [JSON.stringify(params), params, at(bodyOf(exchange), 'items.0')] as const),
);
const pages = exchangesOf('browse').filter(({ body }) => String(body?.browseId).startsWith('UC'));
const shown = pages.filter((page) => at(bodyOf(page), 'metadata.channelMetadataRenderer') !== undefined);

describeRecorded('recorded channels of the official source', () => {
  it.each(requests.filter(([, , item]) => item !== undefined))(
    'the recorded channel %s is read with all its fields',
    async (_name, params, item) => {
      const { collectors, context, requests } = recorded();
      const { record, quality } = await sourceOf(collectors.longvideoChannel, 'youtube-data-api').collect(
        params,
        context,
      );
      expect(longvideoChannelRecord.parse(record)).toEqual(record);
      const username = text(at(item, 'snippet.customUrl'));
      const followers = number(at(item, 'statistics.subscriberCount'));
      const rounded = followers === null ? null : followers >= 1000 && Number(followers.toPrecision(3)) === followers;
      const created = at(item, 'snippet.publishedAt');
      expect(record).toMatchObject({
        id: at(item, 'id'),
        username: username === null ? null : String(username).replace('@', ''),
        display_name: text(at(item, 'snippet.title')),
        bio: freeText(at(item, 'snippet.description')),
        followers,
        subscriber_count_is_rounded: rounded,
        follower_count_is_rounded: rounded,
        hidden_subscriber_count: at(item, 'statistics.hiddenSubscriberCount') ?? null,
        following: null,
        posts: number(at(item, 'statistics.videoCount')),
        total_views: number(at(item, 'statistics.viewCount')),
        verified: null,
        private: at(item, 'status.privacyStatus') === 'public' ? false : null,
        avatar_url: at(item, 'snippet.thumbnails.high.url') ?? null,
        created_at_platform: created === undefined ? null : instant(created),
        country_code: text(at(item, 'snippet.country')),
        localized:
          at(item, 'snippet.localized.title') === undefined ? null : { title: at(item, 'snippet.localized.title') },
        uploads_playlist_id: at(item, 'contentDetails.relatedPlaylists.uploads') ?? null,
        topic_ids: at(item, 'topicDetails.topicIds') ?? null,
        topic_categories: at(item, 'topicDetails.topicCategories') ?? null,
        keywords: freeText(at(item, 'brandingSettings.channel.keywords')),
        unsubscribed_trailer: text(at(item, 'brandingSettings.channel.unsubscribedTrailer')),
      });
      expect(quality).toEqual(rounded ? { followers: 'rounded' } : {});
      expect(requests).toHaveLength(1);
    },
  );

  it.each(requests.filter(([, , item]) => item === undefined))(
    'the recorded missing channel %s is 404',
    async (_name, params) => {
      const { collectors, context } = recorded();
      const channel = sourceOf(collectors.longvideoChannel, 'youtube-data-api').collect(params, context);
      expect(await refusal(channel)).toEqual([404, 'resource']);
    },
  );
});

describeRecorded('recorded channel pages', () => {
  it.each(shown.map((page) => [String(page.body?.browseId), page] as const))(
    'the recorded page of the channel %s is read with all its fields',
    async (channelId, page) => {
      const metadata = (path: string) => at(bodyOf(page), `metadata.channelMetadataRenderer.${path}`);
      const source = JSON.stringify(at(bodyOf(page), 'header'));
      const { collectors, context } = recorded({ key: null });
      const answer = await sourceOf(collectors.longvideoChannel, 'youtube-web').collect(
        { channel_id: channelId },
        context,
      );
      const { record } = answer;
      expect(longvideoChannelRecord.parse(record)).toEqual(record);
      expect(record).toMatchObject({
        id: channelId,
        username: String(metadata('vanityChannelUrl')).split('/@')[1] ?? null,
        display_name: metadata('title'),
        bio: freeText(metadata('description')),
        profile_url: String(metadata('vanityChannelUrl')).replace('http:', 'https:'),
        verified: source.includes('"imageName":"CHECK_CIRCLE_FILLED"') ? true : null,
        avatar_url: metadata('avatar.thumbnails.0.url'),
        uploads_playlist_id: channelId.replace(/^UC/, 'UU'),
        keywords: freeText(metadata('keywords')),
        hidden_subscriber_count: null,
        total_views: null,
      });
      const [, subscribers = '', unit = ''] = /"([\d.]+)([km]?) subscribers?"/.exec(source) ?? [];
      const followers = Number(subscribers) * { '': 1, k: 1_000, m: 1_000_000 }[unit as '' | 'k' | 'm'];
      expect(record.followers).toBeCloseTo(followers, 5);
      expect(record.follower_count_is_rounded).toBe(unit !== '');
      const link = /"urlEndpoint":\{"url":"https:\/\/www\.youtube\.com\/redirect\?[^"]*?q=([^"&]+)/.exec(source)?.[1];
      expect(record.external_url).toBe(link === undefined ? null : decodeURIComponent(link));
      expect(answer).toMatchObject({ partial: true, quality: unit === '' ? {} : { followers: 'rounded' } });
    },
  );

  it.each([
    ['an age restriction', { channel_id: 'UCbfnHqxXs_K3kvaH-WlNlig' }, 403],
    ['a removed channel', { channel_id: 'UCoaO4U_p7G7AwalqSbGCZOA' }, 404],
    ['an unknown channel', { channel_id: 'UCAUc4iz6edWerIjlnL8OSSw' }, 404],
    ['a terminated channel', { channel_id: 'UCI4i4RgFT5ilfMpna4Z_Y8w' }, 404],
    ['an id that is refused', { channel_id: 'UCerrBadRequest000000000' }, 404],
    ['an unknown handle', { handle: '@replay-nobody' }, 404],
  ])('recorded channel pages with %s are refused', async (_what, params, status) => {
    const { collectors, context, requests } = recorded({ key: null });
    const channel = sourceOf(collectors.longvideoChannel, 'youtube-web').collect(params, context);
    expect(await refusal(channel)).toEqual([status, 'resource']);
    expect(requests).toHaveLength(1);
  });

  it('recorded channels are found by handle in upper or lower case, with and without @', async () => {
    const { collectors, context, requestCount } = recorded({ key: null });
    const source = sourceOf(collectors.longvideoChannel, 'youtube-web');
    for (const handle of ['@gronkh', 'Gronkh']) {
      expect((await source.collect({ handle }, context)).record.id).toBe('UCYJ61XIK64sp6ZFFS8sctxw');
    }
    expect([requestCount('resolve_url'), requestCount('browse')]).toEqual([2, 2]);
  });
});
