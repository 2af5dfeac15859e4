import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkLedger, readBalance } from '../../../db/money/ledger.ts';
import { inventedId, inventedUpstream } from '../invented-upstream.ts';
import { createTestService, type TestKeys, type TestService } from '../test-service.ts';

const upstream = inventedUpstream();
let service: TestService;
let keys: TestKeys;

beforeAll(async () => {
  service = await createTestService({ fetch: upstream.fetch });
});
beforeEach(async () => {
  upstream.asked.length = 0;
  upstream.answer = null;
  keys = await service.workspace(100);
});
afterAll(async () => {
  expect((await checkLedger(service.db.sql)).mismatches).toEqual([]);
  await service.close();
});

const profile = (handle: string) => `/v1/photo/profile?handle=${handle}`;

describe('a successful answer with new data', () => {
  test('an answer with new data costs the credits of its endpoint and says so in headers, meta and ledger', async () => {
    const answer = await service.ask(profile('fresh.one'), keys.live_key);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-data-mode': 'live',
      'x-cache': 'MISS',
      'x-credits-charged': '1',
      'x-credits-remaining': '99',
      'cache-control': 'no-store',
    });
    expect(answer.json.meta).toMatchObject({
      request_id: answer.headers.get('x-request-id'),
      cached: false,
      credits_charged: 1,
      credits_remaining: 99,
      sandbox: false,
      source: 'instagram-web',
      retrieved_at: '2026-11-20T10:00:00.000Z',
      cache_age_seconds: 0,
      partial: false,
    });
    expect(await readBalance(service.db.sql, keys.workspace_id)).toBe(99);
  });

  test('an answer keeps ids beyond 2^53 exact', async () => {
    const { json } = await service.ask(profile('long.id'), keys.live_key);
    expect(json.data.profile.id).toBe(inventedId('long.id'));
  });

  test('a page of Instagram posts costs 2 credits', async () => {
    const answer = await service.ask('/v1/photo/posts?handle=two.credits', keys.live_key);
    expect(answer.headers.get('x-credits-charged')).toBe('2');
    expect(answer.json.data.items).toHaveLength(3);
  });
});

describe('the cache of answers', () => {
  test('a cached answer within cache_max_age costs zero, for every workspace', async () => {
    await service.ask(profile('cached.one'), keys.live_key);
    const other = await service.workspace(0);
    const hit = await service.ask(`${profile('cached.one')}&cache_max_age=1d`, other.live_key);
    expect(hit.status).toBe(200);
    expect(hit.headers.get('x-cache')).toBe('HIT');
    expect(hit.headers.get('age')).toBe('0');
    expect(hit.json.meta).toMatchObject({ cached: true, credits_charged: 0, credits_remaining: 0 });
    expect(upstream.asked).toHaveLength(1);
  });

  test('a request without cache_max_age fetches new data', async () => {
    await service.ask(profile('asked.twice'), keys.live_key);
    const second = await service.ask(profile('asked.twice'), keys.live_key);
    expect(second.headers.get('x-credits-charged')).toBe('1');
    expect(upstream.asked).toHaveLength(2);
  });

  test('an answer that was fetched while the clock was days ahead is fetched again after the clock is set back', async () => {
    const cached = `${profile('clock.ahead')}&cache_max_age=1d`;
    const { now } = service.clock;
    service.clock.now = new Date(now.getTime() + 3 * 86_400_000);
    await service.ask(profile('clock.ahead'), keys.live_key);
    service.clock.now = now;
    const again = await service.ask(cached, keys.live_key);
    expect([again.headers.get('x-cache'), again.json.meta.retrieved_at]).toEqual(['MISS', now.toISOString()]);
    const hit = await service.ask(cached, keys.live_key);
    expect([hit.headers.get('x-cache'), hit.json.meta.retrieved_at]).toEqual(['HIT', now.toISOString()]);
    expect(await service.db.sql`select from responses where retrieved_at > ${now}`).toHaveLength(0);
  });

  test('a cached answer from a process whose clock is a minute ahead is used', async () => {
    const { now } = service.clock;
    service.clock.now = new Date(now.getTime() + 60_000);
    await service.ask(profile('minute.ahead'), keys.live_key);
    service.clock.now = now;
    const hit = await service.ask(`${profile('minute.ahead')}&cache_max_age=1d`, keys.live_key);
    expect([hit.headers.get('x-cache'), hit.headers.get('age')]).toEqual(['HIT', '0']);
  });

  test('an answer older than cache_max_age is fetched again, but serves a request with a larger cache_max_age', async () => {
    const before = service.clock.now;
    await service.ask(profile('grows.old'), keys.live_key);
    service.clock.now = new Date(before.getTime() + 2 * 86_400_000);
    const young = await service.ask(`${profile('grows.old')}&cache_max_age=3d`, keys.live_key);
    expect(young.json.meta).toMatchObject({ cached: true, cache_age_seconds: 172_800 });
    expect(young.json.meta.retrieved_at).toBe('2026-11-20T10:00:00.000Z');
    const old = await service.ask(`${profile('grows.old')}&cache_max_age=1d`, keys.live_key);
    expect(old.headers.get('x-cache')).toBe('MISS');
    service.clock.now = before;
  });

  test('a handle in any letter case, with or without @, has one cached answer', async () => {
    await service.ask(profile('Same.Person'), keys.live_key);
    const hit = await service.ask(`${profile('%40same.person')}&cache_max_age=1d`, keys.live_key);
    expect(hit.headers.get('x-cache')).toBe('HIT');
  });

  test('a url and its handle have one cached answer', async () => {
    await service.ask('/v1/photo/profile?url=https://www.instagram.com/by.address/', keys.live_key);
    const hit = await service.ask(`${profile('by.address')}&cache_max_age=1d`, keys.live_key);
    expect(hit.headers.get('x-cache')).toBe('HIT');
  });
});

describe('fields and trim', () => {
  test('the parameter fields keeps the selected fields and the identity of a record', async () => {
    const { json } = await service.ask(`${profile('narrow')}&fields=followers,avatar_variants.url`, keys.live_key);
    expect(Object.keys(json.data.profile).sort()).toEqual(['avatar_variants', 'followers', 'id', 'username']);
    expect(json.data.profile.avatar_variants).toEqual([{ url: expect.any(String) }, { url: expect.any(String) }]);
  });

  test('the parameter fields accepts paths with the container, relative to data, and inside arrays, and keeps pagination', async () => {
    const { json } = await service.ask('/v1/photo/posts?handle=rows&fields=items.hashtags.name', keys.live_key);
    expect(json.data.items[0]).toEqual({ id: 'InventedA00', hashtags: [{ name: 'tide' }] });
    expect(json.data.pagination.limit).toBe(3);
  });

  test('an unknown field is an error that names the nearest field and costs nothing', async () => {
    const { status, json } = await service.ask(`${profile('typo')}&fields=folowers`, keys.live_key);
    expect(status).toBe(400);
    expect(json.error.details[0]?.message).toContain('did you mean followers?');
    expect(upstream.asked).toHaveLength(0);
  });

  test('the parameter fields accepts only real fields of pagination, and only on a list', async () => {
    const list = (fields: string) => service.ask(`/v1/photo/posts?handle=rows&fields=${fields}`, keys.live_key);
    expect((await list('pagination.next_cursor')).status).toBe(200);
    expect((await list('items.caption,pagination')).status).toBe(200);
    expect((await list('pagination.next_curser')).json.error.details[0]?.message).toContain(
      'did you mean next_cursor?',
    );
    const { status } = await service.ask(`${profile('no.list')}&fields=pagination`, keys.live_key);
    expect(status).toBe(400);
  });

  test('the parameter trim removes nulls and empty values, and leaves counts of zero', async () => {
    const { json } = await service.ask(`${profile('trimmed')}&trim=true`, keys.live_key);
    expect(json.data.profile).not.toHaveProperty('external_url');
    expect(json.data.profile.following).toBe(0);
  });
});

describe('pagination', () => {
  test('next_cursor leads through a list to its end without repeating a row', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const more: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
      const { status, json } = await service.ask(`/v1/photo/posts?handle=walker&limit=5${more}`, keys.live_key);
      expect(status).toBe(200);
      seen.push(...json.data.items.map((row) => row.id as string));
      cursor = json.data.pagination.next_cursor;
      pages += 1;
    } while (cursor !== null);
    expect(pages).toBe(3);
    expect(new Set(seen).size).toBe(12);
  });

  test.each([
    ['another handle', 'handle=other&limit=5'],
    ['another limit', 'handle=bound&limit=6'],
  ])('a cursor used with %s is refused', async (_, query) => {
    const first = await service.ask('/v1/photo/posts?handle=bound&limit=5', keys.live_key);
    const cursor = encodeURIComponent(String(first.json.data.pagination.next_cursor));
    const { status, json } = await service.ask(`/v1/photo/posts?${query}&cursor=${cursor}`, keys.live_key);
    expect(status).toBe(400);
    expect(json.error.code).toBe('INVALID_INPUT');
  });
});

describe('estimate', () => {
  test('an estimate says cost and cache state, sends no request to a source and charges nothing', async () => {
    const before = await service.ask(`${profile('estimated')}&estimate=true&cache_max_age=1d`, keys.live_key);
    expect(before.json.data).toEqual({ cost: 1, cached: false, cache_age_seconds: null, availability: 'available' });
    await service.ask(profile('estimated'), keys.live_key);
    const after = await service.ask(`${profile('estimated')}&estimate=true&cache_max_age=1d`, keys.live_key);
    expect(after.json.data).toEqual({ cost: 0, cached: true, cache_age_seconds: 0, availability: 'available' });
    expect(after.headers.get('x-credits-charged')).toBe('0');
    expect(upstream.asked).toHaveLength(1);
  });

  test.each([
    ['/v1/photo/reels?handle=tide', 'unavailable'],
    ['/v1/shortvideo/playlist?id=7200000000000000001', 'preview'],
    ['/v1/adlibrary/company/ads?pageId=100000000000001', 'preview'],
    ['/v1/longvideo/comment/replies?comment_id=UgxExampleComment00AaABAg', 'preview'],
  ])('the estimate of %s, which has no live data, is 0 credits', async (path, availability) => {
    const { status, json } = await service.ask(`${path}&estimate=true`, keys.live_key);
    expect([status, json.data]).toEqual([200, { cost: 0, cached: false, cache_age_seconds: null, availability }]);
    expect((await service.ask(path, keys.live_key)).status).toBe(503);
  });
});

describe('an Idempotency-Key', () => {
  const headers = { 'idempotency-key': 'order-1' };

  test('a repeated Idempotency-Key gives the same answer again for 0 credits', async () => {
    const first = await service.ask(profile('again'), keys.live_key, { headers });
    const second = await service.ask(profile('again'), keys.live_key, { headers });
    expect(second.headers.get('x-idempotent-replay')).toBe('true');
    expect(second.headers.get('x-credits-charged')).toBe('0');
    expect(second.json.data).toEqual(first.json.data);
    expect(second.json.meta.retrieved_at).toBe(first.json.meta.retrieved_at);
    expect(upstream.asked).toHaveLength(1);
    expect(await readBalance(service.db.sql, keys.workspace_id)).toBe(99);
  });

  test('an Idempotency-Key with another request is 422 IDEMPOTENCY_KEY_REUSED', async () => {
    await service.ask(profile('again'), keys.live_key, { headers });
    const { status, json } = await service.ask(profile('different'), keys.live_key, { headers });
    expect(status).toBe(422);
    expect(json.error.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  test('an Idempotency-Key is forgotten after 24 hours', async () => {
    const before = service.clock.now;
    await service.ask(profile('forgotten'), keys.live_key, { headers });
    service.clock.now = new Date(before.getTime() + 24 * 3_600_000);
    const later = await service.ask(profile('forgotten'), keys.live_key, { headers });
    expect(later.headers.get('x-credits-charged')).toBe('1');
    service.clock.now = before;
  });

  test('a failed request leaves its Idempotency-Key unused', async () => {
    upstream.answer = () => ({ status: 404, body: Buffer.from('{}') });
    expect((await service.ask(profile('gone'), keys.live_key, { headers })).status).toBe(404);
    upstream.answer = null;
    expect((await service.ask(profile('gone'), keys.live_key, { headers })).headers.get('x-credits-charged')).toBe('1');
  });

  test('an Idempotency-Key works for samples too', async () => {
    await service.ask(profile('sample'), keys.test_key, { headers });
    const second = await service.ask(profile('sample'), keys.test_key, { headers });
    expect(second.headers.get('x-idempotent-replay')).toBe('true');
    expect(second.headers.get('x-data-mode')).toBe('sandbox');
  });

  test('an Idempotency-Key works for an answer that another process has cached', async () => {
    await service.ask(profile('cached.elsewhere'), keys.live_key);
    const other = await createTestService({ fetch: upstream.fetch, db: service.db });
    const path = `${profile('cached.elsewhere')}&cache_max_age=1d`;
    const cached = await other.ask(path, keys.live_key, { headers });
    expect([cached.status, cached.headers.get('x-cache')]).toEqual([200, 'HIT']);
    const replayed = await other.ask(path, keys.live_key, { headers });
    expect([replayed.headers.get('x-idempotent-replay'), replayed.json.data]).toEqual(['true', cached.json.data]);
  });
});

describe('simultaneous identical requests', () => {
  test('simultaneous identical requests share one fetch and one charge', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    upstream.hold = promise;
    const asked = Array.from({ length: 20 }, () => service.ask(profile('popular'), keys.live_key));
    await expect.poll(() => upstream.asked.length).toBe(1);
    resolve();
    const answers = await Promise.all(asked);
    upstream.hold = Promise.resolve();
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
    expect(answers.filter((answer) => answer.headers.get('x-credits-charged') === '1')).toHaveLength(1);
    expect(upstream.asked).toHaveLength(1);
    expect(await readBalance(service.db.sql, keys.workspace_id)).toBe(99);
  });
});

describe('errors are never charged', () => {
  test.each([
    ['a missing account', 404, 'RESOURCE_NOT_FOUND', { status: 404, body: Buffer.from('{}') }],
    ['a throttle', 429, 'SOURCE_CAPACITY', { status: 429, body: Buffer.from('') }],
    ['a failing source', 503, 'SOURCE_UNAVAILABLE', { status: 502, body: Buffer.from('') }],
    ['a changed shape', 422, 'SOURCE_RESPONSE_CHANGED', { status: 200, body: Buffer.from('{"status":"ok"}') }],
    ['an empty body', 422, 'SOURCE_RESPONSE_CHANGED', { status: 200, body: Buffer.from('') }],
  ])('%s is %i %s and is not charged', async (_, status, code, answer) => {
    upstream.answer = () => answer;
    const refused = await service.ask(profile('refused'), keys.live_key);
    expect([refused.status, refused.json.error.code]).toEqual([status, code]);
    expect(refused.headers.get('x-credits-charged')).toBe('0');
    expect(refused.json.meta.credits_charged).toBe(0);
    expect(await readBalance(service.db.sql, keys.workspace_id)).toBe(100);
  });

  test('a balance below the cost is 402 before any request to a source', async () => {
    const poor = await service.workspace(1);
    const { status, json } = await service.ask('/v1/photo/posts?handle=poor', poor.live_key);
    expect([status, json.error.code]).toEqual([402, 'INSUFFICIENT_CREDITS']);
    expect(upstream.asked).toHaveLength(0);
  });

  test('a request that loses the last credit to another request is 402 with the balance after that charge', async () => {
    const poor = await service.workspace(1);
    const { promise, resolve } = Promise.withResolvers<void>();
    upstream.hold = promise;
    const handles = ['last.one', 'last.two'];
    const answers = handles.map((handle) => service.ask(profile(handle), poor.live_key));
    await expect.poll(() => upstream.asked.length).toBe(handles.length);
    resolve();
    const refused = (await Promise.all(answers)).find(({ status }) => status === 402);
    upstream.hold = Promise.resolve();
    expect(refused?.json.error.message).toContain('the balance is 0');
    expect(refused?.headers.get('x-credits-remaining')).toBe('0');
  });

  test('a request that costs more than is left of the monthly cap of a key is 402, which does not call the cap reached', async () => {
    const capped = await service.key(keys.workspace_id, { kind: 'live', name: 'capped', monthly_cap: 1 });
    const { status, json } = await service.ask('/v1/photo/posts?handle=cap.posts', capped.key);
    expect([status, json.error.code]).toEqual([402, 'INSUFFICIENT_CREDITS']);
    expect(json.error.message).toMatch(/^This request costs 2 credits and this key has less left of its monthly cap/);
    expect((await service.ask(profile('cap.profile'), capped.key)).status).toBe(200);
  });

  test('a key whose monthly cap is reached does not call a source, so that its requests are not fetched for free', async () => {
    const capped = await service.key(keys.workspace_id, { kind: 'live', name: 'capped', monthly_cap: 1 });
    expect((await service.ask(profile('cap.paid'), capped.key)).status).toBe(200);
    const asked = upstream.asked.length;
    for (const handle of ['cap.more', 'cap.other'])
      expect((await service.ask(profile(handle), capped.key)).status).toBe(402);
    expect(upstream.asked).toHaveLength(asked);
    expect((await service.ask(`${profile('cap.paid')}&cache_max_age=1d`, capped.key)).status).toBe(200);
  });

  test('a reached monthly cap of a key is 402, and ends with the month in UTC', async () => {
    const capped = await service.key(keys.workspace_id, { kind: 'live', name: 'capped', monthly_cap: 1 });
    expect((await service.ask(profile('cap.one'), capped.key)).status).toBe(200);
    const refused = await service.ask(profile('cap.two'), capped.key);
    expect([refused.status, refused.json.error.code]).toEqual([402, 'INSUFFICIENT_CREDITS']);
    expect(refused.json.error.message).toMatch(
      /^This request costs 1 credit and this key has less left of its monthly cap/,
    );
    const before = service.clock.now;
    service.clock.now = new Date('2026-12-01T00:00:00.000Z');
    expect((await service.ask(profile('cap.two'), capped.key)).status).toBe(200);
    service.clock.now = before;
  });
});
