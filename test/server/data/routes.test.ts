import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorTable, SourceError } from '../../../pipeline/errors.ts';
import { catalog } from '../../../server/data/catalog.ts';
import { asRequestError } from '../../../server/http/errors.ts';
import { samples } from '../../../server/sandbox/samples.ts';
import { scenarios } from '../../../server/sandbox/scenarios.ts';
import { inventedUpstream } from '../invented-upstream.ts';
import { createTestService, type TestKeys, type TestService } from '../test-service.ts';
import { exampleQuery } from './queries.ts';

const upstream = inventedUpstream();
let service: TestService;
let keys: TestKeys;

beforeAll(async () => {
  service = await createTestService({ fetch: upstream.fetch, env: { KEYLESS_SOURCES: 'off' } });
  keys = await service.workspace(1000);
});
afterAll(() => service.close());

/**
 * The path, cost and availability that each route must have, as in docs/endpoints.md. The list is maintained by hand,
 * so that a test fails when any of these changes. The costs of the X routes are not listed.
 */
const endpointTable = `
/v1/photo/profile 1 available
/v1/photo/posts 2 available
/v1/photo/post 1 available
/v1/shortvideo/profile 1 available
/v1/shortvideo/videos 2 available
/v1/shortvideo/video 1 available
/v1/longvideo/video 1 available
/v1/longvideo/transcript 4 available
/v1/longvideo/channel 1 preview
/v1/longvideo/channel/videos 3 preview
/v1/longvideo/channel/playlists 1 preview
/v1/longvideo/playlist 1 preview
/v1/longvideo/playlist/items 1 preview
/v1/longvideo/comments 1 preview
/v1/longvideo/comment/replies 1 preview
/v1/longvideo/search 10 preview
/v1/photo/reels 2 unavailable
/v1/photo/post/children 1 preview
/v1/photo/comments 2 unavailable
/v1/photo/hashtag 1 unavailable
/v1/photo/hashtag/posts 2 unavailable
/v1/shortvideo/pinned 2 unavailable
/v1/shortvideo/music 1 preview
/v1/shortvideo/music/videos 2 preview
/v1/shortvideo/hashtag 1 preview
/v1/shortvideo/hashtag/videos 2 preview
/v1/shortvideo/playlist 1 preview
/v1/shortvideo/playlist/videos 2 preview
/v1/shortvideo/comments 2 preview
/v1/shortvideo/comment/replies 2 preview
/v2/photo/user/posts 2 preview
/v1/photo/user/reels 2 unavailable
/v2/photo/post/comments 2 unavailable
/v1/photo/user/highlights 1 planned
/v1/photo/user/highlight/detail 1 planned
/v2/photo/media/transcript 4 planned
/v2/photo/reels/search 3 planned
/v1/photo/basic/profile 1 planned
/v1/photo/user/embed 1 planned
/v1/adlibrary/company/ads 2 preview
/v1/microblog/profile planned
/v1/microblog/user/posts planned
/v1/microblog/post planned
/v1/microblog/post/transcript planned
/v1/microblog/community planned
/v1/microblog/community/posts planned`
  .trim()
  .split('\n');

test('the route catalog has every route that must exist, with its cost and availability', () => {
  const rows = catalog.map(({ path, cost, availability }) =>
    path.startsWith('/v1/microblog') ? `${path} ${availability}` : `${path} ${cost} ${availability}`,
  );
  expect(rows).toEqual(expect.arrayContaining(endpointTable));
});

describe.each(catalog.map((route) => [route.path, route] as const))('the route %s', (path, route) => {
  const address = `${path}?${exampleQuery(route)}`;

  if (route.availability === 'planned') {
    test('a planned route answers 501 SOURCE_NOT_IMPLEMENTED for any parameters and charges nothing', async () => {
      for (const key of [keys.live_key, keys.test_key]) {
        const { status, headers, json } = await service.ask(`${path}?nonsense=1`, key);
        expect([status, json.error.code]).toEqual([501, 'SOURCE_NOT_IMPLEMENTED']);
        expect(headers.get('x-credits-charged')).toBe('0');
        expect(json.error).toMatchObject({ retryable: false, retry_after_seconds: null });
        expect(headers.has('retry-after')).toBe(false);
      }
    });
    return;
  }

  test('a development key gets the sample of a route with every field of its record, free', async () => {
    const { status, headers, json } = await service.ask(address, keys.test_key);
    expect(status).toBe(200);
    expect(headers.get('x-data-mode')).toBe('sandbox');
    expect(headers.get('x-credits-charged')).toBe('0');
    expect(json.meta.sandbox).toBe(true);
    const record = json.data[route.container];
    const sample = samples[path];
    if (sample && 'rows' in sample) expect(record).toEqual(sample.rows.slice(0, 3));
    else expect(record).toEqual(sample?.record);
    expect(route.collector.record.safeParse(record).error).toBeUndefined();
  });

  test('a request without an identifier gets a 400 that names what to send', async () => {
    const { status, json } = await service.ask(path, keys.test_key);
    expect([status, json.error.code]).toEqual([400, 'INVALID_INPUT']);
    const named = Object.keys(route.identifiers);
    expect(named).toContain(json.error.details[0]?.parameter);
  });

  if (route.availability === 'unavailable') {
    test('live requests to an unavailable route answer 503 SOURCE_UNAVAILABLE and charge nothing', async () => {
      const { status, headers, json } = await service.ask(address, keys.live_key);
      expect([status, json.error.code]).toEqual([503, 'SOURCE_UNAVAILABLE']);
      expect(headers.get('x-credits-charged')).toBe('0');
      expect(json.error).toMatchObject({ retryable: false, retry_after_seconds: null });
      expect(headers.has('retry-after')).toBe(false);
    });
  } else {
    test('a production key gets live data or an error, never a sample', async () => {
      const { status, json } = await service.ask(address, keys.live_key);
      expect(status).toBe(503);
      expect(json.meta.sandbox).toBe(false);
    });

    test('a route whose sources are switched off or not configured says that a retry does not help', async () => {
      const { json } = await service.ask(address, keys.live_key);
      expect(json.error).toMatchObject({ retryable: false, retry_after_seconds: null });
    });
  }
});

describe('errors that can be retried', () => {
  const errors = scenarios.flatMap(({ suffix, effect }) =>
    effect.kind === 'error' ? [[effect.code, suffix] as const] : [],
  );

  test.each(errors)(
    'the error %s says when to retry, in the body and in Retry-After, or that a retry does not help',
    async (code, suffix) => {
      const { headers, json } = await service.ask(`/v1/photo/profile?handle=sandbox_${suffix}`, keys.test_key);
      const { retryable, retry_after_seconds } = json.error;
      expect(retryable).toBe(errorTable[code].retryable);
      if (retryable) expect(retry_after_seconds).toBeGreaterThan(0);
      else expect(retry_after_seconds).toBeNull();
      expect(headers.get('retry-after')).toBe(retryable ? String(retry_after_seconds) : null);
    },
  );

  test('an error becomes not retryable when the source asks to wait for more than an hour', () => {
    const of = (seconds: number) =>
      asRequestError(new SourceError('SOURCE_CAPACITY', { retry_after_seconds: seconds }));
    expect([of(3_600), of(3_601)]).toMatchObject([
      { retryable: true, retry_after_seconds: 3_600 },
      { retryable: false, retry_after_seconds: 3_601 },
    ]);
  });
});

test('the ads route answers 503 SOURCE_NOT_CONFIGURED, even when a token is configured', async () => {
  const { status, json } = await service.ask('/v1/adlibrary/company/ads?pageId=100000000000001', keys.live_key);
  expect([status, json.error.code]).toEqual([503, 'SOURCE_NOT_CONFIGURED']);
});

describe('the order in which a request is checked', () => {
  test('a request is checked for its route before its key', async () => {
    const { status, json } = await service.ask('/v1/photo/profil');
    expect([status, json.error.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
    expect(json.error.message).toContain('/v1/photo/profile');
  });

  test('a request is checked for its method before its key, and a wrong method is 405 with Allow', async () => {
    const { status, headers, json } = await service.ask('/v1/photo/profile', undefined, { method: 'POST' });
    expect([status, json.error.code, headers.get('allow')]).toEqual([405, 'METHOD_NOT_ALLOWED', 'GET']);
  });

  test('a request is checked for its key before its parameters', async () => {
    const { status, headers, json } = await service.ask('/v1/photo/profile');
    expect([status, json.error.code]).toEqual([401, 'INVALID_API_KEY']);
    expect(headers.has('www-authenticate')).toBe(true);
    expect(headers.has('x-data-mode')).toBe(false);
  });

  test('a request is checked for the rate limit before a planned route is refused', async () => {
    const limited = await createTestService({ fetch: upstream.fetch, requests_per_minute: 1, db: service.db });
    const { live_key } = await limited.workspace(1);
    await limited.ask('/v1/credit/balance', live_key);
    const { status, headers, json } = await limited.ask('/v1/microblog/profile', live_key);
    expect([status, json.error.code]).toEqual([429, 'RATE_LIMITED']);
    expect(headers.get('retry-after')).toBe(String(json.error.retry_after_seconds));
  });
});

test('every answer has an x-request-id, which is the value that the caller sent if that is well formed', async () => {
  const own = await service.ask('/v1/credit/balance', keys.test_key, { headers: { 'x-request-id': 'my-id_1' } });
  expect(own.headers.get('x-request-id')).toBe('my-id_1');
  expect(own.json.meta.request_id).toBe('my-id_1');
  const other = await service.ask('/nowhere', undefined, { headers: { 'x-request-id': 'bad id!' } });
  expect(other.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
});

test('all bad parameters of a request are reported together', async () => {
  const { json } = await service.ask(
    '/v1/photo/posts?handle=a!&limit=21&trim=yes&cache_max_age=2d&limt=3',
    keys.live_key,
  );
  expect(json.error.details.map((detail) => detail.parameter).sort()).toEqual(
    ['cache_max_age', 'handle', 'limit', 'limt', 'trim'].sort(),
  );
});

test('Authorization: Bearer is accepted wherever x-api-key is', async () => {
  const headers = { authorization: `Bearer ${keys.live_key}` };
  const { status, json } = await service.ask('/v1/credit/balance', undefined, { headers });
  expect([status, json.data.credits_remaining]).toEqual([200, 1000]);
});

test('HEAD on the balance, which is free, is answered like GET but without the body', async () => {
  const { status, headers, text } = await service.ask('/v1/credit/balance', keys.live_key, { method: 'HEAD' });
  expect([status, text, headers.get('x-credits-remaining')]).toEqual([200, '', '1000']);
});

describe('a rejected API key', () => {
  test.each([
    ['malformed', 'tide_live_short'],
    ['with a wrong checksum', `tide_live_${'a'.repeat(49)}`],
  ])('a key that is %s is 401 without a request to the database', async (_, key) => {
    const { status, json } = await service.ask('/v1/credit/balance', key);
    expect([status, json.error.code]).toEqual([401, 'INVALID_API_KEY']);
  });

  test('an expired key is 401', async () => {
    const expiresAt = new Date(service.clock.now.getTime() - 1);
    const { key } = await service.key(keys.workspace_id, { kind: 'live', name: 'old', expires_at: expiresAt });
    expect((await service.ask('/v1/credit/balance', key)).status).toBe(401);
  });

  test('a sheet key works for the workflow routes and the balance, and nothing else', async () => {
    const { key } = await service.key(keys.workspace_id, { kind: 'sheet', name: 'sheet', monthly_cap: 10 });
    expect((await service.ask('/v1/credit/balance', key)).status).toBe(200);
    expect((await service.ask('/v1/workflows/profile?url=nonsense', key)).status).toBe(200);
    const { status, json } = await service.ask('/v1/photo/profile?handle=x', key);
    expect([status, json.error.code]).toEqual([403, 'SHEET_KEY_RESTRICTED']);
  });
});

test('every error code has a section in the docs that documentation_url leads to', async () => {
  const page = await service.ask('/docs/errors');
  for (const code of Object.keys(errorTable)) expect(page.text).toContain(`id="${code}"`);
  const { json } = await service.ask('/nowhere');
  expect(json.error.documentation_url).toBe('http://tidemark.test/docs/errors#ROUTE_NOT_FOUND');
});

test('no page loads anything from another server', async () => {
  for (const path of ['/docs', '/docs/errors']) {
    const { headers, text } = await service.ask(path);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).not.toMatch(/(?:src|href)="https?:\/\/(?!tidemark\.test)/);
  }
});
