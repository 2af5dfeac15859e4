import { describe, expect, it } from 'vitest';
import { collect } from '../../../pipeline/collect/collect.ts';
import { SourceError } from '../../../pipeline/errors.ts';
import { longvideoItem } from '../../../pipeline/records/longvideo.ts';
import { describeRecorded, recordedFetcher } from '../../recorded.ts';
import {
  bodyOf,
  changed,
  exchangesOf,
  invented,
  over,
  readFixture,
  recorded,
  refusal,
  type Upstream,
} from './upstream.ts';

const id = 'invented001';
const down = { status: 500, body: {} };
const missing = { body: { playabilityStatus: { status: 'ERROR' } } };
const blocked = { status: 403, body: {} };
const block = 'contents.twoColumnWatchNextResults.results.results.contents.0.videoPrimaryInfoRenderer';
const current = { watchEndpoint: { videoId: id } };

/** Returns the answer for a YouTube watch page that shows the video. */
function watchPage(): { body: object } {
  const titled = changed(readFixture('watch.json'), `${block}.title`, { runs: [{ text: 'Shore walks #LowTide' }] });
  const counter = { videoViewCountRenderer: { viewCount: { simpleText: '1,234 views' }, originalViewCount: '0' } };
  const counted = changed(titled.body, `${block}.viewCount`, counter);
  const dated = changed(counted.body, `${block}.dateText`, { simpleText: 'Jul 5, 2022' });
  return changed(dated.body, 'currentVideoEndpoint', current);
}

const keyless = ({ collectors, context }: Upstream) => collect(collectors.longvideoVideo, { id }, context);
const without = { key: null };

describe('a YouTube video whose player fails', () => {
  it.each([
    ['with 5xx', down],
    ['in an unknown shape', { body: { playabilityStatus: { status: 'NEW' } } }],
    ['by a time-out', () => Promise.reject(new SourceError('SOURCE_TIMEOUT'))],
  ])('a video whose player fails %s is read from the watch page', async (_what, player) => {
    const { record, partial, warnings } = await keyless(invented({ player, next: watchPage() }, without));
    expect(longvideoItem.parse(record)).toEqual(record);
    expect(record).toMatchObject({
      id,
      title: 'Shore walks #LowTide',
      views: 1234,
      likes: 4300,
      published_at: '2022-07-05',
      description: null,
      author_avatar_url: 'https://images.example/s176.jpg',
    });
    expect([partial, warnings]).toEqual([true, [expect.stringMatching(/^The player could not be read: /)]]);
  });

  it.each([
    ['says that the video does not exist', missing, 404, 'resource'],
    ['blocks us', blocked, 403, 'block'],
  ])(
    'a video is refused without a request for the watch page when the player %s',
    async (_what, player, status, about) => {
      const upstream = invented({ player, next: watchPage() }, without);
      expect(await refusal(keyless(upstream))).toEqual([status, about]);
      expect(upstream.requestCount('next')).toBe(0);
    },
  );

  it.each([
    ['fails too', down, 503, 'us'],
    ['shows another video', changed(watchPage().body, 'currentVideoEndpoint', {}), 503, 'us'],
    ['blocks us', blocked, 403, 'block'],
  ])('a video whose player fails is refused when the watch page %s', async (_what, next, status, about) => {
    expect(await refusal(keyless(invented({ player: down, next }, without)))).toEqual([status, about]);
  });
});

describe('a failed answer of the official YouTube source', () => {
  const player = { body: readFixture('player.json') };
  const kind = 'youtube#videoListResponse';

  it.each([
    ['5xx', down],
    ['a throttle', { status: 429, body: { error: {} } }],
    ['a changed shape', { body: { kind } }],
  ])('a failed official answer (%s) makes the collector continue with the website', async (_what, videos) => {
    const { source } = await keyless(invented({ videos, player, next: watchPage() }));
    expect(source).toBe('youtube-web');
  });

  it.each([
    ['not found', { body: { kind, items: [] } }, 404],
    ['private', { status: 403, body: { error: { errors: [{ reason: 'forbidden' }] } } }, 403],
  ])('a failed official answer about the video itself is final: %s', async (_what, videos, status) => {
    expect(await refusal(keyless(invented({ videos, player, next: watchPage() })))).toEqual([status, 'resource']);
  });
});

describeRecorded('recorded watch pages without a player', () => {
  /** Creates an upstream of recorded answers, in which every request for the player fails. */
  function failing(): Upstream {
    const recorded = recordedFetcher();
    const answer = { status: 500, headers: {}, body: Buffer.from('{}') };
    const isPlayer = (url: string) => url.includes('/v1/player');
    return over(
      async (request, signal) => (isPlayer(request.url) ? { ...answer, url: request.url } : recorded(request, signal)),
      without,
    );
  }
  const ask = ({ collectors, context }: Upstream, video: string) =>
    collect(collectors.longvideoVideo, { id: video }, context);

  it.each(['rCAS2eD-mcw', 'X4VbdwhkE10', 'udsB8KnIJTg'])(
    'a recorded watch page without a player has the same values as the player for %s',
    async (video) => {
      const { record } = await ask(failing(), video);
      const { record: known } = await ask(recorded(without), video);
      expect(longvideoItem.parse(record)).toEqual(record);
      for (const field of ['id', 'title', 'author', 'channel_id'] as const) expect(record[field]).toBe(known[field]);
      expect(record.is_live ?? false).toBe(known.is_live);
      expect(record.published_at).toBe(known.is_live ? null : known.published_at?.slice(0, 10));
    },
  );

  it('a recorded watch page without a player has the owner of a collaboration as the author', async () => {
    const { record } = await ask(failing(), '3sbYbckT1VY');
    const shown = exchangesOf('next').find(({ body }) => body?.videoId === '3sbYbckT1VY');
    const first = /"listItems":\[.*?"title":\{"content":"([^"]+)"/.exec(JSON.stringify(bodyOf(shown)))?.[1];
    expect(record.author).toBe(first);
    expect(record.channel_id).toMatch(/^UC/);
  });
});
