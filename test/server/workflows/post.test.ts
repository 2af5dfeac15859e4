import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readBalance } from '../../../db/money/ledger.ts';
import { postColumns } from '../../../pipeline/rows/columns.ts';
import { column, sumOfRows, workflowPath } from '../data/tables.ts';
import { inventedUpstream } from '../invented-upstream.ts';
import { createTestService, type TestKeys, type TestService } from '../test-service.ts';
import { env, inventedPosts } from './invented-posts.ts';

const upstream = inventedUpstream();
let service: TestService;
let keys: TestKeys;

beforeAll(async () => {
  service = await createTestService({ fetch: upstream.fetch, env });
});
beforeEach(async () => {
  upstream.asked.length = 0;
  upstream.answer = inventedPosts;
  service.clock.now = new Date(service.clock.now.getTime() + 2 * 86_400_000);
  keys = await service.workspace(100);
});
afterAll(() => service.close());

const workflow = (name: string, urls: readonly string[], more = '') => workflowPath(name, 'url', urls, more);
const balance = () => readBalance(service.db.sql, keys.workspace_id);
const watch = (id: string) => `https://www.youtube.com/watch?v=${id}`;

describe('GET /v1/workflows/post', () => {
  test('the post workflow gives one row for each url in order, with the columns of posts', async () => {
    const urls = ['invented002', 'invented001'].map(watch);
    const answer = await service.ask(workflow('post', urls), keys.live_key);
    expect(answer.json.data.columns).toEqual([...postColumns]);
    expect(column(answer, 'id')).toEqual(['invented002', 'invented001']);
    expect(column(answer, 'url')).toEqual(urls);
    expect(column(answer, 'media_type')).toEqual(['video', 'video']);
    expect(column(answer, 'title')).toEqual(['=Invented video 2', '=Invented video 1']);
    expect(column(answer, 'counts_quality')).toEqual(['likes hidden', 'exact']);
    expect([sumOfRows(answer), await balance()]).toEqual([2, 98]);
  });

  test('the post workflow takes every form of the URL of one post, and fetches and charges it once', async () => {
    const id = 'invented003';
    const urls = [watch(id), `https://youtu.be/${id}`, `https://www.youtube.com/shorts/${id}`, watch(id)];
    const answer = await service.ask(workflow('post', urls, '&fresh=true'), keys.live_key);
    expect(column(answer, 'url')).toEqual(urls);
    expect(column(answer, 'id')).toEqual([id, id, id, id]);
    expect(column(answer, 'credits_charged')).toEqual([1, 0, 0, 0]);
    expect(column(answer, 'cached')).toEqual([false, true, true, true]);
    expect(upstream.asked.filter((asked) => asked.includes('/v3/videos'))).toHaveLength(1);
    expect(await balance()).toBe(99);
  });

  describe('the URL of an Instagram post with and without its author', () => {
    const plain = 'https://www.instagram.com/p/InventedA00/';
    const named = 'https://www.instagram.com/invented/p/InventedA00/';

    test.each([[[plain, named]], [[named, plain]]])('%j is one post: it is fetched and charged once', async (urls) => {
      const answer = await service.ask(workflow('post', urls, '&fresh=true'), keys.live_key);
      expect(column(answer, 'status')).toEqual(['OK', 'OK']);
      expect(column(answer, 'url')).toEqual(urls);
      expect(column(answer, 'credits_charged')).toEqual([1, 0]);
      expect(await balance()).toBe(99);
    });

    test('a cached answer of one form is the answer of the other', async () => {
      await service.ask(workflow('post', [named]), keys.live_key);
      const answer = await service.ask(workflow('post', [plain]), keys.live_key);
      expect([column(answer, 'id'), column(answer, 'cached')]).toEqual([['InventedA00'], [true]]);
      expect(await balance()).toBe(99);
    });

    test('a request with the author does not fail together with one that needs the author', async () => {
      const path = (url: string) => `/v1/photo/post?url=${encodeURIComponent(url)}`;
      const answers = await Promise.all([plain, named].map((url) => service.ask(path(url), keys.live_key)));
      expect(answers.map(({ status }) => status)).toEqual([expect.any(Number), 200]);
      expect(answers[0]?.status).not.toBe(200);
      expect(await balance()).toBe(99);
    });

    test('a request with another author does not fail together with one whose author is wrong', async () => {
      const path = (url: string) => `/v1/photo/post?url=${encodeURIComponent(url)}`;
      const wrong = named.replace('/invented/', '/renamed/');
      const ask = (url: string) => service.ask(path(url), keys.live_key);
      upstream.answer = (request) =>
        request.url.includes('renamed') ? { status: 404, body: Buffer.from('{}') } : null;
      const answers = await Promise.all([wrong, named].map(ask));
      expect(answers.map(({ status }) => status)).toEqual([expect.any(Number), 200]);
      expect(await balance()).toBe(99);
    });

    test('a row is the same request for an Idempotency-Key, whether another row names its author or not', async () => {
      const headers = { 'idempotency-key': 'same-row' };
      const ask = (urls: string[]) => service.ask(workflow('post', urls, '&fresh=true'), keys.live_key, { headers });
      await ask([plain, named]);
      const again = await ask([plain]);
      expect([column(again, 'status'), column(again, 'credits_charged')]).toEqual([['OK'], [0]]);
      expect(await balance()).toBe(99);
    });
  });

  test('a failed row of the post workflow has its error code and never fails the others', async () => {
    const urls = [
      watch('invented001'),
      watch('nobodyshere'),
      'https://www.instagram.com/invented/',
      'https://www.tiktok.com/@invented.pottery',
      'https://vm.tiktok.com/short',
      'https://example.com/',
      '',
      'x'.repeat(3_000),
      '@paper.kite',
      'Summer campaign',
      'TBD',
    ];
    const answer = await service.ask(workflow('post', urls), keys.live_key);
    expect(column(answer, 'status')).toEqual(['OK', 'RESOURCE_NOT_FOUND', ...Array(9).fill('INVALID_INPUT')]);
    expect(column(answer, 'message').slice(2, 5)).toEqual([
      'Must be the URL of an Instagram post: this is the URL of a profile.',
      'Must be the URL of a TikTok video: this is the URL of a profile.',
      expect.stringContaining('This short link could not be followed'),
    ]);
    const useLink = 'Use a link to a post or video on Instagram, TikTok or YouTube.';
    const useUrl = 'Use the URL of a post or video, or an ID with platform.';
    expect(column(answer, 'message').slice(5)).toEqual([
      ...[useLink, 'Must not be empty.', useUrl, useLink, useLink, useUrl],
    ]);
    expect([sumOfRows(answer), await balance()]).toEqual([1, 99]);
  });

  test('the post workflow is free for rows that are requested again within a day', async () => {
    const path = workflow('post', [watch('invented001')]);
    await service.ask(path, keys.live_key);
    const again = await service.ask(path, keys.live_key);
    expect([column(again, 'cached'), sumOfRows(again), again.headers.get('x-cache')]).toEqual([[true], 0, 'HIT']);
  });

  test('the post workflow accepts ids with platform=', async () => {
    const answer = await service.ask(workflow('post', ['invented001'], '&platform=longvideo'), keys.live_key);
    expect(column(answer, 'status')).toEqual(['OK']);
    const without = await service.ask(workflow('post', ['invented001']), keys.live_key);
    expect(column(without, 'message')).toEqual([expect.stringContaining('with platform')]);
  });
});

describe('estimate=true on rows by address', () => {
  const profile = (handle: string) => `https://www.instagram.com/${handle}/`;
  const ask = async (name: string, urls: string[], more = '', key = keys.live_key) =>
    (await service.ask(workflow(name, urls, `&estimate=true${more}`), key)).json;

  test('an estimate of rows by address returns their maximum cost, sends no request to a source and costs nothing', async () => {
    const urls = [profile('one'), profile('two'), profile('one'), 'https://example.com/x', ''];
    const { data, meta } = await ask('profile', urls);
    expect(data).toEqual({ rows: 5, cached_rows: 1, cost: 2, unreadable_rows: 2 });
    expect(meta).toMatchObject({ credits_charged: 0, credits_remaining: 100, cached: false });
    expect((await ask('post', [watch('invented001')])).data).toEqual({
      ...{ rows: 1, cached_rows: 0, cost: 1, unreadable_rows: 0 },
    });
    expect([upstream.asked, await balance()]).toEqual([[], 100]);
  });

  test('an estimate of rows by address is the amount that is then charged', async () => {
    await service.ask(workflow('profile', [profile('kept')]), keys.live_key);
    const urls = ['kept', 'new', 'NEW', 'other'].map(profile);
    const { cost, cached_rows } = (await ask('profile', urls)).data;
    const answer = await service.ask(workflow('profile', urls), keys.live_key);
    expect([sumOfRows(answer), column(answer, 'cached').filter(Boolean).length]).toEqual([cost, cached_rows]);
    const fresh = (await ask('profile', urls, '&fresh=true')).data;
    expect(fresh).toEqual({ rows: 4, cached_rows: 1, cost: 3, unreadable_rows: 0 });
  });

  test('an estimate of rows by address is 0 with a development key', async () => {
    const { data, meta } = await ask('profile', [profile('one')], '', keys.test_key);
    expect(data).toEqual({ rows: 1, cached_rows: 0, cost: 0, unreadable_rows: 0 });
    expect(meta.sandbox).toBe(true);
  });
});
