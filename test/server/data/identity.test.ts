import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { catalog } from '../../../server/data/catalog.ts';
import { createCursorSeal } from '../../../server/data/cursor.ts';
import { cacheKeyOf } from '../../../server/data/meter.ts';
import { readRequest } from '../../../server/data/request.ts';
import { parametersOf, type SourcedRoute } from '../../../server/data/route.ts';
import { embedAnswer } from '../invented-embed.ts';
import { createTestService, type TestKeys, type TestService } from '../test-service.ts';

const sourced = catalog.filter((route): route is SourcedRoute => route.availability !== 'planned');
const cursors = createCursorSeal('00'.repeat(32), () => new Date());

/** Returns the cache key of a request to the route with the route's example identifier and these parameters. */
function identity(route: SourcedRoute, parameters: Record<string, string>): string {
  const [[name, { example }] = ['', { example: '' }]] = Object.entries(route.identifiers);
  const query: Record<string, string> = { [name]: example };
  for (const [key, parameter] of Object.entries(route.required ?? {})) query[key] = parameter.example;
  Object.assign(query, parameters);
  const sent = Object.fromEntries(Object.entries(query).map(([key, value]) => [key, [value]]));
  return cacheKeyOf(readRequest(route, sent, cursors));
}

/** For each parameter that only some routes have, a value other than the default. */
const others: Readonly<Record<string, string>> = {
  video_id: '7200000000000000002',
  order: 'relevance',
  type: 'channel',
  region_code: 'DE',
  language: 'de',
  country: 'FR',
  status: 'ALL',
  media_type: 'IMAGE',
  start_date: '2026-01-01',
  end_date: '2026-01-02',
  limit: '7',
};
const shown = ['cache_max_age', 'fields', 'trim', 'estimate', 'format', 'cursor'];

describe.each(sourced.map((route) => [route.path, route] as const))('the route %s', (path, route) => {
  const parameters = Object.entries(parametersOf(route)).filter(([name]) => !shown.includes(name));

  test('the cache key of a route contains each parameter that changes the answer, and no other parameter', () => {
    const plain = identity(route, {});
    for (const [name, { no_effect }] of parameters) {
      const value = name === 'region' ? 'DE' : name === 'order' && path.endsWith('/search') ? 'date' : others[name];
      const same = identity(route, { [name]: value ?? expect.fail(`no other value of ${name}`) }) === plain;
      expect([name, same]).toEqual([name, no_effect !== undefined]);
    }
  });
});

test('the order of the types of a search, and repeated types, do not change its cache key', () => {
  const search = sourced.find(({ path }) => path === '/v1/longvideo/search') ?? expect.fail();
  expect(identity(search, { type: 'video,channel' })).toBe(identity(search, { type: 'channel,video,channel' }));
  expect(identity(search, { type: 'video, channel,playlist' })).toBe(identity(search, {}));
});

describe('a parameter without effect on the answer', () => {
  const asked: string[] = [];
  let release: Promise<void> = Promise.resolve();
  let service: TestService;
  let keys: TestKeys;
  const ofSource = expect.stringContaining('about ten videos');
  const warning = 'region has no effect: no source of this route supports it.';

  beforeAll(async () => {
    service = await createTestService({
      fetch: async ({ url }) => {
        asked.push(url);
        await release;
        return embedAnswer(url);
      },
    });
  });
  beforeEach(async () => {
    asked.length = 0;
    release = Promise.resolve();
    keys = await service.workspace(100);
  });
  afterAll(() => service.close());

  let made = 0;
  const newPath = () => {
    made += 1;
    return `/v1/shortvideo/hashtag/videos?tag=identity${made}`;
  };
  const ask = (path: string, headers: Record<string, string> = {}) => service.ask(path, keys.live_key, { headers });

  test('a parameter without effect does not split the cache, and each request that sent it has a warning', async () => {
    const path = `${newPath()}&cache_max_age=1d`;
    const answers = [await ask(path), await ask(`${path}&region=DE`), await ask(`${path}&region=US`)];
    expect(answers.map(({ headers }) => headers.get('x-cache'))).toEqual(['MISS', 'HIT', 'HIT']);
    expect(answers.map(({ headers }) => headers.get('x-credits-charged'))).toEqual(['2', '0', '0']);
    expect(answers.map(({ json }) => json.meta.warnings)).toEqual([
      [ofSource],
      [ofSource, warning],
      [ofSource, warning],
    ]);
    expect(asked).toHaveLength(1);
  });

  test('a parameter without effect adds a warning only to requests that sent it, even when another request came first', async () => {
    const path = `${newPath()}&cache_max_age=1d`;
    const answers = [await ask(`${path}&region=DE`), await ask(path)];
    expect(answers.map(({ json }) => json.meta.warnings)).toEqual([[ofSource, warning], [ofSource]]);
  });

  test('a parameter without effect does not split identical requests in flight', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    release = promise;
    const path = newPath();
    const answers = Promise.all(['', '&region=DE', '&region=US'].map((region) => ask(path + region)));
    await expect.poll(() => asked.length).toBe(1);
    resolve();
    const charged = (await answers).map(({ headers }) => headers.get('x-credits-charged'));
    expect([asked.length, charged.toSorted()]).toEqual([1, ['0', '0', '2']]);
  });

  test('a parameter without effect can be added to a request that repeats an Idempotency-Key', async () => {
    const path = newPath();
    const headers = { 'idempotency-key': 'one-request' };
    await ask(path, headers);
    const again = await ask(`${path}&region=DE`, headers);
    expect([again.status, again.headers.get('x-idempotent-replay')]).toEqual([200, 'true']);
  });

  test('a parameter without effect can be added to a request with the cursor of a request without it', async () => {
    const path = `${newPath()}&limit=1`;
    const { next_cursor } = (await ask(path)).json.data.pagination;
    expect((await ask(`${path}&region=DE&cursor=${encodeURIComponent(next_cursor ?? '')}`)).status).toBe(200);
  });

  test('a parameter without effect is still validated', async () => {
    const { status, json } = await ask(`${newPath()}&region=Germany`);
    expect([status, json.error.details[0]?.parameter]).toEqual([400, 'region']);
  });

  test('a parameter without effect adds a warning to a sample, too', async () => {
    const { json } = await service.ask('/v1/shortvideo/profile?handle=tide&region=DE', keys.test_key);
    expect(json.meta.warnings).toEqual([warning]);
  });
});
