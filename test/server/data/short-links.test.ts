import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readBalance } from '../../../db/money/ledger.ts';
import { addItem } from '../../../db/tracking/items.ts';
import type { UpstreamRequest } from '../../../pipeline/network/fetcher.ts';
import { inventedUpstream } from '../invented-upstream.ts';
import { createTestService, type TestKeys, type TestService } from '../test-service.ts';
import { env, inventedPosts } from '../workflows/invented-posts.ts';
import { column, workflowPath } from './tables.ts';

const upstream = inventedUpstream();
let service: TestService;
let keys: TestKeys;
let links = 0;

/** The target of each short link that a test has created. */
const targets = new Map<string, string>();

/** Creates a short link with this target. Each link is new, so that tests do not share cached links. */
function shortLink(target: string): string {
  links += 1;
  const link = `https://www.instagram.com/share/BAinvented${links}/`;
  targets.set(link, target);
  return link;
}

function answer(request: UpstreamRequest) {
  if (!/\/share\/|^https:\/\/v[mt]\.tiktok/.test(request.url)) return inventedPosts(request);
  const location = targets.get(request.url);
  return location === undefined ? { status: 404 } : { status: 302, headers: { location }, body: Buffer.from('') };
}

beforeAll(async () => {
  service = await createTestService({ fetch: upstream.fetch, env });
});
beforeEach(async () => {
  upstream.asked.length = 0;
  upstream.answer = answer;
  service.clock.now = new Date(service.clock.now.getTime() + 2 * 86_400_000);
  keys = await service.workspace(100);
});
afterAll(() => service.close());

const balance = () => readBalance(service.db.sql, keys.workspace_id);
const profile = (handle: string) => `https://www.instagram.com/${handle}/`;
const ask = (path: string, query: Record<string, string>, key = keys.live_key) =>
  service.ask(`${path}?${new URLSearchParams(query)}`, key);
const rows = (name: string, urls: readonly string[], more = '') =>
  service.ask(workflowPath(name, 'url', urls, more), keys.live_key);
const redirects = () => upstream.asked.filter((url) => targets.has(url)).length;

describe('a short link as url= of a data route', () => {
  test('a short link as url= answers as its target URL, which is charged, and following the link is free', async () => {
    const url = shortLink(`${profile('shared')}?igsh=1`);
    const answered = await ask('/v1/photo/profile', { url });
    expect([answered.status, answered.json.data.profile.username]).toEqual([200, 'shared']);
    expect([answered.json.meta.credits_charged, await balance()]).toEqual([1, 99]);
  });

  test('a short link as url= has the cached answer of its target, and is followed once', async () => {
    const url = shortLink(profile('known'));
    await ask('/v1/photo/profile', { handle: 'known' });
    for (const asked of [url, profile('known'), url]) {
      const answered = await ask('/v1/photo/profile', { url: asked, cache_max_age: '1d' });
      expect([answered.headers.get('x-cache'), answered.json.meta.credits_charged]).toEqual(['HIT', 0]);
    }
    expect([redirects(), await balance()]).toEqual([1, 99]);
  });

  test('a short link as url= is estimated as its target', async () => {
    const url = shortLink(profile('estimated'));
    const { json } = await ask('/v1/photo/profile', { url, estimate: 'true' });
    expect([json.data.cost, await balance()]).toEqual([1, 100]);
  });

  test.each([
    'http://169.254.169.254/latest',
    'https://example.com/tidepool',
    'javascript:alert(1)',
    'https://www.instagram.com/',
    'https://www.instagram.com/accounts/login/?next=%2Ftidepool%2F',
  ])('a short link to %s is 400 with what to send instead, and costs nothing', async (target) => {
    const { status, json } = await ask('/v1/photo/profile', { url: shortLink(target) });
    expect([status, json.error.code]).toEqual([400, 'INVALID_INPUT']);
    expect(json.error.details[0]?.message).toContain('Open it in a browser and use the full link');
    expect([upstream.asked.length, await balance()]).toEqual([1, 100]);
  });

  test('a short link that cannot be followed now is an error to try again, costs nothing and is not remembered', async () => {
    const url = shortLink(profile('later'));
    upstream.answer = () => ({ status: 429, headers: { 'retry-after': '7' } });
    const refused = await ask('/v1/photo/profile', { url });
    const { code, message, retryable } = refused.json.error;
    expect([refused.status, code, retryable, refused.headers.get('retry-after')]).toEqual([
      ...[429, 'SOURCE_CAPACITY', true, '7'],
    ]);
    expect([message, await balance()]).toEqual([expect.stringContaining('could not be followed now'), 100]);
    upstream.answer = answer;
    expect((await ask('/v1/photo/profile', { url })).json.data.profile.username).toBe('later');
  });

  test('a short link as url= is refused when its target is not of the kind that the route takes', async () => {
    const { status, json } = await ask('/v1/photo/profile', {
      url: shortLink('https://www.instagram.com/p/Invented00/'),
    });
    expect([status, json.error.details[0]?.message]).toEqual([
      400,
      'must be the URL of an Instagram profile: this is the URL of a post',
    ]);
    expect(await balance()).toBe(100);
  });

  test('a request with a short link counts toward the rate limit of new data, even with an encoded name of the parameter', async () => {
    await ask('/v1/photo/profile', { handle: 'known' });
    const used = async (query: string) => {
      const { headers } = await service.ask(`/v1/photo/profile?cache_max_age=1d&${query}`, keys.live_key);
      return [headers.get('x-cache'), 1_000_000 - Number(headers.get('x-ratelimit-remaining'))];
    };
    expect(await used(`url=${encodeURIComponent(profile('known'))}`)).toEqual(['HIT', 1]);
    expect(await used(`url=${encodeURIComponent(shortLink(profile('known')))}`)).toEqual(['HIT', 2]);
    expect(await used(`%75rl=${encodeURIComponent(shortLink(profile('known')))}`)).toEqual(['HIT', 3]);
    expect(await used(`%75rl=${encodeURIComponent(profile('known'))}`)).toEqual(['HIT', 3]);
  });
});

describe('a short link with a development key', () => {
  const message =
    'Development keys do not follow short links. Open the link in a browser and use the full link that the browser shows.';

  test('a data route says that a development key does not follow short links', async () => {
    const { status, json } = await ask('/v1/photo/profile', { url: shortLink(profile('shared')) }, keys.test_key);
    expect([status, json.error.code, upstream.asked]).toEqual([400, 'INVALID_INPUT', []]);
    expect(json.error.details).toEqual([{ parameter: 'url', message }]);
  });

  test.each([
    ['profile', 'url'],
    ['post', 'url'],
    ['posts', 'url'],
    ['tracked', 'item'],
  ])('a row of the workflow %s says that a development key does not follow short links', async (name, parameter) => {
    const link = shortLink(profile('shared'));
    const answered = await service.ask(workflowPath(name, parameter, [link]), keys.test_key);
    expect([column(answered, 'status'), column(answered, 'url')]).toEqual([['INVALID_INPUT'], [link]]);
    expect([column(answered, 'message'), upstream.asked]).toEqual([[message], []]);
  });

  test.each(['profile', 'posts'])(
    'an estimate of %s counts a short link as a row that cannot be read',
    async (name) => {
      const path = workflowPath(name, 'url', [shortLink(profile('shared'))], '&estimate=true');
      const { status, json } = await service.ask(path, keys.test_key);
      expect([status, json.data.unreadable_rows]).toEqual([200, 1]);
    },
  );
});

describe('a short link in a workflow', () => {
  test('a short link in a workflow gives the row of its target under the sent link, charged once with it', async () => {
    const urls = [shortLink(profile('row')), profile('row'), shortLink('https://example.com/')];
    const answered = await rows('profile', urls);
    expect(column(answered, 'url')).toEqual(urls);
    expect(column(answered, 'username')).toEqual(['row', 'row', null]);
    expect(column(answered, 'credits_charged')).toEqual([1, 0, 0]);
    expect(column(answered, 'status')).toEqual(['OK', 'OK', 'INVALID_INPUT']);
    expect(column(answered, 'message')[2]).toContain('Open it in a browser');
  });

  test('a short link in a workflow that cannot be followed now gets its own error in its row', async () => {
    const urls = [shortLink(profile('later')), profile('row')];
    upstream.answer = (request) => (request.url.includes('/share/') ? { status: 502 } : answer(request));
    const answered = await rows('profile', urls);
    expect(column(answered, 'status')).toEqual(['SOURCE_UNAVAILABLE', 'OK']);
    expect(column(answered, 'credits_charged')).toEqual([0, 1]);
    const posts = await rows('posts', [urls[0] as string]);
    const tracked = await service.ask(workflowPath('tracked', 'item', [urls[0] as string]), keys.live_key);
    for (const table of [answered, posts, tracked]) {
      expect(column(table, 'status')[0]).toBe('SOURCE_UNAVAILABLE');
      expect(column(table, 'message')[0]).toContain('could not be followed now');
    }
    upstream.answer = answer;
    expect(column(await rows('profile', urls), 'status')).toEqual(['OK', 'OK']);
  });

  test.each(['profile', 'posts'])(
    'an estimate of %s with a short link that cannot be followed now is an error',
    async (name) => {
      upstream.answer = () => ({ status: 502 });
      const { status, json } = await rows(name, [shortLink(profile('later'))], '&estimate=true');
      expect([status, json.error.code, json.error.retryable]).toEqual([503, 'SOURCE_UNAVAILABLE', true]);
    },
  );

  test('a short link in a workflow is estimated as its target', async () => {
    const urls = [shortLink(profile('row')), profile('row')];
    const { json } = await rows('profile', urls, '&estimate=true');
    expect(json.data).toEqual({ rows: 2, cached_rows: 1, cost: 1, unreadable_rows: 0 });
  });

  test('a short link in the workflow of newest posts names the profile', async () => {
    const url = shortLink(profile('writer'));
    const answered = await rows('posts', [url], '&limit=2');
    expect(column(answered, 'status')).toEqual(['OK', 'OK']);
    expect(column(answered, 'url')).toEqual([url, url]);
    const refused = await rows('posts', [shortLink('https://example.com/')]);
    expect([column(refused, 'status'), column(refused, 'credits_charged')]).toEqual([['INVALID_INPUT'], [0]]);
  });

  test('a short link of a short video gives the video in a workflow', async () => {
    const link = 'https://vm.tiktok.com/ZMinvented/';
    targets.set(link, 'https://www.tiktok.com/@tidepool/video/7000000000000000001?_r=1');
    const answered = await rows('post', [link]);
    expect(upstream.asked[0]).toBe(link);
    expect(upstream.asked.slice(1).join()).toContain('7000000000000000001');
    expect(column(answered, 'message')).not.toEqual([expect.stringContaining('Open it in a browser')]);
  });

  test('a short link in the workflow of tracked items names the item', async () => {
    const item = { platform: 'photo', kind: 'profile', identifier: 'tracked', url: profile('tracked'), list_id: null };
    await addItem(service.db.sql, keys.workspace_id, item, 10);
    const link = shortLink(profile('tracked'));
    const answered = await service.ask(workflowPath('tracked', 'item', [link]), keys.live_key);
    expect(answered.json.meta.warnings).toContain(`${link} was not observed in the last 7 days.`);
  });
});

describe('an @handle where the platform is known', () => {
  test('an @handle is accepted as url= of a profile route', async () => {
    const answered = await ask('/v1/photo/profile', { url: '@Tide.Pool' });
    expect([answered.status, answered.json.data.profile.username]).toEqual([200, 'tide.pool']);
    const sample = async (path: string) => (await ask(path, { url: '@tidemark' }, keys.test_key)).status;
    expect([await sample('/v1/shortvideo/profile'), await sample('/v1/longvideo/channel')]).toEqual([200, 200]);
  });

  test('an @handle is accepted by a workflow with platform=, even with a dot in it', async () => {
    const answered = await rows('profile', ['@tidepool', '@tide.pool'], '&platform=photo');
    expect(column(answered, 'username')).toEqual(['tidepool', 'tide.pool']);
    const posts = await rows('posts', ['@tidepool'], '&platform=photo&limit=1');
    expect(column(posts, 'status')).toEqual(['OK']);
  });

  test('an @handle in a workflow without a platform is refused in a sentence that says what is missing', async () => {
    const answered = await rows('profile', ['@tidepool', '@tide.pool']);
    expect(column(answered, 'message')).toEqual([
      expect.stringContaining('with platform'),
      expect.stringContaining('A handle can exist on every platform'),
    ]);
  });
});
