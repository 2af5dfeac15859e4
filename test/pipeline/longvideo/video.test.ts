import { beforeAll, describe, expect, it } from 'vitest';
import { longvideoItem } from '../../../pipeline/records/longvideo.ts';
import { changed, invented, readFixture, refusal, refusalOf, sourceOf, type Upstream } from './upstream.ts';

const id = 'invented001';
const official = { body: readFixture('video.json') };
const player = { body: readFixture('player.json') };
const next = { body: readFixture('watch.json') };
const videoCategories = {
  body: { kind: 'youtube#videoCategoryListResponse', items: [{ id: '99', snippet: { title: 'Shore & Sea' } }] },
};
const channels = {
  body: {
    kind: 'youtube#channelListResponse',
    items: [{ snippet: { thumbnails: { high: { url: 'https://images.example/official.jpg' } } } }],
  },
};
const all = { videos: official, player, next, videoCategories, channels };
const missing = { body: { playabilityStatus: { status: 'ERROR' } } };
const throttled = { status: 429, body: 'too many' };

const merged = ({ collectors, context }: Upstream) =>
  sourceOf(collectors.longvideoVideo, 'youtube-data-api').collect({ id }, context);
const keyless = ({ collectors, context }: Upstream) =>
  sourceOf(collectors.longvideoVideo, 'youtube-web').collect({ id }, context);

const withOfficial = (path: string, value: unknown) =>
  invented({ ...all, videos: changed(official.body, `items.0.${path}`, value) });

/** Loads the libraries before the tests, so that loading does not count toward their time limits. */
beforeAll(async () => {
  await merged(invented(all));
});

describe('official fields of a YouTube video', () => {
  it('official fields of a video include those that are missing in all recordings', async () => {
    const { record } = await merged(invented(all));
    expect(longvideoItem.parse(record)).toEqual(record);
    expect(record).toMatchObject({
      duration_seconds: 3723,
      duration_iso8601: 'PT1H2M3S',
      content_rating: { fskRating: 'fsk0' },
      paid_partnership: true,
      contains_synthetic_media: true,
      made_for_kids: false,
      unlisted: true,
      recording_date: '2026-09-30T00:00:00.000Z',
      embed_width: 640,
      embed_height: 360,
      localizations: { de: { title: 'Gezeitentümpel', description: '' } },
      category: 'Shore & Sea',
    });
    expect(record.thumbnails?.map(({ variant }) => variant)).toEqual(['default', 'maxres', 'fhd', 'qhd', 'uhd']);
    expect(record.media_url).toBe('https://images.example/uhd.jpg');
  });

  it('official fields of a video are requested in English with every part, and with a width, so that the source returns the player size', async () => {
    const upstream = invented(all, { keyless: false });
    await merged(upstream);
    const sent = new URL(upstream.requests[0]?.url ?? '').searchParams;
    expect([sent.get('id'), sent.get('hl'), sent.get('maxWidth')]).toEqual([id, 'en', '640']);
    expect(sent.getAll('part').sort()).toEqual([
      'contentDetails',
      'liveStreamingDetails',
      'localizations',
      'paidProductPlacementDetails',
      'player',
      'recordingDetails',
      'snippet',
      'statistics',
      'status',
      'topicDetails',
    ]);
  });

  it('official hidden likes of a video are null with the quality hidden, whatever the website shows', async () => {
    const { record, quality } = await merged(invented(all));
    expect([record.likes, record.counts_rounded?.likes]).toEqual([null, null]);
    expect(quality).toEqual({ likes: 'hidden' });
  });

  it.each([
    [{ allowed: [] }, { allowed: [] }],
    [{ blocked: [] }, { blocked: [] }],
    [{ blocked: ['IS'] }, { blocked: ['IS'] }],
    [undefined, null],
  ])(
    'official fields of a video keep a missing list of the region restriction %o missing and an empty one empty',
    async (given, expected) => {
      const { record } = await merged(withOfficial('contentDetails.regionRestriction', given));
      expect(record.region_restriction).toStrictEqual(expected);
    },
  );

  it.each(['live', 'upcoming'])(
    'official fields of a video have no duration while a broadcast is %s',
    async (state) => {
      const live = changed(official.body, 'items.0.contentDetails.duration', 'P0D');
      const upstream = invented(
        { ...all, videos: changed(live.body, 'items.0.snippet.liveBroadcastContent', state) },
        { keyless: false },
      );
      const { record } = await merged(upstream);
      expect(record).toMatchObject({ duration_seconds: null, duration_iso8601: null, live_status: state });
      expect(record.is_live).toBe(state === 'live');
    },
  );

  it('official fields of a video have an empty list of thumbnails only when the source sends one', async () => {
    const thumbnailsOf = async (given: unknown) => {
      const videos = changed(official.body, 'items.0.snippet.thumbnails', given);
      const { record } = await merged(invented({ videos, videoCategories, channels }, { keyless: false }));
      return [record.thumbnails, record.media_url];
    };
    expect(await thumbnailsOf({})).toEqual([[], null]);
    expect(await thumbnailsOf(undefined)).toEqual([null, null]);
  });

  it('official fields of a video are a changed answer when a count is not a number', async () => {
    expect(await refusal(merged(withOfficial('statistics.viewCount', '1.2M')))).toEqual([422, 'us']);
  });
});

describe('a YouTube video merged from the official source and the website', () => {
  it('a merged video has official values where both sources have one, and otherwise those of the website', async () => {
    const answer = await merged(invented(all));
    expect(answer.record).toMatchObject({
      views: 1234567,
      comments: 0,
      counts_rounded: { views: false, likes: null, comments: false },
      duration_seconds: 3723,
      published_at: '2026-10-01T08:30:00.000Z',
      permalink: `https://www.youtube.com/watch?v=${id}`,
      upload_date: '2026-09-30',
      family_safe: true,
      available_countries: ['IS', 'NO'],
      channel_url: 'https://www.youtube.com/@inventedshore',
      captions_available: true,
      is_live_content: false,
      author_avatar_url: 'https://images.example/s176.jpg',
      live: null,
    });
    expect(answer.record.caption_tracks).toHaveLength(2);
    expect(answer).not.toHaveProperty('partial', true);
    expect(answer.warnings ?? []).toEqual([]);
  });

  it('a merged video has each hashtag and account once, with the id if the platform links it', async () => {
    const { record } = await merged(invented(all));
    expect(record.hashtags).toEqual([
      { name: 'Tidepools', id: null, source: 'derived_text' },
      { name: 'LowTide', id: null, source: 'platform' },
    ]);
    expect(record.mentions).toEqual([{ name: 'invented.friend', id: 'UCinvented00000000000002', source: 'platform' }]);
  });

  it('a merged video matches linked names in any case and keeps the first spelling', async () => {
    const description = 'microformat.playerMicroformatRenderer.description';
    const shouted = changed(player.body, 'videoDetails.shortDescription', 'At the shore. #LOWTIDE');
    const upstream = invented({ player: changed(shouted.body, description, undefined), next });
    const { record } = await keyless(upstream);
    expect(record.hashtags?.map(({ name, source }) => [name, source])).toEqual([
      ['Tidepools', 'derived_text'],
      ['LOWTIDE', 'platform'],
    ]);
  });

  it('a merged video is fetched from both sources in parallel', async () => {
    const webAsked = Promise.withResolvers<void>();
    const videos = () => webAsked.promise.then(() => official);
    const answering = () => {
      webAsked.resolve();
      return player;
    };
    const { record } = await merged(invented({ ...all, videos, player: answering }));
    expect(record.family_safe).toBe(true);
  });

  it.each([
    ['not found', missing],
    ['throttled', throttled],
    ['no JSON', { body: 'nonsense' }],
  ])(
    'a merged video is partial when the website is %s: its fields are null and a warning names the cause',
    async (_what, answer) => {
      const upstream = invented({ ...all, player: answer });
      const { cause, record, ...rest } = {
        cause: await refusalOf(keyless(invented({ player: answer, next }))),
        ...(await merged(upstream)),
      };
      expect(record).toMatchObject({
        title: 'Tide pools at dawn #Tidepools',
        caption_tracks: null,
        upload_date: null,
        family_safe: null,
        available_countries: null,
        captions_available: null,
        channel_url: 'https://www.youtube.com/channel/UCinvented00000000000001',
        author_avatar_url: 'https://images.example/official.jpg',
      });
      expect(rest.partial).toBe(true);
      expect(rest.quality).toMatchObject({
        caption_tracks: 'not_exposed',
        upload_date: 'not_exposed',
        family_safe: 'not_exposed',
        available_countries: 'not_exposed',
      });
      expect(rest.warnings).toEqual([expect.stringContaining(cause.message)]);
      expect(upstream.requestCount('channels')).toBe(1);
    },
  );

  it('a merged video stops waiting for the website at the shared time limit', async () => {
    const hanging = (_request: unknown, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const surfaces = { shared_deadline_ms: 50 };
    const { record, partial } = await merged(invented({ ...all, player: hanging }, { surfaces }));
    expect([record.id, partial]).toEqual([id, true]);
  });

  it('a merged video is 404 when the official source does not have it, and the request to the website is cancelled', async () => {
    let webStopped = false;
    const player = (_request: unknown, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          webStopped = true;
          reject(signal.reason);
        }),
      );
    const none = { body: { kind: 'youtube#videoListResponse', items: [] } };
    expect(await refusal(merged(invented({ videos: none, player })))).toEqual([404, 'resource']);
    expect(webStopped).toBe(true);
  });

  it('a merged video uses only the official source when the website is off', async () => {
    const upstream = invented(all, { keyless: false });
    const { record, quality, partial, warnings } = await merged(upstream);
    expect([upstream.requestCount('player'), upstream.requestCount('next')]).toEqual([0, 0]);
    expect(record).toMatchObject({ family_safe: null, author_avatar_url: 'https://images.example/official.jpg' });
    expect(quality).toMatchObject({ caption_tracks: 'not_exposed', family_safe: 'not_exposed', likes: 'hidden' });
    expect([partial, warnings]).toEqual([true, undefined]);
  });

  it('a merged video has no category and no avatar when those requests fail', async () => {
    const refused = { status: 404, body: { error: { errors: [{ reason: 'channelNotFound' }] } } };
    const upstream = invented({ ...all, player: missing, videoCategories: refused, channels: refused });
    expect((await merged(upstream)).record).toMatchObject({ category: null, author_avatar_url: null, views: 1234567 });
  });

  it('a merged video does not use a quota unit for an avatar that the website shows', async () => {
    const upstream = invented(all);
    await merged(upstream);
    expect(upstream.units).toEqual({ 'videos.list': 1, 'videoCategories.list': 1 });
  });
});

describe('a YouTube video of the website alone', () => {
  it('a keyless video is partial and lists the fields that the website never has', async () => {
    const upstream = invented({ player, next });
    const { record, partial } = await keyless(upstream);
    const { not_exposed = [] } = sourceOf(upstream.collectors.longvideoVideo, 'youtube-web');
    expect(partial).toBe(true);
    expect(not_exposed).toContain('definition');
    for (const field of not_exposed) expect(record[field as keyof typeof record]).toBeNull();
  });

  it('a keyless video is read from the player and the watch page', async () => {
    const { record, quality } = await keyless(invented({ player, next }));
    expect(longvideoItem.parse(record)).toEqual(record);
    expect(record).toMatchObject({
      likes: 4321,
      comments: 5100,
      counts_rounded: { views: false, likes: false, comments: true },
      permalink: 'https://www.youtube.com/shorts/invented001',
      embed_html:
        '<iframe width="1280" height="720" src="https://www.youtube.com/embed/invented001?a=1&amp;b=&quot;" allowfullscreen></iframe>',
      caption_tracks: [
        { language: 'en', language_name: 'English', generated: false, translatable: true },
        { language: 'is', language_name: 'Icelandic (auto-generated)', generated: true, translatable: false },
      ],
    });
    expect(quality).toEqual({ comments: 'rounded' });
    expect(record.thumbnails?.map(({ url }) => url)).toEqual([
      'https://images.example/small.jpg',
      'https://images.example/large.jpg',
    ]);
    expect(JSON.stringify(record)).not.toContain('timedtext');
  });

  it('a keyless video of several channels has the picture of the first one, its owner', async () => {
    const owner = 'contents.twoColumnWatchNextResults.results.results.contents.1.videoSecondaryInfoRenderer.owner';
    const avatars = ['owner', 'friend'].map((name) => ({
      avatarViewModel: { image: { sources: [{ url: `https://images.example/${name}.jpg` }] } },
    }));
    const watch = changed(next.body, `${owner}.videoOwnerRenderer`, {
      avatarStack: { avatarStackViewModel: { avatars } },
    });
    const { record } = await keyless(invented({ player, next: watch }));
    expect(record.author_avatar_url).toBe('https://images.example/owner.jpg');
  });

  it('a keyless video has the rounded likes on the button when the player has none', async () => {
    const micro = 'microformat.playerMicroformatRenderer.likeCount';
    const { record, quality } = await keyless(invented({ player: changed(player.body, micro, undefined), next }));
    expect([record.likes, record.counts_rounded?.likes, quality?.likes]).toEqual([4300, true, 'rounded']);
  });

  it.each([
    [
      'the exact likes in its text for screen readers',
      '4.3k',
      'like this video along with 4,318 other people',
      4318,
      false,
    ],
    ['one like', '1', 'like this video along with 1 other person', 1, false],
    ['rounded likes in both texts', '4.3k', 'like this video along with 4.3k other people', 4300, true],
    ['its label when the other text has no count', '4.3k', 'like this video', 4300, true],
    ['no likes when both texts are words', 'Like', 'like this video', null, null],
  ])('a keyless video reads from the like button: %s', async (_, title, accessibilityText, likes, rounded) => {
    const micro = 'microformat.playerMicroformatRenderer.likeCount';
    const button =
      'contents.twoColumnWatchNextResults.results.results.contents.0.videoPrimaryInfoRenderer.videoActions.menuRenderer.' +
      'topLevelButtons.0.segmentedLikeDislikeButtonViewModel.likeButtonViewModel.likeButtonViewModel.toggleButtonViewModel.' +
      'toggleButtonViewModel.defaultButtonViewModel.buttonViewModel';
    const upstream = invented({
      player: changed(player.body, micro, undefined),
      next: changed(next.body, button, { title, accessibilityText }),
    });
    expect((await keyless(upstream)).record).toMatchObject({ likes, counts_rounded: { likes: rounded } });
  });

  it('a keyless video without a like count has hidden likes only when its owner allows no ratings', async () => {
    const micro = 'microformat.playerMicroformatRenderer.likeCount';
    const likesOf = async (allowRatings: boolean | undefined, likeCount?: string) => {
      const rated = changed(player.body, 'videoDetails.allowRatings', allowRatings);
      const unwatched = changed(next.body, 'contents', {});
      const answer = await keyless(invented({ player: changed(rated.body, micro, likeCount), next: unwatched }));
      return [answer.record.likes, answer.quality?.likes];
    };
    expect(await likesOf(false)).toEqual([null, 'hidden']);
    expect(await likesOf(true)).toEqual([null, undefined]);
    expect(await likesOf(undefined)).toEqual([null, undefined]);
    expect(await likesOf(false, '7')).toEqual([7, undefined]);
  });

  it('a keyless video is answered without the watch page, with a warning', async () => {
    const { record, warnings, partial } = await keyless(invented({ player, next: throttled }));
    expect(record).toMatchObject({ title: 'Tide pools at dawn #Tidepools', comments: null, author_avatar_url: null });
    expect([partial, warnings?.length]).toEqual([true, 1]);
  });

  it('a keyless video is read from the microformat alone when the player has only the ID among its details', async () => {
    const { videoDetails, microformat } = Object(player.body);
    const answered = async (added: object) => {
      const fields = {
        ...microformat.playerMicroformatRenderer,
        title: { simpleText: 'Tide pools at dusk' },
        description: { simpleText: 'At the shore. #LowTide' },
        lengthSeconds: '345',
        viewCount: '1234567',
        ownerChannelName: 'Invented Shore',
        externalChannelId: 'UCinvented00000000000001',
        ...added,
      };
      const body = {
        videoDetails: { videoId: id, thumbnail: videoDetails.thumbnail },
        microformat: { playerMicroformatRenderer: fields },
      };
      const { record, warnings } = await keyless(invented({ player: { body }, next }));
      expect(warnings).toEqual([]);
      return record;
    };
    expect(await answered({})).toMatchObject({
      title: 'Tide pools at dusk',
      description: 'At the shore. #LowTide',
      author: 'Invented Shore',
      channel_id: 'UCinvented00000000000001',
      views: 1234567,
      duration_seconds: 345,
      live_status: 'none',
      is_live: false,
      live: null,
    });
    const startTimestamp = '2026-11-20T09:00:00+00:00';
    const started = { actual_start_time: '2026-11-20T09:00:00.000Z', is_live_now: true };
    expect(
      await answered({ lengthSeconds: '0', liveBroadcastDetails: { isLiveNow: true, startTimestamp } }),
    ).toMatchObject({ duration_seconds: null, live_status: 'live', is_live: true, live: started });
    const announced = { scheduled_start_time: '2026-11-20T09:00:00.000Z', is_live_now: false };
    expect(
      await answered({ lengthSeconds: '0', liveBroadcastDetails: { isLiveNow: false, startTimestamp } }),
    ).toMatchObject({ duration_seconds: null, live_status: 'upcoming', is_live: false, live: announced });
    const ended = { isLiveNow: false, startTimestamp, endTimestamp: '2026-11-20T10:00:00+00:00' };
    expect(await answered({ liveBroadcastDetails: ended })).toMatchObject({
      duration_seconds: 345,
      live_status: 'none',
      live: { actual_end_time: '2026-11-20T10:00:00.000Z', is_live_now: false },
    });
  });

  it('a keyless video has no captions only when it is playable and shows none', async () => {
    const uncaptioned = changed(player.body, 'captions', undefined);
    expect((await keyless(invented({ player: uncaptioned, next }))).record.captions_available).toBe(false);
    const restricted = changed(uncaptioned.body, 'playabilityStatus.status', 'UNPLAYABLE');
    expect((await keyless(invented({ player: restricted, next }))).record.captions_available).toBeNull();
  });

  it.each([
    ['UNPLAYABLE without details', { body: { playabilityStatus: { status: 'UNPLAYABLE' } } }, 403, 'resource'],
    [
      'an age restriction without details',
      { body: { playabilityStatus: { status: 'LOGIN_REQUIRED', reason: 'Sign in to confirm your age' } } },
      403,
      'resource',
    ],
    [
      'another age restriction without details',
      { body: { playabilityStatus: { status: 'AGE_VERIFICATION_REQUIRED' } } },
      403,
      'resource',
    ],
    ['a login wall without a text', { body: { playabilityStatus: { status: 'LOGIN_REQUIRED' } } }, 403, 'block'],
    ['an empty object', { body: {} }, 422, 'us'],
    ['another video', changed(player.body, 'videoDetails.videoId', 'invented002'), 422, 'us'],
    ['a page', { body: '<!DOCTYPE html><title>Hello</title>' }, 422, 'us'],
    [
      'a redirect to the sorry page',
      { status: 302, headers: { location: 'https://www.google.com/sorry/index' }, body: '' },
      429,
      'block',
    ],
    [
      'a redirect to the consent page',
      { status: 302, headers: { location: 'https://consent.youtube.com/m?continue=' }, body: '' },
      403,
      'block',
    ],
    ['403', { status: 403, body: {} }, 403, 'block'],
    ['500', { status: 500, body: {} }, 503, 'us'],
  ])('a keyless video is refused when the player answers with %s', async (_what, answer, status, about) => {
    const upstream = invented({ player: answer, next });
    expect(await refusal(keyless(upstream))).toEqual([status, about]);
    // The watch page is not fetched when YouTube blocks the request or says that the video is not available.
    expect(upstream.requestCount('next')).toBe(about === 'us' ? 1 : 0);
  });

  it('a keyless video is requested in English from the United States, without a cookie and without accepting a warning', async () => {
    const upstream = invented({ player, next });
    await keyless(upstream);
    const [request] = upstream.requests;
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      videoId: id,
      racyCheckOk: false,
      contentCheckOk: false,
      context: { client: { hl: 'en', gl: 'US', clientName: 'WEB' } },
    });
    expect(new URL(request?.url ?? '').searchParams.get('$fields')).toBe(
      'playabilityStatus,videoDetails,microformat,captions',
    );
    expect(Object.keys(request?.headers ?? {})).not.toContain('cookie');
  });
});
