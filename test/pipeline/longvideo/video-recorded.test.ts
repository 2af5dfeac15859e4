import { expect, it } from 'vitest';
import { longvideoItem } from '../../../pipeline/records/longvideo.ts';
import { describeRecorded } from '../../recorded.ts';
import { at, bodyOf, type Exchange, exchangesOf, instant, recorded, refusal, sourceOf } from './upstream.ts';

const text = (value: unknown) => (value === undefined || value === '' ? null : value);
const number = (value: unknown) => (value === undefined ? null : Number(value));
const time = (value: unknown) => (value === undefined ? null : /T/.test(String(value)) ? instant(value) : value);
const secure = (value: unknown) => (value === undefined ? null : String(value).replace(/^(http:)?\/\//, 'https://'));

const idOf = ({ query, body }: Exchange) => String(query?.id ?? body?.videoId);
const officialIds = exchangesOf('videos').filter(({ query, file }) => query?.id !== undefined && file !== undefined);
const players = exchangesOf('player').filter(({ file }) => file?.endsWith('.json'));
const withDetails = players.filter((exchange) => at(bodyOf(exchange), 'videoDetails') !== undefined);

/** Converts a duration without days to seconds, with a different algorithm from the product code. */
function seconds(duration: unknown): number | null {
  if (duration === undefined) return null;
  const units = { H: 3600, M: 60, S: 1 } as const;
  const parts = [...String(duration).matchAll(/(\d+)([HMS])/g)];
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * units[unit as keyof typeof units], 0);
}

/**
 * Returns the number of comments as a recorded watch page shows it, such as "57" or "1.2K"; null when it shows none.
 */
function commentsShown(watch: unknown): string | null {
  const panel =
    /"panelIdentifier":"engagement-panel-comments-section","header":.*?"contextualInfo":\{"runs":\[\{"text":"([^"]+)"/;
  return panel.exec(JSON.stringify(watch))?.[1] ?? null;
}

describeRecorded('recorded videos of the official source', () => {
  it.each(officialIds.map((exchange) => [idOf(exchange), exchange] as const))(
    'the official source returns the recorded values of the YouTube video %s',
    async (id, exchange) => {
      const item = at(bodyOf(exchange), 'items.0');
      const { collectors, context } = recorded();
      const { record, ...answer } = await sourceOf(collectors.longvideoVideo, 'youtube-data-api').collect(
        { id },
        context,
      );
      expect(longvideoItem.parse(record)).toEqual(record);
      const privacy = at(item, 'status.privacyStatus');
      expect(record).toMatchObject({
        id,
        permalink: `https://www.youtube.com/watch?v=${id}`,
        title: text(at(item, 'snippet.title')),
        description: at(item, 'snippet.description') ?? null,
        channel_id: text(at(item, 'snippet.channelId')),
        author: text(at(item, 'snippet.channelTitle')),
        published_at: time(at(item, 'snippet.publishedAt')),
        category_id: text(at(item, 'snippet.categoryId')),
        tags: at(item, 'snippet.tags') ?? null,
        language: text(at(item, 'snippet.defaultLanguage')),
        audio_language: text(at(item, 'snippet.defaultAudioLanguage')),
        live_status: at(item, 'snippet.liveBroadcastContent') ?? null,
        views: number(at(item, 'statistics.viewCount')),
        likes: number(at(item, 'statistics.likeCount')),
        comments: number(at(item, 'statistics.commentCount')),
        duration_iso8601: text(at(item, 'contentDetails.duration')),
        duration_seconds: seconds(at(item, 'contentDetails.duration')),
        dimension: text(at(item, 'contentDetails.dimension')),
        definition: text(at(item, 'contentDetails.definition')),
        licensed_content: at(item, 'contentDetails.licensedContent') ?? null,
        projection: text(at(item, 'contentDetails.projection')),
        region_restriction: at(item, 'contentDetails.regionRestriction') ?? null,
        content_rating: at(item, 'contentDetails.contentRating') ?? null,
        captions_available: at(item, 'contentDetails.caption') === 'true' ? true : null,
        privacy_status: text(privacy),
        unlisted: privacy === undefined ? null : privacy === 'unlisted',
        license: text(at(item, 'status.license')),
        embeddable: at(item, 'status.embeddable') ?? null,
        public_stats_viewable: at(item, 'status.publicStatsViewable') ?? null,
        embed_html: text(at(item, 'player.embedHtml')),
        topic_ids: at(item, 'topicDetails.topicIds') ?? null,
        topic_categories: at(item, 'topicDetails.topicCategories') ?? null,
      });
      expect(Object.keys(record.region_restriction ?? {})).toEqual(
        Object.keys(at(item, 'contentDetails.regionRestriction') ?? {}),
      );
      const images = Object.values(
        (at(item, 'snippet.thumbnails') ?? {}) as Record<string, { width: number; url: string }>,
      );
      const ordered = images.toSorted((a, b) => a.width - b.width).map(({ url }) => url);
      expect(record.thumbnails?.map(({ url }) => url) ?? []).toEqual(ordered);
      expect(record.media_url).toBe(ordered.at(-1) ?? null);
      expect(answer.partial).toBe(true);
      expect(answer.warnings).toEqual([expect.stringContaining('youtube-web')]);
    },
  );

  it('recorded official videos have a category name from the source, which is fetched once a day', async () => {
    let now = new Date('2026-11-20T10:00:00.000Z');
    const { collectors, context, requestCount } = recorded({ keyless: false, now: () => now });
    const source = sourceOf(collectors.longvideoVideo, 'youtube-data-api');
    const names = at(bodyOf(exchangesOf('videoCategories')[0]), 'items') as {
      id: string;
      snippet: { title: string };
    }[];
    for (const id of ['D-lhorsDlUQ', '7ghhRHRP6t4']) {
      const { record } = await source.collect({ id }, context);
      expect(record.category).toBe(names.find((row) => row.id === record.category_id)?.snippet.title);
      expect(record.category).not.toBeNull();
    }
    expect(requestCount('videoCategories')).toBe(1);
    now = new Date('2026-11-21T10:00:00.000Z');
    await source.collect({ id: 'D-lhorsDlUQ' }, context);
    expect(requestCount('videoCategories')).toBe(2);
  });

  it('recorded official videos have the times and the number of viewers of a broadcast', async () => {
    const { collectors, context } = recorded({ keyless: false });
    const details = at(
      bodyOf(officialIds.find((exchange) => idOf(exchange) === 'c7_kqMFDE8c')),
      'items.0.liveStreamingDetails',
    );
    const { record } = await sourceOf(collectors.longvideoVideo, 'youtube-data-api').collect(
      { id: 'c7_kqMFDE8c' },
      context,
    );
    expect(record.live).toEqual({
      actual_start_time: instant(at(details, 'actualStartTime')),
      actual_end_time: null,
      is_live_now: null,
      scheduled_start_time: instant(at(details, 'scheduledStartTime')),
      scheduled_end_time: null,
      concurrent_viewers: Number(at(details, 'concurrentViewers')),
      active_live_chat_id: at(details, 'activeLiveChatId'),
    });
    expect(record.is_live_content).toBe(true);
  });

  it('recorded official videos are 404 when they do not exist, whatever the website answers', async () => {
    const { collectors, context } = recorded();
    const video = sourceOf(collectors.longvideoVideo, 'youtube-data-api').collect({ id: 'errNotFound' }, context);
    expect(await refusal(video)).toEqual([404, 'resource']);
  });
});

describeRecorded('recorded videos of the web', () => {
  it.each(withDetails.map((exchange) => [idOf(exchange), exchange] as const))(
    'the website returns the recorded values of the YouTube video %s',
    async (id, exchange) => {
      const player = bodyOf(exchange);
      const watch = bodyOf(exchangesOf('next').find((next) => idOf(next) === id));
      const details = (path: string) => at(player, `videoDetails.${path}`);
      const micro = (path: string) => at(player, `microformat.playerMicroformatRenderer.${path}`);
      const { collectors, context } = recorded({ key: null });
      const { record, ...answer } = await sourceOf(collectors.longvideoVideo, 'youtube-web').collect({ id }, context);
      expect(longvideoItem.parse(record)).toEqual(record);
      const live = details('isLive') === true;
      const running = live || details('isUpcoming') === true;
      expect(record).toMatchObject({
        id,
        title: details('title'),
        description: details('shortDescription') ?? null,
        channel_id: details('channelId'),
        author: details('author'),
        channel_url: secure(micro('ownerProfileUrl')) ?? `https://www.youtube.com/channel/${details('channelId')}`,
        permalink: micro('canonicalUrl') ?? `https://www.youtube.com/watch?v=${id}`,
        published_at: time(micro('publishDate')),
        upload_date: time(micro('uploadDate')),
        views: number(details('viewCount')),
        duration_seconds: running ? null : number(details('lengthSeconds')),
        duration_iso8601: null,
        tags: details('keywords') ?? null,
        category: text(micro('category')),
        available_countries: micro('availableCountries') ?? null,
        unlisted: micro('isUnlisted') ?? null,
        family_safe: micro('isFamilySafe') ?? null,
        embeddable: at(player, 'playabilityStatus.playableInEmbed') ?? null,
        embed_width: micro('embed.width') ?? null,
        live_status: live ? 'live' : running ? 'upcoming' : 'none',
        is_live: live,
        is_live_content: details('isLiveContent'),
      });
      if (micro('likeCount') !== undefined) expect(record.likes).toBe(Number(micro('likeCount')));
      const shown = commentsShown(watch);
      if (shown !== null && /^\d+$/.test(shown)) expect(record.comments).toBe(Number(shown));
      expect(record.counts_rounded).toMatchObject({
        views: false,
        comments: record.comments && !/^\d+$/.test(shown ?? ''),
      });
      const tracks = at(player, 'captions.playerCaptionsTracklistRenderer.captionTracks') as { languageCode: string }[];
      expect(record.caption_tracks?.map(({ language }) => language)).toEqual(
        tracks?.map((track) => track.languageCode),
      );
      expect(answer.partial).toBe(true);
    },
  );

  it('recorded videos of the website have the avatar, the links of the description and the viewers of the watch page', async () => {
    const { collectors, context } = recorded({ key: null });
    const source = sourceOf(collectors.longvideoVideo, 'youtube-web');
    for (const id of ['X4VbdwhkE10', 'rCAS2eD-mcw', 'udsB8KnIJTg', 'GJLlxj_dtq8', 'EAZvxukW8kY']) {
      const watch = JSON.stringify(bodyOf(exchangesOf('next').find((next) => idOf(next) === id)));
      const { record } = await source.collect({ id }, context);
      expect(watch).toContain(`"url":"${record.author_avatar_url}"`);
      const linked = new Set([...watch.matchAll(/"url":"\/hashtag\/([^"]+)"/g)].map(([, tag]) => tag));
      const platform = (record.hashtags ?? []).filter((entity) => entity.source === 'platform');
      expect(new Set(platform.map(({ name }) => name?.toLowerCase()))).toEqual(linked);
      const viewers = /"isLive":true,"originalViewCount":"(\d+)"/.exec(watch)?.[1];
      expect(record.live?.concurrent_viewers ?? undefined).toBe(viewers === undefined ? undefined : Number(viewers));
    }
  });

  it('recorded videos of the website have the actual start of a live broadcast and the scheduled start of a future one', async () => {
    const { collectors, context } = recorded({ key: null });
    const source = sourceOf(collectors.longvideoVideo, 'youtube-web');
    const startOf = (id: string) => {
      const player = bodyOf(players.find((exchange) => idOf(exchange) === id));
      return instant(at(player, 'microformat.playerMicroformatRenderer.liveBroadcastDetails.startTimestamp'));
    };
    const running = (await source.collect({ id: 'X4VbdwhkE10' }, context)).record.live;
    expect(running).toMatchObject({
      actual_start_time: startOf('X4VbdwhkE10'),
      scheduled_start_time: null,
      is_live_now: true,
    });
    const announced = (await source.collect({ id: 'N-yVic7BbY0' }, context)).record.live;
    expect(announced).toMatchObject({
      actual_start_time: null,
      scheduled_start_time: startOf('N-yVic7BbY0'),
      is_live_now: false,
    });
  });

  it.each([
    ['restricted by age', 'rwcfPqbAx-0'],
    ['restricted by age, in an answer to an app', 'Njp5uhTorCo'],
    ['restricted by region', '_PL2HJKxnOM'],
    ['for members only', 'ayI2iBwGdxw'],
    ['for payment', 'SyKPsFRP_Oc'],
  ])('recorded website videos that are %s have their public details and unknown captions', async (_why, id) => {
    const { collectors, context } = recorded({ key: null });
    const { record } = await sourceOf(collectors.longvideoVideo, 'youtube-web').collect({ id }, context);
    expect(record).toMatchObject({ id, captions_available: null, caption_tracks: null });
    expect(record.title).not.toBeNull();
  });

  it.each([
    ['private', '8VajtrESJzA', 404, 'resource'],
    ['private on the watch page', 'z2jeHsa0UG0', 404, 'resource'],
    ['unknown', 'INVALID_ID_', 404, 'resource'],
    ['unknown here too', 'errNotFound', 404, 'resource'],
    ['unknown here three', 'errProcess0', 404, 'resource'],
    ['behind a login wall against bots', 'replayBotWl', 403, 'block'],
    ['behind the consent page', 'rplyConsent', 403, 'block'],
    ['throttled', 'replaySorry', 429, 'block'],
  ])('recorded website videos that are %s are refused after one request', async (_why, id, status, about) => {
    const { collectors, context, requests } = recorded({ key: null });
    const video = sourceOf(collectors.longvideoVideo, 'youtube-web').collect({ id }, context);
    expect(await refusal(video)).toEqual([status, about]);
    expect(requests).toHaveLength(1);
  });
});
