import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkLedger, moveCredits, readBalance } from '../../../db/money/ledger.ts';
import { postColumns } from '../../../pipeline/rows/columns.ts';
import { column, sumOfRows, workflowPath } from '../data/tables.ts';
import { inventedId, inventedUpstream } from '../invented-upstream.ts';
import { createTestService, type TestKeys, type TestService } from '../test-service.ts';
import { channelId, env, inventedPosts, listOf } from './invented-posts.ts';

const upstream = inventedUpstream();
let service: TestService;
let keys: TestKeys;

beforeAll(async () => {
  service = await createTestService({ fetch: upstream.fetch, env });
});
beforeEach(async () => {
  upstream.asked.length = 0;
  Object.assign(upstream, { answer: inventedPosts, hold: Promise.resolve() });
  await service.db.sql`delete from responses`;
  service.clock.now = new Date(service.clock.now.getTime() + 2 * 86_400_000);
  keys = await service.workspace(100);
});
afterAll(() => service.close());

const posts = (url: string, more = '') => workflowPath('posts', 'url', [url], more);
const balance = () => readBalance(service.db.sql, keys.workspace_id);
const photo = 'https://www.instagram.com/invented/';
const channel = 'https://www.youtube.com/@inventedshore';
const byId = `https://www.youtube.com/channel/${channelId}`;

describe('GET /v1/workflows/posts', () => {
  test('the posts workflow returns one row for each post, with the same columns in the same order for every platform', async () => {
    const addresses = [photo, 'https://www.tiktok.com/@invented.pottery', channel];
    for (const address of addresses) {
      const answer = await service.ask(posts(address), keys.live_key);
      expect(answer.json.data.columns).toEqual([...postColumns]);
      expect(column(answer, 'status')).toEqual(['OK', 'OK', 'OK']);
      expect(column(answer, 'url')).toEqual([address, address, address]);
      expect(column(answer, 'retrieved_at')).toEqual(Array(3).fill(service.clock.now.toISOString()));
    }
  });

  test('the posts workflow gives Instagram posts with ids as strings, hashtags as names, and unknown as null, never 0', async () => {
    const answer = await service.ask(posts(photo, '&limit=2'), keys.live_key);
    const [first] = answer.json.data.rows;
    expect(Object.fromEntries(postColumns.map((name, index) => [name, first?.[index]]))).toEqual({
      url: photo,
      status: 'OK',
      platform: 'photo',
      id: 'InventedA00',
      permalink: 'https://www.instagram.com/p/InventedA00/',
      author: 'invented',
      author_id: inventedId('invented'),
      published_at: '2026-09-21T14:13:20.000Z',
      title: null,
      caption: 'Invented post 0 #tide',
      media_type: 'image',
      views: null,
      likes: 10,
      comments: 0,
      shares: null,
      favorites: null,
      counts_quality: 'exact',
      duration_seconds: null,
      hashtags: 'tide',
      media_url: 'https://invented.example/post.jpg',
      retrieved_at: service.clock.now.toISOString(),
      cached: false,
      credits_charged: 2,
      message: null,
    });
  });

  test('the posts workflow says in words which counts are not exact', async () => {
    const long = await service.ask(posts(byId), keys.live_key);
    expect(column(long, 'likes')).toEqual([7, null, 7]);
    expect(column(long, 'counts_quality')).toEqual(['exact', 'likes hidden', 'exact']);
    const short = await service.ask(posts('https://www.tiktok.com/@invented.pottery'), keys.live_key);
    expect(column(short, 'views')).toEqual([1_200_000, 9_999, null]);
    expect(column(short, 'counts_quality')[0]).toBe(
      'views rounded; likes not exposed; comments not exposed; shares not exposed; favorites not exposed',
    );
    expect(column(short, 'message')).toEqual([expect.stringContaining('about ten videos without dates'), null, null]);
  });

  test.each([
    [photo, 2],
    ['https://www.tiktok.com/@invented.pottery', 2],
    [byId, 3],
    [channel, 1 + 3],
    ['https://www.youtube.com/user/InventedShore', 1 + 3],
  ])(
    'posts of %s cost what their data routes cost (%i), in the first row: the column sums up to the ledger',
    async (url, cost) => {
      const answer = await service.ask(posts(url), keys.live_key);
      expect(column(answer, 'credits_charged')).toEqual([cost, 0, 0]);
      expect([sumOfRows(answer), await balance()]).toEqual([cost, 100 - cost]);
      expect(answer.json.meta).toMatchObject({ credits_charged: cost, credits_remaining: 100 - cost, cached: false });
    },
  );

  test('the posts workflow is free for rows that are requested again within a day, and so is the lookup of a channel', async () => {
    const first = await service.ask(posts(channel), keys.live_key);
    expect(first.headers.get('age')).toBeNull();
    service.clock.now = new Date(service.clock.now.getTime() + 60_000);
    const again = await service.ask(posts(channel), keys.live_key);
    expect(column(again, 'cached')).toEqual([true, true, true]);
    expect([sumOfRows(again), again.headers.get('x-cache'), again.headers.get('age')]).toEqual([0, 'HIT', '60']);
    const more = await service.ask(posts(channel, '&limit=2'), keys.live_key);
    expect([sumOfRows(more), await balance()]).toEqual([3, 93]);
    const fresh = await service.ask(posts(channel, '&fresh=true'), keys.live_key);
    expect([sumOfRows(fresh), await balance()]).toEqual([3, 90]);
  });

  test('the posts workflow does not look up a channel whose id is in the URL', async () => {
    await service.ask(posts(byId), keys.live_key);
    await service.ask(posts(channelId, '&platform=longvideo&limit=2'), keys.live_key);
    expect(upstream.asked.filter((url) => url.includes('/channels'))).toEqual([]);
  });

  test('without the credits for lookup and list, the posts workflow sends no request to a source and charges nothing', async () => {
    keys = await service.workspace(3);
    const answer = await service.ask(posts(channel), keys.live_key);
    expect(column(answer, 'status')).toEqual(['INSUFFICIENT_CREDITS']);
    expect(column(answer, 'message')).toEqual([expect.stringContaining('costs 4 credits and the balance is 3')]);
    expect([sumOfRows(answer), await balance(), upstream.asked]).toEqual([0, 3, []]);
    expect(sumOfRows(await service.ask(posts(byId), keys.live_key))).toBe(3);
  });

  test('the posts workflow requests no list when another request spends the credits during the lookup', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    upstream.hold = promise;
    const asking = service.ask(posts(channel), keys.live_key);
    await expect.poll(() => upstream.asked.length).toBe(1);
    const spent = { kind: 'adjustment', credits: -97, reason: 'spent elsewhere' } as const;
    await moveCredits(service.db.sql, keys.workspace_id, spent);
    resolve();
    const answer = await asking;
    expect(column(answer, 'status')).toEqual(['INSUFFICIENT_CREDITS']);
    expect(column(answer, 'message')).toEqual([expect.stringContaining('costs 3 credits and the balance is 2')]);
    expect(upstream.asked).toHaveLength(1);
    expect(answer.json.meta).toMatchObject({ credits_charged: 1, credits_remaining: 2 });
  });

  test('in the posts workflow, a list that fails after its lookup is one row with the cost of the lookup', async () => {
    upstream.answer = (request) =>
      request.url.includes('playlistItems') ? { status: 500, body: Buffer.from('{}') } : inventedPosts(request);
    const only = await createTestService({
      fetch: upstream.fetch,
      db: service.db,
      env: { ...env, KEYLESS_SOURCES: 'off' },
    });
    const answer = await only.ask(posts(channel), keys.live_key);
    expect(column(answer, 'status')).toEqual(['SOURCE_UNAVAILABLE']);
    expect(column(answer, 'message')).toEqual([expect.stringContaining('Finding the channel cost 1 credit')]);
    expect([sumOfRows(answer), await balance()]).toEqual([1, 99]);
    expect(answer.json.meta).toMatchObject({ credits_charged: 1, credits_remaining: 99 });
  });

  test.each([
    ['', 'INVALID_INPUT', 'Must not be empty.'],
    ['https://example.com/who', 'INVALID_INPUT', 'Use a link to a profile'],
    ['https://www.instagram.com/p/CExample123/', 'INVALID_INPUT', 'the URL of an Instagram profile'],
    ['@someone', 'INVALID_INPUT', 'with platform'],
    [`https://www.instagram.com/${'a'.repeat(8_000)}`, 'INVALID_INPUT', '2048 characters'],
  ])('a failure of the posts workflow is one row with its code, HTTP 200: "%.40s"', async (url, status, words) => {
    const answer = await service.ask(posts(url), keys.live_key);
    expect([answer.status, column(answer, 'status')]).toEqual([200, [status]]);
    expect(column(answer, 'message')).toEqual([expect.stringContaining(words)]);
    expect([column(answer, 'url'), sumOfRows(answer), await balance()]).toEqual([[url], 0, 100]);
  });

  test('the posts workflow gives RESOURCE_NOT_FOUND as a row for a profile that does not exist', async () => {
    upstream.answer = () => ({ status: 404, body: Buffer.from('{}') });
    const answer = await service.ask(posts(photo), keys.live_key);
    expect([column(answer, 'status'), column(answer, 'platform')]).toEqual([['RESOURCE_NOT_FOUND'], ['photo']]);
  });

  test('an internal error of the posts workflow is a row with INTERNAL, logged and free', async () => {
    upstream.answer = () => {
      throw new Error('invented fault');
    };
    const answer = await service.ask(posts(photo), keys.live_key);
    expect([column(answer, 'status'), await balance()]).toEqual([['INTERNAL'], 100]);
    expect(service.logs.filter(({ code }) => code === 'INTERNAL').map(({ error }) => String(error))).toEqual([
      'Error: invented fault',
    ]);
    expect(answer.text).not.toContain('invented fault');
  });

  test('the posts workflow gives no rows for an account without posts, and meta says what it cost', async () => {
    upstream.answer = (request) =>
      request.url.includes('playlistItems') ? { body: listOf('playlistItems', []) } : inventedPosts(request);
    const answer = await service.ask(posts(byId), keys.live_key);
    expect([answer.json.data.rows, answer.json.meta.credits_charged]).toEqual([[], 3]);
  });

  test('the posts workflow accepts handles with platform=', async () => {
    const answer = await service.ask(
      posts('@by.handle', '&platform=photo&fields=author,credits_charged'),
      keys.live_key,
    );
    expect(answer.json.data.rows).toEqual([
      ['by.handle', 2],
      ['by.handle', 0],
      ['by.handle', 0],
    ]);
  });

  test('an Idempotency-Key makes a repeated posts request free, both the lookup of the channel and the list', async () => {
    const headers = { 'idempotency-key': 'sheet-1' };
    await service.ask(posts(channel, '&fresh=true'), keys.live_key, { headers });
    const again = await service.ask(posts(channel, '&fresh=true'), keys.live_key, { headers });
    expect([sumOfRows(again), column(again, 'status'), await balance()]).toEqual([0, ['OK', 'OK', 'OK'], 96]);
  });

  test('after all requests of the posts workflow, the ledger matches every balance', async () => {
    expect((await checkLedger(service.db.sql)).mismatches).toEqual([]);
  });
});

describe('estimate=true on posts', () => {
  const estimate = async (url: string, more = '') =>
    (await service.ask(posts(url, `&estimate=true${more}`), keys.live_key)).json.data;

  test('an estimate of posts says what they cost at most, sends no request to a source and costs nothing', async () => {
    expect(await estimate(photo)).toEqual({ rows: 3, cached_rows: 0, cost: 2, unreadable_rows: 0 });
    expect(await estimate(channel, '&limit=20')).toEqual({ rows: 20, cached_rows: 0, cost: 4, unreadable_rows: 0 });
    expect(await estimate(byId)).toEqual({ rows: 3, cached_rows: 0, cost: 3, unreadable_rows: 0 });
    expect(await estimate('https://example.com/x')).toEqual({ rows: 1, cached_rows: 0, cost: 0, unreadable_rows: 1 });
    expect([upstream.asked, await balance()]).toEqual([[], 100]);
  });

  test('an estimate of posts is 0 for cached rows', async () => {
    await service.ask(posts(channel), keys.live_key);
    expect(await estimate(channel)).toEqual({ rows: 3, cached_rows: 3, cost: 0, unreadable_rows: 0 });
    expect(await estimate(channel, '&limit=5')).toEqual({ rows: 5, cached_rows: 0, cost: 3, unreadable_rows: 0 });
    expect(await estimate(channel, '&fresh=true')).toEqual({ rows: 3, cached_rows: 0, cost: 3, unreadable_rows: 0 });
  });

  test('an estimate of posts is 0 with a development key', async () => {
    const answer = await service.ask(posts(channel, '&estimate=true'), keys.test_key);
    expect(answer.json.data).toEqual({ rows: 3, cached_rows: 0, cost: 0, unreadable_rows: 0 });
    expect(answer.json.meta).toMatchObject({ sandbox: true, credits_charged: 0 });
  });
});
