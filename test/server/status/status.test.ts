import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createHealthWriter, latencyBoundsMs, readHealth } from '../../../db/requests/health.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { SourceError } from '../../../pipeline/errors.ts';
import type { Fetcher } from '../../../pipeline/network/fetcher.ts';
import { catalog } from '../../../server/data/catalog.ts';
import { createHealth, percentile } from '../../../server/status/health.ts';
import { type ServiceStatus, serviceStatus, statusOf } from '../../../server/status/status.ts';
import { frontityPage } from '../../pipeline/shortvideo/upstream.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.ts';
import { inventedUpstream } from '../invented-upstream.ts';
import { createTestService, type TestKeys, type TestService } from '../test-service.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const forget = (db: TestDatabase) => db.sql.unsafe('truncate route_health');

/**
 * Returns the index of the first bucket whose upper bound is at least this duration. If no bucket has such a bound,
 * returns the index of the last one.
 */
const bucketOf = (durationMs: number) =>
  Math.min(latencyBoundsMs.filter((bound) => bound < durationMs).length, latencyBoundsMs.length - 1);

describe('percentiles of the response times', () => {
  const lastMs = latencyBoundsMs.at(-1) as number;
  const histogramOf = (durations: readonly number[]) =>
    durations.reduce<number[]>(
      (histogram, duration) => histogram.with(bucketOf(duration), (histogram[bucketOf(duration)] ?? 0) + 1),
      latencyBoundsMs.map(() => 0),
    );
  const durations = fc.array(fc.double({ min: 0, max: lastMs, noNaN: true }), { minLength: 1, maxLength: 200 });
  const share = fc.double({ min: 0, max: 1, noNaN: true });

  test('percentiles are in the same bucket as the exact percentile, and are exact when all durations are the end of a bucket', () => {
    fc.assert(
      fc.property(durations, share, (sample, part) => {
        const sorted = sample.toSorted((a, b) => a - b);
        const exact = sorted[Math.max(1, Math.ceil(part * sorted.length)) - 1] as number;
        const estimate = percentile(histogramOf(sample), part) as number;
        const bucket = bucketOf(exact);
        expect(estimate).toBeGreaterThan(latencyBoundsMs[bucket - 1] ?? 0);
        expect(estimate).toBeLessThanOrEqual(latencyBoundsMs[bucket] as number);
      }),
    );
    expect(percentile(histogramOf([256]), 0.95)).toBe(256);
  });

  test('percentiles never fall as the share grows', () => {
    fc.assert(
      fc.property(durations, share, share, (sample, one, other) => {
        const [low, high] = one < other ? [one, other] : [other, one];
        const histogram = histogramOf(sample);
        expect(percentile(histogram, low)).toBeLessThanOrEqual(percentile(histogram, high) as number);
      }),
    );
  });

  test('percentiles are null without requests, and equal the last bound for durations above the last bound', () => {
    expect(percentile(histogramOf([]), 0.5)).toBeNull();
    expect(percentile(histogramOf([10 * lastMs]), 0.5)).toBe(lastMs);
  });
});

describe('the stored results of the status', () => {
  let db: TestDatabase;
  let now: Date;
  const errors: unknown[] = [];
  const options = { now: () => now, on_error: (error: unknown) => errors.push(error) };
  const path = '/v1/photo/profile';
  const answered = (durationMs: number) => ({ route: path, answered: true, duration_ms: durationMs });
  const failed = { route: path, answered: false, duration_ms: 9 };

  beforeAll(async () => {
    db = await createTestDatabase();
  });
  beforeEach(async () => {
    await forget(db);
    now = new Date('2026-11-20T10:59:00.000Z');
    errors.length = 0;
  });
  afterAll(() => db.close());

  test('the results of the status are the sum over processes and hours', async () => {
    const writers = [createHealthWriter(db.sql, options), createHealthWriter(db.sql, options)];
    for (const writer of writers) {
      for (let count = 0; count < 3; count += 1) writer.observe(answered(100));
      writer.observe(failed);
    }
    await Promise.all(writers.map((writer) => writer.flush()));
    now = new Date('2026-11-20T11:01:00.000Z');
    for (const writer of writers) writer.observe(answered(30_000));
    await Promise.all(writers.map((writer) => writer.close()));
    const [health, ...others] = await readHealth(db.sql, now);
    expect(others).toEqual([]);
    expect(health).toMatchObject({ route: path, answered: 8, failed: 2, last_success_at: now });
    const counts = Object.entries(health?.latency ?? []).filter(([, count]) => count > 0);
    expect(counts).toEqual([
      [String(bucketOf(100)), 6],
      [String(bucketOf(30_000)), 2],
    ]);
  });

  test('a duration is counted in the first bucket whose bound is not below it, and durations above all bounds in the last one', async () => {
    const writer = createHealthWriter(db.sql, options);
    const last = latencyBoundsMs.length - 1;
    for (const bound of latencyBoundsMs) for (const ms of [bound, bound * 1.001]) writer.observe(answered(ms));
    for (const ms of [0, 40 * (latencyBoundsMs[last] as number)]) writer.observe(answered(ms));
    await writer.close();
    const [health] = await readHealth(db.sql, now);
    expect(health?.latency).toEqual(latencyBoundsMs.map((_, index) => (index === last ? 4 : 2)));
  });

  test.each([
    ['a missing resource', new SourceError('RESOURCE_NOT_FOUND'), true],
    ['a private resource', new SourceError('SOURCE_RESTRICTED', { about: 'resource' }), true],
    ['a wall', new SourceError('SOURCE_RESTRICTED', { about: 'block' }), false],
    ['a throttle', new SourceError('SOURCE_CAPACITY'), false],
    ['a changed shape', new SourceError('SOURCE_RESPONSE_CHANGED'), false],
    ['an unexpected error of the server', new TypeError('invented'), false],
    ['a bad parameter', new SourceError('INVALID_INPUT'), null],
    ['credentials that are not set', new SourceError('SOURCE_NOT_CONFIGURED'), null],
  ])('for the status, %s counts as answered, failed or not at all', async (_, error, answered) => {
    const health = createHealth(db.sql, options);
    await expect(health.watch(path, null, () => Promise.reject(error))).rejects.toBe(error);
    const counted = answered ? { answered: 1, failed: 0 } : { answered: 0, failed: 1 };
    expect((await health.read()).routes).toMatchObject(answered === null ? [] : [counted]);
    await health.close();
  });

  test('results count toward the status for 24 hours and are then deleted, and the last success is kept for longer', async () => {
    const writer = createHealthWriter(db.sql, options);
    const first = now;
    writer.observe(answered(100));
    await writer.flush();
    now = new Date(first.getTime() + 25 * hourMs);
    expect(await readHealth(db.sql, now)).toMatchObject([{ answered: 0, latency: null, last_success_at: first }]);
    now = new Date(first.getTime() + 31 * 24 * hourMs);
    writer.observe(failed);
    await writer.close();
    expect(await readHealth(db.sql, now)).toMatchObject([{ answered: 0, failed: 1, last_success_at: null }]);
  });

  test('the results of the status stay counted while the database is down, and the status shows its last reading', async () => {
    const health = createHealth(db.sql, options);
    await health.watch(path, null, async () => 'answer');
    expect(await health.read()).toMatchObject({ current: true, routes: [{ answered: 1 }] });
    await db.sql.unsafe('alter table route_health rename to away');
    await health.watch(path, null, async () => 'answer');
    now = new Date(now.getTime() + 5_000);
    const reading = await health.read();
    expect(reading).toMatchObject({ current: false, routes: [{ answered: 1 }] });
    expect(errors).toHaveLength(2);
    expect(statusOf(reading, [], now).status).toBe('degraded');
    await db.sql.unsafe('alter table away rename to route_health');
    now = new Date(now.getTime() + 5_000);
    expect(await health.read()).toMatchObject({ current: true, routes: [{ answered: 2 }] });
    await health.close();
  });

  test('the status does not wait for a database that does not answer, and shows its last reading', async () => {
    const health = createHealth(db.sql, options);
    await health.watch(path, null, async () => 'answer');
    await health.read();
    now = new Date(now.getTime() + 5_000);
    await inTransaction(db.sql, async (tx) => {
      await tx`lock table route_health in access exclusive mode`;
      expect(await health.read()).toMatchObject({ current: false, routes: [{ answered: 1 }] });
      await expect(health.history()).rejects.toThrow('did not answer in time');
    });
    now = new Date(now.getTime() + 5_000);
    expect(await health.read()).toMatchObject({ current: true, routes: [{ answered: 1 }] });
    expect(await health.history()).toMatchObject({ days: [{ answered: 1 }] });
    await health.close();
  });

  test('the status is read again after the clock was days ahead and is set back', async () => {
    const health = createHealth(db.sql, options);
    const right = now;
    now = new Date(right.getTime() + 72 * hourMs);
    expect([(await health.read()).routes, (await health.history()).days]).toEqual([[], []]);
    now = right;
    await health.watch(path, null, async () => 'answer');
    expect((await health.read()).routes).toMatchObject([{ answered: 1 }]);
    expect(await health.history()).toMatchObject({ days: [{ answered: 1 }] });
    await health.close();
  });

  test('the results of the status are read at most once in five seconds', async () => {
    const health = createHealth(db.sql, options);
    const readings = await Promise.all(Array.from({ length: 50 }, () => health.read()));
    expect(new Set(readings).size).toBe(1);
    now = new Date(now.getTime() + 4_999);
    expect(await health.read()).toBe(readings[0]);
    now = new Date(now.getTime() + 1);
    expect(await health.read()).not.toBe(readings[0]);
    await health.close();
  });

  test('the results of the status do not count a request that its caller cancelled', async () => {
    const health = createHealth(db.sql, options);
    const late = () => Promise.reject(new SourceError('SOURCE_TIMEOUT'));
    await expect(health.watch(path, AbortSignal.abort(), late)).rejects.toThrow(SourceError);
    expect(await health.read()).toEqual({ current: true, routes: [], canaries: [] });
    await health.close();
  });
});

describe('GET /v1/status', () => {
  const upstream = inventedUpstream();
  let service: TestService;
  let keys: TestKeys;

  beforeAll(async () => {
    service = await createTestService({ fetch: upstream.fetch });
    keys = await service.workspace(100);
  });
  beforeEach(async () => {
    await status();
    await forget(service.db);
    service.clock.now = new Date(service.clock.now.getTime() + 5_000);
    Object.assign(upstream, { answer: null, hold: Promise.resolve() });
    upstream.asked.length = 0;
  });
  afterAll(() => service.close());

  async function status(of: TestService = service): Promise<ServiceStatus> {
    of.clock.now = new Date(of.clock.now.getTime() + 5_000);
    const answer = await of.ask('/v1/status');
    expect(answer.status).toBe(200);
    return serviceStatus.parse(answer.json.data);
  }
  const routeOf = (shown: ServiceStatus, path: string) => shown.routes.find((route) => route.path === path);
  const profile = '/v1/photo/profile';
  const nothing = {
    last_success_at: null,
    success_rate_24h: null,
    requests_24h: null,
    p50_ms: null,
    p95_ms: null,
    canary: null,
  };

  test('GET /v1/status needs no key and lists every route, and values without a request are null, never 0', async () => {
    const shown = await status();
    expect(shown).toMatchObject({ status: 'ok', generated_at: service.clock.now.toISOString(), sources: [] });
    const rows = catalog.map(({ path, availability, cost }) => ({ path, availability, cost, ...nothing }));
    expect(shown.routes).toEqual(rows);
  });

  test('GET /v1/status counts live requests for new data: no samples, cached answers, refused parameters or refused keys', async () => {
    await service.ask(`${profile}?handle=tide`, keys.live_key);
    await service.ask(`${profile}?handle=tide&cache_max_age=1d`, keys.live_key);
    await service.ask(`${profile}?handle=tide&estimate=true`, keys.live_key);
    await service.ask(`${profile}?handle=tide`, keys.test_key);
    await service.ask(`${profile}?handle=no handle`, keys.live_key);
    await service.ask(`${profile}?handle=tide`, 'no key');
    const answeredAt = service.clock.now.toISOString();
    expect(routeOf(await status(), profile)).toMatchObject({
      requests_24h: 1,
      success_rate_24h: 1,
      last_success_at: answeredAt,
      p50_ms: expect.any(Number),
      p95_ms: expect.any(Number),
    });
  });

  test('GET /v1/status counts a later page of a list only when it needed a request to a source', async () => {
    const list = '/v1/photo/posts?handle=tide&limit=5';
    const first = await service.ask(list, keys.live_key);
    const cursor = encodeURIComponent(first.json.data.pagination.next_cursor ?? '');
    await service.ask(`${list}&cursor=${cursor}`, keys.live_key);
    expect(routeOf(await status(), '/v1/photo/posts')?.requests_24h).toBe(upstream.asked.length);
  });

  test('for GET /v1/status, a source that blocks us is a failure, and "not found" is an answer', async () => {
    const answers = [{ status: 404 }, { status: 429 }, { status: 502 }];
    for (const [index, answer] of answers.entries()) {
      upstream.answer = () => ({ ...answer, body: Buffer.from('{}') });
      await service.ask(`${profile}?handle=tide.${index}`, keys.live_key);
    }
    expect(routeOf(await status(), profile)).toMatchObject({ requests_24h: 3, success_rate_24h: 0.3333 });
  });

  test('GET /v1/status counts identical requests in flight once', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    upstream.hold = promise;
    const asked = Array.from({ length: 5 }, () => service.ask(`${profile}?handle=tide`, keys.live_key));
    await expect.poll(() => upstream.asked.length).toBe(1);
    resolve();
    await Promise.all(asked);
    expect(routeOf(await status(), profile)?.requests_24h).toBe(1);
  });

  test('GET /v1/status is shared by processes and survives restarts', async () => {
    await service.ask(`${profile}?handle=tide`, keys.live_key);
    await status();
    const other = await createTestService({ fetch: upstream.fetch, db: service.db });
    expect(routeOf(await status(other), profile)?.requests_24h).toBe(1);
  });

  test('GET /v1/status shows for each route whether the last request for well-known data was right, and when it last was', async () => {
    await service.db.sql`
      insert into canary_subjects (collector, subject, due_at, checked_at, right_at, state, failures) values
        ('photoProfile', 'handle=a', now(), '2026-11-20T09:00:00Z', '2026-11-20T09:00:00Z', 'right', 0),
        ('photoProfile', 'handle=b', now(), '2026-11-20T08:00:00Z', '2026-11-19T08:00:00Z', 'wrong', 3),
        ('longvideoVideo', 'id=c', now(), null, null, null, 0)`;
    const shown = await status();
    const wrong = { state: 'wrong', checked_at: '2026-11-20T08:00:00.000Z', last_right_at: '2026-11-19T08:00:00.000Z' };
    expect(routeOf(shown, profile)?.canary).toEqual(wrong);
    expect(routeOf(shown, '/v1/longvideo/video')?.canary).toBeNull();
    const page = await (await service.app.request('/status')).text();
    expect(page).toContain('wrong answer</span> right until <time datetime="2026-11-19T08:00:00.000Z">');
    await service.db.sql`truncate canary_subjects`;
  });

  test('GET /v1/status is degraded while a route only fails, until a source answers again', async () => {
    upstream.answer = () => ({ body: Buffer.from('{"status":"ok"}') });
    for (let count = 0; count < 4; count += 1) await service.ask(`${profile}?handle=tide`, keys.live_key);
    expect((await status()).status).toBe('ok');
    await service.ask(`${profile}?handle=tide`, keys.live_key);
    const shown = await status();
    expect([shown.status, routeOf(shown, profile)?.success_rate_24h]).toEqual(['degraded', 0]);
    expect(routeOf(shown, profile)).toMatchObject({ p50_ms: null, p95_ms: null, last_success_at: null });
    upstream.answer = null;
    await service.ask(`${profile}?handle=tide`, keys.live_key);
    expect((await status()).status).toBe('ok');
  });

  test('GET /v1/status is a page for a browser and JSON for other clients', async () => {
    await service.ask(`${profile}?handle=tide`, keys.live_key);
    service.clock.now = new Date(service.clock.now.getTime() + 5_000);
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const page = await service.ask('/v1/status', undefined, { headers: { accept } });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('vary')).toBe('accept');
    expect(page.text).toContain('aria-current="page"');
    expect(page.text).toContain(`<code>${profile}</code>`);
    expect(page.text).not.toContain('<code>/v1/longvideo/transcript</code>');
    expect(page.text).toContain('100.00%');
    for (const other of ['*/*', 'application/json', 'application/json, text/html']) {
      const { headers } = await service.ask('/v1/status', undefined, { headers: { accept: other } });
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });

  test('HEAD of /v1/status answers as GET does, without the body', async () => {
    const { status, headers, text } = await service.ask('/v1/status', undefined, { method: 'HEAD' });
    expect([status, text, headers.get('content-type')]).toEqual([200, '', 'application/json; charset=utf-8']);
    expect(headers.get('x-credits-charged')).toBe('0');
  });
});

describe('a failing source', () => {
  const video = (index: number) => `700000000000000010${index}`;
  const asked: string[] = [];

  /** Fakes a platform that fails for the page of every video but returns the video's embed. */
  const fetch: Fetcher = async ({ url }) => {
    const { pathname } = new URL(url);
    asked.push(pathname);
    if (!pathname.startsWith('/embed/v2/')) return { status: 500, url, headers: {}, body: Buffer.alloc(0) };
    const videoData = { itemInfos: { id: pathname.split('/').at(-1), text: 'invented', diggCount: 7 } };
    const body = Buffer.from(frontityPage({ source: { data: { [pathname]: { videoData } } } }));
    return { status: 200, url, headers: {}, body };
  };

  test('a failing source opens its circuit breaker, and the next source answers without a request to the failing one', async () => {
    const service = await createTestService({ fetch, breakers: true });
    const { live_key } = await service.workspace(100);
    const ask = (index: number) => service.ask(`/v1/shortvideo/video?id=${video(index)}`, live_key);
    for (const index of [1, 2, 3, 4, 5]) {
      const answer = await ask(index);
      expect([answer.status, answer.json.meta.source, answer.json.meta.partial]).toEqual([200, 'tiktok-embed', true]);
      expect(asked.splice(0)).toEqual([`/@_/video/${video(index)}`, `/embed/v2/${video(index)}`]);
    }
    const sixth = await ask(6);
    expect([sixth.status, sixth.json.meta.source, sixth.json.data.item.likes]).toEqual([200, 'tiktok-embed', 7]);
    expect(asked.splice(0)).toEqual([`/embed/v2/${video(6)}`]);

    const { data } = (await service.ask('/v1/status')).json as unknown as { data: ServiceStatus };
    const openUntil = new Date(service.clock.now.getTime() + minuteMs).toISOString();
    expect(data.status).toBe('degraded');
    expect(data.sources).toEqual([
      { source: 'tiktok-web', state: 'open', consecutive_failures: 5, open_until: openUntil },
      { source: 'tiktok-embed', state: 'closed', consecutive_failures: 0, open_until: null },
    ]);
    expect(data.routes.find(({ path }) => path === '/v1/shortvideo/video')).toMatchObject({
      requests_24h: 6,
      success_rate_24h: 1,
    });

    service.clock.now = new Date(service.clock.now.getTime() + minuteMs);
    expect((await ask(7)).json.meta.source).toBe('tiktok-embed');
    expect(asked).toEqual([`/@_/video/${video(7)}`, `/embed/v2/${video(7)}`]);
    await service.close();
  });
});
